// Players on a manual clock, where every run is the same.

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { ContentIsUnavailableError, EngineDiedError, HandleClosedError } from '../src/index.js';
import { player as playerOf } from '../src/player-item.js';
import { clip, collect, collectGarbage, folder, sharedEngine, withEngine } from './support.js';
import { eventually } from './waiting.cjs';

const engine = await sharedEngine();

test('times and the end', async () => {
  const player = await engine.player(clip(), { clock: 'manual' });
  await player.advance(0);
  const observer = await player.observe(1);
  const boundaries = await player.at([2.5, 0.5]);
  const changes = [];
  player.on('change', ({ rate }) => changes.push(rate));
  assert.equal((await player.play()).timeControlStatus, 'playing');
  const { hostTime, time } = await player.advance(2.25);
  assert.deepEqual([hostTime.seconds, time.seconds], [2.25, 2.25]);
  assert.deepEqual(
    observer.arrived().map((each) => [each.time.seconds, each.cause]),
    [[0, 'registered'], [0, 'start'], [1, 'interval'], [2, 'interval']],
  );
  assert.deepEqual(boundaries.arrived().map(({ index }) => index), [1]);
  const ended = player.untilEnded();
  await player.advance(undefined, { to: 10 });
  await ended;
  assert.deepEqual(changes, [1, 0]);
  for await (const { index } of boundaries) {
    assert.equal(index, 0);
    break;
  }
  await observer.close();
  assert.equal((await collect(observer)).at(-1).cause, 'stop');
  await boundaries.close();
  await player.close();
});

test('unread intervals are merged, and counted', async () => {
  const player = await engine.player(clip(), { clock: 'manual' });
  await player.advance(0);
  const observer = await player.observe('1/1000');
  await player.play();
  for (let step = 1; step <= 30; step += 1) await player.advance(undefined, { to: `${step}/10` });
  const fired = observer.arrived();
  assert.equal(fired.length, 1000);
  const intervals = fired.filter(({ cause }) => cause === 'interval');
  assert.equal(intervals.reduce((sum, { coalesced }) => sum + 1 + coalesced, 0), 3000);
  assert.deepEqual([intervals[0], intervals.at(-1)].map(({ time }) => time.seconds), [0.001, 3]);
  await player.advance(undefined, { to: '31/10' });
  assert.deepEqual(observer.arrived().map(({ coalesced }) => coalesced), Array(100).fill(0));
  await player.close();
});

test('seeks, steps and the picture of now', async () => {
  const player = await engine.player(clip(), { clock: 'manual' });
  await player.advance(0);
  const { finished, time, revision, sampleIndex } = await player.seek(2, { exact: true });
  assert.deepEqual([finished, time.seconds, revision, sampleIndex], [true, 2, 1, 59]);
  const frame = await player.frame();
  assert.deepEqual([frame.sampleIndex, frame.image.width], [59, 322]);
  frame.release?.();
  // Each call has the format that it names, and there is one output.
  for (const pixelFormat of ['rgb24', 'gray', undefined]) {
    const other = await player.frame({ pixelFormat });
    assert.deepEqual([other.sampleIndex, other.image.pixelFormat], [59, pixelFormat ?? 'rgba']);
    other.release?.();
  }
  assert.equal((await (await player.currentItem()).step(-2)).stepped, -2);
  assert.equal((await player.seek('-infinity')).finished, false);
  await player.close();
});

test('nothing waits for an item that has failed', async () => {
  const player = await engine.player(path.join(folder(), 'nothing.mp4'), { clock: 'manual' });
  const item = await player.currentItem();
  const early = await item.videoOutput({ mode: 'push' });
  await player.advance(0);
  assert.equal((await player.seek(1)).finished, false);
  const late = await item.videoOutput({ mode: 'push' });
  for (const frames of [early.pushed(), late.pushed(), player.frames()]) {
    await assert.rejects(frames.next(), ContentIsUnavailableError);
  }
  await assert.rejects(player.preroll(), ContentIsUnavailableError);
  await player.replaceCurrentItem();
  const other = await engine.player(item, { clock: 'manual' });
  await assert.rejects(other.untilEnded(), ContentIsUnavailableError);
  for (const each of [early, late, other, player]) await each.close();
});

