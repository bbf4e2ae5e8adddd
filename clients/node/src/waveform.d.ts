import type { AudioMixLike } from './audio-mix.js';
import type { BytesOptions } from './blob.js';
import type { Picture } from './picture.js';
import type { AudioTimePitchAlgorithm, Dropped, ImageFormat } from './protocol.js';
import type { Cancellable } from './remote.js';
import type { TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';

export interface WaveformOptions extends Cancellable, BytesOptions {
  /** How many parts of equal length. */
  count?: number;
  /** Unless given, the mix of all enabled audio tracks where there is an audio mix, else the first of them. */
  track?: Track | number;
  timeRange?: TimeRangeLike;
  /** How loud the audio tracks are over time; `null` for their own volume. */
  audioMix?: AudioMixLike | null;
  /** What becomes of audio that is scaled in time. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** Draws it, for example as `png`; where a path is given it follows from the extension. */
  format?: ImageFormat;
  /** In pixels. */
  width?: number;
  /** In pixels. */
  height?: number;
  /** `#rrggbb` or `#rrggbbaa`. */
  color?: string;
  backgroundColor?: string;
  quality?: number;
  /** Called with the part that is done, from 0 to 1. What it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

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

/** The waveform of an audio track. What is asked of its picture throws when none was drawn. */
export class Waveform extends Picture {
  /** Not there where several tracks were mixed. */
  readonly trackID?: number;
  /** What the parts divide. */
  readonly timeRange: TimeRange;
  /** In hertz. */
  readonly sampleRate: number;
  /** Empty when it was drawn and no `count` given. */
  readonly channels: WaveformChannel[];
  /** What couldn't be decoded and is 0; empty when all could. */
  readonly dropped: Dropped[];
}
