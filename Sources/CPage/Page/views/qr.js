// A QR code as one path, dark on light in every theme, since cameras want it so.

import { h } from './dom.js';

/** Modules of light around the code. */
const margin = 4;

/** The code of rows of `0` and `1`. */
export function qrCode(rows, label) {
  const size = rows.length + 2 * margin;
  const path = rows.flatMap((row, y) => [...row].map((one, x) => (one === '1' ? `M${x + margin} ${y + margin}h1v1h-1z` : ''))).join('');
  return h('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    h('rect', { width: size, height: size, fill: '#fff' }), h('path', { d: path, fill: '#000' }));
}
