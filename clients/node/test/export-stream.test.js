// Exports as streams of bytes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'node:test';

import { clip, folder, longClip, probe, sharedEngine } from './support.js';

const engine = await sharedEngine(() => asset.close());
const asset = await engine.open(clip());
/** The folder of the files of which nothing is to stay. */
const place = folder();
const SETTINGS = { preset: 'LowQuality', directoryForTemporaryFiles: place };

/** Writes the bytes of a stream into a file. */
async function written(stream, name) {
  const file = path.join(folder(), name);
  await pipeline(stream, fs.createWriteStream(file));
  return file;
}

/** The names of codecs and the duration of a file. */
async function facts(file) {
  const { streams, format } = await probe(file, '-show_streams', '-show_format');
  return [streams.map(({ codec_name }) => codec_name).join(), Number(format.duration)];
}

test('it is the file that an export makes', async () => {
  const stream = await asset.exportStream(SETTINGS);
  assert.deepEqual(fs.readdirSync(place), []);
  const file = await written(stream, 'streamed.mp4');
  const same = path.join(folder(), 'same.mp4');
  await asset.export(same, { preset: 'LowQuality' });
  assert.ok(fs.readFileSync(file).equals(fs.readFileSync(same)));
  assert.equal(stream.result.fileSize, fs.statSync(file).size);
  assert.ok(!('path' in stream.result));
  assert.ok(stream.result.timeRange.duration.seconds > 3.9);
  assert.equal(stream.destroyed, true);
});

test('of other types, and of parts', async () => {
  for (const [outputFileType, preset, codecs] of [
    ['mkv', 'Passthrough', 'h264,aac'],
    ['mp3', 'MP3', 'mp3'],
    ['wav', 'WAV', 'pcm_s16le'],
  ]) {
    const timeRange = { start: 1, end: 2.5 };
    const options = { ...SETTINGS, preset, outputFileType, timeRange };
    const stream = await asset.exportStream(options);
    const [found, duration] = await facts(await written(stream, `part.${outputFileType}`));
    assert.equal(found, codecs);
    assert.ok(Math.abs(duration - 1.5) < 0.1, `${outputFileType}: ${duration}`);
  }
});

test('a server pipes it into its answer', async () => {
  const server = http.createServer(async (request, response) => {
    const stream = await asset.exportStream(SETTINGS);
    response.setHeader('Content-Length', Number(stream.result.fileSize));
    stream.pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const [response] = await once(http.get({ port: server.address().port }), 'response');
  const [codecs] = await facts(await written(response, 'got.mp4'));
  assert.equal(codecs, 'h264,aac');
  server.close();
});

test('it reads no further than whoever takes it', async () => {
  const stream = await asset.exportStream({ ...SETTINGS, highWaterMark: 1024 });
  const total = Number(stream.result.fileSize);
  assert.ok(total > 20_000);
  let goOn;
  const parts = [];
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      parts.push(chunk);
      if (goOn) done();
      else goOn = done;
    },
  });
  const end = pipeline(stream, slow);
  while (!goOn) await new Promise(setImmediate);
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  assert.equal(parts.length, 1);
  assert.ok(stream.bytesRead <= 4096, `${stream.bytesRead} of ${total}`);
  goOn();
  await end;
  assert.equal(Buffer.concat(parts).length, total);
});

test('aborted, the export ends and leaves nothing', async () => {
  const controller = new AbortController();
  const reason = new Error('by the caller');
  const onProgress = () => controller.abort(reason);
  const options = { ...SETTINGS, signal: controller.signal, onProgress, progressInterval: 0.01 };
  const long = await engine.open(longClip());
  await assert.rejects(long.exportStream({ ...options, preset: 'HighestQuality' }), reason);
  assert.deepEqual(fs.readdirSync(place), []);
  await long.close();
  await assert.rejects(asset.exportStream(options), reason);
  assert.deepEqual(fs.readdirSync(place), []);
});

test('aborted later, the stream ends', async () => {
  const controller = new AbortController();
  const stream = await asset.exportStream({ ...SETTINGS, signal: controller.signal });
  controller.abort();
  await assert.rejects(once(stream, 'end'), { name: 'AbortError' });
  const left = await asset.exportStream(SETTINGS);
  left.destroy();
  await once(left, 'close');
  assert.deepEqual(fs.readdirSync(place), []);
});

test('what fails is thrown before there is a stream', async () => {
  const wrong = [
    [{ preset: 'Nothing' }, { name: 'unsupportedOutputSettings' }],
    [{ timeRange: { start: 100, duration: 1 } }, Error],
    [{ replacesSource: true }, { name: 'TypeError', message: /replacesSource/ }],
    [{ resume: true }, { name: 'TypeError', message: /resume/ }],
    [{ highWaterMarks: 1 }, { name: 'TypeError', message: /highWaterMark/ }],
    [{ directoryForTemporaryFiles: path.join(place, 'nothing') }, { code: 'ENOENT' }],
  ];
  for (const [options, expected] of wrong) {
    await assert.rejects(asset.exportStream({ ...SETTINGS, ...options }), expected);
  }
  assert.deepEqual(fs.readdirSync(place), []);
});
