// The engine's shared memory: read at offsets into memory of our own, so that its leases are short.

import fs from 'node:fs';
import { promisify } from 'node:util';

const open = promisify(fs.open);

/** Blobs below this size are read together, where they lie together. */
const LARGE = 64 << 10;
/** The maximum gap between two blobs that are read at once, and the maximum length of a read. */
const GAP = 4 << 10;
const RUN = 1 << 20;
/** The amount of memory that is retained for the next blobs of the same size. */
const IDLE = 64 << 20;

/**
 * Memory for blobs, reused. Reclaiming it detaches all remaining views: a view
 * that was retained for too long is empty then, instead of showing other bytes.
 */
class Pool {
  #idle = new Map();
  #size = 0;

  take(size) {
    const found = this.#idle.get(size)?.pop();
    if (!found) return Buffer.allocUnsafeSlow(size);
    this.#size -= size;
    return Buffer.from(found);
  }

  giveBack(bytes) {
    const memory = bytes.buffer;
    const size = memory.byteLength;
    // A size of 0 is that of memory which has been moved to another thread.
    if (size === 0) return;
    const fresh = memory.transfer?.() ?? structuredClone(memory, { transfer: [memory] });
    if (this.#size + size > IDLE) return;
    this.#size += size;
    const idle = this.#idle.get(size);
    if (idle) idle.push(fresh);
    else this.#idle.set(size, [fresh]);
  }
}

export class SharedMemory {
  #descriptors = new Map();
  #pool = new Pool();
  #release;
  #reading = 0;
  #isClosed = false;

  /** The blobs that are read are released, by a function that takes a lease. */
  constructor(release) {
    this.#release = release;
  }

  static isLarge(blob) {
    return blob.size >= LARGE;
  }

  #descriptor(path) {
    let opening = this.#descriptors.get(path);
    if (!opening) {
      opening = open(path, 'r');
      this.#descriptors.set(path, opening);
      opening.catch(() => this.#descriptors.delete(path));
    }
    return opening;
  }

  async #fill(bytes, path, offset) {
    this.#reading += 1;
    try {
      const descriptor = await this.#descriptor(path);
      for (let done = 0; done < bytes.length; ) {
        const count = await readAt(descriptor, bytes, done, offset + done);
        if (count === 0) throw new Error(`${path} ends at ${offset + done}`);
        done += count;
      }
      return bytes;
    } finally {
      this.#reading -= 1;
      this.#closeAll();
    }
  }

  /** The bytes of one blob, in memory that `recycle` takes back. */
  async read(blob) {
    try {
      return await this.#fill(this.#pool.take(blob.size), blob.path, blob.offset);
    } finally {
      this.#release(blob.lease);
    }
  }

  /** The bytes of several blobs, in their order. */
  async readAll(blobs) {
    const results = new Array(blobs.length);
    const small = [];
    const reading = [];
    for (const [index, blob] of blobs.entries()) {
      if (!SharedMemory.isLarge(blob)) small.push({ blob, index });
      else reading.push(this.read(blob).then((bytes) => (results[index] = bytes)));
    }
    for (const run of runs(small)) reading.push(this.#readRun(run, results));
    await Promise.all(reading);
    return results;
  }

  async #readRun(run, results) {
    const { path, offset } = run[0].blob;
    const last = run.at(-1).blob;
    try {
      const size = last.offset + last.size - offset;
      const bytes = await this.#fill(Buffer.allocUnsafeSlow(size), path, offset);
      for (const { blob, index } of run) {
        const start = blob.offset - offset;
        results[index] = bytes.subarray(start, start + blob.size);
      }
    } finally {
      for (const { blob } of run) this.#release(blob.lease);
    }
  }

  /** Takes back the memory of a large blob. */
  recycle(bytes) {
    if (bytes.length >= LARGE && bytes.length === bytes.buffer.byteLength) {
      this.#pool.giveBack(bytes);
    }
  }

  /** Closes the opened files; the memory itself is the engine's. */
  close() {
    this.#isClosed = true;
    this.#closeAll();
  }

  /** Not before everything is read: the number of a descriptor may soon be that of another file. */
  #closeAll() {
    if (!this.#isClosed || this.#reading > 0) return;
    for (const opening of this.#descriptors.values()) {
      opening.then((descriptor) => fs.close(descriptor, () => {})).catch(() => {});
    }
    this.#descriptors.clear();
  }
}

function readAt(descriptor, bytes, start, position) {
  return new Promise((resolve, reject) => {
    fs.read(descriptor, bytes, start, bytes.length - start, position, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}

/** Blobs that lie one after the other. */
function* runs(entries) {
  const sorted = [...entries].sort(
    ({ blob: a }, { blob: b }) =>
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.offset - b.offset,
  );
  let run = [];
  for (const entry of sorted) {
    const [first, last] = [run[0]?.blob, run.at(-1)?.blob];
    const { path, offset, size } = entry.blob;
    const fits =
      last?.path === path &&
      offset - (last.offset + last.size) <= GAP &&
      offset + size - first.offset <= RUN;
    if (last && !fits) {
      yield run;
      run = [];
    }
    run.push(entry);
  }
  if (run.length) yield run;
}
