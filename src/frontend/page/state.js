// Everything that the page knows, and what of it outlives a reload.

import { BLACK, WHITE } from './rules.js';
import { GameTree } from './tree.js';
import { GameClock } from './clock.js';
import { usualKomi } from './dialogs.js';

const GAME = 'tengen.game';
const CHOICES = 'tengen.choices';
const THEME = 'tengen.theme';

// `players` has 'you' or a strength for each colour.
export const state = {
  about: { version: '', strengths: [], folder: false },
  tree: null,
  players: { [BLACK]: 'you', [WHITE]: 'you' },
  clock: null,
  live: false,
  paused: false,
  thinking: null, // {kind, abort}
  report: null, // what the live search or a hint found
  hint: null,
  estimate: null,
  variation: null,
  tapped: undefined,
  cursor: undefined, // the point that the keyboard is at
  review: null, // {view, nodes}
};

// What cannot be kept, because the storage is full or forbidden, is not remembered; nothing else goes wrong.
function keep(storage, name, value) {
  try {
    window[storage].setItem(name, JSON.stringify(value));
  } catch {
    // The next page begins as the first one did.
  }
}

function kept(storage, name) {
  try {
    return JSON.parse(window[storage].getItem(name));
  } catch {
    return null;
  }
}

// The tab's own storage survives a reload, and no other tab sees it.
export function remember() {
  const { tree, players, clock, live, paused } = state;
  const steps = tree.path().slice(1).map((node) => node.parent.children.indexOf(node));
  keep('sessionStorage', GAME, { sgf: tree.toSgf(), steps, settings: tree.settings, players, clock: clock && clock.keep(), live, paused });
}

export function recall() {
  const game = kept('sessionStorage', GAME);
  if (!game) return false;
  try {
    const tree = GameTree.fromSgf(game.sgf);
    tree.settings = game.settings;
    for (const step of game.steps) tree.current = tree.current.children[step] || tree.current;
    Object.assign(state, { tree, players: game.players, live: game.live, paused: game.paused });
    state.clock = game.clock ? new GameClock(game.clock) : null;
    return true;
  } catch {
    return false;
  }
}

export function keepChoices(choices) {
  keep('localStorage', CHOICES, choices);
}

export function choicesBefore() {
  const names = state.about.strengths.map(({ name }) => name);
  const before = kept('localStorage', CHOICES) || {};
  const choices = { size: 9, role: 'black', handicap: 0, rules: 'chinese', clock: 'none', ...before };
  // An older tengen may have had other strengths.
  for (const field of ['level', 'otherLevel']) if (!names.includes(choices[field])) choices[field] = names[0] ?? 'full';
  return { ...choices, komi: choices.komi ?? usualKomi(choices.rules, choices.size, choices.handicap) };
}

export function showTheme() {
  const theme = kept('localStorage', THEME);
  if (theme) document.documentElement.dataset.theme = theme;
}

export function toggleTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = dark ? 'light' : 'dark';
  keep('localStorage', THEME, dataset.theme);
}

// A strength in few words.
export function strengthOf(player) {
  const found = state.about.strengths.find(({ name }) => name === player);
  return found ? found.label.split(',')[0] : player;
}

export function nameOf(player) {
  if (player === 'you') return 'You';
  return `tengen (${strengthOf(player).toLowerCase()})`;
}

// In a review both colours are yours, to try things out.
export const isYours = (color) => Boolean(state.review) || state.players[color] === 'you';
export const isWatching = () => !isYours(BLACK) && !isYours(WHITE);
export const isFinished = () => state.tree.isOver() || (/^[BW]\+[RT]/.test(state.tree.result) && state.tree.current === state.tree.end(state.tree.root));
