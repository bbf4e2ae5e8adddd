// Files that are written of bytes, images and samples, as ffprobe and ffmpeg see them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'node:test';

import { FileAlreadyExistsError, MediaTime } from '../src/index.js';
import { clip, command, ffmpeg, folder, probe, sharedEngine } from './support.js';

const engine = await sharedEngine();
const WIDTH = 64;
const HEIGHT = 48;
const size = { width: WIDTH, height: HEIGHT };

const file = (name = 'film.mp4') => path.join(folder(), name);

const packets = (film, stream = 'v:0') =>
  probe(film, '-select_streams', stream, '-show_entries', 'packet=pts_time,dts_time,size').packets;
const times = (film, stream) =>
  packets(film, stream)
    .map(({ pts_time: time }) => Number(time))
    .sort((a, b) => a - b);
const pixels = (film) =>
  command(
    ...['ffmpeg', '-nostdin', '-v', 'error', '-i', film, '-f', 'rawvideo'],
    ...['-fps_mode', 'passthrough', '-pix_fmt', 'rgb24', '-'],
  );

/** The brightness of the picture of a number. */
const brightness = (number) => 16 + 8 * (number % 25);

/** A grey picture, of `components` bytes a pixel. */
function shade(number, components = 4) {
  const data = Buffer.alloc(WIDTH * HEIGHT * components, brightness(number));
  for (let at = 3; components === 4 && at < data.length; at += 4) data[at] = 255;
  return data;
}

function assertShades(film, count) {
  const found = pixels(film);
  const length = WIDTH * HEIGHT * 3;
  assert.equal(found.length, count * length);
  for (let number = 0; number < count; number += 1) {
    for (let at = number * length; at < (number + 1) * length; at += 1) {
      if (Math.abs(found[at] - brightness(number)) > 3) {
        assert.fail(`picture ${number} has ${found[at]}, not ${brightness(number)}`);
      }
    }
  }
}

/** Writes with a writer, and finishes it. */
async function written(film, inputs, body, options) {
  const writer = await engine.assetWriter(film, { inputs, ...options });
  try {
    await body(writer.inputs, writer);
    return await writer.finish();
  } finally {
    await writer.close();
  }
}

test('bytes become a film', async () => {
  const film = file();
  const result = await written(film, { video: { size, frameRate: 25 } }, async ({ video }) => {
    for (let number = 0; number < 20; number += 1) await video.append(shade(number));
  });
  assert.equal(result.path, film);
  assert.equal(result.fileSize, fs.statSync(film).size);
  assert.equal(result.duration.seconds, 0.8);
  assert.deepEqual(times(film), Array.from({ length: 20 }, (_, number) => number / 25));
  assertShades(film, 20);
});

test('times are those of the caller', async () => {
  const film = file();
  const given = [100, '3003/30', 100.5, [1006, 10], 102];
  await written(
    film,
    { video: { size, pixelFormat: 'rgb24' } },
    ({ video }) => video.extend(given.map((_, number) => shade(number, 3)), { times: given }),
    { sessionStart: 100 },
  );
  const expected = given.map((time) => MediaTime.of(time).seconds - 100);
  for (const [index, time] of times(film).entries()) {
    assert.ok(Math.abs(time - expected[index]) < 1e-4);
  }
  assertShades(film, 5);
});

test('what canvases and sharp give, planes, and image files', async () => {
  const still = file('still.png');
  const gray = (number) => `color=0x${brightness(number).toString(16).repeat(3)}:size=64x48`;
  ffmpeg('-f', 'lavfi', '-i', gray(2), '-frames:v', 1, still);
  const film = file();
  const data = new Uint8ClampedArray(shade(0));
  await written(film, { video: { size, frameRate: 25 } }, async ({ video }) => {
    await video.append({ data, width: WIDTH, height: HEIGHT });
    await video.append({ data: shade(1), info: { ...size, channels: 4 } });
    await video.append(still);
    for (const wrong of [shade(0, 3), { data, width: 1, height: 1 }]) {
      await assert.rejects(video.append(wrong), RangeError);
    }
    await assert.rejects(video.append(7), TypeError);
    await video.append(shade(3).buffer);
  });
  assertShades(film, 4);
  const planar = file();
  const video = { size, pixelFormat: 'gbrp', frameRate: 25 };
  await written(planar, { video }, ({ video }) =>
    video.extend([0, 1, 2].map((number) => shade(number, 3))),
  );
  assertShades(planar, 3);
});

