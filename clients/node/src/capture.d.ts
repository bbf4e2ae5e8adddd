import type { CaptureOutputCalls, CaptureSessionCalls } from './calls.js';
import type { ReelwireError } from './error-base.js';
import type { ExportSessionOptions } from './export-session.js';
import type { LevelObserver, ObserveLevelsOptions } from './level-observer.js';
import type {
  AudioTreatment,
  CaptureChangeInput,
  CaptureClock,
  CaptureConnection,
  CaptureDrops,
  CaptureOutputType,
  CapturePreset,
  CaptureSettingsInput,
  Dropped,
  ImageFormat,
  RecordedTrack,
  RecordingStatus,
  ResolvedFormat,
  VideoOutputDelivery,
  VideoOutputMode,
  VideoTreatment,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { SampleBuffer } from './sample-buffer.js';
import type { MediaTime, TimeLike } from './time.js';

/** A device: its ID, `true` or `'default'` for the default one, or the members of a change that adds it. */
export type DeviceLike = string | boolean | CaptureChangeInput;

/** The options of a new capture session. */
export interface CaptureOptions extends Cancellable {
  camera?: DeviceLike;
  microphone?: DeviceLike;
  screen?: DeviceLike;
  /** A device that is there everywhere, or the settings of one. */
  synthetic?: boolean | CaptureSettingsInput;
  preset?: CapturePreset;
  /** `host`, or `manual`, which `advanceClock` moves. */
  clock?: CaptureClock;
  /** `false` to start it later. */
  start?: boolean;
}

/** The options of a recording. */
export interface RecordingOptions extends Cancellable {
  fileType?: string;
  /** The encoding of video; `null` omits it. */
  video?: VideoTreatment;
  /** The encoding of audio; `null` omits it. */
  audio?: AudioTreatment;
  metadata?: ExportSessionOptions['metadata'];
  /** The duration at which it ends, exactly. */
  maxRecordedDuration?: TimeLike;
  maxRecordedFileSize?: number;
  minFreeDiskSpaceLimit?: number;
  /** The time between two fragments; `'invalid'` for a file that is complete or absent. */
  movieFragmentInterval?: TimeLike;
}

/** The result of a recording whose file can be used. */
export interface RecordingResult {
  path: string;
  status: RecordingStatus;
  duration: MediaTime;
  /** In bytes. */
  size: number;
  /** The samples of each track that were written, dropped and inserted; and by how much its device's clock is fast. */
  tracks: RecordedTrack[];
  isPlainMovie: boolean;
  /** The metadata, pixels and channels that the file can't hold, each with its `reason`. */
  losses: Dropped[];
  /** The reason if it has ended automatically, such as at a limit. */
  error?: ReelwireError;
}

/** A running recording. */
export class Recording {
  readonly path: string;
  /** The time of the session's clock that is its zero, as far as it is known. */
  readonly startTime?: MediaTime;
  /** True if it has ended. */
  readonly done: boolean;
  /** True if another recording of the output has replaced it. */
  readonly isReplaced: boolean;
  /** Skips the samples that are captured from now on, of all tracks alike. */
  pause(): Promise<void>;
  /** Continues after a pause, in the same file. */
  resume(): Promise<void>;
  /** Ends the recording, and waits for the end of its file. */
  stop(): Promise<RecordingResult>;
  /** Waits until it has ended. */
  result(): Promise<RecordingResult>;
  state(): ReturnType<CaptureOutputCalls['recordingState']>;
}

/** The options of an added output. */
export interface CaptureOutputOptions extends Cancellable {
  settings?: CaptureSettingsInput;
  mode?: VideoOutputMode;
  maxOutstanding?: number;
  alwaysDiscardsLateVideoFrames?: boolean;
}

/** The options of captured frames. */
export interface CaptureFramesOptions extends Cancellable {
  width?: number;
  height?: number;
  /** `rgb24` by default. */
  pixelFormat?: ImageFormat;
  maxFrameRate?: number;
}

/** The options of captured audio. */
export interface CaptureAudioOptions extends Cancellable {
  sampleRate?: number;
  channels?: number;
  sampleFormat?: string;
}

/** The options of a photo. */
export interface PhotoOptions extends Cancellable {
  /** `jpeg` by default. */
  format?: ImageFormat;
  quality?: number;
  width?: number;
  delivery?: VideoOutputDelivery;
}

/** An output of a capture session; `for await` yields the samples of one that isn't a file. */
export class CaptureOutput extends CaptureOutputCalls {
  readonly type: CaptureOutputType;
  /** The numbers of samples that it has missed so far, by the reason. */
  readonly dropped: CaptureDrops;
  /** Starts a recording into a new file. A running one ends without losing a sample. */
  record(output: string | URL, options?: RecordingOptions): Promise<Recording>;
  /** The samples that wait, or the next one in time; on a manual clock it doesn't wait. */
  next(options?: Cancellable & { maxCount?: number; timeoutMs?: number }): Promise<SampleBuffer[]>;
  /** The samples until the session stops; on a manual clock those that wait. */
  samples(options?: Cancellable): AsyncGenerator<SampleBuffer, void, undefined>;
  /** Takes the next frame of a `photo` output. */
  photo(options?: PhotoOptions): Promise<SampleBuffer>;
  /** An observer of the levels of audio; of several of one output the last interval is that of all. */
  observeLevels(options?: ObserveLevelsOptions): Promise<LevelObserver>;
  [Symbol.asyncIterator](): AsyncGenerator<SampleBuffer, void, undefined>;
}

/** A capture session. */
export class CaptureSession extends CaptureSessionCalls {
  readonly clock: CaptureClock;
  /** The reason if it has stopped automatically. */
  readonly error?: ReelwireError;
  /** True while it runs. */
  readonly isRunning: boolean;
  /** True while an input brings nothing. */
  readonly isInterrupted: boolean;
  start(options?: Cancellable): Promise<void>;
  /** Ends recordings and stops all inputs. */
  stop(options?: Cancellable): Promise<void>;
  /** Waits until it has stopped, also automatically. */
  untilStopped(options?: Cancellable): Promise<void>;
  /** Changes inputs, outputs and connections: all changes, or none; also while it runs. */
  configure(
    changes: CaptureChangeInput[],
    options?: Cancellable & { dryRun?: boolean },
  ): Promise<{
    inputs: string[];
    outputs: CaptureOutput[];
    connections: CaptureConnection[];
    resolved: ResolvedFormat[];
  }>;
  addOutput(type: CaptureOutputType, options?: CaptureOutputOptions): Promise<CaptureOutput>;
  /** Records all inputs into a new file. A running one ends, and no sample is lost. */
  record(output: string | URL, options?: RecordingOptions): Promise<Recording>;
  /**
   * The frames as they are captured: `for await (const frame of session.frames())`. The newest is next, and the end of the
   * loop closes the output; so does `return`. `dropped` of the output, which `await` has, counts the missed ones.
   */
  frames(options?: CaptureFramesOptions): Promise<CaptureOutput> & AsyncGenerator<SampleBuffer, void, undefined>;
  /** The audio as it is captured, in the same way. Up to two seconds of it are queued. */
  audio(options?: CaptureAudioOptions): Promise<CaptureOutput> & AsyncGenerator<SampleBuffer, void, undefined>;
  /** Takes the next frame as a photo. */
  photo(options?: PhotoOptions): Promise<SampleBuffer>;
  /** The levels of the audio over the last 50 ms; without channels before the first sample. */
  levels(): ReturnType<CaptureOutputCalls['levels']>;
  /** An observer of the levels of the audio, as they are measured. */
  observeLevels(options?: ObserveLevelsOptions): Promise<LevelObserver>;
}
