import type { Dropped } from './protocol.js';
import type { MediaTime, TimeRange } from './time.js';

/** The beginning of a scene. */
export class SceneChange {
  private constructor();
  /** The presentation time of the first frame of the new scene. */
  readonly time: MediaTime;
  /** The number of that frame in the track, in presentation order; not there where frames have none. */
  readonly sampleIndex?: number;
  /** The clarity of the change, from 0 to 1. */
  readonly score: number;
}

/** The scene changes of a video track, in order. */
export class SceneChanges implements Iterable<SceneChange> {
  private constructor();
  readonly trackID: number;
  /** The range that was searched. */
  readonly timeRange: TimeRange;
  readonly changes: SceneChange[];
  readonly length: number;
  /** The scenes that the changes divide the range into. */
  readonly scenes: TimeRange[];
  /** The frames that couldn't be decoded; empty when all could. */
  readonly dropped: Dropped[];
  [Symbol.iterator](): Iterator<SceneChange>;
}

/** The silences of audio, in order. */
export class Silences implements Iterable<TimeRange> {
  private constructor();
  /** Not there where several tracks were mixed. */
  readonly trackID?: number;
  /** The range that was searched. */
  readonly timeRange: TimeRange;
  /** In dBFS: in a silence all channels are below it. */
  readonly threshold: number;
  readonly ranges: TimeRange[];
  readonly length: number;
  /** The parts that couldn't be decoded and count as silence; empty if there are none. */
  readonly dropped: Dropped[];
  [Symbol.iterator](): Iterator<TimeRange>;
}

/** The loudness of audio by ITU-R BS.1770 and EBU R 128. Members are not there where nothing can be measured. */
export class Loudness {
  private constructor();
  /** Not there where several tracks were mixed. */
  readonly trackID?: number;
  /** The range that was measured. */
  readonly timeRange: TimeRange;
  /** In hertz. */
  readonly sampleRate: number;
  /** The speakers by which the channels were weighted, such as `stereo` or `5.1(side)`. */
  readonly channelLayout: string;
  /** The loudness of the whole range in LUFS, gated. */
  readonly integratedLoudness?: number;
  /** The loudness range in LU. */
  readonly loudnessRange?: number;
  /** The greatest true peak in dBTP. */
  readonly truePeak?: number;
  /** The greatest sample in dBFS. */
  readonly samplePeak?: number;
  /** The greatest loudness of 0.4 seconds in LUFS. */
  readonly maximumMomentaryLoudness?: number;
  /** The greatest loudness of 3 seconds in LUFS. */
  readonly maximumShortTermLoudness?: number;
  /** The parts that couldn't be decoded and count as silence; empty if there are none. */
  readonly dropped: Dropped[];
}
