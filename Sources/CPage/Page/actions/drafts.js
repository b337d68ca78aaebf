// Drafts: texts on their way to the node. They wait in memory alone, for browsers write all else to their disk.

/** Milliseconds after the last letter until a draft goes to the node. */
const pause = 600;
/** Milliseconds until a draft that the node did not take goes again. */
const retry = 5_000;
/** The phases in which nobody knows whose node answers. */
const unsure = ['starting', 'refused', 'foreign'];

export function drafts({ store, connection }) {
  /** By conversation: a text that the node has not confirmed. */
  const unsent = new Map();
  /** The identity that writes them. */
  let owner = null;
  let timer = 0;

  const isOwners = () => owner === store.state.status?.id && !unsure.includes(store.state.phase);

  async function send(conversation, text) {
    try {
      await connection.call('draft', { conversation, text });
    } catch (error) {
      // A node that does not answer, or has no room, may take it later; only a conversation that is gone never will.
      if (error.name !== 'notFound') return sendLater(retry);
    }
    if (unsent.get(conversation) === text) unsent.delete(conversation);
  }

  function sendLater(time) {
    clearTimeout(timer);
    timer = setTimeout(own.sendDrafts, time);
  }

  const own = {
    /** Keeps a draft, and sends it to the node soon. */
    keepDraft(conversation, text) {
      unsent.set(conversation, text);
      sendLater(pause);
    },
    sendDrafts() {
      clearTimeout(timer);
      if (!isOwners()) return;
      for (const [conversation, text] of unsent) send(conversation, text);
    },
    /** The earlier draft of a conversation. */
    async draft(conversation) {
      if (unsent.has(conversation) && isOwners()) return unsent.get(conversation);
      const answer = await connection.call('draft', { conversation }).catch(() => null);
      return answer?.text ?? '';
    },
    /** Sends what a lost connection has kept back; a lock and another identity leave nothing of it. */
    takeUpDrafts() {
      const { id, locked } = store.state.status;
      if (locked || owner !== id) unsent.clear();
      owner = id;
      own.sendDrafts();
    },
    /** The texts that wait for the node. */
    unsentTexts: () => [...unsent.values()].filter(Boolean),
    dropDrafts: () => unsent.clear(),
  };
  return own;
}
