// Puts the parts together: session, connection, store, what can be done, and drawing.

import { conversing } from './actions/conversing.js';
import { deciding } from './actions/deciding.js';
import { drafts } from './actions/drafts.js';
import { joining } from './actions/joining.js';
import { loading } from './actions/loading.js';
import { meeting } from './actions/meeting.js';
import { moving } from './actions/moving.js';
import { keepSettings, notice, readSettings } from './actions/noticing.js';
import { recordings } from './actions/recordings.js';
import { initialState } from './state/initial.js';
import { reduce } from './state/reduce.js';
import { makeStore } from './state/store.js';
import { summary } from './text/words.js';
import { draw } from './views/dom.js';
import { page } from './views/page.js';
import { Connection } from './wire/connection.js';
import { openSession, parted } from './wire/session.js';

/** Milliseconds between two looks at the clock, for ends and ages. */
const tickPause = 1_000;
/** Milliseconds between two questions for the peers in reach: there is no event when a peer falls silent. */
const reachPause = 20_000;
/** Milliseconds that a note is shown. */
const noteTime = 5_000;
/** Milliseconds that drawing waits at most for a pressed button to be let go. */
const pressTime = 10_000;

const store = makeStore(reduce, initialState(readSettings()));
const container = document.querySelector('#page');
const spoken = document.querySelector('#said');
let noteCount = 0;
let act = null;
let place = '';
/** Whether this page has had a session. */
let hadSession = false;

/** Tells the user something in passing. */
function say(text, tone) {
  const id = ++noteCount;
  store.dispatch({ type: 'note', note: { id, text, tone } });
  setTimeout(() => store.dispatch({ type: 'note.gone', id }), noteTime);
}

/** Whether the user looks at a conversation right now. */
function isSeen(conversation) {
  const { open, covered } = store.state;
  return open === conversation && !covered && document.visibilityState === 'visible' && document.hasFocus() && !act.scroll.isAway;
}

/** Lists that an event may have changed in ways it does not tell. */
const stale = {
  group: ['groups', 'conversations'], room: ['rooms', 'conversations'], trust: ['contacts', 'conversations'], 'message.removed': ['conversations'],
  'link.up': ['status', 'contacts'], 'link.down': ['status', 'contacts'], erased: ['conversations', 'groups', 'rooms'],
};

function heard(event) {
  const { state } = store;
  const seen = event.type === 'message' && isSeen(event.message.conversation);
  store.dispatch({ type: 'event', event, now: Date.now(), isSeen: seen });
  if (stale[event.type]) act.refresh(...stale[event.type]);
  if (event.type === 'message') {
    const { message } = event;
    if (!state.conversations[message.conversation] || message.kind === 'system') act.refresh('conversations', 'rooms', 'groups');
    if (!message.outgoing && state.contacts[message.from] && !state.contacts[message.from].reachable) act.refresh('contacts');
    if (seen && !message.outgoing) act.seen(message.conversation);
    if (!message.outgoing && message.kind !== 'system' && message.conversation === state.open) announce(message);
    notice(store.state, message, seen, () => act.answerTo(message));
  }
  if (event.type === 'contact' && state.conversations[event.contact.id]?.title !== event.contact.name) act.refresh('conversations');
  if (event.type === 'trust') tellTrust(event);
  if (event.type === 'storage') say(`Your node cannot write: ${event.reason}`, 'bad');
  if (event.type === 'history.tampered') say('Another program has changed your history. Run `earshot history check`.', 'bad');
  if (event.type === 'locked') {
    act.dropDrafts();
    store.dispatch({ type: 'wiped' });
  }
  if (event.type === 'lagged' || event.type === 'unlocked') load();
}

function tellTrust({ event, peer, to }) {
  const name = store.state.contacts[peer]?.name ?? 'Someone';
  if (event === 'changed') say(`Another identity claims to be ${name}. Check it before you write.`, 'bad');
  if (event === 'rotated') {
    say(`${name} has a new identity.`);
    if (store.state.open === peer) act.open(to);
  }
  if (event === 'revoked') say(`${name} revoked an identity.`, 'bad');
}

/** Reads a message out to who listens instead of looking. */
function announce(message) {
  spoken.textContent = `${message.fromName}: ${summary(message)}`;
}

const connection = new Connection(`ws://${location.host}/socket`, {
  event: heard,
  status(status) {
    if (status === 'ended') return refuse('refused', store.state.connection === 'open' ? 'ended' : hadSession ? 'restarted' : null);
    if (status === 'foreign') return refuse('foreign');
    store.dispatch({ type: 'connection', status });
    if (status === 'open') load();
  },
});

