import type { AudioMixLike } from './audio-mix.js';
import type { BytesOptions } from './blob.js';
import type { AssetReaderCalls, OutputCalls } from './calls.js';
import type { ReelwireError } from './errors.js';
import type {
  AudioTimePitchAlgorithm,
  Dropped,
  ImageFormat,
  MediaType,
  TrackRule,
  ReaderStatus,
  TextFormat,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { SampleBuffer } from './sample-buffer.js';
import type { TimeRangeLike } from './time.js';
import type { Track } from './track.js';
import type { VideoCompositionLike } from './video-composition.js';

/** A track, and the form that its samples are converted to; nothing for samples as stored. */
export interface TrackOutput {
  /** The track, the first of a media type, or that a rule fits: `{ mediaType: 'audio', language: 'de' }`. */
  track: Track | number | MediaType | TrackRule;
  /** Decodes pictures, to a pixel format by FFmpeg's name. */
  pixelFormat?: string;
  width?: number;
  height?: number;
  /** Makes an image file of each picture. */
  format?: ImageFormat;
  quality?: number;
  /** Decodes audio: `u8`, `s16`, `s32`, `f32` or `f64`. */
  sampleFormat?: string;
  sampleRate?: number;
  channels?: number;
  /** False for a plane for each channel; by default channels alternate in one plane. */
  interleaved?: boolean;
  /** Makes text of subtitles. */
  textFormat?: TextFormat;
  /** The conversion of audio that is scaled in time. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** True if it can be `reset` to other time ranges. */
  supportsRandomAccess?: boolean;
}

/** Audio tracks, mixed. */
export interface MixOutput {
  /** The tracks, or `true` for all audio tracks. */
  audioMix: true | readonly (Track | number)[];
  /** Their volumes over time; `null` for their own volume. By default the asset's own mix. */
  mix?: AudioMixLike | null;
  /** `f32` by default. */
  sampleFormat?: string;
  sampleRate?: number;
  channels?: number;
  interleaved?: boolean;
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
}

/** The pictures that a video composition makes of video tracks; `rgba` pixels by default. */
export interface VideoCompositionOutput {
  /** The video composition; `true` for the asset's own, which a composition may have. */
  videoComposition: VideoCompositionLike | true;
  /** The tracks that can be shown; by default all video tracks. */
  tracks?: readonly (Track | number)[];
  pixelFormat?: string;
  width?: number;
  height?: number;
  /** Makes an image file of each picture. */
  format?: ImageFormat;
  quality?: number;
  /** True if it can be `reset` to other time ranges. */
  supportsRandomAccess?: boolean;
}

/** A track alone stands for its samples as stored. */
export type OutputLike =
  | TrackOutput
  | MixOutput
  | VideoCompositionOutput
  | Track
  | number
  | MediaType;

export interface SamplesOptions extends Cancellable, BytesOptions {
  /** The maximum number of buffers that are requested at a time. */
  batch?: number;
  /** About how many bytes are asked for at a time. */
  maxBytes?: number;
  /** The maximum wait for shared memory. */
  timeoutMs?: number;
  /** Keeps the bytes of every buffer, as if `keep()` was called. */
  keep?: boolean;
}

/**
 * One output of a reader; `for await` yields its sample buffers, in their order. The next ones are
 * read while the body runs. With the next turn the bytes of a buffer are gone, unless it was kept;
 * the last one of a loop that is left stays.
 */
export class AssetReaderOutput extends OutputCalls {
  private constructor();
  readonly reader: AssetReader;
  /** Its name on the wire, for example `output:4/1`. */
  readonly handle: string;
  /** True if the last buffer was read. */
  readonly ended: boolean;
  /** The parts that couldn't be decoded, once the output has ended; empty if there are none. */
  readonly dropped: Dropped[];
  /**
   * The next sample buffers, at least one; none after the last. Buffers that a loop over the output has
   * left are returned first. Their bytes stay until `release()`.
   */
  next(
    options?: Cancellable &
      BytesOptions & { maxCount?: number; maxBytes?: number; timeoutMs?: number },
  ): Promise<SampleBuffer[]>;
  /** All sample buffers that remain. */
  samples(options?: SamplesOptions): AsyncGenerator<SampleBuffer, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<SampleBuffer, void, undefined>;
  /** Reads other time ranges next, ascending, once the last buffer was read. */
  reset(timeRanges: Iterable<TimeRangeLike>): Promise<void>;
}

/** The state of a reader. */
export interface ReaderState {
  status: ReaderStatus;
  /** The reason if it failed. */
  error?: ReelwireError;
  /** The parts that couldn't be decoded, of outputs that were read to their end. */
  dropped: Dropped[];
}

/** Reads samples of an asset; it starts with the first buffer that is asked for. */
export class AssetReader extends AssetReaderCalls {
  /** In the order in which they were asked for. */
  readonly outputs: AssetReaderOutput[];
  /** Starts reading; again does nothing. */
  start(): Promise<void>;
  /** Cancels reading. */
  cancel(): Promise<void>;
}
