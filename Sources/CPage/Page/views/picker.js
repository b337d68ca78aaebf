// The table of emoji, for the composer and for reactions.

import { h } from './dom.js';
import { emojiGroups, findEmoji, quickSet } from '../text/emoji.js';

/** Emoji in a row, for moving with the arrow keys. */
const columnCount = 8;

/** The open picker; `state.picker` says what for. */
export function picker(state, act) {
  if (!state.picker) return null;
  const isReaction = state.picker !== 'composer';
  const choose = (sign) => (isReaction ? act.reactWith(state.picker, sign) : act.insert(sign));
  const query = state.pickerQuery ?? '';
  const groups = query ? [{ name: 'Results', emoji: findEmoji(query) }] : emojiGroups;
  const sign = (one) => h('button', { type: 'button', class: 'sign', title: one.words, 'aria-label': one.words, on: { click: () => choose(one.sign) } }, one.sign);
  return h('div', {
    class: 'picker', role: 'dialog', 'aria-label': isReaction ? 'Choose a reaction' : 'Choose an emoji', key: 'picker',
    on: { keydown: (event) => keys(event, act) },
  },
  isReaction && h('div', { class: 'signs quick' }, quickSet.map((quick) => sign({ sign: quick, words: `React with ${quick}` }))),
  h('input', {
    type: 'search', class: 'picker-search', placeholder: 'Find an emoji', 'aria-label': 'Find an emoji', autocomplete: 'off', maxlength: '40',
    mounted: (element) => element.focus({ preventScroll: true }), on: { input: (event) => act.pickerQuery(event.target.value) },
  }),
  h('div', { class: 'picker-scroll', tabindex: '-1' }, groups.map(({ name, emoji }) => h('section', { key: name },
    h('h3', { class: 'picker-title' }, name),
    emoji.length ? h('div', { class: 'signs' }, emoji.map(sign)) : h('p', { class: 'muted' }, 'No emoji has that name.')))));
}

function keys(event, act) {
  if (event.key === 'Escape') {
    event.preventDefault();
    act.pick(null);
    return;
  }
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columnCount, ArrowUp: -columnCount }[event.key];
  const isField = event.target.matches('input');
  if (!step || (isField && event.key !== 'ArrowDown')) return;
  const all = [...event.currentTarget.querySelectorAll('.sign')];
  const at = all.indexOf(document.activeElement);
  event.preventDefault();
  all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}
