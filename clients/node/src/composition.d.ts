import type { Asset } from './asset.js';
import type { CompositionCalls } from './calls.js';
import type { Clip, ClipLike } from './clip.js';
import type { ExportResult } from './export-session.js';
import type {
  CompositionHandle,
  ConversionLoss,
  ParamsProblem,
  PlannedTrack,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';

/** What an edit has inserted. */
export interface Inserted {
  /** What it covers in the composition. */
  timeRange: TimeRange;
  /** The tracks that show it. */
  trackIDs: number[];
  /** Where the last of the tracks ends. */
  duration: MediaTime;
  /** How many edits have been made. */
  revision: number;
}

/** A part of a composition's track: which part of another track is shown when. */
export class CompositionSegment {
  constructor(segment: {
    target: TimeRangeLike;
    source?: TimeRangeLike;
    asset?: Asset;
    track?: Track | number;
    path?: string;
  });
  /** When it is shown, on the composition's clock. */
  readonly target: TimeRange;
  /** The part of the asset's track that is shown; absent when nothing is. */
  readonly source?: TimeRange;
  /** The asset; absent when nothing is shown, and where it isn't known here any more. */
  readonly asset?: Asset;
  /** The number of the asset's track. */
  readonly track?: number;
  /** The asset's file, or its name. */
  readonly path?: string;
  /** Whether nothing is shown. */
  readonly isEmpty: boolean;
}

export type SegmentLike = CompositionSegment | ConstructorParameters<typeof CompositionSegment>[0];

export interface Composition extends CompositionCalls {}
/**
 * An asset made of parts of others, in memory: `engine.composition([a.clip(1, 3), b])`.
 *
 * It can do what an asset can. What is made of it shows it as it was then. An edit takes effect as a whole or
 * not at all, and what was loaded before has to be loaded again after it.
 */
export class Composition extends Asset {
  readonly handle: CompositionHandle;
  /** How many edits have been made, as far as this object has made them. */
  readonly revision: number;
  /** What of an imported document isn't in it. */
  losses: ConversionLoss[];
  /** A composition with the same tracks, which is edited on its own. */
  copy(options?: Cancellable): Promise<Composition>;
  /** Inserts assets and parts of them at the end, in order; all of them, or none. */
  append(clips: ClipLike, options?: Cancellable): Promise<Inserted>;
  /** Inserts assets and parts of them at a time; what is shown from there on is shown behind them. */
  insert(clips: ClipLike, at?: TimeLike, options?: Cancellable): Promise<Inserted>;
  /**
   * Inserts parts of tracks one after the other in a track; all of them, or none. Of assets and clips it is the
   * first track of the kind; a `TimeRange` stays empty for its duration.
   */
  insertTimeRanges(
    track: Track | number,
    items: readonly (Asset | Clip | TimeRange)[],
    options?: Cancellable & { at?: TimeLike; clamp?: boolean },
  ): Promise<Inserted>;
  /** What a track shows, one segment after the other from zero on. */
  segments(track: Track | number, options?: Cancellable): Promise<CompositionSegment[]>;
  /** Replaces what a track shows: segments from zero on, without gaps between them. */
  setSegments(
    track: Track | number,
    segments: Iterable<SegmentLike>,
    options?: Cancellable,
  ): Promise<{ duration: MediaTime; revision: number }>;
  /** All that `setSegments` would refuse. */
  validateSegments(
    track: Track | number,
    segments: Iterable<SegmentLike>,
    options?: Cancellable,
  ): Promise<ParamsProblem[]>;
}

export interface JoinResult extends ExportResult {}
/** What became of the parts of a join. */
export class JoinResult {
  /** `Passthrough`, or the preset that all was encoded with. */
  readonly preset: string;
  /** What became of each track, and of its segments. */
  readonly tracks: PlannedTrack[];
  /** No picture was encoded but for those around cuts. */
  readonly isLossless: boolean;
}
