import type { Asset } from './asset.js';
import type { CompositionCalls } from './calls.js';
import type { Clip, ClipsLike } from './clip.js';
import type { AudioMixLike } from './audio-mix.js';
import type {
  ClipSequenceInput,
  ConversionLoss,
  Size,
  TimeInput,
  TimeRangeInput,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';
import type { VideoCompositionLike } from './video-composition.js';

export interface CompositionOptions extends Cancellable {
  /** The size that pictures are shown in; that of the first picture unless given. */
  naturalSize?: Size;
}

/** What `set` sets. */
export interface CompositionSettings extends Cancellable {
  /** The size that pictures are shown in; `'source'` for that of the first picture. */
  naturalSize?: Size | 'source';
  /** For who mixes its tracks and states nothing else; `null` for no mix. */
  audioMix?: AudioMixLike | null;
  /** For who makes pictures of its tracks and states nothing else; `null` for none. */
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

/** What `assemble` takes: `{ clips: [{ url: '/a.mp4' }, { asset }] }`. */
export type ClipSequence = Written<ClipSequenceInput>;

/** An asset or a clip at its own speed; a range stays empty for its duration. */
export type ItemLike = Asset | Clip | TimeRangeLike;

/** What a composition's segment is made of. */
export interface SegmentLike {
  /** When it is shown, on the composition's clock. */
  readonly target: TimeRangeLike;
  /** The part of the asset's track that is shown; none in an empty segment. */
  readonly source?: TimeRangeLike;
  readonly asset?: Asset;
  /** The asset's track; the first of the kind unless given. */
  readonly track?: Track | number;
  /** The asset's file, or its name, in answers. */
  readonly path?: string;
}

/**
 * A part of a composition's track: which part of another track is shown when. It lasts as long as
 * `target`, whatever the duration of `source`: that is its speed.
 */
export class CompositionSegment {
  constructor(parts: SegmentLike);
  /** When it is shown, on the composition's clock. */
  readonly target: TimeRange;
  /** The part of the asset's track that is shown; undefined when nothing is. */
  readonly source: TimeRange | undefined;
  /** The asset; undefined when nothing is shown, and where the asset is closed or forgotten. */
  readonly asset: Asset | undefined;
  /** The number of the asset's track; undefined for the first of the kind. */
  readonly track: number | undefined;
  /** The asset's file, or its name, in answers. */
  readonly path: string | undefined;
  /** Whether nothing is shown. */
  readonly isEmpty: boolean;
}

/** What was inserted. */
export interface InsertedTimeRange {
  /** What it covers in the composition. */
  timeRange: TimeRange;
  /** The tracks that show it. */
  trackIDs: number[];
  /** Where the last of the tracks ends. */
  duration: MediaTime;
  /** How many edits have been made. */
  revision: number;
}

/**
 * An asset made of parts of others, in memory: `await engine.composition([a.clip(1, 3), b])`. It
 * can do what an asset can. What is made of it, such as a reader, shows it as it was then. An edit
 * takes effect as a whole or not at all, and what was loaded before has to be loaded again after
 * it, but for the `duration`, which each edit returns. A track that was listed before it shows what
 * that list had.
 */
export class Composition extends Asset {
  private constructor();
  /** How many edits have been made, as far as this object has made them. */
  readonly revision: number;
  /** What of an imported document isn't in it, each with its `reason`. */
  readonly losses: readonly ConversionLoss[];
  /** Inserts assets and clips at the end, in order; all of them, or none. */
  append(clips: ClipsLike, options?: Cancellable): Promise<InsertedTimeRange>;
  /**
   * Inserts assets and clips at a time, one after the other; all of them, or none. What is shown
   * from `at` on is shown behind them; left out, they come at the end.
   */
  insert(clips: ClipsLike, at?: TimeLike, options?: Cancellable): Promise<InsertedTimeRange>;
}
export interface Composition extends CompositionCalls {}
