// A judged game beside its board: the curve, what is to be said of the move shown, and the moves that cost most.

import { PASS, BLACK, WHITE, Position, fromVertex } from './rules.js';
import { CurveView } from './curve.js';

const MOST_LISTED = 12;
const NAMES = { good: 'Good move', inaccuracy: 'Inaccuracy', mistake: 'Mistake', blunder: 'Blunder' };

export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

export function leadInWords(lead) {
  const points = Math.abs(lead).toFixed(1);
  if (points === '0.0') return 'nobody leads';
  return `${lead > 0 ? 'Black' : 'White'} leads by ${points}`;
}

// Every position of a judged game.
export function positionsOf(review) {
  let position = new Position(review.size);
  for (const vertex of review.black_setup) position.stones[fromVertex(vertex, review.size)] = BLACK;
  for (const vertex of review.white_setup) position.stones[fromVertex(vertex, review.size)] = WHITE;
  const list = [position];
  for (const move of review.moves) {
    const color = move.color === 'b' ? BLACK : WHITE;
    position = position.after(color, fromVertex(move.vertex, review.size)) || position.copy();
    list.push(position);
  }
  return list;
}

export class ReviewView {
  // Tells the turn to go to, and when what the board shows beside the stones has changed.
  constructor(container, review, { onGo = () => {}, onChange = () => {} } = {}) {
    this.review = review;
    this.onGo = onGo;
    this.onChange = onChange;
    this.turn = 0;
    this.showsBetter = false;
    this.showsOwners = false;
    container.replaceChildren();
    const curve = element('div', 'curve-box');
    this.verdict = element('div', 'verdict');
    this.list = element('ol', 'costly');
    const head = element('div', 'costly-head', element('h3', '', 'Moves that cost most'), element('span', 'cost', 'points'), element('span', 'share', 'chances'));
    container.append(curve, this.verdict, head, this.list);
    this.curve = new CurveView(curve, { onGo: (turn) => this.onGo(turn) });
    const cost = (move) => move.points_lost + 20 * move.winrate_lost;
    this.costly = review.moves.map((move, index) => ({ move, turn: index + 1 }))
      .filter(({ move }) => move.verdict !== 'good')
      .sort((a, b) => cost(b.move) - cost(a.move));
    this.fillList();
  }

  fillList() {
    this.rows = this.costly.slice(0, MOST_LISTED).map(({ move, turn }) => {
      const stone = element('span', `dot-stone ${move.color === 'b' ? 'black' : 'white'}`);
      const cost = element('span', `cost ${move.verdict}`, move.points_lost >= 0.05 ? `−${move.points_lost.toFixed(1)}` : '0');
      const chances = element('span', 'share', `−${Math.round(100 * move.winrate_lost)} %`);
      const best = this.review.positions[turn - 1].candidates[0];
      const better = best ? `better ${best.vertex}` : '';
      const button = element('button', 'costly-row', element('span', 'number', String(turn)), stone,
        element('span', 'vertex', move.vertex), element('span', 'better', better), cost, chances);
      button.type = 'button';
      button.title = 'Points and winning chances that the move cost';
      button.addEventListener('click', () => this.onGo(turn));
      const row = element('li', '', button);
      row.dataset.turn = turn;
      this.list.append(row);
      return row;
    });
    if (!this.rows.length) this.list.append(element('li', 'nothing', 'No move cost much. Well played!'));
  }

  show(turn) {
    if (turn !== this.turn) this.showsBetter = false;
    this.turn = turn;
    const { positions } = this.review;
    const marks = this.costly.map(({ move, turn: at }) => ({ turn: at, verdict: move.verdict }));
    this.curve.draw({
      winrates: positions.map((one) => one.winrate), leads: positions.map((one) => one.lead), at: turn, marks,
    });
    for (const row of this.rows) row.classList.toggle('current', Number(row.dataset.turn) === turn);
    this.showVerdict();
  }

  showVerdict() {
    const { positions, moves } = this.review;
    const position = positions[this.turn];
    const move = moves[this.turn - 1];
    const chances = `${Math.round(100 * position.winrate)} % for Black, ${leadInWords(position.lead)}`;
    const head = move
      ? `${this.turn}. ${move.color === 'b' ? 'Black' : 'White'} ${move.vertex}`
      : 'Before the first move';
    const line = element('div', 'verdict-head', element('strong', '', head));
    if (move) line.append(' ', element('span', `badge ${move.verdict}`, NAMES[move.verdict]));
    this.verdict.replaceChildren(line, element('div', 'chances', chances));
    if (move?.reason) this.verdict.append(element('p', 'reason', move.reason));
    const buttons = element('div', 'verdict-buttons');
    if (move && move.verdict !== 'good' && this.better()) {
      buttons.append(this.toggle('Show what was better', 'showsBetter'));
    }
    buttons.append(this.toggle('Show territory', 'showsOwners'));
    this.verdict.append(buttons);
  }

  toggle(name, field) {
    const button = element('button', 'small', name);
    button.type = 'button';
    button.setAttribute('aria-pressed', this[field]);
    button.addEventListener('click', () => {
      this[field] = !this[field];
      this.showVerdict();
      this.onChange();
    });
    return button;
  }

  better() {
    return this.turn > 0 ? this.review.positions[this.turn - 1].candidates[0] : undefined;
  }

  // What the board shows beside the stones at this turn.
  overlay() {
    const { review, turn } = this;
    const move = review.moves[turn - 1];
    const overlay = { rings: [] };
    if (this.showsOwners) overlay.owners = review.positions[turn].owners;
    if (!move || move.verdict === 'good') return overlay;
    const best = this.better();
    if (this.showsBetter && best) {
      return { ...overlay, before: true, variation: best.variation, toPlay: move.color === 'b' ? BLACK : WHITE };
    }
    overlay.rings.push({ point: fromVertex(move.vertex, review.size), kind: move.verdict });
    if (best) {
      const point = fromVertex(best.vertex, review.size);
      if (point !== PASS) overlay.rings.push({ point, kind: 'better' });
    }
    return overlay;
  }
}
