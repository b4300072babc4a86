// The page: connects, shows, plays, steers.
import { Gallery } from './gallery.js';
import { Link, withToken } from './link.js';
import { Particles } from './decode.js';
import { Picture } from './scene3d.js';
import { Plots } from './plots.js';
import { Steer } from './steer.js';
import { button, download, fill, h, icon, remember, short, unitText, whole } from './dom.js';
import { gradient, scales } from './colours.js';

const app = document.getElementById('app');
const state = {
  scene: null,
  server: { mode: 'none', status: 'connecting', frames: 0 },
  follow: true,
  frame: 0,
  playing: true,
  loop: true,
  speed: 1,
  field: 'speed',
  automatic: true,
  range: [0, 1],
  head: null,
  waiting: false,
  pick: null,
  look: 'spheres',
};
window.meniscus = { state }; // for tests and the curious

function fatal(title, ...lines) {
  link?.end();
  document.body.classList.add('broken');
  app.replaceChildren(
    h('div', { class: 'fatal', role: 'alert' }, h('h1', {}, title), ...lines.map((line) => h('p', {}, line))),
  );
}

// ------------------------------------------------------------------------------------------------------ layout

const canvas = h('canvas', {
  class: 'view',
  tabindex: 0,
  'aria-label': 'The liquid. Drag to turn, right drag to move, wheel to zoom, click a particle to read its fields.',
});
const title = h('span', { class: 'title' }, 'Meniscus'),
  chip = h('span', { class: 'chip', role: 'status' }),
  numbers = h('span', { class: 'numbers' });
const notes = h('div', { class: 'notes', role: 'log', 'aria-live': 'polite' });
const legendBar = h('div', { class: 'legend-bar' }),
  legendLow = h('input', { type: 'number', step: 'any', 'aria-label': 'Lower end of the colours' }),
  legendHigh = h('input', { type: 'number', step: 'any', 'aria-label': 'Upper end of the colours' });
const legendName = h('span', { class: 'legend-name' }),
  legendAuto = h('button', { type: 'button', class: 'tiny', title: 'Fit the colours to the values' }, 'auto');
const legend = h(
  'div',
  { class: 'legend' },
  h('div', { class: 'legend-head' }, legendName, legendAuto),
  legendBar,
  h('div', { class: 'legend-ends' }, legendLow, legendHigh),
);
const marker = h('div', { class: 'marker', hidden: true }),
  pickBox = h('aside', { class: 'pick', hidden: true, 'aria-label': 'Fields of a particle' });
const tip = h(
  'p',
  { class: 'tip', hidden: true },
  'Drag to turn, wheel to zoom, click a particle to read its fields. ',
  h('b', {}, 'Steer'),
  ' has sliders for the running scene, ',
  h('b', {}, '?'),
  ' lists the keys.',
);
const veilTitle = h('h2', {}),
  veilText = h('p', { class: 'hint' }),
  veilPart = h('progress', { max: 1, 'aria-label': 'Progress' }),
  veilList = h('ul', { class: 'messages' }),
  veilHome = h('button', { type: 'button', class: 'primary', onclick: () => link.send({ do: 'list' }) }, 'All scenes');
const veil = h(
  'div',
  { class: 'veil', hidden: true, role: 'status' },
  h('div', {}, veilTitle, veilText, veilPart, veilList, veilHome),
);
const stageBox = h('main', { class: 'stage' }, canvas, marker, legend, tip, pickBox, veil);

const playButton = button('play', 'Play or pause (space)', () => togglePlay(), { id: 'play' });
const scrub = h('input', {
  type: 'range',
  class: 'scrub',
  id: 'scrub',
  min: 0,
  max: 0,
  value: 0,
  step: 1,
  'aria-label': 'Time',
});
const clock = h('span', { class: 'clock' });
const liveButton = h(
  'button',
  { type: 'button', class: 'live', id: 'live', title: 'Follow the running scene (L)', onclick: () => goLive() },
  h('i', {}),
  'Live',
);
const loopButton = button(
  'loop',
  'Play again from the start',
  () => {
    state.loop = !state.loop;
    loopButton.setAttribute('aria-pressed', state.loop);
  },
  { 'aria-pressed': 'true', id: 'loop' },
);
const speed = h(
  'select',
  { title: 'Speed', 'aria-label': 'Speed', id: 'speed' },
  ...[0.1, 0.25, 0.5, 1, 2, 4].map((s) => h('option', { value: s, selected: s === 1 }, `${s}×`)),
);
const bar = h(
  'footer',
  { class: 'bar' },
  button('previous', 'Back one frame (←)', () => step(-1), { id: 'back' }),
  playButton,
  button('next', 'One step on (→)', () => step(1), { id: 'step' }),
  scrub,
  clock,
  liveButton,
  loopButton,
  speed,
);

