// Drafts: texts on their way to the node. They wait in memory alone, for browsers write all else to their disk.

/** Milliseconds after the last letter until a draft goes to the node. */
const pause = 600;

export function drafts({ store, connection }) {
  /** By conversation: a text that the node has not confirmed. */
  const unsent = new Map();
  const channel = new BroadcastChannel('earshot');
  /** The identity that writes them. */
  let owner = null;
  let timer = 0;
  let given = () => undefined;

  async function send(conversation, text) {
    try {
      await connection.call('draft', { conversation, text });
    } catch (error) {
      // A node that does not answer may do so later.
      if (error.name === 'unavailable') return;
    }
    if (unsent.get(conversation) === text) unsent.delete(conversation);
  }

  channel.onmessage = ({ data: { asks, gives, texts } }) => {
    const { phase, status } = store.state;
    if (asks && asks === owner && phase === 'refused') {
      channel.postMessage({ gives: owner, texts: [...unsent] });
      unsent.clear();
      store.dispatch({ type: 'gate', change: { hasMoved: true } });
    }
    if (!gives || gives !== owner || phase === 'refused' || status?.locked) return;
    for (const [conversation, text] of texts) {
      unsent.set(conversation, text);
      given(conversation, text);
    }
    own.sendDrafts();
  };

  const own = {
    /** Keeps a draft, and sends it to the node soon. */
    keepDraft(conversation, text) {
      unsent.set(conversation, text);
      clearTimeout(timer);
      timer = setTimeout(own.sendDrafts, pause);
    },
    sendDrafts() {
      clearTimeout(timer);
      for (const [conversation, text] of unsent) send(conversation, text);
    },
    /** The earlier draft of a conversation. */
    async draft(conversation) {
      if (unsent.has(conversation)) return unsent.get(conversation);
      const answer = await connection.call('draft', { conversation }).catch(() => null);
      return answer?.text ?? '';
    },
    /** Sends what a lost connection has kept back, and asks for the drafts of a tab whose session has ended. */
    takeUpDrafts() {
      const { id, locked } = store.state.status;
      if (locked) return;
      if (owner !== id) unsent.clear();
      owner = id;
      own.sendDrafts();
      channel.postMessage({ asks: id });
    },
    hasDrafts: () => [...unsent.values()].some(Boolean),
    dropDrafts: () => unsent.clear(),
    /** Calls `doing(conversation, text)` with each draft that comes from another tab. */
    whenGiven: (doing) => { given = doing; },
  };
  return own;
}
