// Volumes over time, in readers, waveforms and exports, against arithmetic.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { command, ffmpeg, folder, sharedEngine } from './support.js';

const engine = await sharedEngine(async () => asset.close());
const constant = path.join(folder(), 'constant.wav');
ffmpeg('-f', 'lavfi', '-i', 'aevalsrc=0.5:s=8000:d=2', '-c:a', 'pcm_f32le', constant);
const asset = await engine.open(constant);
const ramp = { from: 1, to: 0, timeRange: { start: '1/2', duration: 1 } };
const mix = { inputParameters: [{ trackID: 1, volume: [ramp] }] };

/** The volume of a sample, from 0 to 1. */
const factor = (sample) => Math.min(1, Math.max(0, 1.5 - sample / 8000));

function expectFaded(bytes, volume = factor) {
  const samples = new Float32Array(new Uint8Array(bytes).buffer);
  assert.equal(samples.length, 16000);
  samples.forEach((value, n) => assert.ok(Math.abs(value - 0.5 * volume(n)) < 1e-4, `${n}`));
}

async function read(output) {
  const reader = await asset.reader({ audioMix: true, ...output });
  const parts = [];
  for await (const sample of reader.outputs[0].samples({ delivery: 'inline' })) {
    parts.push(Buffer.from(sample.data));
  }
  await reader.close();
  return Buffer.concat(parts);
}

test('a reader has the volumes of a mix, or none', async () => {
  expectFaded(await read({ mix }));
  expectFaded(await read({ mix: null }), () => 1);
});

test('waveforms and exports have them too', async () => {
  const waveform = await asset.waveform({ count: 2, audioMix: mix });
  assert.ok(Math.abs(waveform.channels[0].min[0] - 0.5 * factor(7999)) < 1e-6);
  const output = path.join(folder(), 'faded.flac');
  await asset.export(output, { settings: {}, audioMix: mix });
  expectFaded(command('ffmpeg', '-v', 'error', '-i', output, '-f', 'f32le', '-'));
  assert.deepEqual((await engine.volumeRamp(mix, 1, 0)).to, 0);
});
