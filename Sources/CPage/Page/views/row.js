// One conversation in a list: its picture, its title, and its last message.

import { h, icon, memo } from './dom.js';
import { digitsMark, portrait, portraitOf, said, trustMark } from './parts.js';
import { isMuted, nameIn, tellingDigits } from '../state/selectors.js';
import { shortTime, span } from '../text/time.js';
import { presence, summary, systemWords } from '../text/words.js';

/** The row; `open()` is called when it is chosen. */
export function row(conversation, state, open) {
  const contact = state.contacts[conversation.id];
  const isTyping = Object.keys(state.typing[conversation.id] ?? {}).length > 0;
  const room = state.rooms[conversation.id];
  const isOpen = state.open === conversation.id;
  const day = new Date(state.now).toDateString();
  const digits = tellingDigits(state, conversation.id);
  return memo(conversation.id, [conversation, contact, digits, isTyping, room, state.groups[conversation.id], isOpen, day, Math.floor(state.now / 60_000)], () => {
    const isUnread = conversation.unread > 0;
    const muted = isMuted(conversation, state.now);
    const label = isUnread ? `${conversation.unread} unread` : '';
    return h('li', { class: 'row-item' }, h('button', {
      type: 'button', class: `row ${isUnread ? 'unread' : ''}`, 'aria-current': isOpen ? 'true' : null, 'data-conversation': conversation.id,
      on: { click: open },
    },
    h('span', { class: 'row-picture' }, portrait(portraitOf(state, conversation)), contact?.reachable && h('span', { class: 'here', title: 'In reach' })),
    h('span', { class: 'row-main' },
      h('span', { class: 'row-top' },
        said('span', { class: 'row-title' }, conversation.title), digitsMark(digits), trustMark(contact?.trust),
        muted && h('span', { class: 'mark', role: 'img', 'aria-label': 'Muted' }, icon('mute')),
        conversation.pinned && h('span', { class: 'mark', role: 'img', 'aria-label': 'Pinned' }, icon('pin')),
        conversation.last && h('time', { class: 'row-time', datetime: conversation.last.receivedAt }, shortTime(conversation.last.receivedAt, state.now))),
      h('span', { class: 'row-bottom' },
        isTyping ? h('span', { class: 'row-last typing' }, 'typing …') : said('span', { class: 'row-last' }, lastLine(conversation, state)),
        isUnread && h('span', { class: `badge ${muted ? 'quiet' : ''}`, 'aria-label': label }, conversation.unread > 99 ? '99+' : conversation.unread)))));
  });
}

/** One line about a conversation: its last message, or what there is to do. */
function lastLine(conversation, state) {
  const { last, id } = conversation;
  if (state.rooms[id]?.standing === 'waiting') return 'Waiting to be let in';
  if (conversation.kind === 'group' && state.groups[id]?.standing === 'invited') return 'You are invited to this group';
  const contact = state.contacts[id];
  if (!last && contact) return presence(contact, state.now) + (contact.reachable ? '. Say hello' : '');
  if (!last) return 'No messages yet';
  if (last.kind === 'system') return systemWords(last, (peer) => nameIn(state, id, peer), span);
  const who = last.outgoing ? 'You: ' : conversation.kind === 'direct' ? '' : `${last.fromName}: `;
  return who + summary(last);
}
