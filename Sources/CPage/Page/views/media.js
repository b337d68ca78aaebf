// The attachments of a message: images, voice notes and other files.

import { h, icon } from './dom.js';
import { voiceNote } from './voice.js';
import { button, iconButton, said } from './parts.js';
import { isPending } from '../text/words.js';
import { mediaAddress } from '../wire/files.js';
import { size } from '../text/time.js';

/** Units: pixels of the longest edge at which an image is shown in a bubble. */
const imageEdge = 320;
const shownTypes = /^image\/(jpeg|png|webp|gif)$/;

/** The files of a message. */
export function files(message, conversation, state, act) {
  return h('div', { class: 'files' }, message.files.map((file, index) => one(message, file, index, conversation, state, act)), going(message, state, act));
}

/** The progress of the files of an own message to whoever fetches them, and what stops it. */
function going(message, state, act) {
  const parts = message.files.map((_, index) => state.progress[`${message.id}/${index}`]).filter((one) => one?.total);
  if (!message.outgoing || !isPending(message) || !parts.length) return null;
  const [bytes, total] = ['bytes', 'total'].map((name) => parts.reduce((sum, one) => sum + one[name], 0));
  return h('div', { class: 'going', key: 'going' },
    h('span', { class: 'file-words' }, h('span', { class: 'file-size' }, `${size(bytes)} of ${size(total)} sent`), h('progress', { max: '1', value: bytes / total, 'aria-label': 'Sending' })),
    button('Stop sending', () => act.cancel(message.id), { tone: 'quiet' }));
}

function one(message, file, index, conversation, state, act) {
  const progress = state.progress[`${message.id}/${index}`];
  // Attachments of an unknown peer are not opened before the peer is accepted.
  const isHere = file.complete || message.outgoing;
  if (isHere && !message.request && file.duration !== undefined) return voiceNote(message, file, index, act);
  if (isHere && !message.request && file.width && shownTypes.test(file.type)) return image(message, file, index, act);
  return plain(message, file, index, progress, isHere, act);
}

function image(message, file, index, act) {
  const scale = Math.min(1, imageEdge / Math.max(file.width, file.height));
  const [width, height] = [Math.max(48, Math.round(file.width * scale)), Math.max(48, Math.round(file.height * scale))];
  return h('button', { type: 'button', class: 'image', key: `image ${index}`, 'aria-label': `Image ${file.name}: show it large`,
    on: { click: () => act.dialog({ kind: 'image', message: message.id, index, name: file.name }) } },
  h('img', { src: mediaAddress(message.id, index), alt: file.name, width, height, loading: 'lazy', decoding: 'async' }));
}

function plain(message, file, index, progress, isHere, act) {
  const share = progress?.total ? progress.bytes / progress.total : 0;
  const comes = !isHere && (file.expected || (progress && !progress.failed));
  const words = progress?.failed ? failed(progress.failed)
    : comes ? `${size(progress?.bytes ?? 0)} of ${size(file.size)}`
      : isHere ? size(file.size) : `${size(file.size)} · not here yet`;
  const name = file.width ? 'image' : file.duration !== undefined ? 'mic' : 'file';
  return h('div', { class: 'file', key: `file ${index}` },
    h('span', { class: 'file-icon', 'aria-hidden': 'true' }, icon(name)),
    h('span', { class: 'file-words' }, said('span', { class: 'file-name', title: file.name }, file.name), h('span', { class: 'file-size' }, words),
      comes && h('progress', { max: '1', value: share, 'aria-label': `${file.name} on its way` })),
    isHere && !message.request && h('a', { class: 'icon-button', href: mediaAddress(message.id, index, true), download: file.name, 'aria-label': `Save ${file.name}`, title: 'Save' }, icon('download')),
    !isHere && comes && iconButton('close', `Cancel ${file.name}`, () => act.cancelFile(message.id, index)),
    !isHere && !comes && !message.request && iconButton('download', `Fetch ${file.name}`, () => act.fetchFile(message.id, index)));
}

function failed(reason) {
  return { cancelled: 'Cancelled. Fetch it again?', noRoom: 'There is no room for it' }[reason] ?? 'It did not arrive. Fetch it again?';
}
