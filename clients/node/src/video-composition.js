// Video compositions: how the video tracks of an asset become one picture, as values.

import { inspect } from 'node:util';

import { entry, ramp } from './audio-mix.js';
import { checked } from './options.js';
import { MediaTime, TimeRange } from './time.js';
import { trackIDOf } from './wire.js';

const transformOf = (value) => {
  const numbers = [...value];
  if (numbers.length === 2) return [1, 0, 0, 1, ...numbers];
  if (numbers.length === 6) return numbers;
  throw new RangeError(`a transform is [tx, ty] or [a, b, c, d, tx, ty], not ${inspect(value)}`);
};

export class Layer {
  #members;

  constructor(track, options) {
    const { fit } = checked('a layer', options);
    this.#members = { trackID: trackIDOf(track), fit };
  }

  toJSON() {
    return this.#members;
  }

  opacity(value, at = 0) {
    return this.#with('opacity', entry(value, at));
  }

  fade(from, to, times) {
    return this.#with('opacity', ramp(from, to, times));
  }

  transform(value, at = 0) {
    return this.#with('transform', entry(transformOf(value), at));
  }

  move(from, to, times) {
    return this.#with('transform', ramp(transformOf(from), transformOf(to), times));
  }

  crop(rectangle, at = 0) {
    return this.#with('cropRectangle', entry(rectangle, at));
  }

  pan(from, to, times) {
    return this.#with('cropRectangle', ramp(from, to, times));
  }

  #with(key, item) {
    const made = new Layer(this.#members.trackID);
    made.#members = { ...this.#members, [key]: [...(this.#members[key] ?? []), item] };
    return made;
  }
}

export class Instruction {
  constructor(timeRange, layers = [], options) {
    const { background, compositor } = checked('an instruction', options);
    this.timeRange = TimeRange.of(timeRange);
    this.layers = [...layers];
    this.background = background;
    this.compositor = compositor;
    Object.freeze(this);
  }

  toJSON() {
    const { timeRange, layers, background, compositor } = this;
    return { timeRange, backgroundColor: background, layerInstructions: layers, compositor };
  }
}

export class VideoComposition {
  constructor(options) {
    checked('a video composition', options);
    const { size, frameDuration, instructions, frameTiming, renderScale, colors } = options;
    this.size = size;
    this.frameDuration = MediaTime.of(frameDuration);
    this.instructions = [...instructions];
    this.frameTiming = trackIDOf(frameTiming);
    this.renderScale = renderScale;
    this.colors = colors;
    this.compositorPixelFormat = options.compositorPixelFormat;
    this.compositorTimeoutMs = options.compositorTimeoutMs;
    this.subtitles = options.subtitles;
    this.textLayers = options.textLayers;
    Object.freeze(this);
  }

  toJSON() {
    const { size, frameDuration, instructions, frameTiming, renderScale, colors } = this;
    const { compositorPixelFormat, compositorTimeoutMs, subtitles, textLayers } = this;
    return {
      ...{ frameDuration, sourceTrackIDForFrameTiming: frameTiming, renderSize: size },
      ...{ renderScale, colorProperties: colors, instructions },
      ...{ compositorPixelFormat, compositorTimeoutMs, subtitles, textLayers },
    };
  }
}
