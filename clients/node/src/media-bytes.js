// Media that aren't files for the engine: bytes in memory, blobs, streams, and the contents of URLs.
//
// Each has a name, a length where it is known, `isRandomAccess`, and `read(offset, length)`, which has all of
// these bytes, or, if they are in order only, some of the next ones and none at the end.

import { inspect } from 'node:util';

import { openURL } from './http-bytes.js';

class Memory {
  isRandomAccess = true;
  #bytes;

  constructor(bytes) {
    this.#bytes = bytes;
    this.name = 'bytes';
    this.length = bytes.byteLength;
  }

  async read(offset, length) {
    return this.#bytes.subarray(offset, offset + length);
  }

  close() {
    this.#bytes = undefined;
  }
}

class BlobBytes {
  isRandomAccess = true;
  #blob;

  constructor(blob) {
    this.#blob = blob;
    this.name = blob.name || 'blob';
    this.length = blob.size;
    this.mimeType = blob.type || undefined;
  }

  async read(offset, length) {
    return new Uint8Array(await this.#blob.slice(offset, offset + length).arrayBuffer());
  }

  close() {
    this.#blob = undefined;
  }
}

class Stream {
  isRandomAccess = false;
  #iterator;
  #rest = new Uint8Array(0);

  constructor(stream, { name = 'stream', length } = {}) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.name = name;
    this.length = length;
  }

  async read(offset, length) {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#iterator.next();
      if (done) return this.#rest;
      if (!(value instanceof Uint8Array)) {
        throw new TypeError(`a stream of media has chunks of bytes, not ${typeof value}`);
      }
      this.#rest = value;
    }
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes;
  }

  close() {
    // The rest isn't wanted, nor the reason if it fails.
    Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }
}

/** The bytes of a source that isn't a path or the URL of a file; undefined for those. */
export async function mediaBytes(source, signal) {
  if (source instanceof URL || typeof source === 'string') {
    return /^https?:\/\//i.test(String(source))
      ? openURL(String(source), signal, (stream, facts) => new Stream(stream, facts))
      : undefined;
  }
  if (source instanceof ArrayBuffer) return new Memory(new Uint8Array(source));
  if (ArrayBuffer.isView(source)) {
    return new Memory(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  }
  if (source instanceof Blob) return new BlobBytes(source);
  if (typeof source?.[Symbol.asyncIterator] === 'function') return new Stream(source);
  throw new TypeError(
    `media are a path, a URL, bytes, a Blob or a stream of bytes, not ${inspect(source, { depth: 0 })}`,
  );
}
