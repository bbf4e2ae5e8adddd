import type { Asset } from './asset.js';
import type { TimeRange, TimeRangeLike } from './time.js';

/** The speed: 2 takes half the time, -1 is backward. `[1001, 1000]` is exact, others have 9 decimals. */
export type Speed = number | readonly [numerator: number | bigint, denominator: number | bigint];

/** A part of an asset, at a speed: `asset.clip(1, 3)`. A value, which makes no request. */
export class Clip {
  constructor(asset: Asset, timeRange?: TimeRangeLike, speed?: Speed);
  readonly asset: Asset;
  /** The part; undefined for all of it. An infinite duration reaches to its end. */
  readonly timeRange: TimeRange | undefined;
  readonly speed: Speed;
  /** True if the speed is below 0. */
  readonly isBackward: boolean;
  /** True if the speed is 1. */
  readonly isAtOwnSpeed: boolean;
  /** The same part at a speed, in place of the one it has. */
  atSpeed(speed: Speed): Clip;
}

/** The content of a composition: an asset, a clip, or several of these. */
export type ClipsLike = Asset | Clip | Iterable<ClipsLike>;
