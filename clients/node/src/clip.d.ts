import type { Asset } from './asset.js';
import type { TimeRange } from './time.js';

/** A part of an asset, at its own speed or another: a value, for which nothing is requested. */
export class Clip {
  constructor(asset: Asset, timeRange?: TimeRange, speed?: number);
  readonly asset: Asset;
  /** All of it unless there is one; without an end, up to the asset's end. */
  readonly timeRange?: TimeRange;
  /** 2 for twice as fast. */
  readonly speed: number;
  /** The same part so many times as fast. */
  atSpeed(speed: number): Clip;
}

/** What compositions are made of. */
export type ClipLike = Asset | Clip | readonly (Asset | Clip)[];
