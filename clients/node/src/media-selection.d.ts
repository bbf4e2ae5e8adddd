import type { MetadataItem } from './metadata.js';
import type { MediaCharacteristic, MediaType } from './protocol.js';

/** One of the options of a group. */
export class MediaSelectionOption {
  private constructor();
  /** The number of the track that it presents. */
  readonly trackID: number;
  readonly mediaType: MediaType;
  /** The formats as four-character codes. */
  readonly mediaSubTypes: string[];
  readonly mediaCharacteristics: MediaCharacteristic[];
  /** True if this engine can decode it. */
  readonly isPlayable: boolean;
  /** The language by BCP 47. */
  readonly extendedLanguageTag?: string;
  /** The name for menus. */
  readonly displayName: string;
  readonly commonMetadata: MetadataItem[];
}

/** Options of which one at a time is presented, such as languages. */
export class MediaSelectionGroup {
  private constructor();
  /** In the order of the container, or of the languages that were asked for. */
  readonly options: MediaSelectionOption[];
  /** The track of the option that is presented by default, when one is. */
  readonly defaultTrackID?: number;
  /** True if it is possible to present none of them. */
  readonly allowsEmptySelection: boolean;
}
