// The extension with an engine, in the place where VS Code would be.

'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { after, before, test } = require('node:test');

const support = require('./support.js');
const { EXTENSION, Uri, extension, fixture, lateClip, nothingLeft, open } = support;
const { providers, settings } = support;

const manifest = JSON.parse(fs.readFileSync(path.join(EXTENSION, 'package.json'), 'utf8'));
const subscriptions = [];
let api;

before(() => {
  api = extension.activate({ subscriptions, extensionUri: Uri.file(EXTENSION) });
});

after(async () => {
  for (const each of subscriptions) each.dispose();
  assert.equal(providers.size, 0);
  await extension.deactivate();
});

const bytes = (url, type) => {
  assert.ok(url.startsWith(`data:${type};base64,`), url.slice(0, 40));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
};

/** An editor that is closed at the end, after which the engine holds nothing. */
async function showing(name, body) {
  const { document, panel } = await open(fixture(name));
  try {
    await body(panel, document);
  } finally {
    panel.dispose();
    document.dispose();
  }
  await nothingLeft(await api.engine());
}

test('every editor that package.json tells of is there', () => {
  const told = manifest.contributes.customEditors.map(({ viewType }) => viewType);
  assert.deepEqual([...providers.keys()], told);
  assert.equal(manifest.contributes.configuration.properties['reelwire.program'].scope, 'machine');
  assert.ok(fs.existsSync(path.join(EXTENSION, manifest.main)));
  // MPEG transport streams share these with TypeScript, and come first nowhere.
  const [{ selector }] = manifest.contributes.customEditors;
  const patterns = selector.map(({ filenamePattern }) => filenamePattern).join();
  assert.match(patterns, /\bmkv\b/);
  assert.doesNotMatch(patterns, /\b[mc]?ts\b/);
});

test('the page loads its own script and style, and nothing else', async () => {
  await showing('clip', ({ webview }) => {
    const { html, options } = webview;
    assert.deepEqual(options.localResourceRoots.map(String), [`file://${EXTENSION}/media`]);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html);
    const [, nonce] = /<script nonce="([^"]+)" src="[^"]*\/media\/view\.js">/.exec(html);
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      'img-src data:',
      'style-src vscode-webview:',
      `script-src 'nonce-${nonce}'`,
    ]);
    assert.doesNotMatch(html, /<style| style=| on\w+=|https?:/);
    for (const [, file] of html.matchAll(/(?:src|href)="file:\/\/([^"]+)"/g)) {
      assert.ok(fs.existsSync(file), file);
    }
  });
});

test('a page is told facts, and gets pictures', async () => {
  await showing('clip', async (panel) => {
    panel.ready();
    const facts = await panel.next('facts');
    assert.equal(facts.duration, 2);
    assert.deepEqual(facts.tracks, [
      ['1', 'video', 'h264 (High), 160 × 90, 25 frames/s, yuv420p'],
      ['2', 'audio', 'aac (LC), 48 kHz, mono'],
    ]);
    assert.deepEqual(facts.tags.slice(0, 2), [
      ['duration', '0:02.000'],
      ['title', 'A clip'],
    ]);

    const filmstrip = await panel.next('filmstrip');
    assert.equal(bytes(filmstrip.url, 'image/jpeg').readUInt16BE(0), 0xffd8);
    assert.deepEqual([filmstrip.start, filmstrip.seconds], [0, 2]);
    const picture = bytes((await panel.next('waveform')).url, 'image/png');
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [640, 96]);

    const place = await panel.next('place');
    assert.equal(bytes(place.url, 'image/jpeg').readUInt16BE(0), 0xffd8);
    assert.deepEqual([place.seconds, place.text], [0, 'frame 0, 0:00.000 (0/12800)']);
  });
});

test('one moves by frames and to times', async () => {
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('place');
    const goes = async (message, frame) => {
      panel.say({ type: 'step', ...message });
      const { seconds, text } = await panel.next('place');
      assert.equal(seconds, frame / 25);
      assert.match(text, new RegExp(`^frame ${frame}, .*\\(${frame * 512}/12800\\)$`));
    };
    await goes({ count: 1 }, 1);
    await goes({ count: 10 }, 11);
    await goes({ count: -2 }, 9);
    await goes({ seconds: 1.0399 }, 25);
    await goes({ count: 1e9 }, 49);
    await goes({ count: 1 }, 49);
    await goes({ count: -1e9 }, 0);
  });
});

test('the beginning is the first frame, also where that is shown later', async () => {
  const { document, panel } = await open(lateClip());
  panel.ready();
  await panel.next('place');
  panel.say({ type: 'step', seconds: 0 });
  assert.match((await panel.next('place')).text, /^frame 0, 0:00\.500/);
  panel.say({ type: 'step', seconds: 0.25 });
  const nothing = await panel.next('place');
  assert.deepEqual([nothing.seconds, nothing.url], [0.25, undefined]);
  panel.dispose();
  document.dispose();
});

test('of places in a hurry only the last one counts, and no step is lost', async () => {
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('place');
    for (let index = 0; index < 20; index += 1) panel.say({ type: 'step', seconds: index / 25 });
    panel.say({ type: 'step', seconds: 1 });
    for (let index = 0; index < 5; index += 1) panel.say({ type: 'step', count: 1 });
    const first = await panel.next('place');
    assert.equal(first.seconds, 0);
    assert.equal((await panel.next('place')).seconds, 30 / 25);
  });
});

test('a place without a frame is told', async () => {
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('place');
    panel.say({ type: 'step', seconds: 60 });
    const { url, text } = await panel.next('place');
    assert.equal(url, undefined);
    assert.ok(text.length > 0);
  });
});

test('what is wrong with a file is told, with what to do next', async () => {
  await showing('broken', async (panel) => {
    panel.ready();
    assert.match((await panel.next('problem')).text, /broken\.mp4[^]*media file/);
    assert.deepEqual(panel.messages, []);
    panel.say({ type: 'step', count: 1 });
  });
});

test('a page that was hidden comes back, and is told everything again', async () => {
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('facts');
    panel.messages.length = 0;
    panel.ready();
    for (const type of ['facts', 'place', 'filmstrip', 'waveform']) await panel.next(type);
    const { handles } = await (await api.engine()).stats();
    assert.equal(handles.asset, 1);
  });
});

test('an editor that is closed at once leaves nothing', async () => {
  await showing('long', (panel) => panel.ready());
  await showing('long', async (panel) => {
    panel.ready();
    await panel.next('facts');
  });
});

test('what is no file of this machine is refused', async () => {
  const { provider } = providers.get('reelwire.any');
  const uri = new Uri('git', '/clip.mp4');
  await assert.rejects(provider.openCustomDocument(uri, {}, {}), /files, not git/);
});

test('an engine that has died is followed by another', async () => {
  const engine = await api.engine();
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('place');
    process.kill(engine.pid, 'SIGKILL');
    while (!engine.closed) await new Promise(setImmediate);
    panel.say({ type: 'step', count: 1 });
    assert.ok((await panel.next('place')).text);
  });
  assert.notEqual((await api.engine()).pid, engine.pid);
});

test('a program that is missing is told, and looked for again', async () => {
  await (await api.engine()).close();
  const { program } = settings;
  settings.program = 'no-such-program';
  await assert.rejects(open(fixture('clip')), /no-such-program/);
  settings.program = program;
  await showing('clip', async (panel) => {
    panel.ready();
    await panel.next('facts');
  });
});
