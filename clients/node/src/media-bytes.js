// Media that aren't files for the engine: bytes in memory, blobs, streams, and the contents of URLs.
//
// Each has a name, a length where it is known, `isRandomAccess`, and `read(offset, length)`, which has all of
// these bytes, or, if they are in order only, some of the next ones and none at the end.

import { inspect } from 'node:util';

import { ContentIsUnavailableError } from './errors.js';

/** The range of the first request to a server: its answer shows whether there are ranges, and the length. */
const FIRST = 64 << 10;

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

/** The content of an http or https URL, by ranges. */
class Ranges {
  isRandomAccess = true;
  #url;
  #tag;
  #first;

  constructor(url, name, length, tag, first) {
    this.#url = url;
    this.name = name;
    this.length = length;
    this.#tag = tag;
    this.#first = first;
  }

  async read(offset, length) {
    if (offset + length <= this.#first.length) return this.#first.subarray(offset, offset + length);
    let answer = await ask(this.#url, offset, length, this.#tag, undefined, 'manual');
    if (answer.status >= 300 && answer.status < 400) {
      // A redirect: the headers of this server aren't for another.
      await answer.body?.cancel();
      answer = await ask(this.#url, offset, length);
    }
    if (answer.status !== 206 || total(answer) !== this.length) {
      await answer.body?.cancel();
      throw new Error(
        [200, 206].includes(answer.status)
          ? 'the file on the server has changed'
          : `the server answers ${answer.status} ${answer.statusText}`,
      );
    }
    return body(answer, length);
  }

  close() {
    this.#first = new Uint8Array(0);
  }
}

/** The bytes of an answer, limited to the requested number: a server may send more, without an end. */
async function body(answer, length) {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of answer.body ?? []) {
    if (filled + chunk.length > length) {
      throw new Error(`the server sends more than the ${length} bytes that were asked for`);
    }
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) {
    throw new Error(`the server sends ${filled} bytes instead of ${length}`);
  }
  return bytes;
}

function ask(url, offset, length, tag, signal, redirect = 'follow') {
  const headers = {
    range: `bytes=${offset}-${offset + length - 1}`,
    // Ranges are of the stored bytes, so the answer must not be encoded.
    'accept-encoding': 'identity',
    ...(tag && { 'if-range': tag }),
  };
  return fetch(url, { headers, signal, redirect });
}

function total(answer) {
  const length = Number(answer.headers.get('content-range')?.split('/').at(-1));
  return Number.isSafeInteger(length) ? length : undefined;
}

async function openURL(url, signal) {
  const { protocol, host, pathname } = new URL(url);
  const name = `${protocol}//${host}${pathname}`;
  const fail = (reason) =>
    new ContentIsUnavailableError(`${name} can't be opened: ${reason}`, {
      ...{ name: 'contentIsUnavailable', code: -11863, hint: 'Check the URL.' },
    });
  let answer;
  try {
    answer = await ask(url, 0, FIRST, undefined, signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw fail(error.cause?.message ?? error.message);
  }
  const length = total(answer);
  if (answer.status === 206 && length !== undefined) {
    const tag = answer.headers.get('etag');
    const strong = tag?.startsWith('W/') ? undefined : tag;
    let first;
    try {
      first = await body(answer, Math.min(length, FIRST));
    } catch (error) {
      throw fail(error.message);
    }
    // The target of redirects: that server has stated the tag.
    return new Ranges(answer.url || url, name, length, strong, first);
  }
  if (answer.status === 200) {
    const stated = Number(answer.headers.get('content-length') ?? NaN);
    const known = Number.isSafeInteger(stated) && !answer.headers.get('content-encoding');
    return new Stream(answer.body, { name, length: known ? stated : undefined });
  }
  await answer.body?.cancel();
  throw fail(`the server answers ${answer.status} ${answer.statusText}`);
}

/** The bytes of a source that isn't a path or the URL of a file; undefined for those. */
export async function mediaBytes(source, signal) {
  if (source instanceof URL || typeof source === 'string') {
    return /^https?:\/\//i.test(String(source)) ? openURL(String(source), signal) : undefined;
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
