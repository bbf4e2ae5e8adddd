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
  SubtitleFile,
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
   * By default `HighestQuality`, unless there are `settings`. `Passthrough` copies samples, other presets
   * encode them.
   */
  preset?: string;
  /**
   * The settings of video and audio, which override a preset or replace it, for example
   * `{ video: { width: 640 }, audio: null }`, where `null` omits that media type.
   */
  settings?: ExportSettings;
  /**
   * The tracks to take: their numbers, `{ languages: ['de'] }`, or rules with `include` and `exclude`.
   * A join takes these of each of its files.
   */
  tracks?: TrackSelection;
  /** By default it follows from the file's extension. */
  outputFileType?: string;
  /** The part of the asset. */
  timeRange?: TimeRangeLike;
  /** Items, or values by their common keys; by default those of the asset. */
  metadata?: Iterable<MetadataItem | MetadataEntryLike> | Readonly<Record<string, MetadataValue>>;
  /** The changes of that metadata; the rest stays unchanged. */
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
  /** The source of chapters without `chapters`: those of the files, one for each part, or none. */
  chaptersFrom?: ChapterSource;
  /** About the size in bytes that the file should not exceed. */
  fileLengthLimit?: number | bigint;
  shouldOptimizeForNetworkUse?: boolean;
  /** The volumes of the audio tracks over time; `null` for their own volume. */
  audioMix?: AudioMixLike | null;
  /** The compositing of the video tracks; `null` for the first track, even if the asset has its own. */
  videoComposition?: VideoCompositionLike | null;
  /**
   * Files of subtitles that become further tracks: paths, or files with their properties, for example
   * `{ url: 'film.ru.srt', language: 'ru', characterSet: 'windows-1251', timeOffset: -1.5 }`.
   */
  subtitles?: Iterable<PathLike | (Omit<SubtitleFile, 'url'> & { url: PathLike })>;
  /** The conversion of audio that is scaled in time. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  trimMode?: TrimMode;
  /** The combination of encoded audio tracks into one; by default those of a composition are combined. */
  audioTracks?: AudioTracks;
  /** The loudness of the encoded audio, in LUFS, or with the limit of its true peak; its dynamics are preserved. */
  loudness?: number | LoudnessTarget;
  /** The way in which a passthrough export joins the segments of a composition. */
  joins?: Joins;
  /** The folder of the unfinished file; by default that of the new one. */
  directoryForTemporaryFiles?: PathLike;
  /** The file takes the place of the asset's own, when it is complete. */
  replacesSource?: boolean;
}

export interface ExportPartOptions extends Cancellable {
  /** Called with the completed fraction, from 0 to 1. An exception of it cancels the export. */
  onProgress?: (progress: number) => void;
  /** The minimum time between two calls, in seconds; by default 0.1. */
  progressInterval?: number;
}

export interface ExportOptions extends ExportPartOptions {
  /**
   * Makes it in parts, hidden files in the folder of the new one, which stay after an error, a cancel or a crash of a
   * process: the next such export continues from there. For exports that encode video at a constant quality.
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
  /** The dropped items, each with its `reason`. */
  dropped: Dropped[];
  /** The trim mode of a passthrough export; none if it copied everything. */
  trimMode?: TrimMode;
  /** The reason if that is not the requested mode. */
  trimNote?: string;
  /** The measurements of each audio track with a `loudness`, and their results. */
  loudness: AppliedLoudness[];
}

/** The bytes of a finished export. */
export interface ExportStream extends Readable {
  /** The result of an export; `fileSize` is the number of bytes. */
  readonly result: Omit<ExportResult, 'path'>;
}

/** The options of an export to a stream. */
export interface ExportStreamOptions
  extends Omit<ExportSessionOptions, 'replacesSource'>,
    Omit<ExportOptions, 'resume'> {
  /** `mp4` by default. */
  outputFileType?: string;
  /** The number of bytes that are read ahead: by default 65,536. */
  highWaterMark?: number;
}

/** The plan of an export. */
export interface ExportPreflight {
  timeRange: TimeRange;
  /** The treatment of each track. */
  tracks: PlannedTrack[];
  /** The items that would be dropped, each with its `reason`. */
  dropped: Dropped[];
}

/** The estimated duration and size of a file. */
export interface ExportEstimate {
  duration: MediaTime;
  /** In bytes. */
  fileLength: number | bigint;
  /** The part of the asset that fits into the session's limit of bytes, if there is one. */
  maximumDuration?: MediaTime;
}

/** The state of an export. */
export interface ExportState {
  status: ExportStatus;
  /** The part that is done, from 0 to 1. */
  progress: number;
  /** The reason if it failed or was cancelled. */
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
