// The state of the page before it has loaded anything.

/** The first state; `settings` are those kept in the browser. */
export function initialState(settings) {
  return {
    /** `starting`, `refused` (no session), `foreign` (the server is not the node), `ready`, or `welcome` at a first start. */
    phase: 'starting',
    /** `connecting`, `open` or `lost`. */
    connection: 'connecting',
    /** The reply of `status`; null before it came. */
    status: null,
    profile: null,
    /** By peer id. */
    contacts: {},
    /** By id. */
    conversations: {},
    /** By id. */
    groups: {},
    /** By id. */
    rooms: {},
    /** The id of the conversation that is shown; null for none. */
    open: null,
    /** By conversation: see timelines.js. */
    timelines: {},
    /** By conversation: true where something came back, even if it was deleted here since. */
    answered: {},
    /** By conversation: what is being written, see composing.js. */
    composing: {},
    /** By conversation, by peer: until when it is said to type, in milliseconds. */
    typing: {},
    /** By question: `{conversation, by, text}` of the answer that grows. */
    growing: {},
    /** By `message/index`: `{bytes, total}` or `{failed: reason}`. */
    progress: {},
    /** The use of the open emoji picker: `composer` or a message's id; null for closed. */
    picker: null,
    pickerQuery: '',
    /** `{start, query, chosen}` of the name typed after an `@`; null for none. */
    mention: null,
    /** Whether something stands in the composer. */
    isWriting: false,
    /** Whether files are dragged over the page. */
    dropping: false,
    /** `{peer, number, rows, error}` of the safety number or code that is shown. */
    comparing: null,
    /** By conversation, '' for all: the reply of `retention`. */
    kept: {},
    /** `{busy, error}` of the form before everything else. */
    gate: null,
    /** The id of the message whose menu is open. */
    menu: null,
    /** `{kind, …}` of the dialog that is open; null for none. */
    dialog: null,
    /** Whether the column with the details of the conversation is shown. */
    details: false,
    /** The text by which the members in the details are found. */
    filter: '',
    /** `{text, conversation, hits, busy, error}` while one searches; null otherwise. */
    search: null,
    /** `{id, text, tone}`; the newest last. */
    notes: [],
    /** Whether the privacy cover is on. */
    covered: false,
    settings,
    /** The clock for ends and ages, in milliseconds. */
    now: Date.now(),
  };
}