const tabs = {};
const tabBar = h('div', { class: 'tabs', role: 'tablist' });
const panel = h('aside', { class: 'panel' }, tabBar);
function tab(key, name) {
  const body = h('div', { class: 'tab-body', role: 'tabpanel', id: `tab-${key}`, hidden: true });
  const head = h(
    'button',
    { type: 'button', role: 'tab', 'aria-controls': `tab-${key}`, onclick: () => openTab(key) },
    name,
  );
  tabs[key] = { head, body };
  tabBar.append(head);
  panel.append(body);
  return body;
}
function openTab(key) {
  for (const [name, t] of Object.entries(tabs)) {
    t.body.hidden = name !== key;
    t.head.setAttribute('aria-selected', name === key);
  }
  remember.set('tab', key);
  plots.draw(true);
}

const viewTab = tab('view', 'View'),
  steerTab = tab('steer', 'Steer'),
  plotTab = tab('plots', 'Plots'),
  runTab = tab('run', 'Run');
const gallery = new Gallery(h('div', { class: 'gallery', hidden: true }), (name) => {
  if (!link.send({ do: 'open', name })) return;
  state.opening = name;
  closeList();
  showVeil();
});
function closeList() {
  gallery.box.hidden = true;
  document.body.classList.remove('listing');
  picture.resize();
}
gallery.onBack = () => {
  closeList();
  document.title = `${title.textContent} · Meniscus`;
};
const header = h(
  'header',
  { class: 'top' },
  button(
    'home',
    'All scenes',
    () => {
      link.send({ do: 'list' });
    },
    { id: 'home' },
  ),
  title,
  chip,
  numbers,
  h('span', { class: 'spring' }),
  button('fit', 'Camera of the scene (F)', () => picture.resetCamera()),
  button('camera', 'Screenshot (S)', () => screenshot(), { id: 'screenshot' }),
  button('record', 'Record (R)', () => record(), { id: 'record' }),
  button('theme', 'Light or dark (T)', () => nextTheme(), { id: 'theme' }),
  button('panel', 'Show or hide the panel (P)', () => togglePanel()),
  button('help', 'Keys (?)', () => help.showModal()),
);
const help = h(
  'dialog',
  { class: 'help' },
  h('h2', {}, 'Keys'),
  h(
    'dl',
    {},
    ...[
      ['space', 'play, pause'],
      ['← →', 'one frame or step'],
      ['home, end', 'first, last frame'],
      ['L', 'follow the running scene'],
      ['W', 'spheres or water'],
      ['C', 'next field for the colours'],
      ['X', 'clip plane on or off'],
      ['F', 'camera of the scene'],
      ['1 2 3', 'look along x, y, z'],
      ['shift ← → ↑ ↓', 'turn the camera'],
      ['+ −', 'nearer, farther'],
      ['S', 'screenshot'],
      ['R', 'record'],
      ['T', 'light, dark'],
      ['P', 'panel'],
      ['esc', 'let go of a particle'],
    ].flatMap(([key, what]) => [h('dt', {}, key), h('dd', {}, what)]),
  ),
  h(
    'p',
    { class: 'hint' },
    'Drag to turn, right drag or shift drag to move, wheel to zoom. Click a particle to read its fields.',
  ),
  h('form', { method: 'dialog' }, h('button', { class: 'primary' }, 'Close')),
);

app.replaceChildren(header, stageBox, panel, bar, gallery.box, notes, help);
const link = new Link({ onText: hear, onFrame: see, onStatus: connection }); // connects while the picture is made ready
window.meniscus.link = link;
const particles = new Particles();
let picture;
try {
  const gl = canvas.getContext('webgl2', { antialias: true, powerPreference: 'high-performance' });
  if (gl) picture = new Picture(canvas, gl, (index) => pickAt(index));
} catch (error) {
  fatal('The picture cannot be drawn', String(error));
  throw error;
}
if (!picture) {
  fatal(
    'This page needs WebGL 2',
    'The browser cannot draw in three dimensions. Often hardware acceleration is turned off: look for it in the ' +
      'settings, or at chrome://gpu or about:support, then load this page again.',
    'Pictures can also be made without a browser: meniscus run SCENE --preview, meniscus render RUN.',
  );
  throw new Error('no WebGL 2');
}
window.meniscus.picture = picture;
window.meniscus.particles = particles;
const plots = new Plots(plotTab, (time) => seekTime(time));
const steer = new Steer(steerTab, {
  onSet: (set) => link.send({ do: 'set', set }),
  onRestart: (sets) => link.send({ do: 'restart', sets }),
  onSave: (sets) => link.send({ do: 'save', sets }),
});
Object.assign(window.meniscus, { plots, steer });

