// The tests' replacement of VS Code, and the extension in it.

'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');

const { eventually } = require('../../node/test/waiting.cjs');

const HERE = path.join(__dirname, '..');
/** The folder of the extension: this checkout's, or that of a package that was unpacked. */
const EXTENSION = process.env.REELWIRE_EXTENSION ?? HERE;
const FIXTURES = path.join(HERE, '../../Tests/Transcripts/fixtures.json');

class Uri {
  constructor(scheme, file) {
    Object.assign(this, { scheme, path: file, fsPath: file });
  }

  static file = (file) => new Uri('file', file);
  static joinPath = (uri, ...parts) => new Uri(uri.scheme, path.join(uri.path, ...parts));
  toString = () => `${this.scheme}://${this.path}`;
}

const settings = { program: process.env.REELWIRE_PROGRAM ?? '', filmstripCount: 4 };
const providers = new Map();
const vscode = {
  Uri,
  // The audio server isn't needed in a remote window.
  env: { remoteName: 'ssh-remote' },
  window: {
    registerCustomEditorProvider(viewType, provider, options) {
      providers.set(viewType, { provider, options });
      return { dispose: () => providers.delete(viewType) };
    },
  },
  workspace: { getConfiguration: () => ({ get: (name) => settings[name] }) },
};

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const extension = require(path.join(EXTENSION, 'extension.js'));

/** A tab with an editor in it, and the messages that its page has got. */
class Panel {
  #closed = [];
  #receive;
  #news = [];
  messages = [];

  webview = {
    cspSource: 'vscode-webview:',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: (receive) => {
      this.#receive = receive;
    },
    postMessage: async (message) => {
      // A value that can't be copied can't be sent.
      this.messages.push(structuredClone(message));
      for (const wake of this.#news.splice(0)) wake();
      return true;
    },
  };

  onDidDispose = (then) => this.#closed.push(then);

  say(message) {
    this.#receive(message);
  }

  ready() {
    this.say({ type: 'ready', width: 640, height: 360 });
  }

  /** The next message of one of these types, after those that were read before. */
  async next(...types) {
    for (;;) {
      const index = this.messages.findIndex(({ type }) => types.includes(type));
      if (index >= 0) return this.messages.splice(index, 1)[0];
      await new Promise((resolve) => this.#news.push(resolve));
    }
  }

  dispose() {
    for (const then of this.#closed) then();
  }
}

async function open(file, viewType = 'reelwire.media', panel = new Panel()) {
  const { provider } = providers.get(viewType);
  const document = await provider.openCustomDocument(Uri.file(file), {}, {});
  await provider.resolveCustomEditor(document, panel, {});
  return { document, panel };
}

/** Waits until the engine holds nothing any more. */
async function nothingLeft(engine) {
  await eventually(
    () => engine.stats(),
    async () => {
      const { handles, operations, leases } = await engine.stats();
      return Object.keys(handles).length + operations + leases === 0;
    },
  );
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reelwire-vscode-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const made = new Map();

/** A clip of Tests/Transcripts. */
function fixture(name) {
  if (!made.has(name)) {
    const { file, ffmpeg, text } = JSON.parse(fs.readFileSync(FIXTURES, 'utf8'))[name];
    const target = path.join(folder, file);
    if (text === undefined) {
      execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...ffmpeg, target]);
    } else {
      fs.writeFileSync(target, text);
    }
    made.set(name, target);
  }
  return made.get(name);
}

/** The clip with its pictures half a second later than its audio. */
function lateClip() {
  const [clip, target] = [fixture('clip'), path.join(folder, 'late.mp4')];
  const inputs = ['-itsoffset', '0.5', '-i', clip, '-i', clip, '-map', '0:v', '-map', '1:a'];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, '-c', 'copy', target]);
  return target;
}

/** Half a second of audio. */
function tune() {
  const target = path.join(folder, 'tune.wav');
  if (!fs.existsSync(target)) {
    const source = ['-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=0.5'];
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...source, target]);
  }
  return target;
}

module.exports = {
  ...{ EXTENSION, Panel, Uri, extension, fixture, lateClip, nothingLeft, open, providers, settings, tune, vscode },
};
