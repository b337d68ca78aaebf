// The actions of a person within a conversation.

import { composingIn, uploadCount } from '../state/composing.js';
import { errorWords } from '../text/words.js';
import { forget, sendWithUploads, upload } from '../wire/files.js';

/** Milliseconds between two typing indicators. */
const typingPause = 4_000;

/** Units: bytes of the largest file. */
const largest = 2 ** 32;

export function conversing({ store, connection, say, drafts }) {
  const dispatch = store.dispatch;
  const cancels = new Map();
  /** By upload: the file. */
  const sources = new Map();
  let lastTyping = 0;
  let nextUpload = 1;

  /** Calls a method; a refusal is shown in a note. Returns whether it succeeded. */
  async function attempt(method, parameters) {
    try {
      await connection.call(method, parameters);
      return true;
    } catch (error) {
      say(errorWords(error), 'bad');
      return false;
    }
  }

  async function transmit(conversation, text, parts) {
    const { editing, replyTo, uploads } = parts;
    if (editing) return connection.call('edit', { message: editing.id, text });
    const parameters = { to: conversation, text, ...(replyTo ? { replyTo: replyTo.id } : {}) };
    if (!uploads.length) return connection.call('send', parameters);
    return sendWithUploads({ ...parameters, uploads: uploads.map((one) => one.upload) });
  }

  return {
    /** Sends what is composed; returns whether it went. */
    async send(conversation, text) {
      const parts = composingIn(store.state, conversation);
      const waits = parts.uploads.some((one) => !one.upload);
      if (parts.busy || waits || (!text.trim() && !parts.uploads.length)) return false;
      dispatch({ type: 'compose.busy', conversation, on: true });
      try {
        await transmit(conversation, text, parts);
        for (const one of parts.uploads) {
          if (one.preview) URL.revokeObjectURL(one.preview);
          sources.delete(one.id);
        }
        dispatch({ type: 'compose.sent', conversation, uploads: parts.uploads.map((one) => one.id) });
        drafts.keepDraft(conversation, '');
        drafts.sendDrafts();
        return true;
      } catch (error) {
        const images = parts.uploads.filter((one) => one.kind === 'image');
        if (error.name === 'mediaRefused' && images.length === 1) {
          forget(images[0].upload);
          dispatch({ type: 'upload.change', conversation, id: images[0].id, change: { upload: null, error: errorWords(error) } });
          dispatch({ type: 'compose.busy', conversation, on: false });
        } else {
          dispatch({ type: 'compose.error', conversation, text: errorWords(error) });
        }
        return false;
      }
    },

    /** Takes files into the message that is composed, and sends them to the node at once. */
    attach(conversation, files, kind) {
      for (const file of files) {
        if (composingIn(store.state, conversation).uploads.length >= uploadCount) {
          dispatch({ type: 'compose.error', conversation, text: `A message can have at most ${uploadCount} files.` });
          return;
        }
        if (file.size > largest) {
          dispatch({ type: 'compose.error', conversation, text: `${file.name} is too large: 4 GiB is the most.` });
          continue;
        }
        const id = nextUpload++;
        const isImage = !kind && /^image\/(jpeg|png|webp|gif)$/.test(file.type);
        const what = kind ?? (isImage ? 'image' : 'file');
        const name = file.name || `${what}.${(file.type.split('/')[1] ?? 'bin').split(';')[0]}`;
        const preview = isImage ? URL.createObjectURL(file) : null;
        dispatch({ type: 'upload.new', conversation, upload: { id, name, kind: what, size: file.size, sent: 0, upload: null, error: null, preview } });
        const change = (values) => dispatch({ type: 'upload.change', conversation, id, change: values });
        let isBad = false;
        const { done, cancel } = upload(file, name, what, (sent) => change({ sent }));
        cancels.set(id, cancel);
        sources.set(id, file);
        done.then((given) => change({ upload: given, sent: file.size }), (error) => !isBad && change({ error: errorWords(error) }))
          .finally(() => cancels.delete(id));
        if (preview) {
          readable(preview).catch(() => {
            isBad = true;
            cancel();
            const one = composingIn(store.state, conversation).uploads.find((known) => known.id === id);
            if (one?.upload) forget(one.upload);
            change({ upload: null, error: 'This picture cannot be read.' });
          });
        }
      }
    },

    /** Cancels an upload, or takes a finished one out again. */
    detach(conversation, id) {
      const one = composingIn(store.state, conversation).uploads.find((known) => known.id === id);
      cancels.get(id)?.();
      if (one?.upload) forget(one.upload);
      if (one?.preview) URL.revokeObjectURL(one.preview);
      sources.delete(id);
      dispatch({ type: 'upload.remove', conversation, id });
    },

    /** Takes an image into the message as it is, with all that stands in its file. */
    attachAsFile(conversation, id) {
      const file = sources.get(id);
      this.detach(conversation, id);
      this.attach(conversation, [file], 'file');
    },

    /** Sends a recording, alone. */
    async sendVoice(conversation, blob) {
      const { replyTo } = composingIn(store.state, conversation);
      dispatch({ type: 'compose.busy', conversation, on: true });
      try {
        const given = await upload(blob, 'voice.webm', 'voice', (sent) => dispatch({ type: 'compose.sending', conversation, share: sent / blob.size })).done;
        await sendWithUploads({ to: conversation, text: '', uploads: [given], ...(replyTo ? { replyTo: replyTo.id } : {}) });
        dispatch({ type: 'compose.sent', conversation });
        return true;
      } catch (error) {
        dispatch({ type: 'compose.error', conversation, text: errorWords(error) });
        return false;
      }
    },

    /** Sends a typing indicator, and stores the draft. */
    writes(conversation, text) {
      const now = Date.now();
      if (text && now - lastTyping > typingPause) {
        lastTyping = now;
        connection.call('typing', { to: conversation }).catch(() => undefined);
      }
      if (!composingIn(store.state, conversation).editing) drafts.keepDraft(conversation, text);
    },

    react: (message, emoji) => attempt('react', { message, emoji }),
    remove: (message, forEveryone) => attempt('delete', { message, forEveryone }),
    cancel: (message) => attempt('cancel', { message }),
    vote: (poll, options) => attempt('poll.vote', { poll, options }),
    closePoll: (poll) => attempt('poll.close', { poll }),
    stop: (conversation, whom) => attempt('send', { to: conversation, text: `${whom}/stop` }),
    fetchFile: (message, index) => attempt('fetchMedia', { message, index }),
    cancelFile: (message, index) => attempt('cancelMedia', { message, index }),
    seen: (conversation) => connection.call('markRead', { conversation }).catch(() => undefined),
    mute: (conversation, until) => attempt('mute', { conversation, ...(until ? { until } : {}) }),
    unmute: (conversation) => attempt('unmute', { conversation }),
    setTimer: (conversation, expiresAfter) => attempt('timer', { conversation, expiresAfter }),
    deleteHistory: (conversation) => attempt('history.delete', { conversation }),
    deliveries: (message) => connection.call('deliveries', { message }),
    /** Asks a question; rejects with what is refused. */
    ask: (poll) => connection.call('poll.create', poll),
    async pin(conversation, on) {
      try {
        dispatch({ type: 'conversation', conversation: await connection.call(on ? 'pin' : 'unpin', { conversation }) });
      } catch (error) {
        say(errorWords(error), 'bad');
      }
    },
  };
}

/** Rejects for a picture that the browser cannot read. */
function readable(address) {
  const picture = new Image();
  picture.src = address;
  return picture.decode();
}
