// The draft of a conversation, except for the text, which stays in its field.

/** Files that one message may carry. */
export const uploadCount = 16;

const nothing = { replyTo: null, editing: null, uploads: [], busy: false, error: null, recording: null };

/** The draft there. */
export function composingIn(state, id) {
  return state.composing[id] ?? nothing;
}

/** The composing of one conversation after an action. */
export function reduceComposing(composing, action) {
  const old = composing[action.conversation] ?? nothing;
  const next = step(old, action);
  return next === old ? composing : { ...composing, [action.conversation]: next };
}

function step(old, action) {
  switch (action.type) {
    case 'compose.reply': return { ...old, replyTo: action.message, editing: null };
    case 'compose.edit': return { ...old, editing: action.message, replyTo: null };
    case 'compose.calm': return { ...old, replyTo: null, editing: null, error: null };
    case 'compose.busy': return { ...old, busy: action.on };
    case 'compose.error': return { ...old, error: action.text, busy: false };
    // Attachments that were added while the message was sent stay for the next.
    case 'compose.sent': return { ...nothing, uploads: old.uploads.filter((one) => !(action.uploads ?? []).includes(one.id)) };
    case 'compose.recording': return { ...old, recording: action.recording };
    case 'compose.sending': return old.recording ? { ...old, recording: { ...old.recording, share: action.share } } : old;
    case 'upload.new': return { ...old, uploads: [...old.uploads, action.upload], error: null };
    case 'upload.change': return { ...old, uploads: old.uploads.map((one) => (one.id === action.id ? { ...one, ...action.change } : one)) };
    case 'upload.remove': return { ...old, uploads: old.uploads.filter((one) => one.id !== action.id) };
    default: return old;
  }
}
