// JSON-RPC 2.0 over one WebSocket: calls and their answers, events, and reconnecting with growing pauses.

import { CallError } from './error.js';
import { allowRequests, answerTo, newNonce } from './proof.js';

/** Calls that may wait for answers at one time; one more is refused at once. */
const callLimit = 128;
/** Milliseconds that a call may take. */
const callTime = 90_000;
/** Milliseconds of the first pause before reconnecting, and of the longest. */
const pauses = { first: 500, longest: 15_000 };
/** The server's close code for a session that is no longer good. */
const sessionEnded = 4401;

/** The page's connection to its node.
 *
 *  `status(name)` is told `connecting`, `open` (proved, see proof.js), `lost`, `ended`, or `foreign` where something
 *  else than the node answers; `event(parameters)` what the node tells. */
export class Connection {
  #address;
  #status;
  #event;
  #socket = null;
  #waiting = new Map();
  #nextID = 1;
  #pause = pauses.first;
  #timer = 0;
  #isProved = false;
  #isClosed = false;

  constructor(address, { status, event }) {
    this.#address = address;
    this.#status = status;
    this.#event = event;
  }

  /** Connects, and from then on again whenever the connection is lost. */
  open() {
    clearTimeout(this.#timer);
    if (this.#socket || this.#isClosed) return;
    this.#status('connecting');
    const nonce = newNonce();
    const socket = new WebSocket(`${this.#address}?nonce=${nonce}`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#proved(socket, nonce, data);
    socket.onclose = ({ code }) => this.#lost(code);
  }

  /** Ends the connection for good. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** Connects anew after an end, with another session. */
  reopen() {
    this.#isClosed = false;
    this.open();
  }

  /** Calls a method; rejects with a `CallError`. */
  call(method, params = {}) {
    if (!this.#isProved || this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new CallError(0, 'The connection to your node is lost. Reconnecting …'));
    }
    if (this.#waiting.size >= callLimit) {
      return Promise.reject(new CallError(0, 'Too many requests are running. Try again in a moment.'));
    }
    const id = this.#nextID++;
    return new Promise((resolve, reject) => {
      const alarm = setTimeout(() => this.#answer(id, { error: { code: 0, message: 'Your node did not answer.' } }), callTime);
      this.#waiting.set(id, { resolve, reject, alarm });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Says nothing, and hears nothing else, before the server has proved that it is this tab's node. */
  async #proved(socket, nonce, line) {
    socket.onmessage = null;
    const answer = await answerTo(nonce, line);
    if (this.#socket !== socket) return;
    if (!answer) {
      this.close();
      return this.#status('foreign');
    }
    this.#isProved = true;
    socket.onmessage = ({ data }) => this.#took(data);
    allowRequests(answer.header);
    socket.send(answer.line);
    try {
      await this.call('subscribe');
      this.#pause = pauses.first;
      this.#status('open');
    } catch {
      this.#socket?.close();
    }
  }

  #took(data) {
    let line;
    try {
      line = JSON.parse(data);
    } catch {
      return;
    }
    if (line.method === 'event') this.#event(line.params);
    else if (line.id !== undefined && line.id !== null) this.#answer(line.id, line);
  }

  #answer(id, line) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.alarm);
    if (line.error) waiting.reject(new CallError(line.error.code, line.error.message, line.error.data));
    else waiting.resolve(line.result);
  }

  #lost(code) {
    this.#socket = null;
    this.#isProved = false;
    allowRequests(null);
    const error = { code: 0, message: 'The connection to your node was lost before it answered.' };
    for (const id of [...this.#waiting.keys()]) this.#answer(id, { error });
    if (this.#isClosed) return;
    if (code === sessionEnded) return this.#status('ended');
    this.#status('lost');
    // A share of chance keeps many pages from coming at once.
    this.#timer = setTimeout(() => this.open(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, pauses.longest);
  }
}
