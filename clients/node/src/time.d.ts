import type { Time } from './protocol.js';

/**
 * A time as an argument: seconds (rounded to the nearest nanosecond), `'3.5'`,
 * `'1001/30000'`, `'00:01:00.500'`, `[value, timescale]`, `{value, timescale}`, or a `MediaTime`.
 */
export type TimeLike =
  | MediaTime
  | number
  | bigint
  | string
  | readonly [value: number | bigint, timescale: number | bigint]
  | {
      value: number | bigint | string;
      timescale: number | bigint;
      epoch?: number | string;
      rounded?: boolean;
    };

/** `{start, duration}` or `{start, end}`; the start is 0 by default. */
export type TimeRangeLike =
  | TimeRange
  | { start?: TimeLike; duration: TimeLike }
  | { start?: TimeLike; end: TimeLike };

/**
 * An exact number of seconds, `value / timescale`, or an infinity. Times don't change. They are in
 * the order of their kinds (`-infinity`, numbers, `indefinite`, `+infinity`, `invalid`), then of
 * their epochs, then of their numbers.
 */
export class MediaTime {
  /** Throws a `RangeError` for a time that doesn't fit in 64 bits over 31. */
  constructor(
    value: number | bigint | string,
    timescale?: number | bigint,
    options?: { epoch?: number; rounded?: boolean },
  );

  static readonly zero: MediaTime;
  static readonly infinity: MediaTime;
  static readonly negativeInfinity: MediaTime;
  /** A time that isn't known. */
  static readonly indefinite: MediaTime;
  /** No time. */
  static readonly invalid: MediaTime;

  /** Makes a time of anything that stands for one. */
  static of(this: void, time: TimeLike): MediaTime;

  readonly value: bigint;
  /** Parts of a second; 0 for a time that is not a number. */
  readonly timescale: number;
  /** The run of the clock; 0 nearly always. */
  readonly epoch: number;
  /** True if the time was rounded on its way. */
  readonly rounded: boolean;
  readonly kind: 'numeric' | '+infinity' | '-infinity' | 'indefinite' | 'invalid';
  /** True if it is a number of seconds. */
  readonly isNumeric: boolean;
  /** The nearest number; NaN of `invalid` and `indefinite`. */
  readonly seconds: number;

  add(other: TimeLike): MediaTime;
  subtract(other: TimeLike): MediaTime;
  negate(): MediaTime;
  /**
   * Times a number, which counts exactly, or `[numerator, denominator]`. A product with a number
   * that no time represents is rounded to the nearest nanosecond: 5 times 0.04 is 1/5.
   */
  multiply(by: number | bigint | readonly [number | bigint, number | bigint]): MediaTime;
  /** -1 when it is before the other, 0 at the same moment, 1 after it. */
  compare(other: TimeLike): -1 | 0 | 1;
  /** True if it is the same moment: 1/2 equals 2/4. */
  equals(other: TimeLike): boolean;

  /** The seconds with a number of decimals. */
  toFixed(digits?: number): string;
  /** `'1001/30000'`, which `MediaTime.of` reads, or the kind. */
  toString(): string;
  /** The time as the protocol writes it. */
  toJSON(): Time;
  [Symbol.toPrimitive](hint: string): number | string;
}

/** A range of time. The end is excluded. */
export class TimeRange {
  constructor(start: TimeLike, duration: TimeLike);
  static between(start: TimeLike, end: TimeLike): TimeRange;
  static of(this: void, range: TimeRangeLike): TimeRange;

  readonly start: MediaTime;
  readonly duration: MediaTime;
  readonly end: MediaTime;

  contains(time: TimeLike): boolean;
  equals(other: TimeRangeLike): boolean;
  toString(): string;
  toJSON(): { start: Time; duration: Time };
}
