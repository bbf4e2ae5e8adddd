// Observers of the levels of captured audio.

import { checked } from './options.js';
import { Events, receive } from './playback.js';
import { asyncDispose } from './remote.js';
import { MediaTime } from './time.js';

/** Called by a session to make its outputs end the loops over levels: `output[endLevels]()`. */
export const endLevels = Symbol('endLevels');

/** Called by an observer to leave its output: `output[observedNoMore](observer)`. */
export const observedNoMore = Symbol('observedNoMore');

/** An observer of the levels of audio: `for await (const levels of observer)`, until the session stops; its error is thrown. */
export class LevelObserver {
  #output;
  #events;

  constructor(output) {
    this.closed = false;
    this.#output = output;
    this.#events = new Events(output.transport, (_, later) => later);
  }

  [receive](method, params) {
    this.#events.put(method, params);
  }

  [endLevels](error) {
    this.#events.end(error);
  }

  async *levels(options) {
    const { signal } = checked('levelObserver.levels', options);
    let event;
    while ((event = await this.#events.next(signal)) !== undefined) yield measured(event);
  }

  [Symbol.asyncIterator]() {
    return this.levels();
  }

  arrived() {
    return this.#events.untaken().map(measured);
  }

  async close() {
    if (this.closed) return;
    this.closed = true;
    this.#events.end();
    await this.#output[observedNoMore](this);
  }

  [asyncDispose]() {
    return this.close();
  }
}

const measured = ({ params: { time, channels } }) => ({ time: MediaTime.of(time), channels });
