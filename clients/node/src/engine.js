// The engine: one process, and everything that is opened in it.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

import { Asset } from './asset.js';
import { madeWriter, writtenVideo } from './asset-writer.js';
import { madeAudioPlayer } from './audio-player.js';
import { madeAudioRecorder } from './audio-recorder.js';
import { madeCaptureSession } from './capture.js';
import { fileToOpen } from './blob.js';
import { EngineCalls } from './calls.js';
import { assembled, composed, expanded, imported } from './composition.js';
import { BinaryNotFoundError } from './errors.js';
import { ExportJob } from './export-session.js';
import { joined } from './join.js';
import { openedLibrary } from './library.js';
import { itemOf, madePlayer } from './player.js';
import { mediaBytes } from './media-bytes.js';
import { checked } from './options.js';
import { asyncDispose, send, written } from './remote.js';
import { Transport } from './transport.js';
import { PROTOCOL_VERSION, VERSION } from './version.js';
import { inputToWire } from './writer-input.js';

const PACKAGE = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** True if it is an object of options, and neither clips nor one of them. */
const isPlain = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function onPath(name) {
  if (name.includes('/')) return isProgram(name) ? path.resolve(name) : undefined;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.resolve(folder, name)).find(isProgram);
}

/** The build of a checkout that the package is in. */
function* builds() {
  for (let folder = PACKAGE; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (!existsSync(path.join(folder, 'Package.swift'))) continue;
    for (const kind of ['release', 'debug']) yield path.join(folder, '.build', kind, 'reelwire');
  }
}

export function findBinary(binary) {
  const named = binary === undefined ? process.env.REELWIRE_BINARY : String(binary);
  if (named) {
    const found = onPath(named);
    if (found) return found;
    const source = binary === undefined ? 'REELWIRE_BINARY' : 'the option';
    throw new BinaryNotFoundError(`${named} (${source}) is no program`, {
      name: 'binaryNotFound',
      hint: 'Give the path of the reelwire binary.',
    });
  }
  const inside = path.join(PACKAGE, 'bin', 'reelwire');
  const found = isProgram(inside) ? inside : (onPath('reelwire') ?? [...builds()].find(isProgram));
  if (found) return found;
  throw new BinaryNotFoundError('there is no reelwire binary on the PATH', {
    name: 'binaryNotFound',
    hint: 'Build one with `swift build -c release`, set REELWIRE_BINARY, or pass {binary}.',
  });
}

export class Engine extends EngineCalls {
  #transport;
  #closing;

  constructor(transport, info) {
    super();
    this.#transport = transport;
    this.info = info;
  }

  static async launch(options) {
    const { binary, args = [], allowCapture, env, onLog, signal } = checked('launch', options);
    const permissions = allowCapture?.length ? ['--allow-capture', allowCapture.join(',')] : [];
    signal?.throwIfAborted();
    const transport = await Transport.launch([findBinary(binary), 'serve', ...args, ...permissions], {
      env,
      onLog,
    });
    try {
      const params = {
        processId: process.pid,
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'node', version: VERSION },
      };
      const info = await transport.request('initialize', params, { signal });
      transport.messageLimit = info.capabilities.maxMessageBytes;
      return new Engine(transport, info);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  get version() {
    return this.info.serverInfo.version;
  }

  get pid() {
    return this.#transport.pid;
  }

  get closed() {
    return !this.#transport.isAlive;
  }

  get stderr() {
    return [...this.#transport.stderr];
  }

  get compositor() {
    return this.#transport.compositor.draw;
  }

  set compositor(draw) {
    this.#transport.compositor.draw = draw;
  }

  async open(source, given) {
    const { signal, ...chosen } = checked('open', given);
    const options = Object.values(chosen).some((value) => value !== undefined) ? chosen : undefined;
    const media = await mediaBytes(source, signal);
    if (media) return this.#openResource(media, options, signal);
    const url = fileToOpen(source);
    const { asset } = await this.request('asset/open', { url, options }, { signal });
    return new Asset(this.#transport, asset, url);
  }

  async #openResource(media, options, signal) {
    const { name, length, isRandomAccess, mimeType } = media;
    const params = { resource: { name, length, isRandomAccess, mimeType }, options };
    const { asset, resource } = await this.request('asset/open', params, { signal });
    const opened = new Asset(this.#transport, asset, name);
    await this.#transport.resources.add(this.#transport, resource, media);
    return opened;
  }

  async composition(...given) {
    const isOptions = given.length === 1 && isPlain(given[0]);
    const [clips = [], options] = isOptions ? [undefined, given[0]] : given;
    return composed(this.#transport, clips, checked('composition', options));
  }

  async assemble(sequence, options) {
    return assembled(this.#transport, sequence, checked('assemble', options));
  }

  async expandSequence(sequence, options) {
    return expanded(this.#transport, sequence, checked('expandSequence', options));
  }

  async importComposition(document, options) {
    return imported(this.#transport, document, checked('importComposition', options));
  }

  join(sources, output, options = {}) {
    return new ExportJob(async (report, signal) => {
      checked('join', options);
      const place = { transport: this.#transport, open: this.open.bind(this) };
      return joined(place, sources, output, options, report, signal);
    }, options.signal);
  }

  async library(...given) {
    const isOptions = given.length === 1 && isPlain(given[0]);
    const [folders, options] = isOptions ? [undefined, given[0]] : given;
    return openedLibrary(this.#transport, folders, options);
  }

  async player(source, options) {
    const sources = source === undefined ? [] : [source];
    return madePlayer(this, this.#transport, sources, false, options);
  }

  async queuePlayer(sources = [], options = undefined) {
    return madePlayer(this, this.#transport, sources, true, options);
  }

  async playerItem(source, options) {
    return itemOf(this, this.#transport, source, options);
  }

  async audioPlayer(source, options) {
    return madeAudioPlayer(this, this.#transport, source, options);
  }

  async capture(options) {
    return madeCaptureSession(this, this.#transport, options);
  }

  async audioRecorder(output, options) {
    return madeAudioRecorder(this.#transport, output, options);
  }

  async assetWriter(output, options) {
    return madeWriter(this.#transport, output, options);
  }

  [written](name, given) {
    return inputToWire(given.mediaType, given);
  }

  async writeVideo(output, frames, options) {
    return writtenVideo(this.#transport, output, frames, options);
  }

  [send](method, params, options) {
    return this.#transport.request(method, params, options);
  }

  async request(method, params, options) {
    return this.#transport.request(method, params, checked('request', options));
  }

  notify(method, params) {
    this.#transport.notify(method, params);
  }

  close() {
    return (this.#closing ??= this.#transport.close());
  }

  [asyncDispose]() {
    return this.close();
  }

  [inspect.custom]() {
    const state = this.closed ? ' (closed)' : '';
    return `Engine ${this.version} FFmpeg ${this.info.ffmpeg.version} pid ${this.pid}${state}`;
  }
}
