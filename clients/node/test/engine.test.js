// The engine itself, and the whole way through it, against the real one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';

import {
  EngineDiedError,
  findBinary,
  InvalidParamsError,
  MediaTime,
  NoImageAtTimeError,
} from '../src/index.js';
import {
  clip,
  collect,
  folder,
  FRAME,
  frames,
  lateClip,
  longClip,
  probe,
  run,
  runs,
  sharedEngine,
  SOURCE,
  withEngine,
} from './support.js';
import { eventually } from './waiting.cjs';

const engine = await sharedEngine();
const seconds = (file) => Number(probe(file, '-show_format').format.duration);
const frameTime = (index) => new MediaTime(...FRAME).multiply(index);

test('the job in ten lines', async () => {
  const place = folder();
  const asset = await engine.open(clip());
  const { duration, tracks, naturalSize } = await asset.load('duration', 'tracks', 'naturalSize');
  assert.ok(Math.abs(duration.seconds - seconds(clip())) < 0.1);
  assert.deepEqual(tracks.map(({ mediaType }) => mediaType), ['video', 'audio']);
  assert.deepEqual(naturalSize, { width: 322, height: 180 });
  await (await asset.image(1.5)).save(path.join(place, 'frame.jpg'));
  const pattern = path.join(place, 'thumb-%03d.jpg');
  const thumbs = await collect(asset.images([0, 1, 2], { path: pattern }));
  const result = await asset.export(path.join(place, 'part.mp4'), {
    preset: 'MediumQuality',
    timeRange: { start: 1, duration: 2 },
  });
  const reader = await asset.reader('video');
  assert.equal((await collect(reader.outputs[0])).length, 120);
  await reader.close();
  await asset.close();
  assert.deepEqual(thumbs.map(({ error }) => error), [undefined, undefined, undefined]);
  assert.deepEqual(fs.readdirSync(place).sort(), [
    ...['frame.jpg', 'part.mp4', 'thumb-000.jpg', 'thumb-001.jpg', 'thumb-002.jpg'],
  ]);
  for (const { index, path: file } of thumbs) {
    assert.equal(file, path.join(place, `thumb-00${index}.jpg`));
  }
  assert.ok(Math.abs(seconds(result.path) - 2) < 0.1);
  assert.equal(result.fileSize, fs.statSync(result.path).size);
});

test('the first frame needs no time, and zero is the beginning', async () => {
  const place = folder();
  const [first] = frames();
  const asset = await engine.open(lateClip());
  const generator = await asset.imageGenerator({ tolerance: 0 });
  const image = await generator.image(undefined, { format: 'yuv420p' });
  assert.ok(image.packed().equals(first));
  assert.ok(image.actualTime.equals('1/2') && image.requestedTime.equals('1/2') && image.isExact);
  await assert.rejects(generator.image(0), NoImageAtTimeError);
  assert.ok((await asset.image(undefined, { format: 'yuv420p' })).packed().equals(first));
  for (const time of [0, '0', new MediaTime(0, 600)]) {
    const beginning = await asset.image(time, { format: 'yuv420p' });
    assert.ok(beginning.packed().equals(first));
    assert.ok(beginning.requestedTime.equals(0) && beginning.actualTime.equals('1/2'));
    assert.equal(beginning.isExact, false);
  }
  await assert.rejects(asset.image(0.25), NoImageAtTimeError);
  const options = { path: path.join(place, '100%%-%02d.png') };
  const several = await collect(asset.images([1, 0, 0.25], options));
  several.sort((left, right) => left.index - right.index);
  assert.deepEqual(several.map(({ error }) => error?.name), [
    ...[undefined, undefined, 'noImageAtTime'],
  ]);
  assert.equal(several[1].sampleIndex, 0);
  assert.deepEqual(fs.readdirSync(place).sort(), ['100%-00.png', '100%-01.png']);
  await generator.close();
  await asset.close();
});

