// Drafts: texts on their way to the node. They wait in memory alone, for browsers write all else to their disk.

/** Milliseconds after the last letter until a draft goes to the node. */
const pause = 600;

export function drafts({ store, connection }) {
  /** By conversation: a text that the node has not confirmed. */
  const unsent = new Map();
  /** The identity that writes them. */
  let owner = null;
  let timer = 0;

  async function send(conversation, text) {
    try {
      await connection.call('draft', { conversation, text });
    } catch (error) {
      // A node that does not answer may do so later.
      if (error.name === 'unavailable') return;
    }
    if (unsent.get(conversation) === text) unsent.delete(conversation);
  }

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
    /** Sends what a lost connection has kept back; the drafts of another identity are forgotten. */
    takeUpDrafts() {
      const { id, locked } = store.state.status;
      if (locked) return;
      if (owner !== id) unsent.clear();
      owner = id;
      own.sendDrafts();
    },
    /** The texts that wait for the node. */
    unsentTexts: () => [...unsent.values()].filter(Boolean),
    dropDrafts: () => unsent.clear(),
  };
  return own;
}
