// Exact times: those that the engine returns, and those that it accepts.

import { inspect } from 'node:util';

import { checked } from './options.js';

const MAX_TIMESCALE = 2n ** 31n - 1n;
const MAX_VALUE = 2n ** 63n - 1n;
const NANOSECONDS = 10n ** 9n;
/** The kinds of times in their order. */
const KINDS = ['-infinity', 'numeric', 'indefinite', '+infinity', 'invalid'];
const CLOCK = /^(-?)(?:(\d+):)?(\d+):(\d+(?:\.\d*)?)$/;
const RATIO = /^([+-]?\d+)\s*\/\s*(\d+)$/;
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i;

const abs = (number) => (number < 0n ? -number : number);

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return abs(a);
}

/** The nearest integer of a quotient, halves away from zero. */
function rounded(numerator, denominator) {
  const whole = (2n * abs(numerator) + denominator) / (2n * denominator);
  return numerator < 0n ? -whole : whole;
}

/** A finite number as a fraction, exactly. */
function fractionOf(number) {
  let denominator = 1n;
  while (!Number.isInteger(number)) {
    number *= 2;
    denominator *= 2n;
  }
  return [BigInt(number), denominator];
}

function integer(number, what) {
  try {
    return BigInt(number);
  } catch {
    throw new RangeError(`${what} is an integer, not ${inspect(number)}`);
  }
}

function parsedDecimal(text) {
  const [, sign, whole, part, exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || !(whole + part)) return undefined;
  let numerator = BigInt(`${whole}${part}`);
  let denominator = 10n ** BigInt(part.length);
  if (exponent.startsWith('-')) denominator *= 10n ** BigInt(exponent.slice(1));
  else numerator *= 10n ** BigInt(exponent.replace('+', ''));
  return [sign === '-' ? -numerator : numerator, denominator];
}

function parsed(text) {
  const word = text.trim();
  if (word !== 'numeric' && KINDS.includes(word)) return special(word);
  const ratio = RATIO.exec(word);
  if (ratio) return new MediaTime(BigInt(ratio[1]), Number(ratio[2]));
  const clock = CLOCK.exec(word);
  if (clock) {
    const [numerator, denominator] = parsedDecimal(clock[4]);
    const minutes = BigInt(clock[2] ?? 0) * 60n + BigInt(clock[3]);
    const total = minutes * 60n * denominator + numerator;
    return fromFraction(clock[1] ? -total : total, denominator);
  }
  const decimal = parsedDecimal(word);
  if (decimal) return fromFraction(...decimal);
  throw new RangeError(
    `${inspect(text)} is no time; write '3.5', '1001/30000' or '00:01:00.500'`,
  );
}

function ofNumber(seconds) {
  if (Number.isNaN(seconds)) throw new RangeError('NaN is no time');
  if (!Number.isFinite(seconds)) return special(seconds > 0 ? '+infinity' : '-infinity');
  const time = nearestNanosecond(...fractionOf(seconds));
  // As the engine marks a number of seconds: 0.1 is a tenth, and 1/3 is rounded.
  if (time.rounded || time.seconds === seconds) return time;
  return new MediaTime(time.value, time.timescale, { rounded: true });
}

/** In lowest terms; from 2^63 nanoseconds on, the number counts exactly. */
function nearestNanosecond(numerator, denominator, epoch = 0, wasRounded = false) {
  const nanoseconds = rounded(numerator * NANOSECONDS, denominator);
  return abs(nanoseconds) <= MAX_VALUE
    ? fromFraction(nanoseconds, NANOSECONDS, 1n, epoch, wasRounded)
    : fromFraction(numerator, denominator, 1n, epoch, wasRounded);
}

function ofObject(time) {
  const { value, timescale, epoch, rounded } = time;
  if (value === undefined || timescale === undefined) throw notATime(time);
  return new MediaTime(value, timescale, { epoch: Number(epoch ?? 0), rounded });
}

const notATime = (time) =>
  new TypeError(
    'a time is seconds, a string, [value, timescale], {value, timescale} or a MediaTime, ' +
      `not ${inspect(time)}`,
  );

/**
 * The time in a multiple of a timescale or in lowest terms where that is exact, else the nearest of
 * all times, which is rounded.
 */
