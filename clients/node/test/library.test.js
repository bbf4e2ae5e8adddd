// Libraries: scans, queries, items and changes.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { MediaTime } from '../src/index.js';
import { clip, collect, collectGarbage, ffmpeg, folder, sharedEngine } from './support.js';
import { eventually } from './waiting.cjs';

const data = folder();
process.env.XDG_DATA_HOME = data;
process.env.XDG_CACHE_HOME = folder();
const engine = await sharedEngine();

/** A folder with a film, two tones of the same content, and a file that is no film. */
function media() {
  const place = folder();
  fs.mkdirSync(path.join(place, 'lakes'));
  fs.copyFileSync(clip(), path.join(place, 'lakes', 'lake.mp4'));
  const tone = path.join(place, 'tone.wav');
  ffmpeg('-f', 'lavfi', '-i', 'sine=duration=0.5', tone);
  fs.copyFileSync(tone, path.join(place, 'lakes', 'again.wav'));
  fs.writeFileSync(path.join(place, 'broken.mp4'), 'no film');
  return place;
}

async function scanned(place, options) {
  const library = await engine.library(place, { watch: false, ...options });
  await library.scan();
  return library;
}

test('what is scanned is found', async () => {
  const place = media();
  const library = await engine.library(place, { watch: false });
  assert.ok(library.database.startsWith(data));
  const seen = [];
  const first = await library.scan({ onProgress: (progress) => seen.push(progress) });
  assert.equal(first.added, 4);
  assert.deepEqual(first.errors.map((item) => item.path), [path.join(place, 'broken.mp4')]);
  assert.equal(first.errors[0].error.name, 'fileFormatNotRecognized');
  assert.ok(seen.every(({ folder: where }) => typeof where === 'string'));
  assert.equal((await library.scan()).probed, 0);
  const status = await library.status();
  assert.deepEqual(status.folders.map(({ path: name, itemCount }) => [name, itemCount]), [[place, 4]]);

  const found = await library.videos
    .where({ duration: { greaterThan: 3, lessThan: new MediaTime(5, 1) }, title: { contains: 'CLIP' } })
    .text('lake')
    .toArray();
  assert.equal(found.length, 1);
  const [film] = found;
  assert.equal(film.path, path.join(place, 'lakes', 'lake.mp4'));
  assert.equal(film.name, 'lake.mp4');
  assert.ok(Math.abs(film.duration.seconds - 4) < 0.1);
  assert.equal(film.metadata.title, 'A clip');
  assert.ok(film.addedAt instanceof Date && film.addedAt > new Date(2020, 1));
  assert.ok(Object.isFrozen(film));
  assert.deepEqual((await film.values({ keys: ['title'] })).title, ['A clip']);
  const asset = await film.open();
  assert.equal((await asset.loadTracks()).length, 2);
  await asset.close();
  const picture = await film.thumbnail({ width: 64 });
  assert.equal(picture.width, 64);
  assert.equal(picture.data.readUInt16BE(0), 0xffd8);
  assert.equal((await library.item(film.id)).path, film.path);
  await library.close();
});

