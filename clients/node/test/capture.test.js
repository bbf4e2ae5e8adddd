// Capture sessions of the synthetic device on a manual clock, against the real engine.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { DeviceWasDisconnectedError, MaximumDurationReachedError } from '../src/index.js';
import { collect, folder, sharedEngine, withFake } from './support.js';

const SMALL = { width: 64, height: 48 };
const engine = await sharedEngine();

test('a recording has all that was captured', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const file = path.join(folder(), 'a.mp4');
  const first = await session.record(file);
  await session.advanceClock(1);
  const second = await session.record(path.join(folder(), 'b.mp4'));
  await session.advanceClock(1);
  const results = [await first.stop(), await second.stop()];
  const written = results.map(({ tracks }) => tracks.find((track) => track.mediaType === 'video').written);
  assert.equal(written[0] + written[1], 60);
  assert.ok(results.every(({ isPlainMovie, error }) => isPlainMovie && error === undefined));
  const limited = await session.record(path.join(folder(), 'c.wav'), { maxRecordedDuration: 0.5 });
  await session.advanceClock(1);
  const { tracks, error } = await limited.stop();
  assert.ok(error instanceof MaximumDurationReachedError);
  assert.equal(tracks[0].written, 24000);
  await session.close();
});

test('frames, audio and photos are those of the device', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const frames = await session.addOutput('videoData', { settings: { pixelFormat: 'gray' } });
  const photos = await session.addOutput('photo');
  await session.levels();
  const [photo] = await Promise.all([photos.photo(), session.advanceClock('1/10')]);
  assert.deepEqual([...photo.data.subarray(0, 2)], [0xff, 0xd8]);
  const times = [];
  for await (const frame of frames) times.push(frame.presentationTime.seconds);
  assert.deepEqual(times, [2 / 30]);
  assert.equal(frames.dropped.late, 2);
  const [level] = (await session.levels()).channels;
  assert.ok(Math.abs(level.peakHoldLevel + 6.02) < 0.01);
  assert.ok(session.isRunning && !session.isInterrupted);
  await session.stop();
  assert.equal((await session.state()).isRunning, false);
  assert.equal(session.isRunning, false);
  await session.close();
});

test('frames and audio are captured from the call on, and counted', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const frames = await session.frames({ pixelFormat: 'gray', width: 32 });
  const blocks = await session.audio({ sampleFormat: 's16' });
  await session.advanceClock(1);
  const shown = [];
  for await (const frame of frames) shown.push([frame.presentationTime.seconds, frame.data.length]);
  assert.deepEqual(shown, [[29 / 30, 32 * 24]]);
  assert.deepEqual(frames.dropped, { late: 29, outOfBuffers: 0, discontinuity: 0 });
  let count = 0;
  for await (const { numSamples } of blocks) count += numSamples;
  assert.equal(count, 48000);
  assert.ok(frames.closed && blocks.closed);
  // A loop needs no `await` before it.
  const again = session.frames();
  await session.advanceClock(0.1);
  for await (const frame of again) shown.push(frame.presentationTime.seconds);
  assert.equal(shown.length, 2);
  assert.ok((await again).closed);
  const aborted = new AbortController();
  const unwanted = await session.frames({ signal: aborted.signal });
  aborted.abort(new Error('enough'));
  const loop = async () => {
    for await (const frame of unwanted) assert.fail(frame);
  };
  await assert.rejects(loop, /enough/);
  assert.ok(unwanted.closed);
  await session.close();
});

test('levels come as they are measured, until the session stops', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const observer = await session.observeLevels({ interval: '1/10' });
  await session.advanceClock(1);
  const peaks = observer.arrived().map(({ channels: [{ peakHoldLevel }] }) => Math.round(peakHoldLevel));
  assert.equal(peaks[0] > -10, true);
  assert.deepEqual(peaks.slice(1), Array(peaks.length - 1).fill(-160));
  const times = [];
  const heard = (async () => {
    for await (const { time } of observer) times.push(time.seconds);
  })();
  await session.advanceClock(0.5);
  await session.stop();
  await heard;
  assert.ok(times.length >= 4 && times.every((time) => time > 1 && time <= 1.5));
  await observer.close();
  await session.close();
});

test('an observer that is closed hears no more', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const [first, second] = [await session.observeLevels(), await session.observeLevels()];
  await session.advanceClock(0.25);
  const count = first.arrived().length;
  assert.ok(count >= 3);
  await first.close();
  await session.advanceClock(0.25);
  assert.equal(first.arrived().length, 0);
  assert.ok(second.arrived().length > count);
  await session.close();
  for await (const levels of second) assert.fail(levels);
});

test('frames and audio are generators, whose errors are those of the loop', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const [frames, unwanted] = [session.frames({ width: 32 }), session.audio()];
  await session.advanceClock(1);
  const { value, done } = await frames.next();
  assert.deepEqual([value.image.width, done], [32, false]);
  assert.deepEqual(await frames.return('enough'), { value: 'enough', done: true });
  assert.deepEqual(await unwanted.return(), { value: undefined, done: true });
  await assert.rejects(session.audio().throw(new RangeError('mine')), RangeError);
  assert.ok((await frames).closed && (await unwanted).closed);
  assert.deepEqual((await session.state()).outputs, []);
  for (const wrong of [session.frames({ height_: 1 }), session.audio({ pitch: 1 })]) {
    // Another wait is first, in which nothing is unhandled.
    await session.state();
    await assert.rejects(collect(wrong), TypeError);
    await assert.rejects(wrong, TypeError);
  }
  await session.close();
});

test('an output that is removed ends its loops', async () => {
  const session = await engine.capture({ synthetic: SMALL, clock: 'manual' });
  const output = await session.addOutput('audioData', { mode: 'push' });
  const observer = await output.observeLevels();
  const loops = [output, observer].map(collect);
  await session.configure([{ remove: output.handle }], { dryRun: true });
  await session.advanceClock(1);
  await session.configure([{ remove: output.handle }]);
  const [samples, levels] = await Promise.all(loops);
  assert.ok(samples.length > 0 && levels.length > 0);
  await output.close();
  await session.close();
});

test('the loss of the last device is the error of a loop that asks', () =>
  withFake(
    {
      'captureSession/create': [[{ result: { captureSession: 'captureSession:1' } }]],
      'captureSession/configure': [
        [{ result: { inputs: [], outputs: ['captureOutput:2'], connections: [], resolved: [] } }],
      ],
      'captureOutput/nextSampleBuffers': [
        [
          {
            notify: [
              'captureSession/didFail',
              {
                captureSession: 'captureSession:1',
                error: { code: -11808, message: 'gone', data: { name: 'deviceWasDisconnected' } },
              },
            ],
          },
          {
            result: {
              sampleBuffers: [],
              dropped: { late: 0, outOfBuffers: 0, discontinuity: 0 },
              isRunning: false,
            },
          },
        ],
      ],
    },
    async (fake) => {
      const session = await fake.capture();
      const output = await session.addOutput('audioData');
      await assert.rejects(collect(output), DeviceWasDisconnectedError);
    },
  ));
