// The members of a group or a room, the room's code and clock, and the changes by its owner.

import { h } from './dom.js';
import { dialogFrame, doing, submitting } from './dialogs.js';
import { memberChoice, newcomers } from './new.js';
import { button, choice, field, filled, iconButton, nameFilter, portrait, said, trustMark } from './parts.js';
import { qrCode } from './qr.js';
import { contains, reachablePeople } from '../state/selectors.js';
import { fullTime, remaining } from '../text/time.js';

/** The choices of the history for new members, with the present value if it is none of these. */
function newcomerChoices(set) {
  return newcomers.some(([value]) => value === set) ? newcomers : [...newcomers, [set, `The last ${set.slice(5)} messages`]];
}

/** The parts of a group. */
export function groupDetails(conversation, state, act) {
  const group = state.groups[conversation.id];
  if (!group) return null;
  const owns = group.owner === state.status.id;
  const changes = owns || group.members.some((one) => one.id === state.status.id && one.admin);
  return [
    group.frozen && h('p', { class: 'error', role: 'alert' }, 'The owner signed two different histories of this group. Its members cannot be determined.'),
    people(group.members, { own: state.status.id, owner: group.owner, title: 'owner', owns, changes, successor: group.successor }, 'group', group.id, state, act),
    changes ? h('section', { class: 'card' }, choice('New members can see', group.history, newcomerChoices(group.history), (value) => act.letNewcomers(group.id, value), 'Of the messages before they joined.'))
      : h('p', { class: 'field-hint' }, `New members can see: ${newcomerChoices(group.history).find(([value]) => value === group.history)[1]}.`),
    h('div', { class: 'details-row' },
      changes && button('Add members', () => act.dialog({ kind: 'add', group: group.id }), { tone: 'quiet' }),
      changes && button('Rename', () => act.dialog({ kind: 'rename', what: 'group', id: group.id, title: group.title }), { tone: 'quiet' }),
      group.successor === state.status.id && button('Take over', () => act.confirm({ title: 'Take over the group?', words: 'You become the owner, if the owner was silent for 14 days and another member is in reach.', yes: 'Take over', doing: () => act.takeOver(group.id) }), { tone: 'quiet' })),
    changes && !owns && h('p', { class: 'field-hint' }, 'You are an admin. The owner’s device makes your changes as soon as it hears of them.'),
  ];
}

/** The parts of a room. */
export function roomDetails(conversation, state, act) {
  const room = state.rooms[conversation.id];
  if (!room) return null;
  const owns = room.standing === 'host';
  const left = room.endsAt ? (Date.parse(room.endsAt) - state.now) / 1_000 : null;
  return [
    h('section', { class: 'card' },
      left !== null && h('p', { class: 'clock', title: fullTime(room.endsAt) }, 'Ends in ', h('strong', null, remaining(left))),
      h('p', { class: 'field-hint' }, room.ephemeral ? 'The members do not keep a history of this room.' : 'Its history is deleted when the room ends.'),
      h('p', { class: 'field-hint' }, 'In this room you are known as ', said('strong', null, room.name), '.')),
    owns && door(room, state, act),
    people(room.members, { own: room.own, owner: room.host, title: 'host', owns, changes: owns }, 'room', room.id, state, act),
    owns && h('div', { class: 'details-row' }, button('Rename', () => act.dialog({ kind: 'rename', what: 'room', id: room.id, title: room.title }), { tone: 'quiet' })),
  ];
}

function door(room, state, act) {
  const code = state.comparing?.peer === room.id ? state.comparing.rows : null;
  return h('section', { class: 'card' },
    h('h3', null, 'Code'),
    room.code ? h('p', { class: 'room-code', 'aria-label': 'Code of the room' }, room.code)
      : h('p', { class: 'muted' }, room.shut ? 'The room is closed to new members.' : room.admission === 'open' ? 'Everyone nearby can join.' : 'There is no code at the moment.'),
    room.code && h('p', { class: 'field-hint' }, 'Read it to the people you want to invite. After twenty wrong guesses there is a new code.'),
    h('div', { class: 'details-row' },
      room.invite && button('Copy the invitation', () => act.copy(room.invite), { tone: 'quiet' }),
      room.invite && !code && button('Show a QR code', () => act.showRoomCode(room.id, room.invite), { tone: 'quiet' }),
      button(room.shut ? 'Let new members in' : 'Close to new members', () => act.setDoor(room.id, room.shut), { tone: 'quiet' })),
    code && qrCode(code, 'The invitation to this room'));
}

/** The most members in a list before the user asks for all. */
const mostShown = 100;

