import type { Readable } from 'node:stream';

import type { AudioMixLike } from './audio-mix.js';
import type { MediaBlob, PathLike } from './blob.js';
import type { ExportSessionCalls } from './calls.js';
import type { ReelwireError } from './errors.js';
import type { MetadataItem, TimedMetadataGroup } from './metadata.js';
import type {
  AppliedLoudness,
  AudioTimePitchAlgorithm,
  ChapterSource,
  Dropped,
  ExportSettings,
  ExportStatus,
  AudioTracks,
  Joins,
  LoudnessTarget,
  MetadataEntry,
  PlannedTrack,
  TrackSelection,
  TrimMode,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { VideoCompositionLike } from './video-composition.js';

/** A value of metadata; bytes, for example, of a picture with the key `artwork`. */
export type MetadataValue = string | number | boolean | MediaBlob | ArrayBuffer | ArrayBufferView;

/** An item to write, named by `identifier`, by `key` and `keySpace`, or by `commonKey`. */
export type MetadataEntryLike =
  | MetadataEntry
  | (Omit<MetadataEntry, 'value'> & { value: MetadataValue });

export interface ExportSessionOptions extends Cancellable {
  /**
   * `HighestQuality` unless this or `settings` is given. `Passthrough` copies samples, other presets
   * encode them.
   */
  preset?: string;
  /**
   * What is made of video and audio, over the preset or instead of one, for example
   * `{ video: { width: 640 }, audio: null }`, where `null` leaves something out.
   */
  settings?: ExportSettings;
  /**
   * The tracks to take: their numbers, `{ languages: ['de'] }`, or rules with `include` and `exclude`.
   * A join takes these of each of its files.
   */
  tracks?: TrackSelection;
  /** Follows from the file's extension unless given. */
  outputFileType?: string;
  /** The part of the asset. */
  timeRange?: TimeRangeLike;
  /** Items, or values by their common keys; that of the asset unless given. */
  metadata?: Iterable<MetadataItem | MetadataEntryLike> | Readonly<Record<string, MetadataValue>>;
  /** What is changed of that metadata; the rest stays as it is. */
  metadataChanges?: {
    /** Items, or values by their names, each in place of all that mean the same. */
    set?: Iterable<MetadataItem | MetadataEntryLike> | Readonly<Record<string, MetadataValue>>;
    /** FFmpeg's names (`album_artist`), common keys (`artwork`) or identifiers. */
    remove?: Iterable<string>;
  };
  /** In place of those of the asset: `[start, title]`, or objects. */
  chapters?: Iterable<
    | readonly [TimeLike, string]
    | TimedMetadataGroup
    | { title: string; start?: TimeLike; timeRange?: TimeRangeLike }
  >;
  /** Where chapters come from that aren't given: of the files, one for each part, or none. */
  chaptersFrom?: ChapterSource;
  /** About the size in bytes that the file should not exceed. */
  fileLengthLimit?: number | bigint;
  shouldOptimizeForNetworkUse?: boolean;
  /** How loud the audio tracks are over time; `null` for their own volume. */
  audioMix?: AudioMixLike | null;
  /** How pictures are made of the video tracks; `null` for the first track, though there is one. */
  videoComposition?: VideoCompositionLike | null;
  /** What becomes of audio that is scaled in time. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  trimMode?: TrimMode;
  /** Whether encoded audio tracks become one; left out, those of a composition do. */
  audioTracks?: AudioTracks;
  /** How loud the encoded audio becomes, in LUFS, or with the limit of its true peak; its dynamics stay. */
  loudness?: number | LoudnessTarget;
  /** How a passthrough export joins the segments of a composition. */
  joins?: Joins;
  /** Where the unfinished file lies; the folder of the new one unless given. */
  directoryForTemporaryFiles?: PathLike;
  /** The file takes the place of the asset's own, when it is complete. */
  replacesSource?: boolean;
}

export interface ExportPartOptions extends Cancellable {
  /** Called with the part that is done, from 0 to 1. What it throws cancels the export. */
  onProgress?: (progress: number) => void;
  /** The least time between two calls, in seconds; 0.1 unless given. */
  progressInterval?: number;
}

export interface ExportOptions extends ExportPartOptions {
  /**
   * Makes it in parts, hidden files beside the new one, which stay after an error, a cancel or the death of a
   * process: the next such export goes on from there. For exports that encode video at a constant quality.
   */
  resume?: boolean;
}

/** The file that an export has made. */
export interface ExportResult {
  path: string;
  /** In bytes. */
  fileSize?: number | bigint;
  /** The part of the asset that it shows. */
  timeRange?: TimeRange;
  /** What was left out, each with its `reason`. */
  dropped: Dropped[];
  /** How a passthrough export has cut; none where it copied everything. */
  trimMode?: TrimMode;
  /** Why that is not the mode that was asked for. */
  trimNote?: string;
  /** What was measured of each audio track that has a `loudness`, and what has become of it. */
  loudness: AppliedLoudness[];
}

/** The bytes of a finished export. */
export interface ExportStream extends Readable {
  /** What was exported; `fileSize` is how many bytes there are. */
  readonly result: Omit<ExportResult, 'path'>;
}

/** What an export to a stream takes. */
export interface ExportStreamOptions
  extends Omit<ExportSessionOptions, 'replacesSource'>,
    Omit<ExportOptions, 'resume'> {
  /** `mp4` unless given. */
  outputFileType?: string;
  /** How many bytes are read ahead: 65,536 unless given. */
  highWaterMark?: number;
}

/** What an export would do. */
export interface ExportPreflight {
  timeRange: TimeRange;
  /** What would become of each track. */
  tracks: PlannedTrack[];
  /** What would be left out, each with its `reason`. */
  dropped: Dropped[];
}

/** How long and how large a file will be. */
export interface ExportEstimate {
  duration: MediaTime;
  /** In bytes. */
  fileLength: number | bigint;
  /** How much of the asset fits into the session's limit of bytes, if there is one. */
  maximumDuration?: MediaTime;
}

/** How far an export is. */
export interface ExportState {
  status: ExportStatus;
  /** The part that is done, from 0 to 1. */
  progress: number;
  /** Why it failed or was cancelled. */
  error?: ReelwireError;
}

/**
 * An export at work: a promise of its result, and an async iterable of the part that is done, from
 * 0 to 1. The file is there when the promise is fulfilled, and no part of it after an error, which
 * a loop over the numbers throws too. Leaving the loop doesn't cancel.
 */
export class ExportJob<Result = ExportResult> implements Promise<Result> {
  private constructor();
  /** The part that is done, so far. */
  readonly progress: number;
  /** Cancels the export, which then is rejected as `operationCancelled` and leaves no file. */
  cancel(): void;
  readonly then: Promise<Result>['then'];
  readonly catch: Promise<Result>['catch'];
  readonly finally: Promise<Result>['finally'];
  readonly [Symbol.toStringTag]: string;
  [Symbol.asyncIterator](): AsyncGenerator<number, void, undefined>;
}

/** Exports an asset once. */
export class ExportSession extends ExportSessionCalls {
  /** Undefined where settings take its place. */
  readonly preset: string | undefined;
  /** The type that the file will have, for example `mp4`. */
  readonly outputFileType: string;
  /** The types that the preset can export the asset to. */
  readonly supportedFileTypes: string[];
  /** Exports to a new file; an existing one is never touched. */
  export(options?: ExportOptions): ExportJob;
}
