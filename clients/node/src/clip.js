// Parts of assets as values, which make no request until they are used.

import { inspect } from 'node:util';

import { checked } from './options.js';
import { MediaTime, TimeRange } from './time.js';

export class Clip {
  constructor(asset, timeRange, speed = 1) {
    this.asset = asset;
    this.timeRange = timeRange === undefined ? undefined : TimeRange.of(timeRange);
    this.speed = speed;
    const isSpeed = typeof speed === 'number' || Array.isArray(speed);
    if (!isSpeed || !this.#ratio.isNumeric || this.#ratio.value === 0n) {
      throw new RangeError(`a speed is finite and not zero, not ${inspect(speed)}`);
    }
    Object.freeze(this);
  }

  /** The speed as a fraction: those of times are exact, and 1.1 is eleven tenths. */
  get #ratio() {
    return MediaTime.of(this.speed);
  }

  get isAtOwnSpeed() {
    return this.#ratio.equals(1);
  }

  atSpeed(speed) {
    return new Clip(this.asset, this.timeRange, speed);
  }

  get isBackward() {
    return this.#ratio.value < 0n;
  }

  /** The duration of a range at this speed, forward or backward. */
  scaled(duration) {
    const { value, timescale } = this.#ratio;
    return duration.multiply([timescale, value < 0n ? -value : value]);
  }

  [inspect.custom](depth, options) {
    const part = this.timeRange ? `${this.timeRange} of ` : '';
    const speed = this.isAtOwnSpeed ? '' : ` at speed ${inspect(this.speed)}`;
    return `Clip ${part}${inspect(this.asset, options)}${speed}`;
  }
}

/** The clip that `asset.clip(start, end, options)` is. */
export function clipOf(asset, start, end, options) {
  const { speed } = checked('clip', options);
  const first = MediaTime.of(start ?? 0);
  const last = end === undefined ? MediaTime.infinity : MediaTime.of(end);
  if (!first.isNumeric || first.compare(0) < 0 || last.compare(first) <= 0) {
    throw new RangeError(
      `a clip ends behind its start, which is not negative; not ${first} to ${last}`,
    );
  }
  const isWhole = start === undefined && end === undefined;
  return new Clip(asset, isWhole ? undefined : TimeRange.between(first, last), speed);
}
