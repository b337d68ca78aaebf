// The column beside a conversation: who it is with and what that rests on, and what can be changed.

import { h, icon } from './dom.js';
import { comparison } from './comparison.js';
import { groupDetails, roomDetails } from './members.js';
import { button, choice, field, filled, iconButton, portrait, portraitOf, said, settling } from './parts.js';
import { isMuted } from '../state/selectors.js';
import { span } from '../text/time.js';
import { trustMeans, trustWords } from '../text/words.js';

/** Units: seconds; 0 for never. */
const timers = [0, 300, 3_600, 86_400, 604_800];
/** Units: seconds. */
const silences = [['3600', 'For an hour'], ['28800', 'For 8 hours'], ['always', 'Until I turn it back on']];
/** Units: seconds that messages are kept. */
const ages = [604_800, 2_592_000, 31_536_000];

/** The column. */
export function details(conversation, state, act) {
  const part = { direct: personDetails, group: groupDetails, room: roomDetails }[conversation.kind];
  return h('aside', { class: 'details', 'aria-label': 'Details', on: { keydown: (event) => event.key === 'Escape' && act.details(false) } },
    h('header', { class: 'details-head' }, h('h2', null, 'Details'), iconButton('close', 'Close the details', () => act.details(false), { mounted: (element) => element.focus({ preventScroll: true }) })),
    h('div', { class: 'details-who' }, portrait(portraitOf(state, conversation), 'large'), said('p', { class: 'details-name' }, conversation.title)),
    part(conversation, state, act),
    !conversation.isNew && common(conversation, state, act));
}

function personDetails(conversation, state, act) {
  const contact = state.contacts[conversation.id];
  if (!contact) return null;
  const words = trustWords[contact.trust] ?? trustWords.unknown;
  return [
    h('section', { class: `card trust ${words.tone}` },
      h('h3', null, icon(contact.trust === 'verified' ? 'verified' : words.tone === 'bad' ? 'warning' : 'shield'), words.title),
      h('p', null, trustMeans(contact))),
    !['blocked', 'revoked'].includes(contact.trust) && comparison(contact, state, act),
    contact.trust !== 'unknown' && naming(contact, act),
    contact.successor && h('section', { class: 'card' }, h('p', null, contact.trust === 'changed' ? 'This identity has signed the one that wants to replace it.' : `${contact.name} has a new identity.`),
      contact.trust !== 'changed' && button('Open it', () => act.open(contact.successor), { tone: 'quiet' })),
    h('section', { class: 'card' },
      h('h3', null, 'Fingerprint'),
      h('p', { class: 'digits' }, contact.fingerprint),
      h('p', { class: 'field-hint' }, 'The number of this identity alone. To verify each other, compare the safety number.')),
    h('div', { class: 'details-doing' },
      contact.trust === 'changed' && settling(contact, act, 'danger-quiet'),
      contact.trust === 'blocked'
        ? button('Unblock', () => act.decide(contact.id, 'unblock'), { tone: 'quiet' })
        : button('Block', () => act.confirmBlock(conversation), { tone: 'danger-quiet' })),
  ];
}

/** The user's own name for a contact. */
function naming(contact, act) {
  const { id, claimedName, localName, name } = contact;
  return h('section', { class: 'card', key: `name-${id}` },
    h('form', { on: { submit: (event) => { event.preventDefault(); act.nameContact(id, event.currentTarget.local.value.trim()); } } },
      field('Your name for them', h('input', { name: 'local', maxlength: '32', autocomplete: 'off', dir: 'auto', placeholder: claimedName ?? (localName ? '' : name), mounted: filled(localName ?? '') }),
        `${claimedName ? `They call themselves ${claimedName}. ` : ''}Nobody else sees your name for them.`),
      h('div', { class: 'details-row' }, button('Save the name', null, { type: 'submit', tone: 'quiet' }))));
}

/** The parts of all conversations. */
function common(conversation, state, act) {
  const muted = isMuted(conversation, state.now);
  const many = conversation.kind !== 'direct';
  const set = conversation.expiresAfter ?? 0;
  const ownsIt = state.rooms[conversation.id]?.standing === 'host';
  return [
    h('section', { class: 'card' },
      choice('Disappearing messages', String(set), (timers.includes(set) ? timers : [...timers, set]).map((seconds) => [String(seconds), seconds ? span(seconds) : 'Never']),
        (value) => act.setTimer(conversation.id, Number(value)), 'Applies to new messages, for everyone here. The others are told.'),
      keeping(conversation.id, state, act),
      muted ? h('div', { class: 'details-row' }, button('Unmute', () => act.unmute(conversation.id), { tone: 'quiet' }))
        : choice('Notifications', '', [['', 'On'], ...silences], (value) => muteFor(conversation, value, act)),
      h('div', { class: 'details-row' },
        button(conversation.pinned ? 'Unpin' : 'Pin to the top', () => act.pin(conversation.id, !conversation.pinned), { tone: 'quiet' }),
        conversation.kind !== 'room' && button('Export', () => act.dialog({ kind: 'export', conversation: conversation.id }), { tone: 'quiet' }))),
    h('div', { class: 'details-doing' },
      button('Delete the history here', () => act.confirm({
        title: 'Delete the history?', words: 'All messages and files of this conversation are deleted from this machine. The others keep theirs.', yes: 'Delete',
        doing: async () => { await act.deleteHistory(conversation.id); await act.newest(conversation.id); },
      }), { tone: 'danger-quiet' }),
      many && button(ownsIt ? 'End the room' : 'Leave', () => act.confirmLeave(conversation, ownsIt), { tone: 'danger-quiet' })),
  ];
}

function muteFor(conversation, value, act) {
  if (!value) return;
  act.mute(conversation.id, value === 'always' ? null : new Date(Date.now() + Number(value) * 1_000).toISOString());
}

/** The limit of messages on this node: of a conversation, or of all without limits of their own (''). */
export function keeping(id, state, act) {
  const kept = state.kept[id];
  const value = !kept ? '' : id && !kept.own ? 'all' : String(kept.age ?? (kept.messages || kept.bytes ? 'limited' : 'forever'));
  const options = [['forever', 'Forever'], ...ages.map((seconds) => [String(seconds), seconds > 604_800 ? `${Math.floor(seconds / 86_400)} days` : span(seconds)])];
  if (id) options.unshift(['all', 'Same as all conversations']);
  if (value && !options.some(([known]) => known === value)) options.push([value, kept.age ? span(kept.age) : 'Within the set limits']);
  return h('div', { mounted: () => act.keep(id) },
    choice('Keep messages', value, options, (chosen) => act.keep(id, chosen), 'On this machine. Others decide for themselves.'));
}
