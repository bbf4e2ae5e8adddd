// Recorders of audio of the synthetic device on a manual clock, against the real engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import {
  DeviceWasDisconnectedError,
  FileAlreadyExistsError,
  NoDataCapturedError,
  OperationNotAllowedError,
} from '../src/index.js';
import { folder, sharedEngine } from './support.js';

const SYNTHETIC = { device: 'synthetic:1', clock: 'manual' };
const engine = await sharedEngine();

test('a recording is paused and stopped', async () => {
  const file = path.join(folder(), 'a.wav');
  const settings = { codec: 'pcm_s16le', sampleRate: 48000, channels: 1 };
  const recorder = await engine.audioRecorder(pathToFileURL(file), { ...SYNTHETIC, settings });
  assert.equal(recorder.path, file);
  assert.equal(await recorder.stop(), undefined);
  await recorder.record();
  await recorder.advanceClock(0.5);
  assert.equal((await recorder.state()).isRecording, true);
  await recorder.pause();
  await recorder.advanceClock(0.5);
  await recorder.record();
  assert.equal((await recorder.advanceClock('1/10')).seconds, 1.1);
  const [level] = (await recorder.meters()).channels;
  assert.ok(Math.abs(level.peakHoldLevel + 6.02) < 0.01);
  const { successfully, duration, error } = await recorder.stop();
  assert.deepEqual([successfully, duration.seconds, error], [true, 0.6, undefined]);
  assert.equal(fs.statSync(file).size > 28800 * 2, true);
  await assert.rejects(recorder.record(), FileAlreadyExistsError);
  await recorder.deleteRecording();
  assert.equal(fs.existsSync(file), false);
  await recorder.close();
});

test('a recording ends by itself', async () => {
  const file = path.join(folder(), 'a.flac');
  const recorder = await engine.audioRecorder(file, SYNTHETIC);
  await assert.rejects(recorder.untilFinished(), OperationNotAllowedError);
  await recorder.record({ atHostTime: 0.25, forDuration: 1.125 });
  const aborted = AbortSignal.abort(new Error('enough'));
  await assert.rejects(recorder.untilFinished({ signal: aborted }), /enough/);
  await recorder.advanceClock(3);
  assert.equal((await recorder.untilFinished()).duration.seconds, 1.125);
  await recorder.close();
});

test('an end is that of the device, or of the recorder', async () => {
  const file = path.join(folder(), 'a.wav');
  const deviceSettings = { unplugAt: 1 };
  const recorder = await engine.audioRecorder(file, { ...SYNTHETIC, deviceSettings });
  await recorder.record();
  await recorder.advanceClock(2);
  const { successfully, duration, error } = await recorder.untilFinished();
  assert.deepEqual([successfully, duration.seconds], [false, 1]);
  assert.ok(error instanceof DeviceWasDisconnectedError);
  await recorder.close();
  const other = await engine.audioRecorder(path.join(folder(), 'b.wav'), SYNTHETIC);
  await other.record();
  await assert.rejects(other.stop(), NoDataCapturedError);
  await other.record();
  await other.advanceClock(1);
  const finished = other.untilFinished();
  await other.close();
  assert.equal((await finished).duration.seconds, 1);
});
