// Elements in short, icons, numbers as people read them.
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') element.className = value;
    else if (key === 'html') element.innerHTML = value;
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const paths = {
  play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  next: '<path d="M6 5.5v13l8-6.5z" fill="currentColor" stroke="none"/><path d="M17 5.5v13"/>',
  previous: '<path d="M18 5.5v13l-8-6.5z" fill="currentColor" stroke="none"/><path d="M7 5.5v13"/>',
  loop: '<path d="M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1"/>',
  camera: '<path d="M4 8h3l2-2.5h6L17 8h3v11H4z"/><circle cx="12" cy="13" r="3.5"/>',
  record: '<circle cx="12" cy="12" r="6" fill="currentColor" stroke="none"/>',
  home: '<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>',
  theme: '<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" stroke="none"/>',
  fit: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  reset: '<path d="M5 5v5h5M5.5 10A7.5 7.5 0 1 1 4.6 14"/>',
  panel: '<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M14.5 5v14"/>',
};
export const icon = (name) =>
  h('span', { class: 'icon', html: `<svg viewBox="0 0 24 24" aria-hidden="true">${paths[name]}</svg>` });
export const button = (name, label, onclick, more = {}) =>
  h('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, onclick, ...more }, icon(name));

// m/s^2 -> m/s²
const powers = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵' };
export const unitText = (unit) =>
  unit.replace(/\^(-?[0-5])/g, (_, power) => [...power].map((c) => powers[c]).join(''));

// 0.00012345 -> 1.23e-4, 1234567 -> 1,234,567
export function short(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return x.toExponential(Math.max(0, digits - 2)).replace('e+', 'e');
  return Number(x.toPrecision(digits)).toLocaleString('en-US', { maximumFractionDigits: 8 });
}
export const whole = (x) => Math.round(x).toLocaleString('en-US');

// How far a slider is filled.
export function fill(slider) {
  const low = Number(slider.min) || 0,
    span = (Number(slider.max) || 0) - low;
  slider.style.setProperty('--part', `${span > 0 ? (100 * (slider.value - low)) / span : 0}%`);
}

export const remember = {
  get(key, standard) {
    try {
      return localStorage.getItem(`meniscus.${key}`) ?? standard;
    } catch {
      return standard;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`meniscus.${key}`, value);
    } catch {
      /* a private window */
    }
  },
};

export function download(blob, name) {
  const url = URL.createObjectURL(blob),
    link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
