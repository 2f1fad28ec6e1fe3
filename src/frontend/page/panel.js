// What stands beside the board: whose turn it is, the players, the chances, and which buttons work.

import { PASS, BLACK, WHITE, toVertex } from './rules.js';
import { shortNumber } from './board.js';
import { element, leadInWords } from './review.js';
import { rulesInWords } from './dialogs.js';
import { isFinished, isWatching, isYours, state, strengthOf } from './state.js';

export const byId = (id) => document.getElementById(id);

export function drawPlayers() {
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
  if (thinking?.kind === 'review') return ['tengen reviews the game', 'The curve and the mistakes appear when it is done.', true];
  if (thinking?.kind === 'hint') return ['tengen looks for a good move', '', true];
  if (thinking?.kind === 'score') return ['tengen counts', '', true];
  const head = isYours(color) ? (isYours(-color) ? `${colorName} to play` : 'Your turn') : `tengen (${colorName}) to play`;
  if (state.cursor !== undefined) return [head, `${toVertex(state.cursor, tree.size)}: ${pointInWords(node.position.stones[state.cursor])}.`, false];
  if (hinted) return [head, `Hint: ${hinted.vertex}. After it ${leadInWords(hinted.lead)}.`, false];
  if (estimate) return [head, `Estimate: ${leadInWords(estimate.lead)} (${Math.round(100 * estimate.winrate)} % for Black).`, false];
  if (report && state.live) return [head, `${leadInWords(report.lead)} · ${shortNumber(report.visits)} visits. Point at a move to see what follows.`, false];
  if (state.tapped !== undefined) return [head, `Tap ${toVertex(state.tapped, tree.size)} again to play there.`, false];
  if (!node.parent && isYours(color)) return [head, `Click where lines cross to place a ${colorName.toLowerCase()} stone.`, false];
  if (!isYours(color)) return [head, 'Press Continue to let it move.', false];
  return [head, lastMoveInWords(), false];
}

function pointInWords(stone) {
  if (stone) return stone === BLACK ? 'a black stone' : 'a white stone';
  return 'free, Enter plays there';
}

function lastMoveInWords() {
  const { current, size } = state.tree;
  if (!current.color) return '';
  const who = isYours(current.color) ? (isYours(-current.color) ? (current.color === BLACK ? 'Black' : 'White') : 'You') : 'tengen';
  return current.point === PASS ? `${who} passed.` : `${who} played ${toVertex(current.point, size)}.`;
}

function say(id, text) {
  // What is said again is not read aloud again.
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

function drawStatus(endings) {
  const [head, more, busy] = statusLines();
  // The numbers of a live search change too often to be read aloud.
  byId('status-more').setAttribute('aria-live', state.live && state.report ? 'off' : 'polite');
  say('status', head);
  say('status-more', more);
  byId('status').classList.toggle('busy', busy);
  const buttons = byId('result-buttons');
  const wanted = isFinished() && !busy;
  if (!wanted) buttons.replaceChildren();
  else if (!buttons.children.length) {
    for (const [name, action, kind] of endings) {
      const button = element('button', `${kind} small`, name);
      button.type = 'button';
      button.addEventListener('click', action);
      buttons.append(button);
    }
  }
}

function drawButtons() {
  const { tree: { current: node }, thinking } = state;
  const busy = thinking?.kind === 'move';
  const yourTurn = isYours(node.toPlay) && !isFinished();
  byId('pass').disabled = busy || !yourTurn;
  byId('resign').disabled = !yourTurn || isWatching();
  byId('undo').disabled = !node.parent && !isFinished();
  byId('hint').disabled = busy || isFinished();
  byId('score').disabled = busy;
  byId('first').disabled = byId('back').disabled = !node.parent;
  byId('last').disabled = byId('forward').disabled = !node.children.length;
  byId('live').setAttribute('aria-pressed', state.live);
  const pause = byId('pause');
  pause.hidden = isFinished() || !(isWatching() || (!isYours(node.toPlay) && !busy));
  pause.textContent = busy ? 'Pause' : 'Continue';
}

// Everything beside the board but the tree and the review. `endings` are the buttons below a result: name, action, kind.
export function drawPanel(endings) {
  const { current } = state.tree;
  drawStatus(endings);
  drawPlayers();
  drawBar();
  drawButtons();
  byId('comment').textContent = (current.props.C || []).join('\n');
  byId('turn').textContent = `Move ${current.depth}`;
}
