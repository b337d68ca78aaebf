// The messages of a conversation that are held, with the days between them, in a field that scrolls.

import { h, icon } from './dom.js';
import { bubble } from './bubble.js';
import { button, empty, said } from './parts.js';
import { nameIn } from '../state/selectors.js';
import { emptyTimeline } from '../state/timelines.js';
import { dayName, dayOf, span, timeOfDay } from '../text/time.js';
import { systemWords } from '../text/words.js';

/** Milliseconds between two messages of one sender that still stand close. */
const closeness = 300_000;

/** The field; `act.scroll` keeps what one looks at in its place. */
export function timeline(conversation, state, act) {
  const held = state.timelines[conversation.id] ?? emptyTimeline;
  const isNew = !held.before && !held.after && !held.messages.some((message) => message.kind !== 'system');
  const isAway = act.scroll.isAway || held.after > 0;
  return h('div', { class: 'timeline-frame' },
    h('div', {
      class: 'timeline', id: 'timeline', key: conversation.id, tabindex: '0', role: 'region', 'aria-label': 'Messages',
      'aria-busy': held.loading ? 'true' : null,
      mounted: (element) => act.scroll.attach(element, conversation.id), removed: (element) => act.scroll.detach(element),
      on: { keydown: (event) => walk(event) },
    },
    h('div', { class: 'timeline-space', 'aria-hidden': 'true' }),
    held.error && h('p', { class: 'error', role: 'alert' }, held.error),
    h('div', { class: 'gap', 'aria-hidden': 'true', style: { height: `${act.scroll.height(held.before, held)}px` } }),
    isNew && h('div', { key: 'none' }, hello(conversation, state, act)),
    h('ol', { class: 'messages' }, items(held, conversation, state, act)),
    h('div', { class: 'gap', 'aria-hidden': 'true', style: { height: `${act.scroll.height(held.after, held)}px` } })),
    h('button', {
      type: 'button', class: `to-end ${isAway ? 'shown' : ''}`, 'aria-label': 'Go to the newest message', title: 'Go to the newest message',
      tabindex: isAway ? '0' : '-1', on: { click: () => act.toEnd(conversation.id) },
    }, icon('down'), held.fresh > 0 && h('span', { class: 'badge' }, held.fresh)));
}

function hello(conversation, state, act) {
  if (conversation.kind === 'direct') {
    return empty('lock', 'No messages yet', 'Only the two of you can read your messages. Other nodes carry them while one of you is offline.');
  }
  const room = state.rooms[conversation.id];
  if (room?.standing === 'host' && room.members.length === 1) {
    return empty('room', 'Nobody else is here yet', room.code ? 'Read this code to the people you want to invite, or send them the invitation.'
      : room.shut ? 'The room is closed to new members.' : 'Everyone nearby can join.',
    room.code && h('p', { class: 'room-code' }, room.code),
    room.invite && h('div', { class: 'details-row' }, button('Copy the invitation', () => act.copy(room.invite), { tone: 'quiet' }),
      button('Show a QR code', () => { act.details(true); act.showRoomCode(room.id, room.invite); }, { tone: 'quiet' })));
  }
  return empty(conversation.kind, 'No messages yet', 'Say hello to the others here.');
}

function items({ messages, after }, conversation, state, act) {
  const made = [];
  let before = null;
  for (const message of messages) {
    const day = dayOf(message.receivedAt);
    const isNewDay = !before || dayOf(before.receivedAt) !== day;
    if (isNewDay) {
      made.push(h('li', { class: 'day', key: `day ${day}` }, h('span', null, dayName(message.receivedAt, state.now))));
    }
    if (message.kind === 'system') {
      made.push(systemLine(message, conversation, state));
    } else {
      const isClose = !isNewDay && before?.from === message.from && before.kind !== 'system'
        && Date.parse(message.receivedAt) - Date.parse(before.receivedAt) < closeness;
      made.push(bubble(message, isClose, conversation, state, act));
    }
    before = message;
  }
  for (const [question, answer] of Object.entries(state.growing)) {
    const asked = !after && answer.conversation === conversation.id && messages.find((one) => one.id === question);
    if (asked) made.push(growingBubble(asked, answer, conversation, state, act));
  }
  return made;
}

/** An answer that is being made, for who asked with what ends it. */
function growingBubble(asked, { by, text }, conversation, state, act) {
  const name = nameIn(state, conversation.id, by);
  const isDirect = conversation.kind === 'direct';
  return h('li', { class: 'message other growing', key: `growing ${asked.id}`, 'aria-label': `${name} is answering`, 'aria-busy': 'true' },
    h('div', { class: 'message-column' },
      h('div', { class: 'bubble' }, !isDirect && said('p', { class: 'sender' }, name), said('p', { class: 'text' }, text)),
      asked.outgoing && button('Stop', () => act.stop(conversation.id, isDirect ? '' : `@${name} `), { tone: 'quiet' })));
}

function systemLine(message, conversation, state) {
  return h('li', { class: 'system', key: message.id, 'data-message': message.id },
    said('span', null, systemWords(message, (peer) => nameIn(state, conversation.id, peer), span)),
    h('time', { datetime: message.receivedAt }, timeOfDay(message.receivedAt)));
}

/** Moves from message to message with the arrow keys, and to the composer with Escape. */
function walk(event) {
  const field = event.currentTarget;
  const all = [...field.querySelectorAll('.message')];
  if (!all.length || event.target.closest('input, textarea, [role=slider], [role=menu]')) return;
  const at = all.indexOf(document.activeElement?.closest('.message'));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') document.querySelector('#text')?.focus();
  if (!step) return;
  event.preventDefault();
  const next = at < 0 ? all.length - 1 : Math.min(Math.max(at + step, 0), all.length - 1);
  all[next].focus();
  all[next].scrollIntoView({ block: 'nearest' });
}
