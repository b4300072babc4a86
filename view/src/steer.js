// Sliders, lists and check boxes for all that can change while the scene runs; unit, range, words and help come from
// the scene reader's tables.
import { button, fill, h, short, unitText } from './dom.js';

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
// As in a file; of a choice the value is the number of one of its words.
const text = (p, value) =>
  p.words ? p.words[value[0]] : value.length === 1 ? `${value[0]}` : `[${value.join(', ')}]`;

// The part of the range that a slider covers; the number beside it takes the whole.
function reach(p, start) {
  if (p.max !== null && p.min !== null && p.max - p.min <= 1000) return [p.min, p.max];
  const most = Math.max(...start.map(Math.abs));
  if (!most && p.path.includes('.motion.')) return p.unit === 'm/s' ? [-1, 1] : [-3, 3]; // a push, not a shot
  const high = Math.min(
    p.max ?? Infinity,
    most > 0 ? (p.unit === 'm/s^2' ? 2 : 4) * most : p.unit === 'm/s' ? 5 : p.unit === 'rad/s' ? 10 : 1,
  );
  return [p.min !== null && p.min >= 0 ? p.min : -high, high];
}

const titles = {
  gravity: 'Gravity',
  air: 'Wind and air',
  pressure: 'Pressure solver',
  time: 'Time',
  rigid: 'Solver of bodies',
  stats: 'Files of the run',
  checkpoint: 'Files of the run',
  output: 'Files of the run',
};
// What one looks for least comes last, in this order.
const last = ['Time', 'Pressure solver', 'Solver of bodies', 'Files of the run'];
function groupOf(path) {
  const parts = path.split('.');
  if (parts.length <= 2) return titles[parts[0]] || parts[0];
  if (parts[0] === 'fluids' && parts.length === 3) return parts[1];
  if (parts[0] === 'fluids')
    return parts.length >= 5 && parts[2] !== 'emitters'
      ? `${parts[1]} · ${parts[2]}`
      : `${parts[1]} · ${parts[2] === 'emitters' ? 'emitter' : parts[2]}`;
  const kind = { walls: 'Wall', bodies: 'Body', solids: 'Solid' }[parts[0]];
  if (kind) return /^\d+$/.test(parts[1]) ? `${kind} ${Number(parts[1]) + 1}` : `${kind} · ${parts[1]}`;
  return titles[parts[0]] || parts.slice(0, 2).join(' · ');
}
function labelOf(path, name) {
  const parts = path.split('.');
  if (path.includes('.emitters.')) return `${name} ${Number(parts[parts.indexOf('emitters') + 1]) + 1}`;
  if (/^(stats|checkpoint|output|time.adaptive)[.]/.test(path)) return parts.join(' ').replace('time ', '');
  if (path.startsWith('air.flows.')) return `${parts[3]} ${Number(parts[2]) + 1}: ${name.replaceAll('_', ' ')}`;
  if (parts[0] === 'species') return parts.slice(2).join(' ').replaceAll('_', ' ');
  if (path.includes('.motion.')) return name.replaceAll('_', ' ');
  if (path === 'gravity') return 'acceleration';
  return name.replaceAll('_', ' ');
}

