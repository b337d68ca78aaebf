// Notices of the desktop for what comes while nobody looks, and what the page remembers in the browser.

import { isMuted } from '../state/selectors.js';
import { summary } from '../text/words.js';

const place = 'earshot.settings';

/** The settings that stay until the user changes them; never anything that a person wrote. */
const defaults = { theme: 'system', notices: false, noticeText: true, coverHidden: false, coverMinutes: 0, welcomed: [] };

/** The settings of this browser. */
export function readSettings() {
  try {
    const known = JSON.parse(localStorage.getItem(place) ?? '{}');
    return { ...defaults, ...known, welcomed: Array.isArray(known.welcomed) ? known.welcomed.slice(-16) : [] };
  } catch {
    return defaults;
  }
}

/** Remembers them; a browser that keeps nothing is no error. */
export function keepSettings(settings) {
  try {
    localStorage.setItem(place, JSON.stringify(settings));
  } catch {
    return;
  }
}

/** Shows a notice of a message, if the user wants one; `answer()` is called when it is clicked. */
export function notice(state, message, isSeen, answer) {
  const { settings } = state;
  if (!settings.notices || isSeen || message.outgoing || message.kind === 'system') return null;
  if (!('Notification' in window) || Notification.permission !== 'granted') return null;
  const conversation = state.conversations[message.conversation];
  if (isMuted(conversation, Date.now())) return null;
  const isMany = conversation && conversation.kind !== 'direct';
  const hidden = !settings.noticeText || message.request || state.covered;
  const title = hidden ? 'Earshot' : isMany ? `${message.fromName} in ${conversation.title}` : message.fromName;
  // One notice a conversation: a newer one takes the place of the last.
  const shown = new Notification(title, {
    body: hidden ? 'You have a new message.' : summary(message),
    tag: message.conversation,
    icon: '/icons/earshot.svg',
  });
  shown.onclick = () => {
    window.focus();
    shown.close();
    answer();
  };
  return shown;
}