function fromFraction(numerator, denominator, timescale = 1n, epoch = 0, wasRounded = false) {
  const divisor = gcd(numerator, denominator) || 1n;
  numerator /= divisor;
  denominator /= divisor;
  const room = numerator ? (MAX_VALUE * denominator) / abs(numerator) : MAX_TIMESCALE;
  const maximum = room < 1n ? 1n : room < MAX_TIMESCALE ? room : MAX_TIMESCALE;
  for (const scale of [(denominator * timescale) / gcd(denominator, timescale), denominator]) {
    if (scale > maximum) continue;
    const value = numerator * (scale / denominator);
    return new MediaTime(value, Number(scale), { epoch, rounded: wasRounded });
  }
  const [value, scale] = nearestFraction(numerator, denominator, maximum);
  return new MediaTime(value, Number(scale), { epoch, rounded: true });
}

/** The nearest fraction with a denominator up to a limit: a convergent, or one between two. */
function nearestFraction(numerator, denominator, limit) {
  let [h0, k0, h1, k1] = [0n, 1n, 1n, 0n];
  let [dividend, divisor] = [abs(numerator), denominator];
  while (divisor) {
    const quotient = dividend / divisor;
    if (k0 + quotient * k1 > limit) break;
    [h0, k0, h1, k1] = [h1, k1, h0 + quotient * h1, k0 + quotient * k1];
    [dividend, divisor] = [divisor, dividend % divisor];
  }
  const steps = (limit - k0) / k1;
  const [h, k] = [h0 + steps * h1, k0 + steps * k1];
  // The distances of both from the number, times its denominator and both of theirs.
  const distance = (p, q) => abs(p * denominator - abs(numerator) * q);
  const isFirst = !divisor || distance(h1, k1) * k <= distance(h, k) * k1;
  const [value, scale] = isFirst ? [h1, k1] : [h, k];
  return [numerator < 0n ? -value : value, scale];
}

const SPECIAL = Symbol('special');
const specials = new Map();
const special = (kind) => specials.get(kind);

export class MediaTime {
  constructor(value, timescale = 1, { epoch = 0, rounded = false, [SPECIAL]: kind } = {}) {
    if (kind === undefined) {
      const scale = integer(timescale, 'a timescale');
      this.value = integer(value, 'the value of a time');
      if (scale <= 0n || scale > MAX_TIMESCALE) {
        throw new RangeError(`a timescale is from 1 to ${MAX_TIMESCALE}, not ${timescale}`);
      }
      if (abs(this.value) > MAX_VALUE) {
        throw new RangeError(`${value}/${timescale} does not fit in 64 bits`);
      }
      this.timescale = Number(scale);
    } else {
      this.value = 0n;
      this.timescale = 0;
    }
    this.epoch = epoch;
    this.rounded = Boolean(rounded);
    this.kind = kind ?? 'numeric';
    Object.freeze(this);
  }

  static of(time) {
    if (time instanceof MediaTime) return time;
    switch (typeof time) {
      case 'number':
        return ofNumber(time);
      case 'bigint':
        return new MediaTime(time);
      case 'string':
        return parsed(time);
      case 'object':
        if (Array.isArray(time) && time.length === 2) return new MediaTime(...time);
        if (time !== null && !Array.isArray(time)) return ofObject(time);
    }
    throw notATime(time);
  }

  get isNumeric() {
    return this.kind === 'numeric';
  }

  get seconds() {
    if (this.isNumeric) return Number(this.value) / this.timescale;
    return { '+infinity': Infinity, '-infinity': -Infinity }[this.kind] ?? NaN;
  }

  add(other) {
    return this.#combined(MediaTime.of(other), 1n);
  }

  subtract(other) {
    return this.#combined(MediaTime.of(other), -1n);
  }

