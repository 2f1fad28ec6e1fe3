// The page: a game, who plays it, and what is drawn of it.

import { PASS, BLACK, WHITE, fromVertex } from './rules.js';
import { BoardView } from './board.js';
import { ReviewView, element } from './review.js';
import { GameTree, TreeView } from './tree.js';
import { GameClock } from './clock.js';
import { decodeSgf } from './sgf.js';
import { ask, get, load, post } from './server.js';
import { askNewGame, askOpen, askSave, askYesNo, showHelp, tell } from './dialogs.js';
import { byId, drawPanel, drawPlayers } from './panel.js';
import { choicesBefore, isFinished, isWatching, isYours, keepChoices, nameOf, recall, remember, showTheme, state, toggleTheme } from './state.js';

const session = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const board = new BoardView(byId('board'), { onClick: clickPoint, onHover: hoverCandidate, onCursor: tellPoint });
const treeView = new TreeView(byId('tree'), (node) => goTo(node));

/* Games */

function startGame(choices) {
  const { role, level, otherLevel } = choices;
  state.players = {
    [BLACK]: role === 'white' || role === 'watch' ? level : 'you',
    [WHITE]: role === 'black' ? level : role === 'watch' ? otherLevel : 'you',
  };
  const settings = { size: choices.size, komi: choices.komi, rules: choices.rules, handicap: choices.handicap };
  settings.blackName = nameOf(state.players[BLACK]);
  settings.whiteName = nameOf(state.players[WHITE]);
  state.tree = new GameTree(settings);
  const [main, period] = choices.clock.split('+').map(Number);
  state.clock = choices.clock === 'none' ? null : new GameClock({ period, left: { [BLACK]: main, [WHITE]: main } });
  state.paused = false;
  closeReview();
  changed();
  proceed();
}

function openSgf(text) {
  const tree = GameTree.fromSgf(text);
  stopThinking();
  state.tree = tree;
  state.players = { [BLACK]: 'you', [WHITE]: 'you' };
  state.clock = null;
  closeReview();
  tree.current = tree.end(tree.root);
  changed();
  proceed();
}

// The position is another: what was said about the one before is gone.
function changed() {
  stopThinking();
  Object.assign(state, { report: null, hint: null, estimate: null, variation: null, tapped: undefined, cursor: undefined });
  treeView.draw(state.tree);
  draw();
  remember();
}

function goTo(node) {
  if (!node || node === state.tree.current) return;
  state.tree.current = node;
  // The clock rests while somebody looks back, and goes on at the end of the game.
  const goesOn = !node.children.length && !isFinished() && !state.review && isYours(node.toPlay);
  state.clock?.start(goesOn ? node.toPlay : 0);
  changed();
  if (state.tree.isOver()) count();
  else if (state.live) liveSearch();
}

// What follows from the position: the clock runs, tengen moves, the board is counted.
function proceed() {
  const { tree, clock } = state;
  if (isFinished()) {
    if (clock) clock.start(0);
    if (tree.isOver()) count();
    return;
  }
  const color = tree.current.toPlay;
  if (clock && !state.review && !(isWatching() && state.paused)) clock.start(color);
  if (!isYours(color) && !state.paused) engineMove(color);
  else if (state.live) liveSearch();
}

function playMove(color, point) {
  const { tree, clock } = state;
  const objection = tree.objection(color, point);
  if (objection) {
    tell(objection);
    return;
  }
  const wasFinished = isFinished();
  tree.play(color, point);
  if (clock) clock.moved(color);
  if (!wasFinished && tree.current === tree.end(tree.root) && /^[BW]\+[RT]|^[BW]\+\d|^0$/.test(tree.result) && !tree.isOver()) tree.result = '';
  changed();
  proceed();
}

