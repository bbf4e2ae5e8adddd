// Metadata, chapters, languages, cursors, waveforms and contact sheets, against the real engine.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { clip, collect, cover, folder, probe, richClip, sharedEngine } from './support.js';
import { MediaBlob, MediaTime } from '../src/index.js';

const engine = await sharedEngine(() => Promise.all([plain.close(), rich.close()]));
const plain = await engine.open(clip());
const rich = await engine.open(richClip());

test('every key of an asset and of its tracks', async () => {
  const values = await rich.load();
  assert.equal(values.isPlayable, true);
  assert.equal(values.lyrics, undefined);
  assert.deepEqual(values.preferredTransform, [1, 0, 0, 1, 0, 0]);
  assert.equal(typeof values.preferredMediaSelection.audible, 'number');
  const states = await rich.status();
  assert.ok(Object.values(states).every(({ status }) => status === 'loaded'));
  for (const track of rich.tracks) {
    const loaded = await track.load();
    assert.equal(loaded.mediaType, track.mediaType);
    assert.ok(track.timeRange.duration.seconds >= 0);
    assert.equal(typeof track.totalSampleDataLength, 'number');
    assert.equal((await track.status('segments')).segments.status, 'loaded');
  }
});

test('tracks by type, trait and number', async () => {
  const [video] = await rich.loadTracks({ mediaType: 'video' });
  assert.equal(video.mediaSubType, 'avc1');
  assert.equal((await rich.loadTracks({ mediaCharacteristic: 'audible' })).length, 2);
  assert.equal((await rich.loadTrack(video.trackID)).trackID, video.trackID);
  assert.equal(await rich.loadTrack(99), undefined);
  assert.ok((await rich.findUnusedTrackID()) > video.trackID);
  const { segments } = await video.load('segments');
  assert.ok(!segments[0].isEmpty && segments[0].target.start.equals(0));
  const at = await video.segment(1);
  assert.ok(at.target.contains(1));
  assert.ok((await video.samplePresentationTime(1)).compare(1) > 0);
  assert.deepEqual(await video.associatedTracks('timecode'), []);
});

test('metadata and the cover', async () => {
  const items = await rich.loadMetadata({ commonKey: 'title' });
  assert.deepEqual(items.map(({ value }) => value), ['A clip']);
  assert.deepEqual(JSON.parse(JSON.stringify(items[0])).value, 'A clip');
  const { commonMetadata } = await rich.load('commonMetadata');
  const short = commonMetadata.find(({ commonKey }) => commonKey === 'artwork');
  const right = fs.readFileSync(cover());
  assert.deepEqual([short.value, short.size], [undefined, right.length]);
  assert.ok((await rich.artwork()).data.equals(right));
  assert.ok((await rich.artwork({ delivery: 'shm' })).data.equals(right));
  const file = path.join(folder(), 'cover.png');
  const delivered = await rich.artwork({ path: file });
  assert.ok(delivered instanceof MediaBlob && delivered.path === file);
  assert.ok((await delivered.bytes()).equals(right));
  assert.equal(await plain.artwork(), undefined);
});

test('chapters', async () => {
  const chapters = await rich.chapters({ preferredLanguages: 'de' });
  assert.deepEqual(chapters.map(({ title }) => title), ['One', 'Two']);
  assert.ok(chapters[1].timeRange.start.equals('3/2'));
  assert.equal(chapters[0].artwork, undefined);
});

test('languages', async () => {
  const group = await rich.mediaSelectionGroup('audible', { preferredLanguages: ['de', 'en'] });
  const tags = group.options.map(({ extendedLanguageTag }) => extendedLanguageTag);
  assert.deepEqual(tags, ['de', 'en']);
  assert.ok(group.options.some(({ trackID }) => trackID === group.defaultTrackID));
  assert.equal(await plain.mediaSelectionGroup('legible'), undefined);
});