/** The members. The owner may do all; an admin removes whoever is neither the owner nor an admin. */
function people(members, roles, kind, id, state, act) {
  const { owns } = roles;
  const filter = state.filter ?? '';
  const fit = filter ? members.filter((one) => contains(one.name, filter)) : members;
  const shown = state.details === 'all' ? fit : fit.slice(0, mostShown);
  return h('section', { class: 'card' }, h('h3', null, `${members.length} ${members.length === 1 ? 'member' : 'members'}`),
    nameFilter(members, filter, act.filter),
    h('ul', { class: 'people' }, shown.map((one) => {
      const contact = state.contacts[one.id];
      const isOwn = one.id === roles.own;
      return h('li', { class: 'person', key: one.id },
        portrait({ id: one.id, name: one.name, emoji: contact?.emoji, colour: contact?.colour }, 'tiny'),
        said('span', { class: 'person-name' }, one.name), trustMark(contact?.trust),
        isOwn && h('span', { class: 'tag' }, 'you'),
        one.id === roles.owner && h('span', { class: 'tag' }, roles.title),
        one.id === roles.successor && h('span', { class: 'tag' }, 'successor'),
        one.admin && h('span', { class: 'tag' }, 'admin'),
        one.leaving && h('span', { class: 'tag' }, 'leaving'),
        owns && kind === 'group' && !isOwn && iconButton('edit', one.admin ? `Make ${one.name} an ordinary member` : `Make ${one.name} an admin`, () => act.confirm(one.admin
          ? { title: `Make ${one.name} an ordinary member?`, words: `Then ${one.name} no longer changes the group.`, yes: 'Change', doing: () => act.setAdmin(id, one.id, false) }
          : { title: `Make ${one.name} an admin?`, words: `Then ${one.name} adds and removes members, and renames the group. Your device makes these changes without asking you.`, yes: 'Make admin', doing: () => act.setAdmin(id, one.id, true) }), { class: 'small' }),
        owns && kind === 'group' && !isOwn && iconButton('clock', one.id === roles.successor ? `No longer let ${one.name} take over` : `Let ${one.name} take over after a silence`, () => act.confirm(one.id === roles.successor
          ? { title: `No longer let ${one.name} take over?`, words: 'Then nobody takes over the group when you are away.', yes: 'Change', doing: () => act.setSuccessor(id) }
          : { title: `Let ${one.name} take over?`, words: `After 14 days without a sign of you ${one.name} may become the owner.`, yes: 'Make successor', doing: () => act.setSuccessor(id, one.id) }), { class: 'small' }),
        owns && !isOwn && iconButton('shield', `Hand over to ${one.name}`, () => act.confirm({
          title: `Hand over to ${one.name}?`, words: `Then ${one.name} decides about its members, and you no longer do.`, yes: 'Hand over', doing: () => act.handOver(kind, id, one.id),
        }), { class: 'small' }),
        roles.changes && !isOwn && (owns || !(one.admin || one.id === roles.owner)) && iconButton('close', `Remove ${one.name}`, () => act.confirm({
          title: `Remove ${one.name}?`, words: 'They cannot read later messages.', yes: 'Remove', doing: () => act.removeMember(kind, id, one.id),
        }), { class: 'small' }));
    })),
    filter && !fit.length && h('p', { class: 'muted' }, 'No member of that name.'),
    shown.length < fit.length && button(`Show all ${fit.length} members`, () => act.details('all'), { tone: 'quiet' }));
}

/** The dialog that takes people into a group. */
export function addDialog(state, act) {
  const group = state.groups[state.dialog.group];
  const inside = new Set(group?.members.map((one) => one.id));
  const people = reachablePeople(state).filter((one) => !inside.has(one.id));
  return dialogFrame('Add members', state, act, h('form', { on: { submit: (event) => submitting(event, act, async (form) => {
    const chosen = [...form.querySelectorAll('[name=member]:checked')].map((box) => box.value);
    if (chosen.length) await act.addMembers(state.dialog.group, chosen);
  }) } },
  people.length ? memberChoice(people, state, act) : h('p', { class: 'muted' }, 'Everyone you know is already here.'),
  doing(state, 'Add', state.dialog.busy || !people.length)));
}

/** The dialog that gives a group or a room another title. */
export function renameDialog(state, act) {
  const { what, id, title } = state.dialog;
  return dialogFrame(`Rename the ${what}`, state, act, h('form', { on: { submit: (event) => submitting(event, act, (form) => act.rename(what, id, form.title.value.trim())) } },
    field('Title', h('input', { name: 'title', required: true, maxlength: '64', autocomplete: 'off', dir: 'auto', mounted: filled(title) }), 'All members see it.'),
    doing(state, 'Rename')));
}