// ------------------------------------------------------------------------------------------------------- theme

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const themeNow = () => {
  const t = remember.get('theme', 'auto');
  return t === 'auto' ? (dark.matches ? 'dark' : 'light') : t;
};
function applyTheme() {
  document.documentElement.dataset.theme = themeNow();
  picture.setTheme(themeNow());
  plots.draw(true);
}
function nextTheme() {
  remember.set('theme', themeNow() === 'dark' ? 'light' : 'dark');
  applyTheme();
}
dark.addEventListener('change', applyTheme);
applyTheme();

function togglePanel() {
  document.body.classList.toggle('no-panel');
  picture.resize();
}

// ------------------------------------------------------------------------------------------------------- notes

function say(severity, text, ...more) {
  const note = h(
    'div',
    { class: `note ${severity}` },
    h('span', {}, text),
    ...more,
    button('close', 'Close', () => note.remove()),
  );
  notes.append(note);
  while (notes.children.length > 4) notes.firstChild.remove();
  if (severity !== 'error') setTimeout(() => note.remove(), 9000);
}
const textOf = (m) => `${m.line ? `line ${m.line}: ` : ''}${m.text}`;
function sayAll(messages) {
  if (state.opening && messages.some((m) => m.severity === 'error')) {
    state.opening = null; // it was refused: back to where it was asked for
    link.send({ do: 'list' });
  }
  for (const m of messages) say(m.severity, textOf(m));
}

// -------------------------------------------------------------------------------------------------- the view tab

const fieldSelect = h('select', { id: 'field', 'aria-label': 'Field' }),
  scaleSelect = h(
    'select',
    { id: 'scale', 'aria-label': 'Colour scale' },
    ...Object.keys(scales).map((name) => h('option', {}, name)),
  );
const lookSelect = h(
  'div',
  { class: 'segments', role: 'radiogroup', 'aria-label': 'Look' },
  ...[
    ['spheres', 'Spheres'],
    ['water', 'Water'],
  ].map(([key, name]) =>
    h('button', { type: 'button', role: 'radio', 'data-look': key, onclick: () => setLook(key) }, name),
  ),
);
const paintBox = h('input', { type: 'checkbox', id: 'paint', checked: true }),
  wallBox = h('input', { type: 'checkbox', id: 'walls', checked: true });
const clipAxis = h(
  'div',
  { class: 'segments', role: 'radiogroup', 'aria-label': 'Clip plane' },
  ...[
    ['-1', 'Off'],
    ['0', 'x'],
    ['1', 'y'],
    ['2', 'z'],
  ].map(([key, name]) =>
    h('button', { type: 'button', role: 'radio', 'data-axis': key, onclick: () => setClip(Number(key)) }, name),
  ),
);
const clipAt = h('input', { type: 'range', min: 0, max: 1000, value: 500, 'aria-label': 'Place of the clip plane' }),
  clipFlip = h('input', { type: 'checkbox', id: 'flip' });
