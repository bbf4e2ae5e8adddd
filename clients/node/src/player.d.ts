import type { Asset } from './asset.js';
import type { MediaSource } from './engine.js';
import type { PlayerCalls, PlayerLooperCalls } from './calls.js';
import type { PlayedOptions, PlayerFrame, PlayerItem } from './player-item.js';
import type {
  ActionAtItemEnd,
  AudioDevice,
  ImageFormat,
  LooperOrdering,
  PlayerAudioFormat,
  PlayerChanges,
  PlayerClock,
  TimeObserverCause,
} from './protocol.js';
import type { Cancellable, Remote } from './remote.js';
import type { MediaTime, TimeLike, TimeRangeLike } from './time.js';

/** A source of a player: a path or anything else that can be opened, an asset, or an item. */
export type PlayerSource = MediaSource | Asset | PlayerItem;

/** Settings of a player. */
export interface PlayerSettings {
  /** From 0 to 1. */
  volume?: number;
  isMuted?: boolean;
  /** A device, `{ kind: 'none' }`, or `null` for the default. */
  audioDevice?: AudioDevice;
  actionAtItemEnd?: ActionAtItemEnd;
  automaticallyWaitsToMinimizeStalling?: boolean;
  /** The rate that `play` sets. */
  defaultRate?: number;
}

/** The options of a new player. */
export interface PlayerOptions extends PlayerSettings, Cancellable {
  /** `audio`, `host`, or `manual`, which `advance` moves. */
  clock?: PlayerClock;
  /** A new WAV file for the audio; it gets its name by `finishAudioFile`. */
  audioFile?: string;
  /** The format that audio is mixed in. */
  audioFormat?: PlayerAudioFormat;
}

/** The end of a seek. */
export interface Seek {
  /** False where something has interrupted it, or the time can't be reached. */
  finished: boolean;
  /** The time of the item; only if it has finished. */
  time?: MediaTime;
  /** The number of the frame that is shown, from 0, in presentation order. */
  sampleIndex?: number;
  /** False where that isn't certainly the frame of that time. */
  isExact?: boolean;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** A time that an observer is for. */
export interface Firing {
  /** The exact time of the interval or boundary, else the item's time. */
  time: MediaTime;
  cause: TimeObserverCause;
  /** The number of the boundary time in the list of times. */
  index?: number;
  /** The time of the player's clock. */
  hostTime: MediaTime;
  /** The delay of the report. */
  lateness: MediaTime;
  /** The number of firings that are missing before this one. */
  coalesced: number;
  /** The number of jumps of the item's time. */
  revision: number;
}

/**
 * An observer of a player's time: `for await (const firing of observer)`, until it or the player is closed. Of more than 1000 unread
 * firings, an interval replaces the one before it, and `coalesced` counts that.
 */
export class TimeObserver extends Remote {
  /** The firings until the observer or the player is closed. */
  firings(options?: Cancellable): AsyncGenerator<Firing, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<Firing, void, undefined>;
  /** The values that have arrived and weren't read, without waiting. */
  arrived(): Firing[];
}

/** The looping of an item; closing it has the pass that is played be the last one. */
export class PlayerLooper extends PlayerLooperCalls {
  /** The number of repetitions of the item, as far as it is known. */
  readonly loopCount: number;
}

/** A player, without a screen: a clock, and an item that is presented at its times. */
export class Player extends PlayerCalls {
  /** Calls a listener with the changes. */
  on(event: 'change', listener: (changes: PlayerChanges) => void): this;
  /** Calls a listener with an item that was played to its end. */
  on(event: 'ended', listener: (item: PlayerItem | undefined) => void): this;
  off(event: 'change' | 'ended', listener: (...args: never[]) => void): this;
  /** Waits until the item has been played to its end; a queue, until it is empty. */
  untilEnded(options?: Cancellable): Promise<void>;
  /** Changes settings; absent ones are unchanged. */
  set(options: PlayerSettings & Cancellable): Promise<void>;
  /** Goes to a time, and waits until its picture can be had; `exact` is for no tolerance. */
  seek(
    time: TimeLike,
    options?: Cancellable & {
      exact?: boolean;
      toleranceBefore?: TimeLike;
      toleranceAfter?: TimeLike;
      whileScrubbing?: boolean;
    },
  ): Promise<Seek>;
  /** Decodes the beginning of playback at a rate; false if that was interrupted. */
  preroll(rate?: number, options?: Cancellable): Promise<boolean>;
  /** Moves a manual clock by a time, or to one: all that is due until then has happened afterwards. */
  advance(
    by?: TimeLike,
    options?: Cancellable & { to?: TimeLike },
  ): Promise<{ hostTime: MediaTime; time: MediaTime; revision: number; notifications: number }>;
  /** The items, the current one first. Those that have been played are gone from a queue. */
  items(options?: Cancellable): Promise<PlayerItem[]>;
  /** The item that is played. */
  currentItem(options?: Cancellable): Promise<PlayerItem | undefined>;
  /**
   * Inserts an item into a queue, at its end unless something else is stated. With `dryRun` nothing changes: it rejects
   * where the item can't be inserted.
   */
  insert(
    item: PlayerItem,
    options?: Cancellable & { after?: PlayerItem; dryRun?: boolean },
  ): Promise<PlayerItem[]>;
  /** Has an item take the place of the current one; nothing for none. */
  replaceCurrentItem(item?: PlayerItem, options?: Cancellable): Promise<void>;
  /** Drops the current item of a queue, and returns the new current item. */
  advanceToNextItem(options?: Cancellable): Promise<PlayerItem | undefined>;
  /** Plays the current item of a queue, or a range of it, again and again; or another item. */
  loop(
    timeRange?: TimeRangeLike,
    options?: Cancellable & { item?: PlayerItem; existingItemsOrdering?: LooperOrdering },
  ): Promise<PlayerLooper>;
  /** An observer of each multiple of an interval that is crossed, and of jumps, starts and stops. */
  observe(every: TimeLike, options?: Cancellable): Promise<TimeObserver>;
  /** An observer of those of the times that are crossed by playing. */
  at(times: TimeLike[], options?: Cancellable): Promise<TimeObserver>;
  /**
   * The frames of the current item as they are due, until its end; by default `rgba`. The error of a failed item is thrown.
   * On a manual clock the loop ends when no frame is due: move the clock in it to have further ones. There are none of an
   * item that has been played to its end.
   */
  frames(options?: PlayedOptions): AsyncGenerator<PlayerFrame, void, undefined>;
  /** The picture that is shown now, by default in `rgba`; `undefined` where there is none. */
  frame(
    options?: Cancellable & { pixelFormat?: ImageFormat; timeoutMs?: number },
  ): Promise<PlayerFrame | undefined>;
}
