// Keeps what somebody reads in its place while messages come and go around it, and asks for more near the ends.

/** Units: pixels from an end at which more is asked for. */
const nearness = 1_200;
/** Units: pixels from the end that still count as being there. */
const slack = 48;

/** The scrolling of the open conversation's field. */
export class TimelineScroll {
  #field = null;
  #conversation = null;
  #anchor = null;
  #wanted = null;
  #wishes;
  #isAtEnd = true;
  #watch;
  #frame = 0;

  /** `wishes` has `older(id)`, `newer(id)`, `seen(id)` and `moved()`, which is told when `isAway` changes. */
  constructor(wishes) {
    this.#wishes = wishes;
    this.#watch = new ResizeObserver(() => this.#settle());
  }

  /** Whether the end is out of sight. */
  get isAway() {
    return !this.#isAtEnd;
  }

  /** Takes over a field that has been drawn. */
  attach(field, conversation) {
    this.#watch.disconnect();
    this.#field = field;
    this.#conversation = conversation;
    this.#isAtEnd = true;
    this.#anchor = null;
    field.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#watch.observe(field);
    const list = field.querySelector('.messages');
    if (list) this.#watch.observe(list);
  }

  /** Lets it go, if it is still this one. */
  detach(field) {
    if (field !== this.#field) return;
    this.#watch.disconnect();
    this.#field = null;
  }

  /** Before a drawing: remembers the first message in sight. */
  before() {
    if (!this.#field || this.#isAtEnd) return;
    this.#remember();
  }

  /** After a drawing: puts that message back where it was, or stays at the end. */
  after(timeline) {
    const field = this.#field;
    if (!field) return;
    if (this.#wanted && this.#show(this.#wanted)) this.#wanted = null;
    else this.#settle();
    this.#ask(timeline);
  }

  /** Goes to the end with the next drawing. */
  toEnd() {
    this.#isAtEnd = true;
    this.#anchor = null;
    this.#settle();
  }

  /** Shows a message as soon as it is drawn, and marks it for a moment. */
  reveal(message) {
    this.#wanted = message;
    if (this.#show(message)) this.#wanted = null;
  }

  #show(message) {
    const item = this.#field?.querySelector(`[data-message="${CSS.escape(message)}"]`);
    if (!item) return false;
    this.#isAtEnd = false;
    item.scrollIntoView({ block: 'center' });
    this.#remember();
    item.classList.remove('found');
    void item.offsetWidth;
    item.classList.add('found');
    item.focus({ preventScroll: true });
    return true;
  }

  #remember() {
    const top = this.#field.getBoundingClientRect().top;
    this.#anchor = null;
    for (const item of this.#field.querySelectorAll('.messages > li[data-message]')) {
      const place = item.getBoundingClientRect();
      if (place.bottom > top) {
        this.#anchor = { message: item.dataset.message, offset: place.top - top };
        return;
      }
    }
  }

  #settle() {
    const field = this.#field;
    if (!field) return;
    if (this.#isAtEnd) {
      field.scrollTop = field.scrollHeight;
    } else if (this.#anchor) {
      const item = field.querySelector(`[data-message="${CSS.escape(this.#anchor.message)}"]`);
      if (!item) return;
      const moved = item.getBoundingClientRect().top - field.getBoundingClientRect().top - this.#anchor.offset;
      if (Math.abs(moved) > 0.5) field.scrollTop += moved;
    }
  }

  #scrolled() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const field = this.#field;
      if (!field) return;
      const wasAtEnd = this.#isAtEnd;
      this.#isAtEnd = field.scrollHeight - field.scrollTop - field.clientHeight < slack;
      if (!this.#isAtEnd) this.#remember();
      if (wasAtEnd !== this.#isAtEnd) this.#wishes.moved();
      if (this.#isAtEnd && !wasAtEnd) this.#wishes.seen(this.#conversation);
      this.#ask();
    });
  }

  #ask(timeline) {
    const field = this.#field;
    if (timeline && (timeline.loading || !timeline.messages.length)) return;
    if (field.scrollTop < nearness) this.#wishes.older(this.#conversation);
    else if (field.scrollHeight - field.scrollTop - field.clientHeight < nearness) this.#wishes.newer(this.#conversation);
  }
}
