// Parts of assets, as values.

import { inspect } from 'node:util';

/** A part of an asset, at its own speed or another: a value, for which nothing is requested. */
export class Clip {
  constructor(asset, timeRange, speed = 1) {
    if (!(typeof speed === 'number' && Number.isFinite(speed) && speed > 0)) {
      throw new RangeError(`a clip's speed is a number above 0, not ${inspect(speed)}`);
    }
    this.asset = asset;
    this.timeRange = timeRange;
    this.speed = speed;
    Object.freeze(this);
  }

  /** The same part so many times as fast. */
  atSpeed(speed) {
    return new Clip(this.asset, this.timeRange, this.speed * speed);
  }
}