function clickPoint(point, touched) {
  const { tree } = state;
  const color = tree.current.toPlay;
  if (state.thinking?.kind === 'move') {
    tell('tengen is thinking: wait for its move.');
    return;
  }
  if (isFinished()) {
    tell('The game is over. Start a new one, or go back and try a variation.');
    return;
  }
  if (!isYours(color)) {
    tell('It is tengen\'s turn.');
    return;
  }
  // On a small screen the first touch shows the point, the second plays there.
  if (touched && tree.size > 9 && state.tapped !== point) {
    state.tapped = point;
    draw();
    return;
  }
  playMove(color, point);
}

function finish(result) {
  state.tree.result = result;
  if (state.clock) state.clock.start(0);
  changed();
}

function undo() {
  const { tree } = state;
  // What is taken back is gone; whoever looks back, or reviews, loses nothing.
  if (tree.current.children.length || state.review?.nodes.includes(tree.current)) {
    back();
    return;
  }
  stopThinking();
  if (/^[BW]\+R/.test(tree.result) && isFinished() && isYours(tree.current.toPlay)) {
    // Your own resignation is taken back, and no move.
    tree.result = '';
    changed();
    proceed();
    return;
  }
  if (/^[BW]\+T/.test(tree.result) && isFinished() && state.clock) {
    state.clock = null;
    tell('The game goes on without a clock.');
  }
  // Back to the last position in which you were to move.
  let node = tree.current.parent;
  if (!node) return;
  while (node.parent && !isYours(node.toPlay) && !isWatching()) node = node.parent;
  const removed = tree.path().find((one) => one.parent === node);
  tree.current = node;
  tree.remove(removed);
  tree.result = '';
  if (isWatching()) state.paused = true;
  changed();
  proceed();
}

/* Asking tengen */

function stopThinking() {
  state.thinking?.abort.abort();
  state.thinking = null;
}

// Asks for the position shown. One question at a time; whoever moves on does not hear the answer.
async function think(kind, name, more, onLine) {
  stopThinking();
  const abort = new AbortController();
  const thinking = { kind, abort };
  state.thinking = thinking;
  draw();
  try {
    const body = { session, game: state.tree.question(), ...more };
    const answer = await ask(name, body, {
      signal: abort.signal,
      onLine: (line) => state.thinking === thinking && onLine?.(line),
    });
    return state.thinking === thinking ? answer : null;
  } catch (error) {
    if (state.thinking === thinking && error.name !== 'AbortError') tell(error.message);
    return null;
  } finally {
    if (state.thinking === thinking) {
      state.thinking = null;
      draw();
    }
  }
}

function hear(line) {
  if (!line.report) return;
  state.report = { ...line.report, visits: line.visits };
  draw();
}

async function engineMove(color) {
  const more = { strength: state.players[color] };
  if (state.clock) more.clock = state.clock.question(color);
  const answer = await think('move', 'move', more, (line) => state.live && hear(line));
  if (!answer?.move) return;
  if (answer.move === 'resign') {
    finish(color === BLACK ? 'W+R' : 'B+R');
    return;
  }
  playMove(color, fromVertex(answer.move, state.tree.size));
}

function liveSearch() {
  if (document.hidden || isFinished()) return;
  think('live', 'search', {}, hear);
}

async function hint() {
  if (isFinished() || state.thinking?.kind === 'move') return;
  state.hint = null;
  const answer = await think('hint', 'hint', {});
  if (!answer?.report) return;
  state.hint = answer.report.candidates[0] || null;
  state.report = null;
  draw();
}

async function count() {
  const { tree } = state;
  const node = tree.current;
  const answer = await think('score', 'score', {});
  if (!answer || tree.current !== node) return;
  state.estimate = answer;
  if (answer.final && node === tree.end(tree.root)) tree.result = answer.score;
  draw();
  remember();
}

function toggleScore() {
  if (state.estimate) {
    state.estimate = null;
    draw();
  } else if (state.thinking?.kind !== 'move') {
    count();
  }
}

function toggleLive() {
  state.live = !state.live;
  if (!state.live) {
    if (state.thinking?.kind === 'live') stopThinking();
    state.report = null;
  } else if (state.thinking?.kind !== 'move') {
    liveSearch();
  }
  draw();
  remember();
}

