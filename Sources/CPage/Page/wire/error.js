// What the node, or the way to it, answers instead of a result.

/** An error of the node, by the name that programs read, or `unavailable` where nothing answered. */
export class CallError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.name = data?.code ?? 'unavailable';
    this.data = data ?? {};
  }
}
