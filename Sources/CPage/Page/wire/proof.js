// The secret that this tab shares with its node, and the proofs made of it. Browsers send the cookie to any server of this
// address, so the page says nothing before the server has proved that it is the node, and proves itself in turn.

import { CallError } from './error.js';

const place = 'earshot.secret';
const nonceByteCount = 32;
const encoder = new TextEncoder();
/** The header of requests while the connection is proved; null at all other times. */
let header = null;

/** Keeps the secret as long as this tab has the page. */
export function keepSecret(digits) {
  sessionStorage.setItem(place, digits);
}

/** Whether this tab has a secret. */
export function hasSecret() {
  return Boolean(sessionStorage.getItem(place));
}

/** A nonce in digits. */
export function newNonce() {
  return digits(crypto.getRandomValues(new Uint8Array(nonceByteCount)));
}

/** Checks the server's first line, which answers this page's nonce.
 *
 *  Returns the line that proves this page to the node, and the header of its requests; null where the server does not know
 *  the secret. */
export async function answerTo(nonce, line) {
  const { nonce: other, proof } = read(line);
  if (other?.length !== 2 * nonceByteCount || proof !== await code('earshot node', nonce, other)) return null;
  return { line: JSON.stringify({ proof: await code('earshot page', nonce, other) }), header: await code('earshot request') };
}

/** Lets requests go with a header; with null none goes until the next connection is proved. */
export function allowRequests(value) {
  header = value;
}

/** The headers of a request that changes something; throws where no server has proved to be the node. */
export function requestHeaders() {
  if (!header) throw new CallError(0, 'The connection to your node is lost. Reconnecting …');
  return { 'Earshot-Page': header };
}

async function code(words, ...nonces) {
  const bytes = Uint8Array.from([...encoder.encode(words), ...nonces.flatMap(parsed)]);
  const secret = Uint8Array.from(parsed(sessionStorage.getItem(place) ?? ''));
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return digits(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)));
}

function read(line) {
  try {
    const { nonce, proof } = JSON.parse(line);
    return { nonce: /^[0-9a-f]+$/.test(nonce) ? nonce : null, proof };
  } catch {
    return {};
  }
}

function parsed(text) {
  return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

function digits(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
