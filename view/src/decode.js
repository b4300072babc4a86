// Frames as src/view/encode.c writes them. Positions and values stay 16-bit numbers, as the GPU takes them; only the
// blocks that changed are copied.
const BLOCK = 64;
const ALL_POSITIONS = 1,
  ALL_VALUES = 2,
  GROUPS = 4,
  NO_VALUE = 8;

export class Particles {
  constructor() {
    this.count = 0;
    this.room = 0;
    this.position = new Uint16Array(0);
    this.value = new Uint16Array(0);
    this.group = new Uint8Array(0);
    this.low = [0, 0, 0];
    this.span = [1, 1, 1];
    this.poses = new Float32Array(0);
    this.hasValue = false;
    this.milliseconds = 0;
  }

  // Takes a frame in; returns its head, or null where it is none of ours.
  take(buffer) {
    const began = performance.now();
    const view = new DataView(buffer);
    if (buffer.byteLength < 88 || view.getUint32(0, true) !== 0x31464e4d) return null;
    const u = (at) => view.getUint32(at, true),
      f = (at) => view.getFloat32(at, true);
    const head = {
      generation: u(4),
      frame: view.getInt32(8, true),
      count: u(12),
      flags: u(16),
      time: view.getFloat64(32, true),
      step: view.getFloat64(40, true),
      low: [f(48), f(52), f(56)],
      span: [f(60), f(64), f(68)],
      least: f(72),
      most: f(76),
      scaleLow: f(80),
      scaleHigh: f(84),
      bytes: buffer.byteLength,
    };
    const blocks = Math.ceil(head.count / BLOCK);
    this.makeRoom(blocks * BLOCK);
    let at = 88;
    const poses = u(28);
    this.poses = new Float32Array(buffer, at, poses * 7);
    at += poses * 28;
    at = this.blocks(buffer, at, this.position, u(20), blocks, 3, head.flags & ALL_POSITIONS);
    if (!(head.flags & NO_VALUE)) at = this.blocks(buffer, at, this.value, u(24), blocks, 1, head.flags & ALL_VALUES);
    if (head.flags & GROUPS) this.group.set(new Uint8Array(buffer, at, head.count));
    head.grouped = !!(head.flags & GROUPS);
    this.hasValue = !(head.flags & NO_VALUE);
    this.count = head.count;
    this.low = head.low;
    this.span = head.span;
    this.milliseconds = performance.now() - began;
    return head;
  }

  makeRoom(room) {
    if (room <= this.room) return;
    this.room = Math.ceil((room * 1.25) / BLOCK) * BLOCK;
    const grow = (old, size) => {
      const grown = new old.constructor(size);
      grown.set(old);
      return grown;
    };
    this.position = grow(this.position, this.room * 3);
    this.value = grow(this.value, this.room);
    this.group = grow(this.group, this.room);
    this.grown = true;
  }

  blocks(buffer, at, to, changed, blocks, width, all) {
    const size = BLOCK * width;
    if (all) {
      to.set(new Uint16Array(buffer, at, blocks * size));
      return at + blocks * size * 2;
    }
    const numbers = new Uint32Array(buffer, at, changed);
    at += changed * 4;
    for (let k = 0; k < changed; k++) to.set(new Uint16Array(buffer, at + k * size * 2, size), numbers[k] * size);
    return at + changed * size * 2;
  }

  // Where particle i is.
  at(i, out) {
    for (let a = 0; a < 3; a++) out[a] = this.low[a] + (this.position[3 * i + a] / 65535) * this.span[a];
    return out;
  }
}
