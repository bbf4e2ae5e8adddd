import type { Asset } from './asset.js';
import type { BytesOptions, PathLike } from './blob.js';
import type { LibraryCalls } from './calls.js';
import type { Picture } from './picture.js';
import type {
  AssetOptions,
  LibraryItemError,
  LibraryItemState,
  LibraryMediaType,
  LibraryOperator,
  LibraryPredicate,
  FetchResultMove,
} from './protocol.js';
import type { Cancellable, Remote } from './remote.js';
import type { MediaTime } from './time.js';

export interface LibraryOptions extends Cancellable {
  /**
   * The path of the database. By default it is below `$XDG_DATA_HOME/reelwire` (`~/.local/share/reelwire`):
   * one for each list of folders, or `library.sqlite` without any.
   */
  database?: PathLike;
  /** True to keep it up to date while it is open, the default. */
  watch?: boolean;
  /** Folders below that don't belong to it, as paths from each. */
  excluded?: string[];
  /** What symbolic links lead to belongs to it as well; what is reached twice is there once. */
  followsSymbolicLinks?: boolean;
}

/** The counts of a scan: numbers of files. */
export interface LibraryScanCounts {
  /** Media files that were looked at. */
  seen: number;
  /** Files that were opened and read. */
  probed: number;
  added: number;
  /** Files with another content. */
  changed: number;
  /** Files that are elsewhere, or are called something else. */
  moved: number;
  missing: number;
  /** Of those that were read, how many can't be. */
  unreadable: number;
  /** Folders that can't be read: their items in the library stay unchanged. */
  unreadableFolders: number;
  /** Symbolic links that are to be followed, and can't be. */
  unreadableLinks: number;
}

export interface LibraryScanProgress extends LibraryScanCounts {
  /** The folder that is looked into. */
  folder: string;
}

export interface LibraryScanResult extends LibraryScanCounts {
  /** Items that can't be read, a hundred at most, with their paths and errors. */
  errors: LibraryItem[];
  /** Symbolic links that can't be followed, a hundred at most, and why. */
  links: { path: string; message: string }[];
}

export interface ScanOptions extends Cancellable {
  /** A folder of the library, or one below; by default all. */
  folder?: PathLike;
  /** Called some times a second. An exception of it cancels the scan. */
  onProgress?: (progress: LibraryScanProgress) => void;
}

export interface DuplicatesOptions extends Cancellable {
  /** Called with the part of the bytes that was compared, from 0 to 1. */
  onProgress?: (progress: number) => void;
}

/** The changes of observed results. */
export interface LibraryChange {
  /** The changes that come after these. */
  changeToken: number;
  results: FetchResultChange[];
}

/** Applied in this order: `removed`, `inserted`, `moves`; `changed` is where items are then. */
export interface FetchResultChange {
  result: FetchResult;
  /** False where the lists are empty, and the result is to be read anew. */
  hasIncrementalChanges: boolean;
  /** Indexes before the change, ascending. */
  removed: number[];
  /** Indexes when the removed ones are gone, each valid when those before it are inserted. */
  inserted: number[];
  /** Indexes after the change. */
  changed: number[];
  moves: FetchResultMove[];
}

type Comparable = string | number | boolean | Date | MediaTime;
type Comparisons = { [Name in LibraryOperator]?: Comparable | Comparable[] };

/**
 * A predicate of the protocol, or keys with their values: one value, a list of alternatives, or an object
 * of comparisons such as `{ greaterThan: 60 }`. Durations are seconds.
 */
export type Condition = LibraryPredicate | Record<string, Comparable | Comparable[] | Comparisons>;

/** Folders of media, indexed in a database. */
export class Library extends Remote {
  private constructor();
  /** The path of the database. */
  readonly database: string;
  /** Called when the library has changed, at most twice a second. It doesn't keep a program alive. */
  onChange?: (change: LibraryChange) => void;
  /** Called when the engine, or its process with the library, has died: no changes come any more. */
  onError?: (error: Error) => void;
  /** All items, as a query. */
  readonly items: LibraryQuery;
  readonly videos: LibraryQuery;
  readonly audio: LibraryQuery;
  readonly images: LibraryQuery;
  /** The item of an identifier. */
  item(id: string, options?: Cancellable): Promise<LibraryItem>;
}
export interface Library extends LibraryCalls {}