  #combined(time, sign) {
    const other = sign > 0n ? time : time.negate();
    const kinds = [this.kind, other.kind];
    const has = (kind) => kinds.includes(kind);
    const isNumeric = this.isNumeric && other.isNumeric;
    if (has('invalid') || (has('+infinity') && has('-infinity'))) return MediaTime.invalid;
    if (isNumeric && this.epoch !== other.epoch) return MediaTime.invalid;
    for (const kind of ['indefinite', '+infinity', '-infinity']) {
      if (has(kind)) return special(kind);
    }
    const [a, b] = [BigInt(this.timescale), BigInt(other.timescale)];
    return fromFraction(
      this.value * b + other.value * a,
      a * b,
      (a * b) / gcd(a, b),
      0,
      this.rounded || other.rounded,
    );
  }

  negate() {
    if (this.isNumeric) return new MediaTime(-this.value, this.timescale, this);
    if (this.kind === '+infinity') return MediaTime.negativeInfinity;
    return this.kind === '-infinity' ? MediaTime.infinity : this;
  }

  multiply(by) {
    const [numerator, denominator] = Array.isArray(by)
      ? by.map((number) => integer(number, 'a part of a ratio'))
      : typeof by === 'bigint'
        ? [by, 1n]
        : fractionOf(Number.isFinite(by) ? by : integer(by, 'a factor'));
    if (denominator <= 0n) throw new RangeError(`the denominator of ${by} is not positive`);
    if (!this.isNumeric) {
      return numerator > 0n ? this : numerator < 0n ? this.negate() : MediaTime.invalid;
    }
    const [scale, { epoch, rounded }] = [BigInt(this.timescale), this];
    const product = [this.value * numerator, scale * denominator];
    const time = fromFraction(...product, scale, epoch, rounded);
    const isExact = time.value * product[1] === product[0] * BigInt(time.timescale);
    if (isExact || typeof by !== 'number') return time;
    return nearestNanosecond(...product, epoch, true);
  }

  compare(other) {
    const time = MediaTime.of(other);
    const order = KINDS.indexOf(this.kind) - KINDS.indexOf(time.kind) || this.epoch - time.epoch;
    if (order !== 0 || !this.isNumeric) return Math.sign(order);
    const left = this.value * BigInt(time.timescale);
    const right = time.value * BigInt(this.timescale);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other) {
    return this.compare(other) === 0;
  }

  toFixed(digits) {
    return this.isNumeric ? this.seconds.toFixed(digits) : this.kind;
  }

  toString() {
    return this.isNumeric ? `${this.value}/${this.timescale}` : this.kind;
  }

  toJSON() {
    if (!this.isNumeric) return this.kind;
    const number = Number(this.value);
    const wire = {
      value: Number.isSafeInteger(number) ? number : String(this.value),
      timescale: this.timescale,
    };
    if (this.epoch) wire.epoch = this.epoch;
    if (this.rounded) wire.rounded = true;
    return wire;
  }

  // So that `+time`, `time < other` and a template work as expected.
  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? this.toString() : this.seconds;
  }

  [inspect.custom]() {
    const notes = (this.epoch ? `, epoch ${this.epoch}` : '') + (this.rounded ? ', rounded' : '');
    return this.isNumeric ? `${this} (${this.toFixed(3)} s${notes})` : this.kind;
  }
}

for (const kind of KINDS.filter((kind) => kind !== 'numeric')) {
  specials.set(kind, new MediaTime(0, 0, { [SPECIAL]: kind }));
}
MediaTime.zero = new MediaTime(0);
MediaTime.infinity = special('+infinity');
MediaTime.negativeInfinity = special('-infinity');
MediaTime.indefinite = special('indefinite');
MediaTime.invalid = special('invalid');

export class TimeRange {
  constructor(start, duration) {
    this.start = MediaTime.of(start);
    this.duration = MediaTime.of(duration);
    Object.freeze(this);
  }

  /** The range from a start to an end. Throws a `RangeError` where the end is before the start. */
  static between(start, end) {
    const [first, last] = [MediaTime.of(start), MediaTime.of(end)];
    if (last.compare(first) < 0) {
      throw new RangeError(`a range ends at ${last}, before it begins at ${first}`);
    }
    return new TimeRange(first, last.subtract(first));
  }

  static of(range) {
    if (range instanceof TimeRange) return range;
    const isObject = typeof range === 'object' && range !== null && !Array.isArray(range);
    if (isObject) checked('a time range', range);
    if (isObject && Object.hasOwn(range, 'end') && range.end !== undefined && range.duration !== undefined) {
      throw new TypeError(`a range has a duration or an end, not both: ${inspect(range)}`);
    }
    if (range?.duration !== undefined) return new TimeRange(range.start ?? 0, range.duration);
    if (range?.end !== undefined) return TimeRange.between(range.start ?? 0, range.end);
    throw new TypeError(
      `a range is {start, duration}, {start, end} or a TimeRange, not ${inspect(range)}`,
    );
  }

  get end() {
    return this.start.add(this.duration);
  }

  contains(time) {
    return this.start.compare(time) <= 0 && this.end.compare(time) > 0;
  }

  equals(other) {
    const { start, duration } = TimeRange.of(other);
    return this.start.equals(start) && this.duration.equals(duration);
  }

  toJSON() {
    return { start: this.start.toJSON(), duration: this.duration.toJSON() };
  }

  toString() {
    return `${this.start.toFixed(3)}…${this.end.toFixed(3)} s`;
  }

  [inspect.custom]() {
    return `TimeRange ${this}`;
  }
}

/** An integer of the wire, which beyond 2^53 comes as text: then a bigint. */
export function wireInteger(value) {
  if (typeof value !== 'string') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

export const timeOrNone = (time) => (time === undefined ? undefined : MediaTime.of(time));
export const rangeOrNone = (range) => (range === undefined ? undefined : TimeRange.of(range));
