// The page: a game, who plays it, and what is drawn of it.

import { PASS, BLACK, WHITE, fromVertex, toVertex } from './rules.js';
import { BoardView, shortNumber } from './board.js';
import { ReviewView, element, leadInWords } from './review.js';
import { GameTree, TreeView } from './tree.js';
import { GameClock } from './clock.js';
import { decodeSgf } from './sgf.js';
import { ask, get, post } from './server.js';
import { askNewGame, askOpen, askSave, askYesNo, rulesInWords, showHelp, tell, usualKomi } from './dialogs.js';

const STORE = 'tengen.game';
const CHOICES = 'tengen.choices';
const THEME = 'tengen.theme';
const byId = (id) => document.getElementById(id);
const session = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

// Everything that the page knows. `players` has 'you' or a strength for each colour.
const state = {
  about: { version: '', strengths: [], folder: false },
  tree: null,
  players: { [BLACK]: 'you', [WHITE]: '1' },
  clock: null,
  live: false,
  paused: false,
  thinking: null, // {kind, abort}
  report: null, // what the live search or a hint found
  hint: null,
  estimate: null,
  variation: null,
  tapped: undefined,
  review: null, // {view, nodes}
};

const board = new BoardView(byId('board'), { onClick: clickPoint, onHover: hoverCandidate });
const treeView = new TreeView(byId('tree'), (node) => goTo(node));

/* Remembering: the tab's own storage survives a reload, and no other tab sees it. */

function remember() {
  const { tree, players, clock, live, paused } = state;
  const steps = tree.path().slice(1).map((node) => node.parent.children.indexOf(node));
  const kept = { sgf: tree.toSgf(), steps, settings: tree.settings, players, clock: clock && clock.keep(), live, paused };
  try {
    sessionStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // A full storage keeps the game from surviving a reload, not from being played.
  }
}

function recall() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORE));
    if (!kept) return false;
    const tree = GameTree.fromSgf(kept.sgf);
    tree.settings = kept.settings;
    for (const step of kept.steps) tree.current = tree.current.children[step] || tree.current;
    Object.assign(state, { tree, players: kept.players, live: kept.live, paused: kept.paused });
    state.clock = kept.clock ? new GameClock(kept.clock) : null;
    return true;
  } catch {
    return false;
  }
}

/* Games */

// A strength in few words.
function strengthOf(player) {
  const found = state.about.strengths.find(({ name }) => name === player);
  return found ? found.label.split(',')[0] : player;
}

function nameOf(player) {
  if (player === 'you') return 'You';
  return `tengen (${strengthOf(player).toLowerCase()})`;
}

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

// In a review both colours are yours, to try things out.
const isYours = (color) => Boolean(state.review) || state.players[color] === 'you';
const isWatching = () => !isYours(BLACK) && !isYours(WHITE);
const isFinished = () => state.tree.isOver() || (/^[BW]\+[RT]/.test(state.tree.result) && state.tree.current === state.tree.end(state.tree.root));

// The position is another: what was said about the one before is gone.
function changed() {
  stopThinking();
  Object.assign(state, { report: null, hint: null, estimate: null, variation: null, tapped: undefined });
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
  if (!isYours(color) && !state.review) {
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
  stopThinking();
  if (/^[BW]\+T/.test(tree.result) && isFinished() && state.clock) {
    state.clock = null;
    tell('The game goes on without a clock.');
  }
  if (tree.result && isFinished() && !tree.isOver()) tree.result = '';
  // Back to the last position in which you were to move.
  let node = tree.current;
  do {
    if (!node.parent) break;
    node = node.parent;
  } while (!isYours(node.toPlay) && !isWatching());
  if (node === tree.current) return;
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
  const nodes = tree.mainLine();
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
  const view = new ReviewView(panel, review, { onGo: (turn) => goTo(reviewed(turn)), onChange: draw });
  const close = element('button', 'small', 'Close the review');
  close.type = 'button';
  close.addEventListener('click', () => {
    closeReview();
    draw();
  });
  panel.append(element('div', 'verdict-buttons', close));
  // Stones that were set up in the middle begin the game anew.
  state.review = { view, nodes: nodes.slice(nodes.length - review.positions.length) };
  state.paused = isWatching();
  changed();
}

const reviewed = (turn) => state.review?.nodes[turn];

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
  const { tree, review, thinking } = state;
  const node = tree.current;
  const turn = review ? review.nodes.indexOf(node) : -1;
  if (turn >= 0) review.view.show(turn);
  document.body.classList.toggle('reviewing', Boolean(review));
  drawBoard();
  drawStatus();
  drawPlayers();
  drawBar();
  byId('comment').textContent = (node.props.C || []).join('\n');
  byId('turn').textContent = `Move ${node.depth}`;
  treeView.draw(tree);
  const busy = thinking?.kind === 'move';
  const yourTurn = isYours(node.toPlay) && !isFinished();
  byId('pass').disabled = busy || !yourTurn;
  byId('resign').disabled = !yourTurn || isWatching();
  byId('undo').disabled = !node.parent;
  byId('hint').disabled = busy || isFinished();
  byId('score').disabled = busy;
  byId('first').disabled = byId('back').disabled = !node.parent;
  byId('last').disabled = byId('forward').disabled = !node.children.length;
  byId('live').setAttribute('aria-pressed', state.live);
  const pause = byId('pause');
  const canPause = !isFinished() && (isWatching() || (!isYours(node.toPlay) && !busy));
  pause.hidden = !canPause;
  pause.textContent = busy ? 'Pause' : 'Continue';
}