test('metadata of an export', async () => {
  const [title] = await rich.loadMetadata({ commonKey: 'title' });
  const another = [{ ...title.toJSON(), value: 'Another title' }];
  for (const metadata of [[title], another, { title: 'By its common key' }]) {
    const file = path.join(folder(), 'out.mp4');
    await plain.export(file, { preset: 'Passthrough', metadata });
    const made = await engine.open(file);
    const { commonMetadata } = await made.load('commonMetadata');
    const found = commonMetadata.find(({ commonKey }) => commonKey === 'title');
    assert.equal(found.value, metadata.title ?? metadata[0].value);
    await made.close();
  }
});

test('a cursor lists the packets', async () => {
  const { packets } = probe(clip(), '-show_packets', '-select_streams', 'v:0');
  const [video] = await plain.loadTracks({ mediaType: 'video' });
  const cursor = await plain.sampleCursor(video);
  const samples = await collect(cursor.samples({ batch: 50 }));
  assert.deepEqual(
    samples.map(({ size, offset }) => [size, offset]),
    packets.map(({ size, pos }) => [Number(size), Number(pos)]),
  );
  const other = await plain.sampleCursor(video.trackID, 1.5);
  const sample = await other.sample();
  assert.ok(sample.presentationTime.compare(1.5) <= 0);
  assert.equal(await other.step(-2, 'presentation'), -2);
  const { moved, wasPinned } = await other.stepByTime(1000);
  assert.ok(moved instanceof MediaTime && wasPinned);
  const copy = await other.copy();
  assert.equal(await copy.compare(other), 0);
  const start = await plain.sampleCursor(video);
  assert.equal(await start.compare(other), -1);
  assert.equal(typeof (await copy.hasEarlierDecodedPresentedLater(other)), 'boolean');
  assert.equal(typeof (await copy.hasLaterDecodedPresentedEarlier(other)), 'boolean');
  const chunk = await copy.chunk();
  assert.ok(chunk.sampleCount > 0 && chunk.offset > 0);
  await Promise.all([cursor, other, copy, start].map((each) => each.close()));
});

test('a waveform in numbers and drawn', async () => {
  const seen = [];
  const waveform = await plain.waveform({
    ...{ count: 40, format: 'png', width: 200, height: 50, color: '#ff0000' },
    onProgress: (part) => seen.push(part),
  });
  const [channel] = waveform.channels;
  assert.ok(channel.max instanceof Float64Array && channel.length === 40);
  assert.ok(channel.max[20] > 0.05 && channel.min[20] < -0.05 && channel.rms[20] > 0.01);
  assert.deepEqual([waveform.width, waveform.height, waveform.format], [200, 50, 'png']);
  assert.equal(waveform.data.toString('latin1', 1, 4), 'PNG');
  assert.ok(seen.every((part) => part >= 0 && part <= 1));
  const numbers = await plain.waveform({ count: 3 });
  assert.throws(() => numbers.data, TypeError);
  const signal = AbortSignal.abort();
  await assert.rejects(plain.waveform({ count: 3, signal }), { name: 'AbortError' });
});

test('a contact sheet and its map', async () => {
  const file = path.join(folder(), 'sheet.jpg');
  const seen = [];
  const sheet = await plain.contactSheet({
    ...{ columns: 3, rows: 2, tileWidth: 100, path: file, tolerance: 0 },
    onProgress: (part) => seen.push(part),
  });
  assert.deepEqual([sheet.columns, sheet.rows, sheet.tiles.length], [3, 2, 6]);
  assert.equal(seen.at(-1), 1);
  assert.equal(sheet.path, file);
  assert.equal(fs.readFileSync(sheet.webVTTPath, 'utf8'), sheet.webVTT);
  assert.ok(sheet.tiles.every(({ isExact, error }) => isExact && error === undefined));
  assert.equal((await sheet.bytes()).readUInt16BE(), 0xffd8);
  const raw = await plain.contactSheet({ times: [0, 1], format: 'rgb24' });
  assert.equal(raw.planes[0].components, 3);
});
