// The page of an editor in Chromium, with an engine: what people see, and the keys and the mouse that they use.

'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { after, before, test } = require('node:test');

const { EXTENSION, Uri, extension, fixture, nothingLeft, tune } = require('./support.js');
const { Chromium, PROGRAM, Tab } = require('./chromium.js');

const skip = PROGRAM ? false : 'there is no Chromium, and .ci/setup editors could not install it';
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 260, height: 700 };
/** The size in which pictures are compared. */
const [WIDTH, HEIGHT] = [64, 36];

const subscriptions = [];
let api;
let browser;

before(() => {
  api = extension.activate({ subscriptions, extensionUri: Uri.file(EXTENSION) });
  if (!skip) browser = new Chromium();
});

after(async () => {
  await browser?.close();
  for (const each of subscriptions) each.dispose();
  await extension.deactivate();
});

/** A tab that is closed at the end; the page has broken no rule of its policy and thrown nothing. */
async function showing(file, size, body) {
  const tab = await Tab.open(browser, file, size);
  try {
    await tab.until('document.querySelector("#tags tr")');
    await body(tab);
    assert.deepEqual(await tab.evaluate('violations'), []);
  } finally {
    await tab.close();
  }
  await nothingLeft(await api.engine());
}

/** For people to look at: REELWIRE_SCREENSHOTS=folder. */
async function save(tab, name) {
  const folder = process.env.REELWIRE_SCREENSHOTS;
  if (folder) fs.writeFileSync(path.join(folder, `${name}.png`), await tab.screenshot());
}

const grey = (options, input) => {
  const form = ['-vf', `scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`, '-f', 'rawvideo', '-'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...options, ...form], { input, maxBuffer: 1 << 28 });
  const size = WIDTH * HEIGHT;
  return Array.from({ length: bytes.length / size }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
};

const decoded = new Map();
/** The frames of a file as ffmpeg decodes them. */
function framesOf(file) {
  if (!decoded.has(file)) decoded.set(file, grey(['-i', file]));
  return decoded.get(file);
}

/** The number of the frame that a screenshot of the page shows, which has to be more alike than any other. */
async function shown(tab, file) {
  await tab.evaluate('$.frame.decode()');
  const box = await tab.box('frame');
  const [width, height] = await tab.evaluate('[$.frame.naturalWidth, $.frame.naturalHeight]');
  const scale = Math.min(box.width / width, box.height / height);
  const [left, top] = [box.left + (box.width - width * scale) / 2, box.top + (box.height - height * scale) / 2];
  const png = await tab.screenshot({ left, top, width: width * scale, height: height * scale });
  const [picture] = grey(['-f', 'png_pipe', '-i', '-'], png);
  const distance = (frame) => frame.reduce((sum, value, n) => sum + Math.abs(value - picture[n]), 0);
  const distances = framesOf(file).map(distance);
  const least = Math.min(...distances);
  assert.ok(least / (WIDTH * HEIGHT) < 8, `no frame is like it: ${least / (WIDTH * HEIGHT)}`);
  return distances.indexOf(least);
}

const at = (frame) => `$.place.textContent.startsWith('frame ${frame}, ')`;

/** Everything is inside of the page, and nothing on anything else. */
async function isLaidOut(tab) {
  const { overflow, boxes } = await tab.evaluate(`({
    overflow: document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth,
    boxes: [...document.querySelectorAll('#frame, #place, #controls > *, #problem, #strip, table')]
      .filter((each) => each.checkVisibility())
      .map((each) => [each.id || each.textContent.trim(), each.getBoundingClientRect()])
      .map(([name, { left, top, right, bottom }]) => ({ name, left, top, right, bottom })),
  })`);
  assert.ok(overflow <= 0, `wider than its page by ${overflow}`);
  for (const [index, one] of boxes.entries()) {
    assert.ok(one.left >= 0 && one.right > one.left, JSON.stringify(one));
    for (const other of boxes.slice(index + 1)) {
      const isBeside = one.right <= other.left || other.right <= one.left;
      assert.ok(isBeside || one.bottom <= other.top || other.bottom <= one.top, JSON.stringify([one, other]));
    }
  }
}

for (const [name, size] of [['wide', WIDE], ['narrow', NARROW], ['light', { ...WIDE, theme: 'light' }]]) {
  test(`a page that is ${name} shows the first frame, the strip and the facts`, { skip }, async () => {
    await showing(fixture('movie'), size, async (tab) => {
      await tab.until(`${at(0)} && !$.filmstrip.hidden && !$.waveform.hidden && $.waveform.naturalWidth`);
      assert.equal(await shown(tab, fixture('movie')), 0);
      const text = await tab.evaluate('document.body.innerText');
      const video = 'h264 (High), 320 × 180, 25 frames/s';
      for (const part of [video, 'aac (LC), 48 kHz', 'deu', '0:04.000', 'A test pattern']) {
        assert.ok(text.includes(part), text);
      }
      const [strip, film, wave] = [await tab.box('strip'), await tab.box('filmstrip'), await tab.box('waveform')];
      assert.deepEqual([film.left, wave.left], [strip.left, strip.left]);
      assert.ok(Math.abs(film.width - strip.width) < 1 && Math.abs(wave.width - strip.width) < 1);
      assert.ok(wave.top >= film.bottom - 1 && film.height > 8);
      await isLaidOut(tab);
      await save(tab, name);
    });
  });
}

