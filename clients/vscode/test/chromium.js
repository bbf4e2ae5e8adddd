// Chromium without a window, by its DevTools protocol over two pipes, with the page of an editor in it.

'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const { eventually } = require('../../node/test/waiting.cjs');
const { EXTENSION, Panel, open } = require('./support.js');

/** The program, or undefined. */
const PROGRAM = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
  .flatMap((name) => process.env.PATH.split(path.delimiter).map((folder) => path.join(folder, name)))
  .find((file) => fs.existsSync(file));

/** The styles that VS Code puts before those of a page. */
const DEFAULTS = `
body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
  font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
img, video { max-width: 100%; max-height: 100%; }
`;

/** Colours of VS Code's themes, by the names of its variables. */
const THEMES = {
  dark: {
    ...{ 'editor-background': '#1f1f1f', 'editor-foreground': '#cccccc', focusBorder: '#0078d4' },
    ...{ 'button-background': '#0078d4', 'button-foreground': '#ffffff', errorForeground: '#f85149' },
    ...{ 'dropdown-background': '#313131', 'dropdown-foreground': '#cccccc', 'dropdown-border': '#3c3c3c' },
    ...{ 'editor-selectionBackground': '#264f78' },
  },
  light: {
    ...{ 'editor-background': '#ffffff', 'editor-foreground': '#3b3b3b', focusBorder: '#005fb8' },
    ...{ 'button-background': '#005fb8', 'button-foreground': '#ffffff', errorForeground: '#f85149' },
    ...{ 'dropdown-background': '#ffffff', 'dropdown-foreground': '#3b3b3b', 'dropdown-border': '#cecece' },
    ...{ 'editor-selectionBackground': '#add6ff' },
  },
};

/** What runs in the page before its own script. */
function prelude(colors) {
  const style = 'document.documentElement.style';
  const set = (name, value) => `${style}.setProperty(${JSON.stringify(name)}, ${JSON.stringify(value)});`;
  return `
addEventListener('DOMContentLoaded', () => {
  ${Object.entries(colors).map(([name, color]) => set(`--vscode-${name}`, color)).join('\n')}
  ${set('--vscode-font-family', 'DejaVu Sans, sans-serif')}
  ${set('--vscode-font-size', '13px')}
  ${set('background', colors['editor-background'])}
});
// Elements by their identifiers, for the expressions of tests.
globalThis.$ = new Proxy({}, { get: (_, id) => document.getElementById(id) });
globalThis.violations = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  violations.push(violatedDirective + ' ' + blockedURI));
addEventListener('error', (event) => violations.push(String(event.message)));
globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => toExtension(JSON.stringify(message)) });
`;
}

class Chromium {
  #process;
  #last = 0;
  #waiting = new Map();
  #listeners = new Set();
  #rest = '';
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reelwire-chromium-'));

  constructor() {
    const options = ['--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run'];
    const quiet = ['--disable-dev-shm-usage', '--disable-background-networking', '--hide-scrollbars', '--mute-audio'];
    this.#process = spawn(PROGRAM, [...options, ...quiet, `--user-data-dir=${this.#folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#process.stdio[4].setEncoding('utf8').on('data', (text) => this.#read(text));
    this.#process.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has ended'));
    });
  }

  #read(text) {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result);
      if (message.method) for (const listener of this.#listeners) listener(message);
    }
  }

  listen(listener) {
    this.#listeners.add(listener);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.on('exit', resolve));
    this.send('Browser.close').catch(() => {});
    await ended;
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A file in an editor, whose page is in a tab of Chromium. */
class Tab {
  #browser;
  #session;
  #server;
  #panel = new Panel();

  /** Opens a file in a tab of a size. */
  static async open(browser, file, { width, height, theme = 'dark' }) {
    const tab = new Tab();
    tab.#browser = browser;
    await tab.#serve();
    tab.document = (await open(file, 'reelwire.media', tab.#panel)).document;
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    tab.#session = (await browser.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    browser.listen(({ method, params, sessionId }) => {
      if (method !== 'Runtime.bindingCalled' || sessionId !== tab.#session) return;
      tab.#panel.say(JSON.parse(params.payload));
    });
    await tab.#send('Page.enable');
    await tab.#send('Runtime.enable');
    await tab.#send('Runtime.addBinding', { name: 'toExtension' });
    await tab.#send('Page.addScriptToEvaluateOnNewDocument', { source: prelude(THEMES[theme]) });
    await tab.#send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    tab.#panel.webview.postMessage = (message) =>
      tab.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).catch(() => {});
    await tab.#send('Page.navigate', { url: tab.#panel.webview.cspSource });
    return tab;
  }

  /** The page and its files, from an address that its policy names. */
  async #serve() {
    const { webview } = this.#panel;
    this.#server = http.createServer((request, response) => {
      const file = path.join(EXTENSION, 'media', path.basename(request.url));
      const types = { '.css': 'text/css', '.js': 'text/javascript' };
      response.setHeader('Content-Type', types[path.extname(request.url)] ?? 'text/html');
      const defaults = '<link rel="stylesheet" href="/defaults.css">\n';
      if (request.url === '/') response.end(webview.html.replace('<link', `${defaults}<link`));
      else if (request.url === '/defaults.css') response.end(DEFAULTS);
      else if (fs.existsSync(file)) response.end(fs.readFileSync(file));
      else response.writeHead(204).end();
    });
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    webview.cspSource = `http://127.0.0.1:${this.#server.address().port}`;
    webview.asWebviewUri = (uri) => `${webview.cspSource}/${path.basename(uri.path)}`;
  }

  #send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  /** The value of an expression in the page. */
  async evaluate(expression) {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression in the page is true. */
  until(expression) {
    const now = () => this.evaluate(`({ text: document.body?.innerText, violations })`);
    return eventually(now, () => this.evaluate(`Boolean(${expression})`).catch(() => false));
  }

  async press(key, { shift = false } = {}) {
    const text = key === ' ' ? ' ' : undefined;
    const code = { ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowRight: 39 }[key];
    const event = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: code, modifiers: shift ? 8 : 0 };
    await this.#send('Input.dispatchKeyEvent', { ...event, type: 'keyDown', text });
    await this.#send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  }

  /** Presses the mouse at a place, moves it to others, and releases it. */
  async drag(places, { shift = false } = {}) {
    const event = (type, [x, y]) =>
      this.#send('Input.dispatchMouseEvent', {
        ...{ type, x, y, button: 'left', buttons: 1, clickCount: 1, modifiers: shift ? 8 : 0 },
      });
    await event('mousePressed', places[0]);
    for (const place of places.slice(1)) await event('mouseMoved', place);
    await event('mouseReleased', places.at(-1));
  }

  box(id) {
    return this.evaluate(`$['${id}'].getBoundingClientRect().toJSON()`);
  }

  /** A PNG of the page, or of a part of it. */
  async screenshot(clip) {
    // The page is drawn as it is now.
    await this.evaluate('new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))');
    const part = clip && { x: clip.left, y: clip.top, width: clip.width, height: clip.height, scale: 1 };
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png', clip: part });
    return Buffer.from(data, 'base64');
  }

  async close() {
    this.#panel.dispose();
    this.document.dispose();
    await this.#send('Page.close').catch(() => {});
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

module.exports = { Chromium, PROGRAM, Tab };
