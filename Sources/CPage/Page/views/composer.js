// The composer: the field, the message that it answers or edits, attached files, names after an @, the recorder.

import { h, icon } from './dom.js';
import { iconButton, portrait, said } from './parts.js';
import { recorder } from './recorder.js';
import { composingIn } from '../state/composing.js';
import { membersOf, ownID } from '../state/selectors.js';
import { size, span } from '../text/time.js';
import { summary } from '../text/words.js';

/** Units: bytes up to which other nodes carry a file. */
const carriedSize = 262_144;
/** Names offered after an `@`. */
const offerCount = 6;

/** The composer of a conversation. */
export function composer(conversation, state, act) {
  const parts = composingIn(state, conversation.id);
  const { replyTo, editing, uploads, error, recording } = parts;
  if (recording) return h('footer', { class: 'composer' }, recorder(conversation, parts, act));
  const isReady = !parts.busy && uploads.every((one) => one.upload && !one.error);
  return h('footer', { class: 'composer' },
    error && h('p', { class: 'error', role: 'alert' }, error),
    replyTo && strip('reply', `Reply to ${replyTo.outgoing ? 'yourself' : replyTo.fromName}`, summary(replyTo), conversation, act),
    editing && strip('edit', 'Edit your message', editing.text, conversation, act),
    uploads.length > 0 && h('ul', { class: 'uploads', 'aria-label': 'Attached files' }, uploads.map((one) => upload(one, conversation, act))),
    offers(conversation, state, act),
    h('form', { class: 'composer-row', on: { submit: (event) => { event.preventDefault(); act.submit(conversation.id); } } },
      h('input', {
        type: 'file', multiple: true, class: 'unseen', id: 'files', tabindex: '-1', 'aria-hidden': 'true',
        on: { change: (event) => { act.attach(conversation.id, [...event.target.files]); event.target.value = ''; } },
      }),
      iconButton('clip', 'Attach files', () => document.querySelector('#files').click(), { disabled: Boolean(editing) }),
      iconButton('poll', 'Create a poll', () => act.dialog({ kind: 'poll', conversation: conversation.id }), { disabled: Boolean(editing) }),
      h('div', { class: 'composer-field' },
        h('textarea', {
          id: 'text', key: conversation.id, rows: '1', dir: 'auto', placeholder: conversation.expiresAfter ? `Write a message (disappears after ${span(conversation.expiresAfter)})` : 'Write a message', 'aria-label': `Message to ${conversation.title}`,
          'aria-autocomplete': 'list', 'aria-controls': state.mention ? 'offers' : null,
          mounted: (element) => act.field.attach(element, conversation.id), removed: (element) => act.field.detach(element),
          on: {
            input: () => act.field.changed(),
            keydown: (event) => act.field.keys(event, offered(conversation, state)),
            click: () => act.field.moved(), keyup: () => act.field.moved(),
            blur: () => act.field.left(),
          },
        }),
        iconButton('smile', 'Emoji', () => act.pick(state.picker === 'composer' ? null : 'composer'), { class: 'small', 'aria-expanded': state.picker === 'composer' ? 'true' : 'false' })),
      state.isWriting || uploads.length || editing
        ? h('button', { type: 'submit', key: 'send', class: 'icon-button primary', 'aria-label': editing ? 'Save the edit' : 'Send', title: editing ? 'Save' : 'Send', disabled: !isReady }, icon(editing ? 'check' : 'send'))
        : iconButton('mic', 'Record a voice note', () => act.record(conversation.id), { key: 'record' })));
}

function strip(name, title, text, conversation, act) {
  return h('div', { class: 'strip' }, icon(name),
    h('div', { class: 'strip-words' }, h('span', { class: 'strip-title' }, title), said('span', { class: 'strip-text' }, text)),
    iconButton('close', name === 'edit' ? 'Cancel edit' : 'Cancel reply', () => act.calm(conversation.id), { class: 'small' }));
}

function upload(one, conversation, act) {
  const share = one.size ? one.sent / one.size : 1;
  const words = one.error ?? (one.upload ? size(one.size) : `${Math.round(share * 100)} % of ${size(one.size)}`);
  const isLarge = one.kind === 'file' && one.size > carriedSize;
  return h('li', { class: `upload ${one.error ? 'bad' : ''}`, key: one.id },
    one.preview && !one.error ? h('img', { src: one.preview, alt: '' }) : h('span', { class: 'file-icon' }, icon('file')),
    h('span', { class: 'file-words' }, said('span', { class: 'file-name' }, one.name), h('span', { class: 'file-size' }, words),
      !one.upload && !one.error && h('progress', { max: '1', value: share, 'aria-label': `${one.name} on its way to your node` }),
      isLarge && h('span', { class: 'file-size' }, `Larger than 256 kB: goes only while ${conversation.kind === 'direct' ? 'both of you' : 'you and the others'} are here.`),
      one.kind === 'image' && h('button', { type: 'button', class: 'meta-link file-size', title: 'Unchanged, with all that its file says', 'aria-label': `Send ${one.name} as a file`, on: { click: () => act.attachAsFile(conversation.id, one.id) } }, 'Send as a file')),
    iconButton('close', one.upload ? `Remove ${one.name}` : `Cancel ${one.name}`, () => act.detach(conversation.id, one.id), { class: 'small' }));
}

/** The members whose names begin with what is typed after the `@`: others get the `name` that a member chose, and see nothing of the one `shown` here. */
function offered(conversation, state) {
  if (!state.mention) return [];
  const query = state.mention.query.toLocaleLowerCase();
  const own = ownID(state, conversation.id);
  return membersOf(state, conversation.id)
    .map(({ id, name }) => ({ id, name: state.contacts[id]?.claimedName ?? name, shown: name }))
    .filter((one) => one.id !== own && [one.name, one.shown].some((name) => name.toLocaleLowerCase().startsWith(query)) && one.name !== state.mention.query)
    .slice(0, offerCount);
}

function offers(conversation, state, act) {
  const people = offered(conversation, state);
  if (!people.length) return null;
  const chosen = Math.min(state.mention.chosen ?? 0, people.length - 1);
  return h('ul', { class: 'offers', id: 'offers', role: 'listbox', 'aria-label': 'Names' }, people.map((one, place) => h('li', {
    key: one.id, role: 'option', class: 'offer', 'aria-selected': place === chosen ? 'true' : 'false',
    on: { mousedown: (event) => { event.preventDefault(); act.field.complete(one.name); } },
  }, portrait({ id: one.id, name: one.name }, 'tiny'), said('span', null, one.shown, one.name !== one.shown && ` (${one.name})`))));
}
