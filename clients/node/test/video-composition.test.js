// Audio mixes and video compositions as values: what they are in JSON, and that an engine takes them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { AudioMix, Instruction, Layer, VideoComposition } from '../src/index.js';
import { clip, sharedEngine } from './support.js';

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
