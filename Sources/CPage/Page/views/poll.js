// A question with options: live bars, one's own choice, and the form that asks one.

import { h, icon } from './dom.js';
import { dialogFrame, doing, submitting } from './dialogs.js';
import { field, said } from './parts.js';
import { nameIn, ownID } from '../state/selectors.js';

/** Options of a poll. */
const optionCounts = { least: 2, most: 12 };

/** The question, its bars, and what can be chosen. */
export function pollBody(message, conversation, state, act) {
  const { poll } = message;
  const own = ownID(state, conversation.id);
  const voters = new Set(poll.options.flatMap((option) => option.votes));
  const chosen = poll.options.flatMap((option, place) => (option.votes.includes(own) ? [place] : []));
  const isShut = poll.closed || (chosen.length > 0 && !poll.mayChange);
  const choose = (place) => {
    const has = chosen.includes(place);
    if (!poll.multiple) act.vote(message.id, has ? [] : [place]);
    else act.vote(message.id, has ? chosen.filter((other) => other !== place) : [...chosen, place].sort((a, b) => a - b));
  };
  const kind = poll.multiple ? 'Choose any' : 'Choose one';
  return h('div', { class: 'poll', role: 'group', 'aria-label': `Poll: ${poll.question}` },
    said('p', { class: 'poll-question' }, poll.question),
    h('p', { class: 'poll-kind' }, poll.closed ? 'Closed' : isShut ? 'You have voted' : kind),
    poll.options.map((option, place) => {
      const share = voters.size ? option.votes.length / voters.size : 0;
      const names = option.votes.map((peer) => nameIn(state, conversation.id, peer)).join(', ');
      const isMine = chosen.includes(place);
      return h('button', {
        type: 'button', class: `poll-option ${isMine ? 'mine' : ''}`, role: poll.multiple ? 'checkbox' : 'radio', 'aria-checked': isMine ? 'true' : 'false',
        disabled: isShut, title: names, 'aria-label': `${option.text}, ${option.votes.length} of ${voters.size} votes`, on: { click: () => choose(place) },
      },
      h('span', { class: 'poll-bar', style: { '--share': share }, 'aria-hidden': 'true' }),
      h('span', { class: 'poll-mark', 'aria-hidden': 'true' }, isMine && icon('check')),
      said('span', { class: 'poll-text' }, option.text),
      h('span', { class: 'poll-count' }, option.votes.length));
    }),
    h('p', { class: 'poll-kind' }, voters.size === 1 ? '1 person voted' : `${voters.size} people voted`));
}

/** The form that asks a question in a conversation. */
export function pollForm(state, act) {
  const { dialog } = state;
  const count = dialog.options ?? optionCounts.least;
  const values = (form) => [...form.querySelectorAll('[name=option]')].map((input) => input.value.trim()).filter(Boolean);
  return dialogFrame('Create a poll', state, act,
    h('form', {
      on: {
        submit: (event) => submitting(event, act, async (form) => {
          await act.ask({
            to: dialog.conversation, question: form.question.value.trim(), options: values(form),
            multiple: form.multiple.checked, mayChange: form.mayChange.checked,
          });
        }),
        input: (event) => {
          const isLast = event.target.name === 'option' && event.target.dataset.place === String(count - 1);
          if (isLast && event.target.value && count < optionCounts.most) act.changeDialog({ options: count + 1 });
        },
      },
    },
    field('Question', h('input', { name: 'question', required: true, maxlength: '300', dir: 'auto', autocomplete: 'off', autofocus: true })),
    h('fieldset', { class: 'options' }, h('legend', null, 'Options'),
      Array.from({ length: count }, (_, place) => h('input', {
        key: `option ${place}`, name: 'option', 'data-place': place, required: place < optionCounts.least, maxlength: '80', dir: 'auto', autocomplete: 'off',
        placeholder: `Option ${place + 1}`, 'aria-label': `Option ${place + 1}`,
      }))),
    h('label', { class: 'toggle' }, h('span', null, 'Allow several choices'), h('input', { type: 'checkbox', role: 'switch', name: 'multiple' })),
    h('label', { class: 'toggle' }, h('span', null, 'Allow changing votes'), h('input', { type: 'checkbox', role: 'switch', name: 'mayChange', mounted: (box) => { box.checked = true; } })),
    doing(state, 'Create')));
}
