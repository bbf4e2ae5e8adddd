// Scene changes, silences and loudness, against the real engine.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';

import { folder, sharedEngine } from './support.js';

const file = path.join(folder(), 'scenes.mov');
execFileSync('ffmpeg', [
  ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x180:r=25:d=2'],
  ...['-f', 'lavfi', '-i', 'mandelbrot=s=320x180:r=25'],
  ...['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=3', '-filter_complex'],
  '[1]trim=end_frame=50,setpts=PTS-STARTPTS[m];[0][m]concat=n=2:v=1:a=0[v];[2]apad=whole_dur=4[a]',
  ...['-map', '[v]', '-map', '[a]', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ...['-c:a', 'pcm_s16le', file],
]);
const engine = await sharedEngine(() => asset.close());
const asset = await engine.open(file);

test('the first frames of scenes', async () => {
  const progress = [];
  const found = await asset.sceneChanges({ onProgress: (part) => progress.push(part) });
  assert.deepEqual([...found].map(({ sampleIndex }) => sampleIndex), [50]);
  assert.ok(found.changes[0].time.equals(2) && found.changes[0].score > 0.5);
  assert.deepEqual(found.scenes.map(({ start, end }) => [start.seconds, end.seconds]), [[0, 2], [2, 4]]);
  assert.deepEqual([found.length, found.trackID, found.dropped], [1, 1, []]);
  assert.equal(progress.at(-1), 1);
  assert.equal(inspect(found), 'SceneChanges 1 in track 1');
});

test('silences', async () => {
  const found = await asset.silences({ threshold: -45, minimumDuration: 0.25 });
  assert.equal(found.length, 1);
  const [silence] = found;
  assert.ok(silence.start.equals(3) && silence.end.equals(4));
  assert.equal(inspect(found), 'Silences 1 below -45 dBFS');
});

test('loudness', async () => {
  const loudness = await asset.loudness({ timeRange: { start: 0, duration: 3 } });
  assert.ok(Math.abs(loudness.integratedLoudness + 21.8) < 0.2);
  assert.ok(loudness.truePeak >= loudness.samplePeak);
  assert.equal(loudness.channelLayout, 'mono');
  const silent = await asset.loudness({ timeRange: { start: 3.5, duration: 0.5 } });
  assert.deepEqual([silent.integratedLoudness, silent.truePeak], [undefined, undefined]);
  assert.match(inspect(silent), /^Loudness -, true peak -$/);
});
