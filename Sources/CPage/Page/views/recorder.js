// Records a voice note: a level meter while it runs, a minute at most, and a choice to send it or not.

import { h, icon } from './dom.js';
import { iconButton } from './parts.js';
import { playTime } from '../text/time.js';

/** Seconds that a voice note may take; what was said until then is kept. */
export const longest = 60;
/** Bars of the meter. */
const meterBars = 28;
/** Milliseconds between two looks at the level. */
const meterPause = 100;
/** Units: bits a second. */
const bitRate = 24_000;

/** A recording that runs. `tell({seconds, levels})` gets its progress, `ended(blob)` its result. */
export class Recording {
  #stream;
  #recorder;
  #sound;
  #timer;
  #chunks = [];
  #levels = [];
  #start = performance.now();
  #isKept = true;

  constructor(stream, { tell, ended }) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream, { mimeType: 'audio/webm;codecs=opus', audioBitsPerSecond: bitRate });
    this.#recorder.ondataavailable = ({ data }) => data.size && this.#chunks.push(data);
    this.#recorder.onstop = () => {
      this.#release();
      ended(this.#isKept ? new Blob(this.#chunks, { type: 'audio/webm' }) : null);
    };
    this.#sound = new AudioContext();
    const listener = this.#sound.createAnalyser();
    listener.fftSize = 1_024;
    this.#sound.createMediaStreamSource(stream).connect(listener);
    const samples = new Uint8Array(listener.fftSize);
    this.#recorder.start(1_000);
    this.#timer = setInterval(() => {
      listener.getByteTimeDomainData(samples);
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0) / 128;
      this.#levels = [...this.#levels, loudest].slice(-meterBars);
      const seconds = (performance.now() - this.#start) / 1_000;
      tell({ seconds, levels: this.#levels });
      if (seconds >= longest) this.stop();
    }, meterPause);
  }

  /** Asks for the microphone and begins. */
  static async begin(wishes) {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
    return new Recording(stream, wishes);
  }

  /** Ends it and keeps what was said. */
  stop() {
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
  }

  /** Ends it and keeps nothing. */
  discard() {
    this.#isKept = false;
    this.stop();
  }

  #release() {
    clearInterval(this.#timer);
    for (const track of this.#stream.getTracks()) track.stop();
    this.#sound.close();
  }
}

/** The row of the composer while one records, and until what was said is sent. */
export function recorder(conversation, { recording, busy, error }, act) {
  const { seconds, levels, address, share } = recording;
  const isRunning = !address;
  const bars = Array.from({ length: meterBars }, (_, place) => levels[levels.length - meterBars + place] ?? 0);
  return h('div', { class: 'recorder-frame', key: 'recorder' },
    error && h('p', { class: 'error', role: 'alert' }, error),
    busy && share !== undefined && h('progress', { max: '1', value: share, 'aria-label': 'The voice note on its way to your node' }),
    h('div', { class: 'recorder', role: 'group', 'aria-label': 'Voice note' },
      iconButton('trash', 'Discard', () => act.discardRecording(conversation.id), { mounted: (element) => element.focus() }),
      isRunning && h('span', { class: 'recording-dot', 'aria-hidden': 'true' }),
      isRunning
        ? h('div', { class: 'meter', role: 'meter', 'aria-label': 'Level', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': Math.round((levels.at(-1) ?? 0) * 100) },
          bars.map((level) => h('span', { class: 'wave-bar', style: { '--height': Math.max(0.08, level).toFixed(2) } })))
        : h('audio', { controls: true, src: address, 'aria-label': 'Your recording' }),
      h('span', { class: 'voice-time', 'aria-live': 'off' }, isRunning ? `${playTime(seconds)} / ${playTime(longest)}` : playTime(seconds)),
      isRunning && iconButton('stop', 'Stop and listen', () => act.stopRecording()),
      h('button', { type: 'button', class: 'icon-button primary', 'aria-label': 'Send the voice note', title: 'Send', disabled: busy, on: { click: () => act.sendRecording(conversation.id) } }, icon('send'))));
}
