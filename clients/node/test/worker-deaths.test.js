// Loops over an object whose worker process dies: each ends with the error, and none waits for ever.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { Engine, EngineDiedError, WorkerDiedError } from '../src/index.js';
import { clip, collect, ffmpeg, folder, withEngine } from './support.js';
import { eventually } from './waiting.cjs';

const SMALL = { width: 64, height: 48 };
const long = path.join(folder(), 'long.mp4');
ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=30:duration=60', '-pix_fmt', 'yuv420p', long);

/** The value of a function; `undefined` where its process or thread has ended. */
function unlessEnded(body) {
  try {
    return body();
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return undefined;
  }
}

/** Kills the worker processes that an engine has now. */
function kill({ pid }) {
  for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
    const file = `/proc/${pid}/task/${thread}/children`;
    const children = unlessEnded(() => fs.readFileSync(file, 'utf8')) ?? '';
    for (const child of children.split(' ').filter(Boolean)) {
      unlessEnded(() => process.kill(Number(child), 'SIGKILL'));
    }
  }
}

/** The ends of loops that have had their first turn. */
async function begun(iterables) {
  const loops = iterables.map((each) => each[Symbol.asyncIterator]());
  for (const loop of loops) await loop.next();
  return loops.map((loop) => collect({ [Symbol.asyncIterator]: () => loop }));
}

async function allDied(waits) {
  await Promise.all(waits.map((wait) => assert.rejects(wait, WorkerDiedError)));
}

/** Runs a function of an engine that has worker processes. */
const dying = (name, body) =>
  test(name, async (context) => {
    const engine = await Engine.launch();
    try {
      if ((await engine.stats()).isolation) await body(engine);
      else context.skip('the engine has no worker processes');
    } finally {
      await engine.close();
    }
  });

dying('loops over a player', async (engine) => {
  const player = await engine.player(long, { clock: 'host', audioDevice: { kind: 'none' } });
  const item = await player.currentItem();
  const output = await item.videoOutput({ mode: 'push' });
  const times = Array.from({ length: 600 }, (_, n) => n / 10);
  const observers = [await player.observe(0.1), await player.at(times)];
  await player.play();
  const waits = await begun([player.frames({ width: 64 }), output.pushed(), ...observers]);
  waits.push(player.untilEnded());
  kill(engine);
  await allDied(waits);
  // Those that begin later, too.
  await assert.rejects(output.pushed().next(), WorkerDiedError);
  await assert.rejects(observers[0].firings().next(), WorkerDiedError);
});

dying('loops over a capture session', async (engine) => {
  const session = await engine.capture({ synthetic: SMALL });
  const observer = await session.observeLevels({ interval: 0.05 });
  const preview = await session.addOutput('preview');
  const waits = await begun([observer, preview, session.frames({ width: 64 })]);
  kill(engine);
  await allDied(waits);
  assert.ok(session.error instanceof WorkerDiedError);
  for (const each of [observer, preview, session]) {
    await each.close();
    assert.ok(each.closed);
  }
});

dying('the end of a session is that of a preview', async (engine) => {
  const session = await engine.capture({ synthetic: SMALL });
  const preview = await session.addOutput('preview');
  for (const turn of [1, 2]) {
    const [wait] = await begun([preview]);
    await session.stop();
    assert.ok((await wait).every(({ image }) => image));
    if (turn === 1) await session.start();
  }
});

dying('a watched library', async (engine) => {
  const place = folder();
  const library = await engine.library(place, { database: path.join(folder(), 'library.sqlite') });
  const [changes, errors] = [[], []];
  library.onChange = (change) => changes.push(change);
  library.onError = (error) => errors.push(error);
  await library.scan();
  fs.copyFileSync(clip(), path.join(place, 'a.mp4'));
  await eventually('a change', () => changes.length > 0);
  kill(engine);
  await eventually('the failure', () => errors.length > 0);
  assert.ok(errors.length === 1 && errors[0] instanceof WorkerDiedError);
  await assert.rejects(library.status(), WorkerDiedError);
});

test('a library whose engine dies', async () => {
  await withEngine(async (engine) => {
    const library = await engine.library(folder(), { database: path.join(folder(), 'library.sqlite') });
    const errors = [];
    library.onError = (error) => errors.push(error);
    process.kill(engine.pid, 'SIGKILL');
    await eventually('the failure', () => errors.length > 0);
    assert.ok(errors.length === 1 && errors[0] instanceof EngineDiedError);
  });
});
