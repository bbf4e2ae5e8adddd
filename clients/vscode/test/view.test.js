// The page's script, in a document that has only the members that it uses.

'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const vm = require('node:vm');

const SCRIPT = fs.readFileSync(path.join(__dirname, '../media/view.js'), 'utf8');

class Element {
  style = {};
  attributes = {};
  children = [];
  listeners = {};
  hidden = true;
  checked = false;
  value = '1';
  textContent = '';
  captured = new Set();

  addEventListener = (type, listener) => (this.listeners[type] = listener);
  setAttribute = (name, value) => (this.attributes[name] = value);
  replaceChildren = (...children) => (this.children = children);
  getBoundingClientRect = () => ({ left: 100, width: 400 });
  setPointerCapture = (id) => this.captured.add(id);
  hasPointerCapture = (id) => this.captured.has(id);

  appendChild(child) {
    this.children.push(child);
    return child;
  }

  /** Its text, or that of its children. */
  get text() {
    return this.children.length ? this.children.map(({ text }) => text) : this.textContent;
  }
}

function page() {
  const elements = new Map();
  const sent = [];
  const window = new Element();
  window.devicePixelRatio = 2;
  window.requestAnimationFrame = (then) => then();
  const document = {
    documentElement: { clientWidth: 800, clientHeight: 600 },
    createElement: () => new Element(),
    getElementById(id) {
      if (!elements.has(id)) elements.set(id, new Element());
      return elements.get(id);
    },
  };
  const acquireVsCodeApi = () => ({ postMessage: (message) => sent.push({ ...message }) });
  vm.runInNewContext(SCRIPT, { acquireVsCodeApi, document, window });
  return {
    element: document.getElementById,
    sent,
    tell: (data) => window.listeners.message({ data }),
    press: (key, shiftKey = false, target = undefined) => {
      let isDefault = true;
      window.listeners.keydown({ key, shiftKey, target, preventDefault: () => (isDefault = false) });
      return isDefault;
    },
  };
}

const facts = { type: 'facts', duration: 10, tracks: [['1', 'video', 'h264']], tags: [['title', '<b>']] };

test('a page says how large it is', () => {
  assert.deepEqual(page().sent, [{ type: 'ready', width: 1600, height: 600 }]);
});

test('a page shows what it is told', () => {
  const { element, tell } = page();
  tell(facts);
  assert.deepEqual([...element('tracks').text[0]], ['1', 'video', 'h264']);
  assert.deepEqual([...element('tags').text[0]], ['title', '<b>']);

  tell({ type: 'place', url: 'data:image/jpeg;base64,AA==', seconds: 2.5, text: 'frame 60' });
  assert.deepEqual([element('frame').hidden, element('place').text], [false, 'frame 60']);
  assert.equal(element('head').style.left, '25%');
  assert.equal(element('strip').attributes['aria-valuetext'], 'frame 60');

  tell({ type: 'filmstrip', url: 'data:image/jpeg;base64,AA==', start: 1, seconds: 5 });
  const { hidden, style } = element('filmstrip');
  assert.deepEqual([hidden, style.marginLeft, style.width], [false, '10%', '50%']);
  tell({ type: 'waveform', url: 'data:image/png;base64,AA==' });
  assert.equal(element('waveform').hidden, false);
  tell({ type: 'problem', text: 'wrong\nhint' });
  assert.equal(element('problem').text, 'wrong\nhint');
});

test('a pointer scrubs while it is down', () => {
  const { element, tell, sent } = page();
  tell(facts);
  const { pointerdown, pointermove } = element('strip').listeners;
  pointermove({ pointerId: 1, clientX: 300 });
  pointerdown({ pointerId: 1, clientX: 200 });
  pointermove({ pointerId: 1, clientX: 300 });
  pointermove({ pointerId: 1, clientX: 9999 });
  assert.deepEqual(sent.slice(1), [
    { type: 'step', seconds: 2.5 },
    { type: 'step', seconds: 5 },
    { type: 'step', seconds: 10 - 1e-6 },
  ]);
});