test('the name of a file says the format of the image in it', async () => {
  const place = folder();
  const asset = await engine.open(clip());
  const starts = { png: '\x89PNG', webp: 'RIFF', bmp: 'BM', jpeg: '\xff\xd8' };
  for (const [name, format] of [['a.png', 'png'], ['a.WebP', 'webp'], ['a.bmp', 'bmp'], ['a', 'jpeg']]) {
    const file = (number) => path.join(place, `${number}-${format}-${name}`);
    const [several] = await collect(asset.images([1], { path: file(2) }));
    const sheet = await asset.contactSheet({ count: 1, path: file(3) });
    for (const image of [await asset.image(1, { path: file(1) }), several, sheet]) {
      assert.equal(image.format, format);
      assert.ok(fs.readFileSync(image.path, 'latin1').startsWith(starts[format]));
    }
  }
  const count = fs.readdirSync(place).length;
  for (const [name, format] of [['b.png', 'jpeg'], ['b.png', 'rgb24'], ['b.gif', undefined]]) {
    const options = { format, path: path.join(place, name) };
    await assert.rejects(asset.image(1, options), InvalidParamsError);
  }
  // A saved picture's format is checked, too.
  const image = await asset.image(1);
  await assert.rejects(image.save(path.join(place, 'b.png')), TypeError);
  const pixels = await asset.image(1, { format: 'rgb24' });
  await assert.rejects(pixels.save(path.join(place, 'b.png')), TypeError);
  assert.equal(fs.readdirSync(place).length, count);
  await image.save(path.join(place, 'b.jpg'));
  await pixels.save(path.join(place, 'b.rgb'));
  await asset.close();
});

test('file URLs may be relative', async () => {
  const place = fs.mkdtempSync('relative ');
  try {
    const asset = await engine.open(`file:${path.relative('.', clip())}`);
    await asset.image(1, { path: `file:${encodeURIComponent(place)}/one.png` });
    await asset.close();
    assert.deepEqual(fs.readdirSync(place), ['one.png']);
  } finally {
    fs.rmSync(place, { recursive: true });
  }
});

test('images are the frames', async () => {
  const right = frames();
  const asset = await engine.open(new URL(`file://${clip()}`));
  const wanted = [100, 3, 50, 3];
  const options = { format: 'yuv420p' };
  const seen = [];
  for await (const image of asset.images(wanted.map(frameTime), options)) {
    assert.ok(image.packed().equals(right[wanted[image.index]]), `image ${image.index}`);
    assert.ok(image.isExact && image.actualTime.equals(image.requestedTime));
    seen.push(image.index);
  }
  assert.deepEqual(seen.sort(), [0, 1, 2, 3]);
  await asset.close();
});

test('a file that is cut short warns of the frames it lacks', async () => {
  const place = folder();
  const file = path.join(place, 'cut.mp4');
  const copy = ['-i', clip(), '-c', 'copy', '-movflags', 'faststart', file];
  execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', ...copy]);
  fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2));
  const asset = await engine.open(file);
  try {
    const warned = new Promise((resolve) => process.once('warning', resolve));
    let count = 0;
    for await (const frame of asset.frames({ pixelFormat: 'gray' })) {
      count += frame.planes.length;
    }
    assert.ok(count > 0 && count < frames().length);
    assert.match((await warned).message, /^cut\.mp4: .*cut short/);
    for await (const image of asset.images({ samples: [0, 119] }, { format: 'gray' })) {
      assert.equal(image.index === 1, /cut short/.test(image.error?.message ?? ''));
    }
  } finally {
    await asset.close();
    fs.rmSync(place, { recursive: true });
  }
});

test('images of frames by their numbers', async () => {
  const right = frames();
  const asset = await engine.open(clip());
  const wanted = [100, 3, 1e6, 3];
  const seen = [];
  for await (const image of asset.images({ samples: wanted }, { format: 'yuv420p' })) {
    seen.push(image.index);
    if (image.index === 2) {
      assert.ok(image.error instanceof NoImageAtTimeError && image.requestedTime === undefined);
      assert.match(image.error.hint, /numbered from 0 to/);
      assert.match(inspect(image), /number 2/);
      continue;
    }
    assert.ok(image.packed().equals(right[wanted[image.index]]), `image ${image.index}`);
    assert.ok(image.isExact && image.sampleIndex === wanted[image.index]);
    assert.ok(image.requestedTime.equals(frameTime(image.sampleIndex)));
  }
  assert.deepEqual(seen.sort(), [0, 1, 2, 3]);
  const picks = [9, 0, 7, 7];
  for (const options of [{}, { delivery: 'shm', ordered: true }]) {
    let place = 0;
    for await (const image of asset.images({ samples: picks }, options)) {
      assert.deepEqual([image.index, image.sampleIndex], [place, picks[place]]);
      place += 1;
    }
    assert.equal(place, picks.length);
  }
  assert.deepEqual(await collect(asset.images({ samples: [] })), []);
  await assert.rejects(collect(asset.images({ sample: [1] })), TypeError);
  await asset.close();
});

