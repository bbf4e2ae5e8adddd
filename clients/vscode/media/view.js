// The page of an editor: it shows what it receives, and sends the wanted position.

const vscode = acquireVsCodeApi();
const element = (id) => document.getElementById(id);
const strip = element('strip');
/** More frames than any file has. */
const FAR = 1e9;
let duration = 0;
let isPlaying = false;
/** The part that is looped: from where one began to drag, to where one is. */
let selection;

/** Where a time is on the strip. */
const place = (seconds) => (duration > 0 ? Math.min(1, Math.max(0, seconds / duration)) : 0);
const percent = (part) => `${100 * part}%`;

function showPlace(seconds) {
  element('head').style.left = percent(place(seconds));
  strip.setAttribute('aria-valuenow', String(seconds));
}

function showPicture(id, url) {
  element(id).src = url;
  element(id).hidden = false;
}

function showTable(id, rows) {
  const lines = rows.map((cells) => {
    const row = document.createElement('tr');
    for (const text of cells) row.appendChild(document.createElement('td')).textContent = text;
    return row;
  });
  element(id).replaceChildren(...lines);
}

const receivers = {
  facts(message) {
    duration = message.duration;
    strip.setAttribute('aria-valuemax', String(duration));
    element('audio').checked = Boolean(message.audio && message.hasAudio);
    element('audioLabel').hidden = !message.hasAudio;
    showTable('tracks', message.tracks);
    showTable('tags', message.tags);
  },
  place({ url, seconds, text, isPlaying: isNext }) {
    // While it plays, the next one is sent when this one has been drawn.
    element('frame').onload = element('frame').onerror = isNext ? drawn : null;
    if (url) showPicture('frame', url);
    else if (isNext) window.requestAnimationFrame(drawn);
    if (text !== undefined) {
      element('place').textContent = text;
      strip.setAttribute('aria-valuetext', text);
    }
    if (seconds !== undefined) showPlace(seconds);
  },
  filmstrip({ url, start, seconds }) {
    showPicture('filmstrip', url);
    // It stands where its part of the time is.
    if (duration > 0) {
      element('filmstrip').style.marginLeft = `${(100 * start) / duration}%`;
      element('filmstrip').style.width = `${(100 * seconds) / duration}%`;
    }
  },
  waveform({ url }) {
    showPicture('waveform', url);
  },
  playing(message) {
    isPlaying = message.isPlaying;
    element('play').textContent = isPlaying ? 'Pause' : 'Play';
    // Not every picture's place is read out.
    element('place').setAttribute('aria-live', isPlaying ? 'off' : 'polite');
  },
  problem({ text }) {
    element('problem').textContent = text;
  },
};

window.addEventListener('message', ({ data }) => receivers[data.type]?.(data));

// Playing.

const drawn = () => vscode.postMessage({ type: 'drawn' });

/** What is repeated: the selection, or all. */
function range() {
  if (!element('loop').checked) return undefined;
  if (!selection) return {};
  const [start, end] = [...selection].sort((one, other) => one - other);
  return { start, end };
}

function play() {
  const [rate, audio] = [Number(element('rate').value), element('audio').checked];
  vscode.postMessage({ type: 'play', rate, loop: range(), audio });
}

const toggle = () => (isPlaying ? vscode.postMessage({ type: 'pause' }) : play());
/** The other settings make another player, which goes on from here. */
const goOn = () => isPlaying && play();

element('play').addEventListener('click', toggle);
element('loop').addEventListener('change', goOn);
element('audio').addEventListener('change', goOn);
element('rate').addEventListener('change', () => {
  if (isPlaying) vscode.postMessage({ type: 'rate', rate: Number(element('rate').value) });
});

// Scrubbing, and with Shift selecting what is looped.

function secondsAt(event) {
  const { left, width } = strip.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / width)) * duration;
}

function seek(event) {
  // The end is where no frame is shown any more.
  const seconds = Math.min(secondsAt(event), Math.max(0, duration - 1e-6));
  showPlace(seconds);
  vscode.postMessage({ type: 'step', seconds });
}

function select(from, to) {
  selection = from === to ? undefined : [from, to];
  element('selection').hidden = !selection;
  if (!selection) return;
  element('selection').style.left = percent(place(Math.min(from, to)));
  element('selection').style.width = percent(Math.abs(place(to) - place(from)));
}

/** Where a selection has begun that is dragged. */
let anchor;

strip.addEventListener('pointerdown', (event) => {
  strip.setPointerCapture(event.pointerId);
  anchor = event.shiftKey ? secondsAt(event) : undefined;
  if (anchor === undefined) seek(event);
  else select(anchor, anchor);
});
strip.addEventListener('pointermove', (event) => {
  if (!strip.hasPointerCapture(event.pointerId)) return;
  if (anchor === undefined) seek(event);
  else select(anchor, secondsAt(event));
});
strip.addEventListener('pointerup', () => {
  if (anchor === undefined) return;
  anchor = undefined;
  element('loop').checked = Boolean(selection);
  goOn();
});

window.addEventListener('keydown', (event) => {
  const { key, shiftKey, target } = event;
  // The arrows choose a rate where that has the focus, and the space bar presses what has it.
  if (target === element('rate')) return;
  if (key === ' ' && !target?.closest?.('#controls')) {
    event.preventDefault();
    toggle();
  }
  const count = shiftKey ? 10 : 1;
  const steps = { ArrowRight: count, ArrowLeft: -count, Home: -FAR, End: FAR };
  if (!(key in steps)) return;
  // Home and End would scroll the page, too.
  event.preventDefault();
  vscode.postMessage({ type: 'step', count: steps[key] });
});

const { clientWidth: width, clientHeight: height } = document.documentElement;
const scale = window.devicePixelRatio || 1;
vscode.postMessage({
  type: 'ready',
  width: Math.max(320, width * scale),
  height: Math.max(240, (height * scale) / 2),
});
