import type { BytesOptions } from './blob.js';
import type { ImageGeneratorCalls } from './calls.js';
import type { ReelwireError } from './errors.js';
import type { Picture } from './picture.js';
import type {
  ApertureMode,
  DynamicRangePolicy,
  ImageDeinterlacing,
  ImageFormat,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike, TimeRangeLike } from './time.js';
import type { VideoCompositionLike } from './video-composition.js';

/** The options of a generator's images, except the size. */
export interface GeneratorOptions extends Cancellable {
  /** For both sides; 0 returns the exact frames. By default it is the nearest one that is fast to decode. */
  tolerance?: TimeLike;
  requestedTimeToleranceBefore?: TimeLike;
  requestedTimeToleranceAfter?: TimeLike;
  /** A number is the longer side at most; of an object a side that is left out is free. */
  maximumSize?: number | { width?: number; height?: number };
  appliesPreferredTrackTransform?: boolean;
  apertureMode?: ApertureMode;
  dynamicRangePolicy?: DynamicRangePolicy;
  /** `auto` makes progressive images of interlaced frames, which is the default but for `encodedPixels`. */
  deinterlacing?: ImageDeinterlacing;
  /** The compositing of the tracks; `null` for the first track, even if the asset has its own. */
  videoComposition?: VideoCompositionLike | null;
}

export interface ImageGeneratorOptions extends GeneratorOptions {
  /** The maximum width; with `height` it is the same as `maximumSize`. */
  width?: number;
  /** At most so high. */
  height?: number;
}

export interface ImageOptions extends Cancellable, BytesOptions {
  /** By default the path's extension, such as `png`; else `jpeg`. */
  format?: ImageFormat;
  /** From 0 to 1, of `jpeg` and `webp`. */
  quality?: number;
}

export interface ImagesOptions extends ImageOptions {
  /**
   * True if images are in the order of the times or numbers; otherwise each is returned as soon as it is
   * ready. The default is true unless the delivery is `shm`: there, an image that waits holds memory that the engine
   * needs for the rest.
   */
  ordered?: boolean;
}

/** Several times, or frames by their numbers, as `sampleIndex` counts them. */
export type FramesLike = Iterable<TimeLike> | { samples: Iterable<number> };

/**
 * A generated image, or the reason why there is none: access to the bytes of a failed one of a series
 * throws its `error`.
 */
export class Image extends Picture {
  /** The place of its time or number in the series, from 0. */
  readonly index: number;
  /** Of one that was requested by its number that of the frame; absent where there is none. */
  readonly requestedTime?: MediaTime;
  /** The presentation time of the frame that it shows. */
  readonly actualTime: MediaTime;
  /** The reason why there is no image. */
  readonly error?: ReelwireError;
  /** The frame's place among all of the track, in presentation order. */
  readonly sampleIndex?: number;
  /** True if it is the frame that is shown at the requested time, or has the requested number. */
  readonly isExact?: boolean;
}

/** Makes images of an asset's first enabled video track. */
export class ImageGenerator extends ImageGeneratorCalls {
  /**
   * The images of several times, or of frames by their numbers, `{ samples: [3, 99] }`, in that order;
   * `index` is an image's position in it. A time without an image yields one with an `error`. Leaving the loop
   * cancels the rest.
   */
  images(
    frames: FramesLike,
    options?: ImagesOptions,
  ): AsyncGenerator<Image, void, undefined>;
}
