// The part of a conversation's history that is held: a window that pages move along it.
// Invariant: `messages` are in the node's order without gaps, and at most `windowCount`.

/** Messages of one page of `history`. */
export const pageCount = 60;
/** Messages held of one conversation. */
export const windowCount = 240;
/** Conversations whose windows are held; of others they are asked for anew. */
const heldCount = 6;

/** A window that holds nothing yet. */
export const emptyTimeline = { messages: [], atStart: false, atEnd: false, loading: null, error: null, fresh: 0, used: 0 };

/** Puts `change` into a conversation's window, and lets those go that were not looked at for longest. */
export function withTimeline(timelines, id, change) {
  const used = Math.max(0, ...Object.values(timelines).map((timeline) => timeline.used)) + 1;
  const next = { ...timelines, [id]: { ...(timelines[id] ?? emptyTimeline), ...change, used } };
  const ids = Object.keys(next);
  if (ids.length > heldCount) {
    delete next[ids.reduce((oldest, other) => (next[other].used < next[oldest].used ? other : oldest))];
  }
  return next;
}

/** Takes a page that was asked for: `newest`, `before`, `after` or `around` what is held.
 *
 *  `isShort` tells that the page ran into the history's end in its direction. */
export function takePage(timeline, { where, messages, isShort, endIsKnown }) {
  const done = { ...timeline, loading: null, error: null };
  if (where === 'newest') return { ...done, messages, atStart: isShort, atEnd: true, fresh: 0 };
  if (where === 'around') return { ...done, messages, atStart: isShort, atEnd: Boolean(endIsKnown) };
  const known = new Set(timeline.messages.map((message) => message.id));
  const added = messages.filter((message) => !known.has(message.id));
  if (where === 'before') {
    const all = [...added, ...timeline.messages];
    const isCut = all.length > windowCount;
    return { ...done, messages: all.slice(0, windowCount), atStart: isShort, atEnd: timeline.atEnd && !isCut };
  }
  const all = [...timeline.messages, ...added];
  const isCut = all.length > windowCount;
  return { ...done, messages: all.slice(-windowCount), atEnd: isShort, atStart: timeline.atStart && !isCut };
}

/** Takes a message that came or was sent: at the end, if the end is held. */
export function takeMessage(timeline, message) {
  if (timeline.messages.some((known) => known.id === message.id)) return replace(timeline, message);
  if (!timeline.atEnd) return { ...timeline, fresh: timeline.fresh + 1 };
  const all = [...timeline.messages, message];
  const isCut = all.length > windowCount;
  return { ...timeline, messages: all.slice(-windowCount), atStart: timeline.atStart && !isCut };
}

/** Puts a message in the place of how it was. */
export function replace(timeline, message) {
  return mapMessage(timeline, message.id, () => message);
}

/** Changes one message, if it is held. */
export function mapMessage(timeline, id, change) {
  const index = timeline.messages.findIndex((message) => message.id === id);
  if (index < 0) return timeline;
  const messages = timeline.messages.slice();
  messages[index] = change(messages[index]);
  return { ...timeline, messages };
}

/** Takes a message out. */
export function drop(timeline, id) {
  if (!timeline.messages.some((message) => message.id === id)) return timeline;
  return { ...timeline, messages: timeline.messages.filter((message) => message.id !== id) };
}
