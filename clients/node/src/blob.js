// Bytes that the engine returns: from the message, from shared memory, or in a file.

import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

import { HandleClosedError } from './errors.js';
import { dispose } from './remote.js';

/** The formats of image files, by the extensions of their names. */
const EXTENSIONS = {
  ...{ '.jpg': 'jpeg', '.jpeg': 'jpeg', '.jpe': 'jpeg', '.png': 'png', '.webp': 'webp' },
  ...{ '.bmp': 'bmp', '.gif': 'gif', '.tif': 'tiff', '.tiff': 'tiff', '.avif': 'avif' },
};

/** The format of image files whose names end as this one does. */
export function namedFormat(file) {
  return EXTENSIONS[path.extname(String(file)).toLowerCase()];
}

/** A path as the engine wants it: absolute. */
export function absolute(file) {
  if (typeof file !== 'string' && !(file instanceof URL)) {
    throw new TypeError(`a file is a path or a file: URL, not ${inspect(file)}`);
  }
  if (typeof file === 'string' && isRelativeURL(file)) {
    return path.resolve(decodeURIComponent(file.slice('file:'.length)));
  }
  const isURL = file instanceof URL || file.startsWith('file:');
  return path.resolve(isURL ? fileURLToPath(file) : file);
}

/** A `file:` URL without a folder, which to `URL` is one of the root's. */
const isRelativeURL = (text) => text.startsWith('file:') && !text.startsWith('file:/');

/** A file in the engine's form: a path, or a URL, whose bytes needn't be UTF-8; other URLs unchanged. */
export function fileToOpen(file) {
  const text = String(file);
  if (isRelativeURL(text)) return absolute(text);
  const isURL = /^(file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
  return isURL ? text : absolute(file);
}

/** The path of a folder or a database as the engine wants it; `~` is the home. */
export function folderPath(file) {
  const isHome = typeof file === 'string' && (file === '~' || file.startsWith('~/'));
  return absolute(isHome ? path.join(os.homedir(), file.slice(1)) : file);
}

/** The delivery as the protocol writes it. */
export function deliveryToWire({ delivery, path: file }) {
  if (file !== undefined && delivery !== undefined) {
    throw new TypeError('bytes are delivered to a path or by a delivery, not both');
  }
  if (file !== undefined) return { kind: 'file', path: absolute(file) };
  if (delivery !== undefined && delivery !== 'inline' && delivery !== 'shm') {
    throw new TypeError(`a delivery is 'inline' or 'shm', not ${inspect(delivery)}`);
  }
  return delivery;
}

/** Of these the bytes are many, and come in shared memory unless something else is asked for. */
const RAW = /^(rgb|bgr|gray|yuv)/;

/** The same of an image: raw pixels are in shared memory unless they are to be in a file. */
export function imageDelivery({ format, path: file, delivery }) {
  const isShared = delivery === undefined && file === undefined && RAW.test(format);
  return deliveryToWire({ path: file, delivery: isShared ? 'shm' : delivery });
}

export class MediaBlob {
  #wire;
  #bytes;
  #recycle;

  /** `bytes` are those of shared memory; `recycle` takes them back. */
  constructor(wire, bytes, recycle) {
    this.#wire = wire;
    this.#bytes = bytes;
    this.#recycle = recycle;
    this.kind = wire.kind;
    this.size = wire.size;
    this.mimeType = wire.mimeType;
    this.path = wire.path && wire.kind === 'file' ? wire.path : undefined;
  }

  get data() {
    if (this.#bytes) return this.#bytes;
    if (!this.#wire) {
      throw new HandleClosedError('the bytes were released', {
        name: 'bytesReleased',
        hint: 'Call keep() on what a loop gives to use it after its turn.',
      });
    }
    if (this.kind === 'file') {
      throw new TypeError(`the bytes are in ${this.path}: use await bytes()`);
    }
    this.#bytes = Buffer.from(this.#wire.data, 'base64');
    this.#wire = { kind: 'inline' };
    return this.#bytes;
  }

  async bytes() {
    return this.kind === 'file' ? fs.readFile(this.path) : this.data;
  }

  async save(file) {
    const wanted = namedFormat(file);
    if (wanted && this.mimeType.startsWith('image/') && this.mimeType !== `image/${wanted}`) {
      throw new TypeError(`the bytes are ${this.mimeType}, and '${file}' says ${wanted}`);
    }
    if (this.kind === 'file') await fs.copyFile(this.path, file);
    else await fs.writeFile(file, this.data);
  }

  /** Preserves the bytes while they are in use. */
  keep() {
    const bytes = this.#bytes;
    this.#recycle = undefined;
    // A small one must not hold on to all that was read with it.
    if (bytes && bytes.length * 4 < bytes.buffer.byteLength) this.#bytes = Buffer.from(bytes);
  }

  /** Lets go of the bytes, and of their memory unless they are kept. */
  release() {
    const [bytes, recycle] = [this.#bytes, this.#recycle];
    this.#wire = this.#bytes = this.#recycle = undefined;
    if (bytes) recycle?.(bytes);
  }

  [dispose]() {
    this.release();
  }

  [inspect.custom]() {
    return `MediaBlob ${this.size} bytes ${this.mimeType} ${this.path ?? this.kind}`;
  }
}

/** Blobs of the wire with their bytes; those in shared memory are read, and released. */
export async function blobs(transport, wires) {
  const shared = wires.filter((wire) => wire.kind === 'shm' && wire.size > 0);
  for (const wire of wires) {
    if (wire.kind === 'shm' && wire.size === 0) transport.releaseLater(wire.lease);
  }
  const bytes = shared.length ? await transport.fetch(shared) : [];
  const recycle = (memory) => transport.memory.recycle(memory);
  return wires.map((wire) => {
    if (wire.kind !== 'shm') return new MediaBlob(wire);
    if (wire.size === 0) return new MediaBlob(wire, Buffer.alloc(0));
    return new MediaBlob(wire, bytes[shared.indexOf(wire)], recycle);
  });
}

/** The blob of an object with at most one. */
export async function blobOf(transport, holder) {
  return holder?.blob ? (await blobs(transport, [holder.blob]))[0] : undefined;
}
