/// <reference types="node" />

import type { BlobKind } from './protocol.js';

/** A file: a path, or a `file:` URL. */
export type PathLike = string | URL;

/** The delivery of bytes: into a new file at `path`, or by `delivery`. */
export interface BytesOptions {
  /** The file to be made. `%d` or `%03d` in it counts where there are several. */
  path?: PathLike;
  /** `'inline'`: in the message. `'shm'`: by shared memory, from where they are read. */
  delivery?: 'inline' | 'shm';
}

/** Bytes that the engine returns. */
export class MediaBlob {
  private constructor();
  readonly kind: BlobKind;
  readonly size: number;
  readonly mimeType: string;
  /** The file that has the bytes, when they are in one. */
  readonly path?: string;
  /** The bytes; throws when they are in a file: see `bytes()`. */
  readonly data: Buffer;
  /** The bytes, wherever they are. */
  bytes(): Promise<Buffer>;
  /**
   * Writes the bytes to a file, which is overwritten; a `TypeError` where they are an image, and the
   * extension is that of another format.
   */
  save(file: PathLike): Promise<void>;
  /** Preserves the bytes when a loop continues. */
  keep(): void;
  /** Lets go of the bytes. Their memory is used again: views of it are empty from then on. */
  release(): void;
  [Symbol.dispose](): void;
}
