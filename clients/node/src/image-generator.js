// Images of an asset: exact frames, thumbnails, series of them, contact sheets.

import { inspect } from 'node:util';

import { absolute, blobOf, imageDelivery } from './blob.js';
import { ImageGeneratorCalls } from './calls.js';
import { NoImageAtTimeError } from './errors.js';
import { work } from './operation.js';
import { checked } from './options.js';
import { Picture } from './picture.js';
import { made } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';
import { cancelled, errorFromWire } from './wire-errors.js';


export class Image extends Picture {
  #actualTime;

  constructor(wire, blob) {
    super(wire.image, blob);
    this.index = wire.index ?? 0;
    this.requestedTime = timeOrNone(wire.requestedTime);
    this.#actualTime = wire.actualTime;
    this.error = wire.image ? undefined : (errorFromWire(wire.error) ?? aborted(wire));
    this.sampleIndex = wire.sampleIndex;
    this.isExact = wire.isExact;
  }

  get wire() {
    if (this.error) throw this.error;
    return super.wire;
  }

  get actualTime() {
    return this.wire && MediaTime.of(this.#actualTime);
  }

  [inspect.custom]() {
    if (this.error) return `Image ${place(this)}: ${this.error.name}`;
    const { width, height, format, blob } = this;
    const at = this.actualTime.toFixed(3);
    return `Image ${this.index}: ${width}×${height} ${format} at ${at} s, ${inspect(blob)}`;
  }
}

/** The position of an image in a series: those of numbers have no time if there is no image. */
const place = ({ requestedTime, index }) =>
  requestedTime ? `at ${MediaTime.of(requestedTime).toFixed(3)} s` : `number ${index}`;

const aborted = (wire) =>
  cancelled(`the image ${place(wire)} was cancelled`, 'Ask for it again.');

/** Times, or numbers of frames as `{ samples }`. */
function framesToWire(frames) {
  if (typeof frames === 'object' && frames?.[Symbol.iterator]) {
    return { times: Array.from(frames, (time) => MediaTime.of(time)) };
  }
  return { samples: Array.from(checked('frames by number', frames).samples ?? []) };
}

async function imageOf(transport, wire) {
  return new Image(wire, await blobOf(transport, wire.image));
}

function imageParams(options) {
  const { format, quality } = options;
  return { format, quality, delivery: imageDelivery(options) };
}

export class ImageGenerator extends ImageGeneratorCalls {
  [made](call, result) {
    return imageOf(this.transport, result);
  }

  async *images(frames, options = {}) {
    checked('imageGenerator.images', options);
    const list = framesToWire(frames);
    if ((list.times ?? list.samples).length === 0) return;
    const params = { imageGenerator: this.handle, ...list, ...imageParams(options) };
    const method = 'imageGenerator/generateImages';
    const { ordered = params.delivery !== 'shm' } = options;
    const waiting = new Map();
    let due = 0;
    for await (const { item } of work(this.transport, method, params, options.signal)) {
      if (!item) continue;
      const image = await imageOf(this.transport, item);
      if (!ordered) {
        yield image;
        continue;
      }
      waiting.set(image.index, image);
      for (; waiting.has(due); due += 1) {
        yield waiting.get(due);
        waiting.delete(due);
      }
    }
  }
}

/** A number is the longer side; `width` and `height` alone are a size as well. */
function sizeToWire({ maximumSize: size, width, height }) {
  if (width !== undefined || height !== undefined) {
    if (size !== undefined) {
      throw new TypeError('maximumSize is width and height in one: give one or the other');
    }
    return { width: width ?? 0, height: height ?? 0 };
  }
  if (size === undefined) return undefined;
  if (typeof size === 'number') return { width: size, height: size };
  return { width: 0, height: 0, ...checked('maximumSize', size) };
}

/** True if the beginning was requested, and nothing is presented there yet. */
const isBeforeFirst = (error, time) =>
  error instanceof NoImageAtTimeError && time !== undefined && MediaTime.of(time).equals(0);

/** The first frame, for a time at which nothing is shown yet. */
async function firstImage(generator, time, options) {
  const image = await generator.image(undefined, options);
  image.requestedTime = MediaTime.of(time);
  image.isExact = image.actualTime.equals(image.requestedTime);
  return image;
}

/** The image of a time, of the first frame for 0, where no frame may be shown yet. */
export async function imageOrFirst(generator, time, options) {
  try {
    return await generator.image(time, options);
  } catch (error) {
    if (!isBeforeFirst(error, time)) throw error;
    return firstImage(generator, time, options);
  }
}

/** The images of several times, as of each alone, or of several numbers. */
export async function* imagesOrFirst(generator, frames, options) {
  for await (const image of generator.images(frames, options)) {
    const { index, error, requestedTime } = image;
    if (!isBeforeFirst(error, requestedTime)) {
      yield image;
      continue;
    }
    const { path } = options;
    const own = path === undefined ? options : { ...options, path: numbered(path, index) };
    const first = await firstImage(generator, requestedTime, own);
    first.index = index;
    yield first;
  }
}

/** A path with its number filled in, written so that the engine changes nothing about it. */
function numbered(path, number) {
  return absolute(path)
    .replace(/%(?:(0\d*)?d|%)/g, (place, width = '') =>
      place === '%%' ? '%' : String(number).padStart(Number(width), '0'),
    )
    .replaceAll('%', '%%');
}

/** The params of a generator; `tolerance` is for both sides. */
export function generatorParams(options) {
  const { tolerance } = options;
  const { requestedTimeToleranceBefore: before = tolerance } = options;
  const { requestedTimeToleranceAfter: after = tolerance } = options;
  return {
    requestedTimeToleranceBefore: before === undefined ? undefined : MediaTime.of(before),
    requestedTimeToleranceAfter: after === undefined ? undefined : MediaTime.of(after),
    maximumSize: sizeToWire(options),
    appliesPreferredTrackTransform: options.appliesPreferredTrackTransform,
    apertureMode: options.apertureMode,
    dynamicRangePolicy: options.dynamicRangePolicy,
    deinterlacing: options.deinterlacing,
    videoComposition: options.videoComposition,
  };
}
