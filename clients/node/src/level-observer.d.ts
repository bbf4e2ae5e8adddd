import type { CaptureLevel } from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike } from './time.js';

/** The levels of the audio of an output over the last 50 ms. */
export interface CapturedLevels {
  /** The time up to which they are, of the session's clock. */
  time: MediaTime;
  channels: CaptureLevel[];
}

/** The options of levels that are reported. */
export interface ObserveLevelsOptions extends Cancellable {
  /** The time between two, from 10 ms on; by default 50 ms. */
  interval?: TimeLike;
}

/**
 * An observer of the levels of audio: `for await (const levels of observer)`, until the session stops. The error that has
 * stopped it is thrown. Of more than 1000 unread levels, the last one replaces the one before it.
 */
export class LevelObserver {
  readonly closed: boolean;
  /** The levels as they are measured, until the session stops or the observer is closed. */
  levels(options?: Cancellable): AsyncGenerator<CapturedLevels, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<CapturedLevels, void, undefined>;
  /** The values that have arrived and weren't read, without waiting. */
  arrived(): CapturedLevels[];
  /** Ends it: nothing comes any more. */
  close(): Promise<void>;
}
