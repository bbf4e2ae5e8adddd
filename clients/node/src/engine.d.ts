/// <reference types="node" />

import type { Asset } from './asset.js';
import type {
  AssetWriter,
  AssetWriterOptions,
  PictureLike,
  WriterResult,
  WriteVideoOptions,
} from './asset-writer.js';
import type { PathLike } from './blob.js';
import type { EngineCalls } from './calls.js';
import type { ClipsLike } from './clip.js';
import type { ClipSequence, Composition, CompositionOptions } from './composition.js';
import type { ExportJob } from './export-session.js';
import type { JoinLike, JoinOptions, JoinResult } from './join.js';
import type {
  AssetOptions,
  ClientNotifications,
  CompositionTimeline,
  CompositionTimelineInput,
  ImageLayout,
  InitializeResult,
  OpenTimelineIODocument,
  Requests,
  VideoCompositionInstruction,
} from './protocol.js';
import type { Library, LibraryOptions } from './library.js';
import type { AudioPlayer, AudioPlayerOptions } from './audio-player.js';
import type { AudioRecorder, AudioRecorderOptions } from './audio-recorder.js';
import type { CaptureOptions, CaptureSession } from './capture.js';
import type { Player, PlayerOptions, PlayerSource } from './player.js';
import type { PlayerItem, PlayerItemOptions } from './player-item.js';
import type { Cancellable } from './remote.js';
import type { MediaTime } from './time.js';

/** A source of an asset. */
export type MediaSource =
  | PathLike
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>;

/** A raw picture that is drawn, or drawn from. */
export interface CompositionPicture extends ImageLayout {
  /** The bytes of all planes. */
  data: Uint8Array;
}

/** A picture to draw. */
export interface CompositionFrame {
  /** The presentation time. */
  readonly time: MediaTime;
  /** The instruction of that time, unchanged. */
  readonly instruction: VideoCompositionInstruction;
  /** The tracks' frames at that time, by their IDs, the one on top first. */
  readonly sources: Map<number, CompositionPicture & { time: MediaTime }>;
  /** The frame to draw: all of it is to be written. */
  readonly target: CompositionPicture;
}

export interface LogEntry {
  level: string;
  logger: string;
  message: string;
}

export interface LaunchOptions extends Cancellable {
  /** The engine's program. */
  binary?: PathLike;
  /** The arguments after `reelwire serve`. */
  args?: readonly string[];
  /** The devices that it may capture; by default none. */
  allowCapture?: readonly ('camera' | 'microphone' | 'screen' | 'all')[];
  env?: NodeJS.ProcessEnv;
  /** Called with the engine's log lines, after `setLogLevel`. */
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

  /** The engine's report of itself: its version, its FFmpeg, its limits. */
  readonly info: InitializeResult;
  readonly version: string;
  readonly pid: number;
  /** True if it was closed or has crashed. */
  readonly closed: boolean;
  /** The last lines that it wrote to its stderr. */
  readonly stderr: string[];

  /**
   * Draws the client's instructions of video compositions: those with `"compositor": "client"`.
   *
   * It draws into `frame.target.data`, or returns the bytes of such a frame, for example those of sharp;
   * one frame after the other. An exception of it fails the work that needs the frame, with `VideoCompositorFailedError`.
   */
  compositor?: (
    frame: CompositionFrame,
  ) => void | ArrayBufferView | Promise<void | ArrayBufferView>;

  /**
   * Makes an asset of a file, or of bytes in memory, a `Blob`, a stream of bytes, or of an http or
   * https URL, which this process reads, piece by piece as the engine needs them. From a server without ranges,
   * and of streams, everything is read in order, into a temporary file of the engine's. Bytes must not change
   * as long as they are in use. A file whose name isn't UTF-8 is opened by its URL.
   */
  open(
    source: MediaSource,
    options?: Cancellable & AssetOptions,
  ): Promise<Asset>;
  /**
   * Opens a library: a folder of media, or several, whose files are indexed in a database by `scan()`. Without folders it is
   * the user's own. `~` is the home.
   */
  library(folders?: PathLike | PathLike[], options?: LibraryOptions): Promise<Library>;
  library(options: LibraryOptions): Promise<Library>;
  /** Makes a player of a file, of an asset, or of an item; `play()` starts it. */
  player(source?: PlayerSource, options?: PlayerOptions): Promise<Player>;
  /** Makes a player of several files, assets or items, which play one after the other without a gap. */
  queuePlayer(sources?: PlayerSource[], options?: PlayerOptions): Promise<Player>;
  /** Makes an item for a player: a presentation of a file or an asset. */
  playerItem(source: PlayerSource, options?: PlayerItemOptions): Promise<PlayerItem>;
  /** Makes a player of the audio of a file or an asset; `play()` starts it. */
  audioPlayer(source: MediaSource | Asset, options?: AudioPlayerOptions): Promise<AudioPlayer>;
  /** Makes a capture session of devices, and starts it. */
  capture(options?: CaptureOptions): Promise<CaptureSession>;
  /** Makes a recorder of the audio of a device into a new file; `record()` starts it. */
  audioRecorder(output: string | URL, options?: AudioRecorderOptions): Promise<AudioRecorder>;
  /**
   * Makes a composition of clips, one after the other; of a `timeline()` that a composition has
   * returned; or one without tracks.
   */
  composition(clips: ClipsLike, options?: CompositionOptions): Promise<Composition>;
  composition(
    options?: CompositionOptions & { timeline?: CompositionTimelineInput },
  ): Promise<Composition>;
  /**
   * Makes a composition of a sequence: clips with transitions, overlays and music. All that is
   * wrong with it is in one error.
   */
  assemble(sequence: ClipSequence, options?: Cancellable): Promise<Composition>;
  /** The timeline that `assemble` would make of a sequence, without making it. */
  expandSequence(sequence: ClipSequence, options?: Cancellable): Promise<CompositionTimeline>;
  /**
   * Makes a composition of a document of OpenTimelineIO, or of the `.otio` file of one. Relative
   * URLs in it begin at the folder `relativeTo`, for a file at its own. Parts of the document that aren't in the
   * composition are listed in its `losses`.
   */
  importComposition(
    document: PathLike | OpenTimelineIODocument,
    options?: Cancellable & { relativeTo?: PathLike },
  ): Promise<Composition>;
  /**
   * Joins files, assets and clips to a new file, and copies their samples: at cuts inside a group
   * of pictures only the frames around the cut are encoded, and lossy audio of several parts is
   * encoded once, unless `joins` is `{ audio: 'copy' }`. Parts that can't be copied are encoded with
   * `preset`; without one the error names the differences, and no file is made.
   */
  join(sources: Iterable<JoinLike>, output: PathLike, options?: JoinOptions): ExportJob<JoinResult>;

  /**
   * Makes a writer of pictures, audio and samples to a new file, or with `segments` to media segments, and
   * starts it: `assetWriter('a.mp4', { inputs: { video: { size, frameRate: 30 } } })`.
   */
  assetWriter(output: PathLike | undefined, options: AssetWriterOptions): Promise<AssetWriter>;
  /** Writes pictures to a new video, from an array, a generator, a stream of buffers … */
  writeVideo(
    output: PathLike,
    frames: Iterable<PictureLike> | AsyncIterable<PictureLike>,
    options?: WriteVideoOptions,
  ): Promise<WriterResult>;
  /** Sends any request and returns its result in the wire's form. */
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
  /** Ends the engine; unfinished work is cancelled. Closing again does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
