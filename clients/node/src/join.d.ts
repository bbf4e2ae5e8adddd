import type { Asset } from './asset.js';
import type { Clip } from './clip.js';
import type { MediaSource } from './engine.js';
import type { ExportOptions, ExportResult, ExportSessionOptions } from './export-session.js';
import type { PlannedTrack } from './protocol.js';

/** What can be joined: what `open` takes, an asset, or a part of one. */
export type JoinLike = MediaSource | Asset | Clip;

/** `preset` is for what can't be copied. */
export interface JoinOptions extends ExportSessionOptions, ExportOptions {}

/** The file that a join has made, and how. */
export interface JoinResult extends ExportResult {
  /** `Passthrough` unless something was refused. */
  preset: string;
  /** What has become of each track, and in `segments` of each part of it, and why. */
  tracks: PlannedTrack[];
  /** Why the parts couldn't be copied; empty where they were. */
  refused: string[];
  /** Whether everything was copied, and nothing encoded, not even at the edges of a part. */
  isLossless: boolean;
}