test('a queue and a loop', async () => {
  const player = await engine.queuePlayer([clip()], { clock: 'manual', audioFile: `${folder()}/a.wav` });
  const looper = await player.loop({ start: 1, duration: 0.5 });
  const waiting = new AbortController();
  const ended = player.untilEnded({ signal: waiting.signal });
  waiting.abort();
  await assert.rejects(ended, { name: 'AbortError' });
  await player.play();
  await player.advance(1.75);
  assert.equal(looper.loopCount, 3);
  assert.equal((await player.finishAudioFile()).frames, 84_000);
  await looper.close();
  await player.advance(1);
  await player.untilEnded();
  assert.deepEqual(await player.items(), []);
  await player.close();
});

test('an end is left with the answer that says so', async () => {
  // On a manual clock the notifications of it come later.
  const isToCome = async (player) => {
    const waiting = new AbortController();
    const ended = player.untilEnded({ signal: waiting.signal });
    waiting.abort();
    await assert.rejects(ended, { name: 'AbortError' });
  };
  const player = await engine.player(clip(), { clock: 'manual' });
  await player.set({ automaticallyWaitsToMinimizeStalling: false });
  await player.advance(0);
  const leaving = [
    () => player.seek(0),
    () => player.setRate(-1),
    () => player.setRate(0, { time: 1 }),
    async () => (await player.currentItem()).step(-1),
  ];
  for (const leave of leaving) {
    await player.play();
    await player.advance(60);
    await player.untilEnded();
    await player.replaceCurrentItem(await player.currentItem());
    await player.untilEnded();
    await leave();
    await isToCome(player);
  }
  await player.play();
  await player.advance(60);
  // It stays where it is.
  assert.equal((await (await player.currentItem()).step(1)).stepped, 0);
  await player.untilEnded();
  await player.close();
  const audio = await engine.audioPlayer(clip(), { clock: 'manual' });
  await audio.play();
  await audio.advance(60);
  await audio.untilEnded();
  await audio.play();
  await isToCome(audio);
  await audio.close();
  const queue = await engine.queuePlayer([clip()], { clock: 'manual' });
  const item = await queue.currentItem();
  const looper = await queue.loop(undefined, { item });
  await queue.advance(0);
  await isToCome(queue);
  await looper.close();
  for (const fill of ['insert', 'replaceCurrentItem']) {
    await queue.advanceToNextItem();
    await queue.advance(0);
    await queue.untilEnded();
    await queue[fill](item);
    await isToCome(queue);
  }
  await queue.close();
  await item.close();
});

test('items after or before a loop, and an insertion that is only checked', async () => {
  for (const existingItemsOrdering of ['loopingItemsPrecedeExistingItems', 'loopingItemsFollowExistingItems']) {
    const player = await engine.queuePlayer([clip(), clip()], { clock: 'manual' });
    const [first, second] = await player.items();
    await assert.rejects(player.insert(first, { dryRun: true }), { name: 'operationNotAllowed' });
    const asset = await engine.open(clip());
    const other = await engine.playerItem(asset);
    assert.deepEqual(await player.insert(other, { after: first, dryRun: true }), [first, second]);
    assert.deepEqual(await player.items(), [first, second]);
    const looper = await player.loop({ start: 1, duration: 0.5 }, { item: other, existingItemsOrdering });
    await player.play();
    await player.advance(1);
    const isFirst = existingItemsOrdering === 'loopingItemsPrecedeExistingItems';
    assert.equal(looper.loopCount > 0, isFirst);
    assert.equal((await player.items())[0] === first, !isFirst);
    await looper.close();
    await player.close();
    await other.close();
    await asset.close();
  }
});

test('pictures come by themselves, and a signal ends the wait for them', async () => {
  const player = await engine.player(clip(), { clock: 'host', audioDevice: { kind: 'none' } });
  const controller = new AbortController();
  const frames = player.frames({ width: 32, signal: controller.signal });
  assert.equal((await frames.next()).value.sampleIndex, 0);
  const next = frames.next();
  controller.abort();
  await assert.rejects(next, { name: 'AbortError' });
  await player.close();
});

