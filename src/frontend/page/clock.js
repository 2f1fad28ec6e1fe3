// The clock of a game: main time, then a period for every move.

export class GameClock {
  constructor({ period, left }) {
    this.period = period;
    this.left = left;
    this.running = 0;
    this.since = 0;
  }

  keep() {
    this.start(this.running);
    return { period: this.period, left: this.left };
  }

  // Seconds left for a colour now.
  now(color) {
    const used = this.running === color ? (Date.now() - this.since) / 1000 : 0;
    return this.left[color] - used;
  }

  start(color) {
    if (this.running) this.left[this.running] = this.now(this.running);
    this.running = color;
    this.since = Date.now();
  }

  // A move was made: in overtime the period begins anew.
  moved(color) {
    this.start(0);
    if (this.period) this.left[color] = Math.max(this.left[color], 0);
  }

  isLost(color) {
    return this.now(color) < -this.period;
  }

  text(color) {
    const seconds = this.now(color);
    const shown = Math.max(0, Math.ceil(seconds > 0 || !this.period ? seconds : this.period + seconds));
    return `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, '0')}`;
  }

  question(color) {
    const left = this.now(color);
    return { main: Math.max(0, left), period: left > 0 ? this.period : Math.max(0.05, this.period + Math.min(0, left)) };
  }
}
