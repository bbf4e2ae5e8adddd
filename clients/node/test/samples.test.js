// Samples, against the real engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import {
  clip,
  collect,
  ffmpeg,
  folder,
  FRAME,
  frames,
  probe,
  sharedEngine,
  withEngine,
} from './support.js';

const engine = await sharedEngine();

/** Runs a body with a reader of the clip, which is closed afterwards. */
async function withReader(outputs, body, options, on = engine) {
  const asset = await on.open(clip());
  const reader = await asset.reader(outputs, options);
  try {
    await body(reader, ...reader.outputs);
  } finally {
    await reader.close();
    await asset.close();
  }
}

test('stored samples are the packets', () =>
  withReader('video', async (reader, output) => {
    const { packets } = probe(clip(), '-show_packets', '-select_streams', 'v:0');
    const samples = await collect(output.samples({ keep: true }));
    assert.equal(samples.length, packets.length);
    for (const [index, { pts_time, dts_time, size, flags }] of packets.entries()) {
      const sample = samples[index];
      assert.equal(sample.data.length, Number(size));
      assert.ok(Math.abs(sample.presentationTime.seconds - pts_time) < 1e-6);
      assert.ok(Math.abs(sample.decodeTime.seconds - dts_time) < 1e-6);
      assert.equal(sample.isSync, flags.includes('K'));
      assert.equal(sample.format.codec, 'h264');
    }
    assert.equal((await reader.status()).status, 'completed');
    assert.ok(output.ended);
  }));

test('decoded samples are the frames, and each is gone with the next', () =>
  withReader({ track: 'video', pixelFormat: 'yuv420p' }, async (_, output) => {
    const right = frames();
    let index = 0;
    const views = [];
    for await (const sample of output) {
      assert.ok(sample.packed().equals(right[index]), `frame ${index}`);
      assert.ok(sample.presentationTime.equals([FRAME[0] * index, FRAME[1]]));
      views.push(sample.data);
      index += 1;
    }
    assert.equal(index, right.length);
    // Memory that is used again shows nothing where it was seen before.
    assert.ok(views.slice(0, -1).every((view) => view.length === 0));
  }));

test('a kept sample stays', async () => {
  const right = frames();
  const asset = await engine.open(clip());
  const kept = [];
  for await (const frame of asset.frames({ pixelFormat: 'yuv420p' })) {
    if (kept.length < 3) kept.push(frame.keep());
  }
  for (const [index, frame] of kept.entries()) assert.ok(frame.packed().equals(right[index]));
  let found;
  for await (const frame of asset.frames({ pixelFormat: 'yuv420p' })) {
    found = frame;
    break;
  }
  assert.ok(found.packed().equals(right[0]));
  const range = { timeRange: { start: 1, end: 2 }, pixelFormat: 'yuv420p', keep: true };
  const second = await collect(asset.frames(range));
  // From the frame that is shown at the range's start.
  assert.equal(second.length, 31);
  assert.ok(second[0].packed().equals(right[29]));
  assert.ok(second.at(-1).packed().equals(right[59]));
  await asset.close();
});

test('sound as typed arrays', () =>
  withReader(
    [
      { track: 'audio', sampleFormat: 's16', sampleRate: 44100, channels: 2 },
      { track: 'audio', sampleFormat: 'f32', channels: 2, interleaved: false },
      { track: 'audio', sampleFormat: 'f64' },
    ],
    async (_, interleaved, planar, wide) => {
      let [total, left, peak] = [0, 0, 0];
      for await (const sample of interleaved) {
        const [plane] = sample.planes;
        assert.ok(plane.data instanceof Int16Array);
        assert.equal(plane.data.length, 2 * sample.audio.frames);
        assert.equal(sample.channel(1).length, sample.audio.frames);
        assert.equal(sample.channel(1)[5], plane.data[11]);
        assert.throws(() => sample.channel(2), RangeError);
        total += sample.audio.frames;
      }
      assert.ok(Math.abs(total - 88200) < 4096);
      for await (const sample of planar) {
        const { planes } = sample;
        assert.ok(planes.length === 2 && planes[1].data instanceof Float32Array);
        assert.equal(sample.channel(1).byteOffset, planes[1].data.byteOffset);
        left += sample.channel(0).length;
      }
      for await (const sample of wide) {
        for (const value of sample.channel(0)) peak = Math.max(peak, Math.abs(value));
      }
      assert.ok(Math.abs(left - 96000) < 4096);
      assert.ok(peak > 0.05 && peak <= 1);
    },
    { timeRange: { start: 1, duration: 2 } },
  ));

test('a mix of one track is that track', () =>
  withReader(
    [{ track: 'audio', sampleFormat: 'f32' }, { audioMix: true }],
    async (_, alone, mixed) => {
      const bytes = async (output) =>
        Buffer.concat((await collect(output.samples({ keep: true }))).map(({ data }) => data));
      const track = await bytes(alone);
      assert.ok(track.length > 0 && track.equals(await bytes(mixed)));
    },
  ));

test('pictures of 16 bits', () =>
  withReader({ track: 'video', pixelFormat: 'rgba64le', width: 32 }, async (_, output) => {
    const [sample] = await output.next();
    const [plane] = sample.planes;
    assert.ok(plane.data instanceof Uint16Array);
    assert.deepEqual([plane.width, plane.components, plane.row(3).length], [32, 4, 128]);
    assert.equal(plane.row(3)[3], 65535);
  }));

