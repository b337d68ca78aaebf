// The field in which one writes: it grows, keeps its draft, completes names, and sends with Enter.

import { mentionAt } from '../text/segments.js';

/** Units: pixels that the field may grow to. */
const longest = 180;

/** The composer's field. `wishes` has `writes`, `submit`, `mention`, `writing`, `draft`, `editLast` and `paste`. */
export class ComposerField {
  #field = null;
  #conversation = null;
  #wishes;

  constructor(wishes) {
    this.#wishes = wishes;
  }

  /** Takes over a field that has been drawn, and puts back what was begun in it. */
  async attach(field, conversation) {
    this.#field = field;
    this.#conversation = conversation;
    field.addEventListener('paste', (event) => this.#pasted(event));
    if (matchMedia('(hover: hover)').matches && !document.querySelector('dialog[open]')) field.focus({ preventScroll: true });
    this.#wishes.writing(false);
    const draft = await this.#wishes.draft(conversation);
    if (this.#field === field && !field.value && draft) this.set(draft);
  }

  /** Lets it go, if it is still this one. */
  detach(field) {
    if (field !== this.#field) return;
    this.#field = null;
    this.#wishes.mention(null);
  }

  /** The text of the field. */
  get text() {
    return this.#field?.value ?? '';
  }

  /** Puts a text into it. */
  set(text) {
    if (!this.#field) return;
    this.#field.value = text;
    this.#field.focus();
    this.#grow();
    this.#wishes.writing(Boolean(text.trim()));
    this.#wishes.mention(null);
  }

  /** Puts a text in at the caret. */
  insert(text) {
    const field = this.#field;
    if (!field) return;
    field.focus();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    this.changed();
  }

  /** Somebody wrote. */
  changed() {
    this.#grow();
    this.#wishes.writing(Boolean(this.text.trim()));
    this.#wishes.writes(this.#conversation, this.text);
    this.moved();
  }

  /** The caret is elsewhere. */
  moved() {
    const field = this.#field;
    if (!field) return;
    const found = field.selectionStart === field.selectionEnd ? mentionAt(field.value, field.selectionStart) : null;
    this.#wishes.mention(found);
  }

  left() {
    this.#wishes.mention(null);
  }

  /** Puts a name in the place of what was typed after the `@`. */
  complete(name) {
    const field = this.#field;
    const found = field && mentionAt(field.value, field.selectionStart);
    if (!found) return;
    field.setRangeText(`@${name} `, found.start, field.selectionStart, 'end');
    this.changed();
    this.#wishes.mention(null);
  }

  /** The keys; `offered` are the names shown now. */
  keys(event, offered) {
    // A name may have been completed since the names were drawn; then the next Enter sends.
    const query = this.#wishes.mentionState()?.query.toLocaleLowerCase();
    const fits = offered.filter(({ name, shown }) => query !== undefined && [name, shown].some((one) => one.toLocaleLowerCase().startsWith(query)));
    if (fits.length && this.#choose(event, fits)) return event.preventDefault();
    const isSend = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (isSend) {
      event.preventDefault();
      this.#wishes.submit(this.#conversation);
    } else if (event.key === 'ArrowUp' && !this.text) {
      event.preventDefault();
      this.#wishes.editLast(this.#conversation);
    } else if (event.key === 'Escape') {
      this.#wishes.calm(this.#conversation);
    }
  }

  #choose(event, offered) {
    const { chosen = 0 } = this.#wishes.mentionState() ?? {};
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#wishes.choose((chosen + step + offered.length) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') this.complete(offered[Math.min(chosen, offered.length - 1)].name);
    else if (event.key === 'Escape') this.#wishes.mention(null);
    else return false;
    return true;
  }

  #grow() {
    const field = this.#field;
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, longest)}px`;
  }

  #pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    this.#wishes.paste(this.#conversation, files);
  }
}
