// The course of a game: Black's winning chances and lead, move by move. A click goes there.

import { svgElement } from './board.js';

const LEFT = 46;
const RIGHT = 8;
const WIN_HEIGHT = 92;
const LEAD_HEIGHT = 74;
const GAP = 22;

function niceLimit(value) {
  return [5, 10, 20, 30, 50, 80, 120, 200, 400].find((limit) => value <= limit) || 800;
}

export class CurveView {
  // Tells the turn that was clicked.
  constructor(container, { onGo = () => {} } = {}) {
    this.container = container;
    this.onGo = onGo;
    this.data = null;
    this.svg = svgElement('svg', { class: 'curve', role: 'img', 'aria-label': 'Winning chances and lead' });
    container.append(this.svg);
    const go = (event) => {
      if (!this.data) return;
      const box = this.svg.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      const last = this.data.winrates.length - 1;
      this.onGo(Math.max(0, Math.min(last, Math.round(share * last))));
    };
    this.svg.addEventListener('pointerdown', (event) => {
      this.svg.setPointerCapture(event.pointerId);
      go(event);
    });
    this.svg.addEventListener('pointermove', (event) => {
      if (event.buttons) go(event);
    });
    new ResizeObserver(() => this.render()).observe(container);
  }

  // data: winrates and leads (one a position, from Black's side), at (the turn shown), marks ([{turn, verdict}]).
  draw(data) {
    this.data = data;
    this.render();
  }

  x(turn) {
    const last = Math.max(1, this.data.winrates.length - 1);
    return LEFT + (turn / last) * (this.width - LEFT - RIGHT);
  }

  render() {
    if (!this.data) return;
    this.width = Math.max(200, this.container.clientWidth);
    const height = WIN_HEIGHT + GAP + LEAD_HEIGHT + 20;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${height}`);
    this.svg.setAttribute('height', height);
    this.svg.replaceChildren();
    this.renderChances();
    this.renderLead(WIN_HEIGHT + GAP);
    const x = this.x(this.data.at);
    this.svg.append(svgElement('path', { d: `M${x} 0V${height - 16}`, class: 'cursor' }));
    this.renderMarks();
  }

  path(values, y) {
    return values.map((value, turn) => `${turn ? 'L' : 'M'}${this.x(turn).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  }

  add(name, attributes, text) {
    this.svg.append(svgElement(name, attributes, text));
  }

  renderChances() {
    const { winrates } = this.data;
    const y = (value) => WIN_HEIGHT * (1 - value);
    const end = this.width - RIGHT;
    this.add('rect', { x: LEFT, y: 0, width: end - LEFT, height: WIN_HEIGHT, class: 'whites-share', rx: 4 });
    const line = this.path(winrates, y);
    this.add('path', { d: `${line}L${this.x(winrates.length - 1)} ${WIN_HEIGHT}L${LEFT} ${WIN_HEIGHT}Z`, class: 'blacks-share' });
    this.add('path', { d: `M${LEFT} ${WIN_HEIGHT / 2}H${end}`, class: 'axis' });
    this.add('path', { d: line, class: 'line' });
    for (const [share, name] of [[1, '100%'], [0.5, '50'], [0, '0']]) {
      this.add('text', { x: LEFT - 5, y: Math.min(Math.max(y(share), 6), WIN_HEIGHT - 5), class: 'tick' }, name);
    }
    this.add('text', { x: LEFT + 6, y: 12, class: 'caption on-white' }, 'White wins');
    this.add('text', { x: LEFT + 6, y: WIN_HEIGHT - 7, class: 'caption on-black' }, 'Black wins');
  }

  renderLead(top) {
    const { leads } = this.data;
    const limit = niceLimit(Math.max(...leads.map(Math.abs)));
    const middle = top + LEAD_HEIGHT / 2;
    const y = (value) => middle - (value / limit) * (LEAD_HEIGHT / 2);
    const end = this.width - RIGHT;
    this.add('rect', { x: LEFT, y: top, width: end - LEFT, height: LEAD_HEIGHT, class: 'lead-back', rx: 4 });
    const line = this.path(leads, y);
    this.add('path', { d: `${line}L${this.x(leads.length - 1)} ${middle}L${LEFT} ${middle}Z`, class: 'lead-area' });
    this.add('path', { d: `M${LEFT} ${middle}H${end}`, class: 'axis' });
    this.add('path', { d: line, class: 'lead-line' });
    for (const [value, name] of [[limit, `B+${limit}`], [0, '0'], [-limit, `W+${limit}`]]) {
      this.add('text', { x: LEFT - 5, y: Math.min(Math.max(y(value), top + 6), top + LEAD_HEIGHT - 5), class: 'tick' }, name);
    }
    this.add('text', { x: LEFT, y: top - 7, class: 'caption' }, 'Lead in points');
    const last = leads.length - 1;
    const step = [1, 2, 5, 10, 20, 50, 100].find((one) => last / one <= 8) || 200;
    for (let turn = step; turn <= last; turn += step) {
      this.add('text', { x: this.x(turn), y: top + LEAD_HEIGHT + 12, class: 'turn' }, turn);
    }
  }

  renderMarks() {
    for (const { turn, verdict } of this.data.marks) {
      const attributes = {
        cx: this.x(turn), cy: WIN_HEIGHT * (1 - this.data.winrates[turn]), r: 4, class: `dot ${verdict}`,
      };
      this.add('circle', attributes);
    }
    const { at, winrates } = this.data;
    this.add('circle', { cx: this.x(at), cy: WIN_HEIGHT * (1 - winrates[at]), r: 4.5, class: 'now' });
  }
}
