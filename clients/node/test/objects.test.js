// Objects and their bytes, against an engine that plays a script.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import {
  FileAlreadyExistsError,
  FileFailedToParseError,
  HandleClosedError,
  MediaTime,
  NoImageAtTimeError,
  Track,
  ValueNotLoadedError,
} from '../src/index.js';
import { collect, withFake } from './support.js';
import { eventually } from './waiting.cjs';

const GENERATE = 'imageGenerator/generateImages';
const EXPORT = 'exportSession/export';
const NEXT = 'assetReader/nextSampleBuffers';

const started = (number, ...actions) => [
  { result: { operation: `operation:${number}` } },
  ...actions,
];
const time = (value) => ({ value, timescale: 1 });
const image = (number, index, text) => ({
  notify: [
    'imageGenerator/didGenerateImage',
    {
      operation: `operation:${number}`,
      index,
      requestedTime: time(index),
      result: 'succeeded',
      actualTime: time(index),
      image: { width: 4, height: 1, format: 'gray', blob: { $shm: text } },
    },
  ],
});
const failed = (number, index) => ({
  notify: [
    'imageGenerator/didGenerateImage',
    {
      operation: `operation:${number}`,
      index,
      requestedTime: time(index),
      result: 'failed',
      error: { code: -11832, message: 'no image', data: { name: 'noImageAtTime' } },
    },
  ],
});
const imagesEnd = (number) => ({
  notify: ['imageGenerator/didFinish', { operation: `operation:${number}`, succeeded: 1 }],
});

test('images come as they are ready, and their leases go', async () => {
  const script = {
    [GENERATE]: [
      started(5, image(5, 2, 'cccc'), failed(5, 1), image(5, 0, 'aaaa'), imagesEnd(5)),
    ],
  };
  const played = await withFake(script, async (engine) => {
    const asset = await engine.open('a.mp4');
    const generator = await asset.imageGenerator({ tolerance: 0 });
    const seen = [];
    for await (const each of generator.images([0, '1.0', 2], { format: 'gray' })) {
      seen.push([each.index, each.error ? each.error.name : String(each.data)]);
      if (each.error) assert.throws(() => each.data, NoImageAtTimeError);
    }
    assert.deepEqual(seen, [
      [2, 'cccc'],
      [1, 'noImageAtTime'],
      [0, 'aaaa'],
    ]);
    assert.equal((await engine.stats()).leases, 0);
  });
  const [created] = played.messages('imageGenerator/create');
  assert.deepEqual(created.params.requestedTimeToleranceBefore, time(0));
  assert.deepEqual(created.params.requestedTimeToleranceAfter, time(0));
  const [generate] = played.messages(GENERATE);
  assert.deepEqual(generate.params.times, [0, 1, 2].map(time));
  assert.equal(generate.params.delivery, 'shm');
});

test('leaving the loop cancels the rest', async () => {
  const script = {
    [GENERATE]: [started(5, image(5, 0, 'aaaa'), image(5, 1, 'bbbb'))],
    'handle/close': [[{ result: {} }, image(5, 2, 'cc'), imagesEnd(5)], [{ result: {} }]],
  };
  const played = await withFake(script, async (engine) => {
    const generator = await (await engine.open('a.mp4')).imageGenerator();
    for await (const each of generator.images([0, 1, 2], { format: 'gray' })) {
      assert.equal(String(each.data), 'aaaa');
      break;
    }
    assert.equal((await engine.stats()).leases, 0);
  });
  assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'operation:5' });
});

test('aborting a series cancels it and throws the reason', async () => {
  const script = {
    [GENERATE]: [started(5, image(5, 0, 'aaaa'))],
    'handle/close': [[{ result: {} }, imagesEnd(5)], [{ result: {} }]],
  };
  const played = await withFake(script, async (engine) => {
    const generator = await (await engine.open('a.mp4')).imageGenerator();
    const controller = new AbortController();
    const { signal } = controller;
    const loop = async () => {
      for await (const each of generator.images([0, 1], { signal })) {
        assert.equal(each.index, 0);
        setImmediate(() => controller.abort(new Error('enough')));
      }
    };
    await assert.rejects(loop(), { message: 'enough' });
    await assert.rejects(collect(generator.images([0], { signal })), { message: 'enough' });
  });
  assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'operation:5' });
});

