// The part of a conversation's history that is held: a window that pages move along it, or that jumps to another place.
// Invariant: `messages` are in the node's order without gaps, and at most `windowCount`; `before` and `after` tell how
// many are around them: not always exactly, but 0 only where there are none.

/** Messages of one page of `history`. */
export const pageCount = 60;
/** Messages of a window, and of these those before the place it is asked for. */
export const jumpCounts = { all: 120, lead: 40 };
/** Messages held of one conversation. */
export const windowCount = 240;
/** Conversations whose windows are held; of others they are asked for anew. */
const heldCount = 6;

/** A window that holds nothing yet. */
export const emptyTimeline = { messages: [], before: 1, after: 1, loading: null, error: null, fresh: 0, used: 0 };

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

/** Takes what was asked for: a `window` that takes the place of what is held, or a page `before` or `after` it.
 *
 *  `isShort` tells that a page ran into the history's end in its direction. */
export function takePage(timeline, { where, messages, isShort, before, after }) {
  const done = { ...timeline, loading: null, error: null };
  if (where === 'window') return { ...done, messages, before, after, fresh: after && timeline.fresh };
  const known = new Set(timeline.messages.map((message) => message.id));
  const added = messages.filter((message) => !known.has(message.id));
  const left = (count) => (isShort ? 0 : Math.max(count - added.length, 1));
  const excess = Math.max(timeline.messages.length + added.length - windowCount, 0);
  if (where === 'before') {
    return { ...done, messages: [...added, ...timeline.messages].slice(0, windowCount), before: left(timeline.before), after: timeline.after + excess };
  }
  return { ...done, messages: [...timeline.messages, ...added].slice(-windowCount), before: timeline.before + excess, after: left(timeline.after) };
}

/** Takes a message that came or was sent: at the end, if the end is held. */
export function takeMessage(timeline, message) {
  if (timeline.messages.some((known) => known.id === message.id)) return replace(timeline, message);
  if (timeline.after) return { ...timeline, after: timeline.after + 1, fresh: timeline.fresh + 1 };
  return takePage(timeline, { where: 'after', messages: [message], isShort: true });
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
