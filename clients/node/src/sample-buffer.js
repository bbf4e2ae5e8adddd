// A sample buffer: a packet, a picture or a stretch of audio.

import { inspect } from 'node:util';

import { packed, picturePlanes, audioPlanes } from './planes.js';
import { dispose } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';

export class SampleBuffer {
  #wire;
  #isKept = false;

  constructor(wire, blob, format) {
    // Times are made on demand: there may be thousands of buffers a second.
    this.#wire = wire;
    this.blob = blob;
    this.format = format;
  }

  get presentationTime() {
    return MediaTime.of(this.#wire.presentationTime);
  }

  get decodeTime() {
    return timeOrNone(this.#wire.decodeTime);
  }

  get duration() {
    return MediaTime.of(this.#wire.duration);
  }

  get numSamples() {
    return this.#wire.numSamples;
  }

  get attachments() {
    return this.#wire.attachments;
  }

  get isSync() {
    return !this.attachments.notSync;
  }

  get image() {
    return this.#wire.image;
  }

  get audio() {
    return this.#wire.audio;
  }

  get data() {
    return this.blob ? this.blob.data : Buffer.alloc(0);
  }

  get text() {
    return this.data.toString();
  }

  get planes() {
    const { image, audio } = this;
    if (image) return picturePlanes(this.data, image.pixelFormat, image.width, image.planes);
    return audio ? audioPlanes(this.data, audio) : [];
  }

  channel(number) {
    const { audio, planes } = this;
    if (!audio) throw new TypeError('only decoded sound has channels');
    if (!(number >= 0 && number < audio.channels)) {
      throw new RangeError(`a channel is from 0 to ${audio.channels - 1}, not ${number}`);
    }
    if (planes.length > 1 || audio.channels === 1) return planes[number].data;
    const [{ data }] = planes;
    const channel = new data.constructor(audio.frames);
    for (let frame = 0, at = number; frame < audio.frames; frame += 1, at += audio.channels) {
      channel[frame] = data[at];
    }
    return channel;
  }

  packed() {
    return this.image ? packed(this.planes) : this.data;
  }

  get isKept() {
    return this.#isKept;
  }

  keep() {
    this.#isKept = true;
    this.blob?.keep();
    return this;
  }

  release() {
    this.blob?.release();
  }

  [dispose]() {
    this.release();
  }

  [inspect.custom]() {
    const { image, audio, blob } = this;
    const what = image
      ? `${image.width}×${image.height} ${image.pixelFormat}`
      : audio
        ? `${audio.frames} frames ${audio.sampleFormat}`
        : `${this.numSamples} stored${this.isSync ? ' sync' : ''}`;
    const at = this.presentationTime.toFixed(3);
    return `SampleBuffer at ${at} s, ${what}, ${blob?.size ?? 0} bytes`;
  }
}
