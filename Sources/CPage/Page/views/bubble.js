// One message.

import { h, icon, memo } from './dom.js';
import { files } from './media.js';
import { messageMenu } from './menu.js';
import { pollBody } from './poll.js';
import { iconButton, portrait, said } from './parts.js';
import { nameIn, ownID } from '../state/selectors.js';
import { cut } from '../text/segments.js';
import { fullTime, timeOfDay } from '../text/time.js';
import { failureWords, isOfSample, statusOf, summary } from '../text/words.js';

/** A message as an item of the list; `isClose` where it follows one of the same sender. */
export function bubble(message, isClose, conversation, state, act) {
  const isOpen = state.menu === message.id;
  const picks = state.picker === message.id;
  const progress = (message.files ?? []).map((_, index) => state.progress[`${message.id}/${index}`]);
  const people = state.rooms[conversation.id] ?? state.groups[conversation.id] ?? state.contacts[message.from];
  return memo(message.id, [message, isClose, isOpen, picks, people, ...progress], () => {
    const own = message.outgoing;
    const showsSender = !own && conversation.kind !== 'direct' && !isClose;
    const sender = state.contacts[message.from];
    return h('li', {
      class: `message ${own ? 'own' : 'other'} ${isClose ? 'close' : ''} ${isOpen || picks ? 'active' : ''}`, tabindex: '-1', 'data-message': message.id,
      'aria-label': spoken(message),
      on: { keydown: (event) => shortcuts(event, message, conversation, act) },
    },
    conversation.kind !== 'direct' && !own && h('span', { class: 'message-portrait' },
      !isClose && portrait({ id: message.from, name: message.fromName, emoji: sender?.emoji, colour: sender?.colour }, 'tiny')),
    h('div', { class: 'message-column' },
      h('div', { class: `bubble kind-${message.kind} ${message.deleted ? 'deleted' : ''}` },
        showsSender && said('p', { class: 'sender' }, message.fromName),
        message.replyTo && quote(message, conversation, act),
        ...content(message, conversation, state, act),
        meta(message, act, conversation)),
      reactions(message, conversation, state, act)),
    !message.deleted && tools(message, conversation, state, act, isOpen, picks));
  });
}

function spoken(message) {
  const status = message.outgoing ? `, ${statusOf(message)?.says ?? message.status}` : '';
  return `${message.outgoing ? 'You' : message.fromName}, ${timeOfDay(message.sentAt)}: ${summary(message)}${status}`;
}

function content(message, conversation, state, act) {
  if (message.deleted) return [h('p', { class: 'text gone' }, icon('trash'), 'Deleted')];
  if (message.poll) return [pollBody(message, conversation, state, act)];
  return [
    message.files?.length && files(message, conversation, state, act),
    message.text && said('p', { class: 'text' }, pieces(message, conversation, state)),
  ];
}

function pieces(message, conversation, state) {
  const own = ownID(state, conversation.id);
  const places = message.mentions.map((mention) => ({ ...mention, kind: 'mention' }));
  return cut(message.text, places).map((piece) => {
    if (piece.kind === 'mention') return h('span', { class: `mention ${piece.peer === own ? 'me' : ''}` }, piece.text);
    if (piece.kind === 'link') return h('span', { class: 'link' }, piece.text);
    return piece.text;
  });
}

function quote(message, conversation, act) {
  const { replyTo } = message;
  const isHere = replyTo.from !== undefined;
  const words = !isHere ? 'A message that is not on this node' : replyTo.deleted ? 'Deleted message' : replyTo.text || 'A file';
  return h('button', { type: 'button', class: 'quote', disabled: !isHere, on: { click: () => act.open(conversation.id, replyTo.message) } },
    isHere && said('span', { class: 'quote-who' }, replyTo.fromName ?? ''), said('span', { class: 'quote-text' }, words));
}

function meta(message, act, conversation) {
  const status = message.outgoing ? statusOf(message) : null;
  const reason = message.status === 'failed' ? ` ${failureWords(message.reason)}` : '';
  return h('p', { class: 'meta' },
    message.vouchedBy && h('span', { title: `Attested by ${message.vouchedBy.map((one) => one.name).join(', ')}` }, 'from before you came'),
    message.imported && h('span', null, 'imported'),
    message.expiresAt && h('span', { class: 'meta-icon', role: 'img', 'aria-label': `Disappears ${fullTime(message.expiresAt)}`, title: `Disappears ${fullTime(message.expiresAt)}` }, icon('timer')),
    message.edited && h('button', { type: 'button', class: 'meta-link', on: { click: () => act.dialog({ kind: 'edits', message: message.id, conversation: conversation.id }) } }, 'edited'),
    h('time', { datetime: message.sentAt, title: fullTime(message.sentAt) }, timeOfDay(message.sentAt)),
    status && !message.deleted && h('span', { class: `status ${message.status}`, role: 'img', 'aria-label': status.says + reason, title: status.says + reason }, icon(status.mark)),
    isOfSample(message) && h('span', null, 'sampled'),
    message.status === 'failed' && h('span', { class: 'failed-words' }, failureWords(message.reason)));
}

function reactions(message, conversation, state, act) {
  if (!message.reactions.length) return null;
  const own = ownID(state, conversation.id);
  return h('div', { class: 'reactions', role: 'group', 'aria-label': 'Reactions' }, message.reactions.map(({ emoji, from }) => {
    const names = from.map((peer) => nameIn(state, conversation.id, peer)).join(', ');
    return h('button', {
      type: 'button', key: emoji, class: 'reaction', 'aria-pressed': from.includes(own) ? 'true' : 'false', title: names,
      'aria-label': `${emoji} from ${names}`, on: { click: () => act.react(message.id, emoji) },
    }, h('span', { class: 'emoji' }, emoji), from.length > 1 && h('span', { class: 'count' }, from.length));
  }));
}

function tools(message, conversation, state, act, isOpen, picks) {
  return h('div', { class: 'tools' },
    iconButton('smile', 'React', () => act.pick(picks ? null : message.id), { class: 'small', 'aria-expanded': picks ? 'true' : 'false' }),
    iconButton('reply', 'Reply', () => act.reply(conversation.id, message), { class: 'small' }),
    iconButton('more', 'More', () => act.menu(isOpen ? null : message.id), { class: 'small', 'aria-haspopup': 'menu', 'aria-expanded': isOpen ? 'true' : 'false' }),
    isOpen && messageMenu(message, conversation, act));
}

/** The keys of a message that has the focus. */
function shortcuts(event, message, conversation, act) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || message.deleted) return;
  const doing = {
    r: () => act.reply(conversation.id, message),
    e: () => message.outgoing && message.text && act.edit(conversation.id, message),
    '+': () => act.pick(message.id),
    Enter: () => act.menu(message.id),
  }[event.key];
  if (!doing) return;
  event.preventDefault();
  doing();
}
