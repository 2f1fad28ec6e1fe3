// The review that stands alone: a board, the curve and the list, and the keys to walk through them.

import { PASS, fromVertex } from './rules.js';
import { BoardView } from './board.js';
import { ReviewView, element, positionsOf } from './review.js';

const review = JSON.parse(document.getElementById('review-data').textContent);
const positions = positionsOf(review);
const board = new BoardView(document.getElementById('board'));
let turn = 0;

function draw() {
  const overlay = view.overlay();
  const shown = overlay.before ? turn - 1 : turn;
  const move = review.moves[shown - 1];
  board.draw({
    size: review.size,
    stones: positions[shown].stones,
    last: move ? fromVertex(move.vertex, review.size) : PASS,
    ...overlay,
  });
  document.getElementById('turn').textContent = `${turn} / ${review.moves.length}`;
}

function go(to) {
  turn = Math.max(0, Math.min(review.moves.length, to));
  view.show(turn);
  draw();
}

const view = new ReviewView(document.getElementById('review'), review, { onGo: go, onChange: draw });

const steps = { first: () => go(0), back: () => go(turn - 1), forward: () => go(turn + 1), last: () => go(review.moves.length) };
for (const [name, step] of Object.entries(steps)) document.getElementById(name).addEventListener('click', step);
const keys = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last };
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

const players = `${review.black} (Black) – ${review.white} (White)`;
const facts = [review.result, `komi ${review.komi}`, review.rules, `${review.size}x${review.size}`];
document.getElementById('players').append(element('strong', '', players));
document.getElementById('facts').textContent = facts.filter(Boolean).join(' · ');
go(0);
