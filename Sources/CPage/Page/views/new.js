// The ways into a new conversation: a person, a room by code, a new room, a group, a link.

import { h } from './dom.js';
import { dialogFrame, doing, submitting } from './dialogs.js';
import { invite } from './hubs.js';
import { digitsMark, empty, field, filled, nameFilter, part, portrait, said } from './parts.js';
import { contains, reachablePeople, tellingDigits } from '../state/selectors.js';
import { remaining, span } from '../text/time.js';
import { presence } from '../text/words.js';

/** Units: seconds that a room may last. */
const roomLives = [300, 3_600, 43_200, 86_400, 604_800];

/** The choices of the history for new members. */
export const newcomers = [['none', 'Nothing'], ['last:50', 'The last 50 messages'], ['all', 'Everything']];

/** People listed before the user types a name. */
const mostListed = 50;

const tabs = [['person', 'Person'], ['join', 'Join a room'], ['room', 'New room'], ['group', 'New group'], ['link', 'By a link']];

/** The dialog with its parts. */
export function newDialog(state, act) {
  const shows = state.dialog.part ?? 'person';
  const shown = { person: personList, join: joinForm, room: roomForm, group: groupForm, link: linkForm }[shows];
  return dialogFrame('New conversation', state, act,
    h('div', { class: 'tabs', role: 'tablist', on: { keydown: (event) => turn(event, shows, act) } }, tabs.map(([id, words]) => h('button', {
      type: 'button', role: 'tab', key: id, id: `tab-${id}`, class: 'tab', 'aria-selected': id === shows ? 'true' : 'false', tabindex: id === shows ? '0' : '-1', 'aria-controls': 'new-part',
      on: { click: () => act.changeDialog({ part: id, error: null, filter: '' }) },
    }, words))),
    h('div', { role: 'tabpanel', id: 'new-part', 'aria-labelledby': `tab-${shows}` }, shown(state, act)));
}

function turn(event, part, act) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = tabs.findIndex(([id]) => id === part);
  const next = tabs[(at + step + tabs.length) % tabs.length][0];
  act.changeDialog({ part: next, error: null, filter: '' });
  document.querySelector(`#tab-${next}`)?.focus();
}

function personList(state, act) {
  const people = reachablePeople(state);
  const { filter = '' } = state.dialog;
  const fit = people.filter((one) => contains(one.name, filter));
  return h('div', { key: 'person' },
    nameFilter(people, filter, (text) => act.changeDialog({ filter: text })),
    people.length ? h('ul', { class: 'people choose', 'aria-label': 'People' }, fit.slice(0, mostListed).map((one) => h('li', { key: one.id },
      h('button', { type: 'button', class: 'choice', on: { click: () => { act.dialog(null); act.open(one.id); } } },
        portrait(one, 'tiny'), said('span', { class: 'choice-name' }, one.name, ' ', digitsMark(tellingDigits(state, one.id))), h('span', { class: 'muted small-words' }, presence(one, state.now))))))
      : empty('wave', 'Nobody was heard yet', 'People on the same network who run Earshot appear here by themselves.'),
    fit.length > mostListed && h('p', { class: 'field-hint' }, `${fit.length - mostListed} more: type a name to find them.`),
    people.length > 0 && !fit.length && h('p', { class: 'muted' }, 'Nobody of that name. People appear once they were heard on your network.'),
    part('To be found', h('p', { class: 'muted' }, 'People on your network who run Earshot see you as ', said('strong', null, state.status.name), ' by themselves.'),
      invite(state.dialog, state.now, act)));
}

function joinForm(state, act) {
  return h('form', { key: 'join', on: { submit: (event) => submitting(event, act, async (form) => {
    const room = await act.joinRoom(event.submitter?.value || form.code.value.trim(), form.nickname.value.trim());
    act.open(room.id);
  }) } },
  h('p', { class: 'muted' }, 'Ask the host for the code. Someone who overhears the network cannot use it.'),
  field('Code or invitation', h('input', { name: 'code', required: true, placeholder: '47-482913', autocomplete: 'off', spellcheck: 'false', maxlength: '200', class: 'code-input' })),
  field('Your name in the room', h('input', { name: 'nickname', placeholder: state.status.name, maxlength: '32', autocomplete: 'off', dir: 'auto' }), 'You get a new identity in each room, so nobody can link it to you.'),
  doing(state, state.dialog.busy ? 'Joining …' : 'Join'),
  h('ul', { class: 'people', 'aria-label': 'Open rooms nearby', mounted: act.lookForRooms }, openRooms(state).map((room) => h('li', { class: 'person', key: room.id },
    h('span', { class: 'person-name' }, `Open room ${room.door}${room.remaining ? `, for ${remaining(room.remaining)}` : ''}`),
    h('button', { type: 'submit', class: 'button quiet', value: room.id, formnovalidate: true, disabled: state.dialog.busy }, 'Join')))));
}

