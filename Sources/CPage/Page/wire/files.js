// Files on their way into the node, messages that carry them, and codes for cameras.

import { CallError } from './error.js';
import { requestHeaders } from './proof.js';

/** Sends a file to the node, which keeps it until a message takes it.
 *
 *  `progress(bytes)` gets its progress. Returns `{done, cancel}`: `done` resolves to the upload's id. */
export function upload(file, name, kind, progress) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    request.open('POST', `/files?name=${encodeURIComponent(name)}&kind=${kind}`);
    for (const [name, value] of Object.entries(requestHeaders())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => progress(loaded);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300 && request.response?.upload) resolve(request.response.upload);
      else reject(refusal(request.status, request.response));
    };
    request.onerror = () => reject(new CallError(0, 'The file did not reach your node. Try again.'));
    request.onabort = () => reject(new CallError(0, 'Cancelled.'));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

/** Throws away a file that was sent to the node and is in no message. */
export async function forget(id) {
  try {
    await fetch(`/files/${encodeURIComponent(id)}`, { method: 'DELETE', headers: requestHeaders() });
  } catch {
    // The node forgets it by itself after some time.
  }
}

/** Sends a message with uploads; returns its id. */
export async function sendWithUploads(parameters) {
  const answer = await asJSON('/send', JSON.stringify(parameters), 'application/json');
  return answer.message;
}

/** Has the browser save the history as a file that is called `name`. */
export async function saveExport(parameters, name) {
  const answer = await posted('/export', JSON.stringify(parameters), 'application/json');
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  const file = await answer.blob().catch(() => {
    throw new CallError(0, 'The export was interrupted. Try again, or use `earshot history export`.');
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The modules of a QR code: rows of `0` and `1`. */
export async function code(text) {
  const answer = await asJSON('/qr', text, 'text/plain');
  return answer.rows;
}

/** The address of a message's file; `download` makes the browser save it. */
export function mediaAddress(message, index, download = false) {
  return `/media/${message}/${index}${download ? '?download' : ''}`;
}

async function posted(path, body, type) {
  return fetch(path, { method: 'POST', body, headers: { 'Content-Type': type, ...requestHeaders() } }).catch(() => {
    throw new CallError(0, 'Your node did not answer. Check that it is still running.');
  });
}

async function asJSON(path, body, type) {
  const answer = await posted(path, body, type);
  const value = await answer.json().catch(() => null);
  if (!answer.ok || !value) throw refusal(answer.status, value);
  return value;
}

function refusal(status, value) {
  if (value?.error?.message) return new CallError(value.error.code ?? status, value.error.message, value.error.data);
  const words = {
    401: 'This page is no longer signed in. Open it again with `earshot web`.',
    413: 'The file is too large.',
    429: 'Too many files are waiting. Send or remove some first.',
    507: 'There is no room for the file.',
  };
  return new CallError(status, words[status] ?? `Your node refused (${status}).`);
}
