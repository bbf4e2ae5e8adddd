// Notifications of players, and of their items, observers, outputs and loopers, on their way to whom they are for.

import { EventEmitter } from 'node:events';

/** Called with a notification about an object: `object[receive](method, params)`. */
export const receive = Symbol('receive');

/** Called at the end of the engine: `object[failed](error)`. */
export const failed = Symbol('failed');

const NOUNS = new Set([
  ...['player', 'playerItem', 'timeObserver', 'videoOutput', 'playerLooper', 'audioPlayer'],
  ...['captureSession', 'captureOutput'],
]);

/** True if a notification is about a player or one of its objects. */
export const isOfPlayback = (method) => NOUNS.has(method.split('/')[0]);

/** The objects that notifications of players are for, by their handles. */
export class Playback {
  #transport;
  #listeners = new Map();
  /** Notifications about objects that are being made. */
  #early = new Map();

  constructor(transport) {
    this.#transport = transport;
  }

  /** Makes an object, whose notifications are kept from its answer on until `add`. */
  async make(method, params, noun, options) {
    return (await this.made(method, params, noun, options))[noun];
  }

  /** The answer to a request that makes an object, as `make` does. */
  made(method, params, noun, { signal, onResult: noted } = {}) {
    const onResult = (result) => {
      this.#early.set(result[noun], []);
      noted?.(result);
    };
    return this.#transport.request(method, params, { signal, onResult });
  }

  /** The answer to a request that makes the objects of a list, as `made` does of one. */
  madeAll(method, params, member, { signal } = {}) {
    const onResult = (result) => {
      for (const handle of result[member]) this.#early.set(handle, []);
    };
    return this.#transport.request(method, params, { signal, onResult });
  }

  /** Registers an object for the notifications with its handle, until it is closed. */
  add(handle, listener) {
    this.#listeners.set(handle, new WeakRef(listener));
    const early = this.#early.get(handle) ?? [];
    this.#early.delete(handle);
    for (const { method, params } of early) listener[receive](method, params);
  }

  remove(handle) {
    this.#listeners.delete(handle);
  }

  /** Passes a notification to its object; without one its memory is released. */
  deliver(method, params) {
    const handle = params[method.split('/')[0]];
    const listener = this.#listeners.get(handle)?.deref();
    if (listener) return listener[receive](method, params);
    if (this.#early.has(handle)) return void this.#early.get(handle).push({ method, params });
    this.#listeners.delete(handle);
    this.#transport.giveBack(params);
  }

  /** Ends everything with the engine. */
  fail(error) {
    for (const reference of this.#listeners.values()) reference.deref()?.[failed](error);
    this.#listeners.clear();
  }
}

/** The maximum number of unread notifications; later ones replace their predecessor, where they may. */
const UNREAD_LIMIT = 1000;

/**
 * Notifications, each of which is read once, by a waiting caller.
 *
 * With a function `merged` they are bounded: a program may observe for days and not read. It makes one of two
 * notifications' params, the earlier ones first, or returns `undefined` for two that are both wanted.
 */
export class Events {
  #transport;
  #merged;
  #arrived = [];
  #waiting = [];
  #end;

  constructor(transport, merged) {
    this.#transport = transport;
    this.#merged = merged;
  }

  put(method, params) {
    const waiter = this.#waiting.shift();
    if (waiter) return waiter.resolve({ method, params });
    const isFull = this.#merged && this.#arrived.length >= UNREAD_LIMIT;
    const merged = isFull ? this.#merged(this.#arrived.at(-1).params, params) : undefined;
    if (merged) this.#arrived.pop();
    this.#arrived.push({ method, params: merged ?? params });
  }

  /** Ends them: with an error, or as a sequence ends. */
  end(error) {
    this.#end ??= { error };
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (error) reject(error);
      else resolve(undefined);
    }
  }

  /** True if nothing is to come. */
  get isEnded() {
    return this.#end !== undefined;
  }

  /** True if `next` doesn't wait. */
  get hasNext() {
    return this.#arrived.length > 0 || this.isEnded;
  }

  /** The next one; `undefined` after the last one. */
  async next(signal) {
    signal?.throwIfAborted();
    if (this.#arrived.length > 0) return this.#arrived.shift();
    if (this.#end?.error) throw this.#end.error;
    if (this.#end) return undefined;
    const { promise, ...waiter } = deferred();
    const abort = () => {
      const place = this.#waiting.indexOf(waiter);
      if (place >= 0) this.#waiting.splice(place, 1);
      waiter.reject(signal.reason);
    };
    this.#waiting.push(waiter);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.#transport.whileWaiting(promise);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The unread ones. */
  untaken() {
    return this.#arrived.splice(0);
  }
}

/** The listeners of an object, which isn't collected while it has one and is open. */
export class Listeners {
  #owner;
  #emitter = new EventEmitter();

  constructor(owner) {
    this.#owner = owner;
  }

  add(event, listener) {
    this.#emitter.on(event, listener);
    if (!this.#owner.closed) this.#owner.transport.retain(this.#owner);
  }

  remove(event, listener) {
    this.#emitter.off(event, listener);
    if (this.#emitter.eventNames().length === 0) this.#owner.transport.letGo(this.#owner);
  }

  emit(event, ...values) {
    this.#emitter.emit(event, ...values);
  }
}

/** The end of a player's content, and the callers that wait for it. */
export class Ending {
  #transport;
  #waiting = new Set();
  #isReached = false;
  #failure;

  constructor(transport) {
    this.#transport = transport;
  }

  reach() {
    this.#isReached = true;
    this.wake();
  }

  /** It is still to come: the player plays. */
  postpone() {
    [this.#isReached, this.#failure] = [false, undefined];
  }

  /** It doesn't come. */
  fail(error) {
    this.#failure = error;
    this.wake();
  }

  /** Makes waiting callers check again, such as for a closed player. */
  wake() {
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  /** Waits until it is reached; `player` is the player, whose handle isn't available once it is closed. */
  async wait(player, signal) {
    while (!this.#isReached) {
      signal?.throwIfAborted();
      if (this.#failure) throw this.#failure;
      void player.handle;
      const { promise, resolve, reject } = deferred();
      const abort = () => reject(signal.reason);
      this.#waiting.add(resolve);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await this.#transport.whileWaiting(promise);
      } finally {
        this.#waiting.delete(resolve);
        signal?.removeEventListener('abort', abort);
      }
    }
  }
}

/** A promise, with its resolving functions. */
function deferred() {
  const functions = {};
  const promise = new Promise((resolve, reject) => Object.assign(functions, { resolve, reject }));
  return { promise, ...functions };
}
