// The game with its variations, and the drawing of it.

import { PASS, BLACK, WHITE, Position, handicapPoints, repeats, toVertex } from './rules.js';
import { SgfError, parseSgf, writeSgf } from './sgf.js';
import { svgElement } from './board.js';

const STEP = 24;

function sgfPoint(point, size) {
  if (point === PASS) return '';
  return String.fromCharCode(97 + (point % size)) + String.fromCharCode(97 + Math.floor(point / size));
}

function readPoint(text, size) {
  if (text === '' || (text === 'tt' && size <= 19)) return PASS;
  const column = text.charCodeAt(0) - 97;
  const row = text.charCodeAt(1) - 97;
  if (text.length !== 2 || !(column >= 0 && column < size && row >= 0 && row < size)) {
    throw new SgfError(`'${text}' is no point of a ${size}x${size} board.`);
  }
  return row * size + column;
}

// Lists of points may hold rectangles, such as aa:cc.
function readPoints(values, size) {
  return (values || []).flatMap((value) => {
    const [from, to] = value.split(':').map((one) => readPoint(one, size));
    if (to === undefined) return [from];
    const points = [];
    for (let row = Math.floor(from / size); row <= Math.floor(to / size); row += 1) {
      for (let column = from % size; column <= to % size; column += 1) points.push(row * size + column);
    }
    return points;
  });
}

export class GameTree {
  // settings: size, komi, rules, handicap, black, white (names).
  constructor(settings) {
    this.settings = settings;
    const position = new Position(settings.size);
    const props = {};
    let toPlay = BLACK;
    if (settings.handicap >= 2) {
      const points = handicapPoints(settings.size, settings.handicap);
      for (const point of points) position.stones[point] = BLACK;
      props.AB = points.map((point) => sgfPoint(point, settings.size));
      toPlay = WHITE;
    }
    this.root = { parent: null, children: [], color: 0, point: PASS, props, position, toPlay, depth: 0, setup: true };
    this.current = this.root;
    this.result = '';
  }

  get size() {
    return this.settings.size;
  }

  // The nodes from the root to a node.
  path(node = this.current) {
    const nodes = [];
    for (let at = node; at; at = at.parent) nodes.push(at);
    return nodes.reverse();
  }

  // Why a move is not possible; empty if it is.
  objection(color, point, node = this.current) {
    if (point === PASS) return '';
    if (node.position.stones[point]) return 'There is a stone already.';
    const next = node.position.after(color, point);
    if (!next) return 'The stone would have no liberty there.';
    const earlier = this.path(node).map((one) => one.position);
    return repeats(next, earlier, this.settings.rules) ? 'Ko: play somewhere else first.' : '';
  }

  // Goes to the child with this move, which is made if it is new. False if it is not possible.
  play(color, point) {
    const known = this.current.children.find((child) => child.color === color && child.point === point);
    if (!known && this.objection(color, point)) return false;
    this.current = known || this.add(this.current, color, point, {});
    return true;
  }

