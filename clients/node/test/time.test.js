// Times, and that they are the engine's.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';

import { MediaTime, TimeRange } from '../src/index.js';
import { sharedEngine } from './support.js';

const text = (time) => String(MediaTime.of(time));

test('times of everything that says one', () => {
  assert.equal(text(0.1), '1/10');
  assert.equal(text(1 / 3), '333333333/1000000000');
  assert.equal(text(-2), '-2/1');
  assert.equal(text(7n), '7/1');
  assert.equal(text('3.5'), '7/2');
  assert.equal(text('-1.5e-3'), '-3/2000');
  assert.equal(text('2002/60000'), '2002/60000');
  assert.equal(text('00:01:00.500'), '121/2');
  assert.equal(text('-1:30'), '-90/1');
  assert.equal(text([1001, 30000n]), '1001/30000');
  assert.equal(text({ value: '9223372036854775807', timescale: 1 }), '9223372036854775807/1');
  assert.equal(text(Infinity), '+infinity');
  assert.equal(text('indefinite'), 'indefinite');
  const time = new MediaTime(1, 3);
  assert.equal(MediaTime.of(time), time);
});

test('what is no time', () => {
  for (const wrong of [null, undefined, {}, [1], [1, 2, 3], true, { value: 1 }]) {
    assert.throws(() => MediaTime.of(wrong), TypeError, inspect(wrong));
  }
  const texts = ['x', '', '.', '1/0', 'numeric'];
  for (const wrong of [...texts, NaN, [1.5, 2], [1, 0], [1, 2n ** 31n], 1e300]) {
    assert.throws(() => MediaTime.of(wrong), RangeError, inspect(wrong));
  }
});

test('arithmetic is exact', () => {
  const third = new MediaTime(1, 3);
  assert.equal(String(third.add('1/6')), '3/6');
  assert.equal(String(third.subtract([1, 3])), '0/3');
  assert.equal(String(third.multiply(0.5)), '1/6');
  assert.equal(String(third.multiply([3, 2])), '3/6');
  assert.equal(String(third.multiply(-2n)), '-2/3');
  assert.equal(String(third.negate()), '-1/3');
  const large = new MediaTime(2n ** 62n, 1);
  assert.equal(large.subtract(large.subtract(1)).toString(), '1/1');
  assert.ok(third.equals([2, 6]));
  assert.equal(third.compare(0.333333333), 1);
});

/** Numbers between 0 and 1, the same ones in each run. */
function* randoms(seed) {
  for (;;) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed / 2 ** 32;
  }
}

test('a part of a length is the start of its frame', () => {
  const length = new MediaTime(150000, 30000);
  for (let frame = 0; frame < 125; frame += 1) {
    const start = new MediaTime(frame, 25);
    assert.ok(length.multiply(frame / 125).equals(start), `${frame} / 125`);
    assert.ok(new MediaTime(frame).multiply(0.04).equals(start), `${frame} · 0.04`);
  }
  assert.deepEqual(new MediaTime(5).multiply(0.04), new MediaTime(1, 5, { rounded: true }));
  const frame = new MediaTime(1001, 30000);
  for (let count = 0; count < 300; count += 1) {
    assert.ok(frame.multiply(count).equals([1001 * count, 30000]));
  }
  assert.equal(String(frame.multiply(0.5)), '1001/60000');
});

test('products with numbers are exact, or to the nearest nanosecond', () => {
  const random = randoms(8);
  const next = () => random.next().value;
  for (let round = 0; round < 500; round += 1) {
    const value = BigInt(Math.floor(next() * 1000) - 500);
    const timescale = [1, 24, 600, 1001, 48000][Math.floor(next() * 5)];
    const factor = [next(), Math.round(next() * 100) / 100, 1 / (1 + Math.floor(next() * 99))][
      Math.floor(next() * 3)
    ];
    // The double is its significand times 2^-80 exactly.
    const scaled = BigInt(factor * 2 ** 80);
    const [numerator, denominator] = [value * scaled, BigInt(timescale) * 2n ** 80n];
    const product = new MediaTime(value, timescale).multiply(factor);
    const error = product.value * denominator - numerator * BigInt(product.timescale);
    assert.equal(product.rounded, error !== 0n);
    if (!product.rounded) continue;
    assert.equal(10 ** 9 % product.timescale, 0, `${value}/${timescale} · ${factor}: ${product}`);
    const distance = 2n * 10n ** 9n * (error < 0n ? -error : error);
    assert.ok(distance <= denominator * BigInt(product.timescale), `${product} is the nearest`);
  }
});

