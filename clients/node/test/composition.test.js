// Compositions against the real engine; their frames are those that ffmpeg decodes of their parts.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';

import { CompositionSegment, MediaTime, TimeRange } from '../src/index.js';
import { clip, collect, command, cover, ffmpeg, folder } from './support.js';
import { frames, probe, sharedEngine, withEngine } from './support.js';

const engine = await sharedEngine();
const COMMAND = ['-nostdin', '-v', 'error', '-i'];

/** The numbers of the frames of the clip that a part of whole seconds shows. */
const shownIn = (start, end) =>
  frames()
    .map((_, index) => index)
    .filter((index) => (index + 1) * 1001 > start * 30000 && index * 1001 < end * 30000);

/** The starts of the frames of parts, one after the other, in units of 1/30000 s. */
const times = (...parts) => {
  let zero = 0;
  return parts.flatMap(([start, end]) => {
    const begin = (index) => zero * 30000 + Math.max(index * 1001, start * 30000) - start * 30000;
    const starts = shownIn(start, end).map(begin);
    zero += end - start;
    return starts;
  });
};

/** Decoded frames as they are shown. */
async function shown(asset) {
  const all = [];
  for await (const frame of asset.frames({ pixelFormat: 'yuv420p' })) {
    all.push([Buffer.from(frame.packed()), frame.presentationTime]);
  }
  return all;
}

const packets = (file, kind) =>
  probe(file, '-select_streams', kind, '-show_packets', '-show_data_hash', 'md5').packets.map(
    (packet) => packet.data_hash,
  );

/** A hash of each frame of a file's video, by ffmpeg. */
const decoded = (file) =>
  command('ffmpeg', ...COMMAND, file, '-map', '0:v', '-f', 'framemd5', '-')
    .toString()
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1).trim());

/** Runs a body with the objects that are opened or made, and closes them. */
async function using(promises, body) {
  const objects = await Promise.all(promises);
  try {
    return await body(...objects);
  } finally {
    for (const object of objects) await object.close();
  }
}

test('frames are those of the parts', () =>
  using([engine.open(clip())], async (asset) => {
    await using([engine.composition([asset.clip(1, 3), asset.clip(0, 1)])], async (composition) => {
      assert.ok((await composition.load('duration')).duration.equals(3));
      const expected = [...shownIn(1, 3), ...shownIn(0, 1)].map((index) => frames()[index]);
      const all = await shown(composition);
      assert.equal(all.length, 61 + 30);
      all.forEach(([picture], index) => assert.ok(picture.equals(expected[index]), `${index}`));
      const starts = times([1, 3], [0, 1]).map((value) => new MediaTime(value, 30000));
      all.forEach(([, time], index) => assert.ok(time.equals(starts[index]), `${index}: ${time}`));

      const image = await composition.image(2.5, { format: 'yuv420p' });
      assert.ok(Buffer.from(image.packed()).equals(frames()[14]));
      assert.equal((await composition.audio())[0].length, 3 * 48_000);
      assert.equal((await composition.waveform({ count: 10 })).channels[0].max.length, 10);
      assert.equal((await composition.contactSheet({ columns: 2, rows: 2 })).tiles.length, 4);
    });
  }));

test('speed, stills and segments with their assets', () =>
  using([engine.open(clip()), engine.open(cover())], async (asset, photo) => {
    const clips = [asset.clip(1, 3, { speed: 2 }), photo.clip(0, 3)];
    const naturalSize = { width: 322, height: 180 };
    await using([engine.composition(clips, { naturalSize })], async (composition) => {
      const { duration, tracks } = await composition.load('duration', 'tracks', 'naturalSize');
      assert.ok(duration.equals(4));
      assert.deepEqual(composition.naturalSize, naturalSize);
      assert.deepEqual(tracks.map(({ mediaType }) => mediaType), ['video', 'audio']);
      const [fast, held] = await composition.segments(tracks[0]);
      assert.ok(fast.source.equals({ start: 1, duration: 2 }));
      assert.ok(fast.target.equals({ start: 0, duration: 1 }));
      assert.equal(fast.asset, asset);
      assert.deepEqual([fast.track, fast.path, fast.isEmpty], [1, clip(), false]);
      assert.equal(held.asset, photo);
      assert.ok(held.target.equals({ start: 1, duration: 3 }));
      const all = await shown(composition);
      const half = times([1, 3]).map((value) => new MediaTime(value, 60000));
      half.forEach((time, index) => assert.ok(all[index][1].equals(time), `${index}`));
    });
  }));