test('other ranges of an output', () =>
  withReader(
    { track: 'video', pixelFormat: 'yuv420p', supportsRandomAccess: true },
    async (reader, output) => {
      const right = frames();
      const range = (index, count) => ({
        start: [FRAME[0] * index, FRAME[1]],
        duration: [FRAME[0] * count, FRAME[1]],
      });
      await assert.rejects(output.reset([range(0, 1)]), { name: 'operationNotAllowed' });
      for await (const sample of output) assert.ok(sample.image);
      await output.reset([range(7, 2), range(50, 1)]);
      assert.ok(!output.ended);
      const again = await collect(output.samples({ keep: true }));
      assert.deepEqual(
        again.map((sample) => right.findIndex((frame) => frame.equals(sample.packed()))),
        [7, 8, 50],
      );
      assert.equal((await reader.status()).status, 'reading');
      await output.markConfigurationAsFinal();
      assert.equal((await reader.status()).status, 'completed');
    },
  ));

test('pictures as files of their own', async () => {
  const place = folder();
  await withReader({ track: 'video', format: 'jpeg', width: 64 }, async (_, output) => {
    const file = path.join(place, 'frame-%03d.jpg');
    const samples = await output.next({ maxCount: 3, path: file });
    assert.deepEqual(samples.map(({ blob }) => path.basename(blob.path)), fs.readdirSync(place));
    assert.throws(() => samples[0].data, TypeError);
    assert.equal((await samples[0].blob.bytes()).readUInt16BE(), 0xffd8);
    const [inline] = await output.next({ delivery: 'inline' });
    assert.equal(inline.data.readUInt16BE(), 0xffd8);
  });
});

test('loops over two outputs at once, and two loops over one', () =>
  withReader(['video', 'audio'], async (_, video, audio) => {
    const count = async (output) => (await collect(output)).length;
    const [sound, ...pictures] = await Promise.all([count(audio), count(video), count(video)]);
    assert.ok(sound > 180);
    assert.equal(pictures[0] + pictures[1], 120);
  }));

test('little shared memory is enough', () =>
  withEngine(
    (small) =>
      withReader(
        { track: 'video', pixelFormat: 'rgba' },
        async (_, output) => {
          assert.equal((await collect(output.samples({ keep: true }))).length, 120);
        },
        {},
        small,
      ),
    { args: ['--shm-max', String(1 << 20)] },
  ));

test('who holds all shared memory does not stop others', () =>
  withEngine(
    (small) =>
      withReader(
        [{ track: 'video', pixelFormat: 'rgba' }, 'video'],
        async (reader, pictures, packets) => {
          await reader.start();
          // Leases that are requested directly, and not released before the end.
          const { sampleBuffers } = await small.request('assetReader/nextSampleBuffers', {
            ...{ output: pictures.handle, maxCount: 4, delivery: 'shm' },
          });
          assert.equal((await collect(packets)).length, 120);
          const exhausted = pictures.next({ maxCount: 4, delivery: 'shm', timeoutMs: 10 });
          await assert.rejects(exhausted, { name: 'leasesExhausted', systemCode: 'ETIMEDOUT' });
          assert.equal((await pictures.next())[0].blob.kind, 'inline');
          const leases = sampleBuffers.map(({ blob }) => blob.lease);
          small.notify('blob/release', { leases });
          assert.equal((await pictures.next())[0].blob.kind, 'shm');
        },
        {},
        small,
      ),
    { args: ['--shm-max', String(1 << 20)] },
  ));

test('aborting a loop', () =>
  withReader({ track: 'video', pixelFormat: 'rgba' }, async (_, output) => {
    const controller = new AbortController();
    let count = 0;
    const loop = async () => {
      for await (const sample of output.samples({ signal: controller.signal })) {
        assert.ok(sample.data.length > 0);
        if ((count += 1) === 5) controller.abort();
      }
    };
    await assert.rejects(loop(), { name: 'AbortError' });
    assert.equal(count, 5);
    assert.equal(5 + (await collect(output)).length, 120);
  }));

test('closing in the middle of a loop', () =>
  withReader({ track: 'video', pixelFormat: 'rgba' }, async (reader, output) => {
    const loop = async () => {
      for await (const sample of output) {
        assert.ok(sample.image);
        await reader.close();
      }
    };
    await assert.rejects(loop(), { name: 'handleClosed' });
  }));

test('subtitles as text', async () => {
  const place = folder();
  const script = path.join(place, 'cues.srt');
  const file = path.join(place, 'cues.mkv');
  fs.writeFileSync(script, '1\n00:00:00,500 --> 00:00:01,000\n<b>Äpfel</b>\nund Birnen\n');
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=d=2:s=64x64:r=5', '-i', script, file);
  const asset = await engine.open(file);
  const reader = await asset.reader({ track: 'subtitle', textFormat: 'plain' });
  const [sample] = await collect(reader.outputs[0].samples({ keep: true }));
  assert.equal(sample.text, 'Äpfel\nund Birnen');
  assert.ok(sample.presentationTime.equals('1/2'));
  await reader.close();
  await asset.close();
});
