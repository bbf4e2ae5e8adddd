// Audio mixes and video compositions as values: their JSON, and an engine that accepts them.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { AudioMix, Instruction, Layer, VideoComposition } from '../src/index.js';
import { clip, command, folder, sharedEngine } from './support.js';

const engine = await sharedEngine();

const plain = (value) => JSON.parse(JSON.stringify(value));
const time = (value, timescale = 1) => ({ value, timescale });

test('a layer is plain JSON, and a value', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const half = new Layer(2, { fit: 'contain' }).opacity(0.5);
  const layer = half
    .fade(0.5, 0, { at: '1/3', duration: '1/30' })
    .move([0, 10], [2, 0, 0, 2, 5, 6], { at: 0, duration: 2 })
    .crop(box, 1.5);
  assert.deepEqual(plain(layer), {
    trackID: 2,
    fit: 'contain',
    opacity: [
      { at: time(0), value: 0.5 },
      { from: 0.5, to: 0, timeRange: { start: time(1, 3), duration: time(1, 30) } },
    ],
    transform: [
      {
        from: [1, 0, 0, 1, 0, 10],
        to: [2, 0, 0, 2, 5, 6],
        timeRange: { start: time(0), duration: time(2) },
      },
    ],
    cropRectangle: [{ at: time(3, 2), value: box }],
  });
  assert.equal(plain(half).opacity.length, 1);
  assert.throws(() => new Layer(1).transform([1]), RangeError);
  assert.throws(() => new Layer(1, { fitt: 'cover' }), TypeError);
});

test('a mix has one entry for each track', () => {
  const first = new AudioMix().fadeIn(2, 1);
  const mix = first.volume(0, 0.5).fadeOut(2, '1/2', { at: 3, volume: 0.25 });
  assert.equal(plain(first).inputParameters[0].volume.length, 1);
  assert.deepEqual(plain(mix.timePitch(2, 'varispeed')), {
    inputParameters: [
      {
        trackID: 2,
        volume: [
          { from: 0, to: 1, timeRange: { start: time(0), duration: time(1) } },
          { from: 0.25, to: 0, timeRange: { start: time(3), duration: time(1, 2) } },
        ],
        audioTimePitchAlgorithm: 'varispeed',
      },
      { trackID: 0, volume: [{ at: time(0), value: 0.5 }] },
    ],
  });
});

test('a composition has its own', async () => {
  const asset = await engine.open(clip());
  const composition = await engine.composition(asset);
  const own = await composition.videoComposition();
  assert.equal(own.sourceTrackIDForFrameTiming, 1);
  const pictures = new VideoComposition({
    ...{ size: { width: 64, height: 48 }, frameDuration: '1/25', frameTiming: 1 },
    instructions: [
      new Instruction({ start: 0, duration: 2 }, [
        new Layer(1).fade(1, 0, { at: 0, duration: 2 }),
      ]),
    ],
  });
  const mix = new AudioMix().fadeIn(2, 1);
  await composition.set({ audioMix: mix, videoComposition: pictures });
  let timeline = plain(await composition.timeline());
  assert.deepEqual(timeline.audioMix, plain(mix));
  assert.deepEqual(timeline.videoComposition, plain(pictures));
  const { width, height } = await composition.image(1);
  assert.deepEqual([width, height], [64, 48]);
  const { revision } = await composition.set({
    ...{ naturalSize: { width: 320, height: 180 }, audioMix: null },
  });
  assert.equal(revision, composition.revision);
  timeline = plain(await composition.timeline());
  assert.equal(timeline.audioMix, undefined);
  assert.deepEqual(timeline.videoComposition, plain(pictures));
  await assert.rejects(composition.set({ audioMix: new AudioMix().volume(9, -1) }), {
    code: -11861,
  });
  const wrong = new VideoComposition({
    ...{ size: { width: 0, height: 0 }, frameDuration: 0, instructions: [] },
  });
  const { isValid, problems } = await engine.validateVideoComposition(wrong, { asset });
  assert.equal(isValid, false);
  assert.deepEqual(
    problems.map(({ kind }) => kind),
    ['invalidValueForKey', 'invalidValueForKey', 'emptyTimeRange'],
  );
  await composition.close();
  await asset.close();
});