test('a loop over frames on a manual clock ends where nothing is due', async () => {
  const player = await engine.player(clip(), { clock: 'manual' });
  const numbers = async (frames) => (await collect(frames)).map(({ sampleIndex }) => sampleIndex);
  await player.play();
  await player.advance(1);
  const frames = player.frames({ width: 32 });
  await player.advance(1);
  assert.deepEqual(await numbers(frames), [59]);
  const output = await (await player.currentItem()).videoOutput({ mode: 'push', pixelFormat: 'gray' });
  assert.deepEqual(await numbers(output.pushed()), [59]);
  await output.close();
  // The clock is moved in the loop: to the end.
  await player.seek(0, { exact: true });
  const shown = [];
  for await (const { sampleIndex } of player.frames({ width: 32, maxOutstanding: 1 })) {
    shown.push(sampleIndex);
    await player.advance('1001/30000');
  }
  assert.deepEqual(shown, [...Array(120).keys()]);
  await player.untilEnded();
  assert.deepEqual(await numbers(player.frames()), []);
  await player.seek(1, { exact: true });
  assert.deepEqual(await numbers(player.frames({ width: 32 })), [29]);
  await player.close();
});

test('who waits is kept while nothing else refers to it, and what has a listener', async () => {
  const thirdOf = async (observer) => {
    let count = 0;
    for await (const _ of observer) if ((count += 1) === 3) return;
  };
  const heard = async (player) => {
    let listener;
    await new Promise((resolve) => player.on('ended', (listener = resolve)));
    player.off('ended', listener);
  };
  const beginnings = {
    end: (player) => [player.untilEnded()],
    observer: async (player) => [thirdOf(await player.observe(0.5))],
    listener: (player) => [heard(player)],
  };
  // A function of its own: its player is gone from here when it has returned.
  const begin = async (beginning) => {
    const player = await engine.player(clip(), { clock: 'manual' });
    await player.play();
    return { player: player.handle, waiting: await beginning(player) };
  };
  for (const beginning of Object.values(beginnings)) {
    const { player, waiting } = await begin(beginning);
    await collectGarbage();
    await engine.request('player/advanceClock', { player, by: 60 });
    await Promise.all(waiting);
  }
  // They are closed then, and what was made for them.
  await eventually('no handles', async () => {
    await collectGarbage();
    return Object.keys((await engine.stats()).handles).length === 0;
  });
});

test('a lost engine ends every wait', async () => {
  await withEngine(async (lost) => {
    const player = await lost.player(clip(), { clock: 'manual' });
    const observer = await player.observe(1);
    const waits = [player.untilEnded(), collect(observer)];
    await player.advance(0);
    process.kill(lost.pid, 'SIGKILL');
    for (const wait of waits) await assert.rejects(wait, EngineDiedError);
  });
});

for (const noun of ['player', 'audioPlayer']) {
  test(`${noun}: an end that was reached stays so, and who waits for one hears of all else`, async () => {
    await withEngine(async (lost) => {
      const player = await lost[noun](clip(), { clock: 'manual' });
      const controller = new AbortController();
      const given = player.untilEnded({ signal: controller.signal });
      controller.abort();
      await assert.rejects(given, { name: 'AbortError' });
      const other = await lost[noun](clip(), { clock: 'manual' });
      const closed = assert.rejects(other.untilEnded(), HandleClosedError);
      await other.close();
      await closed;
      await player.play();
      await player.advance(60);
      await player.untilEnded();
      process.kill(lost.pid, 'SIGKILL');
      while (!lost.closed) await new Promise(setImmediate);
      await player.untilEnded();
    });
  });
}

test('the picture of now after an earlier item was closed, and in two formats at once', async () => {
  const asset = await engine.open(clip());
  const items = [await engine.playerItem(asset), await engine.playerItem(asset)];
  const player = await engine.queuePlayer(items, { clock: 'manual' });
  await player.advance(0);
  assert.equal((await player.frame()).sampleIndex, 0);
  assert.equal(await player.advanceToNextItem(), items[1]);
  await items[0].close();
  await player.advance(0);
  for (const turn of [1, 2]) assert.equal((await player.frame()).sampleIndex, 0, `turn ${turn}`);
  const formats = ['gray', 'rgb24', 'gray', 'bgra'];
  const frames = await Promise.all(formats.map((pixelFormat) => player.frame({ pixelFormat })));
  assert.deepEqual(frames.map(({ image }) => image.pixelFormat), formats);
  // One output is left.
  const outputs = async () => (await engine.handles()).filter(({ kind }) => kind === 'videoOutput').length;
  assert.equal(await outputs(), 1);
  await player.close();
  assert.equal(await outputs(), 0);
  for (const each of [items[1], asset]) await each.close();
});

