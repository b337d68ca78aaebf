// A voice note: its waveform, playing, and moving to another place.

import { h, icon } from './dom.js';
import { mediaAddress } from '../wire/files.js';
import { playTime } from '../text/time.js';

/** Bars of the waveform; the node gives twice as many. */
const barCount = 32;
/** Seconds that an arrow key moves. */
const step = 3;

/** The voice note of a message. The player lives in the document; it is drawn once and moves by itself. */
export function voiceNote(message, file, index, act) {
  const bars = heights(file.peaks ?? '');
  return h('div', { class: 'voice', key: `voice ${index}`, mounted: (element) => player(element, message, file, index, act) },
    h('button', { type: 'button', class: 'icon-button voice-play', 'aria-label': 'Play' }, icon('play', 'icon to-play'), icon('pause', 'icon to-pause')),
    h('div', {
      class: 'wave', role: 'slider', tabindex: '0', 'aria-label': 'Position in the voice note', 'aria-valuemin': '0', 'aria-valuemax': Math.ceil(file.duration), 'aria-valuenow': '0',
      'aria-valuetext': `0:00 of ${playTime(file.duration)}`,
    }, bars.map((height) => h('span', { class: 'wave-bar', style: { '--height': height } }))),
    h('span', { class: 'voice-time' }, playTime(file.duration)));
}

function heights(peaks) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(peaks), (letter) => letter.charCodeAt(0));
  } catch {
    bytes = new Uint8Array();
  }
  const width = Math.max(1, Math.floor(bytes.length / barCount));
  return Array.from({ length: barCount }, (_, bar) => {
    const part = bytes.subarray(bar * width, (bar + 1) * width);
    return Math.max(0.08, Math.max(0, ...part) / 255).toFixed(2);
  });
}

function player(element, message, file, index, act) {
  const wave = element.querySelector('.wave');
  const time = element.querySelector('.voice-time');
  const press = element.querySelector('.voice-play');
  const bars = [...wave.children];
  let audio = null;

  const show = () => {
    const at = audio?.currentTime ?? 0;
    bars.forEach((bar, place) => bar.classList.toggle('played', place / bars.length < at / file.duration));
    wave.setAttribute('aria-valuenow', String(Math.round(at)));
    wave.setAttribute('aria-valuetext', `${playTime(at)} of ${playTime(file.duration)}`);
    time.textContent = playTime(audio && !audio.ended && at > 0 ? at : file.duration);
    const isOn = Boolean(audio && !audio.paused && !audio.ended);
    element.classList.toggle('playing', isOn);
    press.setAttribute('aria-label', isOn ? 'Pause' : 'Play');
  };
  const ready = () => {
    if (audio) return audio;
    audio = new Audio(mediaAddress(message.id, index));
    for (const type of ['timeupdate', 'play', 'pause', 'ended', 'seeked']) audio.addEventListener(type, show);
    audio.addEventListener('error', () => { audio = null; show(); act.say('This voice note cannot be played.', 'bad'); });
    return audio;
  };
  const moveTo = (seconds) => {
    ready().currentTime = Math.min(Math.max(seconds, 0), file.duration);
    show();
  };
  press.addEventListener('click', () => {
    const sound = ready();
    if (sound.paused) act.playAlone(sound).catch(() => undefined);
    else sound.pause();
  });
  wave.addEventListener('click', (event) => {
    const place = wave.getBoundingClientRect();
    moveTo(((event.clientX - place.left) / place.width) * file.duration);
  });
  wave.addEventListener('keydown', (event) => {
    const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    moveTo(ready().currentTime + by);
  });
}