  add(parent, color, point, props) {
    const position = parent.position.after(color, point);
    const child = {
      parent, children: [], color, point, props, position, toPlay: -color, depth: parent.depth + 1, setup: false,
    };
    parent.children.push(child);
    return child;
  }

  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (this.path().includes(node)) this.current = node.parent;
  }

  // The last node of the line through a node, always by the first child.
  end(node = this.current) {
    let at = node;
    while (at.children.length) [at] = at.children;
    return at;
  }

  // The same turn in another variation: beside the nearest node above at which the line parts.
  beside(step) {
    let node = this.current;
    while (node.parent && node.parent.children.length < 2) node = node.parent;
    const children = node.parent?.children;
    return children?.[(children.indexOf(node) + step + children.length) % children.length];
  }

  isOver(node = this.current) {
    const { parent } = node;
    const passed = (one) => one && one.color && one.point === PASS;
    return Boolean(passed(node) && passed(parent));
  }

  // Where the game begins and its moves to a node: after stones were set up in the middle it begins there, and nodes
  // with nothing but a comment are no moves.
  game(node = this.current) {
    const nodes = this.path(node);
    const start = nodes.findLastIndex((one) => one.setup);
    return nodes.slice(start).filter((one, index) => index === 0 || one.color);
  }

  // The game to a node as the server wants it.
  question(node = this.current) {
    const [start, ...moves] = this.game(node);
    const stones = (color) => [...start.position.stones].flatMap((one, point) => (one === color ? [toVertex(point, this.size)] : []));
    return {
      size: this.size,
      komi: this.settings.komi,
      rules: this.settings.rules,
      handicap: start === this.root ? this.settings.handicap : 0,
      black: stones(BLACK),
      white: stones(WHITE),
      first: start.toPlay === BLACK ? 'b' : 'w',
      moves: moves.map((one) => `${one.color === BLACK ? 'B' : 'W'} ${toVertex(one.point, this.size)}`),
      black_name: this.settings.blackName,
      white_name: this.settings.whiteName,
      result: this.result,
    };
  }

  toSgf() {
    const { size, komi, rules, handicap, blackName, whiteName } = this.settings;
    const name = rules.replace(/^./, (letter) => letter.toUpperCase());
    return writeSgf(this.root, (node) => {
      if (node !== this.root) {
        if (!node.color) return node.props;
        return { [node.color === BLACK ? 'B' : 'W']: [sgfPoint(node.point, size)], ...node.props };
      }
      const head = { GM: ['1'], FF: ['4'], CA: ['UTF-8'], AP: ['tengen'], SZ: [size], KM: [komi], RU: [name] };
      if (handicap >= 2) head.HA = [handicap];
      return { ...head, PB: [blackName], PW: [whiteName], ...node.props, RE: this.result ? [this.result] : [] };
    });
  }

  static fromSgf(text) {
    const top = parseSgf(text);
    const first = (name) => (top.props[name] || [])[0];
    if (first('GM') !== undefined && first('GM').trim() !== '1') throw new SgfError('The file holds another game than Go.');
    const [size, height = size] = (first('SZ') ?? '19').split(':').map(Number);
    if (size !== height) throw new SgfError('Only square boards can be shown.');
    if (!(Number.isInteger(size) && size >= 2 && size <= 19)) throw new SgfError('Boards are 2x2 to 19x19.');
    const komi = Number(first('KM'));
    const rules = (first('RU') || 'chinese').toLowerCase().replace(/[ _]/g, '-');
    const known = ['chinese', 'japanese', 'korean', 'aga', 'new-zealand', 'tromp-taylor', 'ing', 'bga', 'french'];
    const tree = new GameTree({
      size,
      komi: first('KM') !== undefined && Math.abs(komi) <= 1000 ? komi : 6.5,
      rules: known.includes(rules) ? rules : 'chinese',
      handicap: 0,
      blackName: first('PB') || 'Black',
      whiteName: first('PW') || 'White',
    });
    tree.settings.handicap = Math.max(0, Math.min(9, Number(first('HA')) || 0));
    tree.result = first('RE') || '';
    const rest = { ...top.props };
    for (const name of ['GM', 'FF', 'CA', 'AP', 'SZ', 'KM', 'RU', 'HA', 'PB', 'PW', 'RE', 'B', 'W']) delete rest[name];
    tree.root.props = rest;
    const position = tree.root.position;
    changeStones(position, top.props, size);
    if (tree.settings.handicap >= 2 && !top.props.AB && !top.props.B && firstColor(top) !== BLACK) {
      const points = handicapPoints(size, tree.settings.handicap);
      for (const point of points) position.stones[point] = BLACK;
      rest.AB = points.map((point) => sgfPoint(point, size));
    }
    const begins = firstColor(top) || (tree.settings.handicap >= 2 ? WHITE : BLACK);
    tree.root.toPlay = first('PL') ? colorOf(first('PL')) : begins;
    const start = top.props.B || top.props.W ? addNode(tree, tree.root, { B: top.props.B, W: top.props.W }, size) : tree.root;
    const work = top.children.map((child) => [child, start]).reverse();
    while (work.length) {
      const [from, parent] = work.pop();
      const made = addNode(tree, parent, from.props, size);
      for (const child of [...from.children].reverse()) work.push([child, made]);
    }
    tree.current = tree.root;
    return tree;
  }
}

