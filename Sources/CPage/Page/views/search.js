// The hits of a search, in the list for all conversations or in the column of one.

import { h } from './dom.js';
import { arrows, empty, said } from './parts.js';
import { conversationOf } from '../state/selectors.js';
import { cut } from '../text/segments.js';
import { shortTime } from '../text/time.js';
import { doubts, summary } from '../text/words.js';

/** Letters shown before the first find, so that it is in sight. */
const lead = 24;

/** The finds of the search that is on. */
export function searchResults(state, act) {
  const { text, hits, busy, error } = state.search;
  return h('div', { class: 'list-scroll', 'aria-busy': busy ? 'true' : null, on: { keydown: arrows('.row') } },
    error && h('p', { class: 'error', role: 'alert' }, error),
    !text.trim() && empty('search', 'Search your history', 'Type words or "phrases in quotes". Everything stays on this machine.'),
    hits && text.trim() && !hits.length && !busy && empty('search', 'Nothing found', 'Try fewer or different words.'),
    hits && text.trim() && h('ul', { class: 'rows', 'aria-label': `${hits.length} messages found` }, hits.map((hit) => found(hit, state, act))));
}

function found(hit, state, act) {
  const conversation = conversationOf(state, hit.conversation);
  return h('li', { key: hit.id }, h('button', { type: 'button', class: 'row', on: { click: () => act.open(hit.conversation, hit.id) } },
    h('span', { class: 'row-main' },
      h('span', { class: 'row-top' },
        said('span', { class: 'row-title' }, conversation?.title ?? 'Conversation'),
        h('time', { class: 'row-time', datetime: hit.receivedAt }, shortTime(hit.receivedAt, state.now))),
      h('span', { class: 'row-bottom' },
        said('span', { class: 'row-last' }, hit.outgoing ? 'You: ' : `${hit.fromName}: `, excerpt(hit)),
        doubts(hit).map((words) => h('span', { class: 'row-mark', key: words }, words))))));
}

function excerpt(hit) {
  if (!hit.places?.length || !hit.text) return summary(hit);
  const pieces = cut(hit.text, hit.places.map((place) => ({ ...place, kind: 'hit' })));
  if (pieces[0] && pieces[0].kind !== 'hit' && pieces[0].text.length > lead) pieces[0].text = `…${pieces[0].text.slice(-lead)}`;
  return pieces.map((piece) => (piece.kind === 'hit' ? h('mark', null, piece.text) : piece.text));
}
