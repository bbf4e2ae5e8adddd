import type { Picture } from './picture.js';
import type { Dropped } from './protocol.js';
import type { TimeRange } from './time.js';

/** One channel: a number for each part; 1 is full scale. */
export class WaveformChannel {
  private constructor();
  /** The smallest sample of each part. */
  readonly min: Float64Array;
  /** The largest sample of each part. */
  readonly max: Float64Array;
  /** The root of the mean square of each part's samples. */
  readonly rms: Float64Array;
  readonly length: number;
}

/** The waveform of an audio track. Access to its image throws when none was drawn. */
export class Waveform extends Picture {
  /** Not there where several tracks were mixed. */
  readonly trackID?: number;
  /** The range that the parts divide. */
  readonly timeRange: TimeRange;
  /** In hertz. */
  readonly sampleRate: number;
  /** Empty when it was drawn without a `count`. */
  readonly channels: WaveformChannel[];
  /** The parts that couldn't be decoded and are 0; empty if there are none. */
  readonly dropped: Dropped[];
}
