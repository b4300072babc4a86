// What a picture of the page costs:
// view_speed.mjs MENISCUS BROWSER MODULES [SCENE] [--software] [--size WxH] [--keep DIR]
// MODULES holds node_modules/playwright-core, as build/page does after `sh tests/run.sh --only page`. Prints the
// time from the first frame to the first picture, that of the page's own program for one new frame, what a picture asks
// of the GPU, and the pictures a second that this browser draws; --software draws without a GPU. --size 1280x800 takes
// another window. --keep leaves what tools/view_gpu.c needs in DIR.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';

const given = process.argv.slice(2),
  software = given.includes('--software'),
  valueOf = (option) => (given.includes(option) ? given[given.indexOf(option) + 1] : null),
  keep = valueOf('--keep'),
  size = valueOf('--size'),
  words = given.filter((w) => !w.startsWith('--') && w !== keep && w !== size);
const [meniscus, executablePath, modules, scene = 'basics/dam-100k'] = words;
if (!modules) {
  console.error('expected: node tools/view_speed.mjs MENISCUS BROWSER MODULES [SCENE] [OPTION ...]; see its head');
  process.exit(2);
}
const SIZE = (size || '1920x1080').split('x').map(Number);
const { chromium } = createRequire(`${fs.realpathSync(modules)}/`)('playwright-core');
const work = fs.mkdtempSync(`${os.tmpdir()}/view-speed-`);
const server = spawn(meniscus, ['view', scene, '--paused', '--no-browser', '-o', `${work}/run`], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => {
  server.kill('SIGKILL');
  fs.rmSync(work, { recursive: true, force: true });
});
const url = await new Promise((resolve) => {
  server.stdout.once('data', (data) => resolve(String(data).split('\n')[0]));
});
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--ignore-gpu-blocklist',
    ...(software ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--enable-gpu']),
  ],
});
const page = await browser.newPage({ viewport: { width: SIZE[0], height: SIZE[1] } });
page.setDefaultTimeout(300000);
// When the first frame has come, and when the last pixel of the first picture is there.
await page.addInitScript(() => {
  const times = (window.firsts = {}),
    Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', (event) => {
        if (typeof event.data === 'string' || times.frame) return;
        times.frame = performance.now();
        times.before = window.meniscus?.picture?.frames ?? 0;
      });
    }
  };
  const look = () => {
    const picture = window.meniscus?.picture;
    if (!times.frame || !(picture?.frames > times.before)) return requestAnimationFrame(look);
    times.handed = performance.now();
    picture.gl.readPixels(0, 0, 1, 1, picture.gl.RGBA, picture.gl.UNSIGNED_BYTE, new Uint8Array(4));
    times.drawn = performance.now();
  };
  requestAnimationFrame(look);
});
await page.goto(url);
await page.waitForFunction(() => window.firsts.drawn);
const first = await page.evaluate(() => window.firsts);
console.log(
  `first picture: handed to the driver ${Math.round(first.handed - first.frame)} ms after the first frame had come, ` +
    `drawn after ${Math.round(first.drawn - first.frame)} ms; it had come ${Math.round(first.frame)} ms after the page`,
);
await page.waitForTimeout(1000);