const sizeSlider = h('input', { type: 'range', min: 30, max: 150, value: 100, 'aria-label': 'Size of the spheres' });
const groupsBox = h('div', { class: 'groups' });
const row = (name, ...inputs) => h('label', { class: 'row' }, h('span', {}, name), ...inputs);
const block = (name, ...inputs) => h('div', { class: 'row' }, h('span', {}, name), ...inputs);
viewTab.append(
  h('h3', {}, 'Liquid'),
  block('Look', lookSelect),
  row('Size', sizeSlider),
  groupsBox,
  h('h3', {}, 'Colour'),
  row('By', fieldSelect),
  row('Scale', scaleSelect),
  h('label', { class: 'row check' }, paintBox, h('span', {}, 'Colour by the field')),
  h('h3', {}, 'Around it'),
  h('label', { class: 'row check' }, wallBox, h('span', {}, 'Walls and bodies')),
  h('h3', {}, 'Clip plane'),
  block('Along', clipAxis),
  row('Place', clipAt),
  h('label', { class: 'row check' }, clipFlip, h('span', {}, 'Other side')),
);
let clipNow = -1;
function setClip(axis) {
  clipNow = axis;
  for (const b of clipAxis.children) b.setAttribute('aria-checked', b.dataset.axis === String(axis));
  if (state.scene) picture.setClip(axis, clipAt.value / 1000, clipFlip.checked);
}
clipAt.addEventListener('input', () => setClip(clipNow < 0 ? 0 : clipNow));
clipFlip.addEventListener('change', () => setClip(clipNow));
function setLook(look) {
  if (look === 'water' && !picture.floats) {
    say('warning', 'This device cannot draw into textures of floats, which water needs; spheres remain.');
    look = 'spheres';
  }
  if (look !== state.look && look === 'water')
    paintBox.checked = state.field !== 'speed' && paintBox.checked && !!state.painted;
  if (look !== state.look && look === 'spheres') paintBox.checked = true;
  state.look = look;
  picture.look = look;
  picture.painted = paintBox.checked;
  showLegend();
  for (const b of lookSelect.children) b.setAttribute('aria-checked', b.dataset.look === look);
  picture.dirty = true;
}
paintBox.addEventListener('change', () => {
  picture.painted = paintBox.checked;
  state.painted = paintBox.checked;
  showLegend();
  picture.dirty = true;
});
// Solids have no field: without liquid there is nothing to read off.
function showLegend() {
  legend.hidden = !paintBox.checked || !state.scene?.groups.some((g) => !g.solid && !g.empty);
}
wallBox.addEventListener('change', () => picture.showWalls(wallBox.checked));
for (const slider of [sizeSlider, clipAt]) {
  slider.addEventListener('input', () => fill(slider));
  fill(slider);
}
sizeSlider.addEventListener('input', () => {
  picture.shared.radius.value = (0.5 * picture.spacing * sizeSlider.value) / 100;
  picture.dirty = true;
});
scaleSelect.addEventListener('change', () => {
  picture.setScale(scaleSelect.value);
  legendBar.style.background = gradient(scaleSelect.value);
  remember.set('scale', scaleSelect.value);
});
fieldSelect.addEventListener('change', () => setField(fieldSelect.value));
function setField(field) {
  state.field = field;
  nameField();
  ask(true);
}
function nameField() {
  const { field } = state;
  fieldSelect.value = field;
  state.automatic = true;
  const info = state.scene?.fields.find((f) => f.name === field);
  const unit = info?.unit ? `  [${unitText(info.unit)}]` : '';
  legendName.textContent = `${field.replaceAll('_', ' ')}${info?.width === 3 ? ', length' : ''}${unit}`;
  fieldSelect.title = info?.help || '';
}
legendAuto.addEventListener('click', () => {
  state.automatic = true;
  colours();
});
for (const input of [legendLow, legendHigh])
  input.addEventListener('change', () => {
    const low = Number(legendLow.value),
      high = Number(legendHigh.value);
    if (!(low < high)) return colours();
    state.automatic = false;
    state.range = [low, high];
    colours();
  });

// The ends of the scale grow at once and shrink slowly, so that colours do not flicker.
function colours() {
  const { head } = state;
  if (!head) return;
  if (state.automatic) {
    const fixed = state.scene.range[0] !== state.scene.range[1] && state.field === state.scene.colour;
    const goal = fixed ? state.scene.range : [head.scaleLow, head.scaleHigh],
      [low, high] = state.range,
      width = goal[1] - goal[0];
    const fresh = !state.ranged || state.ranged !== state.field,
      calm = width > 0.4 * (high - low);
    if (fresh || goal[0] < low || goal[1] > high || !calm) state.range = [...goal];
    state.ranged = state.field;
    if (!(state.range[0] < state.range[1])) state.range = [goal[0], goal[0] + (Math.abs(goal[0]) || 1)];
  }
  picture.setRange(state.range[0], state.range[1], head.least, head.most);
  if (document.activeElement !== legendLow) legendLow.value = Number(state.range[0].toPrecision(4));
  if (document.activeElement !== legendHigh) legendHigh.value = Number(state.range[1].toPrecision(4));
  legendAuto.hidden = state.automatic;
}

// ------------------------------------------------------------------------------------------------------ the link

