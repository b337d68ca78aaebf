// The one-time token of the address is exchanged for a cookie that scripts cannot read, and a secret of this tab alone.

import { hasSecret, keepSecret } from './proof.js';

/** The parts of the address: a token, and a place within the page such as `/c/ID/m/MESSAGE`. */
export function parted(fragment) {
  const text = fragment.replace(/^#/, '');
  const slash = text.indexOf('/');
  if (slash < 0) return { token: text, place: '' };
  return { token: text.slice(0, slash), place: text.slice(slash) };
}

/**
 * Opens a session by the token, if there is one. Returns whether this tab has a session, which may have ended meanwhile; of a
 * page whose session has ended for certain, whether it is a new one.
 */
export async function openSession(isAnew = false) {
  const { token, place } = parted(location.hash);
  if (token) {
    history.replaceState(null, '', location.pathname + (place ? `#${place}` : ''));
    const answer = await fetch('/session', { method: 'POST', body: token, credentials: 'same-origin' });
    if (answer.ok) keepSecret((await answer.json()).secret);
    if (isAnew) return answer.ok;
  }
  return !isAnew && hasSecret();
}
