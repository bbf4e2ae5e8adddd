// The tasks that people come for, each in the lines that they would write; FFmpeg checks the results.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';

import { Engine } from '../src/index.js';
import { clip, command, ffmpeg, folder, probe } from './support.js';

let engine;
before(async () => {
  engine = await Engine.launch();
});
after(() => engine.close());

/** An asset that is closed when its test ends. */
async function open(t, ...source) {
  const asset = await engine.open(...source);
  t.after(() => asset.close());
  return asset;
}

/** A frame of a linear decode, small and grey. */
function pixels(file, number = 0) {
  const filters = `select=eq(n\\,${number}),scale=64:36:flags=area,format=gray`;
  return command(
    ...['ffmpeg', '-v', 'error', '-i', file, '-vf', filters, '-frames:v', 1, '-f', 'rawvideo', '-'],
  );
}

/** Asserts that two pictures show the same. */
function assertAlike(one, other) {
  assert.equal(one.length, other.length);
  const sum = one.reduce((total, value, index) => total + Math.abs(value - other[index]), 0);
  assert.ok(sum / one.length < 4, `they differ by ${sum / one.length}`);
}

test('how long a file is, and what is in it', async (t) => {
  const asset = await open(t, clip());
  const { duration, tracks } = await asset.load('duration', 'tracks');
  assert.ok(Math.abs(duration.seconds - 4) < 0.1);
  assert.deepEqual(tracks.map((track) => track.mediaType).sort(), ['audio', 'video']);
});

test('the first frame as a JPEG file', async (t) => {
  const file = path.join(folder(), 'a.jpg');
  const asset = await open(t, clip());
  await asset.image(undefined, { path: file });
  assertAlike(pixels(file), pixels(clip()));
});

test('a thumbnail by its width', async (t) => {
  const asset = await open(t, clip());
  const image = await asset.image(1, { width: 160 });
  assert.equal(image.width, 160);
  await assert.rejects(asset.image(1, { width: 160, maximumSize: 160 }), TypeError);
});

test('frames by their numbers', async (t) => {
  const where = folder();
  const asset = await open(t, clip());
  for await (const image of asset.images({ samples: [99, 3] }, { format: 'png' })) {
    const number = [99, 3][image.index];
    const file = path.join(where, `${number}.png`);
    fs.writeFileSync(file, image.data);
    assertAlike(pixels(file), pixels(clip(), number));
  }
});

test('media in memory', async (t) => {
  const bytes = fs.readFileSync(clip());
  for (const media of [bytes, new Uint8Array(bytes), new Blob([bytes])]) {
    const asset = await open(t, media);
    assert.ok(Math.abs((await asset.load('duration')).duration.seconds - 4) < 0.1);
  }
});

test('a stream', async (t) => {
  const asset = await open(t, Readable.toWeb(fs.createReadStream(clip())));
  assert.equal((await asset.loadTracks()).length, 2);
});