// What stands in the place of the picture while there is none: who works at what, or what went wrong.
function showVeil() {
  const s = state.server,
    wrong = s.status === 'failed' && !state.head,
    waits = state.opening || (!state.head && s.mode !== 'none');
  veil.hidden = !waits || !gallery.box.hidden;
  if (veil.hidden) return;
  const prepares = s.status === 'preparing' && s.what;
  veil.classList.toggle('wrong', wrong);
  const name = state.opening?.split('/').pop().replaceAll('-', ' ');
  veilTitle.textContent = wrong ? 'The scene did not start' : name || title.textContent;
  veilText.textContent = wrong ? '' : prepares ? `Preparing: ${s.what}` : 'Preparing';
  if (prepares && s.part > 0) veilPart.value = s.part;
  else veilPart.removeAttribute('value');
  veilPart.hidden = veilHome.hidden = wrong;
  veilHome.hidden = !wrong;
  veilList.replaceChildren(
    ...(wrong ? s.messages : []).map((m) => h('li', { class: m.severity }, textOf(m))),
  );
}

function connection(status) {
  if (status === 'refused')
    return fatal(
      'This address needs its token',
      'The token at its end is missing or wrong. Use the whole address that meniscus view printed when it began.',
    );
  const lost = status === 'lost' || status === 'full';
  document.body.classList.toggle('lost', lost);
  state.waiting = false;
  if (lost) {
    state.server.status = status;
    showState();
  }
}

function hear(message) {
  if (message.type === 'scene') return begin(message);
  if (message.type === 'list') return list(message);
  if (message.type === 'state') {
    state.server = message;
    return showState();
  }
  if (message.type === 'start' || message.type === 'values') return steer.take(message);
  if (message.type === 'rows') return plots.take(message);
  if (message.type === 'pick') return showPick(message);
  if (message.type === 'note') return sayAll(message.messages);
  if (message.type === 'saved') return saved(message);
  if (message.type === 'noframe') {
    state.waiting = false;
    state.retry = performance.now() + 400;
  }
}

function list(message) {
  state.opening = null;
  gallery.back.hidden = !state.scene;
  if (!state.scene) title.textContent = 'Meniscus';
  document.body.classList.add('listing');
  gallery.box.hidden = false;
  document.title = 'Meniscus';
  gallery.take(message);
  showVeil();
}

async function begin(scene) {
  state.scene = scene;
  state.opening = null;
  state.head = null;
  state.ranged = null;
  state.waiting = false;
  state.follow = scene.mode === 'live';
  state.frame = 0;
  // as many digits all the time: the timeline beside the clock keeps its length
  state.digits = Math.min(9, Math.max(2, 4 - Math.floor(Math.log10(scene.end || 1))));
  state.playing = scene.mode === 'stored';
  state.field = scene.fields.some((f) => f.name === scene.colour) ? scene.colour : 'speed';
  ask(true); // first of all: the rest is done while it comes
  document.body.classList.remove('listing');
  document.body.classList.toggle('stored', scene.mode === 'stored');
  gallery.box.hidden = true;
  title.textContent = scene.title || scene.path.split('/').pop();
  title.title = scene.path;
  document.title = `${title.textContent} · Meniscus`;
  plots.clear();
  steer.begin(scene);
  picture.setScene(scene);
  sizeSlider.value = 100;
  fill(sizeSlider);
  fieldSelect.replaceChildren(
    ...scene.fields.map((f) => h('option', { value: f.name, title: f.help }, f.name.replaceAll('_', ' '))),
  );
  const shown = scene.groups.filter((g) => !g.empty);
  groupsBox.replaceChildren(
    ...(shown.length > 1
      ? shown.map((g) => {
          const box = h('input', { type: 'checkbox', checked: true });
          box.addEventListener('change', () => picture.hideGroup(scene.groups.indexOf(g), !box.checked));
          return h('label', { class: 'row check' }, box, h('span', {}, g.name.replaceAll('_', ' ')));
        })
      : []),
  );
  letGo();
  setClip(-1);
  state.look = '';
  setLook(scene.look === 'spheres' ? 'spheres' : 'water');
  if (scene.look === 'field' || (scene.look === 'water' && scene.colour !== 'speed')) {
    paintBox.checked = true;
    picture.painted = true;
    showLegend();
  }
  nameField();
  runInfo();
  showVeil();
  showTip();
  const reply = await fetch(withToken('/geometry'));
  if (reply.ok && state.scene === scene) picture.setGeometry(await reply.arrayBuffer());
}

