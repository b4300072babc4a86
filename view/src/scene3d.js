// The picture: particles as spheres or water, what stands around them, camera, clip plane, picking.
import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Color,
  DataTexture,
  DepthTexture,
  DoubleSide,
  FloatType,
  GLSL3,
  HalfFloatType,
  Matrix4,
  Mesh,
  NearestFilter,
  NoBlending,
  AdditiveBlending,
  NormalBlending,
  OrthographicCamera,
  PerspectiveCamera,
  Points,
  Quaternion,
  RawShaderMaterial,
  RedFormat,
  RGBAFormat,
  RGFormat,
  Scene,
  UnsignedIntType,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
  WebGLRenderTarget,
  LinearFilter,
  NoColorSpace,
  LinearSRGBColorSpace,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { ramp } from './colours.js';
import * as shaders from './shaders.js';

const GROUPS = 24;
// Where a picture takes longer than a thirtieth of a second, pictures in motion have fewer points; one that stands
// still has all again.
const SHARPNESS = [1, 0.75, 0.5],
  SLOW = 42, // ms: at 60 Hz two refreshes are in time, three are not
  QUICK = 24,
  STILL = 250;
const WATER = [0.16, 0.58, 0.74];
const toLinear = (c) => c.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
const themes = {
  light: {
    backdrop: [0.93, 0.945, 0.955],
    ground: [0.86, 0.88, 0.895],
    sky: [0.86, 0.92, 1.0],
    floor: [0.42, 0.4, 0.38],
  },
  dark: { backdrop: [0.055, 0.07, 0.09], ground: [0.1, 0.12, 0.145], sky: [0.62, 0.72, 0.85], floor: [0.2, 0.2, 0.22] },
};

// Axes of a triangle: along its first side, across it, and its normal, nine numbers.
function axesOf(x, t, out) {
  const ax = x[t + 3] - x[t],
    ay = x[t + 4] - x[t + 1],
    az = x[t + 5] - x[t + 2];
  const bx = x[t + 6] - x[t],
    by = x[t + 7] - x[t + 1],
    bz = x[t + 8] - x[t + 2];
  let nx = ay * bz - az * by,
    ny = az * bx - ax * bz,
    nz = ax * by - ay * bx;
  const a = 1 / (Math.hypot(ax, ay, az) || 1),
    n = 1 / (Math.hypot(nx, ny, nz) || 1);
  nx *= n;
  ny *= n;
  nz *= n;
  out[0] = ax * a;
  out[1] = ay * a;
  out[2] = az * a;
  out[3] = ny * out[2] - nz * out[1];
  out[4] = nz * out[0] - nx * out[2];
  out[5] = nx * out[1] - ny * out[0];
  out[6] = nx;
  out[7] = ny;
  out[8] = nz;
}

// Normals turn with their triangles.
const then = new Float64Array(9),
  now = new Float64Array(9);
function turnNormals(rest, restNormal, x, normal) {
  for (let t = 0; t + 8 < x.length; t += 9) {
    axesOf(rest, t, then);
    axesOf(x, t, now);
    for (let k = t; k < t + 9; k += 3)
      for (let a = 0; a < 3; a++) {
        let sum = 0;
        for (let q = 0; q < 9; q += 3)
          sum +=
            (restNormal[k] * then[q] + restNormal[k + 1] * then[q + 1] + restNormal[k + 2] * then[q + 2]) * now[q + a];
        normal[k + a] = sum;
      }
  }
}