/* Review */

async function reviewGame() {
  const { tree } = state;
  if (tree.root.children.length === 0) {
    tell('Play or open a game first: there is nothing to review yet.');
    return;
  }
  closeReview();
  state.clock?.start(0);
  const nodes = tree.game(tree.end(tree.root));
  const panel = byId('review');
  const bar = element('progress', '');
  panel.hidden = false;
  panel.replaceChildren(element('strong', '', 'Reviewing the game…'), bar);
  const answer = await think('review', 'review', { game: tree.question(nodes.at(-1)) }, (line) => {
    if (line.total) Object.assign(bar, { max: line.total, value: line.done });
  });
  if (!answer?.review || state.tree !== tree) {
    panel.hidden = true;
    return;
  }
  const { review } = answer;
  const view = new ReviewView(panel, review, { onGo: (turn) => goTo(state.review?.nodes[turn]), onChange: draw });
  const close = element('button', 'small', 'Close the review');
  close.type = 'button';
  close.addEventListener('click', () => {
    closeReview();
    draw();
  });
  panel.append(element('div', 'verdict-buttons', close));
  state.review = { view, nodes };
  state.paused = isWatching();
  changed();
}

function closeReview() {
  if (state.thinking?.kind === 'review') stopThinking();
  state.review = null;
  byId('review').hidden = true;
}

/* Drawing */

function hoverCandidate(index) {
  const candidate = index === null ? null : state.report?.candidates[index];
  const variation = candidate?.variation || null;
  if (variation === state.variation) return;
  state.variation = variation;
  drawBoard();
}

function tellPoint(point) {
  state.cursor = point;
  draw();
}

function drawBoard() {
  const { tree, report, estimate, review } = state;
  const node = tree.current;
  const shown = {
    size: tree.size, stones: node.position.stones, last: node.color ? node.point : PASS, toPlay: node.toPlay, rings: [], tapped: state.tapped,
    ghost: isYours(node.toPlay) && !isFinished() && state.thinking?.kind !== 'move' ? node.toPlay : 0,
  };
  if (estimate) {
    shown.owners = estimate.owners;
    shown.dead = new Set((estimate.dead || []).map((vertex) => fromVertex(vertex, tree.size)));
  }
  const turn = review ? review.nodes.indexOf(node) : -1;
  if (turn >= 0) {
    const overlay = review.view.overlay();
    if (overlay.before) {
      shown.stones = node.parent.position.stones;
      shown.last = node.parent.color ? node.parent.point : PASS;
    }
    Object.assign(shown, overlay);
  }
  if (state.hint) shown.rings.push({ point: fromVertex(state.hint.vertex, tree.size), kind: 'hint' });
  if (report && (state.live || state.thinking)) shown.candidates = report.candidates;
  if (state.variation && shown.candidates) shown.variation = state.variation;
  board.draw(shown);
}

function draw() {
  const { tree, review } = state;
  const turn = review ? review.nodes.indexOf(tree.current) : -1;
  if (turn >= 0) review.view.show(turn);
  document.body.classList.toggle('reviewing', Boolean(review));
  drawBoard();
  drawPanel([['Review this game', reviewGame, ''], ['New game', newGame, 'primary']]);
}

/* Buttons and keys */

async function newGame() {
  const choices = await askNewGame(state.about.strengths, choicesBefore(), state.tree.root.children.length > 0);
  if (!choices) return;
  keepChoices(choices);
  startGame(choices);
}

async function openFile(bytes) {
  try {
    openSgf(decodeSgf(await bytes));
  } catch (error) {
    tell(error.message);
  }
}

async function openGame() {
  const names = state.about.folder ? await get('files').catch((error) => tell(error.message)) : null;
  const picked = await askOpen(names);
  if (picked) openFile(picked.file ? picked.file.arrayBuffer() : load(picked.name));
}