test('no times are no request', async () => {
  const played = await withFake({}, async (engine) => {
    const generator = await (await engine.open('a.mp4')).imageGenerator();
    assert.deepEqual(await collect(generator.images([])), []);
  });
  assert.deepEqual(played.messages(GENERATE), []);
});

const progress = (number, progress) => ({
  notify: ['exportSession/didProgress', { operation: `operation:${number}`, progress }],
});
const exportEnd = (number, status, more) => ({
  notify: ['exportSession/didFinish', { operation: `operation:${number}`, status, ...more }],
});

test('an export is a promise, and a loop over its progress', async () => {
  const end = exportEnd(7, 'completed', {
    outputURL: '/out.mp4',
    fileSize: 12,
    timeRange: { start: time(1), duration: time(2) },
  });
  const turn = started(7, progress(7, 0.25), progress(7, 1), end);
  const played = await withFake({ [EXPORT]: [turn] }, async (engine) => {
    const asset = await engine.open('a.mp4');
    const called = [];
    const job = asset.export('out.mp4', {
      preset: 'MediumQuality',
      timeRange: { start: 1, end: '3.0' },
      trimMode: 'keyframe',
      joins: { audio: 'copy' },
      onProgress: (part) => called.push(part),
    });
    const looped = await collect(job);
    const result = await job;
    assert.deepEqual(called, [0.25, 1]);
    assert.equal(looped.at(-1), 1);
    assert.equal(job.progress, 1);
    assert.deepEqual([result.path, result.fileSize, result.dropped], ['/out.mp4', 12, []]);
    assert.ok(result.timeRange.equals({ start: 1, duration: 2 }));
    const settings = { video: null, audio: { sampleRate: 16000 } };
    assert.equal(await asset.export('o.mp4', { settings }).then(({ path }) => path), '/out.mp4');
    assert.deepEqual((await asset.export('o.m4a', { loudness: -16 })).loudness, []);
    await asset.export('o.mp4', { settings, loudness: { integratedLoudness: -23, truePeak: -2 } });
    const left = { settings: { audio: null }, loudness: -16 };
    await assert.rejects(async () => asset.export('o.mp4', left), /leave out/);
  });
  const [{ params }, { params: other }, { params: loud }, { params: both }] =
    played.messages('exportSession/create');
  const target = (integratedLoudness, more) => ({ loudness: { integratedLoudness, ...more } });
  assert.equal(loud.preset, 'HighestQuality');
  assert.deepEqual(loud.settings, { audio: target(-16) });
  assert.deepEqual(both.settings.audio, { sampleRate: 16000, ...target(-23, { truePeak: -2 }) });
  assert.equal(other.preset, undefined);
  assert.deepEqual(other.settings, { video: null, audio: { sampleRate: 16000 } });
  assert.deepEqual([params.preset, params.trimMode], ['MediumQuality', 'keyframe']);
  assert.deepEqual(params.joins, { audio: 'copy' });
  assert.deepEqual(params.timeRange.duration, time(2));
  assert.equal(params.outputURL, `${process.cwd()}/out.mp4`);
});

test('an export that ends badly throws, also in its loop', () =>
  withFake(
    {
      [EXPORT]: [
        started(7, exportEnd(7, 'failed', { error: { code: -11823, message: 'exists' } })),
        started(7, exportEnd(7, 'failed', { error: { code: -11823, message: 'exists' } })),
        started(7, exportEnd(7, 'cancelled')),
      ],
    },
    async (engine) => {
      const asset = await engine.open('a.mp4');
      await assert.rejects(asset.export('/out.mp4'), FileAlreadyExistsError);
      await assert.rejects(collect(asset.export('/out.mp4')), FileAlreadyExistsError);
      await assert.rejects(asset.export('/out.mp4'), { name: 'operationCancelled', code: -11878 });
    },
  ));

const cancellable = {
  [EXPORT]: [started(7, progress(7, 0.1))],
  'handle/close': [[{ result: {} }, exportEnd(7, 'cancelled')], [{ result: {} }]],
};

