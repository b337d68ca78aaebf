// The frame of dialogs and forms. The browser keeps the focus inside and closes on Escape.

import { h } from './dom.js';
import { button, iconButton } from './parts.js';
import { errorWords } from '../text/words.js';

/** A dialog with a title; what was refused is shown above its foot. */
export function dialogFrame(title, state, act, ...content) {
  const leave = () => act.dialog(state.dialog.back ?? null);
  return h('dialog', {
    class: `dialog ${state.dialog.kind}`, key: state.dialog.kind, 'aria-labelledby': 'dialog-title',
    mounted: (element) => {
      element.showModal();
      (element.querySelector('[autofocus]') ?? element.querySelector('input, textarea'))?.focus();
    },
    on: {
      close: (event) => event.target === event.currentTarget && leave(),
      click: (event) => event.target === event.currentTarget && leave(),
    },
  },
  h('div', { class: 'dialog-body' },
    h('header', { class: 'dialog-head' }, h('h2', { id: 'dialog-title', dir: 'auto' }, title), iconButton('close', 'Close', leave)),
    content,
    state.dialog.error && h('p', { class: 'error', role: 'alert' }, state.dialog.error)));
}

/** The foot of a form, with the button that sends it. */
export function doing(state, words, disabled = state.dialog.busy) {
  return h('div', { class: 'dialog-doing' }, button(words, null, { type: 'submit', disabled }));
}

/** Does what a form asks for, shows why it was refused, and closes the dialog when it is done (unless `doing` returns `true`). */
export async function submitting(event, act, doing) {
  event.preventDefault();
  const form = event.currentTarget ?? event.target;
  act.changeDialog({ busy: true, error: null });
  try {
    const stays = await doing(form);
    if (stays === true) act.changeDialog({ busy: false });
    else act.dialog(null);
  } catch (error) {
    act.changeDialog({ busy: false, error: errorWords(error) });
  }
}

/** Asks once more before what cannot be undone. `dialog` has `title`, `words`, `yes`, `doing`, and perhaps another way, `without`, and the dialog to go `back` to. */
export function confirmation(state, act) {
  const { title, words, yes, doing, without, busy, back = null } = state.dialog;
  return dialogFrame(title, state, act,
    h('form', { on: { submit: (event) => submitting(event, act, event.submitter?.value ? without : doing) } },
      h('p', { dir: 'auto' }, words),
      h('div', { class: 'dialog-doing' }, button('Cancel', () => act.dialog(back), { tone: 'quiet', autofocus: !!back }),
        without && button('Go without', null, { type: 'submit', value: '1', tone: 'quiet', disabled: busy }),
        h('button', { type: 'submit', class: 'button danger', disabled: busy, autofocus: !back }, yes))));
}
