// Compositions, against what ffmpeg and ffprobe find in the files.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { Clip, CompositionSegment, MediaTime, TimeRange } from '../src/index.js';
import { command, ffmpeg, folder, sharedEngine } from './support.js';

const engine = await sharedEngine();
const target = folder();

/** Two clips of one format. */
const clips = [440, 660].map((tone, number) => {
  const file = path.join(target, `clip${number}.mp4`);
  ffmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=s=96x54:r=25:d=2,hue=h=${number * 90}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=48000:duration=2`],
    ...['-c:v', 'libx264', '-g', '25', '-bf', '0', '-pix_fmt', 'yuv420p', '-c:a', 'aac', file],
  );
  return file;
});

const hashes = (file) =>
  command('ffmpeg', '-v', 'error', '-i', file, '-map', '0:v', '-c', 'copy', '-f', 'framemd5', '-')
    .toString()
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1).trim());

test('clips are put one after the other, and sped up', async () => {
  const [a, b] = await Promise.all(clips.map((clip) => engine.open(clip)));
  const composition = await engine.composition([
    a.clip(0.5, 1.5),
    b.clip(1),
    a.clip(0, 1).atSpeed(1.5),
  ]);
  assert.deepEqual((await composition.load('duration')).duration, new MediaTime(8, 3));
  const segments = await composition.segments(1);
  assert.deepEqual(
    segments.map(({ asset, source }) => [asset, source.start.seconds, source.duration.seconds]),
    [
      [a, 0.5, 1],
      [b, 1, 1],
      [a, 0, 1],
    ],
  );
  assert.ok(segments[2].target.equals(new TimeRange(2, [2, 3])));
  // What shows it is what the file shows.
  const [image, own] = await Promise.all([
    composition.image(1.5, { format: 'rgb24', tolerance: 0 }),
    b.image(1.5, { format: 'rgb24', tolerance: 0 }),
  ]);
  assert.ok(Buffer.from(await image.bytes()).equals(Buffer.from(await own.bytes())));
  // An edit makes what was loaded false.
  await composition.removeTimeRange({ start: 0, duration: 1 });
  assert.throws(() => composition.duration, { name: 'valueNotLoaded' });
  assert.equal((await composition.load('duration')).duration.seconds.toFixed(6), '1.666667');
  await Promise.all([composition, a, b].map((each) => each.close()));
});

test('edits, segments and documents', async () => {
  const a = await engine.open(clips[0]);
  const composition = await engine.composition({ naturalSize: { width: 64, height: 64 } });
  const { trackID } = await composition.addTrack('video', { preferredTrackID: 9 });
  assert.equal(trackID, 9);
  const { timeRange } = await composition.insertTimeRanges(9, [
    a.clip(0, 1),
    new TimeRange(0, 0.5),
    a,
  ]);
  assert.equal(timeRange.duration.seconds, 3.5);
  const segments = await composition.segments(9);
  assert.deepEqual(segments.map(({ isEmpty }) => isEmpty), [false, true, false]);
  await composition.setSegments(9, segments.slice(0, 2));
  const wrong = [new CompositionSegment({ target: { start: 1, duration: 1 } })];
  const problems = await composition.validateSegments(9, wrong);
  assert.deepEqual(problems.map(({ code }) => code), [-11824]);
  await assert.rejects(composition.setSegments(9, wrong), {
    name: 'compositionTrackSegmentsNotContiguous',
  });
  const timeline = await composition.timeline();
  const again = await engine.composition({ timeline });
  assert.deepEqual(await again.timeline(), timeline);
  const copy = await again.copy();
  assert.deepEqual(await copy.timeline(), timeline);
  const { document } = await copy.openTimelineIO();
  const imported = await engine.importComposition(document);
  assert.deepEqual(await imported.timeline(), timeline);
  const assembled = await engine.assemble({ clips: [{ url: clips[0] }, { url: clips[1] }] });
  assert.equal((await assembled.load('duration')).duration.seconds, 4);
  const all = [composition, again, copy, imported, assembled, a];
  await Promise.all(all.map((each) => each.close()));
  assert.deepEqual(await engine.handles(), []);
});

test('a join copies packets, or names what differs', async () => {
  const output = path.join(target, 'joined.mp4');
  const result = await engine.join(clips, output);
  assert.ok(result.isLossless);
  assert.deepEqual(hashes(output), clips.flatMap(hashes));
  const small = path.join(target, 'small.mp4');
  ffmpeg('-i', clips[0], '-vf', 'scale=48:28', small);
  const refused = path.join(target, 'refused.mp4');
  await assert.rejects(engine.join([clips[0], small], refused), /48×28/);
  assert.ok(!existsSync(refused));
  const encoded = await engine.join([clips[0], small], refused, { preset: 'LowQuality' });
  assert.ok(!encoded.isLossless && existsSync(refused));
  assert.deepEqual(await engine.handles(), []);
});

test('what a clip takes is checked', async () => {
  const a = await engine.open(clips[0]);
  assert.throws(() => a.clip(0, 1, { speed: 0 }), RangeError);
  assert.throws(() => a.clip(0, 1, { sped: 2 }), /did you mean speed/);
  assert.ok(a.clip() instanceof Clip);
  await assert.rejects(engine.composition(['a.mp4']), TypeError);
  await a.close();
});