for (const [how, stop, expected] of [
  ['cancel()', ({ job }) => job.cancel(), { name: 'operationCancelled' }],
  ['its signal', ({ controller }) => controller.abort(), { name: 'AbortError' }],
]) {
  test(`an export is cancelled by ${how}`, async () => {
    const played = await withFake(cancellable, async (engine) => {
      const asset = await engine.open('a.mp4');
      const controller = new AbortController();
      const job = asset.export('/out.mp4', { signal: controller.signal });
      const loop = async () => {
        for await (const part of job) {
          assert.equal(part, 0.1);
          stop({ job, controller });
        }
      };
      await assert.rejects(loop(), expected);
      await assert.rejects(job, expected);
    });
    assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'operation:7' });
  });
}

test('a callback that throws cancels the export', async () => {
  const played = await withFake(cancellable, async (engine) => {
    const asset = await engine.open('a.mp4');
    const onProgress = () => {
      throw new Error('stop');
    };
    await assert.rejects(asset.export('/out.mp4', { onProgress }), { message: 'stop' });
  });
  assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'operation:7' });
});

test('keys are loaded together and fail for themselves', async () => {
  const values = {
    duration: { status: 'loaded', value: { value: 5, timescale: 2 } },
    lyrics: { status: 'loaded' },
    tracks: {
      status: 'loaded',
      value: [{ trackID: 1, mediaType: 'video', mediaCharacteristics: [], isEnabled: true }],
    },
    metadata: { status: 'failed', error: { code: -11829, message: 'broken' } },
  };
  const rate = { nominalFrameRate: { status: 'loaded', value: 25 } };
  const script = {
    'asset/loadValues': [[{ result: { operation: 'operation:1', values } }]],
    'track/loadValues': [[{ result: { values: rate } }]],
  };
  const played = await withFake(script, async (engine) => {
    const asset = await engine.open('a.mp4');
    assert.throws(() => asset.duration, (error) => {
      assert.ok(error instanceof ValueNotLoadedError);
      assert.equal(error.code, 1003);
      return /load\('duration'\)/.test(error.message);
    });
    const loaded = await asset.load('duration', 'tracks', 'lyrics');
    assert.deepEqual(Object.keys(loaded), ['duration', 'tracks', 'lyrics']);
    assert.deepEqual(loaded.duration, new MediaTime(5, 2));
    assert.equal(asset.duration, loaded.duration);
    assert.equal(asset.lyrics, undefined);
    const [track] = asset.tracks;
    assert.ok(track instanceof Track);
    assert.equal(track.mediaType, 'video');
    assert.equal(track.languageCode, undefined);
    await assert.rejects(asset.load(['metadata'], {}), FileFailedToParseError);
    assert.throws(() => track.nominalFrameRate, ValueNotLoadedError);
    await track.load('nominalFrameRate');
    assert.equal(asset.tracks[0].nominalFrameRate, 25);
  });
  assert.equal(played.messages('asset/loadValues')[0].params.completion, 'response');
});

const sample = (index, text) => ({
  presentationTime: { value: index, timescale: 25 },
  duration: { value: 1, timescale: 25 },
  numSamples: 1,
  attachments: index === 0 ? {} : { notSync: true },
  blob: { $shm: text },
  ...(index === 0 && { format: { codec: 'h264' } }),
});
const buffers = (endOfStream, ...sampleBuffers) => [{ result: { sampleBuffers, endOfStream } }];

test('a reader starts by itself, reads ahead, and gives back what was read', async () => {
  const script = {
    [NEXT]: [
      buffers(false, sample(0, 'zero'), sample(1, 'one')),
      buffers(true, sample(2, 'two')),
    ],
  };
  const played = await withFake(script, async (engine) => {
    const reader = await (await engine.open('a.mp4')).reader('video');
    const [output] = reader.outputs;
    const seen = [];
    let last;
    for await (const each of output) {
      if (last) assert.throws(() => last.data, HandleClosedError);
      seen.push([String(each.data), each.isSync, each.format.codec]);
      last = each;
    }
    assert.deepEqual(seen, [
      ['zero', true, 'h264'],
      ['one', false, 'h264'],
      ['two', false, 'h264'],
    ]);
    assert.ok(output.ended);
    assert.deepEqual(await collect(output), []);
    assert.equal((await engine.stats()).leases, 0);
  });
  assert.equal(played.messages('assetReader/start').length, 1);
  assert.equal(played.messages(NEXT).length, 2);
  assert.equal(played.messages('blob/release').length, 2);
  const [{ params }] = played.messages('assetReader/create');
  assert.deepEqual(params.outputs, [{ type: 'track', mediaType: 'video' }]);
});

