import type { SampleCursorCalls } from './calls.js';
import type { SampleOrder } from './protocol.js';
import type { Cancellable } from './remote.js';
import type { Sample } from './sample.js';

/**
 * A place among the samples of a track; moving it reads nothing and never waits for the file.
 * Decode order holds every sample, presentation order those that are shown.
 */
export class SampleCursor extends SampleCursorCalls {
  /** The current sample and all after it. */
  samples(
    options?: Cancellable & { order?: SampleOrder; batch?: number },
  ): AsyncGenerator<Sample, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<Sample, void, undefined>;
}