test('after an edit nothing is stale', () =>
  using([engine.open(clip()), engine.composition()], async (asset, composition) => {
    assert.equal((await composition.load('tracks')).tracks.length, 0);
    const appended = await composition.append(asset.clip(1, 3));
    assert.ok(appended.timeRange.equals({ start: 0, duration: 2 }));
    assert.deepEqual(appended.trackIDs, [1, 2]);
    assert.throws(() => composition.tracks, { name: 'valueNotLoaded' });
    assert.ok(composition.duration.equals(2));
    const [video] = await composition.loadTracks({ mediaType: 'video' });
    assert.ok((await video.load('timeRange')).timeRange.duration.equals(2));

    await composition.insert([asset.clip(0, 1), asset.clip(0, 1).atSpeed(2)], 1);
    assert.ok(composition.duration.equals(3.5));
    assert.throws(() => video.timeRange, { name: 'valueNotLoaded' });
    assert.ok((await video.load('timeRange')).timeRange.duration.equals(3.5));
    assert.equal(composition.revision, 2);

    await using([composition.copy()], async (other) => {
      await other.removeTimeRange({ start: 0, duration: 3 });
      assert.ok((await other.load('duration')).duration.equals(0.5));
      assert.ok((await composition.load('duration')).duration.equals(3.5));
    });
    const timeline = await composition.timeline();
    assert.deepEqual(await composition.timelineLosses(), []);
    await using([engine.composition({ timeline })], async (same) => {
      assert.deepEqual(await same.timeline(), timeline);
    });
  }));

test('an edit that is given up leaves nothing stale', () =>
  using([engine.open(clip())], async (asset) => {
    await using([engine.composition(asset.clip(0, 1))], async (composition) => {
      await composition.load('duration');
      const cancel = new AbortController();
      const edit = composition.append(asset.clip(1, 2), { signal: cancel.signal });
      cancel.abort();
      await assert.rejects(edit, { name: 'AbortError' });
      assert.throws(() => composition.duration, { name: 'valueNotLoaded' });
      const { duration } = await composition.load('duration');
      assert.ok(duration.equals(1) || duration.equals(2), `${duration}`);
    });
  }));

test('parts of tracks are inserted, all or none', () =>
  using([engine.open(clip()), engine.composition()], async (asset, composition) => {
    const { trackID } = await composition.addTrack('video');
    const items = [asset.clip(0, 1), new TimeRange(0, 2), asset.clip(1, 2)];
    const inserted = await composition.insertTimeRanges(trackID, items);
    assert.ok(inserted.timeRange.equals({ start: 0, duration: 4 }));
    const empty = (await composition.segments(trackID)).map(({ isEmpty }) => isEmpty);
    assert.deepEqual(empty, [false, true, false]);
    const { revision } = composition;
    await assert.rejects(composition.insertTimeRanges(trackID, [items[0], asset.clip(0, 9)]));
    await assert.rejects(
      composition.insertTimeRanges(trackID, [asset.clip(0, 1, { speed: 2 })]),
      /at its own speed/,
    );
    assert.equal((await composition.timeline()).tracks.length, 1);
    assert.equal(composition.revision, revision);
  }));

test('segments are set and checked', () =>
  using([engine.open(clip())], async (asset) => {
    await using([engine.composition(asset.clip(0, 2))], async (composition) => {
      const wanted = [
        { target: { start: 0, duration: 1 }, source: { start: 2, duration: 1 }, asset },
        new CompositionSegment({ target: { start: 1, end: 3 } }),
      ];
      assert.deepEqual(await composition.validateSegments(1, wanted), []);
      assert.ok((await composition.setSegments(1, wanted)).duration.equals(3));
      const [first, second] = await composition.segments(1);
      assert.ok(first.source.equals({ start: 2, duration: 1 }));
      assert.equal(first.asset, asset);
      assert.deepEqual([second.isEmpty, second.asset], [true, undefined]);
      await composition.setSegments(1, await composition.segments(1));

      const target = { start: 1, duration: 2 };
      const wrong = [{ target, source: { start: 0, duration: 9 }, asset }];
      const problems = await composition.validateSegments(1, wrong);
      assert.deepEqual(problems.map(({ code }) => code), [-11824, -11827]);
      await assert.rejects(composition.setSegments(1, wrong), { code: -11824 });
    });
  }));

test('a closed asset is still shown', async () => {
  const asset = await engine.open(clip());
  const composition = await engine.composition(asset);
  await asset.close();
  await using([composition], async () => {
    assert.equal((await shown(composition)).length, 120);
    const segments = await composition.segments(1);
    assert.deepEqual([segments[0].asset, segments[0].path], [undefined, clip()]);
    await assert.rejects(composition.setSegments(1, segments), { name: 'handleClosed' });
  });
});

