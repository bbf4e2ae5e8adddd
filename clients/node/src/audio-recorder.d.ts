import type { AudioRecorderCalls } from './calls.js';
import type { ReelwireError } from './error-base.js';
import type { AudioEncoding, CaptureClock, CaptureSettingsInput, Dropped } from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike } from './time.js';

/** The options of a new recorder of audio. */
export interface AudioRecorderOptions extends Cancellable {
  /** An ID of `devices()`; without one the default microphone. */
  device?: string;
  /** The encoding of the audio; by default that of the file type. */
  settings?: AudioEncoding;
  /** `host`, or `manual`, which `advanceClock` moves. */
  clock?: CaptureClock;
  /** The settings of the device's input. */
  deviceSettings?: CaptureSettingsInput;
}

/** The options of the start of a recording. */
export interface AudioRecordOptions extends Cancellable {
  /** The time of the clock of the first sample. */
  atHostTime?: TimeLike;
  /** The duration after which it stops automatically. */
  forDuration?: TimeLike;
}

/** The result of a recorder. */
export interface RecordedAudio {
  path: string;
  /** True if the recording was completed as requested. */
  successfully: boolean;
  /** The duration of its content. */
  duration: MediaTime;
  /** The channels that the file can't hold, each with its `reason`. */
  losses: Dropped[];
  /** The reason if it wasn't, such as a device that was unplugged. */
  error?: ReelwireError;
}

/** A recorder of the audio of one device into one file. */
export class AudioRecorder extends AudioRecorderCalls {
  /** The file that it makes. */
  readonly path: string;
  /** Starts recording, or continues after a pause. An existing file is never replaced. */
  record(options?: AudioRecordOptions): Promise<void>;
  /** Completes the file, and returns its result; nothing if nothing has been recorded yet. */
  stop(options?: Cancellable): Promise<RecordedAudio | undefined>;
  /** Waits until the recording has ended, such as after its duration. */
  untilFinished(options?: Cancellable): Promise<RecordedAudio>;
}
