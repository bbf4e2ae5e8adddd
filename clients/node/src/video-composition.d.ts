import type { RampTimes } from './audio-mix.js';
import type {
  BurntSubtitles,
  ColorProperties,
  Compositor,
  Fit,
  Rectangle,
  Size,
  TextLayerInput,
  VideoCompositionInput,
  VideoCompositionInstructionInput,
  VideoCompositionLayerInstructionInput,
} from './protocol.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';

/** The six numbers of a transform, or two of them: how far to the right and down. */
export type TransformLike =
  | readonly [tx: number, ty: number]
  | readonly [a: number, b: number, c: number, d: number, tx: number, ty: number];

/**
 * A track in the picture: `new Layer(1).opacity(0.5).fade(0.5, 0, { at: 3, duration: 1 })`.
 *
 * A value: each method returns another one with one entry more; those of one kind are in ascending
 * order and don't overlap. Before the first entry the track is opaque, whole and where it is;
 * between two entries the last value holds.
 */
export class Layer {
  constructor(track: Track | number, options?: { fit?: Fit });
  /** From a time on (by default 0) it has that opacity, from 0 to 1. */
  opacity(value: number, at?: TimeLike): Layer;
  /** From `at` on its opacity changes linearly, for `duration`. */
  fade(from: number, to: number, times: RampTimes): Layer;
  /** From a time on (by default 0) it has that position. */
  transform(value: TransformLike, at?: TimeLike): Layer;
  /** From `at` on it moves from one place to another, for `duration`. */
  move(from: TransformLike, to: TransformLike, times: RampTimes): Layer;
  /** From a time on (by default 0) only that part of its frames is shown. */
  crop(rectangle: Rectangle, at?: TimeLike): Layer;
  /** From `at` on the part that is shown changes, for `duration`. */
  pan(from: Rectangle, to: Rectangle, times: RampTimes): Layer;
  /** The layer as the protocol writes it. */
  toJSON(): VideoCompositionLayerInstructionInput;
}

/** The layers that are shown during a range of time; the first layer is on top. */
export class Instruction {
  constructor(
    timeRange: TimeRangeLike,
    layers?: Iterable<Layer | VideoCompositionLayerInstructionInput>,
    options?: {
      /** Red, green, blue and alpha, from 0 to 1; by default opaque black. */
      background?: number[];
      /** `client` where `engine.compositor` draws the pictures. */
      compositor?: Compositor;
    },
  );
  readonly timeRange: TimeRange;
  readonly layers: readonly (Layer | VideoCompositionLayerInstructionInput)[];
  readonly background: number[] | undefined;
  readonly compositor: Compositor | undefined;
  /** The instruction as the protocol writes it. */
  toJSON(): VideoCompositionInstructionInput;
}

/** A video composition, as an object of its own or as the protocol writes it. */
export type VideoCompositionLike = VideoComposition | VideoCompositionInput;

/** The members of a video composition. */
export interface VideoCompositionOptions {
  /** The size of the pictures, in pixels. */
  size: Size;
  /** The interval between two pictures: `'1/30'`. */
  frameDuration: TimeLike;
  /** They follow one another from zero on. */
  instructions: Iterable<Instruction | VideoCompositionInstructionInput>;
  /** The track whose frame times the pictures have. */
  frameTiming?: Track | number;
  /** The factor of sizes in previews. */
  renderScale?: number;
  /** The colours of the frames; by default those of the sources. */
  colors?: ColorProperties;
  /** The pixel format of `engine.compositor`: by default `rgb24`. */
  compositorPixelFormat?: string;
  /** The time limit of `engine.compositor` for a frame: by default 10 s. */
  compositorTimeoutMs?: number;
  /** Subtitles over the pictures; of several, the last is on top. */
  subtitles?: readonly BurntSubtitles[];
  /** Texts over the pictures and the subtitles; the last is on top. */
  textLayers?: readonly TextLayerInput[];
}

/** The compositing of an asset's video tracks into one frame, as a value. */
export class VideoComposition {
  constructor(options: VideoCompositionOptions);
  readonly size: Size;
  readonly frameDuration: MediaTime;
  readonly instructions: readonly (Instruction | VideoCompositionInstructionInput)[];
  readonly frameTiming: number | undefined;
  readonly renderScale: number | undefined;
  readonly colors: ColorProperties | undefined;
  readonly compositorPixelFormat: string | undefined;
  readonly compositorTimeoutMs: number | undefined;
  readonly subtitles: readonly BurntSubtitles[] | undefined;
  readonly textLayers: readonly TextLayerInput[] | undefined;
  /** The video composition as the protocol writes it. */
  toJSON(): VideoCompositionInput;
}
