// The common base of images, contact sheets and drawn waveforms: a size, a format and bytes.

import { namedFormat } from './blob.js';
import { packed, picturePlanes } from './planes.js';
import { dispose } from './remote.js';

export class Picture {
  #wire;

  constructor(wire, blob) {
    this.#wire = wire;
    this.blob = blob;
  }

  /** The wire's image; a subclass may throw where there is none. */
  get wire() {
    return this.#wire;
  }

  get width() {
    return this.wire.width;
  }

  get height() {
    return this.wire.height;
  }

  get format() {
    return this.wire.format;
  }

  get color() {
    return this.wire.color;
  }

  get chromaLocation() {
    return this.wire.chromaLocation;
  }

  get data() {
    return this.wire && this.blob.data;
  }

  get path() {
    return this.wire && this.blob.path;
  }

  get planes() {
    const { format, width, planes } = this.wire;
    return planes ? picturePlanes(this.blob.data, format, width, planes) : [];
  }

  packed() {
    return this.wire.planes ? packed(this.planes) : this.blob.data;
  }

  async bytes() {
    return this.wire && this.blob.bytes();
  }

  async save(file) {
    const { format, planes } = this.wire;
    const wanted = namedFormat(file);
    if (planes && wanted) {
      throw new TypeError(
        `pixels of ${format} are no ${wanted}, as '${file}' says: ask for {format: '${wanted}'}`,
      );
    }
    await this.blob.save(file);
  }

  release() {
    this.blob?.release();
  }

  [dispose]() {
    this.release();
  }
}
