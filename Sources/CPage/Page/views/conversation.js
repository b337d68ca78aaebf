// One conversation: its head, what has to be decided, the messages, the composer, and beside them the details.

import { h, icon } from './dom.js';
import { composer } from './composer.js';
import { details } from './details.js';
import { button, empty, ending, iconButton, portrait, portraitOf, said, settling, trustMark } from './parts.js';
import { searchResults } from './search.js';
import { timeline } from './timeline.js';
import { awaitsAcceptance, claimedBy, conversationOf, isMuted, membersOf, silence } from '../state/selectors.js';
import { remaining, span } from '../text/time.js';
import { presence, trustMeans, trustWords } from '../text/words.js';

/** The pane of the open conversation, or of none. */
export function conversationPane(state, act) {
  const conversation = conversationOf(state, state.open);
  if (!conversation) {
    return h('main', { class: 'pane is-empty' },
      empty('wave', 'Choose a conversation', 'Your messages are encrypted end to end, and kept on this machine only.'));
  }
  const isSearching = state.search?.conversation === conversation.id;
  return h('main', { class: `pane ${state.details ? 'with-details' : ''}`, key: conversation.id, 'aria-label': `Conversation with ${conversation.title}` },
    h('div', { class: 'pane-main' },
      head(conversation, state, act),
      isSearching && searchBar(conversation, state, act),
      decision(conversation, state, act),
      isSearching && state.search.text.trim() ? h('div', { class: 'pane-results' }, searchResults(state, act)) : timeline(conversation, state, act),
      foot(conversation, state, act)),
    state.details && details(conversation, state, act));
}

function head(conversation, state, act) {
  const contact = state.contacts[conversation.id];
  return h('header', { class: 'pane-head' },
    iconButton('back', 'Back to the list', () => act.open(null), { class: 'only-narrow' }),
    h('button', { type: 'button', class: 'pane-who', 'aria-expanded': state.details ? 'true' : 'false', on: { click: () => act.details(!state.details) } },
      portrait(portraitOf(state, conversation), 'small'),
      h('span', { class: 'pane-names' },
        h('span', { class: 'pane-title' }, said('span', { class: 'pane-name' }, conversation.title), trustMark(contact?.trust), timerMark(conversation)),
        said('span', { class: 'pane-sub' }, subtitle(conversation, state)))),
    iconButton('search', 'Search in this conversation', () => act.search('', conversation.id)),
    iconButton('info', 'Details', () => act.details(!state.details), { 'aria-pressed': state.details ? 'true' : 'false' }));
}

/** A mark beside the name where new messages disappear. */
function timerMark({ expiresAfter }) {
  if (!expiresAfter) return null;
  const words = `Messages disappear ${span(expiresAfter)} after they are read`;
  return h('span', { class: 'mark', role: 'img', 'aria-label': words, title: words }, icon('timer'));
}

function subtitle(conversation, state) {
  const typing = Object.keys(state.typing[conversation.id] ?? {});
  if (typing.length) {
    if (conversation.kind === 'direct') return 'typing …';
    const names = membersOf(state, conversation.id).filter((one) => typing.includes(one.id)).map((one) => one.name);
    return `${names.join(', ') || 'Someone'} typing …`;
  }
  const more = (isMuted(conversation, state.now) ? ' · muted' : '') + (conversation.expiresAfter ? ` · messages disappear after ${span(conversation.expiresAfter)}` : '');
  if (conversation.kind === 'direct') {
    const contact = state.contacts[conversation.id];
    if (!contact) return '';
    return `${presence(contact, state.now)} · ${trustWords[contact.trust]?.title ?? contact.trust}${more}`;
  }
  const count = membersOf(state, conversation.id).length;
  const people = `${count} ${count === 1 ? 'member' : 'members'}`;
  const room = state.rooms[conversation.id];
  const left = room?.endsAt ? ` · ends in ${remaining((Date.parse(room.endsAt) - state.now) / 1_000)}` : '';
  return `${people}${left}${more}`;
}