// What to do, once: gone with the first touch of the picture.
function showTip() {
  tip.hidden = remember.get('knows', '') === 'yes';
}
for (const event of ['pointerdown', 'wheel'])
  canvas.addEventListener(event, () => {
    remember.set('knows', 'yes');
    showTip();
  });

function showFirst() {
  setTimeout(showVeil); // when it is drawn
}

// Asks for the next frame: of the running scene, or by its number.
function ask(anew) {
  if (!state.scene || (state.waiting && !anew)) return;
  const message = { do: 'frame', field: state.field };
  if (!state.follow) message.number = state.frame;
  state.waiting = link.send(message);
  state.asked = state.follow ? -1 : state.frame;
}

function see(buffer) {
  const head = particles.take(buffer);
  state.waiting = false;
  if (!head || !state.scene || head.generation !== state.scene.generation) return;
  if (!state.head) showFirst();
  state.head = head;
  picture.setParticles(particles, head);
  colours();
  clock.textContent = `${head.time.toFixed(state.digits)} s`;
  plots.setTime(head.time);
  state.shown = head.frame;
  state.received = (state.received || 0) + 1; // the next one is asked for with the next picture (playOn)
}

// ------------------------------------------------------------------------------------------------- time and playing

const statusWords = {
  preparing: 'Preparing',
  running: 'Running',
  paused: 'Paused',
  ended: 'Finished',
  failed: 'Failed',
  stopped: 'Stopped',
  stored: 'Finished run',
  none: '',
  lost: 'Connection lost, trying again',
  full: 'Too many browsers, trying again',
  connecting: 'Connecting',
};
function showState() {
  const s = state.server;
  chip.textContent =
    s.status === 'preparing' && s.what
      ? `Preparing: ${s.what} ${Math.round(s.part * 100)} %`
      : (statusWords[s.status] ?? s.status);
  chip.dataset.status = s.status;
  chip.title = chip.textContent;
  const parts = [];
  if (s.mode !== 'none' && s.particles) parts.push(`${whole(s.particles)} particles`);
  if (s.mode === 'live' && s.step !== undefined)
    parts.push(`step ${whole(s.step)}`, `${short(s.time)} of ${short(s.end)} s`);
  if (s.rate > 0) parts.push(`${short(s.rate, 2)} steps/s`);
  if (s.mode === 'stored') parts.push(`${s.frames} frames`);
  numbers.textContent = parts.join('  ·  ');
  scrub.max = Math.max(0, s.frames - 1);
  if (state.follow) scrub.value = scrub.max;
  fill(scrub);
  liveButton.hidden = s.mode !== 'live';
  liveButton.setAttribute('aria-pressed', state.follow);
  steer.setLive(s.mode === 'live' && !['ended', 'failed', 'stopped'].includes(s.status));
  const plays = state.follow ? s.status === 'running' || s.status === 'preparing' : state.playing;
  if (playButton.dataset.plays !== String(plays)) {
    playButton.dataset.plays = plays;
    playButton.replaceChildren(icon(plays ? 'pause' : 'play'));
  }
  showVeil();
  if (s.messages && s.messages.length !== state.told) {
    if (state.toldOf !== s.generation) state.told = 0;
    sayAll(s.messages.slice(state.told || 0).filter((m) => m.severity !== 'note'));
    state.told = s.messages.length;
    state.toldOf = s.generation;
    runInfo();
  }
}

function togglePlay() {
  if (state.follow) {
    if (state.server.status === 'ended') {
      state.follow = false;
      state.frame = 0;
      state.playing = true;
    } else link.send({ do: state.server.paused ? 'play' : 'pause' });
  } else {
    state.playing = !state.playing;
    if (state.playing && state.frame >= state.server.frames - 1) state.frame = 0;
  }
  showState();
}
function goLive() {
  if (state.server.mode !== 'live') return;
  state.follow = true;
  state.playing = false;
  ask(true);
  showState();
}
function seek(frame) {
  state.follow = false;
  state.frame = Math.max(0, Math.min(frame, state.server.frames - 1));
  scrub.value = state.frame;
  ask(true);
  showState();
}
function seekTime(time) {
  if (!state.scene?.interval) return;
  state.playing = false;
  seek(Math.round(time / state.scene.interval));
}
function step(by) {
  if (state.follow && by > 0) {
    link.send({ do: 'step' });
    return;
  }
  state.playing = false;
  const last = state.server.frames - 1,
    beyond = (state.head?.time ?? 0) > last * state.scene.interval * (1 + 1e-9) ? 1 : 0; // the running scene
  seek((state.follow ? last + beyond : state.frame) + by);
}
scrub.addEventListener('input', () => {
  state.playing = false;
  seek(Number(scrub.value));
});
speed.addEventListener('change', () => {
  state.speed = Number(speed.value);
});

