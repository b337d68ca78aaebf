// An error of the node, or of the connection to it.

/** An error of the node, by the name that programs read, or `unavailable` where nothing answered. */
export class CallError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.name = data?.code ?? 'unavailable';
    this.data = data ?? {};
  }
}
