// A custom editor for media files: filmstrip, waveform, facts, and exact frames.

'use strict';

const vscode = require('vscode');

const { MediaDocument } = require('./document.js');
const { page } = require('./page.js');

/** The Node client: the copy in the packaged extension, or that of the checkout. */
const client = () =>
  import('reelwire').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return import('../node/src/index.js');
  });

/** The one engine behind all editors; one that has died is followed by another. */
class SharedEngine {
  #launching;

  async get() {
    const engine = await this.#launching?.catch(() => undefined);
    if (engine && !engine.closed) return engine;
    return (this.#launching = this.#launch());
  }

  async #launch() {
    const { Engine } = await client();
    const binary = vscode.workspace.getConfiguration('reelwire').get('program') || undefined;
    return Engine.launch({ binary });
  }

  async close() {
    await (await this.#launching?.catch(() => undefined))?.close();
  }
}

class MediaEditorProvider {
  #engine;
  #media;

  constructor(engine, extensionUri) {
    this.#engine = engine;
    this.#media = vscode.Uri.joinPath(extensionUri, 'media');
  }

  async openCustomDocument(uri) {
    if (uri.scheme !== 'file') throw new Error(`Reelwire opens files, not ${uri.scheme}: URLs.`);
    const engine = await this.#engine.get();
    return new MediaDocument(uri, engine, await engine.open(uri.fsPath));
  }

  resolveCustomEditor(document, { webview, onDidDispose }) {
    webview.options = { enableScripts: true, localResourceRoots: [this.#media] };
    const send = (message) => void webview.postMessage(message);
    let view;
    onDidDispose(() => view?.dispose());
    webview.onDidReceiveMessage((message) => {
      if (message.type === 'ready') {
        // A page that was hidden comes back empty.
        view?.dispose();
        const count = vscode.workspace.getConfiguration('reelwire').get('filmstripCount');
        const isLocal = !vscode.env.remoteName;
        view = document.show(send, { ...message, count, isLocal });
      } else {
        view?.take(message);
      }
    });
    webview.html = page(webview, (name) => vscode.Uri.joinPath(this.#media, name));
  }
}

let engine;

exports.activate = ({ subscriptions, extensionUri }) => {
  engine = new SharedEngine();
  const provider = new MediaEditorProvider(engine, extensionUri);
  for (const viewType of ['reelwire.media', 'reelwire.any']) {
    subscriptions.push(
      vscode.window.registerCustomEditorProvider(viewType, provider, {
        supportsMultipleEditorsPerDocument: true,
      }),
    );
  }
  // What other extensions get of this one.
  return { engine: () => engine.get() };
};

exports.deactivate = () => engine?.close();
