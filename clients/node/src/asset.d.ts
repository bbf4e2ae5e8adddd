import type {
  AssetReader,
  OutputLike,
  TrackOutput,
  VideoCompositionOutput,
} from './asset-reader.js';
import type { BytesOptions, MediaBlob, PathLike } from './blob.js';
import type { AssetCalls, AssetMetadataOptions, SheetOptions } from './calls.js';
import type { Clip, Speed } from './clip.js';
import type { ContactSheet } from './contact-sheet.js';
import type {
  ExportJob,
  ExportOptions,
  ExportSession,
  ExportSessionOptions,
  ExportStream,
  ExportStreamOptions,
} from './export-session.js';
import type {
  FramesLike,
  Image,
  ImageGenerator,
  GeneratorOptions,
  ImageGeneratorOptions,
  ImageOptions,
  ImagesOptions,
} from './image-generator.js';
import type { KeyState } from './keys.js';
import type { MetadataItem, TimedMetadataGroup } from './metadata.js';
import type {
  AssetVariant,
  ContainerFacts,
  MediaCharacteristic,
  MediaType,
  TrackSelection,
  Transform,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { SampleBuffer } from './sample-buffer.js';
import type { MediaTime, TimeLike, TimeRangeLike } from './time.js';
import type { Track } from './track.js';

/** A choice of one track, or `null` for none, for each characteristic. */
type MediaSelection = Partial<Record<MediaCharacteristic, number | null>>;

/** The keys of an asset. */
export interface AssetValues {
  /** The duration; exact if `providesPreciseDurationAndTiming`. */
  duration: MediaTime;
  providesPreciseDurationAndTiming: boolean;
  preferredRate: number;
  preferredVolume: number;
  /** The transform of the first video track: a, b, c, d, tx, ty. */
  preferredTransform: Transform;
  /** The size of the first video track in pixels; zero when there is none. */
  naturalSize: { width: number; height: number };
  minimumTimeOffsetFromLive: MediaTime;
  /** In the order of the container. */
  tracks: Track[];
  /** The numbers of tracks that are alternatives, a list for each group. */
  trackGroups: number[][];
  creationDate: MetadataItem | undefined;
  lyrics: string | undefined;
  commonMetadata: MetadataItem[];
  /** All metadata; `loadMetadata` has large data too. */
  metadata: MetadataItem[];
  availableMetadataFormats: string[];
  /** The languages that `chapters` have titles in; `und` where the file names none. */
  availableChapterLocales: string[];
  /** The characteristics with a `mediaSelectionGroup`. */
  availableMediaCharacteristicsWithMediaSelectionOptions: MediaCharacteristic[];
  preferredMediaSelection: MediaSelection;
  allMediaSelections: MediaSelection[];
  hasProtectedContent: boolean;
  canContainFragments: boolean;
  containsFragments: boolean;
  overallDurationHint: MediaTime;
  /** True if the engine can decode at least one video or audio track. */
  isPlayable: boolean;
  isExportable: boolean;
  isReadable: boolean;
  isComposable: boolean;
  isCompatibleWithSavedPhotosAlbum: boolean;
  isCompatibleWithAirPlayVideo: boolean;
  variants: AssetVariant[];
  /** The format of the file, its size and bit rate, and whether it is cut short. */
  containerFacts: ContainerFacts | undefined;
}

/** The options of `loadMetadata`. */
export interface MetadataFilter extends AssetMetadataOptions {
}

/** The images of a contact sheet, and their form. */
export type ContactSheetOptions = SheetOptions & GeneratorOptions;

/** The form of `audio` of a track; by default at its own rate and with its own channels. */
export interface AudioOptions extends Cancellable {
  track?: Track | number;
  sampleRate?: number;
  channels?: number;
  timeRange?: TimeRangeLike;
}

/** `rgba` pixels by default. */
export interface FramesOptions extends Partial<TrackOutput>, Cancellable {
  /** The pictures of a video composition, which may show `tracks`; `true` for the asset's own. */
  videoComposition?: VideoCompositionOutput['videoComposition'];
  tracks?: VideoCompositionOutput['tracks'];
  timeRange?: TimeRangeLike;
  /** Keeps the bytes of every frame, as if `keep()` was called. */
  keep?: boolean;
}

/**
 * A media file. Its keys are properties that throw `valueNotLoaded` until they are loaded:
 * `await asset.load('duration')`. The file's format is determined when a key is loaded.
 */
export class Asset extends AssetCalls {
  /** The file. */
  readonly url: string;

  /** Loads keys, by default all. Throws the error of the first that failed. */
  load<Key extends keyof AssetValues = keyof AssetValues>(
    ...keys: (Key | readonly Key[] | Cancellable)[]
  ): Promise<Pick<AssetValues, Key>>;
  /** The loading states of keys, without loading or waiting. */
  status<Key extends keyof AssetValues = keyof AssetValues>(
    ...keys: (Key | readonly Key[] | Cancellable)[]
  ): Promise<{ [Each in Key]: KeyState<AssetValues[Each]> }>;

  /** The tracks of a media type, with a characteristic, or of a selection, loaded if need be. */
  loadTracks(
    options?: Cancellable & {
      mediaType?: MediaType;
      mediaCharacteristic?: MediaCharacteristic;
      /** As `tracks` of an export: `{ include: [{ language: 'de' }] }`. */
      selection?: TrackSelection;
    },
  ): Promise<Track[]>;
  /** The track with a number, loaded if need be. */
  loadTrack(trackID: number, options?: Cancellable): Promise<Track | undefined>;
  /** The first picture of its metadata, with the bytes of the file. */
  artwork(options?: Cancellable & BytesOptions): Promise<MediaBlob | undefined>;
  /** The chapters in order of time, with their titles. */
  chapters(
    options?: Cancellable &
      BytesOptions & {
        /** One of `availableChapterLocales`: only titles in it. */
        titleLocale?: string;
        preferredLanguages?: string | Iterable<string>;
        /** True if chapters that have pictures come with them. */
        artwork?: boolean;
      },
  ): Promise<TimedMetadataGroup[]>;

  /** The part from a start to an end, or to its own, as a value; all of it without both. */
  clip(start?: TimeLike, end?: TimeLike, options?: { speed?: Speed }): Clip;

  /** Makes a generator of images. */
  imageGenerator(options?: ImageGeneratorOptions): Promise<ImageGenerator>;
  /**
   * One image: the exact frame at a time, upright, unless the options are others. Without a
   * time it is the first frame, and so it is for 0 where the video begins later.
   */
  image(time?: TimeLike, options?: ImageOptions & ImageGeneratorOptions): Promise<Image>;
  /**
   * The images of several times, or of frames by their numbers, `{ samples: [3, 99] }`, as `image`, in
   * that order. A frame is decoded once, however often it is there.
   */
  images(
    frames: FramesLike,
    options?: ImagesOptions & ImageGeneratorOptions,
  ): AsyncGenerator<Image, void, undefined>;
  /** Many images in one, with a WebVTT map for web players. */
  contactSheet(options?: ContactSheetOptions): Promise<ContactSheet>;

  /** Makes a session that exports it to a new file. */
  exportSession(output: PathLike, options?: ExportSessionOptions): Promise<ExportSession>;
  /** Exports it to a new file; an existing one is never touched. */
  export(output: PathLike, options?: ExportSessionOptions & ExportOptions): ExportJob;

  /**
   * Exports it to a stream of bytes, which is returned once the export is finished: an error of the
   * export is thrown before anything is sent. A file without a name holds the bytes until they are
   * read, in `directoryForTemporaryFiles` or the system's folder; nothing of it stays after
   * any end of the stream. `signal` ends the export, and after it the stream.
   */
  exportStream(options?: ExportStreamOptions): Promise<ExportStream>;

  /** Makes a reader of samples, with at least one output. */
  reader(
    outputs: OutputLike | readonly OutputLike[],
    options?: Cancellable & { timeRange?: TimeRangeLike },
  ): Promise<AssetReader>;
  /** The frames of its first video track, decoded, or the pictures of a video composition; each is gone with the next unless kept. */
  frames(options?: FramesOptions): AsyncGenerator<SampleBuffer, void, undefined>;
  /**
   * The audio of a track, by default the first enabled audio track: one array a channel. Sample `n` is at
   * `n / sampleRate` seconds of the asset, or of `timeRange`; gaps of the track are
   * silence. Without an audio track, or after its end, the arrays are empty.
   */
  audio(options?: AudioOptions): Promise<Float32Array[]>;
}
export interface Asset extends Readonly<AssetValues> {}
