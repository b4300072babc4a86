// The list that the page begins with: shipped scenes with pictures, one click to run.
import { withToken } from './link.js';
import { h } from './dom.js';

const suites = {
  basics: 'Basics',
  akinci2013: 'Surface tension and adhesion — Akinci et al. 2013',
  wang2017: 'Surface tension — Wang et al. 2017',
  jeske2023: 'Implicit surface tension — Jeske et al. 2023',
  laplace: 'Tension in N/m — Laplace pressure',
  gissler2017: 'Air drag — Gissler et al. 2017',
  orthmann2013: 'Surfactants — Orthmann et al. 2013',
};

const order = (suite) => {
  const at = Object.keys(suites).indexOf(suite);
  return at < 0 ? Infinity : at;
};

export class Gallery {
  constructor(box, onOpen) {
    this.box = box;
    this.onOpen = onOpen;
    this.search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: 'Find a scene: crown, soap, dam …',
      'aria-label': 'Find a scene',
      oninput: () => this.filter(),
    });
    this.list = h('div', { class: 'suites' });
    this.none = h('p', { class: 'hint', hidden: true }, 'No scene has that in its name or title.');
    this.back = h('button', { type: 'button', hidden: true, onclick: () => this.onBack() }, 'Back to the run');
    box.append(
      h(
        'header',
        { class: 'hero' },
        this.back,
        h('h1', {}, 'Meniscus'),
        h(
          'p',
          {},
          'Liquids with surface tension, wetting and drag. Choose a scene: it runs at once, and you can steer it.',
        ),
        this.search,
      ),
      this.none,
      this.list,
    );
  }

  take(message) {
    const groups = new Map();
    const names = new Set(message.scenes.map((s) => s.name));
    for (const scene of message.scenes) {
      const [suite] = scene.name.split('/');
      if (scene.name.endsWith('-small') && names.has(scene.name.replace(/-small$/, ''))) continue;
      if (!groups.has(suite)) groups.set(suite, []);
      groups.get(suite).push(scene);
    }
    this.list.replaceChildren(
      ...[...groups].sort(([a], [b]) => order(a) - order(b)).map(([suite, scenes]) =>
        h(
          'section',
          {},
          h('h2', {}, suites[suite] || suite),
          h(
            'div',
            { class: 'cards' },
            scenes.map((scene) => this.card(scene, names)),
          ),
        ),
      ),
    );
    this.filter();
  }

  card(scene, names) {
    const bare = scene.name.split('/')[1],
      small = `${scene.name}-small`,
      first = names.has(small) ? small : scene.name;
    const empty = () =>
      h(
        'div',
        { class: 'noimage' },
        h(
          'span',
          {},
          bare
            .replace(/-small$/, '')
            .split('-')
            .slice(0, 2)
            .join(' '),
        ),
      );
    const image = scene.thumb
      ? h(
          'span',
          { class: 'thumb' },
          h('img', { src: withToken(`/thumbs/${scene.thumb}.jpg`), alt: '', loading: 'lazy', width: 320, height: 180 }),
        )
      : empty();
    const card = h(
      'article',
      { class: 'card', 'data-text': `${scene.name} ${scene.title}`.toLowerCase() },
      h(
        'button',
        { type: 'button', class: 'card-main', title: `Run ${first}`, onclick: () => this.onOpen(first) },
        image,
        h('strong', {}, bare.replace(/-small$/, '').replaceAll('-', ' ')),
        h('span', { class: 'card-title' }, scene.title),
      ),
      names.has(small)
        ? h(
            'button',
            {
              type: 'button',
              class: 'card-full',
              title: `Run ${scene.name}: more particles, slower`,
              onclick: () => this.onOpen(scene.name),
            },
            'full size',
          )
        : null,
    );
    return card;
  }

  filter() {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let any = false;
    for (const section of this.list.children) {
      let some = false;
      for (const card of section.querySelectorAll('.card')) {
        card.hidden = !wanted.every((word) => card.dataset.text.includes(word));
        some ||= !card.hidden;
      }
      section.hidden = !some;
      any ||= some;
    }
    this.none.hidden = any;
  }
}