test('keys step by frames', () => {
  const { press, sent } = page();
  for (const [key, shiftKey] of [['ArrowRight'], ['ArrowLeft', true], ['End'], ['Home']]) {
    // The page doesn't scroll.
    assert.equal(press(key, shiftKey), false);
  }
  assert.equal(press('x'), true);
  assert.deepEqual(
    sent.slice(1).map(({ count }) => count),
    [1, -10, 1e9, -1e9],
  );
});

test('a button and the space bar play and pause', () => {
  const { element, press, sent, tell } = page();
  tell({ ...facts, hasAudio: true, audio: true });
  assert.deepEqual([element('audio').checked, element('audioLabel').hidden], [true, false]);
  element('play').listeners.click();
  assert.deepEqual(sent.at(-1), { type: 'play', rate: 1, loop: undefined, audio: true });
  tell({ type: 'playing', isPlaying: true });
  assert.equal(element('play').textContent, 'Pause');
  assert.equal(element('place').attributes['aria-live'], 'off');
  assert.equal(press(' '), false);
  assert.deepEqual(sent.at(-1), { type: 'pause' });
  tell({ type: 'playing', isPlaying: false });
  assert.equal(element('play').textContent, 'Play');
  // The focused control is pressed by the browser itself.
  const count = sent.length;
  assert.equal(press(' ', false, { closest: () => element('controls') }), true);
  press('ArrowRight', false, element('rate'));
  assert.equal(sent.length, count);
});

test('a picture that was drawn asks for the next, while it plays', () => {
  const { element, sent, tell } = page();
  tell(facts);
  const place = { type: 'place', url: 'data:image/jpeg;base64,AA==', seconds: 1, text: 'frame 25' };
  tell({ ...place, isPlaying: true });
  assert.equal(sent.length, 1);
  element('frame').onload();
  assert.deepEqual(sent.slice(1), [{ type: 'drawn' }]);
  tell({ ...place, url: undefined, text: undefined, isPlaying: true });
  assert.deepEqual(sent.slice(2), [{ type: 'drawn' }]);
  assert.equal(element('place').textContent, 'frame 25');
  tell(place);
  assert.equal(element('frame').onload, null);
});

test('settings are those of what plays', () => {
  const { element, sent, tell } = page();
  tell({ ...facts, hasAudio: false, audio: true });
  assert.deepEqual([element('audio').checked, element('audioLabel').hidden], [false, true]);
  element('rate').value = '2';
  for (const id of ['rate', 'loop', 'audio']) element(id).listeners.change();
  assert.equal(sent.length, 1);
  tell({ type: 'playing', isPlaying: true });
  element('rate').listeners.change();
  element('loop').checked = true;
  element('loop').listeners.change();
  assert.deepEqual(JSON.parse(JSON.stringify(sent.slice(1))), [
    { type: 'rate', rate: 2 },
    { type: 'play', rate: 2, loop: {}, audio: false },
  ]);
});

test('a pointer with Shift selects what is looped', () => {
  const { element, sent, tell } = page();
  tell({ ...facts, hasAudio: true, audio: false });
  tell({ type: 'playing', isPlaying: true });
  const { pointerdown, pointermove, pointerup } = element('strip').listeners;
  pointerdown({ pointerId: 1, clientX: 300, shiftKey: true });
  pointermove({ pointerId: 1, clientX: 200 });
  pointerup({ pointerId: 1 });
  const { hidden, style } = element('selection');
  assert.deepEqual([hidden, style.left, style.width], [false, '25%', '25%']);
  assert.equal(element('loop').checked, true);
  assert.deepEqual(JSON.parse(JSON.stringify(sent.slice(1))), [
    { type: 'play', rate: 1, loop: { start: 2.5, end: 5 }, audio: false },
  ]);
  pointerdown({ pointerId: 1, clientX: 300, shiftKey: true });
  pointerup({ pointerId: 1 });
  assert.deepEqual([element('selection').hidden, element('loop').checked], [true, false]);
});