function drawPlayers() {
  const { tree, clock } = state;
  const card = (color) => {
    const player = state.players[color];
    const { blackName, whiteName } = tree.settings;
    const name = player === 'you' ? (color === BLACK ? blackName : whiteName) : 'tengen';
    const captures = tree.current.position.captures[color];
    const level = player === 'you' ? (color === BLACK ? 'Black' : 'White') : strengthOf(player);
    const facts = [level, captures ? `${captures} captured` : ''].filter(Boolean).join(' · ');
    const nameBox = element('span', 'name', name);
    nameBox.title = name;
    const box = element('div', 'player', element('span', `dot-stone ${color === BLACK ? 'black' : 'white'}`), nameBox);
    if (clock) {
      const time = element('span', 'clock', clock.text(color));
      time.classList.toggle('short', clock.now(color) < 10);
      box.append(time);
    }
    box.append(element('span', 'captures', facts));
    box.classList.toggle('on-turn', tree.current.toPlay === color && !isFinished());
    return box;
  };
  byId('players').replaceChildren(card(BLACK), card(WHITE));
  const { size, komi, rules, handicap } = tree.settings;
  const facts = [`${size}×${size}`, handicap >= 2 ? `handicap ${handicap}` : '', `komi ${komi}`, `${rulesInWords(rules)} rules`];
  byId('facts').textContent = facts.filter(Boolean).join(' · ');
}

function drawBar() {
  const { report, estimate, hint: hinted, review, tree } = state;
  const turn = review ? review.nodes.indexOf(tree.current) : -1;
  const judged = estimate?.winrate !== undefined ? estimate : report || hinted || (turn >= 0 ? review.view.review.positions[turn] : null);
  const bar = byId('bar');
  bar.hidden = !judged;
  if (!judged) return;
  const black = Math.round(100 * judged.winrate);
  const part = element('div', 'black-part');
  part.style.width = `${black}%`;
  bar.replaceChildren(part, element('span', 'of-black', `Black ${black}%`), element('span', 'of-white', `${100 - black}% White`));
}

function resultInWords(result) {
  const [, winner, how] = /^([BW])\+(.*)$/.exec(result) || [];
  if (!winner) return result === '0' ? 'The game is a draw' : result;
  const color = winner === 'B' ? BLACK : WHITE;
  const own = (one) => state.players[one] === 'you';
  const alone = own(color) !== own(-color);
  const who = alone && own(color) ? 'You win' : alone ? 'tengen wins' : `${color === BLACK ? 'Black' : 'White'} wins`;
  if (/^R/.test(how)) return `${who} by resignation`;
  if (/^T/.test(how)) return `${who} on time`;
  return how ? `${who} by ${how} point${how === '1' ? '' : 's'}` : who;
}

