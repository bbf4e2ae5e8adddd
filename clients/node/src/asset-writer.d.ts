import type { Writable } from 'node:stream';

import type { AssetReaderOutput } from './asset-reader.js';
import type { PathLike } from './blob.js';
import type { AssetWriterCalls } from './calls.js';
import type { ReelwireError } from './errors.js';
import type { ExportSessionOptions } from './export-session.js';
import type { Image } from './image-generator.js';
import type {
  AudioEncoding,
  Dropped,
  FormatDescription,
  MediaType,
  SegmentProfile,
  SegmentTrackReport,
  SegmentType,
  Size,
  TextEncoding,
  TrackAssociationType,
  Transform,
  VideoEncoding,
  WriterStatus,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { SampleBuffer } from './sample-buffer.js';
import type { MediaTime, TimeLike } from './time.js';
import type { Track } from './track.js';

/** Frames a second: 25, `'30000/1001'`, or 29.97, which means that. */
export type RateLike = TimeLike;

/** An input of a writer, which becomes a track of the file. */
export interface WriterInputOptions {
  /** `video`, `audio`, `text` or `subtitle`; by default the input's name. */
  mediaType?: MediaType;
  /** The size of the pictures that are appended as bytes. */
  size?: Size;
  /** Their pixel format, by FFmpeg's name: by default `rgba`, as of a canvas. */
  pixelFormat?: string;
  /** The number of frames without times in a second. */
  frameRate?: RateLike;
  /** In hertz: 48000 by default. */
  sampleRate?: number;
  /** Of audio as bytes or as one array: 1 by default. */
  channels?: number;
  /** Of audio as bytes: `s16` by default. */
  sampleFormat?: 'u8' | 's16' | 's32' | 'f32' | 'f64';
  /** The encoding of its samples, as in exports, or the name of a preset. */
  settings?: VideoEncoding | AudioEncoding | TextEncoding | string;
  /** For samples that are written unchanged: their source, or their format. */
  source?: AssetReaderOutput | Track | FormatDescription;
  /** The ticks a second of the track's times. */
  mediaTimeScale?: number;
  transform?: Transform;
  extendedLanguageTag?: string;
  marksOutputTrackAsEnabled?: boolean;
  expectsMediaDataInRealTime?: boolean;
}

/** A segment that a writer has made. */
export interface Segment {
  segmentType: SegmentType;
  /** From 0 on; the initialization segment has none. */
  index?: number;
  tracks: (Omit<SegmentTrackReport, 'earliestPresentationTime' | 'duration'> & {
    earliestPresentationTime: MediaTime;
    duration: MediaTime;
  })[];
  /** Its bytes, which are gone when `onSegment` has ended. */
  data: Buffer;
}

/** Media segments in place of a file. */
export interface SegmentOptions {
  /** The minimum duration of a segment, in seconds: by default 6; or until `flushSegment()`. */
  interval?: TimeLike | 'indefinite';
  /** The start of the first interval. */
  start?: TimeLike;
  profile?: SegmentProfile;
  /** Called with each segment, one after the other. An exception of it fails the writing. */
  onSegment?: (segment: Segment) => void | Promise<void>;
}

/** The options of a writer in addition to its inputs. */
export interface WriterOptions extends Cancellable {
  /** By default it follows from the file's extension. */
  outputFileType?: string;
  /** A sample of this time is presented at the start of the file; 0 by default. */
  sessionStart?: TimeLike;
  metadata?: ExportSessionOptions['metadata'];
  chapters?: ExportSessionOptions['chapters'];
  shouldOptimizeForNetworkUse?: boolean;
  movieTimeScale?: number;
  /** The file has its name from the start, and its written part can be played. */
  movieFragmentInterval?: TimeLike;
  directoryForTemporaryFiles?: PathLike;
  /** The maximum wait of an input for another one, in milliseconds: by default 10,000. */
  timeoutMs?: number;
}

export interface AssetWriterOptions extends WriterOptions {
  /** By names, of which `video`, `audio`, `text` and `subtitle` are their media types too. */
  inputs: Readonly<Record<string, WriterInputOptions>>;
  /** Inputs of one kind of media, of which a player chooses one: the first, `defaultInput`, or for `null` none. */
  groups?: readonly { inputs: readonly string[]; defaultInput?: string | null }[];
  /** Tracks that belong to others. */
  associations?: readonly {
    associationType: TrackAssociationType;
    input: string;
    associatedInput: string;
  }[];
  /** In place of a file, whose path is `undefined` then. */
  segments?: SegmentOptions;
}

export interface WriteVideoOptions extends WriterOptions {
  size?: Size;
  pixelFormat?: string;
  /** 30 by default. */
  frameRate?: RateLike;
  settings?: VideoEncoding | string;
  /** Called with how many pictures are on their way, and with how many there are where that is known. */
  onProgress?: (number: number, count: number | undefined) => void;
  /** The number of frames; the `length` of an array. */
  count?: number;
}

/**
 * A frame: the path of an image file, the bytes of its pixels, or an object with them as `data`: a canvas's
 * `ImageData`, the result of sharp's `raw().toBuffer({ resolveWithObject: true })`, a generator's `Image`.
 */
export type PictureLike =
  | string
  | URL
  | ArrayBuffer
  | ArrayBufferView
  | { data: ArrayBufferView; width?: number; height?: number; info?: Partial<Size> }
  | Image
  | SampleBuffer;

/**
 * Audio: an array in which channels alternate, or an array for each channel; bytes are of the input's
 * `sampleFormat`.
 */
export type PCMLike = ArrayBuffer | ArrayBufferView | readonly ArrayBufferView[] | SampleBuffer;

export class AssetWriterInput {
  private constructor();
  /** Its name in the writer. */
  readonly name: string;
  /** Its name on the wire, for example `input:4/1`. */
  readonly handle: string;
  /**
   * Appends a picture, audio, text or a sample buffer. Without a time pictures follow one another at the
   * input's `frameRate`, audio continues, and sample buffers have their own.
   *
   * It is on its way when this resolves. An input that is ahead of another waits for that; after
   * `timeoutMs` of the writer that is a `TimeoutError`, which names both.
   */
  append(
    sample: PictureLike | PCMLike | string,
    options?: { time?: TimeLike; duration?: TimeLike },
  ): Promise<void>;
  /** Appends each of some samples, at `times` if these are passed. */
  extend(
    samples: Iterable<PictureLike | PCMLike> | AsyncIterable<PictureLike | PCMLike>,
    options?: { times?: Iterable<TimeLike> },
  ): Promise<void>;
  /**
   * A stream of the bytes of pictures, or of audio, one after the other; with `objectMode` of samples. Its
   * end finishes the input.
   */
  writable(options?: { objectMode?: boolean }): Writable;
  /** States that no more samples follow; other inputs wait for it no more. */
  finish(): Promise<void>;
}

/** The state of a writer. */
export interface WriterState {
  status: WriterStatus;
  /** The reason if it failed. */
  error?: ReelwireError;
  /** By the names of the inputs. */
  inputs: Record<
    string,
    {
      /** The number of samples that the engine has accepted. */
      appended: number;
      isReadyForMoreMediaData: boolean;
      /** The input that has to get samples before this one can. */
      waitsFor?: string;
    }
  >;
}

/** The result of a writer. */
export interface WriterResult {
  /** The file; not there for segments. */
  path?: string;
  /** Its size in bytes, or that of all segments together. */
  fileSize?: number | bigint;
  duration?: MediaTime;
  /** The parts of the samples that are not in it. */
  dropped: Dropped[];
}

/** An output of a reader, and the input for its samples. */
export interface TransferPair {
  output: AssetReaderOutput;
  input: AssetWriterInput;
  /** The time at which to stop, on the output's clock. */
  until?: TimeLike;
}

export interface TransferOptions extends Cancellable {
  /** The offset that is added to the times of the samples. */
  timeOffset?: TimeLike;
  /** False to leave inputs unfinished at the end of their outputs; true by default. */
  marksAsFinished?: boolean;
  /** Called with the time that all have reached. */
  onProgress?: (time: MediaTime) => void;
  /** The minimum seconds between two calls. */
  progressInterval?: number;
}

/** The samples that a transfer has moved into an input. */
export interface Transferred {
  input: AssetWriterInput;
  sampleBuffers: number;
  /** The presentation time of the last of them. */
  lastTime?: MediaTime;
  /** True if the output was read to its end. */
  endOfStream: boolean;
}

/** Writes one file; closed before it has finished, it leaves none. */
export class AssetWriter extends AssetWriterCalls {
  private constructor();
  /** The type that the file will have, for example `mp4`. */
  readonly outputFileType: string;
  /** The maximum wait of an input for another one. */
  readonly timeoutMs: number;
  /** By their names. */
  readonly inputs: Readonly<Record<string, AssetWriterInput>>;
  /** The result, once it has finished. */
  readonly result: WriterResult | undefined;
  /** Finishes all inputs, and writes the rest: the file is there when this resolves. */
  finish(options?: Cancellable): Promise<WriterResult>;
  /** Cancels the writing, which leaves no file. */
  cancel(): Promise<void>;
  /**
   * Moves samples of readers into inputs, inside the engine. All pairs proceed together, so that none
   * waits for another. Aborted, it stops at its position, and the next transfer continues from there.
   */
  transfer(pairs: readonly TransferPair[], options?: TransferOptions): Promise<Transferred[]>;
}