test('what no time holds becomes the nearest one', () => {
  assert.equal(text('0.333333333333333333'), '1/3');
  assert.ok(MediaTime.of('0.333333333333333333').rounded);
  assert.equal(text('-0.142857142857142857'), '-1/7');
  assert.equal(new MediaTime(1, 2147483647).multiply([1, 3]).toString(), '0/1');
  assert.equal(new MediaTime(2n ** 61n, 3).add('0.1').rounded, true);
});

test('infinities, epochs and what is no number', () => {
  const { infinity, negativeInfinity, indefinite, invalid, zero } = MediaTime;
  assert.equal(infinity.add(1), infinity);
  assert.equal(infinity.add(negativeInfinity), invalid);
  assert.equal(infinity.subtract(infinity), invalid);
  assert.equal(zero.subtract(infinity), negativeInfinity);
  assert.equal(indefinite.add(1), indefinite);
  assert.equal(infinity.multiply(-1), negativeInfinity);
  assert.equal(infinity.multiply(0), invalid);
  const order = [negativeInfinity, zero, indefinite, infinity, invalid];
  assert.deepEqual([...order].reverse().sort((a, b) => a.compare(b)), order);
  const later = new MediaTime(1, 1, { epoch: 1 });
  assert.equal(later.add(1), invalid);
  assert.equal(later.compare(1000), 1);
  assert.ok(Number.isNaN(invalid.seconds));
  assert.equal(negativeInfinity.seconds, -Infinity);
});

test('times are frozen values', () => {
  const time = new MediaTime(1001, 30000, { rounded: true });
  assert.throws(() => (time.value = 2n), TypeError);
  assert.deepEqual(time, new MediaTime(1001n, 30000, { rounded: true }));
  assert.notDeepEqual(MediaTime.infinity, MediaTime.invalid);
  assert.equal(JSON.stringify([time]), '[{"value":1001,"timescale":30000,"rounded":true}]');
  assert.deepEqual(MediaTime.of(JSON.parse(JSON.stringify(time))), time);
  const large = new MediaTime(2n ** 53n, 600);
  assert.deepEqual(large.toJSON(), { value: '9007199254740992', timescale: 600 });
  assert.equal(`${time}`, '1001/30000');
  assert.ok(new MediaTime(1, 3) < new MediaTime(1, 2));
  assert.equal(+new MediaTime(1, 4), 0.25);
  assert.equal(inspect(time), '1001/30000 (0.033 s, rounded)');
});

test('ranges', () => {
  const range = TimeRange.between(1, '5/2');
  assert.deepEqual(range, new TimeRange(1, '3/2'));
  assert.equal(String(range.end), '5/2');
  assert.ok(range.contains(1) && range.contains(2.4) && !range.contains(2.5));
  assert.ok(range.equals({ start: '2/2', end: 2.5 }));
  assert.ok(TimeRange.of({ duration: 2 }).equals(new TimeRange(0, 2)));
  assert.throws(() => TimeRange.of([1, 2]), TypeError);
  const both = { start: 1, duration: 1, end: 3 };
  assert.throws(() => TimeRange.of(both), /^TypeError: a range has a duration or an end, not both: /);
  assert.ok(TimeRange.of({ start: 1, duration: 1, end: undefined }).equals(new TimeRange(1, 1)));
  assert.throws(() => TimeRange.between(3, 1), /before it begins/);
  assert.throws(() => TimeRange.of({ start: 3, end: 1 }), RangeError);
  assert.deepEqual(range.toJSON(), {
    start: { value: 1, timescale: 1 },
    duration: { value: 3, timescale: 2 },
  });
});

test('the engine calculates the same', async () => {
  const engine = await sharedEngine();
  const numbers = [0, 1, 0.1, 1 / 3, '1001/30000', '-7/12', [2n ** 62n, 3], 1e-9, '+infinity'];
  const times = [...numbers, '-infinity', 'indefinite', 'invalid', '00:01:00.5'];
  for (const lhs of times) {
    const ours = MediaTime.of(lhs);
    const { time } = await engine.request('time/add', { lhs: ours, rhs: 0 });
    assert.ok(MediaTime.of(time).equals(ours), `${inspect(lhs)} is ${inspect(time)}`);
    assert.equal(MediaTime.of(time).rounded, ours.rounded, inspect(lhs));
    const wire = typeof lhs === 'object' ? ours : lhs;
    const read = await engine.request('time/compare', { lhs: wire, rhs: ours });
    assert.equal(read.order, 0, `${inspect(lhs)} is read as it is here`);
    for (const rhs of times) {
      const other = MediaTime.of(rhs);
      const { order } = await engine.request('time/compare', { lhs: ours, rhs: other });
      assert.equal(ours.compare(other), order, `${inspect(lhs)} against ${inspect(rhs)}`);
    }
  }
});
