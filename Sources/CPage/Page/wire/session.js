// The one-time token of the address is exchanged for a cookie that scripts cannot read.

/** What the address asks for: a token, and a place within the page such as `/c/ID/m/MESSAGE`. */
export function parted(fragment) {
  const text = fragment.replace(/^#/, '');
  const slash = text.indexOf('/');
  if (slash < 0) return { token: text, place: '' };
  return { token: text.slice(0, slash), place: text.slice(slash) };
}

/** Makes sure of a session: by the token if there is one, else by the cookie. Returns whether there is one. */
export async function openSession() {
  const { token, place } = parted(location.hash);
  if (token) {
    history.replaceState(null, '', location.pathname + (place ? `#${place}` : ''));
    const answer = await fetch('/session', { method: 'POST', body: token, credentials: 'same-origin' });
    if (answer.status === 204) return true;
  }
  const answer = await fetch('/session', { credentials: 'same-origin', cache: 'no-store' });
  return answer.status === 204;
}