test('a compositor is stated with the instruction', () => {
  const range = { start: 0, duration: 1 };
  const drawn = new Instruction(range, [], { compositor: 'client' });
  assert.equal(plain(drawn).compositor, 'client');
  assert.equal(plain(new Instruction(range)).compositor, undefined);
  const pictures = new VideoComposition({
    ...{ size: { width: 64, height: 48 }, frameDuration: '1/25', instructions: [drawn] },
    ...{ compositorPixelFormat: 'gray', compositorTimeoutMs: 2500 },
  });
  assert.equal(plain(pictures).compositorPixelFormat, 'gray');
  assert.equal(plain(pictures).compositorTimeoutMs, 2500);
});

test('texts and subtitles are stated as the protocol has them', () => {
  const textLayers = [{ text: 'Title', timeRange: { start: 0, duration: 1 } }];
  const subtitles = [{ url: 'a.srt', style: { alignment: 'top' } }];
  const pictures = new VideoComposition({
    ...{ size: { width: 64, height: 48 }, frameDuration: '1/25', instructions: [] },
    ...{ textLayers, subtitles },
  });
  assert.deepEqual(plain(pictures).textLayers, textLayers);
  assert.deepEqual(plain(pictures).subtitles, subtitles);
});

const RED = [1, 0, 0, 1];
const BLUE = [0, 0, 1, 1];

/** One colour for some seconds, then another, at ten pictures a second. */
const halves = (seconds, first, second) =>
  new VideoComposition({
    ...{ size: { width: 64, height: 48 }, frameDuration: '1/10' },
    instructions: [
      new Instruction({ start: 0, duration: seconds }, [], { background: first }),
      new Instruction({ start: seconds, duration: 5 - seconds }, [], { background: second }),
    ],
  });

const isRed = ([red, , blue]) => red > 200 && blue < 50;

test('a reader reads the pictures', async () => {
  const asset = await engine.open(clip());
  const composition = await engine.composition(asset);
  await composition.set({ videoComposition: halves(3, BLUE, RED) });
  const all = async (frames) => {
    const found = [];
    for await (const frame of frames) {
      assert.equal(frame.presentationTime.seconds, found.length / 10);
      found.push(isRed(frame.data));
    }
    return found;
  };
  const { duration } = await composition.load('duration');
  const count = Math.ceil(duration.seconds * 10);
  const given = await all(asset.frames({ videoComposition: halves(1, RED, BLUE) }));
  assert.deepEqual(given.slice(0, 40), Array.from({ length: 40 }, (_, index) => index < 10));
  const own = await all(composition.frames({ videoComposition: true }));
  assert.deepEqual(own, Array.from({ length: count }, (_, index) => index >= 30));
  const reader = await asset.reader({ videoComposition: halves(1, RED, BLUE), format: 'png' });
  const [first] = await reader.outputs[0].next();
  assert.equal(Buffer.from(first.data.subarray(1, 4)).toString(), 'PNG');
  await reader.close();
  await composition.close();
  await asset.close();
});

/** The pictures of a file that are red, by ffmpeg. */
const shown = (file) => {
  const data = command(
    ...['ffmpeg', '-nostdin', '-v', 'error', '-i', file, '-vf', 'scale=1:1'],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
  );
  return Array.from({ length: data.length / 3 }, (_, index) => isRed(data.subarray(index * 3)));
};

test('an export is of the pictures', async () => {
  const asset = await engine.open(clip());
  const composition = await engine.composition(asset);
  await composition.set({ videoComposition: halves(1, RED, BLUE) });
  for (const [options, red] of [
    [{}, (index) => index < 10],
    [{ videoComposition: halves(2, BLUE, RED) }, (index) => index >= 20],
  ]) {
    const file = path.join(folder(), 'pictures.mp4');
    await composition.export(file, { preset: 'HighestQuality', ...options });
    const found = shown(file).slice(0, 40);
    assert.deepEqual(found, Array.from({ length: 40 }, (_, index) => red(index)));
  }
  const file = path.join(folder(), 'none.mp4');
  await composition.export(file, { preset: 'HighestQuality', videoComposition: null });
  assert.equal(shown(file).length, 120);
  await composition.close();
  await asset.close();
});
