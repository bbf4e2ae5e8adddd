import type { Asset } from './asset.js';
import type { TrackCalls } from './calls.js';
import type { KeyState, TrackSegment } from './keys.js';
import type { MetadataItem } from './metadata.js';
import type {
  FormatDescription,
  MediaCharacteristic,
  MediaType,
  TrackAssociationType,
  Transform,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { MediaTime, TimeRange } from './time.js';

/** The keys of a track. */
export interface TrackValues {
  mediaType: MediaType;
  formatDescriptions: FormatDescription[];
  mediaCharacteristics: MediaCharacteristic[];
  /** The range it takes in the asset. */
  timeRange: TimeRange;
  naturalTimeScale: number;
  /** In bits a second. */
  estimatedDataRate: number;
  /** In bytes. */
  totalSampleDataLength: number | bigint;
  /** By ISO 639-2/T. */
  languageCode: string | undefined;
  /** By BCP 47. */
  extendedLanguageTag: string | undefined;
  /** In pixels, before `preferredTransform`. */
  naturalSize: { width: number; height: number };
  preferredTransform: Transform;
  preferredVolume: number;
  /** In frames a second. */
  nominalFrameRate: number;
  minFrameDuration: MediaTime;
  requiresFrameReordering: boolean;
  hasAudioSampleDependencies: boolean;
  isEnabled: boolean;
  isPlayable: boolean;
  isDecodable: boolean;
  isSelfContained: boolean;
  /** The edit list. */
  segments: TrackSegment[];
  commonMetadata: MetadataItem[];
  metadata: MetadataItem[];
  availableMetadataFormats: string[];
  availableTrackAssociationTypes: TrackAssociationType[];
  canProvideSampleCursors: boolean;
}

/**
 * A track of an asset. Media type and format, characteristics, languages, size, `isEnabled` and
 * `isDecodable` are there; the other keys throw `valueNotLoaded` until they are loaded.
 */
export class Track extends TrackCalls {
  private constructor();
  /** The track's number, unique within the asset. */
  readonly trackID: number;
  /** The asset that it is of. */
  readonly asset: Asset;
  /** The format as a four-character code, for example `avc1`. */
  readonly mediaSubType?: string;

  /** Loads keys, by default all. Throws the error of the first that failed. */
  load<Key extends keyof TrackValues = keyof TrackValues>(
    ...keys: (Key | readonly Key[] | Cancellable)[]
  ): Promise<Pick<TrackValues, Key>>;
  /** The loading states of keys, without loading or waiting. */
  status<Key extends keyof TrackValues = keyof TrackValues>(
    ...keys: (Key | readonly Key[] | Cancellable)[]
  ): Promise<{ [Each in Key]: KeyState<TrackValues[Each]> }>;
}
export interface Track extends Readonly<TrackValues> {}