test('loops end with their player, and outputs with their item', async () => {
  const asset = await engine.open(clip());
  const item = await engine.playerItem(asset);
  const player = await engine.player(item, { clock: 'host', audioDevice: { kind: 'none' } });
  const observers = [await player.observe(1), await player.at([1])];
  const output = await item.videoOutput({ mode: 'push', width: 32 });
  const shown = player.frames({ width: 32 });
  assert.equal((await shown.next()).value.sampleIndex, 0);
  const ends = [shown, ...observers].map(collect);
  await player.close();
  await Promise.all(ends);
  for (const observer of observers) {
    assert.deepEqual(await collect(observer), []);
    await observer.close();
  }
  const pushed = collect(output.pushed());
  await item.close();
  await pushed;
  assert.deepEqual(await collect(output.pushed()), []);
  await output.close();
  await asset.close();
});

test('loops over pushed frames end with the player of their item, until another one has it', async () => {
  const asset = await engine.open(clip());
  const item = await engine.playerItem(asset);
  const player = await engine.player(item, { clock: 'host', audioDevice: { kind: 'none' } });
  const output = await item.videoOutput({ mode: 'push', width: 32 });
  const pushed = output.pushed();
  const first = (await pushed.next()).value;
  assert.equal(first.sampleIndex, 0);
  first.release();
  const end = collect(pushed);
  await player.close();
  assert.deepEqual(await end, []);
  assert.equal(output.closed, false);
  // One that begins after the close ends as well, and has what another player shows.
  const other = await engine.player(item, { clock: 'manual' });
  await other.seek(2, { exact: true });
  const shown = (await collect(output.pushed())).map(({ sampleIndex }) => sampleIndex);
  assert.equal(shown.at(-1), 59);
  await other.close();
  assert.deepEqual(await collect(output.pushed()), []);
  for (const each of [output, item, asset]) await each.close();
});

test('loops over pushed frames end when the item has left its player, until it is in it again', async () => {
  const asset = await engine.open(clip());
  const options = { clock: 'host', audioDevice: { kind: 'none' } };
  for (const leave of [
    (player) => player.advanceToNextItem(),
    (player, item) => player.remove(item),
    (player) => player.removeAllItems(),
    (player) => player.replaceCurrentItem(),
  ]) {
    const [item, next] = [await engine.playerItem(asset), await engine.playerItem(asset)];
    const player = await engine.queuePlayer([item, next], options);
    const output = await item.videoOutput({ mode: 'push', width: 32 });
    const pushed = output.pushed();
    (await pushed.next()).value.release();
    const end = collect(pushed);
    await leave(player, item);
    assert.deepEqual(await end, []);
    await player.removeAllItems();
    await player.insert(item);
    const again = output.pushed();
    assert.equal((await again.next()).value.sampleIndex, 0);
    // An item that is played before it doesn't have it leave.
    const other = await engine.playerItem(asset);
    const looper = await player.loop(undefined, { item: other });
    await player.advanceToNextItem();
    assert.equal((await again.next()).value.sampleIndex, 0);
    await looper.close();
    await again.return();
    for (const each of [player, item, next, other]) await each.close();
  }
  await asset.close();
});

test('an item that a player has refused is that of its own player', async () => {
  const asset = await engine.open(clip());
  const item = await engine.playerItem(asset);
  const player = await engine.player(item, { clock: 'manual' });
  const queue = await engine.queuePlayer([clip()], { clock: 'manual' });
  const other = await engine.player(clip(), { clock: 'manual' });
  for (const refused of [
    () => queue.insert(item),
    () => other.replaceCurrentItem(item),
    () => queue.loop(undefined, { item }),
  ]) {
    await assert.rejects(refused);
    assert.equal(item[playerOf], player);
  }
  const counts = new Map([player, queue, other].map((each) => [each, 0]));
  for (const each of counts.keys()) each.on('ended', () => counts.set(each, counts.get(each) + 1));
  // It is given to its player twice, and is heard once.
  await player.replaceCurrentItem();
  await player.replaceCurrentItem(item);
  await player.play();
  await player.advance(60);
  assert.deepEqual([...counts.values()], [1, 0, 0]);
  // A player that has had it hears no more of it.
  await player.replaceCurrentItem();
  await other.replaceCurrentItem(item);
  assert.equal(item[playerOf], other);
  await other.seek(0);
  await other.play();
  await other.advance(60);
  assert.deepEqual([...counts.values()], [1, 0, 1]);
  for (const each of [player, queue, other, item, asset]) await each.close();
});