test('a stream of bytes is cut into pictures', async () => {
  const all = Buffer.concat(Array.from({ length: 10 }, (_, number) => shade(number)));
  const pieces = [];
  for (let at = 0; at < all.length; at += 5000) pieces.push(all.subarray(at, at + 5000));
  const film = file();
  await written(film, { video: { size, frameRate: 25 } }, ({ video }) =>
    pipeline(Readable.from(pieces), video.writable()),
  );
  assertShades(film, 10);
  const objects = file();
  const frames = async function* () {
    for (let number = 0; number < 5; number += 1) yield shade(number);
  };
  await written(objects, { video: { size, frameRate: 25 } }, ({ video }) =>
    pipeline(frames, video.writable({ objectMode: true })),
  );
  assertShades(objects, 5);
  const cut = written(file(), { video: { size, frameRate: 25 } }, ({ video }) =>
    pipeline(Readable.from([all.subarray(0, 20_000)]), video.writable()),
  );
  await assert.rejects(cut, /no whole sample/);
});

test('pcm', async () => {
  const wave = Float32Array.from({ length: 30_000 }, (_, index) => Math.sin(index / 20) / 2);
  const quiet = wave.map((each) => each / 2);
  const read = (film, format, channels) => {
    const bytes = command('ffmpeg', '-v', 'error', '-i', film, '-f', format, '-ac', channels, '-');
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };
  const planes = file('a.mov');
  const audio = { sampleRate: 44100, settings: { codec: 'pcm_f32le' } };
  await written(planes, { audio }, async ({ audio }) => {
    for (let at = 0; at < wave.length; at += 7000) {
      await audio.append([wave, quiet].map((plane) => plane.subarray(at, at + 7000)));
    }
  });
  const found = read(planes, 'f32le', 2);
  assert.equal(found.length, 2 * wave.length);
  assert.ok(wave.every((each, index) => found[2 * index] === each));
  assert.ok(quiet.every((each, index) => found[2 * index + 1] === each));
  const streamed = file('b.mov');
  const input = { ...audio, channels: 1, sampleFormat: 'f32' };
  await written(streamed, { audio: input }, ({ audio }) =>
    pipeline(Readable.from([Buffer.from(wave.buffer)]), audio.writable()),
  );
  assert.deepEqual(read(streamed, 'f32le', 1), wave);
});

test('audio beside video, and text', async () => {
  const film = file();
  const inputs = {
    video: { size, frameRate: 25 },
    audio: { sampleRate: 48000 },
    subtitle: { extendedLanguageTag: 'de' },
  };
  await written(film, inputs, async ({ video, audio, subtitle }) => {
    await subtitle.append('Guten Tag', { time: 0.2, duration: 0.3 });
    await subtitle.finish();
    for (let number = 0; number < 25; number += 1) {
      await Promise.all([video.append(shade(number)), audio.append(new Float32Array(1920))]);
    }
  });
  const { streams } = probe(film, '-show_streams');
  assert.deepEqual(
    streams.map(({ codec_name: name }) => name),
    ['h264', 'aac', 'mov_text'],
  );
  const text = command('ffmpeg', '-v', 'error', '-i', film, '-map', '0:s', '-f', 'srt', '-');
  assert.match(String(text), /00:00:00,200 --> 00:00:00,500\nGuten Tag/);
});

