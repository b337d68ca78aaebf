// The actions on a message.

import { h, icon } from './dom.js';
import { isPending } from '../text/words.js';

/** The menu of a message; it takes the focus, and gives it back when it closes. */
export function messageMenu(message, conversation, act) {
  const entry = (name, words, doing, tone = '') => h('button', {
    type: 'button', role: 'menuitem', class: `menu-item ${tone}`, tabindex: '-1', on: { click: () => { act.menu(null); doing(); } },
  }, icon(name), words);
  return h('div', {
    class: 'menu', role: 'menu', 'aria-label': 'Message',
    mounted: (element) => { place(element); element.querySelector('button').focus({ preventScroll: true }); },
    removed: (element) => { if (element.contains(document.activeElement)) element.closest('.message')?.focus({ preventScroll: true }); },
    on: { keydown: (event) => keys(event, act) },
  },
  entry('reply', 'Reply', () => act.reply(conversation.id, message)),
  message.text && entry('copy', 'Copy text', () => act.copy(message.text)),
  message.outgoing && message.text && !message.poll && entry('edit', 'Edit', () => act.edit(conversation.id, message)),
  message.poll && message.outgoing && !message.poll.closed && entry('check', 'Close the poll', () => act.closePoll(message.id)),
  message.outgoing && entry('info', 'Delivery details', () => act.dialog({ kind: 'deliveries', message: message.id, conversation: conversation.id })),
  isPending(message) && entry('stop', 'Stop sending', () => act.cancel(message.id)),
  entry('trash', 'Delete here', () => act.dialog({ kind: 'delete', message: message.id, forEveryone: false }), 'bad'),
  message.outgoing && entry('trash', 'Delete for everyone', () => act.dialog({ kind: 'delete', message: message.id, forEveryone: true }), 'bad'));
}

/** Opens upwards where there is no room below. */
function place(element) {
  const field = element.closest('.timeline')?.getBoundingClientRect();
  const menu = element.getBoundingClientRect();
  if (field && menu.bottom > field.bottom - 8 && menu.top - menu.height > field.top) element.classList.add('above');
}

function keys(event, act) {
  const all = [...event.currentTarget.querySelectorAll('[role=menuitem]')];
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at + all.length - 1) % all.length, Home: 0, End: all.length - 1 }[event.key];
  if (to !== undefined) all[to].focus();
  else if (event.key === 'Escape' || event.key === 'Tab') act.menu(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