test('windows of audio add up, silent before the first sample', async () => {
  const late = path.join(folder(), 'late.mov');
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=1'];
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-itsoffset', '1', ...tone, '-c:a', 'pcm_s16le', late]);
  const asset = await engine.open(late);
  const windows = [];
  for (const start of [0, '0.5', 1, '1.5']) {
    windows.push((await asset.audio({ timeRange: { start, duration: '0.5' } }))[0]);
  }
  assert.deepEqual(windows.slice(0, 3).map(({ length }) => length), [22050, 22050, 22050]);
  assert.ok(windows.slice(0, 2).every((samples) => samples.every((value) => value === 0)));
  assert.ok(windows[2].some((value) => value !== 0));
  await asset.close();
});

test('audio is an array for each channel', async () => {
  const asset = await engine.open(clip());
  const [whisper] = await asset.audio({ sampleRate: 16000, channels: 1 });
  const arguments_ = ['-map', '0:a:0', '-ar', '16000', '-ac', '1', '-f', 'f32le', '-'];
  const raw = execFileSync('ffmpeg', ['-loglevel', 'error', '-i', clip(), ...arguments_], {
    maxBuffer: 64 << 20,
  });
  const whole = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  // Four seconds: the samples that ffmpeg has after them are the padding of the encoder.
  const right = whole.subarray(0, 64000);
  assert.equal(whisper.length, right.length);
  assert.ok(whisper.every((value, index) => Math.abs(value - right[index]) < 1e-6));
  const timeRange = { start: 1, duration: '0.5' };
  const part = await asset.audio({ sampleRate: 48000, channels: 2, timeRange });
  assert.deepEqual(part.map(({ length }) => length), [24000, 24000]);
  const behind = { start: 1000, duration: 1 };
  assert.deepEqual(await asset.audio({ timeRange: behind }), [new Float32Array(0)]);
  await asset.close();
});

test('what is no file', async () => {
  const asset = await engine.open('/no/such/file.mp4');
  await assert.rejects(asset.load('duration'), (error) => {
    assert.deepEqual([error.name, error.systemCode], ['contentIsUnavailable', 'ENOENT']);
    return error.message.includes('/no/such/file.mp4') && error.hint !== '';
  });
  const { duration } = await asset.status('duration');
  assert.equal(duration.status, 'failed');
  assert.equal(duration.error.code, -11863);
  await asset.close();
});

test('an existing file is not touched', async () => {
  const file = path.join(folder(), 'out.mp4');
  fs.writeFileSync(file, 'mine');
  const asset = await engine.open(clip());
  await assert.rejects(asset.export(file, { preset: 'Passthrough' }), {
    name: 'fileAlreadyExists',
    code: -11823,
    systemCode: 'EEXIST',
  });
  assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
  await asset.close();
});

test('an export that is looked at before', async () => {
  const asset = await engine.open(clip());
  const session = await asset.exportSession(path.join(folder(), 'out.mov'), {
    preset: 'Passthrough',
    timeRange: { start: 1, end: 2 },
  });
  assert.equal(session.outputFileType, 'mov');
  const { tracks, timeRange } = await session.preflight();
  assert.equal(tracks.length, 2);
  assert.ok(timeRange.equals({ start: 1, duration: 1 }));
  const { duration, fileLength } = await session.estimate();
  assert.ok(duration.equals(1) && fileLength > 0);
  assert.equal((await session.status()).status, 'unknown');
  const { path: file } = await session.export();
  assert.equal((await session.status()).status, 'completed');
  assert.ok(fs.existsSync(file));
  await session.close();
  assert.ok((await asset.compatiblePresets()).includes('MediumQuality'));
  assert.ok((await asset.compatibleFileTypes('Passthrough')).includes('mp4'));
  const reasons = await asset.incompatibleFileTypes('Passthrough');
  assert.ok(Object.values(reasons).every((reason) => typeof reason === 'string'));
  assert.equal(typeof (await asset.incompatiblePresets()), 'object');
  await asset.close();
});