// Runs in the page. Particles are squares of gl_PointSize pixels; all of them are counted, also those that others hide.
const fragments = (look) => {
  const { picture, particles } = window.meniscus,
    { camera, shared } = picture,
    canvas = picture.renderer.domElement,
    focal = canvas.height * camera.projectionMatrix.elements[5],
    m = camera.matrixWorldInverse.elements,
    radius = shared.radius.value * (look === 'water' ? 1.35 : 1),
    x = [0, 0, 0];
  let sum = 0;
  for (let i = 0; i < particles.count; i++) {
    particles.at(i, x);
    const z = -(m[2] * x[0] + m[6] * x[1] + m[10] * x[2] + m[14]);
    sum += Math.max(1, (focal * radius) / z) ** 2;
  }
  return { pixels: canvas.width * canvas.height, sum };
};
const timed = async (look, rounds) =>
  page.evaluate(
    async ([name, count]) => {
      const { picture, particles, state, link } = window.meniscus,
        { gl } = picture,
        pixel = new Uint8Array(4);
      const sync = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      const old = link.handlers.onFrame;
      // a whole frame, as after a new box: every position and every value
      const buffer = await new Promise((resolve) => {
        link.handlers.onFrame = resolve;
        link.socket.close();
      });
      link.handlers.onFrame = old;
      old(buffer);
      window.meniscus.frame = btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''));
      picture.look = name;
      const own = [],
        all = [];
      for (let k = 0; k < count + 3; k++) {
        sync();
        const start = performance.now();
        const head = particles.take(buffer);
        const taken = performance.now();
        picture.setParticles(particles, head);
        picture.draw();
        const handed = performance.now();
        sync();
        if (k > 2) own.push([taken - start, handed - taken]), all.push(performance.now() - start);
      }
      const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      const debug = gl.getExtension('WEBGL_debug_renderer_info');
      return {
        gpu: debug ? gl.getParameter(debug.UNMASKED_RENDERER_WEBGL) : 'unknown',
        bytes: buffer.byteLength,
        count: state.head.count,
        unpack: middle(own.map((o) => o[0])),
        hand: middle(own.map((o) => o[1])),
        whole: middle(all),
      };
    },
    [look, rounds],
  );
// The whole frame, the camera and the shaders; runs in the page.
const view = () => {
  const { picture, frame } = window.meniscus,
    { shadowCamera, shared } = picture,
    eye = picture.camera,
    canvas = picture.renderer.domElement;
  return {
    frame,
    camera: [
      [canvas.width, canvas.height, shared.radius.value, ...shared.range.value.toArray()],
      eye.matrixWorldInverse.elements,
      eye.projectionMatrix.elements,
      eye.projectionMatrixInverse.elements,
      shadowCamera.matrixWorldInverse.elements,
      shadowCamera.projectionMatrix.elements,
      [picture.shadowMaterial.uniforms.size.value],
    ]
      .map((row) => [...row].join(' '))
      .join('\n'),
  };
};
async function keepAll() {
  const { frame, camera } = await page.evaluate(view);
  fs.mkdirSync(keep, { recursive: true });
  fs.writeFileSync(`${keep}/frame.bin`, Buffer.from(frame, 'base64'));
  fs.writeFileSync(`${keep}/view.txt`, `${camera}\n`);
  const text = fs.readFileSync(new URL('../view/src/shaders.js', import.meta.url), 'utf8');
  for (const [name, source] of Object.entries(await import(`data:text/javascript,${encodeURIComponent(text)}`)))
    fs.writeFileSync(`${keep}/${name}`, source);
}
const number = (x, digits = 2) => Number(x.toPrecision(digits)).toString();
for (const look of ['spheres', 'water']) {
  const cost = await page.evaluate(fragments, look);
  const seen = await timed(look, software ? 3 : 60);
  if (keep && look === 'spheres') await keepAll();
  // hardly any pixels: what is left is the work of the page
  await page.addStyleTag({ content: '#app { grid-template: 48px 16px 56px / 16px 340px !important; }' });
  await page.waitForTimeout(500);
  const small = await timed(look, 15);
  await page.evaluate(() => document.head.lastElementChild.remove());
  await page.waitForTimeout(500);
  if (look === 'spheres') console.log(`${small.count} particles, ${small.bytes} bytes in a whole frame; ${seen.gpu}`);
  console.log(
    `${look}: page ${number(small.unpack)} ms to unpack, ${number(small.hand)} ms to hand over and draw; ` +
      `${number(cost.sum / 1e6)} million fragments of particles in ${number(cost.pixels / 1e6, 3)} million pixels; ` +
      `${number(seen.whole, 3)} ms a picture here, ${number(1000 / seen.whole)} a second`,
  );
}
await browser.close();
server.kill('SIGINT');
process.exit(0);
