// Asks the node for what the page shows, at the start, after a lost connection, and when events tell that lists changed.

import { errorWords } from '../text/words.js';
import { jumpCounts, pageCount } from '../state/timelines.js';

/** Milliseconds in which several reasons to ask for a list make one question. */
const gathering = 120;

export function loading({ store, connection, say }) {
  const timers = new Map();
  const dispatch = store.dispatch;

  /** Asks for a list soon; many wishes at once are one question. */
  function soon(name, ask) {
    if (timers.has(name)) return;
    timers.set(name, setTimeout(() => {
      timers.delete(name);
      ask().catch(() => undefined);
    }, gathering));
  }

  const lists = {
    contacts: async () => dispatch({ type: 'contacts', list: await connection.call('contacts') }),
    conversations: async () => dispatch({ type: 'conversations', list: await connection.call('conversations') }),
    groups: async () => dispatch({ type: 'groups', list: await connection.call('groups') }),
    rooms: async () => dispatch({ type: 'rooms', list: await connection.call('rooms') }),
    profile: async () => dispatch({ type: 'profile', profile: await connection.call('profile') }),
    status: async () => dispatch({ type: 'status', status: await connection.call('status') }),
  };

  async function ask(conversation, where, method, parameters, read) {
    dispatch({ type: 'page.asked', conversation, where });
    try {
      const answer = await connection.call(method, { conversation, ...parameters });
      dispatch({ type: 'page.taken', conversation, where, ...read(answer) });
    } catch (error) {
      dispatch({ type: 'page.failed', conversation, text: errorWords(error) });
    }
  }

  const window = (conversation, place) =>
    ask(conversation, 'window', 'history.window', { limit: jumpCounts.all, ...place }, (answer) => answer);

  /** Asks for the page before or after what is held, if there is one. */
  async function page(conversation, where, edge) {
    const timeline = store.state.timelines[conversation];
    if (!timeline || timeline.loading || !timeline[where] || !timeline.messages.length) return;
    await ask(conversation, where, 'history', { limit: pageCount, [where]: timeline.messages.at(edge).id },
      (messages) => ({ messages, isShort: messages.length < pageCount }));
  }

  const act = {
    /** Asks for the named lists soon. */
    refresh(...names) {
      for (const name of names) soon(name, lists[name]);
    },

    /** Asks for all that is shown; who reads older messages (`isAway`) keeps them, and gets what came since behind them. */
    async loadAll(isAway = false) {
      await lists.status();
      const { status } = store.state;
      if (status.locked) {
        dispatch({ type: 'wiped' });
      } else {
        await Promise.all([lists.contacts(), lists.conversations(), lists.groups(), lists.rooms(), lists.profile()]);
        const { open } = store.state;
        if (open && isAway && store.state.timelines[open]?.messages.length) {
          dispatch({ type: 'page.cut', conversation: open });
          await act.newer(open);
        } else if (open) {
          await act.newest(open);
        }
      }
      if (store.state.phase === 'starting') dispatch({ type: 'phase', phase: firstPhase(store.state) });
    },

    /** The newest messages of a conversation. */
    newest: (conversation) => window(conversation, {}),
    /** The page before what is held. */
    older: (conversation) => page(conversation, 'before', 0),
    /** The page after what is held. */
    newer: (conversation) => page(conversation, 'after', -1),
    /** The messages around a position. */
    jump: (conversation, index) => window(conversation, { index: Math.max(index - jumpCounts.lead, 0) }),

    /** Brings a message into what is held; returns whether it is there. */
    async reveal(conversation, message) {
      const held = () => Boolean(store.state.timelines[conversation]?.messages.some((known) => known.id === message));
      if (!held()) await window(conversation, { message });
      if (!held()) say('That message is no longer here.', 'bad');
      return held();
    },
  };
  return act;
}

/** A node that has talked with nobody, on a browser that has not seen it, is asked what to call its user. */
function firstPhase(state) {
  const isKnown = state.settings.welcomed.includes(state.status.id) || state.status.locked;
  const hasTalked = Object.values(state.conversations).some((conversation) => conversation.last);
  return isKnown || hasTalked ? 'ready' : 'welcome';
}