function statusLines() {
  const { tree, thinking, estimate, hint: hinted, report } = state;
  const node = tree.current;
  const color = node.toPlay;
  const colorName = color === BLACK ? 'Black' : 'White';
  if (isFinished()) {
    if (thinking?.kind === 'score') return ['Both passed', 'The board is being counted…', true];
    const how = tree.isOver() ? 'Both passed. Dead stones are faded, squares show who owns what.' : '';
    return [resultInWords(estimate?.final ? estimate.score : tree.result), how, false];
  }
  if (thinking?.kind === 'move') return ['tengen is thinking', lastMoveInWords(), true];
  if (thinking?.kind === 'review') return ['tengen reviews the game', 'You can wait and see.', true];
  if (thinking?.kind === 'hint') return ['tengen looks for a good move', '', true];
  if (thinking?.kind === 'score') return ['tengen counts', '', true];
  const head = isYours(color) ? (isYours(-color) ? `${colorName} to play` : 'Your turn') : `tengen (${colorName}) to play`;
  if (hinted) return [head, `Hint: ${hinted.vertex}. ${leadInWords(hinted.lead)} after it.`, false];
  if (estimate) return [head, `Estimate: ${leadInWords(estimate.lead)} (${Math.round(100 * estimate.winrate)} % for Black).`, false];
  if (report && state.live) return [head, `${leadInWords(report.lead)} · ${shortNumber(report.visits)} visits. Point at a move to see what follows.`, false];
  if (state.tapped !== undefined) return [head, `Tap ${toVertex(state.tapped, tree.size)} again to play there.`, false];
  if (!node.parent && isYours(color)) return [head, `Click where lines cross to place a ${colorName.toLowerCase()} stone.`, false];
  if (!isYours(color)) return [head, 'Press Continue to let it move.', false];
  return [head, lastMoveInWords(), false];
}

function lastMoveInWords() {
  const { current, size } = state.tree;
  if (!current.color) return '';
  const who = isYours(current.color) ? (isYours(-current.color) ? (current.color === BLACK ? 'Black' : 'White') : 'You') : 'tengen';
  return current.point === PASS ? `${who} passed.` : `${who} played ${toVertex(current.point, size)}.`;
}

function drawStatus() {
  const [head, more, busy] = statusLines();
  const status = byId('status');
  if (status.textContent !== head) status.textContent = head;
  status.classList.toggle('busy', busy);
  byId('status-more').textContent = more;
  const buttons = byId('result-buttons');
  const wanted = isFinished() && !busy;
  if (wanted && !buttons.children.length) {
    const again = element('button', 'primary small', 'New game');
    const review = element('button', 'small', 'Review this game');
    again.addEventListener('click', newGame);
    review.addEventListener('click', reviewGame);
    buttons.append(review, again);
  } else if (!wanted) {
    buttons.replaceChildren();
  }
}

/* Buttons and keys */

function choicesBefore() {
  const usual = { size: 9, role: 'black', level: state.about.strengths[0]?.name, otherLevel: state.about.strengths[0]?.name, handicap: 0, rules: 'chinese', clock: 'none' };
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(CHOICES)) || {};
  } catch {
    // Nothing is remembered then.
  }
  const choices = { ...usual, ...kept };
  return { ...choices, komi: kept.komi ?? usualKomi(choices.rules, choices.size, choices.handicap) };
}

async function newGame() {
  const choices = await askNewGame(state.about.strengths, choicesBefore());
  if (!choices) return;
  try {
    localStorage.setItem(CHOICES, JSON.stringify(choices));
  } catch {
    // The next dialog begins as the first one did.
  }
  startGame(choices);
}

async function openGame() {
  try {
    const picked = await askOpen(state.about.folder ? await get('files') : null);
    if (!picked) return;
    const text = picked.file ? decodeSgf(new Uint8Array(await picked.file.arrayBuffer())) : (await post('load', { name: picked.name })).sgf;
    openSgf(text);
  } catch (error) {
    tell(error.message);
  }
}

async function saveGame() {
  const now = new Date();
  const stamp = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
  const wish = await askSave(`tengen-${stamp}.sgf`, state.about.folder);
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

function otherVariation(step) {
  // The nearest place above at which the line parts.
  let { current: node } = state.tree;
  while (node.parent && node.parent.children.length < 2) node = node.parent;
  if (!node.parent) return;
  const { children } = node.parent;
  goTo(children[(children.indexOf(node) + step + children.length) % children.length]);
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem(THEME, document.documentElement.dataset.theme);
  } catch {
    // The choice lasts as long as the page.
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
  ArrowLeft: back, ArrowRight: forward, ArrowUp: () => otherVariation(-1), ArrowDown: () => otherVariation(1),
  Home: actions.first, End: actions.last, ' ': toggleLive, u: undo, h: hint, p: pass, s: toggleScore, n: newGame, '?': actions.help,
};

function listen() {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
  document.addEventListener('keydown', (event) => {
    const busyElsewhere = document.querySelector('dialog[open]') || event.target.matches('input, select, textarea');
    if (event.ctrlKey || event.altKey || event.metaKey || busyElsewhere || !keys[event.key]) return;
    event.preventDefault();
    document.activeElement?.blur();
    keys[event.key]();
  });
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
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const file = event.dataTransfer.files[0];
    if (!file) return;
    try {
      openSgf(decodeSgf(new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      tell(error.message);
    }
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
  try {
    const theme = localStorage.getItem(THEME);
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // As the system has it.
  }
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
