// Small things that many views are made of.

import { h, icon } from './dom.js';
import { hueOf, initial } from '../text/segments.js';

/** A button with an icon; `label` is the text for screen readers and the pointer. */
export function iconButton(name, label, click, extra = {}) {
  const { class: more, ...rest } = extra;
  return h('button', { type: 'button', class: `icon-button ${more ?? ''}`, 'aria-label': label, title: label, on: { click }, ...rest }, icon(name));
}

/** A button with words. */
export function button(words, click, extra = {}) {
  const { tone = '', ...rest } = extra;
  return h('button', { type: 'button', class: `button ${tone}`, on: { click }, ...rest }, words);
}

/** A text of a person, in the direction of its script. */
export function said(tag, attributes, ...text) {
  return h(tag, { dir: 'auto', ...attributes }, text);
}

/** The picture of a person or a conversation; `of` has `id`, `name`, and perhaps `emoji`, `colour`, `kind`. */
export function portrait(of, size = '') {
  const shows = of.emoji ?? (of.kind === 'room' ? icon('room') : of.kind === 'group' ? icon('group') : initial(of.name));
  return h('span', { class: `portrait hue-${of.colour ?? hueOf(of.id)} ${size} ${of.emoji ? 'has-emoji' : ''}`, 'aria-hidden': 'true' }, shows);
}

/** A person or a conversation as `portrait` wants it. */
export function portraitOf(state, conversation) {
  const contact = conversation.kind === 'direct' ? state.contacts[conversation.id] : null;
  return { id: conversation.id, name: conversation.title, kind: conversation.kind, emoji: contact?.emoji, colour: contact?.colour };
}

/** A mark beside a name that was verified, or that must be looked at. */
export function trustMark(trust) {
  if (trust === 'verified') return h('span', { class: 'mark good', role: 'img', 'aria-label': 'Verified', title: 'Verified' }, icon('verified'));
  if (trust === 'changed' || trust === 'revoked') {
    const words = trust === 'changed' ? 'Identity changed' : 'Revoked';
    return h('span', { class: 'mark bad', role: 'img', 'aria-label': words, title: words }, icon('warning'));
  }
  return null;
}

/** The button that ends the doubt about a contact, in words for what it does. */
export function settling(contact, act, tone = 'quiet') {
  return contact.successor ? button('Switch to the new identity', () => act.confirmSuccessor(contact), { tone })
    : button(`Keep this ${contact.name}`, () => act.confirmKeep(contact), { tone });
}

/** The digits that tell a contact from another of the same name. */
export function digitsMark(digits) {
  return digits && h('span', { class: 'digits-mark', title: 'The first digits of the fingerprint: others have this name too. Only the safety number shows who it is.' }, digits);
}

/** Advice for an empty place. */
export function empty(name, title, words, ...doing) {
  return h('div', { class: 'empty' }, icon(name, 'icon large'), h('p', { class: 'empty-title' }, title), h('p', { class: 'muted' }, words), doing);
}

/** A titled part of a dialog. */
export function part(title, ...content) {
  return h('section', { class: 'part' }, h('h3', null, title), content);
}

/** A labelled field of a form. */
export function field(label, control, hint) {
  return h('div', { class: 'field' }, h('label', { class: 'field' }, h('span', { class: 'field-label' }, label), control), hint && h('span', { class: 'field-hint' }, hint));
}

/** A hook that fills a field once. */
export const filled = (value) => (element) => { element.value = value; };

/** A field that offers `options`, each a value and its words; `change(value)` gets the choice. */
export function choice(label, value, options, change, hint) {
  return field(label, h('select', { value, on: { change: (event) => change(event.target.value) } },
    options.map(([one, words]) => h('option', { value: one, key: one }, words))), hint);
}

/** A switch with a label and what it does. */
export function toggle(label, checked, change, hint) {
  return h('label', { class: 'toggle' },
    h('span', { class: 'toggle-words' }, h('span', null, label), hint && h('span', { class: 'field-hint' }, hint)),
    h('input', { type: 'checkbox', role: 'switch', checked, on: { change: (event) => change(event.target.checked) } }));
}

/** People in a list from which on it has a field to find them by name. */
const filteredCount = 8;

/** A field that finds people of a list by name; nothing for a short list. */
export function nameFilter(people, text, change) {
  return (text || people.length >= filteredCount) && h('input', {
    class: 'name-filter', key: 'filter', 'aria-label': 'Find by name', placeholder: 'Find by name', value: text, maxlength: '64', autocomplete: 'off', dir: 'auto',
    on: { input: (event) => change(event.target.value), keydown: (event) => event.key === 'Enter' && event.preventDefault() },
  });
}

/** Ends a search with Escape; the browser does not empty the field first, for that would begin another. */
export function ending(act) {
  return (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    act.endSearch();
  };
}

/** Moves the focus along the buttons of a list with the arrow keys. */
export function arrows(selector) {
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isEdge = event.key === 'Home' || event.key === 'End';
    if (!step && !isEdge) return;
    const all = [...event.currentTarget.querySelectorAll(selector)];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : at + step;
    all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
  };
}
