import type { ReelwireError } from './errors.js';
import type { KeyStatus } from './protocol.js';
import type { TimeRange } from './time.js';

/** The loading state of a key. */
export interface KeyState<Value> {
  status: KeyStatus;
  /** The value when it is loaded; none also for a key that is loaded and has none. */
  value?: Value;
  /** The reason if it failed. */
  error?: ReelwireError;
}

/** A part of a track's edit list: which part of its media is presented when. */
export class TrackSegment {
  private constructor();
  /** The part of the media, on the media's clock; none when nothing is presented. */
  readonly source?: TimeRange;
  /** The time range, on the track's clock. */
  readonly target: TimeRange;
  readonly isEmpty: boolean;
}
