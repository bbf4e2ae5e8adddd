/// <reference types="node" />

import type { Asset } from './asset.js';
import type { PathLike } from './blob.js';
import type { EngineCalls } from './calls.js';
import type { Clip, ClipLike } from './clip.js';
import type { Composition, JoinResult } from './composition.js';
import type { ExportSessionOptions } from './export-session.js';
import type {
  ClientNotifications,
  ClipSequenceInput,
  CompositionTimeline,
  CompositionTimelineInput,
  InitializeResult,
  OpenTimelineIODocument,
  Requests,
} from './protocol.js';
import type { Cancellable } from './remote.js';

/** What an asset can be opened on. */
export type MediaSource =
  | PathLike
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

export interface CompositionOptions extends Cancellable {
  /** The size that pictures are shown in; that of the first one unless given. */
  naturalSize?: { width: number; height: number };
  /** What it is to be, as `timeline()` returns it. */
  timeline?: CompositionTimelineInput;
}

export interface LogEntry {
  level: string;
  logger: string;
  message: string;
}

export interface LaunchOptions extends Cancellable {
  /** The engine's program. */
  binary?: PathLike;
  /** What follows `reelwire serve`. */
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Gets what the engine logs, once `setLogLevel` has asked for it. */
  onLog?: (entry: LogEntry) => void;
}

/**
 * The engine's program: the argument, `REELWIRE_BINARY`, `bin/reelwire` of this package, `reelwire`
 * on the PATH, or the build of the checkout that the package is in.
 */
export function findBinary(binary?: string): string;

/** An engine: one process, and everything that is opened in it. */
export class Engine extends EngineCalls {
  private constructor();
  /**
   * Starts one. It keeps the program running only while something is waited for, and ends with
   * `close()`, an `await using` (from Node 24 on), or the program.
   */
  static launch(options?: LaunchOptions): Promise<Engine>;

  /** What the engine reported about itself: its version, its FFmpeg, its limits. */
  readonly info: InitializeResult;
  readonly version: string;
  readonly pid: number;
  /** Whether it was closed or has died. */
  readonly closed: boolean;
  /** The last lines that it wrote to its stderr. */
  readonly stderr: string[];

  /**
   * Makes an asset of a file, or of bytes in memory, a `Blob`, a stream of bytes, or what is behind an http or
   * https URL, which this process reads, piece by piece as the engine needs them. From a server without ranges,
   * and of streams, everything is read in order, into a temporary file of the engine's. Bytes must not change
   * as long as they are in use. A file whose name isn't UTF-8 is opened by its URL.
   */
  open(
    source: MediaSource,
    options?: Cancellable & { preferPreciseDurationAndTiming?: boolean; salvage?: boolean },
  ): Promise<Asset>;
  /** Makes a composition of assets and parts of them, one after the other; without any, an empty one. */
  composition(clips: ClipLike, options?: CompositionOptions): Promise<Composition>;
  composition(options?: CompositionOptions): Promise<Composition>;
  /** Makes a composition of a list of clips with transitions, overlays and music. */
  assemble(sequence: ClipSequenceInput, options?: Cancellable): Promise<Composition>;
  /** The timeline of such a list, without making a composition of it. */
  expandSequence(sequence: ClipSequenceInput, options?: Cancellable): Promise<CompositionTimeline>;
  /** Makes a composition of an OpenTimelineIO document; `losses` has what isn't in it. */
  importComposition(
    document: OpenTimelineIODocument,
    options?: Cancellable & { relativeTo?: PathLike },
  ): Promise<Composition>;
  /**
   * Joins files, assets and clips to a new file without encoding pictures, but for those around cuts. Where their
   * parts can't be copied they are encoded with `preset`; without one that is an error that names what differs.
   */
  join(
    sources: Iterable<MediaSource | Asset | Clip>,
    output: PathLike,
    options?: ExportSessionOptions & { onProgress?: (progress: number) => void },
  ): Promise<JoinResult>;
  /** Sends any request and returns its result as it is on the wire. */
  request<Method extends keyof Requests>(
    method: Method,
    params?: Requests[Method]['params'],
    options?: Cancellable,
  ): Promise<Requests[Method]['result']>;
  request(method: string, params?: object, options?: Cancellable): Promise<unknown>;
  /** Sends any notification. */
  notify<Method extends keyof ClientNotifications>(
    method: Method,
    params?: ClientNotifications[Method],
  ): void;
  /** Ends the engine; what is not finished is cancelled. Closing again does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