test('long tags and names of tracks stay in the page', { skip }, async () => {
  const file = path.join(path.dirname(fixture('clip')), 'tags.mp4');
  const tags = ['-metadata', `title=${'x'.repeat(400)}`, '-metadata', `comment=${'many words '.repeat(40)}`];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('clip'), '-c', 'copy', ...tags, file]);
  await showing(file, NARROW, async (tab) => {
    await tab.until(at(0));
    await isLaidOut(tab);
    await save(tab, 'tags');
  });
});

test('the frame is that of the place on the strip', { skip }, async () => {
  const file = fixture('clip');
  await showing(file, WIDE, async (tab) => {
    await tab.until(`${at(0)} && !$.filmstrip.hidden && !$.waveform.hidden`);
    const { left, top, width, height } = await tab.box('strip');
    for (const frame of [30, 7, 49]) {
      // In the middle of the time that it is shown.
      const place = [left + ((frame + 0.5) / 50) * width, top + height / 2];
      await tab.drag([[left + width / 3, top + height / 2], place]);
      await tab.until(at(frame));
      assert.equal(await shown(tab, file), frame);
      const head = await tab.box('head');
      assert.ok(Math.abs(head.left - (left + (frame / 50) * width)) <= 1);
    }
    await save(tab, 'scrubbed');
  });
});

test('keys step to exact frames', { skip }, async () => {
  const file = fixture('clip');
  await showing(file, WIDE, async (tab) => {
    await tab.until(at(0));
    const keys = [['ArrowRight', 1], ['End', 49], ['ArrowRight', 49], ['ArrowLeft', 48], ['Home', 0]];
    for (const [key, frame] of keys) {
      await tab.press(key);
      await tab.until(at(frame));
      assert.equal(await shown(tab, file), frame);
    }
    await tab.press('ArrowRight', { shift: true });
    await tab.until(at(10));
    assert.equal(await shown(tab, file), 10);
  });
});

test('the space bar plays and pauses, and the frame of a pause is exact', { skip }, async () => {
  const file = fixture('clip');
  await showing(file, WIDE, async (tab) => {
    await tab.until(at(0));
    await tab.evaluate('($.rate.value = "0.25", document.activeElement.blur())');
    await tab.press(' ');
    await tab.until('$.play.textContent === "Pause"');
    await tab.until(`!${at(0)}`);
    await save(tab, 'playing');
    await tab.press(' ');
    await tab.until('$.play.textContent === "Play" && $.place.textContent.endsWith(")")');
    const frame = Number(/^frame (\d+), /.exec(await tab.evaluate('$.place.textContent'))[1]);
    assert.equal(await shown(tab, file), frame);
    // The button does the same, up to the end, where the last frame stays.
    const { left, top, width, height } = await tab.box('play');
    await tab.evaluate('rate.value = "4"');
    await tab.drag([[left + width / 2, top + height / 2]]);
    await tab.until(`${at(49)} && $.play.textContent === "Play" && $.place.textContent.endsWith(")")`);
    assert.equal(await shown(tab, file), 49);
  });
});

test('a part that is selected with Shift is looped', { skip }, async () => {
  await showing(fixture('clip'), WIDE, async (tab) => {
    await tab.until(`${at(0)} && !$.filmstrip.hidden && !$.waveform.hidden`);
    const { left, top, width, height } = await tab.box('strip');
    const x = (part) => [left + part * width, top + height / 2];
    await tab.drag([x(0.5), x(0.6), x(0.75)], { shift: true });
    const selection = await tab.box('selection');
    assert.ok(Math.abs(selection.left - x(0.5)[0]) <= 1 && Math.abs(selection.right - x(0.75)[0]) <= 1);
    assert.equal(await tab.evaluate('loop.checked'), true);
    await tab.press(' ');
    await tab.until('Number($.strip.getAttribute("aria-valuenow")) > 1.2');
    await tab.until('Number($.strip.getAttribute("aria-valuenow")) < 1.2');
    assert.ok((await tab.evaluate('Number($.strip.getAttribute("aria-valuenow"))')) >= 1);
    await save(tab, 'looping');
    await tab.press(' ');
    await tab.until('$.play.textContent === "Play"');
  });
});

test('audio alone has a waveform and a place', { skip }, async () => {
  await showing(tune(), NARROW, async (tab) => {
    await tab.until('!$.waveform.hidden && $.waveform.naturalWidth && $.place.textContent');
    assert.equal(await tab.evaluate('$.frame.hidden && $.filmstrip.hidden'), true);
    await isLaidOut(tab);
    await save(tab, 'audio');
  });
});

test('an engine that dies is a problem that is shown', { skip }, async () => {
  await showing(fixture('long'), NARROW, async (tab) => {
    await tab.until(at(0));
    await tab.press(' ');
    await tab.until(`!${at(0)}`);
    process.kill((await api.engine()).pid, 'SIGKILL');
    await tab.until('$.problem.textContent && $.play.textContent === "Play"');
    // It is seen without scrolling.
    const { right, bottom } = await tab.box('problem');
    assert.ok(right <= NARROW.width && bottom <= NARROW.height);
    assert.equal(await tab.evaluate('getComputedStyle($.problem).color'), 'rgb(248, 81, 73)');
    await isLaidOut(tab);
    await save(tab, 'problem');
  });
});
