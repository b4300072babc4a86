// Shaders of particles and water. Linear light inside, sRGB at the end.
const common = `
precision highp float;
precision highp int;
`;

const place = `
uniform vec3 low, span;
uniform float radius, scale;
uniform vec4 clip;
uniform vec2 range;      // of the values, in parts of the 16 bits
uniform float hidden[24];
in vec3 position;        // 0 to 1 in the box
in float value;
in float group;
out float shade;
flat out int kind;
vec4 placed(out float size) {
  vec3 x = low + span * position;
  vec4 v = modelViewMatrix * vec4(x, 1.0);
  shade = clamp((value - range.x) / max(range.y - range.x, 1e-9), 0.0, 1.0);
  kind = int(group + 0.5);
  vec4 p = projectionMatrix * v;
  float r = radius * groupScale[min(kind, 23)];
  size = scale * r / max(-v.z, 1e-6) * projectionMatrix[1][1];
  if (dot(clip.xyz, x) > clip.w || hidden[min(kind, 23)] > 0.5) { size = 0.0; p = vec4(2.0, 2.0, 2.0, 1.0); }
  return p;
}
`;

export const pointVertex = `${common}
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float groupScale[24];
${place}
out vec3 centre;
out float sphere;
void main() {
  float size;
  gl_Position = placed(size);
  vec4 v = modelViewMatrix * vec4(low + span * position, 1.0);
  centre = v.xyz;
  sphere = radius * groupScale[min(kind, 23)];
  gl_PointSize = max(size, 1.0);
}`;

const sphere = `
in vec3 centre;
in float sphere;
in float shade;
flat in int kind;
uniform mat4 projectionMatrix;
vec3 normal_here(out vec3 point) {
  vec2 q = gl_PointCoord * 2.0 - 1.0;
  q.y = -q.y;
  float r = dot(q, q);
  if (r > 1.0) discard;
  vec3 n = vec3(q, sqrt(1.0 - r));
  point = centre + sphere * n;
  vec4 p = projectionMatrix * vec4(point, 1.0);
  gl_FragDepth = 0.5 * p.z / p.w + 0.5;
  return n;
}
`;

export const tone = `
vec3 to_srgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
vec3 to_linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
`;

export const pointFragment = `${common}
${sphere}
uniform sampler2D rampMap;
uniform vec3 groupColour[24];
uniform float painted, picked;
uniform vec3 lamp, sky, floorLight;
out vec4 colour;
${tone}
void main() {
  vec3 point;
  vec3 n = normal_here(point);
  vec3 base = to_linear(texture(rampMap, vec2(shade * 0.996 + 0.002, 0.5)).rgb);
  // solids have no field
  if (painted < 0.5 || groupColour[min(kind, 23)].x < 0.0) base = abs(groupColour[min(kind, 23)]);
  float l = max(dot(n, lamp), 0.0), up = 0.5 + 0.5 * n.y;
  vec3 light = mix(floorLight, sky, up) + vec3(0.95, 0.93, 0.88) * (0.75 * l + 0.12 * pow(l, 24.0));
  float rim = pow(1.0 - n.z, 3.0);
  vec3 c = base * light * (1.0 - 0.35 * rim) + 0.05 * rim * sky;
  colour = vec4(to_srgb(c), 1.0);
}`;

// Water: the distance of the nearest sphere and its value ...
export const depthFragment = `${common}
${sphere}
out vec4 colour;
void main() {
  vec3 point;
  normal_here(point);
  colour = vec4(-point.z, float(kind) + 0.999 * shade, 0.0, 1.0); // x 0: nothing there
}`;

// ... how much liquid there is along the ray ...
export const thickFragment = `${common}
in vec3 centre;
in float sphere;
in float shade;
flat in int kind;
out vec4 colour;
void main() {
  vec2 q = gl_PointCoord * 2.0 - 1.0;
  float r = dot(q, q);
  if (r > 1.0) discard;
  colour = vec4(2.0 * sphere * sqrt(1.0 - r) * 0.55, 0.0, 0.0, 1.0);
}`;