test('a file of a web server', async (t) => {
  const bytes = fs.readFileSync(clip());
  const server = http.createServer((request, response) => {
    const [, first, last] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) return response.end(bytes);
    const end = Math.min(last ? Number(last) : bytes.length - 1, bytes.length - 1);
    response.writeHead(206, {
      'Content-Range': `bytes ${first}-${end}/${bytes.length}`,
      'Content-Length': end - first + 1,
    });
    response.end(bytes.subarray(Number(first), end + 1));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const asset = await open(t, `http://127.0.0.1:${server.address().port}/clip.mp4`);
    assert.equal((await asset.loadTracks()).length, 2);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('audio for speech recognition', async (t) => {
  const asset = await open(t, clip());
  const [audio] = await asset.audio({ sampleRate: 16000, channels: 1 });
  assert.ok(audio instanceof Float32Array);
  assert.ok(Math.abs(audio.length - 64000) < 2048);
});

test('a cut without encoding', async (t) => {
  const file = path.join(folder(), 'cut.mp4');
  const asset = await open(t, clip());
  await asset.export(file, { preset: 'Passthrough', timeRange: { start: 1, duration: 2 } });
  assert.ok(Math.abs(Number(probe(file, '-show_format').format.duration) - 2) < 0.1);
});

test('a smaller file, by settings', async (t) => {
  const file = path.join(folder(), 'small.mp4');
  const asset = await open(t, clip());
  const settings = { video: { codec: 'h264', width: 160, rateFactor: 30 }, audio: null };
  await asset.export(file, { settings });
  const { streams } = probe(file, '-show_streams');
  assert.deepEqual(streams.map((stream) => [stream.codec_name, stream.width]), [['h264', 160]]);
});

test('tags and chapters', async (t) => {
  const file = path.join(folder(), 'b.mkv');
  const asset = await open(t, clip());
  const chapters = [
    { title: 'One', start: 0 },
    { title: 'Two', start: 1.5 },
  ];
  await asset.export(file, { preset: 'Passthrough', metadata: { title: 'Evening' }, chapters });
  const found = probe(file, '-show_chapters', '-show_format');
  assert.equal(found.format.tags.title, 'Evening');
  assert.deepEqual(found.chapters.map((chapter) => chapter.tags.title), ['One', 'Two']);
});

test('an error names the remedy, and times as people write them', async (t) => {
  const asset = await open(t, clip());
  await assert.rejects(asset.image(100), /shows no frame at 100 s/);
  await assert.rejects(asset.image(1, { widht: 3 }), /width/);
});

test('what is left of a file that is cut short', async (t) => {
  const [fast, short] = ['fast.mp4', 'short.mp4'].map((name) => path.join(folder(), name));
  ffmpeg('-i', clip(), '-c', 'copy', '-movflags', '+faststart', fast);
  const bytes = fs.readFileSync(fast);
  fs.writeFileSync(short, bytes.subarray(0, Math.floor((bytes.length * 2) / 3)));
  const asset = await open(t, short, { salvage: true });
  assert.ok((await asset.load('duration')).duration.seconds > 1);
});

test('subtitles in a character set that is stated', async (t) => {
  const where = folder();
  const [source, made] = ['in.srt', 'out.srt'].map((name) => path.join(where, name));
  const cue = '1\n00:00:00,000 --> 00:00:01,000\n';
  // "Привет" in ISO-8859-5.
  const text = Buffer.from([0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2]);
  fs.writeFileSync(source, Buffer.concat([Buffer.from(cue), text, Buffer.from('\n\n')]));
  const asset = await open(t, source, { characterSet: 'ISO-8859-5' });
  await asset.export(made, { preset: 'Passthrough' });
  assert.match(fs.readFileSync(made, 'utf8'), /Привет/);
  await assert.rejects(open(t, source, { characterSet: 'klingon' }), /klingon/);
});

test('an export in parts, and one that goes on', async (t) => {
  const asset = await open(t, clip());
  const where = folder();
  const [whole, joined, resumed] = ['whole', 'joined', 'resumed'].map((name) =>
    path.join(where, `${name}.mp4`),
  );
  await asset.export(whole, { preset: 'LowQuality' });
  const session = await asset.exportSession(joined, { preset: 'LowQuality' });
  t.after(() => session.close());
  const plan = await session.plan({ partCount: 2 });
  const files = plan.parts.map((_, part) => path.join(where, `${part}.part`));
  const made = await Promise.all(files.map((file, part) => session.exportPart(plan, part, file)));
  assert.deepEqual(
    made.map(({ path }) => path),
    files,
  );
  const parts = [];
  const result = await session.join(plan, files, {
    progressInterval: 0.01,
    onProgress: (part) => parts.push(part),
  });
  assert.equal(result.path, joined);
  assert.equal(parts.at(-1), 1);
  await asset.export(resumed, { preset: 'LowQuality', resume: true });
  const frames = (file) =>
    probe(file, '-count_frames', '-show_streams').streams.map((stream) => stream.nb_read_frames);
  assert.deepEqual(frames(joined), frames(whole));
  assert.deepEqual(frames(resumed), frames(whole));
  const again = await asset.exportSession(path.join(where, 'again.mp4'), { preset: 'LowQuality' });
  t.after(() => again.close());
  const swapped = [files[1], files[0], files[2]];
  await assert.rejects(again.join(plan, swapped), /is part 1, and was passed as part 0/);
});

test('subtitles of files become tracks', async (t) => {
  const script = path.join(folder(), 'ru.srt');
  // "Да" in windows-1251.
  fs.writeFileSync(
    script,
    Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'), Buffer.from([0xc4, 0xe0, 10, 10])]),
  );
  const asset = await open(t, clip());
  const output = path.join(folder(), 'subtitled.mkv');
  const properties = { characterSet: 'windows-1251', language: 'ru', timeOffset: -0.25 };
  await asset.export(output, {
    preset: 'Passthrough',
    subtitles: [{ url: script, ...properties }, script],
  });
  const shown = command('ffmpeg', '-v', 'error', '-i', output, '-map', '0:s:0', '-f', 'webvtt', '-');
  assert.match(String(shown), /00:00\.7\d\d --> 00:01\.7\d\d\nДа/);
  const languages = command(
    ...['ffprobe', '-v', 'error', '-select_streams', 's', '-show_entries', 'stream_tags=language'],
    ...['-of', 'csv=p=0', output],
  );
  assert.equal(String(languages).trim(), 'rus');
  const moved = await open(t, script, { characterSet: 'windows-1251', timeOffset: 2 });
  const text = path.join(folder(), 'moved.srt');
  await moved.export(text, { preset: 'Passthrough' });
  assert.match(fs.readFileSync(text, 'utf8'), /00:00:03,000 --> 00:00:04,000\nДа/);
});
