// Draws a board as SVG: wood, lines, stones, marks, owners, candidate moves and variations.

import { PASS, BLACK, columnName, fromVertex, starPoints } from './rules.js';

const SVG = 'http://www.w3.org/2000/svg';
const CELL = 40;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function svgElement(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Blue for the best move, then green, yellow, orange by what a move gives away of the winning chances.
export function candidateColor(loss, isBest) {
  if (isBest) return 'var(--best)';
  if (loss < 0.02) return 'var(--good)';
  if (loss < 0.06) return 'var(--fair)';
  return 'var(--poor)';
}

export function shortNumber(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)}M`;
  if (number >= 1e4) return `${Math.round(number / 1e3)}k`;
  if (number >= 1e3) return `${(number / 1e3).toFixed(1)}k`;
  return String(number);
}

export class BoardView {
  // Tells of points to play at as (point, touched), of the candidate under the pointer as (index or null), and of the
  // point that the keyboard has reached. Without onClick it is a picture.
  constructor(container, { onClick, onHover = () => {}, onCursor = () => {} } = {}) {
    this.onHover = onHover;
    this.hovered = null;
    this.cursor = null;
    this.state = null;
    this.svg = svgElement('svg', { class: 'board', role: 'img', 'aria-label': 'Go board' });
    container.append(this.svg);
    this.svg.addEventListener('pointermove', (event) => this.hover(this.pointAt(event), event));
    this.svg.addEventListener('pointerleave', () => this.hover(null));
    if (!onClick) return;
    this.svg.addEventListener('click', (event) => {
      const point = this.pointAt(event);
      if (point !== null) onClick(point, event.pointerType === 'touch');
    });
    this.listenToKeys(onClick, onCursor);
  }

  // With the keyboard on the board the arrows go from point to point.
  listenToKeys(onClick, onCursor) {
    const label = 'Go board: the arrow keys go from point to point, Enter plays';
    for (const [name, value] of [['tabindex', 0], ['role', 'application'], ['aria-label', label]]) this.svg.setAttribute(name, value);
    // A click leaves the keyboard where it is: elsewhere the arrows go through the game.
    this.svg.addEventListener('mousedown', (event) => event.preventDefault());
    this.svg.addEventListener('blur', () => {
      this.cursor = null;
      onCursor(undefined);
    });
    this.svg.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (event.ctrlKey || event.altKey || event.metaKey || !this.state) return;
      if (step) onCursor(this.moveCursor(step));
      else if (event.key === 'Enter' && this.cursor !== null) onClick(this.cursor, false);
      else return;
      event.preventDefault();
    });
  }

  // From the middle of the board, and never off it.
  moveCursor([right, down]) {
    const { size } = this.state;
    const onBoard = (line) => Math.max(0, Math.min(size - 1, line));
    const middle = Math.floor(size / 2);
    const [column, row] = this.cursor === null ? [middle, middle] : [(this.cursor % size) + right, Math.floor(this.cursor / size) + down];
    this.cursor = onBoard(row) * size + onBoard(column);
    this.drawGhost();
    return this.cursor;
  }

  pointAt(event) {
    if (!this.state) return null;
    const { size } = this.state;
    const box = this.svg.getBoundingClientRect();
    const scale = this.extent / box.width;
    const column = Math.round(((event.clientX - box.left) * scale - this.margin) / CELL);
    const row = Math.round(((event.clientY - box.top) * scale - this.margin) / CELL);
    const inside = column >= 0 && row >= 0 && column < size && row < size;
    return inside ? row * size + column : null;
  }

  x(point) {
    return this.margin + (point % this.state.size) * CELL;
  }

  y(point) {
    return this.margin + Math.floor(point / this.state.size) * CELL;
  }

  hover(point, event) {
    if (point === this.hovered) return;
    this.hovered = point;
    if (event && event.pointerType === 'touch') return;
    const candidates = this.state?.candidates || [];
    const index = candidates.findIndex((one) => fromVertex(one.vertex, this.state.size) === point);
    this.onHover(index < 0 || point === null ? null : index);
    this.drawGhost();
  }

  // state: size, stones, last, ghost (colour or 0), owners, dead (Set), candidates, toPlay, variation (vertices),
  // rings ([{point, kind}]).
  draw(state) {
    const isNew = !this.state || this.state.size !== state.size;
    this.state = state;
    if (isNew) {
      this.cursor = null;
      this.drawWood();
    }
    this.pieces.replaceChildren();
    this.drawStones();
    if (state.owners) this.drawOwners();
    for (const ring of state.rings || []) this.drawRing(ring);
    if (state.variation) this.drawVariation();
    else if (state.candidates) this.drawCandidates();
    this.drawGhost();
  }

  drawWood() {
    const { size } = this.state;
    // On a small board a cell is large, and so the coordinates need fewer units.
    const letter = 7 + size * 0.4;
    const margin = 23 + 1.35 * letter;
    this.margin = margin;
    const far = margin + (size - 1) * CELL;
    this.extent = far + margin;
    this.svg.setAttribute('viewBox', `0 0 ${this.extent} ${this.extent}`);
    const definitions = svgElement('defs');
    definitions.innerHTML = `
      <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" class="wood-light"/><stop offset=".55" class="wood"/><stop offset="1" class="wood-dark"/>
      </linearGradient>
      <radialGradient id="black-stone" cx=".36" cy=".32" r=".75">
        <stop offset="0" stop-color="#6d6f74"/><stop offset=".35" stop-color="#303237"/><stop offset="1" stop-color="#08090b"/>
      </radialGradient>
      <radialGradient id="white-stone" cx=".36" cy=".32" r=".8">
        <stop offset="0" stop-color="#fff"/><stop offset=".55" stop-color="#f3f1ec"/><stop offset="1" stop-color="#c4c0b6"/>
      </radialGradient>`;
    const back = svgElement('g');
    back.append(svgElement('rect', { width: this.extent, height: this.extent, rx: 10, fill: 'url(#wood)' }));
    back.append(this.grain());
    let lines = '';
    for (let i = 0; i < size; i += 1) {
      const at = margin + i * CELL;
      lines += `M${margin} ${at}H${far}M${at} ${margin}V${far}`;
    }
    back.append(svgElement('path', { d: lines, class: 'grid' }));
    back.append(svgElement('rect', { x: margin, y: margin, width: far - margin, height: far - margin, class: 'frame' }));
    for (const point of starPoints(size)) {
      back.append(svgElement('circle', { cx: this.x(point), cy: this.y(point), r: 4.2, class: 'star' }));
    }
    for (let i = 0; i < size; i += 1) {
      const at = margin + i * CELL;
      for (const edge of [letter, this.extent - letter]) {
        back.append(svgElement('text', { x: at, y: edge, 'font-size': letter, class: 'coordinate' }, columnName(i)));
        back.append(svgElement('text', { x: edge, y: at, 'font-size': letter, class: 'coordinate' }, size - i));
      }
    }
    this.pieces = svgElement('g');
    this.ghost = svgElement('g', { class: 'ghost' });
    this.svg.replaceChildren(definitions, back, this.pieces, this.ghost);
  }

  // Some long waves, always the same.
  grain() {
    const group = svgElement('g', { class: 'grain' });
    for (let i = 0; i < 16; i += 1) {
      const y = ((i + 0.5) / 16) * this.extent;
      const bend = 14 * Math.sin(i * 2.4);
      const third = this.extent / 3;
      const d = `M0 ${y}C${third} ${y + bend} ${2 * third} ${y - bend} ${this.extent} ${y + bend / 2}`;
      group.append(svgElement('path', { d, 'stroke-width': 2 + 5 * Math.abs(Math.sin(i * 1.7)) }));
    }
    return group;
  }

  stone(point, color, attributes = {}) {
    const group = svgElement('g', attributes);
    const [cx, cy] = [this.x(point), this.y(point)];
    group.append(svgElement('ellipse', { cx: cx + 1.5, cy: cy + 3, rx: 18.6, ry: 18.2, class: 'shadow' }));
    const fill = color === BLACK ? 'url(#black-stone)' : 'url(#white-stone)';
    group.append(svgElement('circle', { cx, cy, r: 18.7, fill, class: color === BLACK ? 'stone black' : 'stone white' }));
    return group;
  }

  drawStones() {
    const { stones, last, dead } = this.state;
    stones.forEach((color, point) => {
      if (!color) return;
      const isDead = dead?.has(point);
      this.pieces.append(this.stone(point, color, isDead ? { opacity: 0.45 } : {}));
    });
    if (last !== undefined && last !== PASS && stones[last]) {
      const mark = stones[last] === BLACK ? 'last on-black' : 'last on-white';
      this.pieces.append(svgElement('circle', { cx: this.x(last), cy: this.y(last), r: 8, class: mark }));
    }
  }

  drawOwners() {
    const { owners, stones, dead } = this.state;
    owners.forEach((owner, point) => {
      const strength = Math.abs(owner);
      const own = stones[point] && !dead?.has(point) && Math.sign(owner) === stones[point];
      if (strength < 0.15 || (own && strength > 0.5)) return;
      const side = 5 + 10 * strength;
      this.pieces.append(svgElement('rect', {
        x: this.x(point) - side / 2, y: this.y(point) - side / 2, width: side, height: side, rx: 2.5,
        class: owner > 0 ? 'owner black' : 'owner white', opacity: 0.35 + 0.6 * strength,
      }));
    });
  }

  drawRing({ point, kind }) {
    if (point === PASS) return;
    const attributes = { cx: this.x(point), cy: this.y(point), r: 15.5, class: `ring ${kind}` };
    this.pieces.append(svgElement('circle', attributes));
  }

  drawCandidates() {
    const { candidates, toPlay, size, stones } = this.state;
    const share = (one) => (toPlay === BLACK ? one.winrate : 1 - one.winrate);
    const most = Math.max(1, ...candidates.map((one) => one.visits));
    candidates.forEach((one, index) => {
      const point = fromVertex(one.vertex, size);
      if (point === PASS || stones[point]) return;
      const loss = share(candidates[0]) - share(one);
      const opacity = 0.55 + 0.45 * Math.sqrt(one.visits / most);
      const group = svgElement('g', { class: 'candidate', opacity });
      const [cx, cy] = [this.x(point), this.y(point)];
      const counts = one.visits * 50 >= most;
      group.append(svgElement('circle', { cx, cy, r: counts ? 18.5 : 8, fill: candidateColor(loss, index === 0) }));
      if (counts) {
        group.append(svgElement('text', { x: cx, y: cy - 4.5, class: 'percent' }, Math.round(100 * share(one))));
        group.append(svgElement('text', { x: cx, y: cy + 9, class: 'visits' }, shortNumber(one.visits)));
      }
      this.pieces.append(group);
    });
  }

  drawVariation() {
    const { variation, toPlay, size, stones } = this.state;
    const shown = new Set();
    let color = toPlay;
    variation.forEach((vertex, index) => {
      const point = fromVertex(vertex, size);
      if (point !== PASS && !stones[point] && !shown.has(point)) {
        shown.add(point);
        const group = this.stone(point, color, { class: 'expected' });
        const tone = color === BLACK ? 'on-black' : 'on-white';
        group.append(svgElement('text', { x: this.x(point), y: this.y(point), class: `label ${tone}` }, index + 1));
        this.pieces.append(group);
      }
      color = -color;
    });
  }

  // The stone that a click would place.
  drawGhost() {
    if (!this.ghost) return;
    this.ghost.replaceChildren();
    const { ghost, stones, variation, tapped } = this.state;
    if (this.cursor !== null) {
      this.ghost.append(svgElement('circle', { cx: this.x(this.cursor), cy: this.y(this.cursor), r: 17, class: 'ring cursor' }));
    }
    const point = tapped ?? this.cursor ?? this.hovered;
    if (!ghost || variation || point === null || point === undefined || stones[point]) return;
    this.ghost.append(this.stone(point, ghost));
  }
}