async function saveGame() {
  const today = new Date().toLocaleDateString('sv'); // year, month, day
  const wish = await askSave(`tengen-${today}.sgf`, state.about.folder);
  if (!wish) return;
  const sgf = state.tree.toSgf();
  if (wish.where === 'download') {
    const link = element('a', '');
    link.href = URL.createObjectURL(new Blob([sgf], { type: 'application/x-go-sgf' }));
    link.download = wish.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    return;
  }
  try {
    const files = await get('files');
    const replace = files.includes(wish.name);
    if (replace && !(await askYesNo('Replace the file?', `There is a ${wish.name} already.`, 'Replace'))) return;
    await post('save', { name: wish.name, sgf, replace });
    tell(`Saved as ${wish.name}.`);
  } catch (error) {
    tell(error.message);
  }
}

async function resign() {
  const color = state.tree.current.toPlay;
  if (isFinished() || !isYours(color)) return;
  if (await askYesNo('Resign?', 'The game ends and counts as lost.', 'Resign')) finish(color === BLACK ? 'W+R' : 'B+R');
}

function pass() {
  const color = state.tree.current.toPlay;
  if (isYours(color) && !isFinished() && state.thinking?.kind !== 'move') playMove(color, PASS);
}

function togglePause() {
  if (state.thinking?.kind === 'move') {
    state.paused = true;
    changed();
    if (state.live) liveSearch();
  } else {
    state.paused = false;
    proceed();
  }
}

const back = () => goTo(state.tree.current.parent);
const forward = () => goTo(state.tree.current.children[0]);
const actions = {
  new: newGame, open: openGame, save: saveGame, 'review-game': reviewGame, theme: toggleTheme, help: () => showHelp(state.about.version),
  pass, undo, hint, score: toggleScore, resign, live: toggleLive, pause: togglePause,
  first: () => goTo(state.tree.root), back, forward, last: () => goTo(state.tree.end()),
};
const keys = {
  ArrowLeft: back, ArrowRight: forward, ArrowUp: () => goTo(state.tree.beside(-1)), ArrowDown: () => goTo(state.tree.beside(1)),
  Home: actions.first, End: actions.last, ' ': toggleLive, u: undo, h: hint, p: pass, s: toggleScore, n: newGame, '?': actions.help,
};

function listen() {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
  document.addEventListener('keydown', (event) => {
    const elsewhere = document.querySelector('dialog[open]') || (event.key === ' ' && event.target.closest('button'));
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || elsewhere || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  // A button that was clicked with the mouse does not keep the space bar; one that was reached with the keyboard does.
  document.addEventListener('click', (event) => {
    if (event.detail) event.target.closest('button')?.blur();
  }, true);
  // Nobody looks at a hidden tab: its live search rests, and so does a game that tengen plays with itself.
  document.addEventListener('visibilitychange', () => {
    if (!state.tree) return;
    if (document.hidden) {
      if (state.thinking?.kind === 'live' || (isWatching() && state.thinking?.kind === 'move')) stopThinking();
      remember();
    } else if (!state.thinking && !state.review) {
      if (isWatching() || state.live) proceed();
    }
  });
  addEventListener('pagehide', () => {
    if (state.tree) remember();
    stopThinking();
  });
  let leaving = 0;
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
    clearTimeout(leaving);
    leaving = setTimeout(() => document.body.classList.remove('dropping'), 200);
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const file = event.dataTransfer.files[0];
    if (file) openFile(file.arrayBuffer());
  });
  setInterval(() => {
    const { clock, tree } = state;
    if (!clock || !clock.running || !tree) return;
    const color = clock.running;
    if (clock.isLost(color)) finish(color === BLACK ? 'W+T' : 'B+T');
    else drawPlayers();
  }, 250);
}

async function begin() {
  showTheme();
  try {
    state.about = await get('about');
  } catch (error) {
    tell(error.message);
  }
  listen();
  if (recall()) {
    changed();
    const atEnd = !state.tree.current.children.length;
    if (atEnd) proceed();
    else if (state.live) liveSearch();
  } else {
    startGame(choicesBefore());
  }
}

begin();