test('a join copies the packets', async () => {
  const output = path.join(folder(), 'out.mp4');
  const made = await engine.join([clip(), clip()], output, { joins: { audio: 'copy' } });
  assert.deepEqual([made.preset, made.refused, made.isLossless], ['Passthrough', [], true]);
  const treatments = made.tracks[0].segments.map(({ treatment }) => treatment);
  assert.deepEqual(treatments, ['copied', 'copied']);
  assert.deepEqual(packets(output, 'v'), [...packets(clip(), 'v'), ...packets(clip(), 'v')]);
  assert.deepEqual(decoded(output), [...decoded(clip()), ...decoded(clip())]);
});

test('a cut and join encodes only edges', () =>
  using([engine.open(clip())], async (asset) => {
    const output = path.join(folder(), 'out.mp4');
    const made = await engine.join([asset.clip(0, 1), asset.clip(2)], output);
    assert.equal(made.isLossless, false);
    const treatments = made.tracks[0].segments.map(({ treatment }) => treatment);
    assert.deepEqual(treatments, ['edgesEncoded', 'edgesEncoded']);
    assert.ok(Math.abs(Number(probe(output, '-show_format').format.duration) - 3) < 0.05);
    const stored = new Set(packets(clip(), 'v'));
    const copied = packets(output, 'v').map((packet) => stored.has(packet));
    assert.ok(copied.slice(0, 24).every(Boolean) && copied.slice(-48).every(Boolean));
    assert.ok(!copied.every(Boolean));
  }));

