import type { Asset } from './asset.js';
import type { CompositionCalls } from './calls.js';
import type { Clip, ClipsLike } from './clip.js';
import type { AudioMixLike } from './audio-mix.js';
import type {
  ClipSequenceInput,
  ConversionLoss,
  SegmentPlayback,
  Size,
  TimeInput,
  TimeRangeInput,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';
import type { VideoCompositionLike } from './video-composition.js';

export interface CompositionOptions extends Cancellable {
  /** The size that frames are presented in; by default that of the first frame. */
  naturalSize?: Size;
}

/** The settings of `set`. */
export interface CompositionSettings extends Cancellable {
  /** The size that pictures are shown in; `'source'` for that of the first picture. */
  naturalSize?: Size | 'source';
  /** For requests that mix its tracks and state no other; `null` for no mix. */
  audioMix?: AudioMixLike | null;
  /** For requests that make frames of its tracks and state no other; `null` for none. */
  videoComposition?: VideoCompositionLike | null;
}

/** A document with assets in place of their handles, and times of the client's. */
type Written<Part> = TimeInput extends Part
  ? Part | MediaTime
  : TimeRangeInput extends Part
    ? Part | TimeRange
    : Part extends string
      ? Part
      : Part extends readonly (infer Item)[]
        ? Written<Item>[]
        : Part extends object
          ? { [Key in keyof Part]: Key extends 'asset' ? Part[Key] | Asset : Written<Part[Key]> }
          : Part;

/** The argument of `assemble`: `{ clips: [{ url: '/a.mp4' }, { asset }] }`. */
export type ClipSequence = Written<ClipSequenceInput>;

/** An asset or a clip at its own speed; a range stays empty for its duration. */
export type ItemLike = Asset | Clip | TimeRangeLike;

/** The description of a composition's segment. */
export interface SegmentLike {
  /** The range in which it is presented, on the composition's clock. */
  readonly target: TimeRangeLike;
  /** The part of the asset's track that is shown; none in an empty segment. */
  readonly source?: TimeRangeLike;
  readonly asset?: Asset;
  /** The asset's track; by default the first of the kind. */
  readonly track?: Track | number;
  /** The asset's file, or its name, in answers. */
  readonly path?: string;
  /** How the part is played; forward unless given. */
  readonly playback?: SegmentPlayback;
}

/**
 * A part of a composition's track: a range of another track, presented in a range of this one. Its duration is
 * that of `target`, for any duration of `source`: their ratio is its speed.
 */
export class CompositionSegment {
  constructor(parts: SegmentLike);
  /** The range in which it is presented, on the composition's clock. */
  readonly target: TimeRange;
  /** The part of the asset's track that is shown; undefined when nothing is. */
  readonly source: TimeRange | undefined;
  /** The asset; undefined when nothing is shown, and where the asset is closed or forgotten. */
  readonly asset: Asset | undefined;
  /** The number of the asset's track; undefined for the first of the kind. */
  readonly track: number | undefined;
  /** The asset's file, or its name, in answers. */
  readonly path: string | undefined;
  /** The playback of the part: `reverse` from its end, `freeze` the frame at its start throughout. */
  readonly playback: SegmentPlayback;
  /** True if it presents nothing. */
  readonly isEmpty: boolean;
}

/** The result of an insertion. */
export interface InsertedTimeRange {
  /** The range that it covers in the composition. */
  timeRange: TimeRange;
  /** The tracks that show it. */
  trackIDs: number[];
  /** The end of the last of the tracks. */
  duration: MediaTime;
  /** The number of edits. */
  revision: number;
}

/**
 * An asset made of parts of others, in memory: `await engine.composition([a.clip(1, 3), b])`. It
 * can be used like an asset. Objects that are made of it, such as a reader, show it as it was at that moment. An
 * edit takes effect as a whole or not at all, and keys that were loaded before have to be loaded again after
 * it, except the `duration`, which each edit returns. A track that was listed before it has the content of
 * that list.
 */
export class Composition extends Asset {
  private constructor();
  /** The number of edits that this object has made. */
  readonly revision: number;
  /** The parts of an imported document that aren't in it, each with its `reason`. */
  readonly losses: readonly ConversionLoss[];
  /** Inserts assets and clips at the end, in order; all of them, or none. */
  append(clips: ClipsLike, options?: Cancellable): Promise<InsertedTimeRange>;
  /**
   * Inserts assets and clips at a time, one after the other; all of them, or none. Content
   * from `at` on is moved to after them; by default they are appended at the end.
   */
  insert(clips: ClipsLike, at?: TimeLike, options?: Cancellable): Promise<InsertedTimeRange>;
}
export interface Composition extends CompositionCalls {}