let due = 0;
function playOn(now) {
  if (!state.scene || !link.ready) return;
  if (state.follow) {
    if (!state.waiting && (!state.retry || now > state.retry)) {
      state.retry = 0;
      ask(false);
    }
    return;
  }
  if (state.waiting) return;
  if (state.retry && now > state.retry) {
    state.retry = 0;
    ask(true);
    return;
  }
  if (state.shown !== state.frame && state.asked !== state.frame) {
    ask(true);
    return;
  }
  if (!state.playing || now < due || state.retry) return;
  if (state.frame + 1 < state.server.frames) state.frame += 1;
  else if (state.loop && state.server.frames > 1) state.frame = 0;
  else {
    state.playing = false;
    showState();
    return;
  }
  due = Math.max(due + 1000 / (30 * state.speed), now - 100);
  scrub.value = state.frame;
  fill(scrub);
  ask(true);
}

// -------------------------------------------------------------------------------------------------------- picking

function pickAt(index) {
  if (index < 0) return letGo();
  state.pick = { index };
  followPick();
  placeMarker();
}
// Asks for the fields at the moment that is shown, five times a second at most. Particles have ids; their places in a
// frame shift where others end.
function followPick() {
  const p = state.pick,
    { head } = state;
  if (!p || !head || p.time === head.time || p.asked > performance.now() - 200) return;
  p.asked = performance.now();
  p.time = head.time;
  const which = p.id === undefined ? { index: p.index } : { id: p.id };
  if (state.follow && head.frame < 0) link.send({ do: 'pick', ...which });
  else link.send({ do: 'pickstored', number: state.shown, ...which });
}
function showPick(message) {
  const p = state.pick;
  if (!p || (p.id === undefined ? message.asked !== p.index : message.id !== p.id)) return; // let go meanwhile
  if (!message.there) return letGo();
  const [x] = p.id === undefined ? picture.project(message.index) : [];
  if (x !== undefined) pickBox.classList.toggle('left', x > canvas.clientWidth / 2); // not over the particle
  p.id = message.id;
  p.index = message.index;
  placeMarker();
  const rows = Object.entries(message.fields).map(([name, value]) => {
    const info = state.scene.fields.find((f) => f.name === name);
    const unit = name === 'position' ? 'm' : info?.unit || '';
    return h(
      'tr',
      { title: info?.help || '' },
      h('th', {}, name.replaceAll('_', ' ')),
      h('td', {}, value.map((x) => short(x)).join(', ')),
      h('td', { class: 'unit' }, unitText(unit)),
    );
  });
  pickBox.replaceChildren(
    h(
      'header',
      {},
      `Particle ${message.id}`,
      button('close', 'Let go (esc)', () => letGo()),
    ),
    h('table', {}, ...rows),
  );
  pickBox.hidden = false;
}
function letGo() {
  state.pick = null;
  pickBox.hidden = true;
  marker.hidden = true;
}
function placeMarker() {
  if (!state.pick || state.pick.index >= particles.count) {
    marker.hidden = true;
    return;
  }
  const [x, y, front] = picture.project(state.pick.index);
  marker.hidden = !front;
  marker.style.transform = `translate(${x}px, ${y}px)`;
}

// ------------------------------------------------------------------------------------------- pictures and the run

