// Pages that stand before everything else: the first start, the lock, the cover, and no session.

import { h, icon } from './dom.js';
import { field } from './parts.js';
import { errorWords } from '../text/words.js';

/** The first start: says what the user is called. */
export function welcome(state, act) {
  const submit = async (event) => {
    event.preventDefault();
    const name = event.currentTarget.nickname.value.trim();
    act.gate({ busy: true, error: null });
    try {
      if (name !== state.status.name) await act.setProfile({ name });
      act.welcomed();
    } catch (error) {
      act.gate({ error: errorWords(error) });
    }
    act.gate({ busy: false });
  };
  return gate('welcome', 'Welcome to Earshot', 'Private talk with people near you: no server, no account, always encrypted.',
    h('form', { on: { submit } },
      field('Your name', h('input', {
        name: 'nickname', required: true, maxlength: '32', autocomplete: 'nickname', dir: 'auto', mounted: (element) => { element.value = state.status.name; element.focus(); element.select(); },
      }), 'People nearby see this name. You can change it at any time.'),
      state.gate?.error && h('p', { class: 'error', role: 'alert' }, state.gate.error),
      h('button', { type: 'submit', class: 'button wide', disabled: state.gate?.busy }, 'Start')));
}

/** The lock: nothing is shown until the passphrase is right. */
export function lockGate(state, act) {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    act.gate({ busy: true, error: null });
    try {
      await act.unlock(form.passphrase.value);
    } catch (error) {
      act.gate({ error: error.name === 'locked' || /passphrase/i.test(error.message) ? 'The passphrase is wrong.' : errorWords(error) });
      form.passphrase.select();
    }
    act.gate({ busy: false });
  };
  return gate('lock', 'Locked', 'Type the passphrase to read your messages. Your node still carries messages for others.',
    h('form', { on: { submit } },
      field('Passphrase', h('input', { type: 'password', name: 'passphrase', required: true, autocomplete: 'current-password', mounted: (element) => element.focus() })),
      state.gate?.error && h('p', { class: 'error', role: 'alert' }, state.gate.error),
      h('button', { type: 'submit', class: 'button wide', disabled: state.gate?.busy }, state.gate?.busy ? 'Unlocking …' : 'Unlock')));
}

/** The cover: what is on the page is not to be seen. */
export function coverGate(act) {
  return h('main', { class: 'gate', key: 'cover' }, h('div', { class: 'gate-card' },
    h('img', { class: 'logo', src: '/icons/earshot.svg', alt: '' }), h('h1', null, 'Covered'),
    h('p', { class: 'muted' }, 'Your conversations are hidden.'),
    h('button', { type: 'button', class: 'button wide', mounted: (element) => element.focus(), on: { click: () => act.uncover() } }, icon('eye'), 'Show')));
}

const refusals = {
  restarted: ['This session has ended', 'Your node was started anew or locked, or this page was not used for long. '],
  ended: ['This session has ended', 'It was ended elsewhere, or was not used for long. '],
};

/** No session: tells how to get one. */
export function refusedGate({ why, keeps, text }, act) {
  const [title, words] = refusals[why] ?? ['Open Earshot again', 'This link has been used or has expired. '];
  return gate('refused', title, `${words}Run this where your node runs, and open the address that it prints.${keeps ? ` What you were writing is kept in this tab alone: open the address here${text ? ', or copy the text' : ''}.` : ''}`,
    command(), text && h('button', { type: 'button', class: 'button quiet', on: { click: () => act.copy(text) } }, 'Copy what you were writing'), h('p', { class: 'field-hint' }, 'If you gave your node a folder by --home, give it here too.'));
}

/** Another program has the port of the node: nothing was sent to it, and nothing is requested from it, not even a picture. */
export function foreignGate() {
  return bareGate('foreign', 'This is not your node', 'Another program answers in its place. Nothing that you wrote was sent to it. Do not type a passphrase here, and close this page. In a terminal, run this and open the address that it prints:', command());
}

function command() {
  return h('p', { class: 'command' }, h('code', null, 'earshot web --open'));
}

/** Before anything is known. */
export function startingGate(state) {
  return h('main', { class: 'hello' }, h('p', { class: 'muted', role: 'status' }, state.connection === 'lost' ? 'Your node does not answer. Reconnecting …' : 'Earshot'));
}

function gate(key, title, words, ...content) {
  return bareGate(key, title, words, content, h('img', { class: 'logo', src: '/icons/earshot.svg', alt: '' }));
}

function bareGate(key, title, words, content, logo) {
  return h('main', { class: 'gate', key }, h('div', { class: 'gate-card' }, logo, h('h1', null, title), h('p', { class: 'muted' }, words), content));
}
