// The column of conversations: present ones, requests, rooms with an open join request, and people heard.

import { h, icon, memo } from './dom.js';
import { arrows, empty, ending, iconButton, portrait, portraitOf, said, trustMark } from './parts.js';
import { isMuted, nameIn, reach, sections } from '../state/selectors.js';
import { shortTime, span } from '../text/time.js';
import { presence, summary, systemWords } from '../text/words.js';
import { searchResults } from './search.js';

/** The whole column. */
export function conversationList(state, act) {
  const { chats, requests, waiting, nearby } = sections(state);
  const isEmpty = !chats.length && !requests.length && !waiting.length && !nearby.length;
  return h('nav', { class: 'list', 'aria-label': 'Conversations' },
    heading(state, act),
    searchField(state, act),
    state.search && !state.search.conversation
      ? searchResults(state, act)
      : h('div', { class: 'list-scroll', on: { keydown: arrows('.row') } },
        section('Requests', requests, state, act, 'These people are not told that you got their messages until you accept.'),
        section(requests.length || nearby.length ? 'Conversations' : null, [...waiting, ...chats], state, act),
        section('People heard', nearby.map((contact) => ({ id: contact.id, kind: 'direct', title: contact.name, unread: 0, isNew: true })), state, act),
        isEmpty && empty('wave', 'Nobody in earshot yet',
          'People on the same network who run Earshot appear here by themselves.',
          h('button', { type: 'button', class: 'button', on: { click: () => act.dialog({ kind: 'new' }) } }, 'Create a room or a group'))));
}

function heading(state, act) {
  const own = { id: state.status.id, name: state.status.name, emoji: state.profile?.emoji, colour: state.profile?.colour };
  return h('header', { class: 'list-head' },
    h('button', { type: 'button', class: 'own', 'aria-label': `${own.name}: settings`, title: 'Settings', on: { click: () => act.dialog({ kind: 'settings' }) } },
      portrait(own, 'small'), said('span', { class: 'own-name' }, own.name)),
    pill(state),
    iconButton('plus', 'New conversation', () => act.dialog({ kind: 'new' })));
}

/** The reach of the node. */
function pill(state) {
  const { level, links, hops } = reach(state);
  const words = {
    offline: 'Reconnecting', searching: 'Searching', connecting: 'Connecting',
    connected: hops > 1 ? `Connected · ${hops} hops` : 'Connected',
  }[level];
  const says = {
    offline: 'Reconnecting to your node',
    searching: 'No other node is in reach yet',
    connecting: 'Another node is in reach; connecting to it',
    connected: `${links} ${links === 1 ? 'link' : 'links'} to nodes nearby${hops > 1 ? `; people up to ${hops} hops away` : ''}`,
  }[level];
  return h('span', { class: `pill ${level}`, role: 'status', title: says }, h('span', { class: 'dot', 'aria-hidden': 'true' }), words,
    h('span', { class: 'unseen' }, `. ${says}`));
}

function searchField(state, act) {
  const isOn = state.search && !state.search.conversation;
  return h('div', { class: 'search-field' }, icon('search'),
    h('input', {
      type: 'search', id: 'search', placeholder: 'Search messages', 'aria-label': 'Search all messages', value: isOn ? state.search.text : '',
      autocomplete: 'off', maxlength: '200',
      on: {
        input: (event) => (event.target.value ? act.search(event.target.value, null) : act.endSearch()),
        keydown: ending(act),
      },
    }),
    isOn && iconButton('close', 'Close the search', act.endSearch, { class: 'small' }));
}

function section(title, list, state, act, hint) {
  if (!list.length) return null;
  return h('section', { key: title ?? 'all', class: 'list-section' },
    title && h('h2', { class: 'list-title' }, title),
    hint && h('p', { class: 'list-hint' }, hint),
    h('ul', { class: 'rows' }, list.map((conversation) => row(conversation, state, act))));
}

function row(conversation, state, act) {
  const contact = state.contacts[conversation.id];
  const isTyping = Object.keys(state.typing[conversation.id] ?? {}).length > 0;
  const room = state.rooms[conversation.id];
  const isOpen = state.open === conversation.id;
  const day = new Date(state.now).toDateString();
  return memo(conversation.id, [conversation, contact, isTyping, room, state.groups[conversation.id], isOpen, day, Math.floor(state.now / 60_000)], () => {
    const isUnread = conversation.unread > 0;
    const muted = isMuted(conversation, state.now);
    const label = isUnread ? `${conversation.unread} unread` : '';
    return h('li', { class: 'row-item' }, h('button', {
      type: 'button', class: `row ${isUnread ? 'unread' : ''}`, 'aria-current': isOpen ? 'true' : null, 'data-conversation': conversation.id,
      on: { click: () => act.open(conversation.id) },
    },
    h('span', { class: 'row-picture' }, portrait(portraitOf(state, conversation)), contact?.reachable && h('span', { class: 'here', title: 'In reach' })),
    h('span', { class: 'row-main' },
      h('span', { class: 'row-top' },
        said('span', { class: 'row-title' }, conversation.title), trustMark(contact?.trust),
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