function colorOf(text) {
  return /^w/i.test(text.trim()) ? WHITE : BLACK;
}

function firstColor(top) {
  let node = top;
  while (node) {
    if (node.props.B) return BLACK;
    if (node.props.W) return WHITE;
    [node] = node.children;
  }
  return 0;
}

function changeStones(position, props, size) {
  for (const [name, stone] of [['AB', BLACK], ['AW', WHITE], ['AE', 0]]) {
    for (const point of readPoints(props[name], size)) if (point !== PASS) position.stones[point] = stone;
  }
}

function addNode(tree, parent, given, size) {
  const props = { ...given };
  const name = props.B ? 'B' : props.W ? 'W' : '';
  if (name) {
    const color = name === 'B' ? BLACK : WHITE;
    const point = readPoint(props[name][0], size);
    delete props.B;
    delete props.W;
    if (!parent.position.after(color, point)) {
      throw new SgfError(`Move ${parent.depth + 1} (${toVertex(point, size)}) is not possible.`);
    }
    return tree.add(parent, color, point, props);
  }
  const changes = props.AB || props.AW || props.AE || props.PL;
  const position = parent.position.copy();
  changeStones(position, props, size);
  const toPlay = props.PL ? colorOf(props.PL[0]) : parent.toPlay;
  const node = { parent, children: [], color: 0, point: PASS, props, position, toPlay, depth: parent.depth, setup: Boolean(changes) };
  parent.children.push(node);
  return node;
}

// Draws the tree: moves to the right, variations below.
export class TreeView {
  constructor(container, onGo) {
    this.container = container;
    this.onGo = onGo;
  }

  // Columns by depth, a new row for every further child.
  layout(tree) {
    const places = new Map();
    let rows = 0;
    const work = [[tree.root, 0, 0]];
    while (work.length) {
      const [node, column, row] = work.pop();
      const own = row === null ? (rows += 1) : row;
      places.set(node, [column, own]);
      for (let i = node.children.length - 1; i >= 0; i -= 1) work.push([node.children[i], column + 1, i === 0 ? own : null]);
    }
    return { places, rows: rows + 1 };
  }

  draw(tree) {
    const { places, rows } = this.layout(tree);
    const columns = 1 + Math.max(...[...places.values()].map(([column]) => column));
    const svg = svgElement('svg', { width: columns * STEP + 8, height: rows * STEP + 4 });
    const x = (column) => column * STEP + STEP / 2 + 2;
    const y = (row) => row * STEP + STEP / 2 + 2;
    for (const [node, [column, row]] of places) {
      if (!node.parent) continue;
      const [fromColumn, fromRow] = places.get(node.parent);
      const bend = row === fromRow ? '' : `V${y(row) - STEP / 2}`;
      svg.append(svgElement('path', { d: `M${x(fromColumn)} ${y(fromRow)}${bend}L${x(column)} ${y(row)}`, class: 'edge' }));
    }
    for (const [node, [column, row]] of places) {
      const group = svgElement('g', { class: 'node' });
      const kind = node.color === BLACK ? 'black' : node.color ? 'white' : 'root';
      group.append(svgElement('circle', { cx: x(column), cy: y(row), r: 9, class: kind }));
      if (node.color) {
        const text = node.point === PASS ? '–' : node.depth;
        group.append(svgElement('text', { x: x(column), y: y(row), class: `on-${kind}` }, text));
      }
      if (node === tree.current) group.append(svgElement('circle', { cx: x(column), cy: y(row), r: 10.5, class: 'here' }));
      group.addEventListener('click', () => this.onGo(node));
      svg.append(group);
    }
    this.container.replaceChildren(svg);
    const [column, row] = places.get(tree.current);
    const box = this.container;
    const outside = x(column) < box.scrollLeft + STEP || x(column) > box.scrollLeft + box.clientWidth - 2 * STEP;
    if (outside) box.scrollLeft = x(column) - box.clientWidth / 2;
    if (y(row) < box.scrollTop || y(row) > box.scrollTop + box.clientHeight - STEP) box.scrollTop = y(row) - box.clientHeight / 2;
  }
}
