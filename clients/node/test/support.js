// Clips, the real engine, and one that plays a script.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

import { Engine } from '../src/index.js';
import { eventually, HANG } from './waiting.cjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), 'reelwire-node-'));
process.on('exit', () => fs.rmSync(FOLDER, { recursive: true, force: true }));

/** The duration of a frame of the clip. */
export const FRAME = [1001, 30000];
export const SOURCE = path.join(HERE, '../src/index.js');

let count = 0;
/** A new folder, removed at the end. */
export function folder() {
  const made = path.join(FOLDER, `folder-${(count += 1)}`);
  fs.mkdirSync(made);
  return made;
}

export const command = (program, ...args) =>
  execFileSync(program, args.map(String), { maxBuffer: 1 << 30 });

export const ffmpeg = (...args) =>
  command('ffmpeg', '-nostdin', '-loglevel', 'error', '-y', ...args);

export const probe = (file, ...args) =>
  JSON.parse(command('ffprobe', '-v', 'error', '-of', 'json', ...args, file));

const made = new Map();
/** A fixture, made when it is wanted first. */
const fixture = (name, make) => () => {
  if (!made.has(name)) {
    const file = path.join(FOLDER, name);
    make(file);
    made.set(name, file);
  }
  return made.get(name);
};

const lavfi = (filter) => ['-f', 'lavfi', '-i', filter];

/** Four seconds of H.264 with B-frames at 30000/1001, and AAC; the width is odd for memory. */
export const clip = fixture('clip.mp4', (file) =>
  ffmpeg(
    ...lavfi('testsrc2=size=322x180:rate=30000/1001:duration=4'),
    ...lavfi('sine=frequency=440:sample_rate=48000:duration=4'),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', 24, '-bf', 2, '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-metadata', 'title=A clip'],
    file,
  ),
);

/** The clip with its pictures half a second later than its audio. */
export const lateClip = fixture('late.mp4', (file) =>
  ffmpeg(
    ...['-itsoffset', 0.5, '-i', clip(), '-i', clip(), '-map', '0:v', '-map', '1:a', '-c', 'copy'],
    file,
  ),
);

/** A picture of more than the 4096 bytes that a key brings. */
export const cover = fixture('cover.png', (file) =>
  ffmpeg(...lavfi('testsrc2=size=640x480'), '-frames:v', 1, file),
);

/** The clip with a second language, two chapters and a cover. */
export const richClip = fixture('rich.mp4', (file) => {
  const tags = path.join(FOLDER, 'tags.txt');
  const chapter = (start, end, title) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  fs.writeFileSync(
    tags,
    `;FFMETADATA1\ntitle=A clip\n${chapter(0, 1500, 'One')}${chapter(1500, 4000, 'Two')}`,
  );
  ffmpeg(
    ...['-i', clip(), ...lavfi('sine=frequency=600:duration=4'), '-i', tags, '-i', cover()],
    ...['-map', '0:v', '-map', '0:a', '-map', 1, '-map', 3, '-map_metadata', 2],
    ...['-map_chapters', 2, '-c', 'copy', '-c:a:1', 'aac', '-disposition:v:1', 'attached_pic'],
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'],
    file,
  );
});

/** A minute of video: an export of it is still running when it is cancelled. */
export const longClip = fixture('long.mp4', (file) =>
  ffmpeg(
    ...lavfi('testsrc2=size=640x360:rate=30:duration=60'),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    file,
  ),
);

/** Every frame of the clip as yuv420p, decoded by the ffmpeg command. */
export function frames() {
  const data = command(
    'ffmpeg',
    ...['-nostdin', '-loglevel', 'error', '-i', clip(), '-map', '0:v:0'],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
  );
  const size = 322 * 180 + 2 * 161 * 90;
  return Array.from({ length: data.length / size }, (_, index) =>
    data.subarray(index * size, (index + 1) * size),
  );
}

/** No handle, lease or operation is left. */
export async function nothingLeft(engine) {
  assert.deepEqual(await engine.handles(), []);
  const { leases, leasedBytes } = await engine.stats();
  assert.deepEqual({ leases, leasedBytes }, { leases: 0, leasedBytes: 0 });
  await eventually('an operation is left', async () => (await engine.stats()).operations === 0);
}

/** One real engine for the tests of a file, in which nothing may be left after `closing`. */
export async function sharedEngine(closing = () => {}) {
  const engine = await Engine.launch();
  after(async () => {
    await closing();
    if (!engine.closed) await nothingLeft(engine);
    await engine.close();
  });
  return engine;
}

/** An engine of its own for one test. */
export async function withEngine(body, options) {
  const engine = await Engine.launch(options);
  try {
    await body(engine);
    if (!engine.closed) await nothingLeft(engine);
  } finally {
    await engine.close();
  }
}

/** A scripted engine: its program, and the messages that it has received. */
export function fake(script) {
  const place = folder();
  const file = path.join(place, 'script.json');
  const log = path.join(place, 'messages.jsonl');
  const binary = path.join(place, 'fake-reelwire');
  fs.writeFileSync(file, JSON.stringify(script));
  fs.writeFileSync(log, '');
  const program = [process.execPath, path.join(HERE, 'fake-engine.js'), file, log];
  const words = program.map((word) => `'${word}'`).join(' ');
  fs.writeFileSync(binary, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const messages = (method) =>
    fs
      .readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((message) => method === undefined || message.method === method);
  /** Ends its deafness of that name. */
  const tell = (name) => fs.writeFileSync(`${file}.${name}`, '');
  return { binary, messages, tell };
}

/** Runs a body with a scripted engine. */
export async function withFake(script, body) {
  const played = fake(script);
  const engine = await Engine.launch({ binary: played.binary });
  try {
    await body(engine, played);
  } finally {
    await engine.close();
  }
  return played;
}

/** Runs a program of its own. */
export function run(code, { args = [], env = {}, onOutput } = {}) {
  const file = path.join(folder(), 'program.mjs');
  fs.writeFileSync(file, code);
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG,
  });
  const result = { stdout: '', stderr: '', child };
  child.stdout.on('data', (data) => {
    result.stdout += data;
    onOutput?.(child, result.stdout);
  });
  child.stderr.on('data', (data) => (result.stderr += data));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ ...result, code, signal }));
  });
}

/** True if a process runs; one that only waits to be reaped does not. */
export function runs(pid) {
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** Collects all objects that nothing refers to, and lets their finalizers run. */
export async function collectGarbage() {
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  for (let pass = 0; pass < 5; pass += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