test("what a file can't hold is encoded with the preset", async () => {
  const place = folder();
  const [audio, output] = [path.join(place, 'audio.m4a'), path.join(place, 'out.wav')];
  ffmpeg('-i', clip(), '-vn', '-c:a', 'copy', '-t', 1, audio);
  await assert.rejects(engine.join([audio, audio], output), /wav files can't hold aac/);
  const made = await engine.join([audio, audio], output, { preset: 'WAV' });
  assert.equal(made.preset, 'WAV');
  assert.match(made.refused[0], /wav files can't hold aac/);
  const length = (file) => Number(probe(file, '-show_format').format.duration);
  assert.ok(Math.abs(length(output) - 2 * length(audio)) < 0.1);
});

test('languages of a join stay separate', async () => {
  const place = folder();
  const [film, output] = [path.join(place, 'film.m4a'), path.join(place, 'out.wav')];
  const sines = [440, 880].flatMap((pitch) => ['-f', 'lavfi', '-i', `sine=${pitch}:d=1`]);
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
  ffmpeg(...sines, '-map', 0, '-map', 1, '-c:a', 'aac', ...languages, film);
  const found = (file) =>
    probe(file, '-show_streams').streams.map((stream) => stream.tags.language);
  const encoding = { settings: { audio: { codec: 'alac' } }, preset: 'AppleM4A' };
  const made = path.join(place, 'out.m4a');
  await engine.join([film, film], made, { ...encoding, joins: { audio: 'copy' } });
  assert.deepEqual(found(made), ['eng', 'deu']);
  // A file of one track lists the other one.
  const one = await engine.join([film, film], output, { preset: 'WAV' });
  assert.deepEqual(one.dropped.map(({ item, trackID }) => [item, trackID])[0], ['track', 2]);
});

test("what can't be copied needs a preset", async () => {
  const place = folder();
  const [other, output] = [path.join(place, 'other.mp4'), path.join(place, 'out.mp4')];
  ffmpeg('-i', clip(), '-c:v', 'mpeg4', '-t', 1, other);
  await assert.rejects(engine.join([clip(), other], output), /codec is mpeg4/);
  assert.ok(!fs.existsSync(output));
  const made = await engine.join([clip(), other], output, { preset: 'LowQuality' });
  assert.equal(made.preset, 'LowQuality');
  assert.match(made.refused[0], /codec is mpeg4/);
  assert.equal(decoded(output).length, 150);
});

test('sequences and documents', () =>
  using([engine.open(clip())], async (asset) => {
    const place = folder();
    const clips = [
      { asset, timeRange: new TimeRange(1, 2) },
      { url: cover(), duration: MediaTime.of('3/2') },
    ];
    await using([engine.assemble({ clips })], async (composition) => {
      assert.ok((await composition.load('duration')).duration.equals(3.5));
      const { tracks } = await engine.expandSequence({ clips });
      assert.deepEqual(tracks, (await composition.timeline()).tracks);
      const { document } = await composition.openTimelineIO();
      const file = path.join(place, 'timeline.otio');
      fs.writeFileSync(file, JSON.stringify(document));
      for (const source of [document, file]) {
        const imported = await engine.importComposition(source);
        await using([imported], async (same) => {
          assert.deepEqual(same.losses, []);
          assert.deepEqual(await same.timeline(), await composition.timeline());
        });
      }
    });
  }));

test('what is wrong is refused before it is sent', () =>
  using([engine.open(clip())], async (asset) => {
    assert.throws(() => asset.clip(3, 1), RangeError);
    assert.throws(() => asset.clip(-1, 1), RangeError);
    assert.throws(() => asset.clip(0, 1, { speed: 0 }), RangeError);
    assert.throws(() => asset.clip(0, 1, { sped: 2 }), /did you mean speed/);
    await assert.rejects(engine.composition({ naturalSise: {} }), /did you mean naturalSize/);
    await assert.rejects(engine.composition(['a.mp4']), /clips are assets/);
    await assert.rejects(engine.composition(asset, { timeline: {} }), /not of both/);
    await assert.rejects(engine.composition(asset.clip(3, 9)), { code: -11827 });
    await withEngine(async (other) => {
      await assert.rejects(other.composition(asset), /of another engine/);
    });
  }));

test('a clip is shown backward', () =>
  using([engine.open(clip())], async (asset) => {
    await using([engine.composition(asset.clip(1, 3).atSpeed(-1))], async (composition) => {
      const expected = shownIn(1, 3).reverse();
      const pictures = (await shown(composition)).map(([bytes]) => bytes);
      assert.equal(pictures.length, expected.length);
      expected.forEach((number, place) => assert.ok(pictures[place].equals(frames()[number])));
      const [segment] = await composition.segments(1);
      assert.equal(segment.playback, 'reverse');
      await composition.setSegments(1, [segment]);
      assert.equal((await composition.segments(1))[0].playback, 'reverse');
    });
  }));

test('a speed changes', () =>
  using([engine.open(clip())], async (asset) => {
    const part = asset.clip(1, 2).atSpeeds(new Map([[1, -1], [2, -3]]));
    assert.ok(part.isBackward && !part.isAtOwnSpeed);
    assert.match(inspect(part), / at speeds \{ 1\/1: -1, 2\/1: -3 \}$/);
    // A second between the speeds 1 and 3 lasts 2 / (1 + 3) s.
    await using([engine.composition([part, asset.clip(0, 1)])], async (composition) => {
      assert.ok((await composition.load('duration')).duration.equals([3, 2]));
      const { timeRange } = await composition.insert(part, 0);
      assert.ok(timeRange.duration.equals([1, 2]));
      const [segment] = await composition.segments(1);
      assert.equal(segment.playback, 'reverse');
      await composition.insertTimeRanges(1, [part], { at: 0 });
      assert.ok((await composition.load('duration')).duration.equals([5, 2]));
    });
    for (const wrong of [[], [[0, 1], [1, -1]], [[0, 0]], [[0, '1']]]) {
      assert.throws(() => asset.clip(0, 1).atSpeeds(wrong), RangeError);
    }
  }));

test('a composition is part of another', () =>
  using([engine.open(clip())], async (asset) => {
    await using([engine.composition(asset.clip(1, 3))], async (inner) => {
      await using([engine.composition([inner.clip(1), asset.clip(0, 1)])], async (outer) => {
        const { length } = await collect(outer.frames({ width: 16 }));
        assert.equal(length, shownIn(2, 3).length + shownIn(0, 1).length);
      });
    });
  }));

test('a join takes a list', async () => {
  const output = path.join(folder(), 'never.mp4');
  await assert.rejects(async () => engine.join('a.mp4', output), TypeError);
  await assert.rejects(async () => engine.join([], output), RangeError);
});

test('tracks and chapters are chosen', () =>
  using([engine.open(clip())], async (asset) => {
    const tracks = { include: [{ mediaType: 'video' }] };
    assert.deepEqual((await asset.loadTracks({ selection: tracks })).map((each) => each.trackID), [1]);
    const files = ['chosen.mkv', 'joined.mkv'].map((name) => path.join(folder(), name));
    await asset.export(files[0], { preset: 'Passthrough', tracks });
    await engine.join([asset, asset], files[1], { tracks, chaptersFrom: 'parts' });
    for (const file of files) {
      const kinds = probe(file, '-show_streams').streams.map((stream) => stream.codec_type);
      assert.deepEqual(kinds, ['video']);
    }
    assert.equal(probe(files[1], '-show_chapters').chapters.length, 2);
    const reader = await asset.reader([{ track: { mediaType: 'video', codec: 'h264' } }]);
    await reader.close();
    await assert.rejects(asset.reader([{ track: { language: 'tlh' } }]), { name: 'noSourceTrack' });
  }));
