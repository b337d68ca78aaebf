// Dialogs about one message.

import { h } from './dom.js';
import { dialogFrame, doing, submitting } from './dialogs.js';
import { button, field, said } from './parts.js';
import { nameIn } from '../state/selectors.js';
import { fullTime } from '../text/time.js';
import { failureWords, statusWords } from '../text/words.js';
import { mediaAddress } from '../wire/files.js';

/** The earlier texts of a message. */
export function editsDialog(state, act) {
  const { conversation, message: id } = state.dialog;
  const message = state.timelines[conversation]?.messages.find((one) => one.id === id);
  const texts = message ? [...(message.earlier ?? []), { text: message.text, sentAt: null }].reverse() : [];
  return dialogFrame('Earlier versions', state, act, h('ol', { class: 'versions' }, texts.map((one) => h('li', null,
    said('p', { class: 'text' }, one.text), h('p', { class: 'muted' }, one.sentAt ? fullTime(one.sentAt) : 'Present version')))));
}

/** The status of a message for each recipient. */
export function deliveriesDialog(state, act) {
  const { list, conversation, message } = state.dialog;
  const isSampled = state.timelines[conversation]?.messages.some((one) => one.id === message && one.sampled);
  return dialogFrame('Delivery details', state, act,
    isSampled && h('p', { class: 'field-hint' }, 'This group is large, so 16 members, chosen by chance, confirm a message. It counts as delivered when 12 of them have it.'),
    !list ? h('p', { class: 'muted' }, 'Asking your node …')
      : h('ul', { class: 'people' }, list.map((one) => h('li', { key: one.recipient, class: 'person' },
        said('span', { class: 'person-name' }, nameIn(state, conversation, one.recipient)),
        h('span', { class: 'muted' }, statusWords[one.status]?.says ?? one.status, one.reason && `: ${failureWords(one.reason)}`,
          one.copies?.map((copy) => ` · stored at ${copy.hub}, ${fullTime(copy.time)}`))))));
}

/** Asks before a message goes. */
export function deleteDialog(state, act) {
  const { message, forEveryone } = state.dialog;
  return dialogFrame(forEveryone ? 'Delete for everyone?' : 'Delete here?', state, act,
    h('p', null, forEveryone ? 'The conversation still shows that a message was deleted. Someone may have read or copied it already.' : 'It is deleted from this machine. The others keep it.'),
    h('div', { class: 'dialog-doing' }, button('Cancel', () => act.dialog(null), { tone: 'quiet' }),
      button('Delete', () => { act.dialog(null); act.remove(message, forEveryone); }, { tone: 'danger', autofocus: true })));
}

/** An image as large as it fits. */
export function imageDialog(state, act) {
  const { message, index, name } = state.dialog;
  return dialogFrame(name, state, act,
    h('img', { class: 'large-image', src: mediaAddress(message, index), alt: name }),
    h('div', { class: 'dialog-doing' }, h('a', { class: 'button quiet', href: mediaAddress(message, index, true), download: name }, 'Save')));
}

/** The dialog that has the browser save a conversation as a file. */
export function exportDialog(state, act) {
  return dialogFrame('Export', state, act, h('form', { on: { submit: (event) => submitting(event, act, (form) =>
    act.exportHistory(state.dialog.conversation, form.form.value, form.passphrase.value)) } },
  field('Format', h('select', { name: 'form' }, h('option', { value: 'jsonl' }, 'For Earshot and programs (JSON Lines)'), h('option', { value: 'html' }, 'To read in a browser (HTML)'))),
  field('Passphrase', h('input', { type: 'password', name: 'passphrase', autocomplete: 'new-password' }), 'Without one, anyone who gets the file can read it.'),
  doing(state, 'Save the file')));
}
