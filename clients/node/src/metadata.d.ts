import type { MediaBlob } from './blob.js';
import type { MetadataItem as WireItem } from './protocol.js';
import type { MediaTime, TimeRange } from './time.js';

/** One item of metadata. */
export class MetadataItem {
  constructor(wire: WireItem);
  /** The key space and the key with a slash between them, for example `itsk/©nam`. */
  readonly identifier: string;
  readonly key: string;
  /** `itsk`, `mdta`, `udta`, `uiso`, `id3`, `icy` or the container's own. */
  readonly keySpace: string;
  /** Its meaning in any container, for example `title`. */
  readonly commonKey?: string;
  /** FFmpeg's name of it in every container, for example `album_artist`. */
  readonly tagName?: string;
  /** The language by BCP 47. */
  readonly extendedLanguageTag?: string;
  readonly locale?: string;
  /** The start of its validity; none if it applies to the whole. */
  readonly time?: MediaTime;
  readonly duration?: MediaTime;
  /** The value's type by Core Media's name. */
  readonly dataType?: string;
  /** Additional attributes in the file. */
  readonly extraAttributes: Record<string, string>;
  /**
   * Text, a number, a truth value, or bytes; none where a loaded key leaves out more than 4096
   * bytes, which `loadMetadata` brings.
   */
  readonly value?: string | number | boolean | MediaBlob;
  /** The number of bytes of a value that is bytes, also of those that are left out. */
  readonly size?: number;
  readonly mimeType?: string;
  /** The item as the protocol writes it. */
  toJSON(): WireItem;
}

/** Metadata of a part of an asset, such as a chapter. */
export class TimedMetadataGroup {
  private constructor();
  readonly timeRange: TimeRange;
  readonly items: MetadataItem[];
  /** The title, when it has one. */
  readonly title?: string;
  /** The first picture, when it has one that was asked for. */
  readonly artwork?: MediaBlob;
}
