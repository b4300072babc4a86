// Colour scales: stops in sRGB, spread evenly.
export const scales = {
  Lagoon: ['#0b2a4a', '#0f5a7d', '#1591a3', '#4fc3b5', '#b5e6c4', '#fbfbe6'],
  Viridis: ['#440154', '#414487', '#2a788e', '#22a884', '#7ad151', '#fde725'],
  Ember: ['#140b35', '#57106e', '#a82e5f', '#e45a31', '#fbae36', '#fcffa4'],
  Diverging: ['#2b5fa8', '#7fb0d8', '#e9eef2', '#e9a37f', '#b5342a'],
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
