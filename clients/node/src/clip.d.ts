import type { Asset } from './asset.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';

/** The speed: 2 takes half the time, -1 is backward. `[1001, 1000]` is exact, others have 9 decimals. */
export type Speed = number | readonly [numerator: number | bigint, denominator: number | bigint];

/** A part of an asset, at a speed: `asset.clip(1, 3)`. A value, which makes no request. */
export class Clip {
  constructor(asset: Asset, timeRange?: TimeRangeLike, speed?: Speed);
  readonly asset: Asset;
  /** The part; undefined for all of it. An infinite duration reaches to its end. */
  readonly timeRange: TimeRange | undefined;
  readonly speed: Speed;
  /** Speeds at times of the asset, in place of `speed`; undefined for one speed throughout. */
  readonly speeds: readonly (readonly [time: MediaTime, speed: Speed])[] | undefined;
  /** True if the speed is below 0. */
  readonly isBackward: boolean;
  /** True if the speed is 1 throughout. */
  readonly isAtOwnSpeed: boolean;
  /** The same part at a speed, in place of the one it has. */
  atSpeed(speed: Speed): Clip;
  /**
   * The same part at a speed that changes: `asset.clip(0, 2).atSpeeds([[0.5, 1], [1, 0.25], [1.5, 2]])`.
   *
   * `points` are times of the asset within the part, ascending, with their speeds, as pairs or as a
   * Map: 1 to 1,000. From one to the next the speed changes linearly over the time in which the part is
   * shown, so that `s` seconds between the speeds `a` and `b` last exactly `2 * s / (a + b)`; before
   * the first and after the last it is constant. Two pairs of the same time are a step. Speeds below
   * zero, all of them, are backward. Throws a RangeError for other speeds, and without points.
   */
  atSpeeds(points: Iterable<readonly [time: TimeLike, speed: Speed]>): Clip;
}

/** The content of a composition: an asset, a clip, or several of these. */
export type ClipsLike = Asset | Clip | Iterable<ClipsLike>;