/** The rooms in reach that everybody may enter and this user is not in. */
function openRooms(state) {
  return (state.dialog.nearby ?? []).filter((room) => room.admission === 'open' && !room.shut && !state.rooms[room.id]);
}

function roomForm(state, act) {
  return h('form', { key: 'room', on: { submit: (event) => submitting(event, act, async (form) => {
    const made = await act.createRoom({
      title: form.title.value.trim(), expiresAfter: Number(form.life.value), admission: form.admission.value, ephemeral: form.ephemeral.checked, history: form.history.value,
      ...(form.nickname.value.trim() ? { name: form.nickname.value.trim() } : {}),
    });
    await act.openAnew(made.room);
  }) } },
  field('Title', h('input', { name: 'title', required: true, maxlength: '64', autocomplete: 'off', dir: 'auto' })),
  field('Your name in the room', h('input', { name: 'nickname', placeholder: state.status.name, maxlength: '32', autocomplete: 'off', dir: 'auto' })),
  field('Room closes after', h('select', { name: 'life', mounted: filled('86400') }, roomLives.map((seconds) => h('option', { value: seconds }, span(seconds)))), 'Then its keys are destroyed everywhere.'),
  field('Admission', h('select', { name: 'admission' },
    h('option', { value: 'code' }, 'Everyone with the code'), h('option', { value: 'code+approval' }, 'Everyone with the code, after your approval'), h('option', { value: 'open' }, 'Everyone nearby'))),
  field('New members can see', h('select', { name: 'history' }, newcomers.map(([value, words]) => h('option', { value }, words)))),
  h('label', { class: 'toggle' }, h('span', { class: 'toggle-words' }, h('span', null, 'Do not keep a history')), h('input', { type: 'checkbox', role: 'switch', name: 'ephemeral' })),
  doing(state, 'Create room'));
}

function groupForm(state, act) {
  const people = reachablePeople(state);
  return h('form', { key: 'group', on: { submit: (event) => submitting(event, act, async (form) => {
    const members = [...form.querySelectorAll('[name=member]:checked')].map((box) => box.value);
    const group = await act.createGroup(form.title.value.trim(), members);
    await act.openAnew(group.id);
  }) } },
  field('Title', h('input', { name: 'title', required: true, maxlength: '64', autocomplete: 'off', dir: 'auto' })),
  h('fieldset', { class: 'choose' }, h('legend', null, 'Members'), memberChoice(people, state, act), !people.length && h('p', { class: 'muted' }, 'You have no contacts yet. People nearby appear by themselves.')),
  doing(state, 'Create group'));
}

function linkForm(state, act) {
  const { link = '', text = '', busy } = state.dialog;
  return h('form', { key: 'link', on: { submit: (event) => submitting(event, act, (form) => act.write(form.link.value.trim(), form.text.value)) } },
    h('p', { class: 'muted' }, 'For someone in another network who gave you a link.'),
    field('Their link', h('input', { name: 'link', required: true, placeholder: 'earshot:peer?id=…', autocomplete: 'off', spellcheck: 'false', maxlength: '1280', mounted: filled(link) })),
    field('First message', h('input', { name: 'text', required: true, autocomplete: 'off', dir: 'auto', mounted: filled(text) })),
    doing(state, busy ? 'Sending …' : 'Send'));
}

/** Boxes to choose people by; those that do not fit what is typed are hidden, and stay chosen. */
export function memberChoice(people, state, act) {
  const { filter = '' } = state.dialog;
  return [nameFilter(people, filter, (text) => act.changeDialog({ filter: text })), people.map((one) => h('label', { class: 'choice', key: one.id, hidden: !contains(one.name, filter) }, portrait(one, 'tiny'), said('span', { class: 'choice-name' }, one.name, ' ', digitsMark(tellingDigits(state, one.id))),
    h('input', { type: 'checkbox', name: 'member', value: one.id })))];
}
