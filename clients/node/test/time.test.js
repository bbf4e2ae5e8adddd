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
