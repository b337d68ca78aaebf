// The part of a conversation's history that is held: a window that pages move along it, or that jumps to another place.
// Invariant: `messages` are in the node's order without gaps, and at most `windowCount`; `before` and `after` tell how
// many are around them: not always exactly, but 0 only where there are none.

/** Messages of one page of `history`. */
export const pageCount = 60;
/** Messages of a window, and of these those before the place it is asked for. */
export const jumpCounts = { all: 120, lead: 40 };
/** Messages held of one conversation. */
export const windowCount = 240;
/** Conversations whose windows are held; of others they are loaded again. */
const heldCount = 6;

/** A window that holds nothing yet. */
export const emptyTimeline = { messages: [], came: [], before: 1, after: 1, loading: null, error: null, fresh: 0, used: 0 };

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
 *  `isShort` tells that a page ran into the history's end in its direction. Behind the newest stands what came meanwhile. */
export function takePage(timeline, { where, messages, isShort, before, after }) {
  const done = { ...timeline, loading: null, error: null };
  if (where === 'window') return append({ ...done, messages, before, after, fresh: after && timeline.fresh }, after ? [] : timeline.came);
  const added = lacking(timeline, messages);
  const left = (count) => (isShort ? 0 : Math.max(count - added.length, 1));
  if (where === 'before') {
    const all = [...added, ...timeline.messages];
    return { ...done, messages: all.slice(0, windowCount), before: left(timeline.before), after: timeline.after + Math.max(all.length - windowCount, 0) };
  }
  return { ...append(done, isShort ? [...added, ...timeline.came] : added), after: left(timeline.after) };
}

function lacking(timeline, messages) {
  const known = new Set(timeline.messages.map((message) => message.id));
  return messages.filter(({ id }) => !known.has(id) && known.add(id));
}

function append(timeline, messages) {
  const all = [...timeline.messages, ...lacking(timeline, messages)];
  return { ...timeline, messages: all.slice(-windowCount), before: timeline.before + Math.max(all.length - windowCount, 0) };
}

/** Takes a message that came or was sent: at the end, if the end is held. */
export function takeMessage(timeline, message) {
  if (!lacking(timeline, [message]).length) return replace(timeline, message);
  const next = { ...timeline, came: [...timeline.came, message].slice(-windowCount) };
  return next.after ? { ...next, after: next.after + 1, fresh: next.fresh + 1 } : append(next, [message]);
}

/** Puts a message in the place of how it was. */
export function replace(timeline, message) {
  return mapMessage(timeline, message.id, () => message);
}

/** Changes one message, if it is held. */
export function mapMessage(timeline, id, change) {
  const map = (list) => list.map((message) => (message.id === id ? change(message) : message));
  return { ...timeline, messages: map(timeline.messages), came: map(timeline.came) };
}

/** Takes a message out. */
export function drop(timeline, id) {
  const others = (list) => list.filter((message) => message.id !== id);
  return { ...timeline, messages: others(timeline.messages), came: others(timeline.came) };
}
