/// <reference types="node" />

import type { MediaBlob, PathLike } from './blob.js';
import type { Plane } from './planes.js';
import type { Color, ImageFormat } from './protocol.js';

/** A picture with its bytes. */
export class Picture {
  protected constructor();
  readonly blob: MediaBlob;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** The format: a file's, such as `jpeg`, or that of pixels, such as `rgb24`. */
  readonly format: ImageFormat;
  /** The colours of pixels: primaries, transfer function, matrix, range; none for a file's format. */
  readonly color?: Color;
  /** The location of the chroma samples of YUV, for example `left`, if it is specified. */
  readonly chromaLocation?: string;
  /** The bytes; throws when they are in a file. Rows of pixels may be padded. */
  readonly data: Buffer;
  /** The file, when it was delivered to one. */
  readonly path?: string;
  /** The planes of a format of pixels; empty for the format of a file. */
  readonly planes: Plane[];
  /** The pixels without padding: each plane's rows one after the other. */
  packed(): Buffer;
  /** The bytes, wherever they are. */
  bytes(): Promise<Buffer>;
  /**
   * Writes the bytes to a file, which is overwritten; a `TypeError` where the extension is that of another image
   * format than theirs.
   */
  save(file: PathLike): Promise<void>;
  /** Lets go of the bytes. */
  release(): void;
  [Symbol.dispose](): void;
}
