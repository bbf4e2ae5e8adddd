import type { AudioPlayerCalls } from './calls.js';
import type { AudioDevice, AudioLevel, AudioPlayerChanges, PlayerClock } from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike } from './time.js';

/** The options of a new audio player. */
export interface AudioPlayerOptions extends Cancellable {
  /** `audio`, `host`, or `manual`, which `advance` moves. */
  clock?: PlayerClock;
  /** A device, `{ kind: 'none' }`, or `null` for the default. */
  audioDevice?: AudioDevice;
  /** A new WAV file for the audio; it gets its name by `finishAudioFile`. */
  audioFile?: string;
  /** The passes after the first one; -1 for passes without an end. */
  numberOfLoops?: number;
  /** From -1, left, to 1, right. */
  pan?: number;
  /** From 0 to 1. */
  volume?: number;
  enableRate?: boolean;
  /** From 0.5 to 2, where `enableRate` is true. */
  rate?: number;
  isMeteringEnabled?: boolean;
  /** The time between two reports of `levels`. */
  meterInterval?: TimeLike;
}

/** The levels of the last 50 ms of audio, by channel, in dBFS. */
export interface Levels {
  /** The time of the player's clock. */
  hostTime: MediaTime;
  channels: AudioLevel[];
}

/** A player of the audio of one file or asset. */
export class AudioPlayer extends AudioPlayerCalls {
  /** The duration of one pass. */
  readonly duration: MediaTime;
  /** The levels that were reported last, each `meterInterval`. */
  readonly levels?: Levels;
  /** Calls a listener with the changes. */
  on(event: 'change', listener: (changes: AudioPlayerChanges) => void): this;
  /** Calls a listener at the end of all passes: `true` where all was played. */
  on(event: 'ended', listener: (successfully: boolean) => void): this;
  /** Calls a listener with levels, each `meterInterval`. */
  on(event: 'levels', listener: (levels: Levels) => void): this;
  off(event: 'change' | 'ended' | 'levels', listener: (...args: never[]) => void): this;
  /** Waits until all passes have been played. */
  untilEnded(options?: Cancellable): Promise<void>;
  /** Moves a manual clock by a time, or to one: all that is due until then has happened afterwards. */
  advance(
    by?: TimeLike,
    options?: Cancellable & { to?: TimeLike },
  ): Promise<{ hostTime: MediaTime; time: MediaTime; revision: number; notifications: number }>;
}