export class Picture {
  constructor(canvas, context, onPick) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // the shaders write sRGB themselves
    this.renderer.autoClear = false;
    this.gl = this.renderer.getContext();
    this.floats = !!this.gl.getExtension('EXT_color_buffer_float');
    this.gl.getExtension('EXT_float_blend');
    this.camera = new PerspectiveCamera(40, 1, 0.01, 100);
    this.solids = new Scene(); // opaque
    this.glass = new Scene();
    this.moving = [];
    this.skins = []; // of soft solids
    this.softCount = 0;
    this.look = 'spheres';
    this.painted = true;
    this.dirty = true;
    this.frames = 0;
    this.coarse = 0; // index into SHARPNESS
    this.slow = 0;
    this.drawnAt = -Infinity;
    this.groupCount = 1;
    this.makeParticles();
    this.makeGround();
    this.makeWater();
    this.setTheme('light');
    this.setScale('Lagoon');
    this.watchPointer(onPick);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
    this.warm();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.dirty = true;
    });
  }

  // ---------------------------------------------------------------------------------------------- particles

  makeParticles() {
    const shared = {
      low: { value: new Vector3() },
      span: { value: new Vector3(1, 1, 1) },
      radius: { value: 0.01 },
      scale: { value: 500 },
      clip: { value: new Vector4(0, 0, 0, 1) },
      range: { value: new Vector2(0, 1) },
      hidden: { value: new Array(GROUPS).fill(0) },
      groupScale: { value: new Array(GROUPS).fill(1) },
      groupColour: { value: Array.from({ length: GROUPS }, () => new Vector3(...WATER)) },
      rampMap: { value: null },
      painted: { value: 1 },
      lamp: { value: new Vector3(0.35, 0.75, 0.55).normalize() },
      sky: { value: new Vector3() },
      floorLight: { value: new Vector3() },
      backdrop: { value: new Vector3() },
    };
    this.shared = shared;
    const material = (fragment, more = {}) =>
      new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: shaders.pointVertex,
        fragmentShader: fragment,
        uniforms: shared,
        ...more,
      });
    this.geometry = new BufferGeometry();
    this.materials = {
      spheres: material(shaders.pointFragment),
      depth: material(shaders.depthFragment, { blending: NoBlending }),
      thick: material(shaders.thickFragment, {
        blending: AdditiveBlending,
        depthTest: false,
        depthWrite: false,
        transparent: true,
      }),
    };
    this.points = new Points(this.geometry, this.materials.spheres);
    this.points.frustumCulled = false;
    this.fluid = new Scene();
    this.fluid.add(this.points);
  }

  setParticles(p, head) {
    const g = this.geometry;
    if (!g.attributes.position || p.grown || g.attributes.position.array !== p.position) {
      p.grown = false;
      g.setAttribute('position', new BufferAttribute(p.position, 3, true));
      g.setAttribute('value', new BufferAttribute(p.value, 1, true));
      g.setAttribute('group', new BufferAttribute(p.group, 1, false));
    }
    const mark = (name, width) => {
      const attribute = g.attributes[name];
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, p.count * width);
      attribute.needsUpdate = true;
    };
    mark('position', 3);
    if (p.hasValue) mark('value', 1);
    if (head.grouped) mark('group', 1);
    g.setDrawRange(0, p.count);
    this.shared.low.value.fromArray(p.low);
    this.shared.span.value.fromArray(p.span);
    this.particles = p;
    this.setPoses(p.poses);
    this.bendSkins();
    this.dirty = true;
  }

  // Colours from `low` to `high`, where the 16 bits run from `least` to `most`.
  setRange(low, high, least, most) {
    const width = Math.max(most - least, 1e-30);
    this.shared.range.value.set((low - least) / width, (high - least) / width);
    this.dirty = true;
  }

  setScale(name) {
    const texture = new DataTexture(ramp(name), 256, 1, RGBAFormat);
    texture.minFilter = texture.magFilter = LinearFilter;
    texture.colorSpace = NoColorSpace;
    texture.needsUpdate = true;
    if (this.shared.rampMap.value) this.shared.rampMap.value.dispose();
    this.shared.rampMap.value = texture;
    this.dirty = true;
  }

  setGroups(groups, spacing) {
    this.groupCount = groups.length;
    this.spacing = spacing;
    this.shared.radius.value = 0.5 * spacing;
    const liquids = [
      [0.16, 0.58, 0.74],
      [0.85, 0.55, 0.15],
      [0.35, 0.65, 0.3],
      [0.6, 0.3, 0.65],
    ];
    // one liquid, one colour
    const kinds = [...new Set(groups.filter((g) => !g.solid && !g.empty && !g.colour).map((g) => g.like))];
    groups.forEach((group, k) => {
      if (k >= GROUPS) return;
      const colour = group.colour || liquids[Math.max(0, kinds.indexOf(group.like)) % liquids.length];
      this.shared.groupColour.value[k].set(group.solid ? -colour[0] || -0.01 : colour[0], colour[1], colour[2]);
      this.shared.groupScale.value[k] = group.spacing / spacing;
      this.shared.hidden.value[k] = 0;
    });
    this.dirty = true;
  }

  hideGroup(k, hidden) {
    const skins = this.skins.filter((skin) => skin.group === k);
    this.shared.hidden.value[k] = hidden || skins.length ? 1 : 0; // its skin hides the particles
    for (const skin of skins) skin.mesh.visible = !hidden;
    this.dirty = true;
  }

  // ---------------------------------------------------------------------------------------- what stands around

  makeGround() {
    const target = () =>
      new WebGLRenderTarget(256, 256, {
        type: HalfFloatType,
        format: RedFormat,
        minFilter: LinearFilter,
        magFilter: LinearFilter,
        depthBuffer: false,
      });
    this.shadowTarget = target();
    this.shadowHalf = target(); // smoothed along one side
    this.shadowCamera = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
    this.shadowMatrix = new Matrix4();
    this.groundMaterial = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: shaders.groundVertex,
      fragmentShader: shaders.groundFragment,
      side: DoubleSide,
      transparent: true,
      uniforms: {
        centre: { value: new Vector3() },
        backdrop: this.shared.backdrop,
        ground: { value: new Vector3() },
        up: { value: new Vector3(0, 1, 0) },
        extent: { value: 1 },
        shadowMap: { value: this.shadowTarget.texture },
        shadowMatrix: { value: this.shadowMatrix },
      },
    });
    this.ground = new Mesh(new CircleGeometry(1, 64), this.groundMaterial);
    this.solids.add(this.ground);
    this.shadowMaterial = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: shaders.shadowVertex,
      fragmentShader: shaders.shadowFragment,
      uniforms: { low: this.shared.low, span: this.shared.span, size: { value: 6 } },
      blending: AdditiveBlending,
      depthTest: false,
      depthWrite: false,
      transparent: true,
    });
    this.shadows = this.floats;
  }

  setScene(scene) {
    this.scene = scene;
    this.setGroups(scene.groups, scene.spacing);
    const low = new Vector3(...scene.low),
      high = new Vector3(...scene.high);
    this.centre = low.clone().add(high).multiplyScalar(0.5);
    this.extent = Math.max(high.distanceTo(low) * 0.5, scene.spacing * 4);
    this.up = new Vector3(...scene.up).normalize();
    this.shared.clip.value.set(0, 0, 0, 1);
    const g = this.groundMaterial.uniforms;
    g.centre.value.copy(this.centre);
    g.up.value.copy(this.up);
    g.extent.value = this.extent;
    this.ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.ground.position.copy(this.centre).addScaledVector(this.up, scene.ground - this.centre.dot(this.up));
    this.ground.scale.setScalar(this.extent * 5);
    this.placeShadow();
    this.waterUniforms.up.value.copy(this.up);
    this.waterUniforms.clarity.value = this.extent * 0.3;
    this.resetCamera();
  }

  placeShadow() {
    const c = this.shadowCamera,
      r = this.extent * 1.8;
    const side = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
    c.left = c.bottom = -r;
    c.right = c.top = r;
    c.near = 0;
    c.far = this.extent * 40;
    c.up.copy(side);
    c.position.copy(this.centre).addScaledVector(this.up, this.extent * 20);
    c.lookAt(this.centre);
    c.updateProjectionMatrix();
    c.updateMatrixWorld();
    this.shadowMatrix.multiplyMatrices(c.projectionMatrix, c.matrixWorldInverse);
    this.shadowMaterial.uniforms.size.value = Math.max(2.5, (this.spacing / r) * 256 * 1.6);
  }

  // Long: reads a record from its first byte to its last.
  setGeometry(buffer) {
    for (const scene of [this.solids, this.glass])
      for (const child of [...scene.children])
        if (child !== this.ground) {
          scene.remove(child);
          child.geometry.dispose();
          child.material.dispose();
        }
    this.moving = [];
    this.skins = [];
    const view = new DataView(buffer);
    if (buffer.byteLength < 12 || view.getUint32(0, true) !== 0x31474e4d) return;
    this.softCount = view.getUint32(8, true);
    let at = 12;
    for (let k = view.getUint32(4, true); k > 0; k--) {
      const i = (n) => view.getInt32(at + 4 * n, true),
        f = (n) => view.getFloat32(at + 4 * n, true);
      const moving = i(0),
        material = i(1),
        flags = i(2),
        corners = i(3),
        colour = [f(4), f(5), f(6)];
      at += 28;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(buffer.slice(at, at + corners * 12)), 3));
      at += corners * 12;
      const packed = new Int8Array(buffer, at, corners * 4),
        normal = new Float32Array(corners * 3);
      for (let c = 0; c < corners; c++) for (let a = 0; a < 3; a++) normal[3 * c + a] = packed[4 * c + a] / 127;
      geometry.setAttribute('normal', new BufferAttribute(normal, 3));
      at += corners * 4;
      const glass = material === 1;
      const mesh = new Mesh(
        geometry,
        new RawShaderMaterial({
          glslVersion: GLSL3,
          vertexShader: shaders.propVertex,
          fragmentShader: shaders.propFragment,
          side: DoubleSide,
          transparent: glass,
          depthWrite: !glass,
          uniforms: {
            base: { value: new Vector3(...colour) },
            lamp: this.shared.lamp,
            sky: this.shared.sky,
            floorLight: this.shared.floorLight,
            backdrop: this.shared.backdrop,
            glass: { value: glass ? 1 : 0 },
            metal: { value: material === 2 ? 1 : 0 },
            oneSided: { value: flags & 1 },
          },
        }),
      );
      mesh.frustumCulled = false;
      (glass ? this.glass : this.solids).add(mesh);
      if (moving >= 0) this.moving.push([mesh, moving]);
      if (flags & 2) at = this.addSkin(buffer, view, at, mesh, corners);
    }
    for (const skin of this.skins) this.hideGroup(skin.group, false);
    if (this.particles) {
      this.setPoses(this.particles.poses);
      this.bendSkins();
    }
    this.dirty = true;
  }

  setPoses(poses) {
    for (const [mesh, k] of this.moving) {
      if (7 * k + 7 > poses.length) continue;
      const p = poses.subarray(7 * k, 7 * k + 7);
      mesh.position.set(p[0], p[1], p[2]);
      mesh.quaternion.copy(new Quaternion(p[4], p[5], p[6], p[3]));
    }
  }

  // A soft solid: its corners follow the particles around them (mn_binding of src/render/props.h).
  addSkin(buffer, view, at, mesh, corners) {
    const group = view.getUint32(at, true),
      count = view.getUint32(at + 4, true),
      entries = view.getUint32(at + 8, true);
    at += 12;
    const take = (Type, n) => {
      const array = new Type(buffer, at, n);
      at += 4 * n;
      return array;
    };
    const { position, normal } = mesh.geometry.attributes;
    const skin = {
      mesh,
      group,
      at: take(Uint32Array, corners),
      first: take(Uint32Array, count + 1),
      particle: take(Uint32Array, entries),
      weight: take(Float32Array, entries),
      offset: take(Float32Array, 3 * count),
      place: new Float32Array(3 * count),
      rest: position.array.slice(),
      restNormal: normal.array.slice(),
    };
    this.skins.push(skin);
    return at;
  }

  bendSkins() {
    const p = this.particles,
      base = p.count - this.softCount; // solids are behind the liquid
    if (base < 0) return;
    const { low, span } = p,
      x = p.position;
    for (const s of this.skins) {
      for (let u = 0; u + 1 < s.first.length; u++) {
        let a = 0,
          b = 0,
          c = 0;
        for (let e = s.first[u]; e < s.first[u + 1]; e++) {
          const i = 3 * (base + s.particle[e]),
            w = s.weight[e];
          a += w * (low[0] + (x[i] / 65535) * span[0]);
          b += w * (low[1] + (x[i + 1] / 65535) * span[1]);
          c += w * (low[2] + (x[i + 2] / 65535) * span[2]);
        }
        s.place[3 * u] = s.offset[3 * u] + a;
        s.place[3 * u + 1] = s.offset[3 * u + 1] + b;
        s.place[3 * u + 2] = s.offset[3 * u + 2] + c;
      }
      const { position, normal } = s.mesh.geometry.attributes;
      for (let k = 0; k < s.at.length; k++)
        for (let a = 0; a < 3; a++) position.array[3 * k + a] = s.place[3 * s.at[k] + a];
      turnNormals(s.rest, s.restNormal, position.array, normal.array);
      position.needsUpdate = normal.needsUpdate = true;
    }
  }

  showWalls(shown) {
    for (const scene of [this.solids, this.glass])
      for (const child of scene.children) if (child !== this.ground) child.visible = shown;
    this.dirty = true;
  }

  // ------------------------------------------------------------------------------------------------- camera

  resetCamera() {
    const c = this.scene.camera;
    this.camera.up.set(...c.up);
    this.camera.fov = c.fov;
    const target = new Vector3(...c.target),
      narrow = Math.max(1, c.aspect / this.camera.aspect); // wide scenes in narrow windows
    this.camera.position
      .set(...c.eye)
      .sub(target)
      .multiplyScalar(narrow)
      .add(target);
    if (this.controls) this.controls.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.target.set(...c.target);
    this.controls.addEventListener('change', () => {
      this.dirty = true;
    });
    this.controls.update();
    this.resize();
  }

  lookFrom(direction) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(new Vector3(...direction).normalize(), distance);
    this.controls.update();
    this.dirty = true;
  }

  // Around the target, by radians, and to so many times the distance.
  turn(round, over, distance) {
    const { target } = this.controls,
      arm = this.camera.position.clone().sub(target).multiplyScalar(distance),
      side = new Vector3().crossVectors(this.camera.up, arm).normalize();
    const lean = arm.angleTo(this.camera.up);
    arm.applyAxisAngle(side, Math.min(Math.max(over, 0.02 - lean), Math.PI - 0.02 - lean));
    arm.applyAxisAngle(this.camera.up.clone().normalize(), round);
    this.camera.position.copy(target).add(arm);
    this.controls.update();
    this.dirty = true;
  }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    const width = Math.max(16, Math.floor(box.width)),
      height = Math.max(16, Math.floor(box.height));
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2) * SHARPNESS[this.coarse]);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    const size = this.renderer.getDrawingBufferSize(new Vector2());
    for (const target of this.targets || []) target.setSize(size.x, size.y);
    if (this.thickTargets)
      for (const target of this.thickTargets) target.setSize(Math.ceil(size.x / 2), Math.ceil(size.y / 2));
    this.dirty = true;
  }

  setClip(axis, share, flip) {
    const clip = this.shared.clip.value;
    if (axis < 0) clip.set(0, 0, 0, 1);
    else {
      const low = this.scene.low[axis],
        high = this.scene.high[axis],
        at = low + (high - low) * share;
      const n = [0, 0, 0];
      n[axis] = flip ? -1 : 1;
      clip.set(...n, flip ? -at : at);
    }
    this.dirty = true;
  }

  setTheme(name) {
    const t = themes[name];
    const v = (c) => new Vector3(...toLinear(c));
    this.shared.backdrop.value.copy(v(t.backdrop));
    this.shared.sky.value.set(...t.sky).multiplyScalar(name === 'dark' ? 0.5 : 0.62);
    this.shared.floorLight.value.set(...t.floor).multiplyScalar(0.55);
    this.groundMaterial.uniforms.ground.value.copy(v(t.ground));
    this.clear = new Color().setRGB(...t.backdrop);
    this.renderer.setClearColor(this.clear, 1);
    this.dirty = true;
  }

  // -------------------------------------------------------------------------------------------------- water

  // Long: a table of textures, passes and what these read.
  makeWater() {
    const quad = new BufferGeometry();
    quad.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.quadCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    const pass = (fragment, uniforms, more = {}) => {
      const mesh = new Mesh(
        quad,
        new RawShaderMaterial({
          glslVersion: GLSL3,
          vertexShader: shaders.quadVertex,
          fragmentShader: fragment,
          uniforms,
          depthTest: false,
          depthWrite: false,
          blending: NoBlending,
          ...more,
        }),
      );
      mesh.frustumCulled = false;
      const scene = new Scene();
      scene.add(mesh);
      return scene;
    };
    const target = (type, format, depth) =>
      new WebGLRenderTarget(16, 16, {
        type,
        format,
        minFilter: NearestFilter,
        magFilter: NearestFilter,
        depthBuffer: depth,
      });
    this.depthA = target(FloatType, RGFormat, true);
    this.depthB = target(FloatType, RGFormat, false);
    this.thickA = target(HalfFloatType, RedFormat, false);
    this.thickB = target(HalfFloatType, RedFormat, false);
    for (const t of [this.thickA, this.thickB]) t.texture.minFilter = t.texture.magFilter = LinearFilter;
    this.sceneTarget = new WebGLRenderTarget(16, 16, {
      minFilter: LinearFilter,
      magFilter: LinearFilter,
      depthTexture: new DepthTexture(16, 16, UnsignedIntType),
    });
    this.targets = [this.depthA, this.depthB, this.sceneTarget];
    this.thickTargets = [this.thickA, this.thickB];
    this.smoothUniforms = {
      source: { value: null },
      direction: { value: new Vector2() },
      radius: this.shared.radius,
      focal: { value: 500 },
    };
    this.blurUniforms = { source: { value: null }, direction: { value: new Vector2() }, most: { value: 0 } };
    this.waterUniforms = {
      depthMap: { value: this.depthA.texture },
      thickMap: { value: this.thickA.texture },
      sceneMap: { value: this.sceneTarget.texture },
      sceneDepth: { value: this.sceneTarget.depthTexture },
      rampMap: this.shared.rampMap,
      pixel: { value: new Vector2() },
      projectionMatrix: { value: this.camera.projectionMatrix },
      inverseProjection: { value: this.camera.projectionMatrixInverse },
      viewMatrix: { value: this.camera.matrixWorldInverse },
      groupColour: this.shared.groupColour,
      painted: this.shared.painted,
      clarity: { value: 1 },
      up: { value: new Vector3(0, 1, 0) },
      lamp: this.shared.lamp,
      sky: this.shared.sky,
      floorLight: this.shared.floorLight,
      backdrop: this.shared.backdrop,
    };
    this.smoothPass = pass(shaders.smoothFragment, this.smoothUniforms);
    this.blurPass = pass(shaders.blurFragment, this.blurUniforms);
    this.waterPass = pass(shaders.waterFragment, this.waterUniforms, { depthTest: true, depthWrite: true });
    this.waterPass.children[0].material.depthFunc = 1; // always: it writes its own
  }

  // Hands all shaders to the driver now: it compiles them while the page waits for the first frame.
  warm() {
    for (const material of [...Object.values(this.materials), this.shadowMaterial]) {
      this.points.material = material;
      this.renderer.compile(this.fluid, this.camera);
    }
    this.points.material = this.materials.spheres;
    this.renderer.compile(this.solids, this.camera);
    for (const pass of [this.smoothPass, this.blurPass, this.waterPass]) this.renderer.compile(pass, this.quadCamera);
  }

  drawInto(target, scene, camera, clear = [0, 0, 0, 0]) {
    const r = this.renderer;
    r.setRenderTarget(target);
    if (clear) {
      r.setClearColor(new Color(clear[0], clear[1], clear[2]), clear[3]);
      r.clear();
    }
    r.render(scene, camera);
  }

  // `way` is for what lies between; `step`: in points.
  blur(target, way, step, most) {
    const u = this.blurUniforms;
    u.most.value = most;
    u.source.value = target.texture;
    u.direction.value.set(step / target.width, 0);
    this.drawInto(way, this.blurPass, this.quadCamera);
    u.source.value = way.texture;
    u.direction.value.set(0, step / target.height);
    this.drawInto(target, this.blurPass, this.quadCamera);
  }

  drawWater(size) {
    const radius = this.shared.radius.value;
    this.shared.radius.value = radius * 1.35; // spheres that overlap
    const background = [this.clear.r, this.clear.g, this.clear.b, 1];
    this.drawInto(this.sceneTarget, this.solids, this.camera, background);
    this.points.material = this.materials.depth;
    this.drawInto(this.depthA, this.fluid, this.camera);
    this.points.material = this.materials.thick;
    this.shared.scale.value *= 0.5;
    this.drawInto(this.thickA, this.fluid, this.camera);
    this.shared.scale.value *= 2;
    this.points.material = this.materials.spheres;
    this.smoothUniforms.focal.value = size.y * 0.5 * this.camera.projectionMatrix.elements[5];
    const smooth = (from, to, x, y) => {
      this.smoothUniforms.source.value = from.texture;
      this.smoothUniforms.direction.value.set(x / size.x, y / size.y);
      this.drawInto(to, this.smoothPass, this.quadCamera);
    };
    for (let k = 0; k < 2; k++) {
      smooth(this.depthA, this.depthB, 1, 0);
      smooth(this.depthB, this.depthA, 0, 1);
    }
    this.blur(this.thickA, this.thickB, 1, 1e9);
    this.waterUniforms.pixel.value.set(1 / size.x, 1 / size.y);
    this.drawInto(null, this.waterPass, this.quadCamera, background);
    this.shared.radius.value = radius;
  }

  // ------------------------------------------------------------------------------------------------- drawing

  drawShadow() {
    if (!this.shadows) return;
    this.points.material = this.shadowMaterial;
    this.drawInto(this.shadowTarget, this.fluid, this.shadowCamera, [0, 0, 0, 1]);
    this.points.material = this.materials.spheres;
    this.blur(this.shadowTarget, this.shadowHalf, 1.4, 1);
  }

  // Called at every refresh of the screen: what the last picture cost is the time until then.
  pace(now) {
    const took = now - this.drawnAt;
    if (this.drewLast && took < 5000 && !document.hidden) {
      this.slow = took > SLOW ? this.slow + 1 : took < QUICK ? this.slow - 0.1 : this.slow;
      if (this.slow >= 3 && this.coarse + 1 < SHARPNESS.length) this.setCoarse(this.coarse + 1);
      else if (this.slow < -6 && this.coarse > 0) this.setCoarse(this.coarse - 1);
      this.slow = Math.max(this.slow, -7);
    } else if (this.coarse && !this.dirty && took > STILL && !this.sharp) {
      const level = this.coarse;
      this.setCoarse(0);
      this.draw(now);
      this.coarse = level; // for the next one in motion
      this.sharp = true;
      this.drewLast = false;
      return true;
    }
    this.drewLast = this.draw(now);
    return this.drewLast;
  }

  setCoarse(level) {
    this.coarse = level;
    this.slow = 0;
    this.resize();
  }

  // True where something was drawn.
  draw(now = performance.now()) {
    if (!this.scene || !this.particles) return false;
    this.controls.update();
    if (!this.dirty) return false;
    if (this.sharp) {
      this.sharp = false;
      this.resize();
    }
    this.dirty = false;
    this.drawnAt = now;
    const r = this.renderer,
      size = r.getDrawingBufferSize(new Vector2());
    const distance = this.camera.position.distanceTo(this.centre);
    this.camera.near = Math.max(distance - this.extent * 6, distance * 0.01, this.spacing * 0.05);
    this.camera.far = distance + this.extent * 8;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.shared.scale.value = size.y;
    this.shared.painted.value = this.painted ? 1 : 0;
    this.drawShadow();
    if (this.look === 'water' && this.floats) {
      this.drawWater(size);
    } else {
      this.drawInto(null, this.solids, this.camera, [this.clear.r, this.clear.g, this.clear.b, 1]);
      r.render(this.fluid, this.camera);
    }
    r.render(this.glass, this.camera);
    this.frames++;
    return true;
  }

  // ------------------------------------------------------------------------------------------------- picking

  watchPointer(onPick) {
    let down = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4 || event.button !== 0) return;
      onPick(this.nearest(event.clientX, event.clientY));
    });
  }

  // The particle under the pointer, -1: none.
  nearest(clientX, clientY) {
    const p = this.particles;
    if (!p) return -1;
    const box = this.canvas.getBoundingClientRect();
    const ndc = new Vector3(
      ((clientX - box.left) / box.width) * 2 - 1,
      1 - ((clientY - box.top) / box.height) * 2,
      0.5,
    );
    const ray = ndc.unproject(this.camera).sub(this.camera.position).normalize(),
      eye = this.camera.position;
    const clip = this.shared.clip.value,
      hidden = this.shared.hidden.value;
    let best = -1,
      nearest = Infinity;
    const x = [0, 0, 0];
    for (let i = 0; i < p.count; i++) {
      p.at(i, x);
      const k = Math.min(p.group[i], GROUPS - 1),
        r = this.shared.radius.value * this.shared.groupScale.value[k];
      if (clip.x * x[0] + clip.y * x[1] + clip.z * x[2] > clip.w || hidden[k]) continue;
      const dx = x[0] - eye.x,
        dy = x[1] - eye.y,
        dz = x[2] - eye.z;
      const along = dx * ray.x + dy * ray.y + dz * ray.z,
        across = dx * dx + dy * dy + dz * dz - along * along;
      if (along > 0 && along < nearest && across < r * r) {
        best = i;
        nearest = along;
      }
    }
    return best;
  }

  // Where a particle is on the page.
  project(i) {
    const x = new Vector3(...this.particles.at(i, [0, 0, 0])).project(this.camera),
      box = this.canvas.getBoundingClientRect();
    return [((x.x + 1) / 2) * box.width, ((1 - x.y) / 2) * box.height, x.z < 1];
  }

  // With all its points.
  snapshot() {
    const level = this.coarse;
    this.setCoarse(0);
    this.draw();
    this.coarse = level;
    this.sharp = level > 0;
    return new Promise((resolve) => {
      this.canvas.toBlob(resolve, 'image/png');
    });
  }
}