test('an export that is aborted leaves no file', async () => {
  const place = folder();
  const asset = await engine.open(longClip());
  const controller = new AbortController();
  const job = asset.export(path.join(place, 'out.mp4'), {
    progressInterval: 0.01,
    signal: controller.signal,
  });
  const loop = async () => {
    for await (const progress of job) {
      assert.ok(progress < 1);
      controller.abort();
    }
  };
  await assert.rejects(loop(), { name: 'AbortError' });
  assert.deepEqual(fs.readdirSync(place), []);
  await asset.close();
});

test('aborted requests are answered at once, and the engine goes on', async () => {
  const asset = await engine.open(longClip());
  const generator = await asset.imageGenerator({ tolerance: 0 });
  const controller = new AbortController();
  const { signal } = controller;
  // Backwards: each is decoded from a key picture on.
  const ended = Promise.allSettled(
    Array.from({ length: 100 }, (_, index) => generator.image(55 - index / 2, { signal })),
  );
  await engine.stats();
  controller.abort();
  // The first may have come before.
  const states = (await ended).map(({ status }) => status);
  const first = states.indexOf('rejected');
  assert.ok(first >= 0 && states.slice(first).every((state) => state === 'rejected'));
  assert.equal((await generator.image(1)).width, 640);
  await generator.close();
  await asset.close();
});

test('a killed engine rejects everything', () =>
  withEngine(async (other) => {
    const asset = await other.open(longClip());
    const waiting = [];
    await new Promise((resolve) => {
      const options = { progressInterval: 0.01, onProgress: resolve };
      waiting.push(asset.export(path.join(folder(), 'out.mp4'), options));
    });
    waiting.push(...Array.from({ length: 5 }, (_, index) => asset.image(50 + index)));
    process.kill(other.pid, 'SIGKILL');
    for (const { reason } of await Promise.allSettled(waiting)) {
      assert.ok(reason instanceof EngineDiedError, String(reason));
      assert.equal(reason.signal, 'SIGKILL');
    }
  }));

test('a thousand pipelined requests', async () => {
  const answers = await Promise.all(Array.from({ length: 1000 }, () => engine.stats()));
  assert.ok(answers.every(({ operations }) => operations === 0));
});

test('what the engine has', async () => {
  const { fileTypes, imageFormats } = await engine.capabilities();
  const types = fileTypes.map(({ type }) => type);
  assert.ok(['mp4', 'mov', 'mkv'].every((type) => types.includes(type)));
  assert.ok(imageFormats.includes('jpeg'));
  assert.ok((await engine.presets()).includes('MediumQuality'));
  const { methods } = await engine.discover();
  assert.ok(methods.some(({ name }) => name === 'asset/open'));
  await assert.rejects(engine.request('asset/opne'), { name: 'methodNotFound', code: -32601 });
  const asset = await engine.open(clip());
  const [{ kind, describes }] = await engine.handles();
  assert.deepEqual([kind, describes.includes(clip())], ['asset', true]);
  await asset.close();
});

const program = (body) => `
  import { Engine } from ${JSON.stringify(SOURCE)};
  const engine = await Engine.launch({ binary: ${JSON.stringify(findBinary())} });
  console.log(engine.pid);
  const asset = await engine.open(${JSON.stringify(longClip())});
  ${body}`;

test('a program ends with its work, and the engine with it', async () => {
  const { code, stdout, stderr } = await run(
    program(`await asset.load('duration');
      asset.image(50).then(({ width }) => console.log(width));`),
  );
  const [pid, width] = stdout.split('\n');
  assert.deepEqual([code, stderr, width], [0, '', '640']);
  await eventually('the engine goes on', () => !runs(Number(pid)));
});

for (const signal of ['SIGINT', 'SIGKILL']) {
  test(`${signal} of a program at work leaves neither engine nor file`, async () => {
    const place = folder();
    const file = JSON.stringify(path.join(place, 'out.mp4'));
    const { signal: ending, stdout } = await run(
      program(`for await (const part of asset.export(${file}, { progressInterval: 0.01 })) {
        console.log(part);
      }`),
      {
        onOutput: (child, output) => {
          if (output.split('\n').length > 2) child.kill(signal);
        },
      },
    );
    assert.equal(ending, signal);
    await eventually('the engine goes on', () => !runs(Number.parseInt(stdout, 10)));
    assert.deepEqual(fs.readdirSync(place), []);
  });
}
