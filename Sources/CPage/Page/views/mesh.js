// The mesh as the node knows it: this node in the middle, others on rings by their distance.

import { h } from './dom.js';
import { dialogFrame } from './dialogs.js';
import { button, said } from './parts.js';
import { milliseconds } from '../text/time.js';

/** The rings that are drawn; whoever is farther away stands on the last one. */
const lastRing = 6;
/** Units: those of the picture. */
const [margin, ringWidth, spotWidth] = [110, 130, 120];

/** The nodes and contacts of a map in the order in which they are drawn. */
function spotsOf({ node, links, neighbours, contacts }) {
  const names = new Map(contacts.map((one) => [one.id, one.name]));
  const known = new Set([node]);
  const spots = [];
  function add(kind, ring, id, peer, words) {
    if (known.has(id)) return;
    known.add(id).add(peer);
    spots.push({ kind, ring, id: peer ?? id, name: names.get(peer) ?? id.slice(0, 8), words: words.filter(Boolean).join(', ') });
  }
  for (const link of links) add('link', 1, link.node, link.peer, [milliseconds(link.rtt)]);
  for (const one of neighbours) if (!one.linked) add('heard', 1, one.node, one.peer, ['no link']);
  for (const { id, hops, rtt } of contacts) if (hops) add('path', Math.min(hops, lastRing), id, id, [hops > 1 && `${hops} hops`, milliseconds(rtt)]);
  return spots.sort((a, b) => a.ring - b.ring || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

function picture(map, caption, spots) {
  const rings = Map.groupBy(spots, (one) => one.ring);
  const radii = [0];
  for (let ring = 1; ring <= Math.max(0, ...rings.keys()); ring += 1) {
    radii.push(Math.max(radii[ring - 1] + ringWidth, (rings.get(ring)?.length ?? 0) * spotWidth / (2 * Math.PI)));
  }
  const centre = radii.at(-1) + margin;
  const placed = [...rings.values()].flatMap((list) => list.map((one, place) => {
    const angle = ((place + (one.ring - 1) / 2) / list.length - 0.25) * 2 * Math.PI;
    return { ...one, x: centre + radii[one.ring] * Math.cos(angle), y: centre + radii[one.ring] * Math.sin(angle) };
  }));
  return h('svg', { class: 'mesh-map', viewBox: `0 0 ${2 * centre} ${2 * centre}`, role: 'img', 'aria-label': caption },
    placed.map(({ id, kind, x, y }) => h('path', { key: `way-${id}`, class: kind, d: `M${centre} ${centre}L${x} ${y}` })),
    h('circle', { class: 'own', cx: centre, cy: centre, r: 14 }), h('text', { x: centre, y: centre + 32 }, 'You'),
    placed.map(({ id, kind, name, words, x, y }) => h('g', { key: id },
      h('circle', { class: kind, cx: x, cy: y, r: 9 }), h('text', { x, y: y + (y < centre ? -34 : 25) }, name), h('text', { class: 'small', x, y: y + (y < centre ? -17 : 42) }, words))));
}

const count = (number, thing) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** The dialog with the picture, and what it shows in words. */
export function meshDialog(state, act) {
  const { map } = state.dialog;
  const spots = map ? spotsOf(map) : [];
  const of = (kind) => spots.filter((one) => one.kind === kind).length;
  const more = [[of('heard'), 'node', 'heard without a link'], [of('path'), 'contact', 'farther away']];
  const caption = `${count(of('link'), 'link')}${more.filter(([number]) => number).map(([number, thing, words]) => `, ${count(number, thing)} ${words}`).join('')}.`;
  return dialogFrame('The mesh', state, act, h('div', { mounted: () => act.lookAtMesh() },
    map && [picture(map, caption, spots), said('p', { class: 'muted' }, caption, ' Your node sees its own links, and the distance of contacts of the last two minutes; nobody knows the whole mesh.')],
    h('div', { class: 'dialog-doing' }, button('Look again', () => act.lookAtMesh(), { tone: 'quiet' }))));
}
