// The hits of a search: in the list those in titles and in all messages, in the column of a conversation those in its messages.

import { h } from './dom.js';
import { arrows, empty, said } from './parts.js';
import { row } from './row.js';
import { conversationOf, titled } from '../state/selectors.js';
import { cut } from '../text/segments.js';
import { shortTime } from '../text/time.js';
import { doubts, summary } from '../text/words.js';

/** Letters shown before the first find, so that it is in sight. */
const lead = 24;
/** People and conversations shown of those that fit. */
const titleCount = 20;

/** The finds of the search that is on. */
export function searchResults(state, act) {
  const { text, hits, busy, error, conversation } = state.search;
  const titles = conversation || !text.trim() ? [] : titled(state, text);
  const title = (words) => titles.length > 0 && h('h2', { class: 'list-title' }, words);
  return h('div', { class: 'list-scroll', 'aria-busy': busy ? 'true' : null, on: { keydown: arrows('.row') } },
    error && h('p', { class: 'error', role: 'alert' }, error),
    titles.length > 0 && h('section', { class: 'list-section', key: 'titles' }, title('People and conversations'),
      h('ul', { class: 'rows' }, titles.slice(0, titleCount).map((one) => row(one, state, () => { act.endSearch(); act.open(one.id); })))),
    !text.trim() && empty('search', 'Search your history', 'Type a name, words, or "phrases in quotes". Everything stays on this machine.'),
    hits && text.trim() && !hits.length && !titles.length && !busy && empty('search', 'Nothing found', 'Try fewer or different words.'),
    hits?.length > 0 && title('Messages'),
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
