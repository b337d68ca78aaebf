// The effects of the node's events on the state.

import { drop, mapMessage, replace, takeMessage } from './timelines.js';

/** Milliseconds that a typing indicator lasts. */
const typingTime = 6_000;
/** Growing answers that are shown beside a new one. */
const growingLimit = 15;

/** The state after an event; `isSeen` says whether the user looks at its conversation right now. */
export function reduceEvent(state, event, now, isSeen) {
  switch (event.type) {
    case 'link.up':
    case 'link.down': return state.status ? { ...state, status: { ...state.status, links: event.links } } : state;
    case 'contact': return { ...state, contacts: { ...state.contacts, [event.contact.id]: event.contact } };
    case 'conversation':
      return { ...state, conversations: { ...state.conversations, [event.conversation.id]: event.conversation } };
    case 'message': return came(state, event.message, isSeen);
    case 'message.changed': return changed(state, event.message);
    case 'message.removed': return removed(state, event);
    case 'status': return event.by ? state : moved(state, event);
    case 'typing': return typing(state, event, now);
    case 'assistant.token': return grown(state, event);
    case 'progress': return progressed(state, event);
    case 'file.failed':
      return { ...state, progress: { ...state.progress, [`${event.message}/${event.index}`]: { failed: event.reason } } };
    case 'erased': return erased(state, event.conversation);
    case 'locked': return state.status ? { ...state, status: { ...state.status, locked: true } } : state;
    case 'unlocked': return state.status ? { ...state, status: { ...state.status, locked: false } } : state;
    default: return state;
  }
}

function came(state, message, isSeen) {
  const id = message.conversation;
  const { [id]: people = {}, ...others } = state.typing;
  const { [message.from]: _, ...stillTyping } = people;
  const typing = Object.keys(stillTyping).length ? { ...others, [id]: stillTyping } : others;
  let { timelines, conversations } = state;
  if (timelines[id]) timelines = { ...timelines, [id]: takeMessage(timelines[id], message) };
  const known = conversations[id];
  if (known) {
    const isNew = known.last?.id !== message.id && !message.outgoing && message.kind !== 'system';
    const unread = isNew && !isSeen ? known.unread + 1 : known.unread;
    conversations = { ...conversations, [id]: { ...known, last: message, unread } };
  }
  // The next word of who was answering is the answer, or why there is none.
  const growing = Object.entries(state.growing).filter(([, one]) => one.conversation !== id || one.by !== message.from);
  return { ...state, typing, timelines, conversations, growing: Object.fromEntries(growing) };
}

function grown(state, { message, ...answer }) {
  const others = Object.entries(state.growing).slice(-growingLimit);
  return { ...state, growing: { ...Object.fromEntries(others), [message]: answer } };
}

function changed(state, message) {
  const id = message.conversation;
  let { timelines, conversations } = state;
  if (timelines[id]) timelines = { ...timelines, [id]: replace(timelines[id], message) };
  if (conversations[id]?.last?.id === message.id) {
    conversations = { ...conversations, [id]: { ...conversations[id], last: message } };
  }
  return { ...state, timelines, conversations };
}

function removed(state, { conversation, message }) {
  if (!state.timelines[conversation]) return state;
  return { ...state, timelines: { ...state.timelines, [conversation]: drop(state.timelines[conversation], message) } };
}

/** Changes a message wherever it is held. */
function everywhere(state, id, change) {
  const timelines = {};
  for (const [conversation, timeline] of Object.entries(state.timelines)) timelines[conversation] = mapMessage(timeline, id, change);
  let { conversations } = state;
  const holder = Object.values(conversations).find((conversation) => conversation.last?.id === id);
  if (holder) conversations = { ...conversations, [holder.id]: { ...holder, last: change(holder.last) } };
  return { ...state, timelines, conversations };
}

function moved(state, { message, status, reason }) {
  return everywhere(state, message, (known) => ({ ...known, status, reason }));
}

function typing(state, { conversation, by, active }, now) {
  const { [by]: _, ...others } = state.typing[conversation] ?? {};
  const people = active ? { ...others, [by]: now + typingTime } : others;
  return { ...state, typing: { ...state.typing, [conversation]: people } };
}

function progressed(state, { message, index, bytes, total }) {
  const key = `${message}/${index}`;
  if (bytes < total) return { ...state, progress: { ...state.progress, [key]: { bytes, total } } };
  const { [key]: _, ...progress } = state.progress;
  const complete = (known) => ({
    ...known,
    files: known.files?.map((file, place) => (place === index ? { ...file, complete: true, expected: undefined } : file)),
  });
  return everywhere({ ...state, progress }, message, complete);
}

function erased(state, id) {
  const { [id]: _, ...conversations } = state.conversations;
  const { [id]: __, ...timelines } = state.timelines;
  return { ...state, conversations, timelines, open: state.open === id ? null : state.open };
}
