// Parts of assets as values, which make no request until they are used.

import { inspect } from 'node:util';

import { checked } from './options.js';
import { MediaTime, TimeRange } from './time.js';

export class Clip {
  constructor(asset, timeRange, speed = 1, speeds = undefined) {
    this.asset = asset;
    this.timeRange = timeRange === undefined ? undefined : TimeRange.of(timeRange);
    this.speed = speed;
    this.speeds = speeds;
    checkedRatio(speed);
    Object.freeze(this);
  }

  get isAtOwnSpeed() {
    return this.speeds === undefined && checkedRatio(this.speed).equals(1);
  }

  atSpeed(speed) {
    return new Clip(this.asset, this.timeRange, speed);
  }

  atSpeeds(points) {
    const speeds = Array.from(points, ([time, speed]) => {
      checkedRatio(speed);
      return Object.freeze([MediaTime.of(time), speed]);
    });
    if (new Set(speeds.map(([, speed]) => checkedRatio(speed).value > 0n)).size !== 1) {
      throw new RangeError('speeds are all above zero, or all below it for backward');
    }
    return new Clip(this.asset, this.timeRange, 1, Object.freeze(speeds));
  }

  get isBackward() {
    return checkedRatio(this.speeds ? this.speeds[0][1] : this.speed).value < 0n;
  }

  /** The duration of a range at its constant speed, forward or backward. */
  scaled(duration) {
    const { value, timescale } = checkedRatio(this.speed);
    return duration.multiply([timescale, value < 0n ? -value : value]);
  }

  [inspect.custom](depth, options) {
    const part = this.timeRange ? `${this.timeRange} of ` : '';
    let speed = this.isAtOwnSpeed ? '' : ` at speed ${inspect(this.speed)}`;
    if (this.speeds) {
      const listed = this.speeds.map(([time, each]) => `${time}: ${inspect(each)}`);
      speed = ` at speeds { ${listed.join(', ')} }`;
    }
    return `Clip ${part}${inspect(this.asset, options)}${speed}`;
  }
}

/** The playback and the speeds of `insertTimeRange`, without a speed that is constant. */
export function insertionOf(clip) {
  return {
    playback: clip.isBackward ? 'reverse' : undefined,
    speedRamp: clip.speeds?.map(([at, speed]) => {
      const { value, timescale } = checkedRatio(speed);
      const numerator = Number(value < 0n ? -value : value);
      return { at, speed: { numerator, denominator: Number(timescale) } };
    }),
  };
}

/** A speed as a fraction: those of times are exact, and 1.1 is eleven tenths. */
function checkedRatio(speed) {
  const isSpeed = typeof speed === 'number' || Array.isArray(speed);
  const ratio = isSpeed ? MediaTime.of(speed) : undefined;
  if (!ratio?.isNumeric || ratio.value === 0n) {
    throw new RangeError(`a speed is finite and not zero, not ${inspect(speed)}`);
  }
  return ratio;
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
