// Keeps the visible messages in place while messages come and go around them, asks for more near the ends of what is
// held, and for another part where the scrollbar was dragged: what is not held stands as a gap of the height it may have.

/** Units: pixels from an end at which more is asked for. */
const nearness = 1_200;
/** Units: pixels that a message takes until some are measured, and pixels that browsers can still scroll through. */
const guess = { row: 64, all: 16_000_000 };
/** Units: pixels from the end that still count as being there. */
const slack = 48;

/** The scrolling of the open conversation's field. */
export class TimelineScroll {
  #field = null;
  #conversation = null;
  #anchor = null;
  #wanted = null;
  #takesFocus = true;
  #wishes;
  #isAtEnd = true;
  #watch;
  #frame = 0;
  #row = guess.row;
  #isMeasured = false;

  /** `wishes` has `older(id)`, `newer(id)`, `newest(id)`, `jump(id, index)`, `timeline(id)`, `seen(id)` and `moved()`,
   *  which is told when what is drawn depends on it. */
  constructor(wishes) {
    this.#wishes = wishes;
    this.#watch = new ResizeObserver(() => this.#settle());
  }

  /** Whether the end is out of sight. */
  get isAway() {
    return !this.#isAtEnd;
  }

  /** Units: pixels of so many messages that are not held, of a timeline. */
  height(count, timeline) {
    return timeline.messages.length ? Math.round(count * this.#rowOf(timeline)) : 0;
  }

  #rowOf({ before, after }) {
    return Math.min(this.#row, guess.all / (before + after + 1));
  }

  /** Takes over a field that has been drawn. */
  attach(field, conversation) {
    this.#watch.disconnect();
    this.#field = field;
    this.#conversation = conversation;
    this.#isAtEnd = true;
    this.#anchor = null;
    this.#isMeasured = false;
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
  after() {
    if (!this.#field) return;
    this.#measure();
    if (this.#wanted && this.#show(this.#wanted)) this.#wanted = null;
    else this.#settle();
    this.#ask();
  }

  /** Takes the height of a message from the first that are drawn. */
  #measure() {
    const list = this.#field.querySelector('.messages');
    const count = this.#wishes.timeline(this.#conversation)?.messages.length;
    if (this.#isMeasured || !count) return;
    this.#isMeasured = true;
    this.#row = list.offsetHeight / count;
    this.#wishes.moved();
  }

  /** Goes to the end with the next drawing. */
  toEnd() {
    this.#isAtEnd = true;
    this.#anchor = null;
    this.#settle();
  }

  /** Shows a message as soon as it is drawn, marks it for a moment, and gives it the focus if that is wished. */
  reveal(message, takesFocus) {
    this.#wanted = message;
    this.#takesFocus = takesFocus;
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
    if (this.#takesFocus) item.focus({ preventScroll: true });
    return true;
  }

  #remember() {
    const top = this.#field.getBoundingClientRect().top;
    this.#anchor = null;
    // The start of the conversation stays in view.
    if (this.#field.scrollTop < 1) return;
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

  #ask() {
    const [field, id] = [this.#field, this.#conversation];
    const timeline = this.#wishes.timeline(id);
    if (!timeline || timeline.loading || !timeline.messages.length) return;
    const view = field.getBoundingClientRect();
    const list = field.querySelector('.messages').getBoundingClientRect();
    const [above, below] = [view.top - list.top, list.bottom - view.bottom];
    const row = this.#rowOf(timeline);
    if (this.#isAtEnd && timeline.after) this.#wishes.newest(id);
    // To the start, or to what the gap in sight stands for.
    else if (field.scrollTop < 1 && timeline.before) this.#wishes.jump(id, 0);
    else if (above < -view.height) this.#wishes.jump(id, Math.floor(timeline.before + above / row));
    else if (below < -view.height) this.#wishes.jump(id, Math.floor(timeline.before + timeline.messages.length + (view.top - list.bottom) / row));
    else if (above < nearness && timeline.before) this.#wishes.older(id);
    else if (below < nearness && timeline.after) this.#wishes.newer(id);
  }
}