export const quadVertex = `${common}
in vec3 position;
out vec2 uv;
void main() { uv = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

// ... smoothed without blurring edges (narrow range, after Truong and Yuksel 2018) ...
export const smoothFragment = `${common}
in vec2 uv;
uniform sampler2D source;
uniform vec2 direction; // a pixel
uniform float radius, focal; // m, pixels at 1 m
out vec4 colour;
void main() {
  vec2 here = texture(source, uv).xy;
  if (here.x <= 0.0) { colour = vec4(0.0); return; }
  float z = here.x, band = radius * 5.0, low = z - band, high = z + band * 0.6;
  float reach = clamp(focal * radius * 2.8 / z, 2.0, 90.0), stride = max(1.0, reach / 22.0);
  float sum = 0.0, weight = 0.0, shade = 0.0, shaded = 0.0;
  for (int k = -22; k <= 22; k++) {
    float x = float(k) * stride;
    if (abs(x) > reach) continue;
    vec2 s = texture(source, uv + direction * x).xy;
    float w = exp(-3.0 * x * x / (reach * reach));
    // before the void it turns away, as drops do
    if (s.x <= 0.0) { sum += w * (z + 0.9 * radius); weight += w; continue; }
    float d = s.x;
    if (d < low) continue;
    d = min(d, high);
    sum += w * d;
    weight += w;
    shade += w * fract(s.y);
    shaded += w;
  }
  colour = vec4(weight > 0.0 ? sum / weight : z, floor(here.y) + (shaded > 0.0 ? shade / shaded : fract(here.y)), 0, 1);
}`;

export const blurFragment = `${common}
in vec2 uv;
uniform sampler2D source;
uniform vec2 direction;
uniform float most; // what is more counts as this
out vec4 colour;
void main() {
  float sum = 0.0, weight = 0.0;
  for (int k = -6; k <= 6; k++) {
    float w = exp(-float(k * k) / 12.0);
    sum += w * min(texture(source, uv + direction * float(k)).x, most);
    weight += w;
  }
  colour = vec4(sum / weight, 0.0, 0.0, 1.0);
}`;

// ... and looked through.
export const waterFragment = `${common}
in vec2 uv;
uniform sampler2D depthMap, thickMap, sceneMap, sceneDepth, rampMap;
uniform mat4 projectionMatrix, inverseProjection, viewMatrix;
uniform vec2 pixel;
uniform vec3 groupColour[24], up;
uniform float painted, clarity;
uniform vec3 lamp, sky, floorLight, backdrop;
out vec4 colour;
${tone}
vec3 eye_point(vec2 at, float z) {
  vec4 p = inverseProjection * vec4(at * 2.0 - 1.0, 0.0, 1.0);
  vec3 ray = p.xyz / p.w;
  return ray * (z / -ray.z);
}
vec3 sky_at(vec3 d) {
  float t = dot(d, normalize((viewMatrix * vec4(up, 0.0)).xyz));
  // a dark horizon draws the edges
  vec3 c = mix(vec3(0.05, 0.085, 0.11), vec3(0.17, 0.25, 0.31), smoothstep(-0.6, 0.05, t));
  c = mix(c, sky * 1.5, smoothstep(0.12, 0.8, t));
  return c + vec3(2.6) * pow(max(dot(d, lamp), 0.0), 160.0) + vec3(0.35) * pow(max(dot(d, lamp), 0.0), 10.0);
}
void main() {
  vec2 s = texture(depthMap, uv).xy;
  vec3 behind = to_linear(texture(sceneMap, uv).rgb);
  float far = texture(sceneDepth, uv).r;
  gl_FragDepth = far;
  colour = vec4(to_srgb(behind), 1.0);
  if (s.x <= 0.0) return;
  vec3 p = eye_point(uv, s.x);
  vec4 clipPlace = projectionMatrix * vec4(p, 1.0);
  float depth = 0.5 * clipPlace.z / clipPlace.w + 0.5;
  if (depth > far) return;
  vec2 dx = vec2(pixel.x, 0.0), dy = vec2(0.0, pixel.y);
  float right = texture(depthMap, uv + dx).x, left = texture(depthMap, uv - dx).x;
  float top = texture(depthMap, uv + dy).x, down = texture(depthMap, uv - dy).x;
  vec3 ax = eye_point(uv + dx, right > 0.0 ? right : s.x) - p, bx = p - eye_point(uv - dx, left > 0.0 ? left : s.x);
  vec3 ay = eye_point(uv + dy, top > 0.0 ? top : s.x) - p, by = p - eye_point(uv - dy, down > 0.0 ? down : s.x);
  vec3 tx = abs(ax.z) < abs(bx.z) ? ax : bx, ty = abs(ay.z) < abs(by.z) ? ay : by;
  vec3 n = normalize(cross(tx, ty));
  vec3 view = normalize(p);
  if (dot(n, view) > 0.0) n = -n;
  float thick = texture(thickMap, uv).x;
  vec2 bent = uv + n.xy * 0.035 * min(1.0, thick / max(clarity, 1e-6) + 0.2);
  if (texture(sceneDepth, bent).r < depth) bent = uv;
  vec3 through = to_linear(texture(sceneMap, bent).rgb);
  int kind = int(s.y);
  vec3 tint = abs(groupColour[min(kind, 23)]);
  float optical = thick / max(clarity, 1e-6);
  vec3 absorb = exp(log(max(tint, vec3(0.02))) * (0.22 + 1.25 * optical)); // a thin sheet has a hue too
  float scatter = 1.0 - exp(-0.9 * optical);
  float l = max(dot(n, lamp), 0.0), across = 1.0 - max(-dot(view, n), 0.0);
  vec3 lit = mix(floorLight, sky, 0.5 + 0.5 * n.y) + vec3(0.55) * l;
  // it glows before the dark
  float glow = mix(0.16 + 0.62 * scatter, 0.03 + 0.30 * scatter, smoothstep(0.05, 0.4, backdrop.y));
  vec3 body = through * absorb * (1.0 - 0.45 * across * across) + tint * lit * glow;
  if (painted > 0.5 || groupColour[min(kind, 23)].x < 0.0) {
    vec3 ramp = to_linear(texture(rampMap, vec2(fract(s.y) * 0.997 + 0.002, 0.5)).rgb);
    vec3 paint = groupColour[min(kind, 23)].x >= 0.0 ? ramp : tint;
    body = paint * (mix(floorLight, sky, 0.5 + 0.5 * n.y) + vec3(0.9) * 0.7 * l);
  }
  vec3 reflected = reflect(view, n);
  float fresnel = 0.04 + 0.66 * pow(across, 3.0);
  vec3 c = mix(body, sky_at(reflected), fresnel);
  gl_FragDepth = depth;
  colour = vec4(to_srgb(c), 1.0);
}`;

// A soft shadow on the ground: particles seen from above.
export const shadowVertex = `${common}
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec3 low, span;
uniform float size;
in vec3 position;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(low + span * position, 1.0);
  gl_PointSize = size;
}`;
export const shadowFragment = `${common}
out vec4 colour;
void main() {
  float r = length(gl_PointCoord * 2.0 - 1.0);
  colour = vec4(0.10 * max(0.0, 1.0 - r), 0.0, 0.0, 1.0);
}`;

export const groundVertex = `${common}
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
out vec3 world;
void main() {
  vec4 w = modelMatrix * vec4(position, 1.0);
  world = w.xyz;
  gl_Position = projectionMatrix * viewMatrix * w;
}`;
export const groundFragment = `${common}
in vec3 world;
uniform vec3 centre, backdrop, ground, up;
uniform float extent;
uniform sampler2D shadowMap;
uniform mat4 shadowMatrix;
out vec4 colour;
${tone}
void main() {
  vec3 d = world - centre;
  d -= up * dot(d, up);
  float far = smoothstep(1.2, 4.2, length(d) / extent);
  vec4 s = shadowMatrix * vec4(world, 1.0);
  vec2 at = s.xy * 0.5 + 0.5;
  vec2 edge = smoothstep(0.0, 0.1, at) * smoothstep(0.0, 0.1, 1.0 - at);
  float dark = texture(shadowMap, at).x * edge.x * edge.y;
  float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) / 255.0; // no bands
  colour = vec4(to_srgb(mix(ground * (1.0 - 0.45 * dark), backdrop, far)) + grain - 0.5 / 255.0, 1.0 - far);
}`;

export const propVertex = `${common}
uniform mat4 modelViewMatrix, projectionMatrix;
uniform mat3 normalMatrix;
in vec3 position, normal;
out vec3 n, eye;
void main() {
  vec4 v = modelViewMatrix * vec4(position, 1.0);
  n = normalMatrix * normal;
  eye = v.xyz;
  gl_Position = projectionMatrix * v;
}`;
export const propFragment = `${common}
in vec3 n, eye;
uniform vec3 base, lamp, sky, floorLight, backdrop;
uniform float glass, metal, oneSided;
out vec4 colour;
${tone}
void main() {
  vec3 m = normalize(n), view = normalize(eye);
  if (oneSided > 0.5 && dot(m, view) > 0.0) discard;
  if (dot(m, view) > 0.0) m = -m;
  float l = max(dot(m, lamp), 0.0);
  float spec = pow(max(dot(reflect(view, m), lamp), 0.0), 60.0);
  vec3 light = mix(floorLight, sky, 0.5 + 0.5 * m.y) + vec3(0.95, 0.93, 0.88) * 0.75 * l;
  vec3 c = base * light;
  vec3 around = mix(floorLight, sky * 1.5, 0.5 + 0.5 * reflect(view, m).y);
  if (metal > 0.5) c = base * (0.35 * light + 0.65 * around) + 0.5 * spec;
  if (glass > 0.5) {
    float fresnel = 0.04 + 0.6 * pow(1.0 - abs(dot(m, view)), 3.0);
    // bright before the dark, darker than a bright room
    vec3 tint = mix(mix(base * sky, vec3(1.0), 0.3), vec3(0.24, 0.34, 0.38), smoothstep(0.05, 0.4, backdrop.y));
    colour = vec4(to_srgb(tint + spec), clamp(0.06 + fresnel * 0.55 + spec, 0.0, 0.9));
    return;
  }
  colour = vec4(to_srgb(c + 0.06 * spec), 1.0);
}`;
