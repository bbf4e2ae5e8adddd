import type { Asset } from './asset.js';
import type { Clip } from './clip.js';
import type { MediaSource } from './engine.js';
import type { ExportOptions, ExportResult, ExportSessionOptions } from './export-session.js';
import type { PlannedTrack } from './protocol.js';

/** A source of a join: one of `open`, an asset, or a part of one. */
export type JoinLike = MediaSource | Asset | Clip;

/** `preset` is for parts that can't be copied. */
export interface JoinOptions extends ExportSessionOptions, ExportOptions {}

/** The file that a join has made, and how. */
export interface JoinResult extends ExportResult {
  /** `Passthrough` unless something was refused. */
  preset: string;
  /** The treatment of each track, and in `segments` that of each part of it, with the reason. */
  tracks: PlannedTrack[];
  /** The reasons why the parts couldn't be copied; empty if they were. */
  refused: string[];
  /** True if everything was copied, and nothing encoded, not even at the edges of a part. */
  isLossless: boolean;
}
