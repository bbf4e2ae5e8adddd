// Pictures that this process draws for the engine.

import fs from 'node:fs/promises';

import { reportLocalFailure } from './local-failures.js';
import { MediaTime } from './time.js';

/** Draws the pictures that an engine asks for, one after the other. */
export class Compositor {
  #transport;
  #files = new Map();
  #last = Promise.resolve();
  /** Draws a picture; undefined for none. */
  draw;

  constructor(transport) {
    this.#transport = transport;
  }

  /** Takes a request. */
  deliver(request) {
    this.#last = this.#last.then(() => this.#answer(request));
  }

  async #answer(request) {
    let error;
    try {
      await this.#compose(request);
    } catch (thrown) {
      error = { message: reportLocalFailure(thrown) };
    }
    try {
      await this.#transport.request('videoComposition/finishFrame', {
        request: request.request,
        error,
      });
    } catch {
      // The engine has ended.
    }
  }

  async #compose({ compositionTime, instruction, sources, target }) {
    if (!this.draw) throw new Error('engine.compositor is no function');
    const frame = {
      time: MediaTime.of(compositionTime),
      instruction,
      sources: new Map(),
      target: picture(target.image, Buffer.alloc(target.blob.size)),
    };
    for (const { trackID, time, image, blob } of sources) {
      const data = Buffer.allocUnsafe(blob.size);
      await whole(data, blob, await this.#file(blob.path, 'r'), 'read');
      frame.sources.set(trackID, { ...picture(image, data), time: MediaTime.of(time) });
    }
    const drawn = (await this.draw(frame)) ?? frame.target.data;
    if (drawn.byteLength !== target.blob.size) {
      throw new RangeError(
        `a picture has ${target.blob.size} bytes, and not ${drawn.byteLength}`,
      );
    }
    const data = Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength);
    await whole(data, target.blob, await this.#file(target.blob.path, 'r+'), 'write');
  }

  #file(path, flags) {
    const key = `${flags} ${path}`;
    if (!this.#files.has(key)) this.#files.set(key, fs.open(path, flags));
    return this.#files.get(key);
  }

  /** The engine has ended. */
  end() {
    for (const file of this.#files.values()) file.then((open) => open.close()).catch(() => {});
    this.#files.clear();
  }
}

const picture = (image, data) => ({ ...image, data });

/** Reads or writes all bytes of a blob. */
async function whole(data, blob, file, action) {
  for (let done = 0; done < data.length; ) {
    const result = await file[action](data, done, data.length - done, blob.offset + done);
    const count = result.bytesRead ?? result.bytesWritten;
    if (count === 0) throw new Error(`${blob.path} ends at ${blob.offset + done}`);
    done += count;
  }
}