function searchBar(conversation, state, act) {
  return h('div', { class: 'search-field in-pane' }, icon('search'),
    h('input', {
      type: 'search', 'aria-label': 'Search in this conversation', placeholder: 'Search in this conversation', value: state.search.text, maxlength: '200',
      mounted: (element) => element.focus(),
      on: { input: (event) => act.search(event.target.value, conversation.id), keydown: ending(act) },
    }),
    iconButton('close', 'Close the search', act.endSearch, { class: 'small' }));
}

/** The decision that the user has to make first. */
function decision(conversation, state, act) {
  const contact = state.contacts[conversation.id];
  const group = state.groups[conversation.id];
  const room = state.rooms[conversation.id];
  if (contact?.trust === 'changed') {
    return banner('bad', trustMeans(contact), button('Compare the number', () => act.details(true)), settling(contact, act));
  }
  if (contact?.trust === 'blocked') return banner('calm', trustWords.blocked.means, button('Unblock', () => act.decide(conversation.id, 'unblock')));
  if (contact?.trust === 'revoked') return banner('bad', trustWords.revoked.means);
  if (conversation.kind === 'group' && group?.standing === 'invited') {
    const from = state.contacts[group.invitedBy]?.name ?? group.members.find((one) => one.id === group.invitedBy)?.name ?? 'Someone';
    return banner('calm', `${from} invites you to this group.`, button('Join', () => act.answer(group.id, true)),
      button('Decline', () => act.answer(group.id, false), { tone: 'quiet' }));
  }
  const claimed = claimedBy(state, conversation.id);
  if (claimed) {
    return banner('bad', `This is not the ${claimed.name} you know: it is another identity with that name. It may be a new device of theirs, or someone who pretends to be them.`,
      button(`Open the ${claimed.name} you know`, () => act.open(claimed.id), { tone: 'quiet' }),
      conversation.request && [button('Accept', () => act.decide(conversation.id, 'accept')), button('Block', () => act.decide(conversation.id, 'block'), { tone: 'quiet' })]);
  }
  if (conversation.kind === 'direct' && conversation.request) {
    return banner('calm', `${conversation.title} is not in your contacts. Accept to exchange files and let ${conversation.title} see that you received this.`,
      button('Accept', () => act.decide(conversation.id, 'accept')), button('Block', () => act.decide(conversation.id, 'block'), { tone: 'quiet' }));
  }
  if (room?.waiting?.length) {
    return h('div', { class: 'banner calm', role: 'group', 'aria-label': 'Join requests' }, room.waiting.map((person) => h('div', { class: 'knock', key: person.id },
      h('p', null, said('strong', null, person.name), ' wants to join.'),
      button('Let in', () => act.admit(room.id, person.id, true)),
      button('Decline', () => act.admit(room.id, person.id, false), { tone: 'quiet' }))));
  }
  return null;
}

function banner(tone, words, ...doing) {
  return h('div', { class: `banner ${tone}`, role: tone === 'bad' ? 'alert' : 'group' }, h('p', { dir: 'auto' }, words), h('div', { class: 'banner-doing' }, doing));
}

function foot(conversation, state, act) {
  const words = silence(state, conversation);
  if (words) return h('footer', { class: 'silence' }, h('p', { class: 'muted' }, words));
  const trust = state.contacts[conversation.id]?.trust;
  const isGroupRequest = conversation.kind === 'group' && state.groups[conversation.id]?.standing === 'invited';
  if (isGroupRequest || ['changed', 'blocked', 'revoked'].includes(trust) || (conversation.request && conversation.kind === 'direct')) return null;
  return [
    state.connection !== 'open' && h('p', { class: 'awaiting', role: 'status', key: 'offline' }, 'Your node does not answer. Reconnecting … What you write is kept.'),
    awaitsAcceptance(state, conversation) && h('p', { class: 'awaiting', role: 'status', key: 'awaiting', dir: 'auto' },
      `Waiting for ${conversation.title} to accept you. You will not see whether your messages arrive until then.`),
    composer(conversation, state, act),
  ];
}
