// Pictures that this process draws, against ffmpeg's decode of the clip and exact arithmetic.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { MediaTime, VideoCompositorFailedError } from '../src/index.js';
import { clip, command, ffmpeg, folder, sharedEngine } from './support.js';

const engine = await sharedEngine();
const SIZE = 64 * 36 * 3;

/** Two seconds in RGB without losses. */
function rgbClip() {
  const file = path.join(folder(), 'rgb.mkv');
  const source = 'testsrc2=size=64x36:rate=25:duration=2,format=gbrp';
  ffmpeg('-f', 'lavfi', '-i', source, '-c:v', 'ffv1', '-g', '5', file);
  return file;
}

const FILE = rgbClip();
const FRAMES = command(
  ...['ffmpeg', '-nostdin', '-v', 'error', '-i', FILE],
  ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
);
const inverted = (number) =>
  Buffer.from(FRAMES.subarray(number * SIZE, (number + 1) * SIZE)).map((each) => 255 - each);

/** A composition of the clip that is drawn here, from its first second on. */
async function withDrawn(draw, body, options) {
  const asset = await engine.open(FILE);
  const plain = await engine.composition(asset);
  const timeline = await plain.timeline();
  const instruction = (start, compositor) => ({
    timeRange: { start, duration: 1 },
    layerInstructions: [{ trackID: 1 }],
    compositor,
  });
  timeline.videoComposition = {
    frameDuration: '1/25',
    renderSize: { width: 64, height: 36 },
    instructions: [instruction(0, 'engine'), instruction(1, 'client')],
    ...options,
  };
  const shown = await engine.composition({ timeline });
  engine.compositor = draw;
  try {
    await body(shown);
  } finally {
    engine.compositor = undefined;
    await Promise.all([asset, plain, shown].map((each) => each.close()));
  }
}

test('a picture is drawn into its target, or returned', async () => {
  const times = [];
  function into({ time, sources, target, instruction }) {
    times.push(time);
    assert.equal(instruction.compositor, 'client');
    const { data, pixelFormat, width, height } = sources.get(1);
    assert.deepEqual([pixelFormat, width, height], ['rgb24', 64, 36]);
    data.forEach((each, index) => (target.data[index] = 255 - each));
  }
  const returned = async ({ sources }) => sources.get(1).data.map((each) => 255 - each);
  for (const draw of [into, returned]) {
    await withDrawn(draw, async (shown) => {
      const image = await shown.image(1.6, { format: 'rgb24' });
      assert.deepEqual(Buffer.from(await image.packed()), inverted(40));
    });
  }
  assert.deepEqual(times, [MediaTime.of('40/25')]);
});

test('what a compositor throws is the error, and so is silence', async () => {
  const effectIsBroken = new Error('the effect is broken');
  const broken = () => {
    throw effectIsBroken;
  };
  const failsWith = (message) => (error) =>
    error instanceof VideoCompositorFailedError && error.message.includes(message);
  await withDrawn(broken, (shown) =>
    assert.rejects(shown.image(1.6), (error) => {
      assert.ok(failsWith('Error: the effect is broken')(error));
      assert.equal(error.cause, effectIsBroken);
      return true;
    }),
  );
  await withDrawn(() => new Uint8Array(3), (shown) =>
    assert.rejects(shown.image(1.6), failsWith('6912 bytes, and not 3')),
  );
  let goOn;
  // The time may be over before anything is drawn.
  const silence = new Promise((resolve) => (goOn = resolve));
  await withDrawn(
    () => silence,
    async (shown) => {
      await assert.rejects(shown.image(1.6), failsWith('no answer'));
      goOn();
    },
    { compositorTimeoutMs: 200 },
  );
});

test('the example runs', async () => {
  const output = path.join(folder(), 'tinted.mp4');
  const script = path.join(import.meta.dirname, '../examples/tint.js');
  command(process.execPath, script, clip(), output);
  const blue = (file) =>
    command(
      ...['ffmpeg', '-nostdin', '-v', 'error', '-i', file, '-frames:v', '1'],
      ...['-vf', 'scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    )[2];
  assert.ok(blue(output) < blue(clip()) * 0.8);
});
