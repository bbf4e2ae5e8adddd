// Media that the engine reads through this process: it asks, and is answered.

import fs from 'node:fs/promises';

/** The maximum memory for the engine: enough for its read-ahead. */
const MEMORY = 8 << 20;
const SMALLEST_MEMORY = 64 << 10;

/** Answers the reads of one resource. */
class Resource {
  #transport;
  #handle;
  #media;
  #memory;
  #cancelled = new Set();

  constructor(transport, handle, media) {
    this.#transport = transport;
    this.#handle = handle;
    this.#media = media;
  }

  /** Has the engine make memory for the bytes; they are in messages otherwise. */
  async shareMemory() {
    const wanted = Math.min(MEMORY, this.#media.length ?? MEMORY);
    const size = Math.max(1, Math.ceil(wanted / SMALLEST_MEMORY)) * SMALLEST_MEMORY;
    try {
      const made = await this.#transport.request('resource/allocate', {
        resource: this.#handle,
        size,
      });
      this.#memory = await fs.open(made.path, 'r+');
    } catch {
      // There is no room for more of it, or /proc isn't there.
    }
  }

  async read({ request, offset, length, place }) {
    let answer;
    try {
      const isWanted = !this.#cancelled.has(request) || !this.#media.isRandomAccess;
      if (!isWanted) throw new Error('the read was cancelled');
      const bytes = await this.#media.read(offset, length);
      const end = offset + bytes.length;
      const blob = await this.#put(bytes, place);
      answer = { blob, isEnd: bytes.length === 0 || end === this.#media.length };
    } catch (error) {
      answer = { error: { message: String(error?.message ?? error) } };
    }
    this.#cancelled.delete(request);
    try {
      this.#transport.notify('resource/didRead', { resource: this.#handle, request, ...answer });
    } catch {
      // The engine has ended.
    }
  }

  async #put(bytes, place) {
    if (this.#memory === undefined || place === undefined || bytes.length === 0) {
      const { buffer, byteOffset, byteLength } = bytes;
      return { kind: 'inline', data: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
    }
    for (let done = 0; done < bytes.length; ) {
      const left = bytes.length - done;
      done += (await this.#memory.write(bytes, done, left, place + done)).bytesWritten;
    }
    return { kind: 'shm', size: bytes.length };
  }

  cancel({ request }) {
    this.#cancelled.add(request);
  }

  end() {
    this.#memory?.close().catch(() => {});
    this.#memory = undefined;
    this.#media.close();
  }
}

/** The resources of one engine, until it reports that they aren't read any more. */
export class Resources {
  #open = new Map();

  /** Answers the reads of `media` from now on. */
  async add(transport, handle, media) {
    const resource = new Resource(transport, handle, media);
    this.#open.set(handle, resource);
    await resource.shareMemory();
  }

  /** Takes a notification of `resource/`. */
  deliver(method, params) {
    const resource = this.#open.get(params.resource);
    if (method === 'resource/read') resource?.read(params);
    if (method === 'resource/didCancelRead') resource?.cancel(params);
    if (method === 'resource/didEnd') {
      this.#open.delete(params.resource);
      resource?.end();
    }
  }

  /** The engine has ended. */
  end() {
    for (const resource of this.#open.values()) resource.end();
    this.#open.clear();
  }
}
