// A place among the samples of a track, without their bytes.

import { SampleCursorCalls } from './calls.js';
import { checked } from './options.js';
import { made, send } from './remote.js';
import { Sample } from './sample.js';

export class SampleCursor extends SampleCursorCalls {
  #lastSeen;

  constructor(transport, handle, sample) {
    super(transport, handle);
    this.#lastSeen = sample;
  }

  /** Sends a request, and sees in the answer where the cursor is. */
  async [send](method, params, options) {
    const result = await super[send](method, params, options);
    if (result.sample) this.#lastSeen = new Sample(result.sample);
    else if (result.samples) this.#lastSeen = undefined;
    return result;
  }

  async *samples(options) {
    const { order, batch = 1000, signal } = checked('sampleCursor.samples', options);
    let endOfTrack = false;
    while (!endOfTrack) {
      const part = await this.read({ maxCount: batch, order, signal });
      yield* part.samples;
      ({ endOfTrack } = part);
    }
  }

  [Symbol.asyncIterator]() {
    return this.samples();
  }

  [made](call, result) {
    return new SampleCursor(this.transport, result.sampleCursor, this.#lastSeen);
  }

  facts() {
    return { sample: this.#lastSeen?.index, at: this.#lastSeen?.presentationTime };
  }
}
