// The page of an editor: it shows what it receives, and sends the wanted position.

const vscode = acquireVsCodeApi();
const element = (id) => document.getElementById(id);
const strip = element('strip');
/** More frames than any file has. */
const FAR = 1e9;
let duration = 0;

function showPlace(seconds) {
  const part = duration > 0 ? Math.min(1, Math.max(0, seconds / duration)) : 0;
  element('head').style.left = `${100 * part}%`;
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
    showTable('tracks', message.tracks);
    showTable('tags', message.tags);
  },
  place({ url, seconds, text }) {
    if (url) showPicture('frame', url);
    element('place').textContent = text;
    strip.setAttribute('aria-valuetext', text);
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
  problem({ text }) {
    element('problem').textContent = text;
  },
};

window.addEventListener('message', ({ data }) => receivers[data.type]?.(data));

// Scrubbing.

function seek(event) {
  const { left, width } = strip.getBoundingClientRect();
  const part = Math.min(1, Math.max(0, (event.clientX - left) / width));
  // The end is where no frame is shown any more.
  const seconds = Math.min(part * duration, Math.max(0, duration - 1e-6));
  showPlace(seconds);
  vscode.postMessage({ type: 'step', seconds });
}

strip.addEventListener('pointerdown', (event) => {
  strip.setPointerCapture(event.pointerId);
  seek(event);
});
strip.addEventListener('pointermove', (event) => {
  if (strip.hasPointerCapture(event.pointerId)) seek(event);
});

window.addEventListener('keydown', ({ key, shiftKey }) => {
  const count = shiftKey ? 10 : 1;
  const steps = { ArrowRight: count, ArrowLeft: -count, Home: -FAR, End: FAR };
  if (key in steps) vscode.postMessage({ type: 'step', count: steps[key] });
});

const { clientWidth: width, clientHeight: height } = document.documentElement;
const scale = window.devicePixelRatio || 1;
vscode.postMessage({
  type: 'ready',
  width: Math.max(320, width * scale),
  height: Math.max(240, (height * scale) / 2),
});
