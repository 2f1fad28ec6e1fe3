// Positions and the rules of play: captures, suicide, ko. Points are numbered row by row from the top left.

export const PASS = -1;
export const BLACK = 1;
export const WHITE = -1;
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

export function toVertex(point, size) {
  if (point === PASS) return 'pass';
  return LETTERS[point % size] + (size - Math.floor(point / size));
}

export function fromVertex(vertex, size) {
  if (vertex.toLowerCase() === 'pass') return PASS;
  const column = LETTERS.indexOf(vertex[0].toUpperCase());
  const row = size - Number(vertex.slice(1));
  return column < 0 || column >= size || !(row >= 0 && row < size) ? PASS : row * size + column;
}

export function columnName(column) {
  return LETTERS[column];
}

export function starPoints(size) {
  const most = size % 2 === 0 || size < 9 ? 4 : size < 15 ? 5 : 9;
  return handicapPoints(size, most);
}

// The fixed handicap points, in the usual order; none where there are not so many.
export function handicapPoints(size, stones) {
  const most = size < 7 ? 0 : size === 7 || size % 2 === 0 ? 4 : 9;
  if (stones > most) return [];
  const low = size >= 13 ? 3 : 2;
  const high = size - 1 - low;
  const middle = (size - 1) / 2;
  const corners = [[high, low], [low, high], [low, low], [high, high]];
  const list = corners.slice(0, Math.min(stones, 4));
  if (stones >= 6) list.push([low, middle], [high, middle]);
  if (stones >= 8) list.push([middle, low], [middle, high]);
  if (stones >= 5 && stones % 2 === 1) list.push([middle, middle]);
  return list.map(([column, row]) => row * size + column);
}

export class Position {
  constructor(size) {
    this.size = size;
    this.stones = new Int8Array(size * size);
    this.captures = { [BLACK]: 0, [WHITE]: 0 };
  }

  copy() {
    const other = new Position(this.size);
    other.stones.set(this.stones);
    other.captures = { ...this.captures };
    return other;
  }

  key() {
    return this.stones.join('');
  }

  neighbors(point) {
    const { size } = this;
    const column = point % size;
    const found = [];
    if (column > 0) found.push(point - 1);
    if (column < size - 1) found.push(point + 1);
    if (point >= size) found.push(point - size);
    if (point < size * (size - 1)) found.push(point + size);
    return found;
  }

  // The chain at a point, and whether it has a liberty.
  chain(point) {
    const color = this.stones[point];
    const seen = new Set([point]);
    const open = [point];
    let alive = false;
    while (open.length) {
      for (const next of this.neighbors(open.pop())) {
        if (this.stones[next] === 0) alive = true;
        else if (this.stones[next] === color && !seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
      }
    }
    return { points: [...seen], alive };
  }

  // The position after a move; null if the point is taken or the stone would have no liberty.
  after(color, point) {
    const next = this.copy();
    if (point === PASS) return next;
    if (next.stones[point] !== 0) return null;
    next.stones[point] = color;
    for (const neighbor of next.neighbors(point)) {
      if (next.stones[neighbor] !== -color) continue;
      const chain = next.chain(neighbor);
      if (chain.alive) continue;
      for (const stone of chain.points) next.stones[stone] = 0;
      next.captures[color] += chain.points.length;
    }
    return next.chain(point).alive ? next : null;
  }
}

// Does a position repeat an earlier one that it may not? Territory rules forbid only the position before the
// opponent's move, the others every earlier one.
export function repeats(next, earlier, rules) {
  const key = next.key();
  const forbidden = /japanese|korean|territory/.test(rules) ? earlier.slice(-2, -1) : earlier;
  return forbidden.some((position) => position.key() === key);
}
