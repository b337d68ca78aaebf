// From one state of the page to the next. Pure: no clock, no network, no document.

import { reduceComposing } from './composing.js';
import { reduceEvent } from './events.js';
import { isAnswer } from './selectors.js';
import { emptyTimeline, takePage, withTimeline } from './timelines.js';

/** Notes shown at one time. */
const noteCount = 3;

/** The state after an action. */
export function reduce(state, action) {
  if (action.type.startsWith('compose.') || action.type.startsWith('upload.')) {
    return { ...state, composing: reduceComposing(state.composing, action) };
  }
  switch (action.type) {
    case 'event': return reduceEvent(heardIn(state, action.event), action.event, action.now, action.isSeen);
    case 'phase': return { ...state, phase: action.phase };
    // The node repeats streaming replies that continue, but not those that ended meanwhile.
    case 'connection': return { ...state, connection: action.status, growing: {} };
    case 'status': return { ...state, status: action.status };
    case 'profile': return { ...state, profile: action.profile };
    case 'contacts': return { ...state, contacts: byID(action.list) };
    case 'conversations': return { ...state, conversations: byID(action.list) };
    case 'conversation': return { ...state, conversations: { ...state.conversations, [action.conversation.id]: action.conversation } };
    case 'groups': return { ...state, groups: byID(action.list) };
    case 'rooms': return { ...state, rooms: byID(action.list) };
    case 'open': return open(state, action.id);
    case 'page.asked': return asked(state, action);
    case 'page.taken': return taken(answered(state, action.conversation, action.messages), action);
    case 'page.cut': return { ...state, timelines: withTimeline(state.timelines, action.conversation, { after: 1, loading: null }) };
    case 'page.failed':
      return { ...state, timelines: withTimeline(state.timelines, action.conversation, { loading: null, error: action.text }) };
    case 'picker': return { ...state, picker: action.target, pickerQuery: '', menu: null };
    case 'menu': return { ...state, menu: action.message, picker: null };
    case 'dialog': return { ...state, dialog: action.dialog, menu: null, picker: null };
    case 'dialog.change': return state.dialog ? { ...state, dialog: { ...state.dialog, ...action.change } } : state;
    case 'details': return { ...state, details: action.on, filter: action.on === 'all' ? state.filter : '' };
    case 'filter': return { ...state, filter: action.text };
    case 'search': return { ...state, search: action.search && { ...state.search, ...action.search } };
    case 'note': return { ...state, notes: [...state.notes, action.note].slice(-noteCount) };
    case 'note.gone': return { ...state, notes: state.notes.filter((note) => note.id !== action.id) };
    case 'gate': return { ...state, gate: { ...state.gate, ...action.change } };
    case 'mention': return state.mention === action.mention ? state : { ...state, mention: action.mention };
    case 'writing': return state.isWriting === action.on ? state : { ...state, isWriting: action.on };
    case 'pickerQuery': return { ...state, pickerQuery: action.text };
    case 'kept': return { ...state, kept: { ...state.kept, [action.id]: action.kept } };
    case 'comparing': return { ...state, comparing: action.comparing };
    case 'dropping': return { ...state, dropping: action.on };
    case 'moved': return { ...state };
    case 'cover': return { ...state, covered: action.on };
    case 'settings': return { ...state, settings: { ...state.settings, ...action.change } };
    case 'wiped': return wiped(state);
    case 'tick': return tick(state, action.now);
    default: return state;
  }
}

function byID(list) {
  return Object.fromEntries(list.map((one) => [one.id, one]));
}

function open(state, id) {
  // The finds of a search of all conversations stay, so that one can look at the next.
  const search = state.search?.conversation ? null : state.search;
  if (id === state.open) return { ...state, search };
  return { ...state, open: id, picker: null, menu: null, details: false, filter: '', search };
}

/** Remembers a conversation in which something came back. */
function answered(state, id, messages) {
  return state.answered[id] || !messages.some(isAnswer) ? state : { ...state, answered: { ...state.answered, [id]: true } };
}

function heardIn(state, { type, message, status, by }) {
  if (['message', 'message.changed'].includes(type)) return answered(state, message.conversation, [message]);
  // The status of one member of a group is no answer of a contact.
  if (type !== 'status' || by || !isAnswer({ outgoing: true, status })) return state;
  const id = Object.keys(state.timelines).find((one) => state.timelines[one].messages.some((known) => known.id === message));
  return id ? answered(state, id, [{ outgoing: true, status }]) : state;
}

function asked(state, { conversation, where }) {
  return { ...state, timelines: withTimeline(state.timelines, conversation, { loading: where, error: null, came: [] }) };
}

function taken(state, action) {
  const timeline = state.timelines[action.conversation] ?? emptyTimeline;
  const next = takePage(timeline, action);
  return { ...state, timelines: withTimeline(state.timelines, action.conversation, next) };
}

/** A locked node answers nothing, so the page keeps none of its earlier answers. */
function wiped(state) {
  return {
    ...state, contacts: {}, conversations: {}, groups: {}, rooms: {}, timelines: {}, answered: {}, composing: {}, typing: {}, growing: {}, progress: {},
    picker: null, menu: null, dialog: null, search: null, comparing: null, mention: null, notes: [], details: false,
  };
}

function tick(state, now) {
  const typing = {};
  for (const [conversation, people] of Object.entries(state.typing)) {
    const left = Object.entries(people).filter(([, until]) => until > now);
    if (left.length) typing[conversation] = Object.fromEntries(left);
  }
  return { ...state, now, typing };
}
