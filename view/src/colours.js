// Colour scales: stops in sRGB, spread evenly. Each stands out from the light and from the dark background all along:
// what is at an end of the scale must be seen too.
export const scales = {
  Lagoon: ['#1d1a66', '#174a93', '#0d7f95', '#2aa77c', '#8ac24a', '#fde02f'],
  Viridis: ['#440154', '#414487', '#2a788e', '#22a884', '#7ad151', '#fde725'],
  Ember: ['#2a1158', '#6b1672', '#ad2f5f', '#e45a31', '#f79a2c', '#fcd83c'],
  Diverging: ['#234f9c', '#5f8fc6', '#a8a09a', '#d98a5e', '#b5342a'],
};

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

export function ramp(name, entries = 256) {
  const stops = (scales[name] || scales.Lagoon).map(rgb);
  const out = new Uint8Array(entries * 4);
  for (let i = 0; i < entries; i++) {
    const x = (i / (entries - 1)) * (stops.length - 1),
      k = Math.min(Math.floor(x), stops.length - 2),
      s = x - k;
    for (let c = 0; c < 3; c++) out[4 * i + c] = Math.round(stops[k][c] * (1 - s) + stops[k + 1][c] * s);
    out[4 * i + 3] = 255;
  }
  return out;
}

export const gradient = (name) => `linear-gradient(90deg, ${(scales[name] || scales.Lagoon).join(', ')})`;
