// Work that a request has started: its notifications, the last of which is the terminal one.

import { onAbort } from './abort.js';
import { cancelled, errorFromWire } from './wire-errors.js';

/** Milliseconds that cancelled work may take to end; the engine promises 500. */
const PATIENCE = 2000;

export class Operation {
  #arrived = [];
  #taker;
  #failure;
  #whenEnded = [];

  constructor(handle, terminal) {
    this.handle = handle;
    this.terminal = terminal;
    this.ended = false;
  }

  /** Adds a notification. */
  deliver(method, params) {
    this.#arrived.push({ method, params });
    if (method === this.terminal) this.#end();
    this.#serve();
  }

  /** Ends it with the engine. */
  fail(error) {
    this.#failure = error;
    this.#end();
    this.#serve();
  }

  /** Ends the waiting of all callers; the work itself continues. */
  interrupt(reason) {
    this.#failure ??= reason;
    this.#arrived.length = 0;
    this.#serve();
  }

  #end() {
    this.ended = true;
    for (const resolve of this.#whenEnded.splice(0)) resolve();
  }

  #serve() {
    const taker = this.#taker;
    if (!taker) return;
    const item = this.#arrived.shift();
    if (item === undefined && this.#failure === undefined) return;
    this.#taker = undefined;
    if (item === undefined) taker.reject(this.#failure);
    else taker.resolve(item);
  }

  /** The next notification. */
  next() {
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
      this.#serve();
    });
  }

  /** The notifications that have arrived and weren't read. */
  untaken() {
    return this.#arrived.splice(0).map(({ params }) => params);
  }

  /** Waits for its end, but not for ever. */
  untilEnded() {
    if (this.ended) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PATIENCE);
      this.#whenEnded.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/**
 * The notifications of a piece of work; leaving them early cancels it. After an early exit the work
 * has ended, or two seconds have passed.
 */
export async function* work(transport, method, params, signal) {
  const operation = await transport.start(method, params, { signal });
  const stop = onAbort(signal, (reason) => operation.interrupt(reason));
  try {
    if (signal?.aborted) throw signal.reason;
    let item;
    do {
      item = await operation.next();
      yield item.method === operation.terminal ? { end: item.params } : { item: item.params };
    } while (item.method !== operation.terminal);
  } finally {
    stop();
    if (!operation.ended) {
      // Not by the object's own method, which may cancel more than this.
      transport.closeLater(operation.handle);
      await operation.untilEnded();
    }
    transport.abandon(operation);
  }
}

/** Does a piece of work whose items report its progress, and returns the params of its end. */
export async function finished(transport, method, params, { signal, onProgress, progressOf }) {
  for await (const { item, end } of work(transport, method, params, signal)) {
    if (end) return end;
    onProgress?.(progressOf(item));
  }
}

/** Does a piece of work whose items report how far it is, and returns the params of its end. */
export async function done(transport, method, params, { signal, onProgress, title }) {
  const progressOf = ({ progress, completed, count }) => progress ?? completed / count;
  const end = await finished(transport, method, params, { signal, onProgress, progressOf });
  if (end.error) throw errorFromWire(end.error);
  if (end.result === 'cancelled') throw cancelled(`the ${title} was cancelled`, 'Ask for it again.');
  return end;
}