test('samples of a reader are copied, by a transfer or one by one', async () => {
  const theirs = file('theirs.mp4');
  ffmpeg('-i', clip(), '-map', '0:v', '-map', '0:a', '-c', 'copy', theirs);
  const asset = await engine.open(clip());
  for (const way of ['transfer', 'extend']) {
    const film = file();
    const reader = await asset.reader(['video', 'audio']);
    const [video, audio] = reader.outputs;
    const inputs = { video: { source: video }, audio: { source: audio } };
    await written(film, inputs, async (to, writer) => {
      if (way === 'extend') {
        await Promise.all([
          to.video.extend(video).then(() => to.video.finish()),
          to.audio.extend(audio).then(() => to.audio.finish()),
        ]);
        return;
      }
      const seen = [];
      const moved = await writer.transfer(
        [
          { output: video, input: to.video },
          { output: audio, input: to.audio },
        ],
        { onProgress: (time) => seen.push(time.seconds), progressInterval: 0.001 },
      );
      assert.deepEqual(
        moved.map(({ input, endOfStream }) => [input.name, endOfStream]),
        [
          ['video', true],
          ['audio', true],
        ],
      );
      assert.deepEqual(seen, seen.toSorted?.((a, b) => a - b) ?? seen);
    });
    await reader.close();
    for (const stream of ['v:0', 'a:0']) {
      assert.deepEqual(packets(film, stream), packets(theirs, stream), `${way} ${stream}`);
    }
  }
  await asset.close();
});

test('what fails leaves nothing', async () => {
  const film = file();
  fs.writeFileSync(film, 'mine');
  const inputs = { video: { size, frameRate: 25 } };
  await assert.rejects(engine.assetWriter(film, { inputs }), FileAlreadyExistsError);
  assert.equal(fs.readFileSync(film, 'utf8'), 'mine');
  const left = file();
  const broken = written(left, inputs, async ({ video }) => {
    await video.append(shade(0));
    throw new Error('no');
  });
  await assert.rejects(broken, /^Error: no$/);
  assert.deepEqual(fs.readdirSync(path.dirname(left)), []);
});

test('what starves is named', async () => {
  const large = { width: 320, height: 240 };
  const inputs = { video: { size: large, frameRate: 25 }, audio: {} };
  const picture = Buffer.alloc(320 * 240 * 4, 255);
  const starved = written(
    file(),
    inputs,
    async ({ video }) => {
      for (let number = 0; number < 400; number += 1) await video.append(picture);
    },
    { timeoutMs: 2000 },
  );
  await assert.rejects(starved, { name: 'TimeoutError', waitsFor: 'audio' });
});

test('a video in one call', async () => {
  const film = file();
  const seen = [];
  const frames = Array.from({ length: 10 }, (_, number) => shade(number));
  const { duration } = await engine.writeVideo(film, frames, {
    ...{ size, frameRate: 25, metadata: { title: 'Shades' } },
    onProgress: (number, count) => seen.push(number / count),
  });
  assert.equal(duration.seconds, 0.4);
  assert.equal(seen.at(-1), 1);
  assertShades(film, 10);
  assert.equal(probe(film, '-show_format').format.tags.title, 'Shades');
  await assert.rejects(engine.writeVideo(file(), frames, { frameRate: 0, size }), RangeError);
});

test('an input is tried before', async () => {
  assert.deepEqual(await engine.canAddInput('mp4', { mediaType: 'video', size }), []);
  assert.notDeepEqual(await engine.canAddInput('wav', { mediaType: 'video' }), []);
});

test('segments are delivered one after the other', async (t) => {
  const place = folder();
  const names = [];
  const segments = {
    interval: 1,
    async onSegment({ segmentType, index, tracks, data }) {
      names.push(segmentType === 'initialization' ? 'initialization' : index);
      assert.equal(tracks.length, index === undefined ? 0 : 1);
      await fs.promises.appendFile(path.join(place, 'all.mp4'), data);
    },
  };
  const frames = Array.from({ length: 75 }, (_, number) => shade(number));
  const inputs = { video: { size, frameRate: 25 } };
  try {
    await written(undefined, inputs, ({ video }) => video.extend(frames), { segments });
  } catch (error) {
    if (error.name !== 'formatUnsupported') throw error;
    return t.skip(error.message);
  }
  assert.deepEqual(names, ['initialization', 0, 1, 2]);
  assertShades(path.join(place, 'all.mp4'), 75);
});

test('the example runs', () => {
  const film = file();
  const script = path.join(import.meta.dirname, '../examples/canvas.js');
  command(process.execPath, script, film, '0.5');
  assert.equal(times(film).length, 15);
  const { streams } = probe(film, '-show_entries', 'stream=width,height');
  assert.deepEqual([streams[0].width, streams[0].height], [1920, 1080]);
});