test('queries are lazy, and none changes another one', async () => {
  const library = await scanned(media());
  const all = library.items.orderBy('name');
  const names = async (query) => (await collect(query)).map(({ name }) => name);
  assert.deepEqual(await names(all), ['again.wav', 'lake.mp4', 'tone.wav']);
  assert.deepEqual(await names(all.orderBy('-name').limit(2)), ['tone.wav', 'lake.mp4']);
  assert.deepEqual(await names(all.where({ mediaType: 'audio' })), ['again.wav', 'tone.wav']);
  assert.deepEqual(await names(all.where({ name: ['tone.wav', 'other'] })), ['tone.wav']);
  assert.deepEqual(await names(all.where({ addedAt: { lessThan: new Date(2000, 1) } })), []);
  assert.deepEqual(await names(all.where({ not: { key: 'mediaType', op: 'is', value: 'audio' } })), [
    'lake.mp4',
  ]);
  assert.deepEqual(await names(library.items.where({ state: 'unreadable' })), ['broken.mp4']);
  assert.equal(await all.count(), 3);
  assert.deepEqual([...(await all.countBy('mediaType'))], [
    ['audio', 2],
    ['video', 1],
  ]);
  assert.equal((await all.first()).name, 'again.wav');
  assert.equal(await all.where({ name: 'nothing' }).first(), undefined);
  assert.throws(() => all.where({ width: { larger: 5 } }), /width is compared by is, isNot/);
  assert.throws(() => all.where('wide'), /where takes an object/);
  await assert.rejects(all.where({ nothing: 1 }).count(), (error) => {
    assert.equal(error.errors?.[0]?.path ?? error.data?.errors?.[0]?.path, '/predicate/all/0/key');
    return true;
  });
  const result = await all.fetch();
  assert.equal((await result.at(-1)).name, 'tone.wav');
  assert.equal(await result.at(3), undefined);
  const [, second] = await result.slice(0, 2);
  assert.equal(await result.indexOf(second), 1);
  assert.equal(await result.indexOf('none'), -1);
  await result.close();
  assert.deepEqual(
    (await engine.request('handle/list', {})).handles.filter(({ kind }) => kind === 'fetchResult'),
    [],
  );
  await library.close();
});

test('a library with a listener is kept while nothing else refers to it', async () => {
  const place = media();
  // A function of its own: its library is gone from here when it has returned.
  const begin = async () => {
    const library = await scanned(place);
    const heard = [];
    library.onChange = (change) => heard.push(change);
    return { handle: library.handle, heard };
  };
  const { handle, heard } = await begin();
  await collectGarbage();
  fs.rmSync(path.join(place, 'tone.wav'));
  await engine.request('library/scan', { library: handle });
  await eventually('a change', () => heard.length > 0);
  await engine.request('handle/close', { handle });
});

test('collections, duplicates and changes', async () => {
  const place = media();
  const library = await scanned(place);
  const folders = await library.collections('folder');
  assert.deepEqual(folders.map(({ title, count }) => [title, count]), [
    [place, 1],
    [path.join(place, 'lakes'), 2],
  ]);
  assert.equal(await folders[1].items.count(), 2);
  const [group, ...others] = await library.duplicates();
  assert.deepEqual(group.map(({ name }) => name).sort(), ['again.wav', 'tone.wav']);
  assert.deepEqual(others, []);
  const { changeToken } = await library.status();
  const observed = await library.items.orderBy('name').fetch({ observe: true });
  let change;
  library.onChange = (news) => {
    if (news.results.length > 0) change = news;
  };
  fs.rmSync(path.join(place, 'tone.wav'));
  await library.scan();
  // A wait for an event that may never come doesn't keep a program alive.
  await eventually('a change', () => change !== undefined);
  assert.equal(change.results[0].result, observed);
  assert.deepEqual(change.results[0].removed, [2]);
  assert.equal(observed.count, 2);
  const { changes } = await library.changes(changeToken);
  assert.deepEqual(changes.map(({ kind }) => kind), ['removed']);
  await assert.rejects(library.changes(1e9), { name: 'changeTokenExpired' });
  await observed.close();
  await library.close();
});

test('folders come and go, and a scan is cancelled', async () => {
  const place = media();
  const database = path.join(folder(), 'own.sqlite');
  const library = await engine.library({ database, watch: false });
  assert.equal(library.database, database);
  await library.addFolder(place, { excluded: ['lakes'] });
  assert.equal((await library.scan({ folder: place })).added, 2);
  await library.removeFolder(place);
  assert.equal(await library.items.count(), 0);
  await assert.rejects(library.removeFolder(place), { name: 'contentIsUnavailable' });
  await library.addFolder(place);
  const cancel = new AbortController();
  cancel.abort();
  await assert.rejects(library.scan({ signal: cancel.signal }), { name: 'AbortError' });
  await library.cancelScan();
  assert.equal((await library.scan()).seen, 4);
  const [film] = await library.videos.toArray();
  fs.rmSync(film.path);
  await library.scan();
  await assert.rejects(film.open(), { name: 'contentIsUnavailable' });
  await library.close();
});
