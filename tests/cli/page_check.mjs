// The page of `meniscus view` in headless Chromium. page_check.mjs MENISCUS CHROMIUM WORK SHOTS PLAYWRIGHT
// Prints ok and FAIL lines and a count; screenshots go to SHOTS.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import http from 'node:http';

const [meniscus, executablePath, work, shots, modules] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)('playwright-core');
let passed = 0,
  failed = 0;
const start = Date.now();
function check(what, good, more = '') {
  if (good) passed++;
  else failed++;
  console.log(`${good ? 'ok  ' : 'FAIL'} ${what}${good ? '' : `: ${more}`}`);
  if (process.env.TIMES) console.log(`     ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

fs.writeFileSync(
  `${work}/tank.yaml`,
  `title: A tank with a paddle and a cube
particles: {spacing: 0.03}
time: {step: 0.002, end: 60}
fluids:
  - name: water
    shapes: [{box: {grid: [9, 12, 12], origin: [0.045, 0.045, 0.045]}}]
    viscosity: {model: xsph, strength: 0.05}
walls:
  - name: tank
    shapes: [{box: {min: [0, 0, 0], max: [0.8, 0.6, 0.42], inside_out: true}}]
    friction: {0: 1, 60: 0.4}
bodies:
  - {name: cube, density: 500, shapes: [{box: {size: [0.1, 0.1, 0.1], centre: [0.5, 0.2, 0.2]}}]}
output: {every: 0.01}
`,
);

const running = [];
function serve(port, ...words) {
  const child = spawn(meniscus, ['view', ...words, '--no-browser', '--port', String(port), '--threads', '1'], {
    cwd: work,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve({ child, url: String(data).split('\n')[0] }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
const ended = (child) => new Promise((resolve) => (child.exitCode !== null ? resolve() : child.once('exit', resolve)));
process.on('exit', () => running.forEach((child) => child.exitCode === null && child.kill('SIGKILL')));

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const context = await browser.newContext({
  viewport: { width: 860, height: 520 },
  colorScheme: 'light',
  acceptDownloads: true,
});
const page = await context.newPage();
page.setDefaultTimeout(60000); // the machine may be busy; on an idle one all of it takes some 20 s
const problems = [];
page.on('console', (m) => {
  if (m.type() === 'error' || m.type() === 'warning') problems.push(m.text());
});
page.on('pageerror', (error) => problems.push(error.message));
const ask = (code, argument) => page.evaluate(code, argument);
const until = (code, argument) => page.waitForFunction(code, argument, { polling: 50 });
// where drawing is slow the page draws pictures in motion with fewer points: waits for the one with all
const shot = async (name) => {
  const sharp = () => !window.meniscus.picture.coarse || window.meniscus.picture.sharp;
  await page.waitForFunction(sharp, null, { timeout: 5000 }).catch(() => {});
  await page.screenshot({ path: `${shots}/${name}.png` });
};
const received = () => ask(() => window.meniscus.state.received || 0);

// ------------------------------------------------------------------------------------------------- load, first frame
let server = await serve(0, 'tank.yaml', '--paused', '-o', 'live');
const port = new URL(server.url).port;
const began = Date.now();
await page.goto(server.url);
await until(() => window.meniscus?.picture?.frames > 0);
check('the first picture is there', true);
console.log(`note first picture after ${Date.now() - began} ms`);
check('with the title of the scene', (await page.title()).startsWith('A tank with a paddle'), await page.title());
const pixels = await ask(() => {
  const { picture } = window.meniscus,
    { gl } = picture;
  picture.dirty = true;
  picture.draw();
  const w = gl.drawingBufferWidth,
    h = gl.drawingBufferHeight,
    data = new Uint8Array(w * h * 4);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4)
    seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
  return seen.size;
});
check(
  'nothing hangs over the right side',
  await ask(() =>
    [...document.querySelectorAll('button, input, select')].every((e) => e.getBoundingClientRect().right <= innerWidth),
  ),
);
check('what was in its place is gone', await ask(() => document.querySelector('.veil').hidden));
check('what to do is said until the picture is touched', await page.isVisible('.tip'));
check('it shows something', pixels > 30, `${pixels} colours`);
check(
  'walls and bodies are there',
  await ask(
    () =>
      window.meniscus.picture.glass.children.length > 0 &&
      window.meniscus.picture.moving.filter(([, k]) => k === 1).length === 1,
  ),
);
await shot('1-first');

// ------------------------------------------------------------------------------------------------- orbit, step, play
const eye = () => ask(() => window.meniscus.picture.camera.position.toArray());
const before = await eye();
const box = await page.locator('canvas.view').boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
await page.mouse.down();
await page.mouse.move(box.x + box.width / 2 + 160, box.y + box.height / 2 - 30, { steps: 4 });
await page.mouse.up();
await until(
  (old) => Math.hypot(...window.meniscus.picture.camera.position.toArray().map((x, a) => x - old[a])) > 0.05,
  before,
);
check('dragging turns the camera', true);
check('then it goes away', !(await page.isVisible('.tip')));
const turned = await eye();
await page.keyboard.press('Shift+ArrowRight');
const further = await eye();
await page.keyboard.press('+');
const nearer = await eye();
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
check('keys turn the camera and go nearer', apart(turned, further) > 0.05 && apart(further, nearer) > 0.05);
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
const target = () => ask(() => window.meniscus.picture.controls.target.toArray());
const aim = await target();
await page.mouse.down({ button: 'right' });
await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
await page.mouse.up({ button: 'right' });
await until(
  (old) => Math.hypot(...window.meniscus.picture.controls.target.toArray().map((x, a) => x - old[a])) > 0.01,
  aim,
);
check('dragging with the right button moves it', true);
const distance = () => ask(() => window.meniscus.picture.controls.getDistance());
const far = await distance();
await page.mouse.wheel(0, -300);
await until((old) => window.meniscus.picture.controls.getDistance() < 0.98 * old, far);
check('the wheel goes nearer', true);
await page.keyboard.press('?');
check('a key lists the keys', await ask(() => document.querySelector('dialog').open));
await page.keyboard.press('Escape');
await page.keyboard.press('f');
await page.click('#step');
await until(() => window.meniscus.state.head.step === 1);
check('a single step is one', true);
await page.click('#play');
await until(() => window.meniscus.state.head.step > 12);
await page.click('#play');
await until(() => window.meniscus.state.server.status === 'paused');
const still = await ask(() => window.meniscus.state.server.step);
await page.waitForTimeout(250);
check('pause holds it', (await ask(() => window.meniscus.state.server.step)) === still);

// ------------------------------------------------------------------------------------------------- colour, clip, pick
const speedMost = await ask(() => window.meniscus.state.head.most);
await page.selectOption('#field', 'pressure');
await until((most) => window.meniscus.state.head.most !== most, speedMost);
check('another field colours it', (await page.textContent('.legend-name')).includes('pressure'));
const last = await ask(() => window.meniscus.state.head);
check('and only its values were sent', last.bytes < 1296 * 3 + 400, JSON.stringify(last));
await page.click('[data-axis="0"]');
check('a plane cuts', await ask(() => window.meniscus.picture.shared.clip.value.x === 1));
await page.keyboard.press('x');
const pick = async () => {
  const target = await ask(() => {
    const { picture, particles } = window.meniscus,
      { left, top } = picture.canvas.getBoundingClientRect();
    for (let i = 0; i < particles.count; i++) {
      const [x, y] = picture.project(i);
      if (picture.nearest(x + left, y + top) === i) return [x + left, y + top];
    }
    return null;
  });
  await page.mouse.click(...target);
  await page.waitForSelector('.pick:not([hidden])');
};
await pick();
check('a click on a particle tells its fields', (await page.textContent('.pick')).includes('velocity'));
check(
  'on the other side of the picture',
  await ask(() => {
    const at = document.querySelector('.marker').getBoundingClientRect(),
      box = document.querySelector('.pick').getBoundingClientRect(),
      middle = document.querySelector('.stage').getBoundingClientRect().width / 2;
    return at.left + at.width / 2 > middle ? box.left < 20 : box.left > 20;
  }),
);
await shot('2-pick');
await page.keyboard.press('Escape');
await page.keyboard.press('w');
await until(() => window.meniscus.state.look === 'water');
await page.waitForTimeout(300);
await shot('3-water');
await page.keyboard.press('w');

// ------------------------------------------------------------------------------------------------- steer, plots
await page.click('.tabs button:nth-child(2)');
const slider = page.locator('input[type=range][aria-label="gravity x"]');
await slider.focus();
await slider.press('End');
await until(() => document.querySelectorAll('.diary b').length === 1);
check(
  'a slider changes the run',
  (await page.textContent('.diary')).includes('gravity=['),
  await page.textContent('.diary'),
);
await shot('4-steer');
check(
  'a wall that stands still has sliders for its motion, beside a body too',
  (await page.locator('input[type=range][aria-label="walls.tank.motion.velocity x"]').count()) === 1,
);
const number = page.locator('input[type=number][aria-label="pressure.max_iterations, number"]');
await number.fill('57');
await number.press('Enter');
await page.locator('input[type=range][aria-label="bodies.cube.density"]').press('ArrowRight');
await until(() => document.querySelectorAll('.diary b').length === 3);
check(
  'counts and densities change too',
  /pressure.max_iterations=57.*bodies.cube.density=5\d\d/.test(await page.textContent('.diary')),
  await page.textContent('.diary'),
);
await page.locator('select[aria-label="pressure.iteration"]').selectOption('jacobi');
await until(() => document.querySelectorAll('.diary b').length === 4);
await page.locator('input[type=checkbox][aria-label="bodies.cube.contacts"]').uncheck();
await until(() => document.querySelectorAll('.diary b').length === 5);
check(
  'words are chosen from a list, marks by a check box',
  /pressure.iteration=jacobi.*bodies.cube.contacts=false/.test(await page.textContent('.diary')),
  await page.textContent('.diary'),
);

// Distance in CIE Lab of every colour of every scale to both backgrounds. 25: seen at a glance; white on white has 1.
const faint = await ask(() => {
  const lab = (colour) => {
    const [r, g, b] = colour.map((u) => (u <= 0.04045 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4)),
      f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116),
      x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
      y = f(0.2126 * r + 0.7152 * g + 0.0722 * b),
      z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const { picture } = window.meniscus,
    select = document.querySelector('#scale'),
    first = select.value,
    least = [];
  for (const theme of ['dark', 'light']) {
    picture.setTheme(theme);
    const ground = lab([picture.clear.r, picture.clear.g, picture.clear.b]);
    for (const { value } of select.options) {
      select.value = value;
      select.dispatchEvent(new Event('change'));
      const { data } = picture.shared.rampMap.value.image;
      for (let i = 0; i < data.length; i += 4) {
        const colour = lab([data[i], data[i + 1], data[i + 2]].map((c) => c / 255)),
          apart = Math.hypot(...colour.map((c, k) => c - ground[k]));
        if (apart < 25) least.push(`${value} ${theme} ${i / 4}: ${apart.toFixed(1)}`);
      }
    }
  }
  select.value = first;
  select.dispatchEvent(new Event('change'));
  return least;
});
check('no colour of a scale is lost on the background', faint.length === 0, faint.slice(0, 4).join(', '));

// ------------------------------------------------------------------------------------------------- a second browser
const dark = await browser.newContext({ viewport: { width: 860, height: 520 }, colorScheme: 'dark' });
const other = await dark.newPage();
other.setDefaultTimeout(60000);
await other.goto(server.url);
await other.waitForFunction(() => window.meniscus?.picture?.frames > 0 && document.querySelector('.diary b'));
check('a second browser sees the run and what was changed', (await other.textContent('.diary')).includes('gravity=['));
check(
  'dark where the system is, light where not',
  (await other.evaluate(() => document.documentElement.dataset.theme)) === 'dark' &&
    (await ask(() => document.documentElement.dataset.theme)) === 'light',
);
check(
  'and would save or restart with it',
  await other.evaluate(() => window.meniscus.steer.sets().some((set) => set.startsWith('gravity=['))),
);
await other.screenshot({ path: `${shots}/8-second-dark.png` });
const one = await ask(() => window.meniscus.state.server.step);
await other.click('#step');
await until((n) => window.meniscus.state.head.step === n + 1, one);
check('a step there is seen here', true);
await dark.close();
await page.click('#play');
await until((n) => window.meniscus.state.server.step > n + 25, still);
await until(() => window.meniscus.plots.tables.stats.series.get('momentum_x').y.slice(-1)[0] > 0.5); // rows come later
check('and its momentum follows', true);
await until(() => window.meniscus.steer.rows.get('walls.tank.friction').value[0] < 1);
check(
  'what follows keyframes moves its slider and is not taken for a change',
  await ask(() => !window.meniscus.steer.sets().some((set) => set.startsWith('walls.tank.friction'))),
);
await page.click('#play');
await until(() => window.meniscus.state.server.status === 'paused');
await page.click('.tabs button:nth-child(3)');
await until(() => document.querySelectorAll('.plot').length > 30);
const missing = await ask(
  ([stats, bodies]) => {
    const there = [...document.querySelectorAll('.plot')].map((e) => e.title);
    return [
      ...stats.filter((c) => c !== 'time').map((c) => `stats.csv, ${c}`),
      ...bodies.filter((c) => c !== 'time' && c !== 'body').map((c) => `bodies.csv, cube · ${c}`),
    ].filter((name) => !there.includes(name));
  },
  ['stats', 'bodies'].map((name) => fs.readFileSync(`${work}/live/${name}.csv`, 'utf8').split('\n')[0].split(',')),
);
check('every column of stats.csv and bodies.csv has a plot', missing.length === 0, missing.join(' '));
await page.setViewportSize({ width: 400, height: 800 });
const over = await ask(() =>
  [...document.querySelectorAll('button, input, select, canvas')]
    .filter((e) => {
      const place = e.getBoundingClientRect();
      return e.offsetParent && (place.right > innerWidth || place.left < 0);
    })
    .map((e) => e.outerHTML.slice(0, 80)),
);
check('a narrow window has room for all', over.length === 0, over.join(' '));
await page.waitForTimeout(300);
await shot('9-narrow');
await page.setViewportSize({ width: 860, height: 520 });
await page.keyboard.press('t');
await page.waitForTimeout(300);
await shot('5-plots-dark');

// ------------------------------------------------------------------------------------------------- timeline
await page.click('#back');
const now = await ask(() => window.meniscus.state.server.time);
await until(() => window.meniscus.state.shown >= 0 && !window.meniscus.state.follow);
const past = await ask(() => window.meniscus.state.head.time);
check('the timeline goes back to the frame on disk before now', past < now && past > now - 0.0101, `${past} of ${now}`);
await page.click('#live');
await until(() => window.meniscus.state.follow && window.meniscus.state.head.frame === -1);
const download = page.waitForEvent('download');
await page.click('#screenshot');
const picture = await (await download).path();
check(
  'a screenshot is a picture',
  fs.statSync(picture).size > 5000 && fs.readFileSync(picture).subarray(1, 4).toString() === 'PNG',
);

const film = page.waitForEvent('download');
await page.keyboard.press('r');
const drawn = await ask(() => window.meniscus.picture.frames);
await page.waitForTimeout(1500);
await until((n) => window.meniscus.picture.frames > n + 3, drawn); // a busy machine draws less often than once a second
await page.keyboard.press('r');
const filmSize = fs.statSync(await (await film).path()).size;
check('a recording is a film', filmSize > 1000, `${filmSize} bytes`);

// ------------------------------------------------------------------------------------------------- save and restart
await page.click('.tabs button:nth-child(2)');
await page.click('.fold summary');
await page.fill('textarea.more', 'time.end=0.06');
await page.click('text=Save scene');
await until(() => window.meniscus.state.saved);
const file = await ask(() => window.meniscus.state.saved.path);
await page.click('text=Restart with these values');
await until(() => window.meniscus.state.scene?.generation === 2 && window.meniscus.state.server.status === 'ended');
check(
  'when it has ended, values are for the next start',
  (await page.textContent('.tab-body:not([hidden]) > .hint:not([hidden])')).includes('next start'),
);
check('a restart runs to its end', (await ask(() => window.meniscus.state.scene.dir)) === 'live-2');
spawnSync(meniscus, ['run', file, '-o', 'saved', '-q'], { cwd: work });
check(
  'the saved scene runs to the same bits',
  fs.existsSync(`${work}/saved/stats.csv`) &&
    fs.readFileSync(`${work}/saved/stats.csv`).equals(fs.readFileSync(`${work}/live-2/stats.csv`)),
);

// ------------------------------------------------------------------------------------------------- another server
const seen = problems.filter((text) => !/GPU stall|swiftshader|software/i.test(text));
check('nothing on the console', seen.length === 0, seen.join(' | '));
server.child.kill('SIGINT');
await ended(server.child);
await until(() => document.body.classList.contains('lost'));
const count = await received();
server = await serve(port, 'live');
await until((n) => window.meniscus.state.received > n + 2 && window.meniscus.state.scene.mode === 'stored', count);
check(
  'it connects again by itself, here to the finished run',
  !(await ask(() => document.body.classList.contains('lost'))),
);
await until(() => window.meniscus.state.frame > 1);
check('and plays it', true);
await page.click('#play');
await shot('6-stored');
const frames = await ask(() => window.meniscus.state.server.frames);
await page.keyboard.press('End');
await until((n) => window.meniscus.state.shown === n - 1, frames);
const told = () => ask(() => document.querySelector('.pick:not([hidden]) table')?.textContent ?? '');
await pick();
const atEnd = await told();
await page.keyboard.press('ArrowLeft');
await until((old) => (document.querySelector('.pick:not([hidden]) table')?.textContent ?? old) !== old, atEnd);
check('a picked particle is followed through a finished run', true);
await page.keyboard.press('Escape');
await page.keyboard.press('ArrowRight');
await until((n) => window.meniscus.state.shown === n - 1, frames);
await page.keyboard.press('ArrowLeft');
await until((n) => window.meniscus.state.shown === n - 2, frames);
await ask(() => (window.meniscus.state.playing = true));
await until((n) => window.meniscus.state.frame < n - 2, frames);
check('a loop begins again', true);
await page.click('#loop');
await page.keyboard.press('End');
await page.keyboard.press('ArrowLeft');
await until((n) => window.meniscus.state.shown === n - 2, frames);
await ask(() => (window.meniscus.state.playing = true));
await until(() => !window.meniscus.state.playing);
check('without it the last frame stays', (await ask(() => window.meniscus.state.frame)) === frames - 1);
await page.selectOption('#speed', '0.1');
await page.click('#play');
// From the moment at which one comes to the moment at which the sixth after it comes: 2 s. The page makes up for a
// picture that was late by up to 433 ms (one frame and 100 ms), so the first may have been so late.
const took = await ask(
  () =>
    new Promise((resolve) => {
      const { state } = window.meniscus,
        before = state.frame;
      let first = 0,
        start = 0;
      const look = (now) => {
        if (!start && state.frame !== before) [start, first] = [now, state.frame];
        if (start && state.frame >= first + 6) resolve(now - start);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }),
);
check('six frames at a tenth of the speed take more than a second and a half', took > 1550, `${took} ms`);
await page.click('#play');
await page.click('#home');
await page.waitForSelector('.card');
await page.waitForTimeout(300);
check(
  'the list has scenes, each with a picture',
  (await page.locator('.card img').count()) > 60 && (await page.locator('.noimage').count()) === 0,
);
await shot('7-list');
await page.fill('.hero .search', 'no such scene');
check('what is not there is said', (await page.textContent('.gallery > .hint:not([hidden])')).includes('No scene'));
await page.fill('.hero .search', 'basics/tank');
await page.keyboard.press('Tab');
await page.keyboard.press('Enter');
await until(() => window.meniscus.state.scene?.title === 'Water in a tank' && window.meniscus.state.head?.step >= 0);
check('a scene of the list runs by keys alone', (await ask(() => window.meniscus.state.scene.mode)) === 'live');

// ------------------------------------------------------------------------------------------------- without WebGL
const plain = await context.newPage();
plain.setDefaultTimeout(60000);
const wrong = [];
plain.on('pageerror', (error) => wrong.push(error.message));
await plain.addInitScript(() => {
  HTMLCanvasElement.prototype.getContext = () => null;
});
await plain.goto(server.url);
await plain.waitForSelector('.fatal');
await plain.waitForTimeout(300);
check('without WebGL it says what is wrong', (await plain.textContent('.fatal')).includes('WebGL'));
check('and nothing but that', wrong.join(' ') === 'no WebGL 2', wrong.join(' '));
const closed = await serve(0, 'live', '--token', 'abcdefgh1234');
const guest = await context.newPage();
guest.setDefaultTimeout(60000);
await guest.goto(closed.url.split('?')[0]);
await guest.waitForSelector('.fatal');
check('without its token the page says so', (await guest.textContent('.fatal')).includes('token'));
await guest.goto(closed.url);
await guest.waitForFunction(() => window.meniscus?.picture?.frames > 0);
check('with it the page works', true);
const taken = await Promise.all(
  Array.from(
    { length: 24 },
    () =>
      new Promise((resolve) => {
        const asked = http.get(closed.url.replace('/?', '/ws?'), {
          headers: {
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            'Sec-WebSocket-Version': 13,
            'Sec-WebSocket-Key': 'c2l4dGVlbiBsZXR0ZXJzIQ==',
          },
        });
        asked.on('upgrade', (_, socket) => resolve(socket));
        asked.on('error', () => resolve(null)); // one is refused: the guest has a place
      }),
  ),
);
const late = await context.newPage();
late.setDefaultTimeout(60000);
await late.goto(closed.url);
await late.waitForFunction(() => document.querySelector('.chip')?.textContent.startsWith('Too many'));
check('where no place is free the page says so', true);
taken.forEach((socket) => socket?.destroy());
await guest.close();
await late.waitForFunction(() => window.meniscus?.picture?.frames > 0);
check('and comes in when one is', true);
closed.child.kill('SIGINT');
await ended(closed.child);
await browser.close();
server.child.kill('SIGINT');
await ended(server.child);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