export class Steer {
  constructor(box, { onSet, onRestart, onSave }) {
    this.box = box;
    this.onSet = onSet;
    this.rows = new Map();
    this.start = new Map();
    this.search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: 'Find a parameter',
      'aria-label': 'Find a parameter',
      oninput: () => this.layout(),
    });
    this.list = h('div', { class: 'steer-list' });
    this.more = h('textarea', {
      class: 'more',
      rows: 2,
      spellcheck: 'false',
      placeholder: 'particles.spacing=0.02\ntime.end=2',
      'aria-label': 'Other keys for the next start, one KEY=VALUE a line',
    });
    this.restart = h(
      'button',
      { type: 'button', class: 'primary', onclick: () => onRestart(this.sets()) },
      'Restart with these values',
    );
    this.save = h('button', { type: 'button', onclick: () => onSave(this.sets()) }, 'Save scene');
    this.diary = h('ol', { class: 'diary' });
    this.hint = h('p', { class: 'hint' });
    this.none = h('p', { class: 'hint', hidden: true }, 'No parameter has that in its name.');
    box.append(
      this.search,
      this.hint,
      this.none,
      this.list,
      h('details', { class: 'fold' }, h('summary', {}, 'Other keys, for the next start'), this.more),
      h('div', { class: 'actions' }, this.restart, this.save),
      h('details', { class: 'fold', open: true }, h('summary', {}, 'What was changed'), this.diary),
    );
  }

  // A new scene: what it starts with.
  begin(scene) {
    this.rows.clear();
    this.start.clear();
    this.list.replaceChildren();
    this.diary.replaceChildren();
    this.sceneSets = scene.sets;
    this.more.value = '';
    this.setLive(scene.mode === 'live');
  }

  // Whether what is set takes effect at once.
  setLive(live) {
    this.live = live;
    this.hint.textContent = live ? '' : 'The run has ended: values take effect with the next start.';
    this.hint.hidden = live;
  }

  take(message) {
    // also by another browser, or before this page was loaded again
    const touched = new Set(message.changes.map((c) => c.set.slice(0, c.set.indexOf('='))));
    for (const p of message.values) {
      let row = this.rows.get(p.path);
      if (!row) {
        this.start.set(p.path, p.value);
        row = this.add(p);
      }
      row.p = p;
      row.touched ||= touched.has(p.path);
      if (!row.held) this.show(row, p.value);
    }
    this.diary.replaceChildren(
      ...message.changes.map((c) => h('li', {}, h('b', {}, `${short(c.time)} s`), ` ${c.set}`)),
    );
    if (!message.changes.length)
      this.diary.replaceChildren(h('li', { class: 'hint' }, 'Nothing yet. run.yaml will tell what changed when.'));
    this.layout();
  }

  add(p) {
    const group = groupOf(p.path);
    let section = [...this.list.children].find((child) => child.dataset.group === group);
    if (!section) {
      section = h('section', { 'data-group': group }, h('h3', {}, group));
      const after = (child) => last.indexOf(child.dataset.group) > last.indexOf(group);
      this.list.insertBefore(section, [...this.list.children].find(after) || null);
    }
    const row = { p, sliders: [], numbers: [], value: [...p.value], bounds: p.words ? [] : reach(p, p.value) };
    const inputs = p.words ? [this.choice(row)] : this.slides(row);
    const range = p.words
      ? p.words.join(', ')
      : `${short(p.min)} to ${short(p.max)}${p.unit ? ` ${unitText(p.unit)}` : ''}`;
    row.reset = button('reset', 'Back to the start value', () => {
      this.start.get(p.path).forEach((x, a) => {
        row.value[a] = x;
      });
      this.change(row, 0, row.value[0]);
    });
    row.element = h(
      'div',
      { class: 'param', title: `${p.path}\n${p.help}\n${range}` },
      h(
        'div',
        { class: 'param-head' },
        h('span', {}, labelOf(p.path, p.name)),
        p.unit ? h('span', { class: 'unit' }, unitText(p.unit)) : null,
        h('span', { class: 'keyed' }),
        row.reset,
      ),
      ...inputs,
    );
    section.append(row.element);
    this.rows.set(p.path, row);
    return row;
  }

  // A check box for true and false, else a list of the words.
  choice(row) {
    const { path, words } = row.p,
      mark = words.length === 2 && words[0] === 'false' && words[1] === 'true';
    row.choice = mark
      ? h('input', { type: 'checkbox', 'aria-label': path })
      : h(
          'select',
          { 'aria-label': path },
          words.map((word, k) => h('option', { value: k }, word)),
        );
    row.choice.addEventListener('change', () =>
      this.change(row, 0, mark ? Number(row.choice.checked) : Number(row.choice.value)),
    );
    row.said = mark ? h('span', {}) : null;
    return h('label', { class: 'choice' }, row.choice, row.said);
  }

  slides(row) {
    const { p } = row;
    return p.value.map((_, a) => {
      const slider = h('input', {
        type: 'range',
        min: 0,
        max: 1000,
        step: 1,
        'aria-label': `${p.path}${p.value.length > 1 ? ` ${'xyz'[a]}` : ''}`,
      });
      const number = h('input', {
        type: 'number',
        step: p.whole ? 1 : 'any',
        min: p.min,
        max: p.max,
        'aria-label': `${p.path}, number`,
      });
      row.sliders.push(slider);
      row.numbers.push(number);
      slider.addEventListener('input', () =>
        this.change(
          row,
          a,
          Number((row.bounds[0] + (slider.value / 1000) * (row.bounds[1] - row.bounds[0])).toPrecision(4)),
        ),
      );
      slider.addEventListener('pointerdown', () => {
        row.held = true;
      });
      slider.addEventListener('pointerup', () => {
        row.held = false;
      });
      slider.addEventListener('change', () => {
        row.held = false;
      });
      number.addEventListener('change', () => {
        if (number.value !== '' && number.validity.valid) this.change(row, a, Number(number.value));
        else this.show(row, row.value);
      });
      return h(
        'div',
        { class: 'slide' },
        p.value.length > 1 ? h('span', { class: 'axis' }, 'xyz'[a]) : null,
        slider,
        number,
      );
    });
  }

  show(row, value) {
    row.value = [...value];
    if (row.choice) {
      row.choice.value = value[0];
      row.choice.checked = value[0] === 1;
      row.said?.replaceChildren(row.p.words[value[0]]);
    }
    row.sliders.forEach((slider, a) => {
      const x = value[a];
      if (x < row.bounds[0]) row.bounds[0] = x;
      if (x > row.bounds[1]) row.bounds[1] = x;
      const number = row.numbers[a];
      slider.value = ((x - row.bounds[0]) / (row.bounds[1] - row.bounds[0])) * 1000;
      fill(slider);
      if (document.activeElement !== number) number.value = Number(x.toPrecision(7));
    });
    row.element.classList.toggle('changed', this.differs(row));
    row.element.querySelector('.keyed').textContent = row.p.keyed ? 'keyframes' : '';
  }

  change(row, axis, x) {
    const value = [...row.value];
    const [low, high] = row.p.words ? [0, row.p.words.length - 1] : [row.p.min ?? -Infinity, row.p.max ?? Infinity];
    value[axis] = Math.min(high, Math.max(low, row.p.whole ? Math.round(x) : x));
    row.touched = true;
    this.show(row, value);
    if (this.live) this.onSet(`${row.p.path}=${text(row.p, value)}`);
  }

  // Keyframes move a value too; what counts is what somebody set.
  differs(row) {
    return !!row.touched && !same(row.value, this.start.get(row.p.path));
  }

  // KEY=VALUE of all that differs from the scene's file.
  sets() {
    const out = [...(this.sceneSets || [])];
    for (const [path, row] of this.rows)
      if (this.differs(row)) out.push(`${path}=${text(row.p, row.value)}`);
    for (const line of this.more.value.split('\n')) if (line.includes('=')) out.push(line.trim());
    return out;
  }

  layout() {
    const wanted = this.search.value.toLowerCase();
    for (const [path, row] of this.rows) row.element.hidden = !!wanted && !path.toLowerCase().includes(wanted);
    for (const section of this.list.children)
      section.hidden = ![...section.querySelectorAll('.param')].some((e) => !e.hidden);
    this.none.hidden = [...this.list.children].some((section) => !section.hidden);
  }
}
