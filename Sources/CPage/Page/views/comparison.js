// The safety number of two: shown to be read out, and compared by the program with what the other reads out.

import { h } from './dom.js';
import { qrCode } from './qr.js';
import { button, field } from './parts.js';
import { groups } from '../text/segments.js';
import { errorWords } from '../text/words.js';

/** Digits of a safety number. */
const digitCount = 60;

/** A number that is not finished, in words; null for a whole one, or the text of a code. */
function unfinished(text) {
  const { length } = text.replace(/\D/g, '');
  if (length === digitCount || text.trim().startsWith('earshot:')) return null;
  return length < digitCount ? `You typed ${length} of ${digitCount} digits.` : `You typed ${length} digits. The number has ${digitCount}.`;
}

/** The card of one contact; `state.comparing` holds the number and the code once they are here. */
export function comparison(contact, state, act) {
  const known = state.comparing?.peer === contact.id ? state.comparing : null;
  return h('section', { class: 'card', key: 'comparison', mounted: () => act.compare(contact.id) },
    h('h3', null, 'Safety number'),
    h('p', { class: 'digits large', 'aria-label': 'Safety number', 'data-number': known?.number }, known?.number ? groups(known.number) : ' '),
    h('p', { class: 'field-hint' }, contact.trust === 'verified' ? 'You compared this number. It stays the same as long as neither of you replaces the identity.'
      : 'Meet or call, read the number to each other, and type the digits. Earshot compares the digits for you.'),
    contact.trust !== 'verified' && h('form', {
      class: 'compare',
      on: { submit: async (event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const hint = unfinished(form.number.value);
        act.comparing({ error: null, hint });
        if (hint) return;
        try {
          await act.verify(contact.id, form.number.value);
          form.reset();
        } catch (error) {
          act.comparing({ error: errorWords(error) });
        }
      } },
    },
    field('Their digits', h('input', { name: 'number', required: true, inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false', maxlength: '160', class: 'code-input', 'aria-describedby': 'compare-hint compare-error' })),
    h('p', { class: 'field-hint', role: 'status', id: 'compare-hint' }, known?.hint),
    known?.error && h('p', { class: 'error', role: 'alert', id: 'compare-error' }, known.error),
    h('button', { type: 'submit', class: 'button' }, 'Compare')),
    known?.rows
      ? h('div', null, qrCode(known.rows, 'A code for them to scan to verify you'), h('p', { class: 'field-hint' }, 'They scan it with any reader, and paste its text below “Their digits” on their page, or give it to `earshot verify … --qr`.'))
      : button('Show a QR code', () => act.showCode(contact.id), { tone: 'quiet' }));
}
