// A finished export as a stream of bytes, for a server's answer.

import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';

import { folderPath } from './blob.js';

/**
 * The stream of a file that `make` is to make at a path; it has `result`, the result of `make` without the
 * path. The file has lost its name before the stream is returned, so that nothing of it stays.
 */
export async function streamOf(make, { parent, signal, highWaterMark }) {
  const place = parent === undefined ? os.tmpdir() : folderPath(parent);
  const folder = await fs.mkdtemp(path.join(place, 'reelwire-'));
  let file;
  let made;
  try {
    made = await make(path.join(folder, 'export'));
    file = await fs.open(made.path);
    signal?.throwIfAborted();
  } catch (error) {
    await file?.close();
    throw error;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
  const stream = file.createReadStream({ highWaterMark });
  const { path: _, ...result } = made;
  stream.result = result;
  return signal ? addAbortSignal(signal, stream) : stream;
}
