// The common base of the engine's objects: a handle, and an end.

import { inspect } from 'node:util';

import { HandleClosedError, UnknownHandleError, WorkerDiedError } from './errors.js';

// Node 18 may lack them; this is how programs that were made for it by a compiler find them.
export const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
export const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** Sends a request of an object: `object[send](method, params, { signal })`. */
export const send = Symbol('send');

/** Starts work of an object that is a job: `object[job](name, method, () => params, options)`. */
export const job = Symbol('job');

/** Converts the result of a call of an object: `object[made](name, result)`. */
export const made = Symbol('made');

/** Converts a caller's argument for a param of an object: `object[written](name, given)`. */
export const written = Symbol('written');

/** Does an object's own work: `object[worked](name, method, params, { signal, onProgress })`. */
export const worked = Symbol('worked');

/** Called before a call of an object sends its request: `object[before](name)`. */
export const before = Symbol('before');

/** True for the error of a request about an object that has ended: with its owner, or with its worker process. */
export const isGone = (error) => error instanceof UnknownHandleError || error instanceof WorkerDiedError;

const forgotten = new FinalizationRegistry(({ transport, handle }) => {
  transport.assets.delete(handle);
  if (transport.isAlive) transport.closeLater(handle);
});

export class Remote {
  #handle;
  #closing;

  constructor(transport, handle) {
    Object.defineProperty(this, 'transport', { value: transport });
    this.#handle = handle;
    forgotten.register(this, { transport, handle }, this);
  }

  [send](method, params, options) {
    return this.transport.request(method, params, options);
  }

  get handle() {
    if (this.#closing) {
      throw new HandleClosedError(`${this.#handle} is closed`, {
        name: 'handleClosed',
        hint: 'Use the object before it is closed.',
      });
    }
    return this.#handle;
  }

  get closed() {
    return this.#closing !== undefined;
  }

  close() {
    return (this.#closing ??= this.#close());
  }

  async #close() {
    forgotten.unregister(this);
    this.transport.letGo(this);
    this.transport.assets.delete(this.#handle);
    if (!this.transport.isAlive) return;
    try {
      await this.transport.request('handle/close', { handle: this.#handle });
    } catch (error) {
      // An engine that has ended has closed everything.
      if (this.transport.isAlive) throw error;
    }
  }

  [asyncDispose]() {
    return this.close();
  }

  [inspect.custom](depth, options) {
    const facts = Object.fromEntries(
      Object.entries(this.facts()).filter(([, value]) => value !== undefined),
    );
    const state = this.closed ? ' (closed)' : '';
    return `${this.constructor.name} ${this.#handle}${state} ${inspect(facts, options)}`;
  }

  /** Its form in `console.log`. */
  facts() {
    return {};
  }
}
