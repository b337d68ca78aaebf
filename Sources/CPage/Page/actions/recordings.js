// The one recording there can be: from the microphone to a message.

import { Recording } from '../views/recorder.js';

export function recordings({ store, conversing, say }) {
  const dispatch = store.dispatch;
  let running = null;
  let blob = null;
  let address = null;
  let whenEnded = null;

  function forget(conversation) {
    if (address) URL.revokeObjectURL(address);
    [running, blob, address, whenEnded] = [null, null, null, null];
    dispatch({ type: 'compose.recording', conversation, recording: null });
  }

  return {
    async record(conversation) {
      if (running) return;
      try {
        let last = { seconds: 0, levels: [] };
        const tell = (recording) => {
          last = recording;
          dispatch({ type: 'compose.recording', conversation, recording });
        };
        const ended = (said) => {
          if (!said) return forget(conversation);
          blob = said;
          address = URL.createObjectURL(said);
          dispatch({ type: 'compose.recording', conversation, recording: { ...last, address } });
          whenEnded?.();
        };
        running = await Recording.begin({ tell, ended });
        tell(last);
      } catch {
        say('The microphone is not available. Allow it for this page in your browser.', 'bad');
      }
    },
    stopRecording: () => running?.stop(),
    discardRecording(conversation) {
      if (blob) forget(conversation);
      else running?.discard();
    },
    /** Sends what was said, and ends the recording first if it runs. */
    async sendRecording(conversation) {
      if (!blob) {
        const end = new Promise((resolve) => { whenEnded = resolve; });
        running?.stop();
        await end;
      }
      if (await conversing.sendVoice(conversation, blob)) forget(conversation);
    },
  };
}
