// The calls that are on the wire as they are here, for each kind of object.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
//
// A class `…Calls` is the base of an object's own class. Calls that need more than that are written
// by hand in the object's module.

import type { Loudness, SceneChanges, Silences } from './analysis.js';
import type { Asset } from './asset.js';
import type { ReaderState } from './asset-reader.js';
import type { WriterInputOptions, WriterState } from './asset-writer.js';
import type { AudioMixLike } from './audio-mix.js';
import type { BytesOptions, PathLike } from './blob.js';
import type {
  Composition,
  CompositionSegment,
  CompositionSettings,
  ItemLike,
  SegmentLike,
} from './composition.js';
import type { ContactSheet } from './contact-sheet.js';
import type { ReelwireError } from './errors.js';
import type {
  ExportEstimate,
  ExportJob,
  ExportPartOptions,
  ExportPreflight,
  ExportState,
} from './export-session.js';
import type { Image, ImageOptions } from './image-generator.js';
import type { TrackSegment } from './keys.js';
import type {
  DuplicatesOptions,
  LibraryCollection,
  LibraryItem,
  LibraryScanResult,
  ScanOptions,
} from './library.js';
import type { MediaSelectionGroup } from './media-selection.js';
import type { MetadataItem } from './metadata.js';
import type { PlayerItem } from './player-item.js';
import type {
  ActionAtItemEnd,
  AudioLevel,
  AudioMixInput,
  AudioPlayerFinishAudioFileResult,
  AudioTimePitchAlgorithm,
  AuthorizationStatus,
  CaptureClock,
  CaptureDevicesResult,
  CaptureInputState,
  CaptureLevel,
  CaptureMediaType,
  CaptureOutputState,
  CompositionOpenTimelineIOResult,
  CompositionTimeline,
  ConversionLoss,
  DeviceDirection,
  Dropped,
  EngineCapabilitiesResult,
  EngineStatsResult,
  ExportPartPlan,
  HandleInfo,
  ImageFormat,
  InstructionPrototype,
  LayerRamp,
  LayerRampKind,
  LibraryChangesResult,
  LibraryCollectionType,
  LibraryStatusResult,
  LogLevel,
  LooperStatus,
  MediaCharacteristic,
  MediaType,
  NumberRamp,
  ParamsProblem,
  PlaybackStatus,
  PlayerAudio,
  PlayerClock,
  PlayerFinishAudioFileResult,
  PlayerHandle,
  PlayerItemHandle,
  PlayerItemTrack,
  PlayerRate,
  SampleOrder,
  SegmentPlayback,
  Size,
  SpeedPointInput,
  TimeControlStatus,
  TrackAssociationType,
  TrackSelection,
  Transform,
  VideoComposition,
  VideoCompositionLayerInstructionInput,
  VideoCompositionValidateResult,
  WaitingReason,
} from './protocol.js';
import type { Cancellable, Remote } from './remote.js';
import type { Chunk, Sample } from './sample.js';
import type { SampleCursor } from './sample-cursor.js';
import type { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
import type { Track } from './track.js';
import type { VideoCompositionLike } from './video-composition.js';
import type { Waveform } from './waveform.js';

/** The options of `validateVideoComposition`. */
export interface VideoCompositionValidateOptions extends Cancellable {
  /** The asset that it is for; left out, tracks and the end aren't checked. */
  asset?: Asset;
  /** The range whose instructions are checked: those that overlap it. Left out: all of them. */
  timeRange?: TimeRangeLike;
}

/** The options of `devices`. */
export interface CaptureDevicesOptions extends Cancellable {
  /** The media of the devices; any when absent. */
  mediaType?: CaptureMediaType;
  /** The direction of the media. Default: `"input"`. */
  direction?: DeviceDirection;
}

export declare class EngineCalls {
  /** Describes every method, as an OpenRPC document. */
  discover(options?: Cancellable): Promise<Record<string, unknown>>;

  /** Lists the containers, codecs, formats and presets that this build supports. */
  capabilities(options?: Cancellable): Promise<EngineCapabilitiesResult>;

  /**
   * Counts the objects that the server holds and the work that it has done, for tests,
   * dashboards and finding leaks.
   */
  stats(options?: Cancellable): Promise<EngineStatsResult>;

  /**
   * Returns the time of the host clock, to which the times of players on the clocks `host` and
   * `audio` refer.
   *
   * It is the system's monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
   */
  hostTime(options?: Cancellable): Promise<{ hostTime: MediaTime; clock: "monotonic" }>;

  /**
   * Turns on `engine/log` notifications from a level upwards; `off` turns them off.
   *
   * None are sent before this request. Messages also go to stderr, regardless of this level.
   *
   * @param level The least important level to be sent.
   */
  setLogLevel(level: LogLevel, options?: Cancellable): Promise<void>;

  /**
   * Lists every open handle of this connection, oldest first.
   *
   * @returns One entry for each open handle.
   */
  handles(options?: Cancellable): Promise<HandleInfo[]>;

  /**
   * Returns all problems of a video composition: those for which `composition/set` and other
   * requests refuse it, and with an asset also the ranges up to the end of its video that no
   * instruction covers.
   *
   * @param videoComposition The video composition.
   */
  validateVideoComposition(
    videoComposition: VideoCompositionLike,
    options?: VideoCompositionValidateOptions,
  ): Promise<VideoCompositionValidateResult>;

  /**
   * Returns the ramp of a layer's value that a time is in, else the first one that starts after
   * it.
   *
   * Values that are set at a time are no ramps. A ramp's end isn't in it.
   *
   * @param layerInstruction The layer.
   * @param kind The value to which the ramp belongs.
   * @param time The time.
   * @returns The ramp; absent after the last one.
   */
  layerRamp(
    layerInstruction: VideoCompositionLayerInstructionInput,
    kind: LayerRampKind,
    time: TimeLike,
    options?: Cancellable,
  ): Promise<LayerRamp | undefined>;

  /**
   * Returns the ramp of a track's volume that contains a time, else the first one that starts
   * after it.
   *
   * Values that are set at a time are no ramps. A ramp doesn't contain its end.
   *
   * @param audioMix The mix.
   * @param track The track; 0 stands for the mix of all of them.
   * @param time The time.
   * @returns The ramp; absent after the last one, and for a track without any.
   */
  volumeRamp(
    audioMix: AudioMixInput,
    track: Track | number,
    time: TimeLike,
    options?: Cancellable,
  ): Promise<NumberRamp | undefined>;

  /**
   * Lists all presets of this build except `Passthrough`, which every asset supports.
   *
   * @returns The names of the presets.
   */
  presets(options?: Cancellable): Promise<string[]>;

  /**
   * Returns the obstacles to an input in files of a type; nothing where it can be.
   *
   * @param outputFileType The type of the file, a short name or a uniform type.
   * @param input The input.
   * @returns All reasons against it, each as a sentence.
   */
  canAddInput(
    outputFileType: string,
    input: WriterInputOptions & { mediaType: MediaType },
    options?: Cancellable,
  ): Promise<string[]>;

  /**
   * Returns the authorization to use a kind of devices.
   *
   * The server gets it when it is started, by `--allow-capture`.
   *
   * @param mediaType The media of the devices: cameras, microphones and the audio that sinks
   * play, or screens.
   * @returns The status.
   */
  authorizationStatus(
    mediaType: CaptureMediaType,
    options?: Cancellable,
  ): Promise<AuthorizationStatus>;

  /**
   * Lists the devices of this machine.
   *
   * An output is the destination of a player's audio: its `uniqueID` is the player's
   * `audioDevice`. If a kind of devices can't be listed, `unavailable` has the reason; that
   * isn't an error.
   */
  devices(options?: CaptureDevicesOptions): Promise<CaptureDevicesResult>;

  /**
   * Starts or stops reports of devices that appear, disappear or change, as
   * `capture/didChangeDevices`.
   *
   * All changes after the answer are reported; for a copy of the list, observe first, then list.
   * It concerns the devices that `capture/devices` lists as inputs: synthetic ones, and those
   * for which there is a permission. If the process of devices dies, the next one continues,
   * without the changes in between.
   *
   * @param isObserving False to stop them.
   */
  observeDevices(isObserving: boolean, options?: Cancellable): Promise<void>;
}

/** The options of `loadMetadata`. */
export interface AssetMetadataOptions extends Cancellable, BytesOptions {
  /** The track; absent for the asset's own metadata. */
  track?: Track | number;
  /** Only items of this format, one of `availableMetadataFormats`. */
  format?: string;
  /** Only items with this identifier, for example `itsk/©nam`. */
  identifier?: string;
  /** Only items with this key. */
  key?: string;
  /** Only items of this key space. */
  keySpace?: string;
  /** Only items with this common key, for example `artwork`. */
  commonKey?: string;
  /** Only items in one of these languages (BCP 47), the most preferred first. */
  preferredLanguages?: string | Iterable<string>;
  /**
   * True to leave out items that reveal the place of recording, or the people who made, bought
   * or filmed the asset. Default: `false`.
   */
  forSharing?: boolean;
}

/** The options of `mediaSelectionGroup`. */
export interface AssetMediaSelectionGroupOptions extends Cancellable {
  /** True to return only options that this build can decode. Default: `false`. */
  playable?: boolean;
  /** Only options with all of these characteristics. */
  withMediaCharacteristics?: MediaCharacteristic | Iterable<MediaCharacteristic>;
  /** Only options with none of these characteristics. */
  withoutMediaCharacteristics?: MediaCharacteristic | Iterable<MediaCharacteristic>;
  /** Only options in one of these languages (BCP 47), in the order of the languages. */
  preferredLanguages?: string | Iterable<string>;
}

/** The options of `videoComposition`. */
export interface VideoCompositionWithPropertiesOfOptions extends Cancellable {
  /** The members that all instructions have in common. */
  prototype?: InstructionPrototype;
}

/** The options of `compatiblePresets`. */
export interface ExportSessionCompatiblePresetsOptions extends Cancellable {
  /** The required type of the file; any when absent. */
  outputFileType?: string;
}

/** The options of `waveform`. */
export interface WaveformOptions extends Cancellable, BytesOptions {
  /**
   * The audio track. When absent, it is the mix of all enabled ones where there is an audio mix,
   * else the first of them.
   */
  track?: Track | number;
  /**
   * The audio mix; `null` for the tracks' own volumes. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixLike | null;
  /**
   * The range that the parts divide, on the asset's clock: not before zero, and not empty. Where
   * the track has no media it is 0. An infinite duration ends with the track. When absent, it is
   * the track's range between zero and the asset's end.
   */
  timeRange?: TimeRangeLike;
  /** The algorithm for audio that is scaled in time. Default: `"spectral"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /**
   * The number of parts, from 1 to 100,000; only with `format` it may be absent, and is `width`
   * then.
   */
  count?: number;
  /**
   * The file format in which the waveform is drawn: `jpeg`, `png`, `webp` or `bmp`. When absent
   * and the delivery is a file, its extension decides, as for `imageGenerator/generateImage`.
   */
  format?: ImageFormat;
  /**
   * The width of the image in pixels, from 1 to 100,000; only with `format`. `count` when
   * absent.
   */
  width?: number;
  /** The height of the image in pixels, from 1 to 16,384; only with `format`. Default: `128`. */
  height?: number;
  /**
   * The colour of the power, as `#rrggbb` or `#rrggbbaa`; the extremes have half its opacity.
   * Default: `"#2f80ed"`.
   */
  color?: string;
  /**
   * The colour of the background, as `#rrggbb` or `#rrggbbaa`; transparent parts of a `jpeg` are
   * white. Default: `"#00000000"`.
   */
  backgroundColor?: string;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /** Called with the part that is done, from 0 to 1. An error that it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

/** The options of `sceneChanges`. */
export interface SceneChangesOptions extends Cancellable {
  /** The video track. When absent, it is the first enabled one. */
  track?: Track | number;
  /**
   * The range to search, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeLike;
  /**
   * The sensitivity to small changes, from 0, at which only the clearest count, to 1. Default:
   * `0.5`.
   */
  sensitivity?: number;
  /**
   * The duration of the shortest scene, zero or longer: of changes that are closer together, the
   * clearest remains. Default: `"1/2"`.
   */
  minimumDuration?: TimeLike;
  /** Called with the part that is done, from 0 to 1. An error that it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

/** The options of `silences`. */
export interface SilencesOptions extends Cancellable {
  /**
   * The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
   * else the first enabled one.
   */
  track?: Track | number;
  /**
   * The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
   * a composition may have.
   */
  audioMix?: AudioMixLike | null;
  /**
   * The range to search, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeLike;
  /** The threshold in decibels below full scale (dBFS), from -200 to 0. Default: `-50`. */
  threshold?: number;
  /** The duration of the shortest silence, longer than zero. Default: `"1/2"`. */
  minimumDuration?: TimeLike;
  /** Called with the part that is done, from 0 to 1. An error that it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

/** The options of `loudness`. */
export interface LoudnessOptions extends Cancellable {
  /**
   * The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
   * else the first enabled one.
   */
  track?: Track | number;
  /**
   * The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
   * a composition may have.
   */
  audioMix?: AudioMixLike | null;
  /**
   * The range to measure, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeLike;
  /** Called with the part that is done, from 0 to 1. An error that it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

export declare class AssetCalls extends Remote {
  /**
   * Cancels the loading of all keys of an asset and of its tracks.
   *
   * Keys that were loading become `cancelled`; loaded keys stay loaded. Every operation that
   * waited for them ends with its terminal notification.
   */
  cancelLoading(options?: Cancellable): Promise<void>;

  /**
   * Returns a track number that no track of an asset has.
   *
   * @returns A free track number: the highest one plus 1 where that is possible.
   */
  findUnusedTrackID(options?: Cancellable): Promise<number>;

  /**
   * Lists metadata of an asset or of one of its tracks, with the bytes of its data.
   *
   * Each filter narrows the list; it keeps the file's order, except with `preferredLanguages`.
   *
   * @returns The items; empty when nothing matches.
   */
  loadMetadata(options?: AssetMetadataOptions): Promise<MetadataItem[]>;

  /**
   * Returns the options of a characteristic.
   *
   * The options of a movie are the tracks of one `alternate_group`; in other containers, all
   * tracks of one kind are alternatives, as in players.
   *
   * @param mediaCharacteristic The characteristic: `audible`, `legible` or `visual`.
   * @returns The group; absent when the asset has none for the characteristic.
   */
  mediaSelectionGroup(
    mediaCharacteristic: MediaCharacteristic,
    options?: AssetMediaSelectionGroupOptions,
  ): Promise<MediaSelectionGroup | undefined>;

  /**
   * Makes a video composition that shows the video tracks of an asset as they are, the first on
   * top.
   *
   * A single video track determines the times of composed frames. `frameDuration` is that of the
   * highest nominal rate, and 1/30 s where none is known. For a composition, the render size is
   * its size, into which frames are fitted; for another asset, the size that encloses all of its
   * video tracks, turned as they are shown. Between any two times at which tracks begin or end
   * to show something there is an instruction with all enabled ones that do; where no track is
   * enabled, the first counts. Of an asset without video there is none, and no size either.
   *
   * @returns The video composition.
   */
  videoComposition(options?: VideoCompositionWithPropertiesOfOptions): Promise<VideoComposition>;

  /**
   * Lists the presets that can export an asset, loading it first if necessary.
   *
   * `Passthrough` is never among them.
   *
   * @returns The names of the presets.
   */
  compatiblePresets(options?: ExportSessionCompatiblePresetsOptions): Promise<string[]>;

  /** Returns why the other presets can't export an asset, by their names. */
  incompatiblePresets(
    options?: ExportSessionCompatiblePresetsOptions,
  ): Promise<Record<string, string>>;

  /**
   * Lists the types of files that a preset can export an asset to, loading it first if
   * necessary.
   *
   * @param preset The preset, including `Passthrough`.
   * @returns The short names of the types.
   */
  compatibleFileTypes(preset: string, options?: Cancellable): Promise<string[]>;

  /**
   * Returns why a preset can't export an asset to the other types, by their names.
   *
   * @param preset The preset, including `Passthrough`.
   */
  incompatibleFileTypes(preset: string, options?: Cancellable): Promise<Record<string, string>>;

  /**
   * Makes a cursor at a sample of a track.
   *
   * The first cursor of an asset reads the file's index, or scans the file without decoding;
   * after that a cursor never waits for the file. A track without samples, for which
   * AVFoundation returns nil, is `invalidSampleCursor`.
   *
   * @param track The track.
   * @param position The position of the cursor.
   */
  sampleCursor(
    track: Track | number,
    position?: TimeLike,
    options?: Cancellable,
  ): Promise<SampleCursor>;

  /**
   * Makes the waveform of an audio track: its extremes and its power in parts of equal length.
   *
   * Part i of `count` has the samples whose time is at least start + i·duration/`count` and less
   * than start + (i+1)·duration/`count`, computed exactly: every sample of the range belongs to
   * one part. Ranges without media (a gap, an empty edit, the time after the end) do not count,
   * and a part without any media is 0. Where there are more parts than samples, a part that lies
   * within one sample has that sample's values: a waveform that is looked at closely becomes
   * steps, not spikes. The numbers are for each channel separately, at the track's own rate,
   * from one pass of decoding; 1 is full scale. Samples of 8, 16 and 24 bits are exact: 16 bits
   * by 32,768. Larger ones are rounded to the nearest 32-bit float. Floating-point and lossy
   * audio may exceed 1; a sample that is not a finite number counts as 0. `count` times the
   * number of channels is at most 800,000, or the waveform fails with `limitExceeded`. With
   * `format` the waveform is drawn: the channels one below the other in equal lanes, in each
   * column a bar from the smallest to the largest sample, and within it the power from -rms to
   * +rms in a stronger shade. A column shows the parts that it covers, at least one. The numbers
   * are included only if `count` is present too. The image has at most 16,777,216 pixels, `jpeg`
   * 65,500 and `webp` 16,383 in width and height; beyond that it fails with `limitExceeded`.
   * Audio that cannot be decoded is skipped, and `dropped` reports it; if nothing can be
   * decoded, the waveform fails with `undecodableMediaData`, and for an encrypted track with
   * `contentIsProtected`. The work ends with `waveform/didFinish`; a failure is reported there,
   * and is not an error of this request. Closing the asset cancels it, as closing the operation
   * does.
   */
  waveform(options?: WaveformOptions): Promise<Waveform>;

  /**
   * Finds the scene changes of a video track: the frames that the scenes of a film begin with.
   *
   * All frames of the range are decoded once, in order, and each is compared with the one before
   * it, as a small grey image: a scene change is a frame whose difference stands out from those
   * of the frames around it, so that motion is none. A flash is none. In a dissolve of up to 2.5
   * seconds the frame in its middle is one, and between a fade to one colour and a fade from it
   * to another scene the first frame after that colour. The first frame of the range is not a
   * scene change. Where the asset has a video composition and `track` is absent, the frames are
   * the composition's. Frames that cannot be decoded are skipped, and `dropped` reports them; if
   * nothing can be decoded, the analysis fails with `undecodableMediaData`, and for an encrypted
   * track with `contentIsProtected`. More than 100,000 scene changes fail with `limitExceeded`.
   * The work ends with `analysis/didFindSceneChanges`; a failure is reported there, and is not
   * an error of this request. Closing the asset cancels it, as closing the operation does.
   */
  sceneChanges(options?: SceneChangesOptions): Promise<SceneChanges>;

  /**
   * Finds the silences of audio: the ranges in which all channels are below a threshold for long
   * enough.
   *
   * A silence begins with its first sample and ends where the first louder one begins, exactly.
   * A sample is silent if its absolute value is less than the threshold; one that is not a
   * finite number is silent. Ranges without media (a gap, an empty edit, the time after the end)
   * are silence, too, as is audio that cannot be decoded, which `dropped` reports. If nothing
   * can be decoded, the analysis fails with `undecodableMediaData`, and for an encrypted track
   * with `contentIsProtected`. More than 100,000 silences fail with `limitExceeded`. The work
   * ends with `analysis/didFindSilences`; a failure is reported there, and is not an error of
   * this request. Closing the asset cancels it, as closing the operation does.
   */
  silences(options?: SilencesOptions): Promise<Silences>;

  /**
   * Measures the loudness of audio by ITU-R BS.1770-4 and EBU R 128.
   *
   * The channels are weighted by the positions of their speakers: those at the sides and those
   * of a 5.1 layout's surround count 1.5 dB more, the channels of low-frequency effects (LFE)
   * don't count, and all others count as they are, as do those of which only the number is
   * known, if that number has no usual layout. A mono track is one channel. Ranges without
   * media, and audio that cannot be decoded, are silence; `dropped` reports the latter. A sample
   * that is not a finite number counts as 0. Members are absent where nothing can be measured:
   * `integratedLoudness` and `loudnessRange` if nothing is louder than -70 LUFS, or the range is
   * shorter than 0.4 and 3 seconds respectively; peaks if all is digital silence. If nothing can
   * be decoded, the analysis fails with `undecodableMediaData`, and for an encrypted track with
   * `contentIsProtected`. Audio of more than 64 channels fails with `limitExceeded`. The work
   * ends with `analysis/didMeasureLoudness`; a failure is reported there, and is not an error of
   * this request. Closing the asset cancels it, as closing the operation does.
   */
  loudness(options?: LoudnessOptions): Promise<Loudness>;
}

export declare class TrackCalls {
  /**
   * Returns the segment of a track that contains a time.
   *
   * For a time outside the track it is the closest segment, as in AVFoundation.
   *
   * @param trackTime A time of the track.
   * @returns The segment; absent when the track has none.
   */
  segment(trackTime: TimeLike, options?: Cancellable): Promise<TrackSegment | undefined>;

  /**
   * Maps a time of a track to the time of the media that is presented then.
   *
   * @param trackTime A time of the track.
   * @returns The time on the media's clock; `"invalid"` where nothing of the media is presented.
   */
  samplePresentationTime(trackTime: TimeLike, options?: Cancellable): Promise<MediaTime>;

  /**
   * Lists the tracks that are associated with a track.
   *
   * Associations have a direction: a timecode track is found from the track that it times.
   *
   * @param associationType The relation of the tracks to it.
   * @returns The tracks; empty when there are none.
   */
  associatedTracks(associationType: TrackAssociationType): Promise<Track[]>;
}

/** The options of `openTimelineIO`. */
export interface CompositionOpenTimelineIOOptions extends Cancellable {
  /**
   * A folder, as an absolute path; URLs of files in it are written relative to it. Left out:
   * none; all URLs are absolute.
   */
  relativeTo?: string;
}

/** The options of `addTrack`. */
export interface CompositionAddTrackOptions extends Cancellable {
  /** The number of the new track, if no track has or had it; else the track gets another one. */
  preferredTrackID?: number;
}

/** The options of `setTrack`. */
export interface CompositionSetTrackOptions extends Cancellable {
  /** True if it is presented; a new track is. */
  isEnabled?: boolean;
  /** The ticks per second of its times; 0 for that of its first segment, or 600. */
  naturalTimeScale?: number;
  /** The language by ISO 639-2/T; empty for that of the track's first part, `und` for none. */
  languageCode?: string;
  /** The language by BCP 47; empty for that of the track's first part. */
  extendedLanguageTag?: string;
  /**
   * The transform of its frames, in addition to those that their sources state, which are
   * already applied.
   */
  preferredTransform?: Transform;
  /** The volume to play it at, 1 for full volume. */
  preferredVolume?: number;
}

/** The options of `insertTimeRange`. */
export interface CompositionInsertTimeRangeOptions extends Cancellable {
  /**
   * The range of the asset; with the duration `"+infinity"` up to its end. Of a single image it
   * may have any duration. Left out, it is all of the asset.
   */
  timeRange?: TimeRangeLike;
  /** The time at which to insert it; left out, the end of the track or of the composition. */
  at?: TimeLike;
  /** The track to insert it in. */
  track?: Track | number;
  /** The asset's track to insert, with `track`; left out, the first one of the kind. */
  assetTrackID?: number;
  /** The asset's tracks to insert, without `track`; left out, all. */
  tracks?: TrackSelection;
  /**
   * True to cut a range that extends beyond the asset to the part that exists. Default: `false`.
   */
  clamp?: boolean;
  /**
   * The playback of the range: in reverse, its video and audio; for a freeze its video, with the
   * frame that is shown at the start of the range for the range's duration. Default:
   * `"forward"`.
   */
  playback?: SegmentPlayback;
  /**
   * A speed that changes, of its video and audio: the points of its course, 1 to 1,000, in
   * ascending order, at times of the asset within the range, and with speeds above 0. The
   * duration follows from it. Left out: the natural speed.
   */
  speedRamp?: SpeedPointInput | Iterable<SpeedPointInput>;
}

/** The options of `insertTimeRanges`. */
export interface CompositionInsertTimeRangesOptions extends Cancellable {
  /** The time at which to insert them; left out, the end of the track. */
  at?: TimeLike;
  /**
   * True to cut ranges that extend beyond their track to the part that exists. Default: `false`.
   */
  clamp?: boolean;
}

/** The options of `insertEmptyTimeRange`. */
export interface CompositionInsertEmptyTimeRangeOptions extends Cancellable {
  /** The track; left out, all tracks. */
  track?: Track | number;
}

/** The options of `removeTimeRange`. */
export interface CompositionRemoveTimeRangeOptions extends Cancellable {
  /** The track; left out, all tracks. */
  track?: Track | number;
}

/** The options of `scaleTimeRange`. */
export interface CompositionScaleTimeRangeOptions extends Cancellable {
  /** The track; left out, all tracks. */
  track?: Track | number;
}

export declare class CompositionCalls extends Remote {
  /**
   * Returns a composition as a document of OpenTimelineIO, for other programs.
   *
   * Segments become clips and gaps, in whole frames or samples of a rate for each track. The
   * timeline itself is in the document's `metadata.reelwire`, and as long as the tracks aren't
   * changed, `composition/import` makes the same composition of it. The parts that other
   * programs don't see are listed.
   */
  openTimelineIO(
    options?: CompositionOpenTimelineIOOptions,
  ): Promise<CompositionOpenTimelineIOResult>;

  /** Creates a composition with the same tracks, which is edited independently. */
  copy(options?: Cancellable): Promise<Composition>;

  /**
   * Returns a complete description of a composition, as a document: its canonical form, so that
   * equal compositions have the same bytes.
   *
   * `composition/create` makes the same composition of it. A source that is a file has its path
   * in `url`; one whose bytes the client supplies has the handle of its `asset`.
   *
   * @returns The timeline.
   */
  timeline(options?: Cancellable): Promise<CompositionTimeline>;

  /**
   * Returns the parts of a composition that its timeline can't state, each with its reason.
   *
   * @returns The parts of the composition that the timeline can't state: options with which
   * assets were opened, properties of files of subtitles in inner compositions, settings of
   * inner compositions, and the bytes of assets that are closed.
   */
  timelineLosses(options?: Cancellable): Promise<ConversionLoss[]>;

  /**
   * Sets properties of a composition as a whole; those that are left out stay as they are.
   *
   * All problems of them are in the error's `errors`, and then none is set. Edits of tracks
   * change no times in a mix or a video composition; the removal of a track also removes its
   * settings from them.
   */
  set(options?: CompositionSettings): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Adds a track without media.
   *
   * @param mediaType The kind of its media.
   */
  addTrack(
    mediaType: MediaType,
    options?: CompositionAddTrackOptions,
  ): Promise<{ trackID: number; duration: MediaTime; revision: number }>;

  /**
   * Removes a track.
   *
   * @param track The track.
   */
  removeTrack(
    track: Track | number,
    options?: Cancellable,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Sets properties of a track; those that are left out stay as they are.
   *
   * A track inherits none of these from its sources.
   *
   * @param track The track.
   */
  setTrack(
    track: Track | number,
    options?: CompositionSetTrackOptions,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Finds a track that can show parts of an asset's track: one of the same kind.
   *
   * @param asset An asset.
   * @param assetTrackID A track of the asset.
   * @returns Its number; absent when there is none.
   */
  compatibleTrack(
    asset: Asset,
    assetTrackID: number,
    options?: Cancellable,
  ): Promise<number | undefined>;

  /**
   * Inserts a range of an asset.
   *
   * Without `track` it is a range of all its video, audio and text: each of its tracks goes into
   * a track of its kind, which is added if there is none; a track that has less than the range
   * is filled with an empty segment, so that the next insertion begins at the same time in all
   * of them. A range that the asset itself states, such as its `duration`, can always be
   * inserted, also if its tracks end before it. Media that is shown from `at` on is moved after
   * it, in all tracks. With `track` it is a range of one track, and other tracks stay as they
   * are. If `at` is after the end of a track, the time between becomes an empty segment.
   *
   * @param asset The asset: a file's, or another composition, which is inserted as it is now.
   */
  insertTimeRange(
    asset: Asset,
    options?: CompositionInsertTimeRangeOptions,
  ): Promise<{ timeRange: TimeRange; trackIDs: number[]; duration: MediaTime; revision: number }>;

  /**
   * Inserts ranges of tracks one after the other in a track; all of them, or none.
   *
   * All problems of them are in the error's `errors`.
   *
   * @param track The track to insert them in.
   * @param items The ranges, in order.
   */
  insertTimeRanges(
    track: Track | number,
    items: Iterable<ItemLike>,
    options?: CompositionInsertTimeRangesOptions,
  ): Promise<{ timeRange: TimeRange; trackIDs: number[]; duration: MediaTime; revision: number }>;

  /**
   * Inserts a range that shows nothing; media that was shown from its start on is shown after
   * it.
   *
   * At the end or after it, where only media can be added, the error is `operationNotAllowed`.
   *
   * @param timeRange The range.
   */
  insertEmptyTimeRange(
    timeRange: TimeRangeLike,
    options?: CompositionInsertEmptyTimeRangeOptions,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Removes a range; later media follows at once.
   *
   * Tracks stay, even empty ones.
   *
   * @param timeRange The range.
   */
  removeTimeRange(
    timeRange: TimeRangeLike,
    options?: CompositionRemoveTimeRangeOptions,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Shows a range faster or slower, so that it has the stated duration; later media follows it.
   *
   * @param timeRange The range.
   * @param toDuration The new duration of the range, above zero.
   */
  scaleTimeRange(
    timeRange: TimeRangeLike,
    toDuration: TimeLike,
    options?: CompositionScaleTimeRangeOptions,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Returns the segments of a track, in order.
   *
   * @param track The track.
   * @returns The segments, one after the other from zero on.
   */
  segments(track: Track | number, options?: Cancellable): Promise<CompositionSegment[]>;

  /**
   * Replaces all segments of a track.
   *
   * All problems of them are in the error's `errors`.
   *
   * @param track The track.
   * @param segments The segments, from zero on without gaps between them.
   */
  setSegments(
    track: Track | number,
    segments: Iterable<CompositionSegment | SegmentLike>,
    options?: Cancellable,
  ): Promise<{ duration: MediaTime; revision: number }>;

  /**
   * Returns the problems of segments for a track, without changing it.
   *
   * @param track The track.
   * @param segments The segments.
   * @returns All problems.
   */
  validateSegments(
    track: Track | number,
    segments: Iterable<CompositionSegment | SegmentLike>,
    options?: Cancellable,
  ): Promise<ParamsProblem[]>;
}

/** The options of `contactSheet`. */
export interface SheetOptions extends Cancellable, BytesOptions {
  /** The number of tiles in a row. */
  columns?: number;
  /** The number of rows. */
  rows?: number;
  /** The number of tiles. */
  count?: number;
  /** The times of the tiles in the asset's time, each after the one before it. */
  times?: Iterable<TimeLike>;
  /** The range of the sheet, limited to that of the video track; the whole track when absent. */
  timeRange?: TimeRangeLike;
  /** The maximum width of a tile, in pixels, from 2 to 8192. Default: `160`. */
  tileWidth?: number;
  /**
   * The distance between neighbouring tiles in pixels, from 0 to 1024; it is black. Default:
   * `0`.
   */
  spacing?: number;
  /**
   * True if each tile shows the presentation time of its frame in its lower left corner:
   * minutes, seconds and thousandths, white on black, with hours from one hour on. The times are
   * rounded to the nearest millisecond; `tiles` has the exact ones. A tile that is too narrow
   * for its time has none. Default: `false`.
   */
  showsTimes?: boolean;
  /**
   * The format of the sheet, any but `yuv420p` and `yuv420p10le`. When absent, the extension of
   * a file decides, else it is `jpeg`, as for `imageGenerator/generateImage`.
   */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * The URL of the sheet in the map, absolute or relative to the map's; it has no fragment. When
   * absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
   */
  imageName?: string;
  /** Called with the part that is done, from 0 to 1. An error that it throws cancels the work. */
  onProgress?: (progress: number) => void;
}

export declare class ImageGeneratorCalls extends Remote {
  /**
   * Makes the image of one time, or of the first frame.
   *
   * With a delivery to a file, its name must not contradict `format`: the extension of another
   * image format, or of any image format for raw pixels, is refused before any work is done.
   *
   * @param time The time, in the asset's time; the track's first frame when absent. The first
   * frame is not always presented at 0, and with zero tolerance there is no image before it.
   * Without a time the result is exactly the first frame, regardless of its time and the
   * tolerances.
   */
  image(time?: TimeLike, options?: ImageOptions): Promise<Image>;

  /**
   * Makes a contact sheet: one image of many frames of a video, with a WebVTT map for players.
   *
   * Choose the tiles in one of three ways: `columns` and `rows`, which fills all cells; `count`;
   * or `times`. With `count` and `times`, `columns` and `rows` set the shape, which must be
   * large enough; one of them suffices, and without them the sheet has equal numbers of columns
   * and rows, or one row less. Unused cells stay black. A sheet has at most 10,000 cells.
   * Without `times` the range is divided into parts of equal length, and each tile shows the
   * generator's image for the middle of its part; with `times` each tile represents the range
   * from its time to the next one's. The generator's tolerances apply: with 0 the exact frame.
   * By default it is the nearest sync sample, which is fast: without `times` one in the tile's
   * own part, or the exact frame where there is none; with `times` it may be outside the tile's
   * part. All tiles have the size of the first frame: by the generator's rules for aperture,
   * rotation and maximum size, at most `tileWidth` wide, never enlarged, rounded down to even
   * numbers. A frame of another shape is scaled down and centred in its tile. A tile without a
   * frame is black and has an `error`; the sheet fails only if every tile does, with the first
   * one's error. A sheet of more than 67,108,864 pixels, or larger than its format allows
   * (`jpeg` 65,500 pixels in width and height, `webp` 16,383), fails with `limitExceeded`. The
   * map has a cue for each tile, including black ones, with the sheet and the tile's rectangle
   * in it: `sheet.jpg#xywh=160,0,160,90`. Without `times` the cues cover the range without a
   * gap. With a delivery to a file, the map is written next to the sheet, under the same name
   * with the extension `vtt`. Neither file replaces an existing one, and a failure leaves
   * neither. The sheet does not wait for the generator's other requests.
   * `imageGenerator/cancelAll` and closing the generator cancel it. The work ends with
   * `imageGenerator/didFinishContactSheet`; a failure is reported there, and is not an error of
   * this request.
   */
  contactSheet(options?: SheetOptions): Promise<ContactSheet>;

  /**
   * Cancels all outstanding requests of a generator.
   *
   * Each time without an image ends as `cancelled`; the generator can be used again.
   */
  cancelAll(options?: Cancellable): Promise<void>;
}

/** The options of `plan`. */
export interface ExportSessionPlanOptions extends Cancellable {
  /**
   * The number of parts of video, at most 1000; there are fewer if the source has too few sync
   * samples for them. When absent, the number that `minimumPartDuration` allows.
   */
  partCount?: number;
  /**
   * The minimum duration of a part of video. When absent, 30 seconds; with `partCount`, any
   * duration.
   */
  minimumPartDuration?: TimeLike;
  /**
   * The number of threads of each encoder, at most 16: the bytes of some depend on it. When
   * absent, one and a half times the number of this machine's cores. HEVC encodes one frame at a
   * time in any case, with a thread for each row of it.
   */
  threadCount?: number;
}

export declare class ExportSessionCalls extends Remote {
  /**
   * Returns the effects of an export, without performing it.
   *
   * It fails for the reasons for which the export would fail at its start, except for an
   * existing file at the output path.
   */
  preflight(options?: Cancellable): Promise<ExportPreflight>;

  /**
   * Estimates the duration and the size of the file.
   *
   * The size of copies and of constant bit rates is accurate to a few bytes; video of constant
   * quality may become half or twice as large.
   */
  estimate(options?: Cancellable): Promise<ExportEstimate>;

  /**
   * Divides an export into parts that are made one by one, in any process and on any machine,
   * and joined.
   *
   * Video is cut at sync samples of the source, into parts with about equal numbers of frames;
   * audio is one part. Nothing is written.
   *
   * @returns The plan, for `exportSession/exportPart` and `exportSession/join`.
   */
  plan(options?: ExportSessionPlanOptions): Promise<ExportPartPlan>;

  /**
   * Makes a part as a file that only `exportSession/join` reads.
   *
   * The session may be another one than the session that made the plan, of the same file with
   * the same settings. It may make several parts at the same time, and it can still export. The
   * bytes of a part depend on the plan alone. The file gets its name when it is complete; an
   * existing one is not touched. The work ends with `exportSession/didFinish`, with `output`,
   * `fileSize` and `timeRange` of the part; a failure is reported there: `operationNotAllowed`
   * if the plan is not one of this session's export.
   *
   * @param plan The plan, of `exportSession/plan`.
   * @param part The number of the part, from 0 on.
   * @param output The file of the part, a path or a `file:` URL.
   */
  exportPart(
    plan: ExportPartPlan,
    part: number,
    output: PathLike,
    options?: ExportPartOptions,
  ): ExportJob;

  /**
   * Joins parts that have been made: the session's one export, to its `outputURL`.
   *
   * The packets of the parts are copied; everything that isn't encoded (copied tracks,
   * subtitles, metadata, chapters) comes from the asset. All parts are compared with the plan,
   * and their contents with its hash: a part that is missing, cut short, another one or of
   * another plan is named in the error. The work ends with `exportSession/didFinish`.
   *
   * @param plan The plan, of `exportSession/plan`.
   * @param parts The files of all parts, in the order of the plan: paths, or `file:` URLs.
   */
  join(plan: ExportPartPlan, parts: Iterable<PathLike>, options?: ExportPartOptions): ExportJob;

  /** Returns the status of an export, without waiting for it. */
  status(options?: Cancellable): Promise<ExportState>;

  /** Cancels an export; one that has ended stays as it is. */
  cancel(options?: Cancellable): Promise<void>;
}

export declare class AssetReaderCalls extends Remote {
  /** Returns the status of a reader. */
  status(options?: Cancellable): Promise<ReaderState>;
}

export declare class OutputCalls {
  /**
   * Declares that an output with `supportsRandomAccess` will not be reset again.
   *
   * A reader is `completed` when all its outputs are final and were read to their end; outputs
   * without random access are final from the start.
   */
  markConfigurationAsFinal(options?: Cancellable): Promise<void>;
}

export declare class AssetWriterCalls extends Remote {
  /**
   * Ends the session: samples that are presented from that time on aren't shown.
   *
   * Samples that were encoded before are cut off: hidden by an edit list if the file has one at
   * its end, else left out when the writer is finished, for which the file is copied once more.
   * Of packets of audio that can't be cut the last one stays whole. Segments that were delivered
   * stay as they are. Optional: `assetWriter/finish` ends it with the last sample.
   *
   * @param sourceTime The time on the clock of the samples.
   */
  endSession(sourceTime: TimeLike, options?: Cancellable): Promise<void>;

  /**
   * Ends the segment after the samples that have been appended; only if the segments' interval
   * is indefinite.
   *
   * The segment is delivered when the next one has begun, and the encoder has returned all of
   * it. The next sample has to be a sync sample if samples are stored ones, or the writer fails
   * with `segmentStartedWithNonSyncSample`.
   */
  flushSegment(): Promise<void>;

  /** Returns the status of a writer, without waiting for it. */
  status(): Promise<WriterState>;
}

/** The options of `read`. */
export interface SampleCursorSamplesOptions extends Cancellable {
  /** The maximum number of samples to list, 1 to 10,000. Default: `100`. */
  maxCount?: number;
  /** The order. Default: `"decode"`. */
  order?: SampleOrder;
}

export declare class SampleCursorCalls extends Remote {
  /**
   * Moves a cursor by a number of samples, not beyond the ends.
   *
   * From a sample that is not shown, the first step in presentation order leads to the shown
   * sample that is next in time, before it or after it.
   *
   * @param count The number of samples; backwards when negative.
   * @param order The order.
   * @returns The number of samples that it has moved by, negative when backwards.
   */
  step(count?: number, order?: SampleOrder, options?: Cancellable): Promise<number>;

  /**
   * Moves a cursor by a time, not beyond the ends.
   *
   * It moves to the last sample of the order whose time is not after that of the current sample
   * plus `by`; a sample without a decode time counts with its presentation time. Among samples
   * of one time it does not move. An infinite time leads to an end.
   *
   * @param by The time; backwards when negative.
   * @param order The order on whose clock it moves: that of decode times, or of presentation
   * times.
   */
  stepByTime(
    by: TimeLike,
    order?: SampleOrder,
    options?: Cancellable,
  ): Promise<{ moved: MediaTime; wasPinned: boolean }>;

  /**
   * Describes the sample at which a cursor is.
   *
   * @returns The sample.
   */
  sample(options?: Cancellable): Promise<Sample>;

  /**
   * Lists the current sample and those after it, and moves the cursor past them.
   *
   * A loop until `endOfTrack` lists every sample once: the cursor stays at the last sample, and
   * further calls in the same order return none until it has moved. In presentation order,
   * samples that are not presented are skipped.
   */
  read(options?: SampleCursorSamplesOptions): Promise<{ samples: Sample[]; endOfTrack: boolean }>;

  /**
   * Describes the samples around a cursor that are adjacent in the file.
   *
   * FFmpeg does not report a container's own chunks; several of them can be one here. If
   * positions are not known (`storageRange.offset` is -1), each sample is a chunk of its own.
   */
  chunk(options?: Cancellable): Promise<Chunk>;

  /** Makes another cursor at the same position; each moves independently. */
  copy(): Promise<SampleCursor>;

  /**
   * Compares the positions of two cursors of one track in decode order.
   *
   * @param other The right cursor.
   * @returns -1 when the left one is first, 0 when both are at one sample, 1 when the right one
   * is first.
   */
  compare(other: SampleCursor, options?: Cancellable): Promise<-1 | 0 | 1>;

  /**
   * Returns whether a sample that is decoded before this one is presented after the other.
   *
   * @param other The cursor whose presentation time counts; it may be the same.
   * @returns True if a sample that is decoded before that of `sampleCursor` is presented after
   * that of `other`.
   */
  hasEarlierDecodedPresentedLater(other: SampleCursor): Promise<boolean>;

  /**
   * Returns whether a sample that is decoded after this one is presented before the other.
   *
   * @param other The cursor whose presentation time counts; it may be the same.
   * @returns True if a sample that is decoded after that of `sampleCursor` is presented before
   * that of `other`.
   */
  hasLaterDecodedPresentedEarlier(other: SampleCursor): Promise<boolean>;
}

/** The options of `setRate`. */
export interface PlayerSetRateOptions extends Cancellable {
  /** The item's time; the current one when absent. */
  time?: TimeLike;
  /** The time of the player's clock; as soon as possible when absent. */
  atHostTime?: TimeLike;
  /** True to play at once, even if little is decoded. Default: `false`. */
  immediately?: boolean;
}

export declare class PlayerCalls extends Remote {
  /** Sets the rate to the player's `defaultRate`. */
  play(options?: Cancellable): Promise<PlayerRate>;

  /** Sets the rate to 0. */
  pause(options?: Cancellable): Promise<PlayerRate>;

  /**
   * Sets the rate, and with it the time that the item has at a host time.
   *
   * With `atHostTime` the item's time is `time` at that host time. If it has passed, it is as if
   * the item had run since, through its ends and the passes of a loop, whose events are left
   * out; if it is still to come, time stands at `time` until then. With `time` alone the item
   * continues there at once. Both need `automaticallyWaitsToMinimizeStalling` to be `false`.
   * `time` is exact, and a jump: the revision becomes the next number.
   *
   * @param rate The rate, from -32 to 32: 1 is normal speed, 0 is paused, below 0 is backward.
   */
  setRate(rate: number, options?: PlayerSetRateOptions): Promise<PlayerRate>;

  /** Returns the state of a player at one moment, without waiting for earlier requests. */
  state(
    options?: Cancellable,
  ): Promise<{ status: PlaybackStatus; error?: ReelwireError; rate: number; effectiveRate: number; defaultRate: number; timeControlStatus: TimeControlStatus; reasonForWaitingToPlay?: WaitingReason; currentItem?: PlayerItemHandle; time: MediaTime; isSeeking: boolean; hostTime: MediaTime; clock: PlayerClock; volume: number; isMuted: boolean; actionAtItemEnd: ActionAtItemEnd; automaticallyWaitsToMinimizeStalling: boolean; revision: number; audio: PlayerAudio }>;

  /**
   * Ends the seeks that haven't ended, with `finished` `false`.
   *
   * @returns The number of operations.
   */
  cancelPendingSeeks(options?: Cancellable): Promise<number>;

  /**
   * Ends the prerolls that haven't ended, with `finished` `false`.
   *
   * @returns The number of operations.
   */
  cancelPendingPrerolls(options?: Cancellable): Promise<number>;

  /**
   * Removes an item; where it is the current one, the next one follows.
   *
   * @param playerItem The item.
   */
  remove(playerItem: PlayerItem, options?: Cancellable): Promise<void>;

  /**
   * Removes all items of a player.
   *
   * Its rate stays.
   */
  removeAllItems(options?: Cancellable): Promise<void>;

  /**
   * Finishes the file that a player writes its audio to, and gives it its name.
   *
   * The player has no audio device from then on. Without this request there is no file.
   */
  finishAudioFile(options?: Cancellable): Promise<PlayerFinishAudioFileResult>;
}

/** The options of `select`. */
export interface PlayerItemSelectOptions extends Cancellable {
  /** The track; none of them when absent or `null`. */
  track?: Track | number;
}

export declare class PlayerItemCalls extends Remote {
  /**
   * Presents one of the tracks that are alternatives to each other, as
   * `asset/mediaSelectionGroup` lists them, or none of them.
   *
   * @param characteristic The characteristic of the tracks to choose from: `audible`, `visual`
   * or `legible`.
   */
  select(characteristic: MediaCharacteristic, options?: PlayerItemSelectOptions): Promise<void>;

  /** Returns the state of an item at one moment, without waiting for earlier requests. */
  state(
    options?: Cancellable,
  ): Promise<{ status: PlaybackStatus; error?: ReelwireError; duration: MediaTime; presentationSize?: Size; time: MediaTime; player?: PlayerHandle; tracks: PlayerItemTrack[]; loadedTimeRanges: TimeRange[]; seekableTimeRanges: TimeRange[]; isPlaybackLikelyToKeepUp: boolean; isPlaybackBufferFull: boolean; isPlaybackBufferEmpty: boolean; canPlayFastForward: boolean; canPlaySlowForward: boolean; canPlayReverse: boolean; canPlaySlowReverse: boolean; canPlayFastReverse: boolean; canStepForward: boolean; canStepBackward: boolean; reason?: string; damagedSamples: number; dropped?: Dropped[] }>;

  /**
   * Moves the current item of a player by frames of its first enabled video track.
   *
   * The player is paused first. The item's time becomes exactly the start of the frame, and the
   * request is answered when that frame is available.
   *
   * @param count The number of frames; below 0 for steps back.
   */
  step(
    count: number,
    options?: Cancellable,
  ): Promise<{ stepped: number; time: MediaTime; sampleIndex?: number; revision: number }>;
}

/** The options of `hasNewPixelBuffer`. */
export interface VideoOutputHasNewPixelBufferOptions extends Cancellable {
  /** The item's time. */
  itemTime?: TimeLike;
  /** The time of the player's clock. */
  hostTime?: TimeLike;
}

export declare class VideoOutputCalls extends Remote {
  /**
   * Returns whether there is a frame at a time that this output hasn't delivered yet.
   *
   * At most one of the times is possible; without either it is now.
   */
  hasNewPixelBuffer(
    options?: VideoOutputHasNewPixelBufferOptions,
  ): Promise<{ hasNew: boolean; itemTime: MediaTime }>;

  /**
   * Returns the item's time at a host time, if the rate stays as it is.
   *
   * @param hostTime The time of the player's clock.
   * @returns The item's time.
   */
  itemTime(hostTime: TimeLike, options?: Cancellable): Promise<MediaTime>;

  /**
   * Requests one notification of the next frame that this output hasn't delivered.
   *
   * @param advanceInterval The time by which the notification precedes the frame.
   */
  requestNotificationOfMediaDataChange(
    advanceInterval: TimeLike,
    options?: Cancellable,
  ): Promise<void>;
}

export declare class PlayerLooperCalls extends Remote {
  /** Returns the state of a looper. */
  state(
    options?: Cancellable,
  ): Promise<{ status: LooperStatus; error?: ReelwireError; loopCount: number; loopingPlayerItems: PlayerItemHandle[] }>;

  /** Stops looping: the pass that plays now is the last one. */
  disable(options?: Cancellable): Promise<void>;
}

/** The options of `play`. */
export interface AudioPlayerPlayOptions extends Cancellable {
  /**
   * The time of the player's clock to begin at; as soon as possible when absent. If it has
   * passed, playback is where it would be if it had begun then.
   */
  atHostTime?: TimeLike;
}

/** The options of `set`. */
export interface AudioPlayerSetOptions extends Cancellable {
  /** The volume, from 0 to 1. */
  volume?: number;
  /** The time over which the volume changes, as far as it plays; only with `volume`. */
  fadeDuration?: TimeLike;
  /** The position between left, -1, and right, 1. */
  pan?: number;
  /** The rate, from 0.5 to 2; refused if rates aren't enabled. */
  rate?: number;
  /** The number of passes after the current one; -1 for an unlimited number. */
  numberOfLoops?: number;
  /** The time to go to, exactly: from 0 to the duration. */
  currentTime?: TimeLike;
}

export declare class AudioPlayerCalls extends Remote {
  /** Decodes the audio that playing begins with, so that it begins at once. */
  prepareToPlay(options?: Cancellable): Promise<void>;

  /** Plays from the current time on; after the end, all passes from the start. */
  play(options?: AudioPlayerPlayOptions): Promise<void>;

  /** Stops at the current time, and stays prepared. */
  pause(options?: Cancellable): Promise<void>;

  /**
   * Stops at the current time, and releases the prepared audio.
   *
   * The current time stays, and no `audioPlayer/didFinishPlaying` is sent.
   */
  stop(options?: Cancellable): Promise<void>;

  /** Changes settings of an audio player; members that are left out stay as they are. */
  set(options?: AudioPlayerSetOptions): Promise<void>;

  /** Returns one moment of an audio player, without waiting for earlier requests. */
  state(
    options?: Cancellable,
  ): Promise<{ isPlaying: boolean; currentTime: MediaTime; deviceCurrentTime: MediaTime; duration: MediaTime; loop: number; numberOfLoops: number; volume: number; pan: number; rate: number; clock: PlayerClock; audio: PlayerAudio }>;

  /**
   * Returns the levels of the last 50 ms of audio that the device received, without waiting.
   *
   * Without a device they are those of silence.
   */
  meters(options?: Cancellable): Promise<{ hostTime: MediaTime; channels: AudioLevel[] }>;

  /**
   * Finishes the file that an audio player writes its audio to, and gives it its name.
   *
   * The audio player has no audio device from then on. Without this request there is no file.
   */
  finishAudioFile(options?: Cancellable): Promise<AudioPlayerFinishAudioFileResult>;
}

export declare class CaptureSessionCalls extends Remote {
  /** Returns one moment of a session. */
  state(
  ): Promise<{ isRunning: boolean; isInterrupted: boolean; clock: CaptureClock; time: MediaTime; inputs: CaptureInputState[]; outputs: CaptureOutputState[] }>;

  /**
   * Moves a manual clock: captures everything that begins before the new time, audio to the
   * exact sample.
   *
   * It is answered when all of that is encoded, delivered and reported.
   *
   * @param by The time to advance by, above 0.
   */
  advanceClock(
    by: TimeLike,
    options?: Cancellable,
  ): Promise<{ time: MediaTime; captured: number; notifications: number }>;
}

export declare class CaptureOutputCalls extends Remote {
  /**
   * Stops a recording: samples that are captured until now are in it.
   *
   * `captureOutput/didFinishRecording` follows.
   */
  stopRecording(options?: Cancellable): Promise<void>;

  /** Pauses a recording: samples that are captured from now on aren't in it. */
  pauseRecording(options?: Cancellable): Promise<void>;

  /**
   * Continues a paused recording.
   *
   * The pause is cut out of all tracks alike.
   */
  resumeRecording(options?: Cancellable): Promise<void>;

  /** Returns one moment of an output's recording. */
  recordingState(
    options?: Cancellable,
  ): Promise<{ isRecording: boolean; isPaused: boolean; outputURL?: string; recordedDuration: MediaTime; recordedFileSize: number }>;

  /** Returns the levels of an output's audio. */
  levels(): Promise<{ time: MediaTime; channels: CaptureLevel[] }>;
}

export declare class AudioRecorderCalls extends Remote {
  /** Creates the file and starts the device, so that recording begins at once. */
  prepareToRecord(options?: Cancellable): Promise<void>;

  /** Pauses: audio that is captured from now on isn't in the file. */
  pause(options?: Cancellable): Promise<void>;

  /**
   * Removes the file that the recorder created last, but no other file that has replaced it at
   * its path.
   */
  deleteRecording(options?: Cancellable): Promise<void>;

  /** Returns one moment of a recorder. */
  state(
    options?: Cancellable,
  ): Promise<{ isRecording: boolean; currentTime: MediaTime; deviceCurrentTime: MediaTime }>;

  /** Returns the levels of the audio that is recorded. */
  meters(options?: Cancellable): Promise<{ time: MediaTime; channels: CaptureLevel[] }>;

  /**
   * Moves a manual clock.
   *
   * @param by The time to advance by, above 0.
   * @returns The time of the clock.
   */
  advanceClock(by: TimeLike, options?: Cancellable): Promise<MediaTime>;
}

/** The options of `addFolder`. */
export interface AddFolderOptions extends Cancellable {
  /**
   * Folders below it that don't belong to the library, as paths from it. Left out: no change,
   * which is none for a new folder.
   */
  excluded?: string | Iterable<string>;
  /**
   * True to follow symbolic links in it. Left out: no change, which is `false` for a new folder.
   */
  followsSymbolicLinks?: boolean;
}

export declare class LibraryCalls extends Remote {
  /**
   * Adds a folder to a library; a scan reads it.
   *
   * A folder that it has already gets the new list of excluded folders, if there is one. No
   * folder may lie below another one of the library. Without `followsSymbolicLinks` links are
   * ignored. With it files and folders that links lead to belong to the library, at the paths of
   * the links, anywhere below the allowed folders. A file or folder that is reached twice, by
   * its device and inode, is there once, without links if possible; so cycles end. A scan lists
   * links that lead nowhere or can't be followed. Each scan is then one of the whole folder.
   *
   * @param path The path of the folder.
   */
  addFolder(path: PathLike, options?: AddFolderOptions): Promise<void>;

  /**
   * Removes a folder and its items from a library; the files stay.
   *
   * @param path The path of the folder.
   */
  removeFolder(path: PathLike, options?: Cancellable): Promise<void>;

  /**
   * Brings a library up to date: all of its folders, or one folder with those below it.
   *
   * A file that hasn't changed since it was last read is not opened. An item whose file has
   * moved or been renamed stays the same item. Files that are gone are `missing` for thirty days
   * before they are forgotten. A folder that isn't there, or is empty and wasn't before, is
   * `offline`, and nothing below it changes. A file that can't be read is an item with an
   * `error`. The work ends with `library/didScan`; when it is cancelled, the items that were
   * read stay, and the next scan continues from there. Closing the library cancels it, as
   * closing the operation does.
   */
  scan(options?: ScanOptions): Promise<LibraryScanResult>;

  /** Cancels all scans of a library; each ends with its terminal notification. */
  cancelScan(options?: Cancellable): Promise<void>;

  /** Returns the folders of a library, with their states. */
  status(options?: Cancellable): Promise<LibraryStatusResult>;

  /**
   * Returns the collections of a library that have items.
   *
   * @param type The property that the items of each have in common.
   * @returns The collections, in the order of their titles; smart ones in that of their list.
   */
  collections(type: LibraryCollectionType, options?: Cancellable): Promise<LibraryCollection[]>;

  /**
   * Returns the changes of a library since a change token, also since one of an earlier
   * connection.
   *
   * @param since A change token; the last 100,000 changes are known.
   */
  changes(since: number, options?: Cancellable): Promise<LibraryChangesResult>;

  /**
   * Finds files of the same content in a library.
   *
   * Files of one size whose beginnings and ends are alike are read whole and compared by their
   * SHA-256; hard links to one file are no duplicates. Nothing is changed. The work ends with
   * `library/didFindDuplicates`. Closing the library cancels it, as closing the operation does.
   */
  duplicates(options?: DuplicatesOptions): Promise<LibraryItem[][]>;
}