/** Loads all, and takes up what was on its way when the connection was lost. */
function load() {
  hadSession = true;
  act.loadAll(act.scroll.isAway).then(() => {
    act.takeUpDrafts();
    arrive();
  }).catch(() => undefined);
}

/** Goes to the message that the first address names, once there is something to go through. */
function arrive() {
  if (place && !store.state.status.locked) [place] = ['', act.goTo(place)];
}

/** A session that is no longer good, or a server that is not the node: says how to get another, and why where that is known. */
function refuse(phase = 'refused', why = null) {
  connection.close();
  const { open, composing, status } = store.state;
  // Only a new text has a draft, not the edit of a message.
  const text = composing[open]?.editing ? '' : act.field.text;
  if (open && text.trim()) act.keepDraft(open, text);
  if (phase === 'foreign' || status?.locked) act.dropDrafts();
  const texts = act.unsentTexts();
  // Where there is a passphrase the node may have been locked meanwhile, so nobody gets the text without another session.
  store.dispatch({ type: 'gate', change: { why, keeps: texts.length > 0, text: status?.passphrase ? '' : texts.join('\n\n') } });
  store.dispatch({ type: 'wiped' });
  store.dispatch({ type: 'phase', phase });
}

/** Takes an address with another token into this page, which keeps what was being written. */
async function restart() {
  ({ place } = parted(location.hash));
  // A node that is gone takes no token; the gate stays, and the address can be opened again.
  if (!await openSession(true).catch(() => false)) return;
  const { open } = store.state;
  if (open && !place) history.replaceState(null, '', `#/c/${open}`);
  store.dispatch({ type: 'phase', phase: 'starting' });
  connection.reopen();
}

const parts = { store, connection, say };
const writing = drafts(parts);
const lists = loading(parts);
const converse = conversing({ ...parts, drafts: writing });
act = { say, dispatch: store.dispatch, restart, ...lists, ...writing, ...converse, ...meeting({ ...parts, loading: lists }), ...recordings({ ...parts, conversing: converse }) };
Object.assign(act, moving({ ...parts, act }), deciding({ ...parts, act }), joining({ ...parts, act }));

let isDrawn = true;
/** The timer of a press: drawing waits for its end, for a row that moves away under the pointer loses the click. */
let press = null;

/** Whether what is shown must go at once: a lock, a cover, or the end of the session. */
function mustHide({ covered, status, phase }) {
  return covered || status?.locked || ['refused', 'foreign'].includes(phase);
}

function drawNow() {
  if (press) return;
  isDrawn = true;
  const { state } = store;
  act.scroll.before();
  draw(container, page(state, act));
  act.scroll.after();
  const unread = Object.values(state.conversations).reduce((sum, one) => sum + (one.request ? 0 : one.unread), 0);
  const isHidden = state.covered || state.status?.locked;
  const title = unread && !isHidden ? `(${unread}) Earshot` : 'Earshot';
  if (document.title !== title) document.title = title;
}

function drawSoon() {
  if (!isDrawn) return;
  isDrawn = false;
  // A page that is not seen gets no frames, but its title still counts.
  if (document.hidden) setTimeout(drawNow, 50);
  else requestAnimationFrame(drawNow);
}

/** Ends the press and draws. */
function letGo() {
  clearTimeout(press);
  press = null;
  if (isDrawn) return;
  isDrawn = true;
  drawSoon();
}

container.addEventListener('pointerdown', (event) => {
  if (event.button === 0 && event.target.closest('button')) press ??= setTimeout(letGo, pressTime);
});
for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, letGo);

store.watch((state, before) => {
  if (state.settings !== before.settings) {
    keepSettings(state.settings);
    document.documentElement.dataset.theme = state.settings.theme;
  }
  // Text that was read out must not stay behind the lock or the cover.
  if (mustHide(state)) {
    spoken.textContent = '';
    if (press) letGo();
  }
  drawSoon();
});

document.documentElement.dataset.theme = store.state.settings.theme;
setInterval(() => store.dispatch({ type: 'tick', now: Date.now() }), tickPause);
setInterval(() => {
  if (!document.hidden && store.state.connection === 'open' && !store.state.status?.locked) act.refresh('contacts', 'status', 'profile');
}, reachPause);
act.watchBrowser();
drawNow();

place = parted(location.hash).place;
if (await openSession()) {
  act.goTo(place);
  connection.open();
} else {
  refuse();
}
