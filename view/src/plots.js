// Tables of the run as they grow, and a small plot of every column.
import { h, short } from './dom.js';

const MOST = 20000; // rows kept; beyond, every second one goes

export class Table {
  constructor(name) {
    this.name = name;
    this.clear();
  }

  clear() {
    this.columns = [];
    this.series = new Map(); // column (and body) -> {t, y}
    this.skip = 1;
    this.seen = 0;
  }

  take(text, first) {
    if (first) this.clear();
    const lines = text.split('\n').filter(Boolean);
    if (first) this.columns = lines.shift().split(',');
    const time = this.columns.indexOf('time'),
      owner = this.columns.findIndex((c) => c === 'body' || c === 'solid');
    for (const line of lines) {
      if (this.seen++ % this.skip) continue;
      const cells = line.split(',');
      const t = Number(cells[time]);
      this.columns.forEach((column, k) => {
        if (k === time || k === owner) return;
        const name = owner >= 0 ? `${cells[owner]} · ${column}` : column;
        let s = this.series.get(name);
        if (!s) this.series.set(name, (s = { t: [], y: [], low: Infinity, high: -Infinity }));
        const y = Number(cells[k]);
        s.t.push(t);
        s.y.push(y);
        if (!Number.isFinite(y)) return;
        s.low = Math.min(s.low, y);
        s.high = Math.max(s.high, y);
      });
    }
    for (const s of this.series.values())
      if (s.t.length > MOST) {
        s.t = s.t.filter((_, i) => i % 2 === 0);
        s.y = s.y.filter((_, i) => i % 2 === 0);
        this.thin = true;
      }
    if (this.thin) {
      this.skip *= 2;
      this.thin = false;
    }
  }
}

export class Plots {
  constructor(box, onSeek) {
    this.box = box;
    this.onSeek = onSeek;
    this.tables = { stats: new Table('stats'), bodies: new Table('bodies'), solids: new Table('solids') };
    this.cards = new Map();
    this.filter = '';
    this.time = NaN;
    this.drawn = 0;
    this.search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: 'Find a column',
      'aria-label': 'Find a column',
      oninput: () => {
        this.filter = this.search.value.toLowerCase();
        this.layout();
      },
    });
    this.list = h('div', { class: 'plots' });
    this.none = h('p', { class: 'hint' }, 'Every column of stats.csv, bodies.csv and solids.csv, once there are rows.');
    box.append(this.search, this.none, this.list);
    this.observer = new IntersectionObserver(
      (entries) =>
        entries.forEach((e) => {
          e.target.card.seen = e.isIntersecting;
          e.target.card.stale = true;
        }),
      { root: null },
    );
  }

  clear() {
    for (const table of Object.values(this.tables)) table.clear();
    this.list.replaceChildren();
    this.cards.clear();
    this.layout();
  }

  take(message) {
    const table = this.tables[message.table],
      before = this.cards.size;
    if (!table) return;
    table.take(message.text, message.first);
    for (const name of table.series.keys()) {
      const key = `${message.table}/${name}`;
      if (!this.cards.has(key)) this.addCard(key, table, name);
      this.cards.get(key).stale = true;
    }
    if (this.cards.size !== before) this.layout();
  }

  addCard(key, table, name) {
    const value = h('span', { class: 'plot-value' }),
      canvas = h('canvas', { class: 'plot-canvas' });
    const element = h(
      'figure',
      { class: 'plot', title: `${table.name}.csv, ${name}` },
      h('figcaption', {}, h('span', {}, name.replaceAll('_', ' ')), value),
      canvas,
    );
    const card = { element, canvas, value, table, name, stale: true, seen: false };
    element.card = card;
    canvas.addEventListener('pointermove', (event) => {
      card.hover = event.offsetX / canvas.clientWidth;
      card.stale = true;
    });
    canvas.addEventListener('pointerleave', () => {
      card.hover = undefined;
      card.stale = true;
    });
    canvas.addEventListener('click', () => {
      if (card.hoverTime !== undefined) this.onSeek(card.hoverTime);
    });
    this.cards.set(key, card);
    this.list.append(element);
    this.observer.observe(element);
  }

  layout() {
    for (const card of this.cards.values())
      card.element.hidden = !!this.filter && !card.name.toLowerCase().includes(this.filter);
    const some = [...this.cards.values()].some((card) => !card.element.hidden);
    this.none.hidden = some;
    if (!some && this.cards.size) this.none.textContent = 'No column has that in its name.';
  }

  setTime(time) {
    if (time === this.time) return;
    this.time = time;
    for (const card of this.cards.values()) card.stale = true;
  }

  // Ten times a second at most: the picture comes first.
  draw(force) {
    const now = performance.now();
    if (this.box.hidden || (!force && now - this.drawn < 100)) return;
    this.drawn = now;
    for (const card of this.cards.values()) if ((card.stale && card.seen) || force) this.drawCard(card);
  }

  // Long: one drawing from top to bottom: scale, line of 0, curve, cursor.
  drawCard(card) {
    card.stale = false;
    const s = card.table.series.get(card.name);
    if (!s || !s.t.length) return;
    const { canvas } = card,
      ratio = window.devicePixelRatio || 1,
      width = canvas.clientWidth,
      height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const c = canvas.getContext('2d'),
      style = getComputedStyle(canvas);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    let { low, high } = s;
    if (!(low < high)) {
      const middle = Number.isFinite(low) ? low : 0,
        pad = Math.abs(middle) * 0.1 || 1;
      low = middle - pad;
      high = middle + pad;
    }
    const t0 = s.t[0],
      t1 = Math.max(s.t[s.t.length - 1], t0 + 1e-12);
    const X = (t) => 1 + ((t - t0) / (t1 - t0)) * (width - 2),
      Y = (y) => height - 3 - ((y - low) / (high - low)) * (height - 6);
    if (low < 0 && high > 0) {
      c.strokeStyle = style.getPropertyValue('--line');
      c.beginPath();
      c.moveTo(0, Y(0));
      c.lineTo(width, Y(0));
      c.stroke();
    }
    c.strokeStyle = style.getPropertyValue('--accent');
    c.lineWidth = 1.5;
    c.lineJoin = 'round';
    c.beginPath();
    const stride = Math.max(1, Math.floor(s.t.length / (width * 3)));
    for (let i = 0; i < s.t.length; i += stride) i ? c.lineTo(X(s.t[i]), Y(s.y[i])) : c.moveTo(X(s.t[i]), Y(s.y[i]));
    c.lineTo(X(s.t[s.t.length - 1]), Y(s.y[s.y.length - 1]));
    c.stroke();
    const cursor = card.hover !== undefined ? t0 + card.hover * (t1 - t0) : this.time;
    card.hoverTime = card.hover !== undefined ? cursor : undefined;
    let i = s.t.length - 1;
    if (Number.isFinite(cursor)) {
      let a = 0,
        b = s.t.length - 1;
      while (b - a > 1) {
        const m = (a + b) >> 1;
        if (s.t[m] <= cursor) a = m;
        else b = m;
      }
      i = Math.abs(s.t[b] - cursor) < Math.abs(s.t[a] - cursor) ? b : a;
      c.strokeStyle = style.getPropertyValue('--muted');
      c.lineWidth = 1;
      c.beginPath();
      c.moveTo(X(s.t[i]), 0);
      c.lineTo(X(s.t[i]), height);
      c.stroke();
      c.fillStyle = style.getPropertyValue('--accent');
      c.beginPath();
      c.arc(X(s.t[i]), Y(s.y[i]), 2.5, 0, 7);
      c.fill();
    }
    card.value.textContent = short(s.y[i]);
  }
}
