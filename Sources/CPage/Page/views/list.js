// The column of conversations: present ones, requests, rooms with an open join request, and people heard.

import { h, icon } from './dom.js';
import { arrows, empty, ending, iconButton, portrait, said } from './parts.js';
import { row } from './row.js';
import { searchResults } from './search.js';
import { personal, reach, sections } from '../state/selectors.js';

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
        section('People heard', nearby.map(personal), state, act),
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
      type: 'search', id: 'search', placeholder: 'Search', 'aria-label': 'Search people and messages', value: isOn ? state.search.text : '',
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
    h('ul', { class: 'rows' }, list.map((conversation) => row(conversation, state, () => act.open(conversation.id)))));
}