function nameNow(end) {
  const path = state.scene?.dir || state.scene?.path || 'meniscus';
  const time = short(state.head?.time || 0).replace(',', '');
  return `${path.split('/').filter(Boolean).pop()}-${time}s.${end}`;
}
async function screenshot() {
  const blob = await picture.snapshot();
  if (blob) download(blob, nameNow('png'));
}
let recorder = null;
function record() {
  const knob = document.getElementById('record');
  if (recorder) {
    recorder.stop();
    return;
  }
  if (!window.MediaRecorder || !canvas.captureStream) {
    say('warning', 'This browser cannot record; `meniscus run --preview` makes a film.');
    return;
  }
  const type = ['video/mp4;codecs=avc1', 'video/webm;codecs=vp9', 'video/webm'].find((t) =>
    MediaRecorder.isTypeSupported(t),
  );
  const parts = [];
  recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 });
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => {
    recorder = null;
    knob.classList.remove('on');
    download(new Blob(parts, { type }), nameNow(type.includes('mp4') ? 'mp4' : 'webm'));
  };
  recorder.start(500);
  knob.classList.add('on');
}
function saved(message) {
  if (!message.path) return sayAll(message.messages);
  say(
    'done',
    `Saved as ${message.path}`,
    h(
      'button',
      {
        type: 'button',
        class: 'tiny',
        onclick: () => download(new Blob([message.text], { type: 'text/yaml' }), message.path.split('/').pop()),
      },
      'download',
    ),
  );
  state.saved = message;
}
function runInfo() {
  const s = state.scene;
  if (!s) return;
  const messages = state.server.messages || [];
  runTab.replaceChildren(
    h('h3', {}, 'Run'),
    h(
      'dl',
      { class: 'facts' },
      ...[
        ['Scene', s.path],
        ['Folder', s.dir],
        ['Spacing', `${short(s.spacing)} m`],
        ['End', `${short(s.end)} s`],
        ['Frames every', `${short(s.interval)} s`],
        ...(s.sets.length ? [['Set', s.sets.join('\n')]] : []),
      ].flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]),
    ),
    h('h3', {}, 'Again, to the same bits'),
    h('pre', {}, `meniscus run ${s.dir}/run.yaml -o FOLDER`),
    h('h3', {}, 'Messages'),
    messages.length
      ? h('ul', { class: 'messages' }, ...messages.map((m) => h('li', { class: m.severity }, m.text)))
      : h('p', { class: 'hint' }, 'None.'),
    h('p', { class: 'hint', id: 'measure' }),
  );
}

// ------------------------------------------------------------------------------------------------------- keyboard

document.addEventListener('keydown', (event) => {
  if (
    event.target.matches('input:not([type=range]), textarea, select') ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !state.scene ||
    help.open
  )
    return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const range = event.target.matches('input[type=range]');
  const actions = {
    ' ': () => togglePlay(),
    l: goLive,
    w: () => setLook(state.look === 'water' ? 'spheres' : 'water'),
    f: () => picture.resetCamera(),
    s: screenshot,
    r: record,
    t: nextTheme,
    p: togglePanel,
    '?': () => help.showModal(),
    Escape: letGo,
    x: () => setClip(clipNow < 0 ? 0 : -1),
    c: () => {
      const names = state.scene.fields.map((g) => g.name);
      setField(names[(names.indexOf(state.field) + 1) % names.length]);
    },
    '+': () => picture.turn(0, 0, 0.8),
    '=': () => picture.turn(0, 0, 0.8),
    '-': () => picture.turn(0, 0, 1.25),
    1: () => picture.lookFrom([1, 0.001, 0.001]),
    2: () => picture.lookFrom([0.001, 1, 0.001]),
    3: () => picture.lookFrom([0.001, 0.001, 1]),
    ...(event.shiftKey && !range
      ? {
          ArrowRight: () => picture.turn(0.15, 0, 1),
          ArrowLeft: () => picture.turn(-0.15, 0, 1),
          ArrowUp: () => picture.turn(0, -0.15, 1),
          ArrowDown: () => picture.turn(0, 0.15, 1),
        }
      : range
      ? {}
      : {
          ArrowRight: () => step(1),
          ArrowLeft: () => step(-1),
          Home: () => seek(0),
          End: () => seek(state.server.frames - 1),
        }),
  };
  if (!actions[key] || (key === ' ' && event.target.matches('button'))) return;
  event.preventDefault();
  actions[key]();
});

// ---------------------------------------------------------------------------------------------------------- frames

scaleSelect.value = remember.get('scale', 'Lagoon');
scaleSelect.dispatchEvent(new Event('change'));
openTab(tabs[remember.get('tab', 'view')] ? remember.get('tab', 'view') : 'view');
let measured = performance.now(),
  drawn = 0;
function tick(now) {
  playOn(now);
  followPick();
  if (recorder) picture.dirty = true; // a film of what stands still has frames too
  if (picture.pace(now)) {
    drawn++;
    placeMarker();
  }
  plots.draw(false);
  if (now - measured > 1000) {
    const measure = document.getElementById('measure');
    if (measure && state.head) {
      const size = `${whole(state.head.bytes / 1024)} KiB a frame`;
      measure.textContent = `${drawn} pictures/s, ${size}, ${short(particles.milliseconds, 2)} ms to decode`;
    }
    measured = now;
    drawn = 0;
  }
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