/** A query; nothing is fetched until its items are requested. Each call makes a new query. */
export class LibraryQuery {
  private constructor();
  /** The items that match all conditions, in addition to the earlier ones. */
  where(...conditions: Condition[]): LibraryQuery;
  /** Those with terms that begin so in name, folder, title, artist, album or description. */
  text(terms: string): LibraryQuery;
  /** Sorts by keys; `-` in front of one has its largest values first. */
  orderBy(...keys: string[]): LibraryQuery;
  /** Limits the number of items. */
  limit(count: number): LibraryQuery;
  /** Fetches the identifiers, to be closed; the items are read on demand. */
  fetch(options?: FetchOptions): Promise<FetchResult>;
  count(options?: Cancellable): Promise<number>;
  /** The numbers of items for each value of a key, the most frequent first. */
  countBy(key: string, options?: Cancellable): Promise<Map<string, number>>;
  first(options?: Cancellable): Promise<LibraryItem | undefined>;
  toArray(options?: Cancellable): Promise<LibraryItem[]>;
  [Symbol.asyncIterator](): AsyncGenerator<LibraryItem, void, undefined>;
}

export interface FetchOptions extends Cancellable {
  /** True if it becomes the new result when the library changes; {@link Library.onChange} has the changes. */
  observe?: boolean;
}

/** The items of a query: a snapshot, unless it is observed. */
export class FetchResult extends Remote {
  private constructor();
  /** The number of its items. */
  readonly count: number;
  /** The changes that come after it. */
  readonly changeToken: number;
  /** The items from one index to before another one; negative ones are from the end. */
  slice(start?: number, end?: number, options?: Cancellable): Promise<LibraryItem[]>;
  /** The item of an index; a negative one is from the end. */
  at(index: number, options?: Cancellable): Promise<LibraryItem | undefined>;
  /** The index of an item, or of an identifier; -1 when it isn't there. */
  indexOf(item: LibraryItem | string, options?: Cancellable): Promise<number>;
  /** The numbers of items for each value of a key, the most frequent first. */
  countBy(key: string, options?: Cancellable): Promise<Map<string, number>>;
  [Symbol.asyncIterator](): AsyncGenerator<LibraryItem, void, undefined>;
}

/** A file of a library, as it was when it was asked for. */
export class LibraryItem {
  private constructor();
  /** The same for as long as the item exists, wherever the file is moved. */
  readonly id: string;
  /** The path of the file; a `file:` URL where it isn't UTF-8. */
  readonly path?: string;
  readonly name?: string;
  readonly state?: LibraryItemState;
  readonly mediaType?: LibraryMediaType;
  /** By FFmpeg's first name for it. */
  readonly container?: string;
  readonly duration?: MediaTime;
  /** The display size, in pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  /** Frames per second. */
  readonly frameRate?: number;
  /** By how many degrees clockwise pictures are turned to be shown. */
  readonly rotation?: number;
  /** In bytes. */
  readonly fileSize?: number;
  /** The time of recording. */
  readonly creationDate?: Date;
  readonly modificationDate?: Date;
  /** The time at which it was added to the library. */
  readonly addedAt?: Date;
  /** In degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** The first text of each common key. */
  readonly metadata: Record<string, string>;
  /** The reason if the file can't be read. */
  readonly error?: LibraryItemError;
  /** Opens its file; a `ContentIsUnavailableError` when that is gone. */
  open(
    options?: Cancellable & AssetOptions,
  ): Promise<Asset>;
  /** All texts of its metadata, by common keys and identifiers; the file isn't opened. */
  values(options?: ItemValuesOptions): Promise<Record<string, string[]>>;
  /** A small picture, from a cache, as JPEG. */
  thumbnail(options?: ThumbnailOptions): Promise<Picture>;
}

export interface ItemValuesOptions extends Cancellable {
  /** The requested keys; by default all. */
  keys?: string[];
}

export interface ThumbnailOptions extends Cancellable, BytesOptions {
  /** The longer side in pixels, from 16 to 2048; by default 256. */
  width?: number;
}

/** Items that belong together. */
export class LibraryCollection {
  private constructor();
  readonly id: string;
  /** Of a folder its path, of a month `2021-05`. */
  readonly title: string;
  readonly count: number;
  readonly startDate?: Date;
  readonly endDate?: Date;
  /** The items, as a query. */
  readonly items: LibraryQuery;
}
