// The extension plays: pictures come one by one, as the page draws them.

'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');

const support = require('./support.js');
const { EXTENSION, Uri, extension, fixture, nothingLeft, open, tune, vscode } = support;

const subscriptions = [];
let api;

before(() => {
  api = extension.activate({ subscriptions, extensionUri: Uri.file(EXTENSION) });
});

after(async () => {
  for (const each of subscriptions) each.dispose();
  await extension.deactivate();
});

/** An editor whose first picture is there; the objects that it has opened are closed at the end. */
async function showing(file, body) {
  const { document, panel } = await open(file);
  try {
    panel.ready();
    const facts = await panel.next('facts');
    if (file.endsWith('.mp4')) await panel.next('place');
    await body(panel, facts);
  } finally {
    panel.dispose();
    document.dispose();
  }
  await nothingLeft(await api.engine());
}

const play = (panel, more) => panel.say({ type: 'play', rate: 1, audio: false, ...more });

/** The places while it plays, each drawn at once, until `isEnough`; or up to the end of playing. */
async function played(panel, isEnough = () => false) {
  const places = [];
  for (;;) {
    const message = await panel.next('place', 'playing');
    if (message.type === 'playing') {
      if (message.isPlaying) continue;
      return places;
    }
    places.push(message);
    if (isEnough(message, places)) return places;
    panel.say({ type: 'drawn' });
  }
}

const isAscending = (places) =>
  places.every(({ seconds }, index) => index === 0 || seconds >= places[index - 1].seconds);

test('a file is played to its end, and stays at its last frame', async () => {
  await showing(fixture('clip'), async (panel) => {
    play(panel, { rate: 4 });
    const places = await played(panel);
    assert.ok(places.every(({ isPlaying }) => isPlaying));
    assert.ok(isAscending(places));
    const pictures = places.filter(({ url }) => url);
    assert.ok(pictures.every(({ url }) => url.startsWith('data:image/jpeg;base64,/9j/')));
    assert.equal(pictures[0].text, 'frame 0, 0:00.000');
    const { seconds, text, isPlaying } = await panel.next('place');
    assert.deepEqual([seconds, isPlaying], [49 / 25, undefined]);
    assert.match(text, /^frame 49, /);
    // From there it begins again.
    play(panel, { rate: 4 });
    assert.equal((await played(panel, () => true))[0].seconds, 0);
  });
});

test('the next picture is sent when one has been drawn', async () => {
  await showing(fixture('clip'), async (panel) => {
    play(panel, { rate: 8 });
    await panel.next('playing');
    await panel.next('playing');
    const waiting = panel.messages.filter(({ type, isPlaying }) => type === 'place' && isPlaying);
    assert.equal(waiting.length, 1);
  });
});

test('a pause shows the very frame, and playing goes on from there', async () => {
  await showing(fixture('long'), async (panel) => {
    play(panel);
    await played(panel, ({ seconds }) => seconds > 0.2);
    panel.say({ type: 'pause' });
    await played(panel);
    const { seconds, text } = await panel.next('place');
    assert.ok(seconds >= 0.2 && seconds < 20, String(seconds));
    const frame = Math.round(seconds * 25);
    assert.match(text, new RegExp(`^frame ${frame}, .*\\(${frame * 512}/12800\\)$`));
    play(panel);
    const [next] = await played(panel, () => true);
    assert.ok(next.seconds >= seconds);
  });
});

test('one goes elsewhere while it plays, and steps by frames pause it', async () => {
  await showing(fixture('long'), async (panel) => {
    play(panel);
    await played(panel, ({ seconds }) => seconds > 0);
    panel.say({ type: 'step', seconds: 20 });
    panel.say({ type: 'drawn' });
    const places = await played(panel, ({ seconds }) => seconds >= 20.2);
    assert.ok(places.at(-1).url);
    panel.say({ type: 'step', count: -1 });
    await played(panel);
    const { seconds, isPlaying } = await panel.next('place');
    assert.ok(seconds > 20 && seconds < 40 && !isPlaying);
  });
});

test('another rate is one of the same playing', async () => {
  await showing(fixture('long'), async (panel) => {
    play(panel);
    await played(panel, () => true);
    panel.say({ type: 'rate', rate: 32 });
    panel.say({ type: 'drawn' });
    const places = await played(panel);
    assert.ok(isAscending(places));
    assert.match((await panel.next('place')).text, /^frame 999, /);
  });
});

test('a selection is looped, and all of a file', async () => {
  for (const [loop, start, end] of [[{ start: 0.5, end: 0.6 }, 0.5, 0.6], [{}, 0, 2]]) {
    await showing(fixture('clip'), async (panel) => {
      play(panel, { rate: 4, loop });
      let passes = 0;
      const places = await played(panel, ({ seconds }, all) => {
        passes += all.length > 1 && seconds < all.at(-2).seconds;
        return passes === 3;
      });
      assert.ok(places.every(({ seconds }) => seconds >= start && seconds <= end));
      // Without the loop it continues from there to the end.
      play(panel, { rate: 4 });
      panel.say({ type: 'drawn' });
      const [next] = await played(panel);
      assert.ok(next.seconds >= start);
      assert.match((await panel.next('place')).text, /^frame 49, /);
    });
  }
});

test('audio alone has a place that moves', async () => {
  await showing(tune(), async (panel, facts) => {
    assert.equal(facts.hasAudio, true);
    panel.say({ type: 'step', seconds: 0.25 });
    await panel.next('place');
    assert.deepEqual(await panel.next('place'), { type: 'place', seconds: 0.25, text: '0:00.250' });
    play(panel);
    const places = await played(panel);
    assert.ok(isAscending(places) && places.every(({ url }) => url === undefined));
    assert.equal(places[0].seconds, 0.25);
    assert.deepEqual(await panel.next('place'), { type: 'place', seconds: 0.5, text: '0:00.500' });
  });
});

test('there is sound at once in a window of this machine, and elsewhere when one wants it', async () => {
  await showing(fixture('clip'), (panel, { audio }) => assert.equal(audio, false));
  vscode.env.remoteName = undefined;
  await showing(fixture('clip'), async (panel, { audio }) => {
    assert.equal(audio, true);
    // Without an audio server it plays on, in silence.
    play(panel, { audio: true, rate: 4 });
    await played(panel);
    assert.match((await panel.next('place')).text, /^frame 49, /);
  });
  vscode.env.remoteName = 'ssh-remote';
});

test('an editor that is closed while it plays leaves nothing', async () => {
  await showing(fixture('long'), (panel) => play(panel));
  await showing(fixture('long'), async (panel) => {
    play(panel);
    await played(panel, () => true);
  });
});

test('an engine that dies ends the playing, and is followed by another', async () => {
  const engine = await api.engine();
  await showing(fixture('long'), async (panel) => {
    play(panel);
    await played(panel, () => true);
    process.kill(engine.pid, 'SIGKILL');
    await played(panel);
    assert.ok((await panel.next('problem')).text);
  });
});
