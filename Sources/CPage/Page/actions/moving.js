// Moving about in the page: what is open, what has the focus, the address, the cover, files that are dropped.

import { composingIn } from '../state/composing.js';
import { ComposerField } from '../views/field.js';
import { TimelineScroll } from '../views/scroll.js';
import { parted } from '../wire/session.js';

/** Milliseconds between a letter in a search field and the search. */
const searchPause = 180;
/** Milliseconds between two reports to the node that a person is here. */
const presentPause = 10_000;

export function moving({ store, connection, act }) {
  const dispatch = store.dispatch;
  let searchTimer = 0;
  let idleSince = Date.now();
  let lastPresent = 0;

  const scroll = new TimelineScroll({
    older: act.older, newer: act.newer, newest: act.newest, jump: act.jump, timeline: (id) => store.state.timelines[id],
    moved: () => dispatch({ type: 'moved' }), seen: (id) => see(id),
  });
  const field = new ComposerField({
    writes: act.writes, draft: act.draft,
    submit: (id) => own.submit(id), calm: (id) => own.calm(id),
    mention: (mention) => dispatch({ type: 'mention', mention }),
    mentionState: () => store.state.mention,
    choose: (chosen) => dispatch({ type: 'mention', mention: { ...store.state.mention, chosen } }),
    writing: (on) => dispatch({ type: 'writing', on }),
    editLast: (id) => editLast(id),
    paste: (id, files) => act.attach(id, files),
  });

  /** Tells the node that the open conversation was looked at, where there is something new in it. */
  function see(id) {
    if (document.visibilityState === 'visible' && !store.state.covered && store.state.conversations[id]?.unread) act.seen(id);
  }

  function editLast(id) {
    const messages = store.state.timelines[id]?.messages ?? [];
    const last = messages.findLast((message) => message.outgoing && !message.deleted && message.text && !message.poll);
    if (last) own.edit(id, last);
  }

  function idle() {
    const { settings, covered } = store.state;
    const minutes = settings.coverMinutes;
    if (!covered && minutes && Date.now() - idleSince > minutes * 60_000) dispatch({ type: 'cover', on: true });
  }

  /** Tells the node that a person is here, who may only read: it locks itself where nobody is. */
  function present() {
    const { connection: status, status: node } = store.state;
    if (status !== 'open' || !node || node.locked || Date.now() - lastPresent < presentPause) return;
    lastPresent = Date.now();
    connection.call('present').catch(() => undefined);
  }

  const own = {
    scroll,
    field,

    /** Opens a conversation, or the list (null), and shows a message of it. */
    async open(id, message, takesFocus = true) {
      const isOther = store.state.open !== id;
      dispatch({ type: 'open', id });
      const address = id ? `#/c/${id}` : '#/';
      if (isOther && location.hash !== address) history.pushState(null, '', address);
      if (!id) return document.querySelector('.row[aria-current], .row')?.focus();
      const held = store.state.timelines[id];
      if (message) {
        if (await act.reveal(id, message)) scroll.reveal(message, takesFocus);
      } else if (!held?.messages.length || held.after) {
        await act.newest(id);
      }
      see(id);
    },

    /** Opens what was just made, once the lists have it. Its messages may come later: until this returns, a dialog takes every key. */
    async openAnew(id) {
      await Promise.all(['groups', 'rooms', 'conversations'].map(async (name) => dispatch({ type: name, list: await connection.call(name) })));
      own.open(id);
      // The host of a room needs its code next.
      if (store.state.rooms[id]?.standing === 'host') own.details(true);
    },

    /** Goes where an address says: `/c/CONVERSATION` and perhaps `/m/MESSAGE`. */
    goTo(place) {
      const [, id, message] = place.match(/^\/c\/([0-9a-f]{8,64})(?:\/m\/([0-9a-f]{32}))?$/) ?? [];
      if (!id) return dispatch({ type: 'open', id: null });
      if (!store.state.status) return dispatch({ type: 'open', id });
      return own.open(id, message);
    },

    /** To the newest message of what is open. */
    async toEnd(id) {
      if (store.state.timelines[id]?.after !== 0) await act.newest(id);
      scroll.toEnd();
      dispatch({ type: 'moved' });
      see(id);
    },

    details: (on) => dispatch({ type: 'details', on }),
    filter: (text) => dispatch({ type: 'filter', text }),
    dialog(dialog) {
      dispatch({ type: 'dialog', dialog });
      if (dialog?.kind === 'deliveries') {
        act.deliveries(dialog.message).then((list) => own.changeDialog({ list }), (error) => own.changeDialog({ error: error.message, list: [] }));
      }
    },
    changeDialog: (change) => dispatch({ type: 'dialog.change', change }),
    gate: (change) => dispatch({ type: 'gate', change }),
    menu: (message) => dispatch({ type: 'menu', message }),

    /** Opens the picker of emoji for the composer or a message, or closes it. */
    pick(target) {
      const was = store.state.picker;
      dispatch({ type: 'picker', target });
      if (!target && was === 'composer') document.querySelector('#text')?.focus();
      else if (!target && was) document.querySelector(`[data-message="${CSS.escape(was)}"]`)?.focus();
    },
    pickerQuery: (text) => dispatch({ type: 'pickerQuery', text }),
    insert: (sign) => field.insert(sign),
    reactWith(message, sign) {
      own.pick(null);
      act.react(message, sign);
    },

    reply(conversation, message) {
      dispatch({ type: 'compose.reply', conversation, message });
      document.querySelector('#text')?.focus();
    },
    /** Opens a message of a notice, ready to be answered: only a worker that outlives the page could take a reply in the notice. */
    async answerTo(message) {
      await own.open(message.conversation, message.id, false);
      if (store.state.open === message.conversation) own.reply(message.conversation, message);
    },
    edit(conversation, message) {
      dispatch({ type: 'compose.edit', conversation, message });
      field.set(message.text);
    },
    /** Neither reply nor edit any more. */
    calm(conversation) {
      if (store.state.picker) dispatch({ type: 'picker', target: null });
      const wasEditing = composingIn(store.state, conversation).editing;
      dispatch({ type: 'compose.calm', conversation });
      if (wasEditing) field.set('');
    },
    async submit(conversation) {
      const { text } = field;
      // The field is free for the next message at once, and gets this one back if it is refused.
      field.set('');
      if (await act.send(conversation, text)) {
        if (store.state.picker) dispatch({ type: 'picker', target: null });
        scroll.toEnd();
      } else if (store.state.open === conversation && !field.text) {
        field.set(text);
      }
    },

    search(text, conversation) {
      clearTimeout(searchTimer);
      dispatch({ type: 'search', search: { text, conversation, busy: Boolean(text.trim()), error: null } });
      searchTimer = setTimeout(() => act.searchNow(text, conversation), searchPause);
    },
    endSearch() {
      clearTimeout(searchTimer);
      dispatch({ type: 'search', search: null });
    },

    drags(event) {
      if (![...event.dataTransfer.types].includes('Files')) return;
      event.preventDefault();
      if (!store.state.dropping) dispatch({ type: 'dropping', on: true });
    },
    dragsOut(event) {
      if (!event.currentTarget.contains(event.relatedTarget)) dispatch({ type: 'dropping', on: false });
    },
    drops(event) {
      event.preventDefault();
      dispatch({ type: 'dropping', on: false });
      const { open } = store.state;
      if (open && document.querySelector('#text')) act.attach(open, [...event.dataTransfer.files]);
    },

    /** A click beside a menu or the picker closes it. */
    clicksAway(event) {
      if (store.state.menu && !event.target.closest('.menu, [aria-haspopup=menu]')) own.menu(null);
      if (store.state.picker && !event.target.closest('.picker, [aria-expanded]')) dispatch({ type: 'picker', target: null });
    },

    uncover() {
      idleSince = Date.now();
      dispatch({ type: 'cover', on: false });
      if (store.state.open) see(store.state.open);
    },
    setting: (change) => dispatch({ type: 'settings', change }),
    welcomed() {
      const { settings, status } = store.state;
      dispatch({ type: 'settings', change: { welcomed: [...settings.welcomed, status.id].slice(-16) } });
      dispatch({ type: 'phase', phase: 'ready' });
    },

    /** Listens to the browser: visibility, idleness, the address, keys that work everywhere. */
    watchBrowser() {
      document.addEventListener('visibilitychange', () => {
        if (document.hidden && store.state.settings.coverHidden) dispatch({ type: 'cover', on: true });
        else if (!document.hidden && store.state.open && !scroll.isAway) see(store.state.open);
      });
      window.addEventListener('focus', () => store.state.open && !scroll.isAway && see(store.state.open));
      for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
        document.addEventListener(type, () => { idleSince = Date.now(); }, { passive: true, capture: true });
      }
      for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, present, { passive: true, capture: true });
      setInterval(idle, 5_000);
      window.addEventListener('hashchange', () => {
        const { token, place } = parted(location.hash);
        // An address with a new token was opened over this page: it starts again, with that token.
        if (token && store.state.phase === 'refused') act.restart();
        else if (token) location.reload();
        else own.goTo(place);
      });
      document.addEventListener('keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
          event.preventDefault();
          document.querySelector('#search')?.focus();
        }
      });
    },
  };
  return own;
}