test('what a loop leaves comes next, and close() gives back what was read ahead', async () => {
  const script = {
    [NEXT]: [
      buffers(false, sample(0, 'zero')),
      buffers(false, sample(1, 'one'), sample(2, 'two')),
      buffers(false, sample(3, 'three')),
    ],
  };
  await withFake(script, async (engine) => {
    const reader = await (await engine.open('a.mp4')).reader('video');
    const [output] = reader.outputs;
    let found;
    for await (const each of output) {
      found = each;
      break;
    }
    assert.equal(String(found.data), 'zero');
    const next = await output.next({ maxCount: 5 });
    assert.deepEqual(next.map(({ data }) => String(data)), ['one', 'two']);
    for await (const each of output) break;
    await reader.close();
    await eventually('a lease is left', async () => (await engine.stats()).leases === 0);
  });
});

test('outputs on the wire', async () => {
  const played = await withFake({}, async (engine) => {
    const asset = await engine.open('a.mp4');
    await asset.reader([
      2,
      { track: 'audio', sampleFormat: 'flt', sampleRate: 48000 },
      { audioMix: true },
      { audioMix: [2, 3], channels: 1 },
      { track: 1, supportsRandomAccess: true },
    ]);
    await assert.rejects(asset.reader([{}]), TypeError);
  });
  assert.deepEqual(played.messages('assetReader/create')[0].params.outputs, [
    { type: 'track', trackID: 2 },
    { type: 'track', mediaType: 'audio', settings: { sampleFormat: 'flt', sampleRate: 48000 } },
    { type: 'audioMix', settings: { sampleFormat: 'f32' } },
    { type: 'audioMix', trackIDs: [2, 3], settings: { sampleFormat: 'f32', channels: 1 } },
    { type: 'track', trackID: 1, supportsRandomAccess: true },
  ]);
});

test('closed objects say so', async () => {
  const played = await withFake({}, async (engine) => {
    const asset = await engine.open('a.mp4');
    await Promise.all([asset.close(), asset.close()]);
    assert.ok(asset.closed);
    await assert.rejects(asset.load('duration'), HandleClosedError);
    const other = await engine.open('a.mp4');
    await other[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]();
    assert.ok(other.closed);
  });
  assert.equal(played.messages('handle/close').length, 2);
});

test('forgotten objects are closed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  await withFake({}, async (engine, played) => {
    const forget = async () => (await engine.open('a.mp4')).imageGenerator().then(() => {});
    await forget();
    await eventually('a forgotten object stays', async () => {
      collectGarbage();
      await engine.stats();
      const closed = played.messages('handle/close').map(({ params }) => params.handle);
      return closed.includes('asset:1') && closed.includes('imageGenerator:2');
    });
  });
});

test('a raw image without its padding', () =>
  withFake(
    {
      'imageGenerator/generateImage': [
        [
          {
            result: {
              requestedTime: time(0),
              actualTime: time(0),
              image: {
                width: 3,
                height: 2,
                format: 'yuv420p',
                blob: { $shm: 'abc-def-gh--ij--' },
                planes: [
                  { offset: 0, bytesPerRow: 4, height: 2 },
                  { offset: 8, bytesPerRow: 4, height: 1 },
                  { offset: 12, bytesPerRow: 4, height: 1 },
                ],
              },
            },
          },
        ],
      ],
    },
    async (engine) => {
      const still = await (await engine.open('a.mp4')).image(0, { format: 'yuv420p' });
      assert.equal(String(still.packed()), 'abcdefghij');
      const [luma, chroma] = still.planes;
      assert.deepEqual([luma.width, luma.height, chroma.width], [3, 2, 2]);
      assert.equal(String.fromCharCode(...luma.row(1)), 'def');
      assert.throws(() => luma.row(2), RangeError);
      still.release();
      assert.throws(() => still.data, { name: 'bytesReleased' });
    },
  ));
