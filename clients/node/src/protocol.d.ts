// The protocol's types: params, results, notifications and the values in them.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
//
// A params type ends in `Params`, a result type in `Result`; a notification has the name of its
// method. `TimeInput` and its like are what the server reads, `Time` is what it writes. An integer
// beyond ±(2^53 − 1) comes as a decimal string, whatever its type here.

/** Music or speech beside the clips. It ends with them at the latest. */
export interface AccompanimentInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** When it begins. Default: `0`. */
  at?: TimeInput;
  /** The part that is played. Left out: all of it. */
  timeRange?: TimeRangeInput;
  /** The volume, 0 or more. Default: `1`. */
  volume?: number;
  /** How long it takes to become loud. Default: `0`. */
  fadeIn?: TimeInput;
  /** How long it takes to become quiet, before its end. Default: `0`. */
  fadeOut?: TimeInput;
  /** Whether it is repeated until the clips end. Default: `false`. */
  loop?: boolean;
  /** How it gives way while clips are heard. Left out: not at all. */
  duck?: DuckingInput;
}

/** What a player does at the end of an item. */
export type ActionAtItemEnd = "advance" | "pause" | "none";

/** Advice on what to do next, by its name: a client phrases it in its own terms. */
export interface Advice {
  /** The name, for example `stateFileType`. */
  name: string;
  /** The values in it by their names: text, integers, lists of text, and times. */
  arguments: AdviceArguments;
}

/** The values in advice, by their names. */
export type AdviceArguments = Record<string, unknown>;

/** How colours and transparency go together. */
export type AlphaChannelMode = "straight" | "premultiplied";

/** The light around a screen (ITU-T H.274). */
export interface AmbientViewingEnvironment {
  /** In lux. */
  illuminance: number;
  /** Its colour. */
  light: Chromaticity;
}

/**
 * Reports the end of a search for scene changes, with its result. The members about the scenes
 * are present if it succeeded.
 */
export interface AnalysisDidFindSceneChanges {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** How it ended. */
  result: Outcome;
  /** The video track. */
  trackID?: number;
  /** The range that was searched. */
  timeRange?: TimeRange;
  /** The scene changes, in order. */
  sceneChanges?: SceneChange[];
  /** The frames that could not be decoded, as `damagedSamples`; absent when nothing is missing. */
  dropped?: Dropped[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/**
 * Reports the end of a search for silences, with its result. The members about the audio are
 * present if it succeeded.
 */
export interface AnalysisDidFindSilences {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** How it ended. */
  result: Outcome;
  /** The audio track; absent when several were mixed. */
  trackID?: number;
  /** The range that was searched. */
  timeRange?: TimeRange;
  /** The threshold in dBFS. */
  threshold?: number;
  /** The silences, in order, on the asset's clock. */
  silences?: TimeRange[];
  /**
   * The samples that could not be decoded and count as silent, as `damagedSamples`; absent when
   * nothing is missing.
   */
  dropped?: Dropped[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/**
 * Reports the end of a measurement of loudness, with its result. The members about the audio are
 * present if it succeeded and they could be measured.
 */
export interface AnalysisDidMeasureLoudness {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** How it ended. */
  result: Outcome;
  /** The audio track; absent when several were mixed. */
  trackID?: number;
  /** The range that was measured. */
  timeRange?: TimeRange;
  /** In hertz. */
  sampleRate?: number;
  /**
   * FFmpeg's name of the speakers, by which the channels were weighted: "stereo", "5.1(side)".
   * Where only the number of channels is known, it is the usual layout of so many.
   */
  channelLayout?: string;
  /**
   * The loudness of the whole range in LUFS, gated at -70 LUFS and at 10 LU below the loudness
   * of the rest; absent where nothing is above the gate.
   */
  integratedLoudness?: number;
  /** The loudness range (LRA) in LU, by EBU Tech 3342. */
  loudnessRange?: number;
  /**
   * The greatest true peak of all channels in dBTP: that of the signal between the samples,
   * which are interpolated to four times the rate below 96 kHz, and to twice the rate below 192
   * kHz. Absent for digital silence.
   */
  truePeak?: number;
  /**
   * The greatest absolute value of the samples of all channels in dBFS; absent for digital
   * silence.
   */
  samplePeak?: number;
  /** The greatest loudness of 0.4 seconds in LUFS. */
  maximumMomentaryLoudness?: number;
  /** The greatest loudness of 3 seconds in LUFS. */
  maximumShortTermLoudness?: number;
  /**
   * The samples that could not be decoded and count as silent, as `damagedSamples`; absent when
   * nothing is missing.
   */
  dropped?: Dropped[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Reports the progress of an analysis, at most once per percent. */
export interface AnalysisDidProgress {
  /** The operation. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** The part of the range that is decoded, from 0 to 1; it never decreases. */
  progress: number;
}

/** Names an object of any kind. */
export type AnyHandle = string;

/** Which part of the frame an image shows. */
export type ApertureMode = "cleanAperture" | "productionAperture" | "encodedPixels";

/**
 * The attachments of an appended sample, in addition to its bytes; members of
 * `SampleAttachments`.
 */
export interface AppendedAttachmentsInput {
  /** It is not a sync sample. Default: `false`. */
  notSync?: boolean;
  /** Other samples need it: `false` for one that may be dropped. */
  isDependedOnByOthers?: boolean;
  /** It must be decoded, but not presented. Default: `false`. */
  doNotDisplay?: boolean;
  /**
   * The part at its start that is not presented: what an encoder of audio added in front
   * (priming).
   */
  trimDurationAtStart?: TimeInput;
  /** The part at its end that is not presented. */
  trimDurationAtEnd?: TimeInput;
}

/** How appended bytes are audio: interleaved, or one plane after the other for each channel. */
export interface AppendedAudio {
  /** The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. */
  sampleFormat: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The channel layout by FFmpeg's name; the usual one of that number when absent. */
  channelLayout?: string;
  /** Where the planes begin, one for each channel; one plane, or none, for interleaved samples. */
  planes?: AudioPlane[];
}

/** Bytes to append. */
export type AppendedBytes = InlineBytes | LeasedBytes;

/** How appended bytes are a picture. */
export interface AppendedImage {
  /** The pixel format by FFmpeg's name, for example `yuv420p`. */
  pixelFormat: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The planes, in the order of the pixel format; one after the other without gaps when absent. */
  planes?: Plane[];
  /** The colour; when absent, that of `bt709` or `smpte170m` by the height, and of sRGB for RGB. */
  color?: Color;
}

/**
 * A sample to append; a `SampleBuffer` of a reader is one. Give one of `blob`, `imageURL` and
 * `text`. An input with settings takes pictures, linear audio or text; one without takes samples
 * as they are stored.
 */
export interface AppendedSampleInput {
  /** When it is presented. */
  presentationTime: TimeInput;
  /** When it is decoded; absent where that is when it is presented. */
  decodeTime?: TimeInput;
  /**
   * How long it is presented. A picture lasts until the next one whatever this is; it counts for
   * the last one.
   */
  duration?: TimeInput;
  /** Its attachments, in addition to its bytes. */
  attachments?: AppendedAttachmentsInput;
  /** The bytes. */
  blob?: AppendedBytes;
  /** The path or `file:` URL of an image, which is the picture. */
  imageURL?: string;
  /** The text, for an input of text with settings: lines separated by line feeds; empty for none. */
  text?: string;
  /** How the bytes are a picture; that of the input's `sourcePixelBufferAttributes` when absent. */
  image?: AppendedImage;
  /** How the bytes are audio. */
  audio?: AppendedAudio;
}

/** The loudness that was measured of a track's audio, and what was made of it. */
export interface AppliedLoudness {
  /** The track's number in the source; of several that are mixed the first one's. */
  trackID: number;
  /**
   * The loudness of the audio as it would have been encoded, in LUFS; absent where all of it is
   * below -70 LUFS.
   */
  sourceIntegratedLoudness?: number;
  /** Its true peak in dBTP; absent for digital silence. */
  sourceTruePeak?: number;
  /** By how much it was made louder, in dB; 0 where it is unchanged. */
  gain: number;
  /** The loudness of the audio as it was encoded, in LUFS. */
  integratedLoudness?: number;
  /** Its true peak in dBTP, before any loss of the codec. */
  truePeak?: number;
  /** The reason for a loudness other than the target's; absent for the target's. */
  deviation?: string;
}

/** The chapters. */
export interface AssetChapterMetadataGroupsResult {
  /** The chapters, in order of time; empty if there are none in a requested language. */
  groups: TimedMetadataGroup[];
}

/** Reports that the keys of `asset/loadValues` are loaded, failed or cancelled. */
export interface AssetDidLoadValues {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** The state of each requested key. */
  values: AssetValues;
}

/** The number. */
export interface AssetFindUnusedTrackIDResult {
  /** A track number that is free: the highest one and 1 where that is possible. */
  trackID: number;
}

/** Names an asset, for example `asset:1`. */
export type AssetHandle = string & { readonly __kind?: "AssetHandle" };

/** A property of an asset that is loaded on demand. */
export type AssetKey =
  | "duration"
  | "providesPreciseDurationAndTiming"
  | "preferredRate"
  | "preferredVolume"
  | "preferredTransform"
  | "naturalSize"
  | "minimumTimeOffsetFromLive"
  | "tracks"
  | "trackGroups"
  | "creationDate"
  | "lyrics"
  | "commonMetadata"
  | "metadata"
  | "availableMetadataFormats"
  | "availableChapterLocales"
  | "availableMediaCharacteristicsWithMediaSelectionOptions"
  | "preferredMediaSelection"
  | "allMediaSelections"
  | "hasProtectedContent"
  | "canContainFragments"
  | "containsFragments"
  | "overallDurationHint"
  | "isPlayable"
  | "isExportable"
  | "isReadable"
  | "isComposable"
  | "isCompatibleWithSavedPhotosAlbum"
  | "isCompatibleWithAirPlayVideo"
  | "variants"
  | "containerFacts";

/** The group. */
export interface AssetMediaSelectionGroupResult {
  /** The group; absent when the asset has none for the characteristic. */
  group?: MediaSelectionGroup;
}

/** The items. */
export interface AssetMetadataResult {
  /** The items; empty when nothing matches. */
  metadata: MetadataItem[];
}

/** The asset. */
export interface AssetOpenResult {
  /** The asset's handle. */
  asset: AssetHandle;
  /** The resource's handle, if the client supplies the bytes. It is closed with the asset's. */
  resource?: ResourceHandle;
}

/** How an asset is opened. */
export interface AssetOptions {
  /**
   * True to have the file scanned for an exact duration and timing, and images made with an
   * index of all its samples. Default: `false`.
   */
  preferPreciseDurationAndTiming?: boolean;
  /**
   * True to read and export the rest of a file that is cut short or damaged. Otherwise an export
   * that reaches the missing part fails with `invalidSourceMedia`, and a reader of a damaged
   * file with `failedToLoadSampleData`. With this option the asset lasts as long as its samples
   * if it is cut short, and `dropped` of readers and exports has a `damagedSamples` for each
   * track, with the number of bytes that are missing and the time from which on nothing is
   * there. Default: `false`.
   */
  salvage?: boolean;
  /**
   * The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. It
   * is for files of subtitles and for text among other tracks. A mark of Unicode at the start of
   * a text counts more. Without this option the character set is guessed, and exports list the
   * guess as `characterSet` in `dropped`.
   */
  characterSet?: string;
  /**
   * Has the `url` stand for numbered pictures, which are the frames of one video track. Left
   * out, a `url` is that of one file, whatever is in its name.
   */
  imageSequence?: ImageSequence;
}

/** The reader. */
export interface AssetReaderCreateResult {
  /** The reader's handle. */
  assetReader: AssetReaderHandle;
  /** The handle of each output, in the order of the request. */
  outputs: OutputHandle[];
}

/** Names an asset reader, for example `assetReader:4`. */
export type AssetReaderHandle = string & { readonly __kind?: "AssetReaderHandle" };

/** The buffers. */
export interface AssetReaderNextSampleBuffersResult {
  /** The buffers, at most `maxCount`. */
  sampleBuffers: SampleBuffer[];
  /** Whether no buffer follows. */
  endOfStream: boolean;
  /**
   * With `endOfStream`: the samples of the output that could not be decoded, as
   * `damagedSamples`; absent when nothing is missing.
   */
  dropped?: Dropped[];
}

/** The status. */
export interface AssetReaderStatusResult {
  /** How far it is. */
  status: ReaderStatus;
  /** Why it failed. */
  error?: ErrorObject;
  /**
   * The samples that could not be decoded in outputs that were read to their end, as
   * `damagedSamples`; absent when nothing is missing.
   */
  dropped?: Dropped[];
}

/** The tracks. */
export interface AssetTracksResult {
  /** The tracks, in the order of the container. */
  tracks: Track[];
}

/** The states. */
export interface AssetValueStatusResult {
  /** The state of each requested key. */
  values: AssetValues;
}

/** The state of each requested key of an asset; the others are absent. */
export interface AssetValues {
  /** How long the asset is; exact only when `providesPreciseDurationAndTiming`. */
  duration?: TimeKeyState;
  /** Whether `duration` and timing are exact. */
  providesPreciseDurationAndTiming?: BooleanKeyState;
  /** The preferred playback rate, usually 1. */
  preferredRate?: NumberKeyState;
  /** The preferred playback volume, 0 to 1. */
  preferredVolume?: NumberKeyState;
  /** The transform of the first video track; the identity when there is none. */
  preferredTransform?: TransformKeyState;
  /** The size of the first video track in pixels; zero when there is none. */
  naturalSize?: SizeKeyState;
  /** How close to live it can be played: always `"invalid"`, for a file is not live. */
  minimumTimeOffsetFromLive?: TimeKeyState;
  /** The tracks, in the order of the container. */
  tracks?: TrackListKeyState;
  /**
   * The groups of tracks that are alternatives, of which one at a time is presented (the
   * `alternate_group` of ISO/IEC 14496-12); empty where the file has none.
   */
  trackGroups?: TrackGroupListKeyState;
  /** The item with the creation date; loaded without value when there is none. */
  creationDate?: MetadataItemKeyState;
  /** The text of its song; loaded without value when it has none. */
  lyrics?: TextKeyState;
  /** The metadata that has a common key. */
  commonMetadata?: MetadataItemListKeyState;
  /** All metadata, in the order of the container. */
  metadata?: MetadataItemListKeyState;
  /** The formats of its metadata, by AVFoundation's names, for example `com.apple.itunes`. */
  availableMetadataFormats?: TextListKeyState;
  /** The languages that its chapters have titles in, by BCP 47; `und` where the file names none. */
  availableChapterLocales?: TextListKeyState;
  /** The characteristics that there is a group of options for: `audible`, `legible`, `visual`. */
  availableMediaCharacteristicsWithMediaSelectionOptions?: MediaCharacteristicListKeyState;
  /** The options that are presented by default. */
  preferredMediaSelection?: MediaSelectionKeyState;
  /** Every combination of options, at most 1000. */
  allMediaSelections?: MediaSelectionListKeyState;
  /** Whether one of its tracks is encrypted. */
  hasProtectedContent?: BooleanKeyState;
  /** Whether the movie may be extended by fragments (`mvex`). */
  canContainFragments?: BooleanKeyState;
  /** Whether the movie is extended by at least one fragment (`moof`). */
  containsFragments?: BooleanKeyState;
  /**
   * How long the movie is with all its fragments (`mehd`); `"invalid"` if the file does not
   * state it.
   */
  overallDurationHint?: TimeKeyState;
  /** Whether this build can decode at least one video or audio track, which isn't encrypted. */
  isPlayable?: BooleanKeyState;
  /** Whether an export session can export at least one of its tracks, which isn't encrypted. */
  isExportable?: BooleanKeyState;
  /** Whether a reader can decode at least one video or audio track. */
  isReadable?: BooleanKeyState;
  /** Whether its tracks can be part of a composition. */
  isComposable?: BooleanKeyState;
  /** Always false: there is no photo library here. */
  isCompatibleWithSavedPhotosAlbum?: BooleanKeyState;
  /** Always false: there is no AirPlay here. */
  isCompatibleWithAirPlayVideo?: BooleanKeyState;
  /** The variants of a stream: always empty, for a file has none. */
  variants?: AssetVariantListKeyState;
  /**
   * What is known of the file as a whole; loaded without value for an asset that is not one
   * file.
   */
  containerFacts?: ContainerFactsKeyState;
}

/** A variant of a stream (AVAssetVariant). */
export interface AssetVariant {
  /** The peak bit rate in bits a second. */
  peakBitRate?: number;
  /** The average bit rate in bits a second. */
  averageBitRate?: number;
}

/** The state of one key. */
export interface AssetVariantListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: AssetVariant[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** The memory. */
export interface AssetWriterAllocateResult {
  /** The blocks, whose `path` is to be opened and mapped for reading and writing. */
  blobs: SharedBlob[];
  /** How the bytes of each are a picture; absent for blocks of `byteCount`. */
  image?: ImageLayout;
}

/** The samples that were taken. */
export interface AssetWriterAppendResult {
  /** How many of the samples were taken, from the first on. */
  appended: number;
  /** True when the input takes more without waiting. */
  isReadyForMoreMediaData: boolean;
  /** The input that has to get samples before this one can. */
  waitsFor?: InputHandle;
}

/** The answer. */
export interface AssetWriterCanAddResult {
  /** True when it can. */
  possible: boolean;
  /** All that is in the way, each as a sentence. */
  reasons: string[];
}

/** The writer. */
export interface AssetWriterCreateResult {
  /** The writer's handle. */
  assetWriter: AssetWriterHandle;
  /** The handle of each input, in the order of the request. */
  inputs: InputHandle[];
  /** The type that the file will have. */
  outputFileType: string;
}

/** Reports the end of a writer's work. */
export interface AssetWriterDidFinish {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** How it ended: `completed`, `failed` or `cancelled`. */
  status: WriterStatus;
  /** The file, when it is there. */
  outputURL?: string;
  /** The size of the file in bytes, or of all segments together. */
  fileSize?: number;
  /** How long what was written lasts. */
  duration?: Time;
  /** The parts of the samples that are not in the file; absent where nothing is missing. */
  dropped?: Dropped[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Delivers a segment. */
export interface AssetWriterDidOutputSegment {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** Its kind. */
  segmentType: SegmentType;
  /** The number of the segment, from 0 on; the initialization segment has none. */
  index?: number;
  /** Its contents; absent for the initialization segment. */
  report?: SegmentReport;
  /** The bytes. */
  blob: Blob;
}

/** Reports the progress of a transfer. */
export interface AssetWriterDidProgress {
  /** The operation. */
  operation: OperationHandle;
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** Up to when samples of all pairs were transferred, on the clock of the inputs. */
  time: Time;
}

/** Reports the end of a transfer. */
export interface AssetWriterDidTransfer {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** How it ended; `cancelled` where it was stopped. */
  result: Outcome;
  /** The samples that were moved, in the order of the pairs. */
  transferred: Transferred[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** Names an asset writer, for example `assetWriter:2`. */
export type AssetWriterHandle = string & { readonly __kind?: "AssetWriterHandle" };

/** Reports that an input takes samples. */
export interface AssetWriterInputReady {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** The input. */
  input: InputHandle;
}

/** The status. */
export interface AssetWriterStatusResult {
  /** How far it is. */
  status: WriterStatus;
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
  /** How far its inputs are. */
  inputs: InputStatus[];
}

/**
 * The destination of a player's audio: a device of the audio server by its ID, such as
 * `pulse:NAME`, a file, or nothing; `null` for the server's default device.
 */
export type AudioDevice = string | AudioFileDevice | NoAudioDevice | null;

/** How audio is encoded. */
export interface AudioEncoding {
  /**
   * The codec: `aac`, `opus`, `mp3`, `vorbis`, `flac`, `alac`, or `pcm` for linear samples as
   * deep as the source's; `pcm_s16le`, `pcm_s24le`, `pcm_s32le` and `pcm_f32le` have a fixed
   * depth.
   */
  codec?: string;
  /** The sample rate in hertz; the source's, or the nearest that the codec has, when absent. */
  sampleRate?: number;
  /** The number of channels; the source's, or as many as the codec has, when absent. */
  channels?: number;
  /** The bit rate of all channels together, in bits per second; for codecs with loss. */
  bitRate?: number;
  /**
   * What every sample is multiplied by, from 0 to 1000. What becomes too loud for whole numbers
   * is clipped. Default: `1`.
   */
  volume?: number;
  /**
   * The loudness to which audio is brought; in exports alone, and not together with `volume`. It
   * is measured before it is encoded, after mixing and resampling, and multiplied by one factor;
   * each track of the file by its own.
   */
  loudness?: LoudnessTarget;
}

/**
 * A new WAV file as the destination of a player's audio. It gets what is heard while time runs,
 * sample for sample: a pause adds nothing, and where an item has no audio there is silence. It
 * has its name once `player/finishAudioFile` has been answered.
 */
export interface AudioFileDevice {
  /** Always `file`. */
  kind: "file";
  /** The path of the file. An existing one is not overwritten. */
  path: string;
  /** The samples. Default: `"f32"`. */
  sampleFormat?: AudioFileSampleFormat;
}

/** The samples of an audio file that a player writes. */
export type AudioFileSampleFormat = "f32" | "s16";

/**
 * The audio of a format description: an AudioStreamBasicDescription, and related facts. A number
 * that varies or does not apply is 0, as in an AudioStreamBasicDescription.
 */
export interface AudioFormat {
  /** The sample rate in hertz. */
  sampleRate: number;
  /**
   * The format as a four-character code of Core Audio, for example `aac `, or as in
   * `mediaSubType`.
   */
  formatID: string;
  /**
   * The flags of the format, as Core Audio numbers them. Linear PCM: 1 float, 2 big endian, 4
   * signed integer, 8 packed, 16 aligned high, 32 channels apart. ALAC and FLAC: 1, 2, 3, 4 for
   * a source of 16, 20, 24, 32 bits.
   */
  formatFlags: number;
  /** The bytes of one packet. */
  bytesPerPacket: number;
  /** The frames of one packet, for example 1024. */
  framesPerPacket: number;
  /** The bytes of one frame; where channels are apart, of one channel. */
  bytesPerFrame: number;
  /** The number of channels. */
  channelsPerFrame: number;
  /** The bits of one sample; 0 for compressed formats. */
  bitsPerChannel: number;
  /** The bits of a sample before a lossless codec. */
  sourceBitDepth?: number;
  /** The channel layout by FFmpeg's name, for example `5.1(side)`. */
  channelLayout?: string;
  /**
   * What each channel is, by FFmpeg's names such as `FL` and `LFE`; absent where only their
   * number is known.
   */
  channels?: string[];
  /** The priming: frames that the encoder added at the start, if the container states it. */
  initialPadding?: number;
  /** The padding: frames that the encoder added at the end, if the container states it. */
  trailingPadding?: number;
  /**
   * The preroll: frames to decode before a position for correct audio there, if the container
   * states it.
   */
  seekPreroll?: number;
  /** For formats in layers, such as HE-AAC: all ways to decode it, the richest first. */
  formatList?: AudioFormatLayer[];
}

/** One way to decode a format in layers. */
export interface AudioFormatLayer {
  /** The format as a four-character code of Core Audio: `aac `, `aach` or `aacp`. */
  formatID: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channelsPerFrame: number;
  /** The frames of one packet. */
  framesPerPacket: number;
}

/** What becomes of lossy audio of several segments. */
export type AudioJoin = "encode" | "copy";

/** How the bytes of a sample buffer are audio. */
export interface AudioLayout {
  /** The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. Several planes mean one a channel. */
  sampleFormat: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The channel layout by FFmpeg's name, for example `stereo`. */
  channelLayout: string;
  /** The number of frames, which is the number of samples in each channel. */
  frames: number;
  /** One plane when interleaved, else one for each channel. */
  planes: AudioPlane[];
}

/** The level of a channel, in dBFS: 0 is full scale, -160 is silence. */
export interface AudioLevel {
  /** The average, as the root of the mean square. */
  average: number;
  /** The largest. */
  peak: number;
}

/**
 * How loud the tracks of an asset are when they are mixed. A track without parameters has the
 * volume 1 throughout.
 */
export interface AudioMix {
  /** What is set for each track. */
  inputParameters: AudioMixInputParameters[];
}

/**
 * How loud the tracks of an asset are when they are mixed. A track without parameters has the
 * volume 1 throughout.
 */
export interface AudioMixInput {
  /** What is set for each track. */
  inputParameters: AudioMixInputParametersInput[];
}

/** What an audio mix sets for one track. */
export interface AudioMixInputParameters {
  /** The track; 0 stands for the mix of all of them. */
  trackID: number;
  /** The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout. */
  volume?: NumberRamp[];
  /**
   * How the track is played faster or slower. Left out: the algorithm that is set for track 0,
   * else that of the export or the output.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
}

/** What an audio mix sets for one track. */
export interface AudioMixInputParametersInput {
  /** The track; 0 stands for the mix of all of them. */
  trackID: number;
  /** The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout. */
  volume?: NumberRampInput[];
  /**
   * How the track is played faster or slower. Left out: the algorithm that is set for track 0,
   * else that of the export or the output.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
}

/** An audio mix, or `null` for none, though the asset has one of its own. */
export type AudioMixSettingInput = AudioMixInput | null;

/** The ramp. */
export interface AudioMixVolumeRampResult {
  /** The ramp; absent behind the last one, and for a track without any. */
  ramp?: NumberRamp;
}

/** One plane of decoded audio. */
export interface AudioPlane {
  /** Where the plane begins, in bytes from the start of the blob. */
  offset: number;
  /** The number of bytes. */
  size: number;
}

/** The place that the clock got to. */
export interface AudioPlayerAdvanceClockResult {
  /** The time of the clock. */
  hostTime: Time;
  /** The time within the pass. */
  time: Time;
  /** The number of jumps of that time. */
  revision: number;
  /** The number of notifications that were written. */
  notifications: number;
}

/** The members of an audio player that have changed together; those that haven't are absent. */
export interface AudioPlayerChanges {
  /** The readiness: `failed` where the worker process has died. */
  status?: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** True while it plays. */
  isPlaying?: boolean;
  /** The cause of its beginning or end to play. */
  rateChangeReason?: RateChangeReason;
  /** The rate of its time: 0 while it doesn't run. */
  effectiveRate?: number;
  /** The volume, or the one that it fades to. */
  volume?: number;
  /** The clock that is in use. */
  clock?: PlayerClock;
  /** The audio. */
  audio?: PlayerAudio;
}

/** The audio player. */
export interface AudioPlayerCreateResult {
  /** The audio player's handle. */
  audioPlayer: AudioPlayerHandle;
  /** The duration of one pass. */
  duration: Time;
  /** The format of the audio as it is stored. */
  format?: FormatDescription;
}

/**
 * Reports what has changed of an audio player, whoever has changed it, once for all that changes
 * together.
 */
export interface AudioPlayerDidChange {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** The time of the clock; absent where the worker process has died. */
  hostTime?: Time;
  /** What has changed. */
  changes: AudioPlayerChanges;
}

/** Reports the end of all passes, or what has kept an audio player from that. */
export interface AudioPlayerDidFinishPlaying {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** True where all was played. */
  successfully: boolean;
  /** The reason for which not all was. */
  error?: ErrorObject;
}

/**
 * Reports levels, each `meterInterval` while it plays. On clocks that run by themselves it takes
 * the place of one that isn't written yet.
 */
export interface AudioPlayerDidMeter {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** The time of the clock. */
  hostTime: Time;
  /** The levels by channel: left, right. */
  channels: AudioLevel[];
}

/** The file. */
export interface AudioPlayerFinishAudioFileResult {
  /** The path of the file. */
  path: string;
  /** In bytes. */
  size: number;
  /** The number of frames, which is the number of samples in each channel. */
  frames: number;
}

/** Names an audio player, for example `audioPlayer:1`. */
export type AudioPlayerHandle = string & { readonly __kind?: "AudioPlayerHandle" };

/** The levels. */
export interface AudioPlayerMetersResult {
  /** The time of the clock. */
  hostTime: Time;
  /** The levels by channel: left, right. */
  channels: AudioLevel[];
}

/** The moment. */
export interface AudioPlayerStateResult {
  /** True while it plays, or will from a given host time on. */
  isPlaying: boolean;
  /** The time within the pass; while it goes to one, that. */
  currentTime: Time;
  /** The time of the clock. */
  deviceCurrentTime: Time;
  /** The duration of one pass. */
  duration: Time;
  /** The number of passes that have been played. */
  loop: number;
  /** The number of passes after the first one; -1 for passes without an end. */
  numberOfLoops: number;
  /** The volume, or the one that it fades to. */
  volume: number;
  /** The place between left, -1, and right, 1. */
  pan: number;
  /** The rate that it plays at. */
  rate: number;
  /** The clock that is in use: `host` instead of `audio` while no device plays. */
  clock: PlayerClock;
  /** The audio. */
  audio: PlayerAudio;
}

/** The clock. */
export interface AudioRecorderAdvanceClockResult {
  /** The time of the clock. */
  time: Time;
}

/** The recorder. */
export interface AudioRecorderCreateResult {
  /** The recorder's handle. */
  audioRecorder: AudioRecorderHandle;
}

/** Reports the end of a recording. It always comes, also after an interruption. */
export interface AudioRecorderDidFinishRecording {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
  /** The path of the file; absent where the worker process has died. */
  url?: string;
  /** True where the file is as it was to be. */
  successfully: boolean;
  /** The duration of what is in the file. */
  recordedDuration: Time;
  /** Why it isn't. */
  error?: ErrorObject;
}

/** Names a recorder of audio, for example `audioRecorder:1`. */
export type AudioRecorderHandle = string & { readonly __kind?: "AudioRecorderHandle" };

/** The levels. */
export interface AudioRecorderMetersResult {
  /** The time up to which they are. */
  time: Time;
  /** The levels of all channels. */
  channels: CaptureLevel[];
}

/** The moment. */
export interface AudioRecorderStateResult {
  /** True while it records, and isn't paused. */
  isRecording: boolean;
  /** The duration of what is recorded; 0 where nothing is being recorded. */
  currentTime: Time;
  /** The time of the clock. */
  deviceCurrentTime: Time;
}

/** What decoded audio is converted to. */
export interface AudioSettings {
  /**
   * The sample format: `u8`, `s16`, `s32`, `f32` or `f64`; FFmpeg's names `flt` and `dbl` mean
   * the last two.
   */
  sampleFormat: string;
  /** The sample rate in hertz; the source's when absent. */
  sampleRate?: number;
  /** The number of channels; the source's when absent. */
  channels?: number;
  /** Whether the channels alternate in one plane. Default: `true`. */
  interleaved?: boolean;
}

/**
 * What becomes of the audio of a part of a track that is shown faster or slower than it is. The
 * part has exactly the samples that lie in its time on the track, whatever the speed. Nothing
 * changes where nothing is scaled in time.
 */
export type AudioTimePitchAlgorithm = "timeDomain" | "spectral" | "varispeed";

/** What becomes of several audio tracks that are encoded. */
export type AudioTracks = "mix" | "separate";

/** How audio is encoded, or `null` to leave it out. */
export type AudioTreatment = AudioEncoding | null;

/** Whether a kind of devices may be used. */
export type AuthorizationStatus = "denied" | "authorized" | "restricted";

/** Bytes that a method returns. */
export type Blob = InlineBlob | FileBlob | SharedBlob;

/** Where bytes are. */
export type BlobKind = "inline" | "file" | "shm";

/** The state of one key. */
export interface BooleanKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: boolean;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * Subtitles that become part of the pictures: of a codec that is text, such as SRT, WebVTT,
 * `mov_text` and ASS. Scripts of ASS have their own styles, and the fonts that are attached to
 * their file.
 */
export interface BurntSubtitles {
  /**
   * The path or `file` URL of a file with subtitles, whose time zero is that of the asset. Left
   * out: those of the asset itself.
   */
  url?: string;
  /**
   * The track, of the file or else of the asset. Left out: the first one of subtitles that are
   * text.
   */
  trackID?: number;
  /** The character set of a file that isn't UTF-8, by IANA's name; otherwise it is guessed. */
  characterSet?: string;
  /** Members that are there take the place of those in the styles of the subtitles. */
  style?: TextStyle;
}

/** The number of operations that were cancelled. */
export interface CancelledCount {
  /** How many there were. */
  cancelled: number;
}

/** A size, or `"source"` for that of the first picture. */
export type CanvasSize = Size | "source";

/** What a change adds. */
export type CaptureAddition = "input" | "output";

/** The status. */
export interface CaptureAuthorizationStatusResult {
  /** The status. */
  status: AuthorizationStatus;
}

/**
 * One change of a session's configuration. Give one of `add`, `remove`, `set`, `connect` and
 * `disconnect`.
 */
export interface CaptureChangeInput {
  /** Adds an input or an output. */
  add?: CaptureAddition;
  /** The `uniqueID` of an added input's device, or `default`. */
  device?: string;
  /** The settings of what is added. */
  settings?: CaptureSettingsInput;
  /** The format of an added input; the preset becomes `inputPriority`. */
  format?: CaptureFormatChoice;
  /** The least duration of an added input's frames; one that the format has. */
  minFrameDuration?: TimeInput;
  /** The greatest duration of an added input's frames; one that the format has. */
  maxFrameDuration?: TimeInput;
  /**
   * The part of an added screen that is captured, of even size, in its pixels; all of it when
   * absent.
   */
  crop?: CropRectangle;
  /** True to have the cursor in the pictures of an added screen. Default: `false`. */
  capturesCursor?: boolean;
  /**
   * The size of an added screen's pictures in that of the part, from 0.1 to 4; they become even.
   * Default: `1`.
   */
  scaleFactor?: number;
  /** The type of an added output. */
  type?: CaptureOutputType;
  /**
   * The number of leases of an added output that may be out at a time, from 1 to 32. Default:
   * `3`.
   */
  maxOutstanding?: number;
  /** False to have up to 30 pictures wait, in place of the newest. Default: `true`. */
  alwaysDiscardsLateVideoFrames?: boolean;
  /** How the samples of an added output come; `push` of a preview when absent. Default: `"pull"`. */
  mode?: VideoOutputMode;
  /** With `add`, what it is connected with, by default all that fits; else the ends to connect. */
  connect?: CaptureConnectChange;
  /** An input or an output to remove; `handle/close` of its handle does the same. */
  remove?: AnyHandle;
  /** What to change. */
  set?: CaptureSetInput;
  /** The connection to remove. */
  disconnect?: CaptureConnectionEnds;
}

/** The clock of a session, which all of its times are on. */
export type CaptureClock = "host" | "manual";

/** What an added input or output is connected with. */
export type CaptureConnect = "automatic" | "none";

/** What an added input or output is connected with, or the ends to connect. */
export type CaptureConnectChange = CaptureConnect | CaptureConnectionEnds;

/** A connection of an input with an output. */
export interface CaptureConnection {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** `video` or `audio`. */
  mediaType: MediaType;
  /** False where nothing passes it. */
  isEnabled: boolean;
  /** True where samples pass it while the session runs. */
  isActive: boolean;
}

/** The ends of a connection, and what passes it. */
export interface CaptureConnectionEnds {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** `video` or `audio`. */
  mediaType: MediaType;
}

/** A device of this machine. */
export interface CaptureDevice {
  /** The ID, which is the same in later processes, for example `pulse:NAME`. */
  uniqueID: string;
  /** The name for people. */
  localizedName: string;
  /** The model, where it is known. */
  modelID?: string;
  /** The media of it. */
  mediaTypes: CaptureMediaType[];
  /** The way to it. */
  transport: DeviceTransport;
  /** True while it is there. */
  isConnected: boolean;
  /** True for the one that is taken when none is named. */
  isDefault: boolean;
  /** True for the audio that goes to an output; absent for outputs. */
  isMonitor?: boolean;
  /** True while any program uses it; absent where that isn't known. */
  isInUse?: boolean;
  /** The formats of its media. */
  formats: DeviceFormat[];
}

/** The devices. */
export interface CaptureDevicesResult {
  /** The devices, the default one first. */
  devices: CaptureDevice[];
  /** The kinds of devices that can't be listed. */
  unavailable: UnavailableDevices[];
}

/** Reports how the devices of this machine have changed since they were reported last. */
export interface CaptureDidChangeDevices {
  /** The devices that weren't there. */
  added: CaptureDevice[];
  /** The `uniqueID`s of those that are gone. */
  removed: string[];
  /** The devices that are another default, are used or not, or have other formats than before. */
  changed: CaptureDevice[];
}

/** Why samples were dropped. */
export type CaptureDropReason = "late" | "outOfBuffers" | "discontinuity";

/**
 * Samples that an output didn't get, by reasons: frames of video, and samples a channel of
 * audio.
 */
export interface CaptureDrops {
  /** What takes them was behind. */
  late: number;
  /** The client holds as many as it may, or there was no memory. */
  outOfBuffers: number;
  /** The device left them out. */
  discontinuity: number;
}

/** What the format of an input has to be; what is absent can be anything. */
export interface CaptureFormat {
  /** In pixels. */
  width?: number;
  /** In pixels. */
  height?: number;
  /** The pixels by FFmpeg's name. */
  pixelFormat?: string;
  /** In hertz. */
  sampleRate?: number;
  /** The number of channels. */
  channels?: number;
}

/** The format of an input: its index among those of the device, or what it has to be. */
export type CaptureFormatChoice = number | CaptureFormat;

/** Names an input of a capture session, for example `captureInput:1/1`. */
export type CaptureInputHandle = string & { readonly __kind?: "CaptureInputHandle" };

/** An input of a session. */
export interface CaptureInputState {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The `uniqueID` of its device. */
  device: string;
  /** False while the device is unplugged. */
  isConnected: boolean;
  /** What it has captured since the start. */
  captured: CapturedCounts;
  /** What it left out. */
  dropped: CaptureDrops;
  /** The delay that its times are corrected by. */
  latency?: Time;
}

/** An input of a session, as its client keeps a copy of it. */
export interface CaptureInputStatus {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The `uniqueID` of its device. */
  device: string;
  /** False while the device is unplugged. */
  isConnected: boolean;
  /** True while it brings nothing. */
  isInterrupted: boolean;
}

/** Why a session is interrupted. */
export type CaptureInterruptionReason = "deviceStalled" | "deviceInUse" | "serverGone";

/**
 * The level of a channel over the last 50 ms, in decibels of full scale, from -160 to 0 and
 * above.
 */
export interface CaptureLevel {
  /** The mean power. */
  averagePowerLevel: number;
  /** The greatest sample. */
  peakHoldLevel: number;
}

/** The media of devices. */
export type CaptureMediaType = "video" | "audio" | "screen";

/**
 * Reports samples that were dropped, at most each half second for each reason. The counts add up
 * to all of them.
 */
export interface CaptureOutputDidDrop {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** Why. */
  reason: CaptureDropReason;
  /** How many since the last one. */
  count: number;
  /** The time of the last of them. */
  presentationTime: Time;
}

/** Reports the end of a photo. */
export interface CaptureOutputDidFinishCapture {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** How it ended. */
  result: Outcome;
  /** The layout of pixels in the bytes; absent where the image is a file. */
  image?: ImageLayout;
  /** The bytes. */
  blob?: Blob;
  /** The frame's time. */
  time?: Time;
  /** Why there is none. */
  error?: ErrorObject;
}

/** Reports the end of a recording. It comes exactly once, whatever ends it. */
export interface CaptureOutputDidFinishRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
  /** How it ended. */
  status: RecordingStatus;
  /** True where the file can be used, whatever the error. */
  recordingSuccessfullyFinished: boolean;
  /** True of a movie that isn't in fragments. */
  isPlainMovie: boolean;
  /** The duration of the longest track. */
  recordedDuration: Time;
  /** In bytes. */
  recordedFileSize: number;
  /** The tracks, in the order of the file. */
  tracks: RecordedTrack[];
  /** Why it ended, where that isn't the client's wish. */
  error?: ErrorObject;
}

/** Brings the levels of an output's audio. */
export interface CaptureOutputDidMeasureLevels {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The time up to which they are. */
  time: Time;
  /** The levels of all channels. */
  channels: CaptureLevel[];
}

/** Brings samples of an output that pushes. */
export interface CaptureOutputDidOutput {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The samples. */
  sampleBuffers: SampleBuffer[];
  /** What was dropped since the last ones. */
  dropped: CaptureDrops;
}

/** Reports that a recording is paused. */
export interface CaptureOutputDidPauseRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
}

/** Reports that a recording goes on after a pause. */
export interface CaptureOutputDidResumeRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
}

/** Reports that a recording has its first sample. It doesn't come where there never was one. */
export interface CaptureOutputDidStartRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
  /** The time of the session's clock that is the recording's zero. */
  startTime: Time;
}

/** Names an output of a capture session, for example `captureOutput:1/1`. */
export type CaptureOutputHandle = string & { readonly __kind?: "CaptureOutputHandle" };

/** The levels. */
export interface CaptureOutputLevelsResult {
  /** The time up to which they are. */
  time: Time;
  /** The levels of all channels; empty before the first sample. */
  channels: CaptureLevel[];
}

/** The samples. */
export interface CaptureOutputNextSampleBuffersResult {
  /** The samples. */
  sampleBuffers: SampleBuffer[];
  /** What was dropped since the last samples. */
  dropped: CaptureDrops;
  /** True while the session runs. */
  isRunning: boolean;
}

/** The moment. */
export interface CaptureOutputRecordingStateResult {
  /** True while a recording goes on. */
  isRecording: boolean;
  /** True while it is paused. */
  isPaused: boolean;
  /** The path of the file. */
  outputURL?: string;
  /** The duration of the longest track. */
  recordedDuration: Time;
  /** In bytes, as far as it is written. */
  recordedFileSize: number;
}

/** An output of a session. */
export interface CaptureOutputState {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The type. */
  type: CaptureOutputType;
  /** Frames and samples a channel that it got. */
  delivered: number;
  /** The samples that it didn't get. */
  dropped: CaptureDrops;
  /** The recording that goes on. */
  recording?: CaptureRecordingState;
}

/** An output of a session, as its client keeps a copy of it. */
export interface CaptureOutputStatus {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The type. */
  type: CaptureOutputType;
}

/** The use of an output. */
export type CaptureOutputType =
  | "movieFile"
  | "audioFile"
  | "videoData"
  | "audioData"
  | "photo"
  | "preview";

/** Reports that the frame of a photo is there. */
export interface CaptureOutputWillCapture {
  /** The photo's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The frame's time. */
  time: Time;
}

/**
 * Reports that a recording takes no samples any more; the file is being finished. It comes
 * exactly once, before the end.
 */
export interface CaptureOutputWillFinishRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
  /** Why it ends, where that isn't the client's wish. */
  error?: ErrorObject;
}

/** What picks the formats of a session's devices. */
export type CapturePreset =
  | "photo"
  | "high"
  | "medium"
  | "low"
  | "size352x288"
  | "size640x480"
  | "size960x540"
  | "size1280x720"
  | "size1920x1080"
  | "size3840x2160"
  | "inputPriority";

/** A recording that goes on. */
export interface CaptureRecordingState {
  /** The path of the file. */
  outputURL: string;
  /** True while it is paused. */
  isPaused: boolean;
  /** The duration of the longest track. */
  recordedDuration: Time;
  /** The size of the file in bytes, as far as it is written. */
  recordedFileSize: number;
}

/** What has come of it. */
export interface CaptureSessionAdvanceClockResult {
  /** The time of the clock. */
  time: Time;
  /** The number of frames and buffers of audio that were captured. */
  captured: number;
  /** The number of notifications that came of it, all of them before this answer. */
  notifications: number;
}

/** What has become of them. */
export interface CaptureSessionConfigureResult {
  /** The inputs that were added, in the order of the changes; empty of a dry run. */
  inputs: CaptureInputHandle[];
  /** The outputs that were added, in the order of the changes; empty of a dry run. */
  outputs: CaptureOutputHandle[];
  /** All connections of the session. */
  connections: CaptureConnection[];
  /** The formats of all inputs. */
  resolved: ResolvedFormat[];
}

/** The session. */
export interface CaptureSessionCreateResult {
  /** The session's handle. Closing it stops the session, and finishes its recordings. */
  captureSession: CaptureSessionHandle;
}

/**
 * Reports what has changed of a session, whoever has changed it, once for all that changes
 * together; what is absent is as it was. A session that has only been made doesn't run, and has
 * no inputs and outputs.
 */
export interface CaptureSessionDidChange {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** True while it runs. */
  isRunning?: boolean;
  /** True while an input brings nothing. */
  isInterrupted?: boolean;
  /** What picks the formats of devices. */
  preset?: CapturePreset;
  /** All inputs. */
  inputs?: CaptureInputStatus[];
  /** All outputs. */
  outputs?: CaptureOutputStatus[];
  /** All connections. */
  connections?: CaptureConnection[];
  /** The formats of all inputs. */
  resolved?: ResolvedFormat[];
}

/** Reports a failure that stops the session; `captureSession/didStop` follows. */
export interface CaptureSessionDidFail {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The failure. */
  error: ErrorObject;
}

/** Reports that a session has started, or why it hasn't. */
export interface CaptureSessionDidStart {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The time of the session's clock at which it started. */
  startTime?: Time;
  /** Why it didn't start. */
  error?: ErrorObject;
}

/** Reports that a session has stopped. Nothing of its outputs comes after it. */
export interface CaptureSessionDidStop {
  /** The operation that has ended, where the client stopped it. */
  operation?: OperationHandle;
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** Why it stopped. */
  reason: CaptureStopReason;
}

/** Names a capture session, for example `captureSession:1`. */
export type CaptureSessionHandle = string & { readonly __kind?: "CaptureSessionHandle" };

/** Reports that an input goes on, also after its device was unplugged. */
export interface CaptureSessionInterruptionEnded {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The input. */
  captureInput?: CaptureInputHandle;
}

/** The moment. */
export interface CaptureSessionStateResult {
  /** True while it runs. */
  isRunning: boolean;
  /** True while an input brings nothing. */
  isInterrupted: boolean;
  /** The clock. */
  clock: CaptureClock;
  /** The time of the clock. */
  time: Time;
  /** The inputs. */
  inputs: CaptureInputState[];
  /** The outputs. */
  outputs: CaptureOutputState[];
}

/** Reports that an input brings nothing for a while; the others go on. */
export interface CaptureSessionWasInterrupted {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** Why. */
  reason: CaptureInterruptionReason;
  /** The input. */
  captureInput?: CaptureInputHandle;
}

/**
 * What is to be changed of a session, of one input, or of one connection; what is absent stays
 * as it is.
 */
export interface CaptureSetInput {
  /** The session's preset. */
  preset?: CapturePreset;
  /** The input that is to be changed. */
  captureInput?: CaptureInputHandle;
  /** The input's format; the preset becomes `inputPriority`. */
  format?: CaptureFormatChoice;
  /** The least duration of the input's frames; one that the format has. */
  minFrameDuration?: TimeInput;
  /** The greatest duration of the input's frames; one that the format has. */
  maxFrameDuration?: TimeInput;
  /** The part of a screen that the input captures, of even size, in the screen's pixels. */
  crop?: CropRectangle;
  /** True to have the cursor in the input's pictures of a screen. */
  capturesCursor?: boolean;
  /** The size of the input's pictures in that of the screen's part, from 0.1 to 4. */
  scaleFactor?: number;
  /** The connection that is to be changed. */
  connection?: CaptureConnectionEnds;
  /** False to have nothing pass the connection. */
  isEnabled?: boolean;
  /** The clockwise turn of a connection's pictures: 0, 90, 180 or 270. */
  rotate?: number;
  /** True to mirror a connection's pictures, before they are turned. */
  isMirrored?: boolean;
}

/**
 * The settings of an added input or output. Of an input they are `latency` and
 * `driftCorrection`, and what a synthetic device makes, which is all of the others up to
 * `latencyMs`; times there are seconds of the device's time, which begins with the session.
 */
export interface CaptureSettingsInput {
  /** A known delay of an input, by which its times are corrected. */
  latency?: TimeInput;
  /**
   * True to have an input's audio resampled where its clock runs at another rate. Default:
   * `true`.
   */
  driftCorrection?: boolean;
  /** The width of a synthetic device's pictures, even, from 64 to 4096; or of an output's. */
  width?: number;
  /** The height of a synthetic device's pictures, even, from 48 to 2304; or of an output's. */
  height?: number;
  /** The frames a second of a synthetic device, above 0 and at most 240. */
  frameRate?: Factor;
  /** The sample rate of a synthetic device, or of an output, in hertz. */
  sampleRate?: number;
  /** The channels of a synthetic device, 1 or 2; or of an output. */
  channels?: number;
  /** False for a synthetic device without audio. */
  audio?: boolean;
  /** False for a synthetic device without pictures. */
  video?: boolean;
  /** How much a synthetic device's clock is fast, in millionths. */
  driftPPM?: number;
  /** The most that its times are off by, in milliseconds. */
  jitterMs?: number;
  /** It leaves out each frame whose number is a multiple of this, but the first. */
  dropEvery?: number;
  /** The numbers of frames that it leaves out. */
  dropFrames?: number[];
  /** When it is unplugged. */
  unplugAt?: TimeInput;
  /** When it is there again. */
  replugAt?: TimeInput;
  /** When it begins to bring nothing. */
  stallAt?: TimeInput;
  /** How long it brings nothing. Default: `1`. */
  stallFor?: TimeInput;
  /** True for a device that doesn't start. */
  failStart?: boolean;
  /** True for a device that another program uses. */
  busy?: boolean;
  /** How much later its samples come than their times, in milliseconds. */
  latencyMs?: number;
  /**
   * The format of an output's pictures: pixels, or a file format such as `jpeg`; as captured
   * when absent, and `jpeg` of a preview.
   */
  pixelFormat?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * The sample format of an output's audio: `u8`, `s16`, `s32`, `f32` or `f64`; as captured when
   * absent.
   */
  sampleFormat?: string;
  /** The most pictures a second of an output; 15 of a preview when absent. */
  maxFrameRate?: number;
  /** Where the bytes of an output go. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
}

/** Why a session has stopped. */
export type CaptureStopReason = "requested" | "failed" | "closed";

/** Counts of what was captured. */
export interface CapturedCounts {
  /** Frames; absent without video. */
  video?: number;
  /** Samples a channel; absent without audio. */
  audio?: number;
}

/** A chapter to write. */
export interface ChapterInput {
  /** Its title. */
  title: string;
  /** Where it begins; absent where `timeRange` states that. */
  start?: TimeInput;
  /** Where it is; without it a chapter ends where the next one begins, or the asset ends. */
  timeRange?: TimeRangeInput;
}

/** The sources of an export's chapters. */
export type ChapterSource = "files" | "parts" | "none";

/** A point in the CIE 1931 chromaticity diagram. */
export interface Chromaticity {
  /** The first coordinate, 0 to 1; files count 1/50000. */
  x: number;
  /** The second coordinate. */
  y: number;
}

/** The part of a frame to be displayed. */
export interface CleanAperture {
  /** Its left edge, from the left of the frame. */
  x: number;
  /** Its top edge, from the top of the frame. */
  y: number;
  /** Its width. */
  width: number;
  /** Its height. */
  height: number;
}

/** What a client can do; reserved, unknown members are ignored. */
export interface ClientCapabilities {
}

/** A part of a file or an asset, a still picture, or, with neither `url` nor `asset`, a gap. */
export interface ClipInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Has the `url` stand for numbered pictures. */
  imageSequence?: ImageSequence;
  /**
   * The part that is shown; a duration of `"+infinity"` reaches to the end. Not for stills. Left
   * out: all of it.
   */
  timeRange?: TimeRangeInput;
  /** How fast it is: 2 shows it in half its time. Not for stills. Default: `1`. */
  speed?: Factor;
  /** The volume, 0 or more. Default: `1`. */
  volume?: number;
  /** How its frames are fitted to the picture. Default: `"contain"`. */
  fit?: Fit;
  /**
   * How long a still or a gap is; required for a gap, and for no other clip. Left out: 3 s for a
   * still.
   */
  duration?: TimeInput;
  /** A move over its picture, in place of `fit`. */
  zoom?: Zoom;
  /** What leads to the next clip. Left out: a cut. */
  transition?: TransitionInput;
  /** A text over it, as long as it is shown: of a gap, a title. */
  text?: ClipTextInput;
  /**
   * Red, green, blue and alpha of a gap, each from 0 to 1. Left out: `background` of the
   * sequence.
   */
  background?: number[];
}

/**
 * Clips one after the other, with what lies over them and is heard beside them. A clip begins
 * where the one before ends, or as much earlier as that one dissolves into it. The whole ends
 * with the last clip.
 */
export interface ClipSequenceInput {
  /** The size of the picture. Left out: that of the first clip that has one, in even numbers. */
  size?: Size;
  /**
   * Pictures per second. A clip with more of them, or one that is played slower, shows as many;
   * pictures of others are shown again. Left out: that of the first clip that has one, else 30.
   */
  frameRate?: Factor;
  /**
   * Red, green, blue and alpha, each from 0 to 1, where nothing is shown. Left out: opaque
   * black.
   */
  background?: number[];
  /** The clips, at least one. */
  clips: ClipInput[];
  /** Pictures over those of the clips; the last is on top. */
  overlays?: OverlayInput[];
  /** What is heard beside the clips. */
  audio?: AccompanimentInput[];
  /** Subtitles over the pictures; of several, the last is on top. They are of files. */
  subtitles?: BurntSubtitles[];
  /** Texts over the pictures and the subtitles; the last is on top. */
  textLayers?: TextLayerInput[];
}

/** A text over a clip. Where the clip dissolves, it does. */
export interface ClipTextInput {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of it that `alignment` names. Left out: where `alignment` is in
   * the picture, within the margins.
   */
  position?: PicturePosition;
  /** The duration of its appearance. Default: `0`. */
  fadeIn?: TimeInput;
  /** The duration of its disappearance. Default: `0`. */
  fadeOut?: TimeInput;
}

/** A decoder or an encoder of this build. */
export interface Codec {
  /** FFmpeg's name of the decoder or encoder, for example `libx264`. */
  name: string;
  /** FFmpeg's name of the format, for example `h264`. */
  codec: string;
  /** The name for a person. */
  description: string;
}

/** The audio properties of encoded samples. */
export interface CodedAudioFormat {
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channelsPerFrame: number;
  /** The frames that the encoder added at the start (priming). Default: `0`. */
  initialPadding?: number;
}

/** The format of encoded samples: as much of a `FormatDescription` as a file has to state. */
export interface CodedFormat {
  /** The format by FFmpeg's name, for example `h264`. */
  codec: string;
  /**
   * The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the
   * AudioSpecificConfig.
   */
  extradata?: string;
  /** The video properties; required for video. */
  video?: CodedVideoFormat;
  /** The audio properties; required for audio. */
  audio?: CodedAudioFormat;
}

/** The video properties of encoded samples. */
export interface CodedVideoFormat {
  /** The encoded size, in pixels. */
  dimensions: Size;
}

/** How the numbers of an image are colours, by FFmpeg's names. */
export interface Color {
  /** The primaries, for example `bt709`. */
  primaries?: string;
  /** The transfer function, for example `smpte2084`. */
  transfer?: string;
  /** The matrix, for example `bt2020nc`. */
  matrix?: string;
  /** The range, `limited` or `full`. */
  range?: string;
}

/** Colours, by FFmpeg's names. */
export interface ColorProperties {
  /** The primaries, for example `bt709`. */
  primaries: string;
  /** The transfer function. */
  transfer: string;
  /** The matrix. */
  matrix: string;
}

/** When a request that starts work is answered. */
export type Completion = "notification" | "response";

/** The track. */
export interface CompositionAddTrackResult {
  /** Its number. */
  trackID: number;
  /** Where the last of the tracks ends. */
  duration: Time;
  /** How many edits have been made. */
  revision: number;
}

/** The composition, and what it was made from. */
export interface CompositionAssembleResult {
  /** The composition; absent with `timelineOnly`. */
  composition?: CompositionHandle;
  /** The timeline that the sequence was expanded to. */
  timeline: CompositionTimeline;
}

/** The track. */
export interface CompositionCompatibleTrackResult {
  /** Its number; absent when there is none. */
  trackID?: number;
}

/** The composition. */
export interface CompositionCreateResult {
  /** The composition's handle. */
  composition: CompositionHandle;
}

/**
 * Names a composition, for example `composition:1`. It is accepted wherever a method takes an
 * asset. What is made of it keeps the composition as it was then.
 */
export type CompositionHandle = string & { readonly __kind?: "CompositionHandle" };

/** The composition. */
export interface CompositionImportResult {
  /** The composition's handle. */
  composition: CompositionHandle;
  /** What of the document isn't in it. */
  losses: ConversionLoss[];
}

/** What was inserted. */
export interface CompositionInsertTimeRangeResult {
  /** What it covers in the composition. */
  timeRange: TimeRange;
  /** The tracks that show it, in the order of the asset's tracks. */
  trackIDs: number[];
  /** Where the last of the tracks ends. */
  duration: Time;
  /** How many edits have been made. */
  revision: number;
}

/** A range of an asset's track, or an empty one. */
export interface CompositionItemInput {
  /** The asset; left out for an empty range. */
  asset?: AssetHandle;
  /** The asset's track; left out, the first one of the kind. */
  assetTrackID?: number;
  /** The range of the track, all of it when left out; of an empty one only its duration counts. */
  timeRange?: TimeRangeInput;
}

/** The document. */
export interface CompositionOpenTimelineIOResult {
  /** The document, as it is written to a file with the extension `otio`. */
  document: OpenTimelineIODocument;
  /** What the document has in `metadata.reelwire` only. */
  losses: ConversionLoss[];
}

/** A picture that a compositor of the client's own draws. */
export interface CompositionPicture {
  /** How the bytes are a picture. */
  image: ImageLayout;
  /** The bytes, whose `path` is to be opened and mapped for reading and writing. */
  blob: SharedBlob;
}

/** A part of a composition's track (AVCompositionTrackSegment). */
export interface CompositionSegment {
  /**
   * The asset that is shown; left out in an empty segment. In answers it is absent too when the
   * asset's handle has been closed.
   */
  asset?: AssetHandle;
  /** The asset's path or name; only in answers. */
  path?: string;
  /** The asset's track; left out, the first one of the kind. */
  assetTrackID?: number;
  /**
   * Which part of that track (`source`) is shown when (`target`, on the composition's clock); of
   * an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMapping;
}

/** A part of a composition's track (AVCompositionTrackSegment). */
export interface CompositionSegmentInput {
  /**
   * The asset that is shown; left out in an empty segment. In answers it is absent too when the
   * asset's handle has been closed.
   */
  asset?: AssetHandle;
  /** The asset's path or name; only in answers. */
  path?: string;
  /** The asset's track; left out, the first one of the kind. */
  assetTrackID?: number;
  /**
   * Which part of that track (`source`) is shown when (`target`, on the composition's clock); of
   * an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMappingInput;
}

/** The segments. */
export interface CompositionSegmentsResult {
  /** One after the other, from zero on. */
  segments: CompositionSegment[];
}

/**
 * What a track shows, for a compositor of the client's own. A frame has the size that its track
 * shows: upright with square pixels in a composition, as it is stored in a file.
 */
export interface CompositionSource {
  /** The track. */
  trackID: number;
  /** When the frame begins. */
  time: Time;
  /** How the bytes are a picture. */
  image: ImageLayout;
  /** The bytes, until the request is answered. */
  blob: SharedBlob;
}

/** A composition after an edit. */
export interface CompositionState {
  /** Where the last of its tracks ends. */
  duration: Time;
  /** How many edits have been made. */
  revision: number;
}

/**
 * All that a composition is, as a document. What the server writes is canonical: two timelines
 * of the same composition are the same bytes. Its members are in a fixed order, what has its
 * default is left out, times are in lowest terms, and sources are named `s1`, `s2` … in the
 * order in which the tracks use them. Names that a caller gives them are not retained.
 */
export interface CompositionTimeline {
  /** The version of this form; 1. */
  version: number;
  /** The size that pictures are shown in; left out, that of the first picture as it is shown. */
  naturalSize?: Size;
  /** What segments show parts of, by the names they have in them. */
  sources: Record<string, TimelineSource>;
  /** The tracks, at most 256 with 100,000 segments in all. */
  tracks: TimelineTrack[];
  /** How loud the tracks are in a mix, when nothing else is given there. */
  audioMix?: AudioMix;
  /** How pictures are made of the video tracks, when nothing else is given there. */
  videoComposition?: VideoComposition;
}

/**
 * All that a composition is, as a document. What the server writes is canonical: two timelines
 * of the same composition are the same bytes. Its members are in a fixed order, what has its
 * default is left out, times are in lowest terms, and sources are named `s1`, `s2` … in the
 * order in which the tracks use them. Names that a caller gives them are not retained.
 */
export interface CompositionTimelineInput {
  /** The version of this form; 1. */
  version: number;
  /** The size that pictures are shown in; left out, that of the first picture as it is shown. */
  naturalSize?: Size;
  /** What segments show parts of, by the names they have in them. */
  sources: Record<string, TimelineSource>;
  /** The tracks, at most 256 with 100,000 segments in all. */
  tracks: TimelineTrackInput[];
  /** How loud the tracks are in a mix, when nothing else is given there. */
  audioMix?: AudioMixInput;
  /** How pictures are made of the video tracks, when nothing else is given there. */
  videoComposition?: VideoCompositionInput;
}

/** The document. */
export interface CompositionTimelineResult {
  /** The timeline. */
  timeline: CompositionTimeline;
}

/** What is wrong. */
export interface CompositionValidateSegmentsResult {
  /** Whether `composition/setSegments` would take them. */
  isValid: boolean;
  /** All that is wrong. */
  problems: ParamsProblem[];
}

/** Who draws the pictures of an instruction. */
export type Compositor = "engine" | "client";

/** Why a picture can't be drawn. */
export interface CompositorError {
  /** For a person; part of the message of what fails for it, with `videoCompositorFailed`. */
  message: string;
}

/** What the kernel keeps the worker processes from. */
export interface Confinement {
  /**
   * Starting programs, sockets of any kind, other processes and the administration of the system
   * (seccomp).
   */
  systemCalls: Restriction;
  /**
   * Files outside the folders of `--root`, the temporary folder and those of the system's
   * libraries (Landlock); only with `--root`.
   */
  files: Restriction;
  /** More address space than `--worker-memory`; only with that option. */
  memory: Restriction;
  /** Files that become larger than `--worker-file-size`; only with that option. */
  fileSize: Restriction;
  /** More than 65,536 open files and sockets. */
  descriptors: Restriction;
}

/** One tile of a contact sheet. */
export interface ContactSheetTile {
  /** The index of the tile, from 0, row by row. */
  index: number;
  /** The range that the tile represents; empty for a time at or after the end. */
  timeRange: TimeRange;
  /** The requested time of its frame. */
  requestedTime: Time;
  /** The presentation time of the frame that the tile shows. */
  actualTime?: Time;
  /**
   * The index of the frame in the track, in presentation order, from 0; absent if the file has
   * no presentation times, and if only the part of the file around the frame was indexed.
   */
  sampleIndex?: number;
  /** Whether it is the frame that is shown at the requested time. */
  isExact?: boolean;
  /** The distance of the tile's left edge from the sheet's, in pixels. */
  x: number;
  /** The distance of the tile's upper edge from the sheet's, in pixels. */
  y: number;
  /** The width of the tile in pixels. */
  width: number;
  /** The height of the tile in pixels. */
  height: number;
  /** Why the tile is black. */
  error?: ErrorObject;
}

/** What is known of a file as a whole, beside its tracks and its metadata. */
export interface ContainerFacts {
  /** FFmpeg's name of the format, aliases included, for example `mov,mp4,m4a,3gp,3g2,mj2`. */
  formatName: string;
  /** FFmpeg's name of the format for people, for example `QuickTime / MOV`. */
  formatLongName: string;
  /** The size of the file in bytes. */
  size: number;
  /**
   * The bit rate of the whole file, in bits per second: its size over its duration; absent
   * without a duration.
   */
  bitRate?: number;
  /** The number of streams in the container: tracks, attached pictures, attachments and data. */
  streamCount: number;
  /**
   * Whether the file ends before its container states that it does. `false` means that it is not
   * known to: transport streams, program streams and raw streams state no end.
   */
  isCutShort: boolean;
  /**
   * The number of bytes that are missing at the end, at least; absent where none are known to
   * be.
   */
  missingBytes?: number;
  /** Whether at least one track is encrypted. */
  isEncrypted: boolean;
  /**
   * Whether the container lists where its samples are: a movie's tables (of fragments `sidx` or
   * `mfra`), Matroska's cues, AVI's `idx1`. Without one, positions are found by reading.
   */
  hasIndex: boolean;
}

/** The state of one key. */
export interface ContainerFactsKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: ContainerFacts;
  /** Why it failed. */
  error?: ErrorObject;
}

/** The light of the brightest pixel and frame, in cd/m² (CTA-861.3); 0 is unknown. */
export interface ContentLightLevel {
  /** The brightest pixel of all. */
  maxCLL: number;
  /** The highest average of a frame. */
  maxFALL: number;
}

/** What a conversion left out, or shows otherwise. */
export interface ConversionLoss {
  /**
   * Where it is, as a JSON pointer: into the document that was read, or the timeline that was
   * written.
   */
  path: string;
  /** What is lost, for example `Marker.2`. */
  what: string;
  /** What became of it. */
  reason: string;
}

/**
 * The part of a picture that is shown: a rectangle, or the largest part in the middle with an
 * aspect ratio.
 */
export type Crop = CropRectangle | CropAspectRatio;

/** The shape of a part of a picture. */
export interface CropAspectRatio {
  /**
   * The width over the height, as it is displayed, from 1/256 to 256. The part has whole samples
   * of chroma, so it may differ from the ratio by less than one of them.
   */
  aspectRatio: Factor;
}

/** A rectangle of a picture in whole pixels, from the top left. */
export interface CropRectangle {
  /** The pixels to the left of it. */
  x: number;
  /** The pixels above it. */
  y: number;
  /** Its width. */
  width: number;
  /** Its height. */
  height: number;
}

/** The item that is current now, or `null` where there is none any more. */
export type CurrentItemChange = PlayerItemHandle | null;

/**
 * Where a new cursor is: `"first"` or `"last"` in decode order, or a presentation time. At a
 * time it is at the last shown sample that is not after it, and at the first shown one when all
 * are. `"+infinity"` and `"-infinity"` are the ends of presentation order.
 */
export type CursorPositionInput = "first" | "last" | Time | number | string;

/** The treatment of interlaced pictures that are encoded. */
export type Deinterlacing = "auto" | "none" | "frame" | "field";

/** How bytes are delivered. */
export type Delivery = "inline" | "shm" | FileDelivery;

/** The directions of media between a device and the engine. */
export type DeviceDirection = "input" | "output";

/** A format of a device. */
export interface DeviceFormat {
  /** The place in the list of the device's formats. */
  index: number;
  /** The media. */
  mediaType: CaptureMediaType;
  /** The pixels of pictures, by FFmpeg's name. */
  pixelFormat?: string;
  /**
   * The codec that pictures come in, by FFmpeg's name: they are decoded. Absent where they come
   * as pixels.
   */
  codec?: string;
  /** The samples of audio, by FFmpeg's name. */
  sampleFormat?: string;
  /** In pixels. */
  width?: number;
  /** In pixels. */
  height?: number;
  /** The durations that a picture may have. */
  frameDurations?: FrameDurations;
  /** In hertz. */
  sampleRate?: number;
  /** The number of channels. */
  channels?: number;
}

/** The ways to devices. */
export type DeviceTransport = "synthetic" | "v4l2" | "pulse" | "screen";

/** Dolby Vision's configuration record. */
export interface DolbyVision {
  /** The version, before the point. */
  versionMajor: number;
  /** The version, behind the point. */
  versionMinor: number;
  /** The profile, for example 5 or 8. */
  profile: number;
  /** The level. */
  level: number;
  /** What the base layer is for others: 0 nothing they can show, 1 HDR10, 2 SDR, 4 HLG. */
  compatibilityID: number;
  /** Whether it has metadata for each frame (RPU). */
  isRPUPresent: boolean;
  /** Whether it has an enhancement layer. */
  isEnhancementLayerPresent: boolean;
  /** Whether it has a base layer. */
  isBaseLayerPresent: boolean;
}

/** Something of the source that is left out. */
export interface Dropped {
  /** What is left out. */
  item: DroppedItem;
  /** The track's number in the source; absent for what belongs to the whole. */
  trackID?: number;
  /** What the track holds. */
  mediaType?: MediaType;
  /** Which one of several; its meaning depends on `item`. */
  key?: string;
  /** Why it is left out. */
  reason: string;
}

/** What an export, a reader or a waveform leaves out of its source. */
export type DroppedItem =
  | "audioMix"
  | "videoComposition"
  | "track"
  | "rotation"
  | "metadata"
  | "chapters"
  | "artwork"
  | "attachment"
  | "language"
  | "disposition"
  | "trackName"
  | "color"
  | "hdr"
  | "alpha"
  | "projection"
  | "damagedSamples"
  | "timeRange"
  | "pixels"
  | "text"
  | "characterSet";

/** The pictures of an output that weren't delivered. */
export interface DroppedPictures {
  /** Those that were due while as many leases were out as may be. */
  outOfCredit: number;
  /** Those that weren't decoded in time. */
  late: number;
}

/**
 * How music gives way while the audio tracks of clips, and of overlays that are heard, have
 * something; their contents aren't analysed.
 */
export interface DuckingInput {
  /** What its volume is multiplied by, from 0 to 1. Default: `0.25`. */
  to?: number;
  /** How long it takes to become quiet, from where a clip begins. Left out: 0.2 s. */
  attack?: TimeInput;
  /** How long it takes to become loud again, from where a clip ends. Left out: 0.5 s. */
  release?: TimeInput;
}

/** What happens to high dynamic range. */
export type DynamicRangePolicy = "forceSDR" | "matchSource";

/**
 * The tracks that an item presents: their numbers, or `null` for those that are enabled in the
 * file.
 */
export type EnabledTracks = number[] | null;

/** What this build has. */
export interface EngineCapabilitiesResult {
  /** The containers that can be read or written. */
  fileTypes: FileType[];
  /** The decoders for video. */
  videoDecoders: Codec[];
  /** The encoders for video. */
  videoEncoders: Codec[];
  /** The decoders for audio. */
  audioDecoders: Codec[];
  /** The encoders for audio. */
  audioEncoders: Codec[];
  /** The formats a generated image can have. */
  imageFormats: ImageFormat[];
  /** The pixel formats a decoded sample can have, by FFmpeg's names. */
  pixelFormats: string[];
  /** The sample formats decoded audio can have. */
  sampleFormats: string[];
  /** The presets an export session can have. */
  exportPresets: string[];
  /**
   * The library that draws texts and subtitles over pictures, for example `libass 0.17.1`;
   * absent without one.
   */
  textRenderer?: string;
}

/** The time. */
export interface EngineHostTimeResult {
  /** The time. */
  hostTime: Time;
  /** The clock. */
  clock: "monotonic";
}

/** A message of the log. Messages are dropped when the client reads too slowly. */
export interface EngineLog {
  /** How important it is. */
  level: LogLevel;
  /** The part of the server that logs it. */
  logger: string;
  /** The message. */
  message: string;
  /** Details by name. */
  metadata?: Record<string, string>;
}

/** The counters; those of work count from the start of the process. */
export interface EngineStatsResult {
  /** The number of open handles of each kind; kinds without any are left out. */
  handles: Record<string, number>;
  /** The number of operations in progress. */
  operations: number;
  /** The resident memory of the process and of its worker processes, in bytes. */
  residentBytes: number;
  /** The number of outstanding leases. */
  leases: number;
  /** The shared memory that the outstanding leases hold, in bytes. */
  leasedBytes: number;
  /** The number of video frames decoded. */
  framesDecoded: number;
  /** The number of seeks made. */
  seeks: number;
  /** The number of bytes read from media files. */
  bytesRead: number;
  /** The number of packets that media files were taken apart into, for whatever purpose. */
  packetsRead: number;
  /** The number of reads of resources that clients were asked for. */
  resourceReads: number;
  /** The number of bytes that they were asked for. */
  resourceBytesRequested: number;
  /** The number of bytes that they have supplied. */
  resourceBytesReceived: number;
  /**
   * The number of conversions of pictures, by the way taken: `copy` where the samples stay what
   * they are, `kernel` for YUV of 8 bits that becomes RGB or grey of the same size, `zimg`, and
   * `swscale` for formats that zimg can't read. A picture may take several.
   */
  conversions: Record<string, number>;
  /**
   * The number of pictures of video compositions, by the way in which they were made: `frame`
   * where one is a source's frame as it is, `converted` where it is one layer that covers all,
   * `planar` where upright layers are blended in the picture's own format, and `general` for
   * everything else.
   */
  composedPictures: Record<string, number>;
  /** The players that are open. */
  players: PlayerStatistics[];
  /** The processes that do the work; absent where the server does it itself. */
  isolation?: Isolation;
}

/** What belongs to an error beside its message. */
export interface ErrorData {
  /** The error's name, for example `fileAlreadyExists`. */
  name: string;
  /** What to do next, in English and in the terms of the protocol. */
  hint: string;
  /**
   * The same as a name with arguments, which a client phrases in its own terms; absent where the
   * hint has no name.
   */
  advice?: Advice;
  /** The file it is about. */
  path?: string;
  /** The object it is about. */
  handle?: AnyHandle;
  /** The key it is about. */
  key?: string;
  /** The stage of the work that failed: `open`, `read`, `decode`, `convert`, `encode`, `write` … */
  stage?: string;
  /** The last log lines of the libraries. */
  libav?: LibAVError;
  /** The last lines of the libraries' log, at most five. */
  log?: string[];
  /**
   * Every problem of the params: with `invalidParams`, and where several things can be wrong
   * with a document.
   */
  errors?: ParamsProblem[];
  /** The rule that was broken; only with `invalidRequest`, for example `messageTooLarge`. */
  reason?: string;
  /** The method that may have been meant; only with `methodNotFound`. */
  suggestion?: string;
  /** The signal that ended the worker process, for example 11 (SIGSEGV); only with `workerDied`. */
  signal?: number;
  /** Which change of a batch can't be made. */
  change?: FailedChange;
}

/** An error: the `error` of a response, or a member of a notification or a result. */
export interface ErrorObject {
  /** The number of the error. */
  code: number;
  /** What failed, on what, and why, in one sentence for a person. */
  message: string;
  /** What a program and a person can do with it. */
  data?: ErrorData;
}

/** One part of an export. */
export interface ExportPart {
  /** What it has. */
  mediaType: ExportPartMediaType;
  /** The part of the asset that it shows. */
  timeRange: TimeRange;
  /** The number of the source's frames that begin in it; 0 for audio. */
  frameCount: number;
}

/** One part of an export. */
export interface ExportPartInput {
  /** What it has. */
  mediaType: ExportPartMediaType;
  /** The part of the asset that it shows. */
  timeRange: TimeRangeInput;
  /** The number of the source's frames that begin in it; 0 for audio. */
  frameCount: number;
}

/** What a part of an export has. */
export type ExportPartMediaType = "video" | "audio";

/**
 * How an export is divided. It is passed on as it is: what a process would make by itself is
 * compared with it.
 */
export interface ExportPartPlan {
  /**
   * The parts: those of video in the order of their times, then audio. A part's number is its
   * place here, from 0 on.
   */
  parts: ExportPart[];
  /** The number of threads of each encoder. */
  threadCount: number;
  /** Which source it is: a SHA-256 of its size and of its first and last bytes. */
  source: string;
  /** Which settings: a SHA-256 of all that decides how parts are made. */
  settings: string;
  /** FFmpeg and its libraries, by name and version. */
  libraries: string;
  /** A SHA-256 of all other members. */
  digest: string;
}

/**
 * How an export is divided. It is passed on as it is: what a process would make by itself is
 * compared with it.
 */
export interface ExportPartPlanInput {
  /**
   * The parts: those of video in the order of their times, then audio. A part's number is its
   * place here, from 0 on.
   */
  parts: ExportPartInput[];
  /** The number of threads of each encoder. */
  threadCount: number;
  /** Which source it is: a SHA-256 of its size and of its first and last bytes. */
  source: string;
  /** Which settings: a SHA-256 of all that decides how parts are made. */
  settings: string;
  /** FFmpeg and its libraries, by name and version. */
  libraries: string;
  /** A SHA-256 of all other members. */
  digest: string;
}

/** The types. */
export interface ExportSessionCompatibleFileTypesResult {
  /** Their short names. */
  fileTypes: string[];
  /** The others, if `explain` was true. */
  incompatible?: IncompatibleFileType[];
}

/** The presets. */
export interface ExportSessionCompatiblePresetsResult {
  /** The names of the presets. */
  presets: string[];
  /** The others, if `explain` was true. */
  incompatible?: IncompatiblePreset[];
}

/** The session. */
export interface ExportSessionCreateResult {
  /** The session's handle. */
  exportSession: ExportSessionHandle;
  /** The type that the file will have. */
  outputFileType: string;
  /** The types that this preset can export this asset to. */
  supportedFileTypes: string[];
}

/** Reports the end of an export. */
export interface ExportSessionDidFinish {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The session. */
  exportSession: ExportSessionHandle;
  /** How it ended: `completed`, `failed` or `cancelled`. */
  status: ExportStatus;
  /** The file, when it is there. */
  outputURL?: string;
  /** The size of the file in bytes. */
  fileSize?: number;
  /** The part of the asset that the file shows. */
  timeRange?: TimeRange;
  /** How a passthrough export was cut; absent if everything was copied. */
  trimMode?: TrimMode;
  /** Why that is not the requested mode; absent if it is. */
  trimNote?: string;
  /** What was left out; absent when nothing was. */
  dropped?: Dropped[];
  /** The loudness of each audio track that has a target; absent without one. */
  loudness?: AppliedLoudness[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Reports the progress of an export. */
export interface ExportSessionDidProgress {
  /** The operation. */
  operation: OperationHandle;
  /** The session. */
  exportSession: ExportSessionHandle;
  /** The part that is done, from 0 to 1; it never decreases. */
  progress: number;
}

/** The estimate. */
export interface ExportSessionEstimateResult {
  /** How long the file will be. */
  duration: Time;
  /** Its size in bytes. */
  fileLength: number;
  /** How much of the asset fits into `fileLengthLimit`; absent without a limit. */
  maximumDuration?: Time;
}

/** Names an export session, for example `exportSession:3`. */
export type ExportSessionHandle = string & { readonly __kind?: "ExportSessionHandle" };

/** The plan. */
export interface ExportSessionPlanResult {
  /** The plan, for `exportSession/exportPart` and `exportSession/join`. */
  plan: ExportPartPlan;
}

/** What it would do. */
export interface ExportSessionPreflightResult {
  /** The part of the asset that the file would show. */
  timeRange: TimeRange;
  /** What would happen to each track. */
  tracks: PlannedTrack[];
  /** What would be left out; empty when nothing is. */
  dropped: Dropped[];
}

/** The presets. */
export interface ExportSessionPresetsResult {
  /** The names of the presets. */
  presets: string[];
}

/** The status. */
export interface ExportSessionStatusResult {
  /** How far it is. */
  status: ExportStatus;
  /** The part that is done, from 0 to 1. */
  progress: number;
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/**
 * What an export makes of its tracks. With a preset, what is absent is the preset's. Without
 * one, it is what suits the type of the file: H.264 and AAC in most, VP9 and Opus in `webm`;
 * "Settings" in protocol.md has the table. File types of audio take the audio alone, whatever
 * the preset is.
 */
export interface ExportSettings {
  /** What is made of the video; `null` leaves it out. */
  video?: VideoTreatment;
  /** What is made of the audio; `null` leaves it out. */
  audio?: AudioTreatment;
  /** The tracks to take; all that the file can hold when absent. */
  tracks?: TrackSelection;
}

/** How far an export is. */
export type ExportStatus =
  | "unknown"
  | "waiting"
  | "exporting"
  | "completed"
  | "failed"
  | "cancelled";

/** The FFmpeg libraries a server runs on. */
export interface FFmpegInfo {
  /** The release, for example `7.1.1`. */
  version: string;
  /** The licence of this build, for example `GPL version 2 or later`. */
  license: string;
  /** Each library's version by its name, for example `libavformat`: `61.7.100`. */
  libraries: Record<string, string>;
}

/** What a time is multiplied by. */
export type Factor = number | Ratio;

/** A change of a batch that can't be made. */
export interface FailedChange {
  /** Its place among the changes, from 0. */
  index: number;
  /** Why it can't be made. */
  reason: string;
}

/**
 * How a result has changed. Applied in this order: `removed`, `inserted`, `moves`; `changed` is
 * where items are then.
 */
export interface FetchResultChanges {
  /** The result, which has the new items from now on. */
  fetchResult: FetchResultHandle;
  /** How many items it has now. */
  count: number;
  /**
   * False where too much has changed to be listed: the result is to be read anew, and the lists
   * are empty.
   */
  hasIncrementalChanges: boolean;
  /** Indexes before the change, ascending. */
  removed: number[];
  /**
   * Indexes of new items when the removed ones are gone, ascending: each as it is when those
   * before it are inserted.
   */
  inserted: number[];
  /** Indexes after the change, ascending, of items of which something else is known. */
  changed: number[];
  /** Each as it is when those before it are done. */
  moves: FetchResultMove[];
}

/** The numbers. */
export interface FetchResultCountResult {
  /** The values, the most frequent first; items without one are left out. */
  counts: LibraryCount[];
}

/** Names items of a library, for example `fetchResult:1`. */
export type FetchResultHandle = string & { readonly __kind?: "FetchResultHandle" };

/** Where it is. */
export interface FetchResultIndexResult {
  /** The index; absent when the result doesn't have the item. */
  index?: number;
}

/** The items. */
export interface FetchResultItemsResult {
  /** The items, in their order; one that has been forgotten since is left out. */
  items: LibraryItem[];
}

/** An item that is elsewhere in a result. */
export interface FetchResultMove {
  /** Its index before. */
  from: number;
  /** Its index after. */
  to: number;
}

/**
 * The field order of interlaced video, by the numbers of QuickTime's `fiel`. The numbers are
 * what files and FFmpeg agree on; the names are Core Media's for them.
 */
export type FieldDetail =
  | "temporalTopFirst"
  | "temporalBottomFirst"
  | "spatialFirstLineEarly"
  | "spatialFirstLineLate";

/**
 * The field order of interlaced video, by FFmpeg's names: the first letter is the field that is
 * stored first, the second the one that is shown first.
 */
export type FieldOrder = "tt" | "bb" | "tb" | "bt";

/** Bytes in a file, which is the caller's. */
export interface FileBlob {
  /** Always `file`. */
  kind: "file";
  /** The number of bytes. */
  size: number;
  /** What the bytes are. */
  mimeType: string;
  /** The file, with its number filled in. */
  path: string;
  /** Where the bytes begin in the file; only where several blobs are in one file. */
  offset?: number;
}

/** A file to put bytes into. */
export interface FileDelivery {
  /** Always `file`. */
  kind: "file";
  /**
   * The path of the file; `%d` (also `%03d`) becomes the number of the item within its
   * operation. The number is `firstNumber` more than `index`. An existing file is not
   * overwritten. The extension of an image file, such as `x.png`, must match the contents:
   * another image format or raw pixels are refused before any work is done.
   */
  path: string;
  /** The number of the first item. Default: `0`. */
  firstNumber?: number;
}

/** A container format. */
export interface FileType {
  /** The short name that methods take, for example `mp4`. */
  type: string;
  /** The name for a person, for example `MPEG-4`. */
  name: string;
  /** The file name extensions without the dot, the usual one first. */
  extensions: string[];
  /** The MIME types, the usual one first. */
  mimeTypes: string[];
  /** Whether files of this type can be opened. */
  canRead: boolean;
  /** Whether files of this type can be exported. */
  canWrite: boolean;
}

/** How frames of one size are put into a picture of another. */
export type Fit = "none" | "contain" | "cover" | "fill";

/** A font, of the system or in a file. */
export interface Font {
  /**
   * The name of a family, for example `"DejaVu Sans"`. Where the system doesn't have it, it is
   * one that fontconfig takes for it. Not together with `url`.
   */
  family?: string;
  /** The path or `file` URL of a TrueType or OpenType font; of a collection, its first. */
  url?: string;
  /**
   * The height of a line, in pixels of the render size. Left out: 1/12 of the picture's height
   * for texts.
   */
  size?: number;
  /** True for bold letters. */
  isBold?: boolean;
  /** True for italic letters. */
  isItalic?: boolean;
}

/**
 * What the samples of a track are. The members for one kind of media are absent for the others;
 * what the file does not state is absent too.
 */
export interface FormatDescription {
  /** The kind of media. */
  mediaType: MediaType;
  /**
   * The format as a four-character code, for example `avc1` or `aac `, or FFmpeg's name where
   * there is none.
   */
  mediaSubType: string;
  /** The format by FFmpeg's name, for example `h264`. */
  codec: string;
  /** What the movie calls the format, usually the name of the compressor. */
  formatName?: string;
  /** The profile by FFmpeg's name, for example `High`. */
  profile?: string;
  /** The level as the format writes it, for example `40` for H.264's 4.0. */
  level?: number;
  /** The size of the set-up data that a decoder needs, in bytes; 0 when it has none. */
  extradataSize: number;
  /**
   * The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the
   * AudioSpecificConfig, for Opus `OpusHead`. Absent when there is none, and above 1 MiB.
   */
  extradata?: string;
  /**
   * The set-up data as MP4 has it: the payloads of the boxes in a sample description, by their
   * names `avcC`, `hvcC`, `vvcC`, `av1C`, `esds`, `alac`, `dfLa` and `dOps`. For other
   * containers they are made from `extradata`, and `esds` always is.
   */
  sampleDescriptionExtensions?: Record<string, string>;
  /** The video properties. */
  video?: VideoFormat;
  /** The audio properties. */
  audio?: AudioFormat;
  /** The timecode. */
  timecode?: TimecodeFormat;
}

/** The state of one key. */
export interface FormatDescriptionListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: FormatDescription[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** The durations of a device's pictures. */
export interface FrameDurations {
  /** The shortest. */
  min: Time;
  /** The longest. */
  max: Time;
  /** All that there are, where they are a few. */
  values?: Time[];
}

/** An open handle, as `handle/list` shows it. */
export interface HandleInfo {
  /** The handle. */
  handle: AnyHandle;
  /** What it names. */
  kind: HandleKind;
  /** A short description for people, for example the URL of an asset. */
  describes: string;
}

/** What a handle names. */
export type HandleKind =
  | "asset"
  | "resource"
  | "composition"
  | "imageGenerator"
  | "exportSession"
  | "assetReader"
  | "output"
  | "assetWriter"
  | "input"
  | "sampleCursor"
  | "player"
  | "playerItem"
  | "timeObserver"
  | "videoOutput"
  | "playerLooper"
  | "audioPlayer"
  | "captureSession"
  | "captureInput"
  | "captureOutput"
  | "audioRecorder"
  | "operation"
  | "lease"
  | "library"
  | "fetchResult";

/** The open handles. */
export interface HandleListResult {
  /** One entry for each open handle. */
  handles: HandleInfo[];
}

/** An image. */
export interface Image {
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The format. */
  format: ImageFormat;
  /** The bytes. */
  blob: Blob;
  /** The planes; only with raw pixels. */
  planes?: Plane[];
  /**
   * The colour of the pixels, after all conversions; only with raw pixels. RGB and grey have no
   * `matrix`; `range` is always present. The rest is what the file states, where that still
   * holds: HDR that `forceSDR` has mapped is `bt709`. YUV without `matrix` comes from a file
   * that states none; it counts as `bt709` for 720 lines or more, else as `smpte170m`.
   */
  color?: Color;
  /**
   * Where the chroma samples of `yuv420p` and `yuv420p10le` are, by FFmpeg's name, for example
   * `left`. Absent if the file does not state it, which counts as `left`, and if the preferred
   * transform has moved them to a position without a name.
   */
  chromaLocation?: string;
}

/** The treatment of interlaced frames in images. */
export type ImageDeinterlacing = "auto" | "none";

/**
 * The format of an image: a file format, or pixels. Files have 8 bits a component, however many
 * the source has. Alpha stays, straight, where the format has it (`png`, `webp`, `bmp`, `rgba`,
 * `bgra`, `rgba64le`); elsewhere it is left out.
 */
export type ImageFormat =
  | "jpeg"
  | "png"
  | "webp"
  | "bmp"
  | "rgb24"
  | "rgba"
  | "bgra"
  | "gray"
  | "yuv420p"
  | "rgb48le"
  | "rgba64le"
  | "gray16le"
  | "yuv420p10le";

/** The generator. */
export interface ImageGeneratorCreateResult {
  /** The generator's handle. */
  imageGenerator: ImageGeneratorHandle;
}

/** Reports that every time or sample of `imageGenerator/generateImages` was answered. */
export interface ImageGeneratorDidFinish {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** The number of images made. */
  succeeded: number;
  /** The number of images that failed. */
  failed: number;
  /** The number of images that were cancelled. */
  cancelled: number;
}

/**
 * Reports the end of a contact sheet, with the sheet. The members about the sheet are present if
 * it succeeded.
 */
export interface ImageGeneratorDidFinishContactSheet {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** How it ended. */
  result: Outcome;
  /** The sheet. */
  image?: Image;
  /** The width of every tile in pixels. */
  tileWidth?: number;
  /** The height of every tile in pixels. */
  tileHeight?: number;
  /** The number of tiles in a row. */
  columns?: number;
  /** The number of rows. */
  rows?: number;
  /** The tiles, row by row. */
  tiles?: ContactSheetTile[];
  /**
   * The map: a WebVTT file's text with a cue for each tile. A tile for less than a millisecond,
   * or before time zero, has no cue.
   */
  webVTT?: string;
  /** The map's file, when the sheet was delivered to one. */
  webVTTPath?: string;
  /** Why it failed or was cancelled; no file is left. */
  error?: ErrorObject;
}

/** Carries the image of one time or sample of `imageGenerator/generateImages`, or its error. */
export interface ImageGeneratorDidGenerateImage {
  /** The operation. */
  operation: OperationHandle;
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** The index in the request's `times` or `samples`, from 0. */
  index: number;
  /** The requested time; with `samples` it is `actualTime`, and absent without an image. */
  requestedTime?: Time;
  /** How it ended. */
  result: Outcome;
  /** The presentation time of the frame that the image shows, when it succeeded. */
  actualTime?: Time;
  /**
   * The index of the frame in the track, in presentation order, from 0; absent if the file has
   * no presentation times, and if only the part of the file around the frame was indexed.
   */
  sampleIndex?: number;
  /**
   * Whether it is the frame that is shown at the requested time, or has the requested number,
   * when it succeeded.
   */
  isExact?: boolean;
  /** The image, when it succeeded. */
  image?: Image;
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Reports how many tiles of a contact sheet are done, at most once per percent. */
export interface ImageGeneratorDidProgressContactSheet {
  /** The operation. */
  operation: OperationHandle;
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** The number of tiles that are done or failed; it never decreases. */
  completed: number;
  /** The number of tiles. */
  count: number;
}

/** The image. */
export interface ImageGeneratorGenerateImageResult {
  /** The image. */
  image: Image;
  /** The requested time; `actualTime` if there was none. */
  requestedTime: Time;
  /** The presentation time of the frame that the image shows. */
  actualTime: Time;
  /**
   * The index of the frame in the track, in presentation order, from 0; absent if the file has
   * no presentation times, and if only the part of the file around the frame was indexed.
   */
  sampleIndex?: number;
  /** Whether it is the frame that is shown at the requested time. */
  isExact: boolean;
}

/** Names an image generator, for example `imageGenerator:2`. */
export type ImageGeneratorHandle = string & { readonly __kind?: "ImageGeneratorHandle" };

/** How the bytes of a sample buffer are an image. */
export interface ImageLayout {
  /** The pixel format by FFmpeg's name, for example `yuv420p`. */
  pixelFormat: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The planes, in the order of the pixel format. */
  planes: Plane[];
  /** The colour, as far as it is known. */
  color: Color;
}

/**
 * Numbered pictures that are read as one video (OpenTimelineIO's `ImageSequenceReference`). The
 * `url` is a pattern of their names with a place for the number, `frame%04d.png`; a pattern of
 * the shell, `frames/*.png`; a folder, of which all pictures are taken; or the name of one
 * picture, with which the sequence begins. Only the last part of the path is a pattern. Without
 * numbers, files are in the order of their names, in which `a2` comes before `a10`. A symbolic
 * link counts as the file that it leads to. Picture n is shown from n × `frameStep` /
 * `frameRate` on. The folder is listed once, when the first key is loaded; a picture is opened
 * when it is read. All are of one format, size and Exif orientation: one that isn't fails the
 * work that reads it, with `invalidSourceMedia` and its name. So does one that has been written
 * to since then, with `failedToLoadSampleData`.
 */
export interface ImageSequence {
  /** Frames per second: a number, or a ratio such as 30000 over 1001. Default: `25`. */
  frameRate?: Factor;
  /** The number of the first picture, for numbered names. Left out: the lowest that is there. */
  startNumber?: number;
  /** The number of the last picture, for numbered names. Left out: the highest that is there. */
  endNumber?: number;
  /**
   * The distance of the numbers of two pictures that follow each other, which each is shown for.
   * Default: `1`.
   */
  frameStep?: number;
  /** The answer to a picture that isn't there. Default: `"error"`. */
  missingFramePolicy?: MissingFramePolicy;
}

/** A type of file that a preset can't export an asset to. */
export interface IncompatibleFileType {
  /** Its short name. */
  fileType: string;
  /** Why it can't. */
  reason: string;
}

/** A preset that can't export an asset. */
export interface IncompatiblePreset {
  /** The preset. */
  preset: string;
  /** Why it can't. */
  reason: string;
}

/** What the server is. */
export interface InitializeResult {
  /** The server's name, `reelwire`, and its version. */
  serverInfo: ProgramInfo;
  /** The version of this protocol, `1.0`. */
  protocolVersion: string;
  /** The FFmpeg libraries this process runs on. */
  ffmpeg: FFmpegInfo;
  /** What this server offers. */
  capabilities: ServerCapabilities;
}

/** Bytes in the message. */
export interface InlineBlob {
  /** Always `inline`. */
  kind: "inline";
  /** The number of bytes. */
  size: number;
  /** What the bytes are. */
  mimeType: string;
  /** The bytes, in base64 with padding. */
  data: string;
}

/** Bytes of a resource, in the message. */
export interface InlineBytes {
  /** Always `inline`. */
  kind: "inline";
  /** The bytes, in base64 with padding. */
  data: string;
}

/**
 * Inputs of one kind of media of which a player chooses one, for example languages
 * (AVAssetWriterInputGroup).
 */
export interface InputGroup {
  /** The inputs by their places in `inputs`, at least one; each is in one group at most. */
  inputs: number[];
  /** The place of the one whose track is enabled; no track of the group is when absent. */
  defaultInput?: number;
}

/** Names one input of an asset writer, for example `input:2/1`. */
export type InputHandle = string & { readonly __kind?: "InputHandle" };

/** How far an input is. */
export interface InputStatus {
  /** The input. */
  input: InputHandle;
  /** How many samples it has taken. */
  appended: number;
  /** True when it takes more without waiting. */
  isReadyForMoreMediaData: boolean;
  /** The input that has to get samples before this one can. */
  waitsFor?: InputHandle;
}

/** What all instructions that are made have in common. */
export interface InstructionPrototype {
  /**
   * Red, green, blue and alpha, each from 0 to 1, where no layer covers it. Left out: opaque
   * black.
   */
  backgroundColor?: number[];
}

/** The state of one key. */
export interface IntegerKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: number;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * The worker processes, in which all work on media is done so that a death there ends nothing
 * else.
 */
export interface Isolation {
  /** The numbers of the worker processes that run. */
  workers: number[];
  /** The number of worker processes that died. */
  deaths: number;
  /** What the kernel keeps the worker processes from. */
  confinement: Confinement;
}

/** How a passthrough export joins the segments of a track. */
export interface Joins {
  /** What becomes of lossy audio of several segments. Default: `"encode"`. */
  audio?: AudioJoin;
  /**
   * What becomes of H.264 and HEVC whose parameter sets differ and have the same numbers.
   * Default: `"refuse"`.
   */
  video?: VideoJoin;
}

/** The cause of a jump of an item's time. */
export type JumpCause = "seek" | "step" | "loop" | "setRate" | "itemChange";

/** How far the loading of a key is. */
export type KeyStatus = "unknown" | "loading" | "loaded" | "failed" | "cancelled";

/** A ramp of one of a layer's values. */
export type LayerRamp = TransformRamp | NumberRamp | RectangleRamp;

/** The values of a layer that change over time. */
export type LayerRampKind = "transform" | "opacity" | "cropRectangle";

/** Names a leased block of shared memory, for example `lease:5`. */
export type LeaseHandle = string & { readonly __kind?: "LeaseHandle" };

/**
 * Bytes under a lease: those of a reader or an image generator, or of `assetWriter/allocate`.
 * The lease ends when the sample is accepted.
 */
export interface LeasedBytes {
  /** Always `shm`. */
  kind: "shm";
  /** The lease. */
  lease: LeaseHandle;
}

/** An error of FFmpeg's libraries. */
export interface LibAVError {
  /** The name of the code, for example `AVERROR_INVALIDDATA`. */
  code: string;
  /** The function that failed. */
  operation: string;
  /**
   * What the libraries logged last, where their code means no more than that a file is invalid,
   * for example `moov atom not found`; else their text for the code.
   */
  message: string;
}

/** Of items: those for which all of these are true. */
export interface LibraryAll {
  /** The predicates; of none, all items. */
  all: LibraryPredicate[];
}

/** Of items: those for which one of these is true. */
export interface LibraryAny {
  /** The predicates; of none, no item. */
  any: LibraryPredicate[];
}

/** A change of a library. */
export interface LibraryChange {
  /** The item's identifier. */
  item: string;
  /** What has happened to it. */
  kind: LibraryChangeKind;
}

/** What has happened to an item. */
export type LibraryChangeKind = "inserted" | "changed" | "removed";

/** What has changed. */
export interface LibraryChangesResult {
  /** The changes in the order in which they were made last, each item once. */
  changes: LibraryChange[];
  /** The changes that come after these. */
  changeToken: number;
}

/** Items that belong together. */
export interface LibraryCollection {
  /** The same for the same collection at any time. */
  id: string;
  /** Of a folder its path, of a month `2021-05`. */
  title: string;
  /** How many items it has. */
  count: number;
  /** When the first of them was recorded, as a date in UTC. */
  startDate?: string;
  /** When the last of them was recorded, as a date in UTC. */
  endDate?: string;
  /** Fetches the items. */
  predicate: LibraryPredicate;
}

/** What the items of a collection have in common. */
export type LibraryCollectionType =
  | "folder"
  | "album"
  | "artist"
  | "genre"
  | "month"
  | "smart";

/** The collections. */
export interface LibraryCollectionsResult {
  /** The collections, in the order of their titles; smart ones in that of their list. */
  collections: LibraryCollection[];
}

/**
 * Of items: those of which a key has a value. A comparison with what an item doesn't have is
 * false.
 */
export interface LibraryComparison {
  /**
   * The key: `mediaType`, `state`, `name`, `folder` (the path), `container`, `videoCodec`,
   * `audioCodec`, `error` (its name), `duration` (in seconds), `width`, `height`, `frameRate`,
   * `rotation`, `fileSize`, `latitude`, `longitude`, `creationDate`, `modificationDate`,
   * `addedAt`; a common key of metadata that has text, such as `title` or `artist`; or a
   * metadata identifier, such as `itsk/©nam`.
   */
  key: string;
  /** How it is compared. */
  op: LibraryOperator;
  /** What it is compared with; `true` when absent. */
  value?: LibraryValue;
}

/** How many items have a value. */
export interface LibraryCount {
  /** The value. */
  value: string;
  /** How many items have it. */
  count: number;
}

/**
 * Reports that a library has changed, by a scan or because it is watched: at most twice a
 * second.
 */
export interface LibraryDidChange {
  /** The library. */
  library: LibraryHandle;
  /** The changes that come after these. */
  changeToken: number;
  /** The observed results that are not as they were. */
  fetchResults: FetchResultChanges[];
}

/** Reports the end of `library/duplicates`, with what was found. */
export interface LibraryDidFindDuplicates {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** How it ended. */
  result: Outcome;
  /** The items of each group, those that were added first in front; the largest files first. */
  groups: LibraryItem[][];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Reports the progress of `library/duplicates`, at most once per percent. */
export interface LibraryDidProgressDuplicates {
  /** The operation. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** The part of the bytes that have been compared, from 0 to 1. */
  progress: number;
}

/** Reports the progress of a scan, some times a second. */
export interface LibraryDidProgressScan {
  /** The operation. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** What it has done so far. */
  counts: LibraryScanCounts;
  /** The folder that it looks into. */
  folder: string;
}

/** Reports the end of a scan. */
export interface LibraryDidScan {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** How it ended. */
  result: Outcome;
  /** What it has done. */
  counts: LibraryScanCounts;
  /** Items that can't be read, a hundred at most, with their URLs and errors. */
  errors: LibraryItem[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** The items. */
export interface LibraryFetchResult {
  /** The result's handle. */
  fetchResult: FetchResultHandle;
  /** How many items it has. */
  count: number;
  /** The changes that come after it (`library/changes`). */
  changeToken: number;
}

/** A folder that is to be a part of a library. */
export interface LibraryFolder {
  /**
   * Its path, absolute or from the server's working folder; what is in it and below it belongs
   * to the library.
   */
  path: string;
  /** Folders below it that don't belong to the library, as paths from it. */
  excluded?: string[];
}

/** Whether a folder can be reached. */
export type LibraryFolderState = "online" | "offline" | "denied";

/** A folder of a library, and how it is. */
export interface LibraryFolderStatus {
  /** Its path. */
  path: string;
  /** Whether it can be reached, as the last scan found. */
  state: LibraryFolderState;
  /** How changes are noticed. */
  watch: LibraryWatch;
  /** When it was scanned whole last, as a date in UTC; absent when it never was. */
  scannedAt?: string;
  /** How many items it has that are not missing. */
  itemCount: number;
}

/** Names a library, for example `library:1`. */
export type LibraryHandle = string & { readonly __kind?: "LibraryHandle" };

/** A media file of a library: what is asked for of it, and is known. */
export interface LibraryItem {
  /**
   * The item's identifier (a UUID): the same for as long as it exists, wherever the file is
   * moved and whatever it is called.
   */
  item: string;
  /** The path of the file; a `file:` URL where it isn't UTF-8. */
  url?: string;
  /** The file's name. */
  name?: string;
  /** Whether there is a file. */
  state?: LibraryItemState;
  /** What kind of media it is; absent of what can't be read. */
  mediaType?: LibraryMediaType;
  /** The container by FFmpeg's first name for it. */
  container?: string;
  /** How long it lasts; absent of images. */
  duration?: Time;
  /** As it is shown, in pixels. */
  width?: number;
  /** As it is shown, in pixels. */
  height?: number;
  /** The codec of the first video track, by FFmpeg's name. */
  videoCodec?: string;
  /** The codec of the first audio track, by FFmpeg's name. */
  audioCodec?: string;
  /** In frames per second. */
  frameRate?: number;
  /** By how many degrees clockwise pictures are turned to be shown. */
  rotation?: number;
  /** In bytes. */
  fileSize?: number;
  /**
   * When it was recorded, from its metadata, as a date in UTC; of metadata without a time zone
   * as if it were UTC.
   */
  creationDate?: string;
  /** When the file was last written to, as a date in UTC. */
  modificationDate?: string;
  /** When it came into the library, as a date in UTC. */
  addedAt?: string;
  /** In degrees, north of the equator. */
  latitude?: number;
  /** In degrees, east of Greenwich. */
  longitude?: number;
  /** The first text of each common key. */
  commonMetadata?: Record<string, string>;
  /** Why the file can't be read. */
  error?: LibraryItemError;
}

/** Why a file of a library can't be read. */
export interface LibraryItemError {
  /** The name of the error. */
  name: string;
  /** What is wrong. */
  message: string;
}

/** The members of `LibraryItem` beside `item`. */
export type LibraryItemKey =
  | "url"
  | "name"
  | "state"
  | "mediaType"
  | "container"
  | "duration"
  | "width"
  | "height"
  | "videoCodec"
  | "audioCodec"
  | "frameRate"
  | "rotation"
  | "fileSize"
  | "creationDate"
  | "modificationDate"
  | "addedAt"
  | "latitude"
  | "longitude"
  | "commonMetadata"
  | "error";

/** Whether there is a file for an item of a library. */
export type LibraryItemState = "present" | "missing" | "unreadable" | "offline";

/** The picture. */
export interface LibraryItemThumbnailResult {
  /** The picture. */
  image: Image;
  /** Whether it was made before. */
  isCached: boolean;
}

/** What is known of an item. */
export interface LibraryItemValuesResult {
  /** The item. */
  item: LibraryItem;
  /**
   * The texts of its metadata, by common keys and by identifiers, in the order of the file.
   * Those beyond 4,096 characters are cut.
   */
  values: Record<string, string[]>;
}

/** What kind of media an item of a library is. */
export type LibraryMediaType = "video" | "audio" | "image";

/** Of items: those for which this isn't true. */
export interface LibraryNot {
  /** The predicate. */
  not: LibraryPredicate;
}

/** The library. */
export interface LibraryOpenResult {
  /** The library's handle. */
  library: LibraryHandle;
  /** How many items it has that are not missing. */
  itemCount: number;
  /** The path of the database. */
  database: string;
}

/** How a key of items is compared with a value. */
export type LibraryOperator =
  | "is"
  | "isNot"
  | "contains"
  | "beginsWith"
  | "in"
  | "lessThan"
  | "greaterThan"
  | "between"
  | "exists";

/**
 * Which items are meant, in 256 parts at most, and nested 16 deep at most. Items that can't be
 * read or are missing are left out unless the predicate asks for `state` or `error`.
 */
export type LibraryPredicate =
  | LibraryAll
  | LibraryAny
  | LibraryNot
  | LibraryComparison
  | LibraryText;

/** What a scan has done. */
export interface LibraryScanCounts {
  /** Media files that were looked at. */
  seen: number;
  /** Files that were opened and read. */
  probed: number;
  /** New items. */
  added: number;
  /** Items whose file has another content. */
  changed: number;
  /** Items whose file is elsewhere, or is called something else. */
  moved: number;
  /** Items whose file is gone. */
  missing: number;
  /** Of the files that were read, how many can't be. */
  unreadable: number;
  /** Folders that can't be read: what the library has of them stays as it is. */
  unreadableFolders: number;
}

/** By what items are ordered. */
export interface LibrarySort {
  /** A key, as of `LibraryComparison`. Items without a value come last. */
  key: string;
  /** Whether the smallest value comes first. Default: `true`. */
  ascending?: boolean;
}

/** How a library is. */
export interface LibraryStatusResult {
  /** The path of the database. */
  database: string;
  /** The folders, in the order in which they were added. */
  folders: LibraryFolderStatus[];
  /** How many items it has that are not missing. */
  itemCount: number;
  /** Where changes are counted from (`library/changes`). */
  changeToken: number;
}

/**
 * Of items: those that have all of these terms. Each is the beginning of a term in the item's
 * name, folder, title, artist, album or description; case and accents don't count.
 */
export interface LibraryText {
  /** The terms. */
  text: string;
}

/**
 * What a key of items is compared with: text, a number, true or false for `exists`, a list for
 * `in`, and a list of two for `between`. Dates are text such as `2021`, `2021-05`, `2021-05-01`
 * or `2021-05-01T12:30:00Z`, of which the beginning is meant.
 */
export type LibraryValue = string | number | boolean | (string | number)[];

/** How changes in a folder are noticed. */
export type LibraryWatch = "events" | "polling" | "none";

/** How important a message of the log is. */
export type LogLevel =
  | "trace"
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "off";

/** The place of a looped item among those that are in the queue already. */
export type LooperOrdering =
  | "loopingItemsPrecedeExistingItems"
  | "loopingItemsFollowExistingItems";

/** The readiness of a looper. */
export type LooperStatus = "unknown" | "ready" | "failed" | "cancelled";

/** A target loudness of audio, by ITU-R BS.1770-4 and EBU R 128. */
export interface LoudnessTarget {
  /**
   * The loudness of the whole, gated, in LUFS: from -70 to 0, for example -16 for podcasts or
   * -23 for broadcasts.
   */
  integratedLoudness: number;
  /**
   * The greatest true peak in dBTP, from -20 to 0. It wins over the loudness: audio whose peaks
   * would exceed it becomes less loud, since its dynamics stay. It is that of the audio as it is
   * encoded: a codec with loss may exceed it. Default: `-1`.
   */
  truePeak?: number;
}

/** The mastering display (SMPTE ST 2086). */
export interface MasteringDisplayColorVolume {
  /** The red primary. */
  red?: Chromaticity;
  /** The green primary. */
  green?: Chromaticity;
  /** The blue primary. */
  blue?: Chromaticity;
  /** White. */
  whitePoint?: Chromaticity;
  /** Its darkest, in cd/m²; files count 1/10000. */
  minLuminance?: number;
  /** Its brightest, in cd/m². */
  maxLuminance?: number;
}

/** A trait of a track's media. */
export type MediaCharacteristic =
  | "visual"
  | "audible"
  | "legible"
  | "frameBased"
  | "usesWideGamutColorSpace"
  | "containsHDRVideo"
  | "containsAlphaChannel"
  | "isMainProgramContent"
  | "isAuxiliaryContent"
  | "isOriginalContent"
  | "containsOnlyForcedSubtitles"
  | "transcribesSpokenDialogForAccessibility"
  | "describesMusicAndSoundForAccessibility"
  | "describesVideoForAccessibility"
  | "easyToRead"
  | "languageTranslation"
  | "dubbedTranslation"
  | "voiceOverTranslation";

/** The state of one key. */
export interface MediaCharacteristicListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaCharacteristic[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** A choice of one option, or none, of every group (AVMediaSelection). */
export interface MediaSelection {
  /** What is chosen, one entry a group. */
  choices: MediaSelectionChoice[];
}

/** What is chosen of one group. */
export interface MediaSelectionChoice {
  /** The characteristic of the group. */
  mediaCharacteristic: MediaCharacteristic;
  /** The track of the chosen option; absent for none. */
  trackID?: number;
}

/** Options of one characteristic, of which one at a time is presented (AVMediaSelectionGroup). */
export interface MediaSelectionGroup {
  /** The options, in the order of the container. */
  options: MediaSelectionOption[];
  /** The track of the option that is presented by default; absent when none is. */
  defaultTrackID?: number;
  /** Whether it is possible to present none of them. */
  allowsEmptySelection: boolean;
}

/** The state of one key. */
export interface MediaSelectionKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaSelection;
  /** Why it failed. */
  error?: ErrorObject;
}

/** The state of one key. */
export interface MediaSelectionListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaSelection[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** One of the options of a group (AVMediaSelectionOption). */
export interface MediaSelectionOption {
  /** The track that it presents. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** Its formats as four-character codes. */
  mediaSubTypes: string[];
  /** The traits of its media. */
  mediaCharacteristics: MediaCharacteristic[];
  /** Whether this build can decode it. */
  isPlayable: boolean;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /** The text for menus: its title, else its language tag, else its number. */
  displayName: string;
  /** The metadata of the track that has a common key. */
  commonMetadata: MetadataItem[];
}

/** The kind of a track's media. */
export type MediaType =
  | "video"
  | "audio"
  | "text"
  | "subtitle"
  | "closedCaption"
  | "timecode"
  | "metadata";

/** The state of one key. */
export interface MediaTypeKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaType;
  /** Why it failed. */
  error?: ErrorObject;
}

/** What is changed of metadata; everything else stays as it is. */
export interface MetadataChanges {
  /** Items to write, each in place of all that mean the same. */
  set?: MetadataEntry[];
  /**
   * What to remove: FFmpeg's names (`album_artist`), common keys (`artwork`) or identifiers
   * (`itsk/©nam`).
   */
  remove?: string[];
}

/** A value of metadata that is bytes. */
export interface MetadataData {
  /**
   * The bytes, in base64 with padding; absent when there are more than 4096, which
   * `asset/metadata` delivers, and when `blob` has them.
   */
  data?: string;
  /** The bytes, by the requested delivery. */
  blob?: Blob;
  /** The number of bytes. */
  size?: number;
  /** The type of the bytes; when they are written, the type of an image is taken from the bytes. */
  mimeType?: string;
}

/**
 * An item of metadata to write. It is named by `identifier`, by `key` and `keySpace`, or by
 * `commonKey` alone, for which each type of file has a key of its own. An item that was read can
 * be written as it is, if its bytes are in `data`.
 */
export interface MetadataEntry {
  /**
   * The key space and the key with a slash between them, for example `itsk/©nam` or
   * `common/title`.
   */
  identifier?: string;
  /** The key within its key space, for example `©nam`. */
  key?: string;
  /** The key space, for example `itsk`. */
  keySpace?: string;
  /**
   * What the item means in any container: `title`, `artist`, `albumName`, `creationDate`,
   * `artwork` …
   */
  commonKey?: string;
  /** The item's language by BCP 47. */
  extendedLanguageTag?: string;
  /** The item's locale, for example `de_AT`. */
  locale?: string;
  /** The type of the value by Core Media's name; from the value when absent. */
  dataType?: string;
  /** The value; bytes in `data`. */
  value: MetadataValue;
  /** Further attributes of the item in the file. */
  extraAttributes?: Record<string, string>;
}

/** One item of metadata. */
export interface MetadataItem {
  /** The key space and the key with a slash between them, for example `itsk/©nam`. */
  identifier: string;
  /** The key within its key space, for example `©nam`. */
  key: string;
  /** The key space: `itsk`, `mdta`, `udta`, `uiso`, `id3`, `icy` or the container's own. */
  keySpace: string;
  /** The meaning that all containers share, for example `title`; absent if it has none. */
  commonKey?: string;
  /** FFmpeg's name of it, which containers have in common, for example `album_artist`. */
  tagName?: string;
  /** The item's language by BCP 47. */
  extendedLanguageTag?: string;
  /** The item's locale, for example `de_AT`, where the file names a country. */
  locale?: string;
  /** When it begins to apply; absent when it applies to the whole. */
  time?: Time;
  /** How long it applies. */
  duration?: Time;
  /** The type of the value by Core Media's name, for example `com.apple.metadata.datatype.UTF-8`. */
  dataType?: string;
  /** The value. */
  value: MetadataValue;
  /** Further attributes of the item in the file. */
  extraAttributes?: Record<string, string>;
}

/** The state of one key. */
export interface MetadataItemKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MetadataItem;
  /** Why it failed. */
  error?: ErrorObject;
}

/** The state of one key. */
export interface MetadataItemListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MetadataItem[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** The value of an item of metadata. Text that is not UTF-8 in the file is repaired on its way. */
export type MetadataValue = string | number | boolean | MetadataData;

/** The answer to a picture of a sequence that isn't there. */
export type MissingFramePolicy = "error" | "hold";

/** A new observer of a player's time. */
export interface NewTimeObserver {
  /**
   * The observer's handle. Closing it removes the observer: once that is answered, nothing of it
   * is written.
   */
  timeObserver: TimeObserverHandle;
}

/** No destination of a player's audio. */
export interface NoAudioDevice {
  /** Always `none`. */
  kind: "none";
}

/** The reason for which there is no picture. */
export type NoPictureReason = "none" | "notNew" | "notReady" | "noCredit";

/** The state of one key. */
export interface NumberKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: number;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * An entry in the course of a number over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`. Entries are in ascending order and don't overlap.
 * Between two of them the last number holds.
 */
export interface NumberRamp {
  /** From when on `value` holds. */
  at?: Time;
  /** The number from then on. */
  value?: number;
  /** The number at the start of a ramp. */
  from?: number;
  /** The number at the end of a ramp, and after it. */
  to?: number;
  /** The time of a ramp. */
  timeRange?: TimeRange;
}

/**
 * An entry in the course of a number over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`. Entries are in ascending order and don't overlap.
 * Between two of them the last number holds.
 */
export interface NumberRampInput {
  /** From when on `value` holds. */
  at?: TimeInput;
  /** The number from then on. */
  value?: number;
  /** The number at the start of a ramp. */
  from?: number;
  /** The number at the end of a ramp, and after it. */
  to?: number;
  /** The time of a ramp. */
  timeRange?: TimeRangeInput;
}

/** A document of OpenTimelineIO: an object with `OTIO_SCHEMA`. */
export type OpenTimelineIODocument = Record<string, unknown>;

/** Names work in progress, for example `operation:5`. */
export type OperationHandle = string & { readonly __kind?: "OperationHandle" };

/** The work has begun. */
export interface OperationStarted {
  /** What its notifications will carry. */
  operation: OperationHandle;
}

/** How one item of a longer work ended. */
export type Outcome = "succeeded" | "failed" | "cancelled";

/** Names one output of an asset reader, for example `output:4/1`. */
export type OutputHandle = string & { readonly __kind?: "OutputHandle" };

/**
 * The format that the samples of an input are encoded to. Settings with `preset` are those of a
 * preset of exports; others are for video in an input of video, for audio in one of audio, and
 * for text in one of text or subtitles.
 */
export type OutputSettings = VideoEncoding | AudioEncoding | TextEncoding | PresetSettings;

/**
 * A picture, moving or still, that lies over those of the clips for some time; and its audio,
 * where it has a `volume`.
 */
export interface OverlayInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Has the `url` stand for numbered pictures. */
  imageSequence?: ImageSequence;
  /** When it is shown; a duration of `"+infinity"` lasts to its end, or that of the clips. */
  timeRange: TimeRangeInput;
  /**
   * The part of the source that is shown, of which `timeRange` may need less; a duration of
   * `"+infinity"` reaches to the end. Not for stills. Left out: all of it.
   */
  sourceTimeRange?: TimeRangeInput;
  /** How fast it is: 2 shows it in half its time. Not for stills. Default: `1`. */
  speed?: Factor;
  /** The volume of its audio, 0 or more. Default: `0`. */
  volume?: number;
  /** Where it is, in pixels of the picture. */
  frame: Rectangle;
  /**
   * How it is fitted to its `frame`; what `"cover"` and `"none"` have outside of it isn't shown.
   * Default: `"fill"`.
   */
  fit?: Fit;
  /** The opacity, from 0 to 1. Default: `1`. */
  opacity?: number;
  /** The duration of its appearance, and of its audio becoming loud. Default: `0`. */
  fadeIn?: TimeInput;
  /** The duration of its disappearance, and of its audio becoming quiet. Default: `0`. */
  fadeOut?: TimeInput;
}

/** One problem of a request's params. */
export interface ParamsProblem {
  /** Where it is, as a JSON pointer into the params, for example `/times/0/value`. */
  path: string;
  /** What would have been right. */
  expected: string;
  /** What was there. */
  got: string;
  /** The code of this problem, where it has one of its own. */
  code?: number;
}

/** A point of a picture, from its top left in widths and heights of it. */
export interface PicturePosition {
  /** 0 at the left edge, 1 at the right. */
  x: number;
  /** 0 at the top, 1 at the bottom. */
  y: number;
}

/** The shape of a pixel, as a ratio of its width and height. */
export interface PixelAspectRatio {
  /** The share of the width. */
  horizontalSpacing: number;
  /** The share of the height. */
  verticalSpacing: number;
}

/** The pictures that are appended to an input (AVAssetWriterInputPixelBufferAdaptor). */
export interface PixelBufferAttributes {
  /** The pixel format by FFmpeg's name, for example `rgb24`. */
  pixelFormat: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
}

/** Bytes of a resource, at the place in shared memory that their read has. */
export interface PlacedBytes {
  /** Always `shm`. */
  kind: "shm";
  /** The number of bytes. */
  size: number;
}

/** One plane of an uncompressed image. */
export interface Plane {
  /** Where the plane begins, in bytes from the start of the blob. */
  offset: number;
  /** The distance from one row to the next, in bytes. */
  bytesPerRow: number;
  /** The number of rows. */
  height: number;
}

/** What a passthrough export will make of a segment of a track. */
export interface PlannedSegment {
  /** The segment's number in the track, from 0. */
  segment: number;
  /** What it fills of the track, as far as it is exported. */
  timeRange: TimeRange;
  /** What becomes of it. */
  treatment: SegmentTreatment;
  /** Why it is not copied. */
  reason?: string;
}

/** What an export will make of a track. */
export interface PlannedTrack {
  /** The track's number in the source. */
  trackID: number;
  /** What it holds. */
  mediaType: MediaType;
  /** What becomes of it. */
  treatment: TrackTreatment;
  /** FFmpeg's name of the source's codec. */
  sourceCodec: string;
  /** FFmpeg's name of the codec in the file; absent for a track that is dropped. */
  codec?: string;
  /** FFmpeg's name of the encoder. */
  encoder?: string;
  /** The width of the encoded video in pixels, as stored. */
  width?: number;
  /** The height of the encoded video in pixels, as stored. */
  height?: number;
  /** The pixel format of the encoded video, by FFmpeg's name. */
  pixelFormat?: string;
  /** Whether high dynamic range is mapped to BT.709. */
  mapsToStandardDynamicRange?: boolean;
  /** The sample rate of the encoded audio, in hertz. */
  sampleRate?: number;
  /** The number of channels of the encoded audio. */
  channels?: number;
  /**
   * The loudness that its audio will have, as far as its peaks allow that. What it has now is
   * measured by the export.
   */
  loudness?: LoudnessTarget;
  /** Why the track is dropped. */
  reason?: string;
  /**
   * The number of the source's track that it is mixed into, which is its own for the first of
   * those that are mixed.
   */
  mixedInto?: number;
  /**
   * What happens to the segments of a track of several, in a passthrough export; empty segments
   * aren't listed.
   */
  segments?: PlannedSegment[];
}

/** The direction of playback. */
export type PlaybackDirection = "forward" | "reverse";

/** The readiness of a player or of an item. */
export type PlaybackStatus = "unknown" | "readyToPlay" | "failed";

/** The place that the clock got to. */
export interface PlayerAdvanceClockResult {
  /** The time of the clock. */
  hostTime: Time;
  /** The item's time; `"invalid"` without an item. */
  time: Time;
  /** The number of jumps of the item's time. */
  revision: number;
  /** The number of notifications that were written. */
  notifications: number;
}

/** The queue from then on. */
export interface PlayerAdvanceToNextItemResult {
  /** The item that is played; absent where there is none any more. */
  currentItem?: PlayerItemHandle;
  /** The items, the current one first. */
  items: PlayerItemHandle[];
  /** The number of jumps of the item's time. */
  revision: number;
}

/** The state of a player's audio. */
export interface PlayerAudio {
  /** What became of it. */
  state: PlayerAudioStatus;
  /** The ID of the device, or the path of the file. */
  device?: string;
  /** In hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The time from a sample's delivery to its being heard; absent where there is none. */
  latency?: Time;
  /** How often the device had nothing to play though time ran. */
  underruns: number;
  /** The frames that were heard, or written. */
  framesPlayed: number;
  /**
   * False while the rate is one that has no audio: below 0, and above 4 with the algorithm
   * `spectral`, above 2 with the others.
   */
  isAudible: boolean;
  /** The reason for which it is unavailable. */
  error?: ErrorObject;
}

/** The format that a player's audio is mixed in, whatever its items have. */
export interface PlayerAudioFormat {
  /** In hertz, from 8000 to 384000. Default: `48000`. */
  sampleRate?: number;
  /** The number of channels, from 1 to 8. Default: `2`. */
  channels?: number;
}

/** What became of a player's audio. */
export type PlayerAudioStatus = "none" | "closed" | "open" | "unavailable";

/** The members of a player that have changed together; those that haven't are absent. */
export interface PlayerChanges {
  /** The readiness. */
  status?: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** The desired rate; 0 is paused. */
  rate?: number;
  /** The cause of the change of rate. */
  rateChangeReason?: RateChangeReason;
  /** The rate of the item's time. */
  effectiveRate?: number;
  /** How the player follows its rate. */
  timeControlStatus?: TimeControlStatus;
  /** The reason for which it waits; `null` where it doesn't wait any more. */
  reasonForWaitingToPlay?: WaitingReasonChange;
  /** The item that is played; `null` where there is none any more. */
  currentItem?: CurrentItemChange;
  /** The clock that is in use. */
  clock?: PlayerClock;
  /** The audio. */
  audio?: PlayerAudio;
  /** What happens at the end of an item. */
  actionAtItemEnd?: ActionAtItemEnd;
  /** The volume. */
  volume?: number;
  /** True for no audio, whatever the volume. */
  isMuted?: boolean;
}

/** The clock that host times of a player are on. */
export type PlayerClock = "audio" | "host" | "manual";

/** The player. */
export interface PlayerCreateResult {
  /** The player's handle. */
  player: PlayerHandle;
}

/**
 * Reports what has changed of a player, whoever has changed it, once for all that changes
 * together.
 */
export interface PlayerDidChange {
  /** The player. */
  player: PlayerHandle;
  /** The number of jumps of the item's time; absent where the worker process has died. */
  revision?: number;
  /** The time of the clock; absent where the worker process has died. */
  hostTime?: Time;
  /** What has changed. */
  changes: PlayerChanges;
}

/** Reports the end of a preroll. */
export interface PlayerDidPreroll {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The player. */
  player: PlayerHandle;
  /** True where everything is there; false where something has interrupted it. */
  finished: boolean;
  /** The reason for which it hasn't finished, where the worker process has died. */
  error?: ErrorObject;
}

/** Reports the end of a seek. */
export interface PlayerDidSeek {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The player. */
  player: PlayerHandle;
  /** The item; absent where there was none. */
  playerItem?: PlayerItemHandle;
  /**
   * True where the item is at the time that was asked for; false where something has interrupted
   * the seek, or the time can't be reached.
   */
  finished: boolean;
  /** The time that was asked for. */
  requestedTime: Time;
  /**
   * The item's time: with zero tolerances the requested one, else where the frame that is shown
   * begins. Only with `finished` `true`.
   */
  actualTime?: Time;
  /**
   * The number of the frame that is shown, from 0, in presentation order; absent where frames
   * have none.
   */
  sampleIndex?: number;
  /**
   * False where the frame isn't certainly the one that is shown at that time; absent without
   * pictures.
   */
  isExact?: boolean;
  /** The number of jumps of the item's time; absent where the worker process has died. */
  revision?: number;
  /** The reason for which it hasn't finished, where the worker process has died. */
  error?: ErrorObject;
}

/** The pictures of a player's outputs that were neither given nor sent. */
export interface PlayerDrops {
  /** The number of those that an output had no credit for. */
  outOfCredit: number;
  /** The number of those that others had followed before they could be sent. */
  late: number;
  /**
   * The number of those that the client hasn't asked for in their time, or that were passed over
   * at a high rate.
   */
  skipped: number;
}

/** The file. */
export interface PlayerFinishAudioFileResult {
  /** The path of the file. */
  path: string;
  /** In bytes. */
  size: number;
  /** The number of frames, which is the number of samples in each channel. */
  frames: number;
}

/** Names a player, for example `player:1`. */
export type PlayerHandle = string & { readonly __kind?: "PlayerHandle" };

/** The members of an item that have changed together; those that haven't are absent. */
export interface PlayerItemChanges {
  /** The readiness. */
  status?: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** The duration. */
  duration?: Time;
  /** The size of its pictures, upright. */
  presentationSize?: Size;
  /** The tracks. */
  tracks?: PlayerItemTrack[];
  /** Where seeks can go. */
  seekableTimeRanges?: TimeRange[];
}

/** The item. */
export interface PlayerItemCreateResult {
  /** The item's handle. */
  playerItem: PlayerItemHandle;
}

/** Reports what has changed of an item, once for all that changes together. */
export interface PlayerItemDidChange {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** What has changed. */
  changes: PlayerItemChanges;
}

/** Reports that an item can't be played to its end. A queue goes on with the next one. */
export interface PlayerItemDidFailToPlayToEndTime {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The player. */
  player: PlayerHandle;
  /** The reason. */
  error: ErrorObject;
  /** The item's time. */
  time: Time;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Reports that an item's time has jumped. */
export interface PlayerItemDidJump {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The player. */
  player: PlayerHandle;
  /** The time before; `"invalid"` where there was none. */
  from: Time;
  /** The time from then on. */
  to: Time;
  /** The cause. */
  cause: JumpCause;
  /** The number of jumps, with this one. */
  revision: number;
}

/**
 * Reports that an item has been played to its end, once for each arrival. The player's
 * `actionAtItemEnd` follows.
 */
export interface PlayerItemDidPlayToEndTime {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The player. */
  player: PlayerHandle;
  /** The item's time: its end, or its start in reverse. */
  time: Time;
  /** The direction. */
  direction: PlaybackDirection;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Reports that an item stands, for too little of it is decoded; never on a manual clock. */
export interface PlayerItemDidStall {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The player. */
  player: PlayerHandle;
  /** The item's time. */
  time: Time;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Names an item of players, for example `playerItem:1`. */
export type PlayerItemHandle = string & { readonly __kind?: "PlayerItemHandle" };

/** The moment. */
export interface PlayerItemStateResult {
  /** The readiness: `unknown` until a player has loaded it. */
  status: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** The duration, whatever its end times are; `"indefinite"` until it is ready. */
  duration: Time;
  /** The size of its pictures, upright; absent without pictures. */
  presentationSize?: Size;
  /** Its time; `"invalid"` without a player. */
  time: Time;
  /** The player that has it. */
  player?: PlayerHandle;
  /** The tracks, once it is ready. */
  tracks: PlayerItemTrack[];
  /** What is decoded ahead. */
  loadedTimeRanges: TimeRange[];
  /** Where seeks can go. */
  seekableTimeRanges: TimeRange[];
  /** True where enough is decoded to go on playing. */
  isPlaybackLikelyToKeepUp: boolean;
  /** True where no more is decoded ahead. */
  isPlaybackBufferFull: boolean;
  /** True where nothing is decoded ahead. */
  isPlaybackBufferEmpty: boolean;
  /** True for rates above 2. Those from 1 to 2 can always be played. */
  canPlayFastForward: boolean;
  /** True for rates between 0 and 1. */
  canPlaySlowForward: boolean;
  /** True for the rate -1. */
  canPlayReverse: boolean;
  /** True for rates between -1 and 0. */
  canPlaySlowReverse: boolean;
  /** True for rates below -1. */
  canPlayFastReverse: boolean;
  /** True where it can be moved forward by frames, at its end as well. */
  canStepForward: boolean;
  /** True where it can be moved backward by frames, at its start as well. */
  canStepBackward: boolean;
  /** The reason for which it can't play backward or step. */
  reason?: string;
  /** How many samples couldn't be decoded. */
  damagedSamples: number;
}

/** The frame. */
export interface PlayerItemStepResult {
  /** The number of frames that the item was moved by, below 0 for steps back: fewer at an end. */
  stepped: number;
  /** The item's time. */
  time: Time;
  /** The number of the frame, from 0, in presentation order; absent where frames have none. */
  sampleIndex?: number;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** A track of an item. */
export interface PlayerItemTrack {
  /** The number of the track in its asset. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** True where it is presented. */
  isEnabled: boolean;
  /**
   * The frames a second that it shows as it plays, 0 while time stands. Absent for a track that
   * isn't shown, and where that isn't known without decoding.
   */
  currentVideoFrameRate?: number;
}

/** The items of a player, in the order in which they are played, the current one first. */
export interface PlayerItems {
  /** The items. */
  items: PlayerItemHandle[];
}

/** The looper. */
export interface PlayerLooperCreateResult {
  /** The looper's handle. */
  playerLooper: PlayerLooperHandle;
  /** The items that loop: the given one alone. */
  loopingPlayerItems: PlayerItemHandle[];
}

/** Reports that a looped item begins again. */
export interface PlayerLooperDidLoop {
  /** The looper. */
  playerLooper: PlayerLooperHandle;
  /** How often the item has begun again, from 1. */
  loopCount: number;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Names the looping of an item, for example `playerLooper:1`. */
export type PlayerLooperHandle = string & { readonly __kind?: "PlayerLooperHandle" };

/** The state. */
export interface PlayerLooperStateResult {
  /** The readiness. */
  status: LooperStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** How often the item has begun again. */
  loopCount: number;
  /** The items that loop. */
  loopingPlayerItems: PlayerItemHandle[];
}

/** The rate of a player after a request. */
export interface PlayerRate {
  /** The desired rate; 0 is paused. */
  rate: number;
  /** How the player follows it. */
  timeControlStatus: TimeControlStatus;
  /** The reason for which it waits, while it does. */
  reasonForWaitingToPlay?: WaitingReason;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** The moment. */
export interface PlayerStateResult {
  /**
   * The readiness: `readyToPlay` once an item was tried, `failed` when the worker process has
   * died.
   */
  status: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** The desired rate; 0 is paused. */
  rate: number;
  /** The rate of the item's time: 0 while the player waits or seeks, and before a host time. */
  effectiveRate: number;
  /** The rate that `player/play` sets. */
  defaultRate: number;
  /** How the player follows its rate. */
  timeControlStatus: TimeControlStatus;
  /** The reason for which it waits, while it does. */
  reasonForWaitingToPlay?: WaitingReason;
  /** The item that is played. */
  currentItem?: PlayerItemHandle;
  /** The item's time, while seeking the requested one; `"invalid"` without an item. */
  time: Time;
  /** True while a seek hasn't ended. */
  isSeeking: boolean;
  /** The time of the clock. */
  hostTime: Time;
  /** The clock that is in use: `host` instead of `audio` while no device plays. */
  clock: PlayerClock;
  /** The volume, from 0 to 1. */
  volume: number;
  /** True for no audio, whatever the volume. */
  isMuted: boolean;
  /** What happens at the end of an item. */
  actionAtItemEnd: ActionAtItemEnd;
  /** True where a player that has too little decoded waits and goes on by itself. */
  automaticallyWaitsToMinimizeStalling: boolean;
  /** The number of jumps of the item's time. */
  revision: number;
  /** The audio. */
  audio: PlayerAudio;
}

/** What a player has done, and what it holds. */
export interface PlayerStatistics {
  /** The player. */
  player: PlayerHandle;
  /** The number of pictures that its outputs have given or sent. */
  presented: number;
  /** The pictures that were not. */
  dropped: PlayerDrops;
  /** The number of times that an audio server had nothing to play. */
  underruns: number;
  /** The longest time from a moment to its notification; 0 on a manual clock. */
  maximumLateness: Time;
  /** The bytes of frames that are decoded and wait for their time. */
  bytesBuffered: number;
}

/** The settings of a preset of exports. */
export interface PresetSettings {
  /** Its name, for example `1280x720`; one that encodes what the input takes. */
  preset: string;
}

/** The name and version of a program. */
export interface ProgramInfo {
  /** The program's name. */
  name: string;
  /** The program's version. */
  version?: string;
}

/** A result that is one range. */
export interface RangeResult {
  /** The range. */
  range: TimeRange;
}

/** The cause of a change of rate. */
export type RateChangeReason = "setRateCalled" | "itemEnded" | "stalled" | "playbackFailed";

/** A ratio of whole numbers. */
export interface Ratio {
  /** The number above the line. */
  numerator: number;
  /** The number below the line. */
  denominator: number;
}

export interface RationalTime {
  /** The numerator. */
  value: number | string;
  /** The denominator: parts of a second. */
  timescale: number;
  /** Which run of the clock; 0 when absent. */
  epoch?: number;
  /** Whether the time was rounded. */
  rounded?: boolean;
}

/**
 * An output of a reader. A mix needs `settings` with `sampleFormat`. It begins with the range,
 * is silent where no track has audio, and ends with the last track or the range. By default its
 * sample rate and channel count are the highest of its tracks. Integer formats clip where the
 * sum is too loud; floating-point formats do not.
 */
export interface ReaderOutputInput {
  /** What it reads. */
  type: ReaderOutputType;
  /** The track; for the type `track`, give one of this, `mediaType` and `track`. */
  trackID?: number;
  /** The first enabled track of this media type. */
  mediaType?: MediaType;
  /** The first enabled track that this fits: `{"mediaType": "audio", "language": "de"}`. */
  track?: TrackRule;
  /**
   * The tracks to mix, for the type `audioMix`, or those that can be shown, for the type
   * `videoComposition`; all of the kind when absent.
   */
  trackIDs?: number[];
  /**
   * How loud the tracks are, for the type `audioMix`; `null` for their own volume. Left out: the
   * asset's own mix, which a composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * How pictures are made, for the type `videoComposition`. Left out: the asset's own, which a
   * composition may have.
   */
  videoComposition?: VideoCompositionInput;
  /** What samples are converted to; absent or `null` for samples as stored, in decode order. */
  settings?: ReaderSettings;
  /**
   * What becomes of audio that is scaled in time; only with settings for audio. Default:
   * `"spectral"`.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** Whether the output can be read again from other ranges. Default: `false`. */
  supportsRandomAccess?: boolean;
}

/** What an output of a reader reads. */
export type ReaderOutputType = "track" | "audioMix" | "videoComposition";

/**
 * What samples are converted to: settings for video, for audio or for text. Settings with
 * `sampleFormat` are for audio, with `textFormat` for text, all others for video.
 */
export type ReaderSettings = VideoSettings | AudioSettings | TextSettings;

/** How far a reader is. */
export type ReaderStatus = "unknown" | "reading" | "completed" | "failed" | "cancelled";

/** What has become of a track: counts are frames of video, and samples a channel of audio. */
export interface RecordedTrack {
  /** `video` or `audio`. */
  mediaType: MediaType;
  /** What is in the file. */
  written: number;
  /** What isn't. */
  dropped: CaptureDrops;
  /** Silence in place of what is missing. */
  inserted: number;
  /** What came before the recording's zero. */
  trimmed: number;
  /** How much the device's clock is fast, in millionths. */
  drift?: number;
}

/** What becomes of the tracks of a recording. */
export interface RecordingSettings {
  /** How video is encoded: with `h264` in `quality` 0.6 when absent; `null` leaves it out. */
  video?: VideoTreatment;
  /**
   * How audio is encoded: with `aac` of 128 kbit/s a pair of channels in movies when absent;
   * `null` leaves it out.
   */
  audio?: AudioTreatment;
}

/** How a recording has ended. */
export type RecordingStatus = "completed" | "failed" | "cancelled";

/** A part of a picture, in pixels from the top left. */
export interface Rectangle {
  /** The left edge. */
  x: number;
  /** The upper edge. */
  y: number;
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/**
 * An entry in the course of a rectangle over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`.
 */
export interface RectangleRamp {
  /** From when on `value` holds. */
  at?: Time;
  /** The rectangle from then on. */
  value?: Rectangle;
  /** The rectangle at the start of a ramp. */
  from?: Rectangle;
  /** The rectangle at the end of a ramp, and after it. */
  to?: Rectangle;
  /** The time of a ramp. */
  timeRange?: TimeRange;
}

/**
 * An entry in the course of a rectangle over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`.
 */
export interface RectangleRampInput {
  /** From when on `value` holds. */
  at?: TimeInput;
  /** The rectangle from then on. */
  value?: Rectangle;
  /** The rectangle at the start of a ramp. */
  from?: Rectangle;
  /** The rectangle at the end of a ramp, and after it. */
  to?: Rectangle;
  /** The time of a ramp. */
  timeRange?: TimeRangeInput;
}

/** The format that an input captures in. */
export interface ResolvedFormat {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** `video` or `audio`. */
  mediaType: MediaType;
  /** The format. */
  format: DeviceFormat;
  /** The duration of a frame, as the device is asked for it. */
  frameDuration?: Time;
}

/** Media whose bytes the client supplies (AVAssetResourceLoader). */
export interface Resource {
  /**
   * The number of bytes; required with random access. Without it a resource is read to its end
   * before anything else is known of it.
   */
  length?: number;
  /**
   * Whether any bytes can be asked for at any time. Without random access each read begins where
   * the bytes of the one before ended. What comes is put into a temporary file without a name,
   * as far as it is needed; `--spool-max` limits its size.
   */
  isRandomAccess: boolean;
  /** What messages and errors call it, such as a file's name; its handle where there is none. */
  name?: string;
  /** What the bytes should be, for people: the bytes themselves decide. */
  mimeType?: string;
  /**
   * How long a read waits for its answer, in milliseconds; then what needs it fails with
   * `resourceTimedOut`. Default: `60000`.
   */
  timeoutMs?: number;
}

/** The memory. */
export interface ResourceAllocateResult {
  /** The memory as a path to open and map for reading and writing, for example `/proc/4242/fd/9`. */
  path: string;
  /** The number of bytes. */
  size: number;
}

/** Where the bytes of an answer are. */
export type ResourceBytes = InlineBytes | PlacedBytes;

/**
 * Reports that the answer to a read isn't needed any more. An answer that comes all the same is
 * ignored. A read with a `place` is best answered with an error then: only an answer makes its
 * place free for other reads.
 */
export interface ResourceDidCancelRead {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of the read. */
  request: number;
}

/**
 * Reports that a resource is read no more: it was closed, or its asset was, and nothing that was
 * made from the asset uses it any longer.
 */
export interface ResourceDidEnd {
  /** The resource. */
  resource: ResourceHandle;
}

/** Why bytes of a resource can't be read. */
export interface ResourceError {
  /** For a person; part of the message of what fails for it, with `failedToLoadMediaData`. */
  message: string;
}

/** Names media whose bytes the client supplies, for example `resource:1`. */
export type ResourceHandle = string & { readonly __kind?: "ResourceHandle" };

/**
 * Asks for bytes of a resource, to be answered with `resource/didRead`. Several are out at a
 * time with random access, in any order; they may be answered in any order, too. Without random
 * access there is one at a time.
 */
export interface ResourceRead {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of the read, which its answer has as well; never used twice for a resource. */
  request: number;
  /** Where the bytes begin, from the resource's start. */
  offset: number;
  /** The number of bytes. */
  length: number;
  /** Where in the memory of `resource/allocate` the answer may be put; absent where it can't. */
  place?: number;
}

/** Whether a restriction is in force. */
export interface Restriction {
  /** True when it is. */
  holds: boolean;
  /** Why it isn't. */
  reason?: string;
}

/** The work has begun. */
export interface RevisedOperationStarted {
  /** What its notifications will carry. */
  operation: OperationHandle;
  /** The number that the jump has if it is made. */
  revision: number;
}

/** How a time is rounded to a timescale that cannot hold it exactly. */
export type Rounding =
  | "halfAwayFromZero"
  | "towardZero"
  | "awayFromZero"
  | "quickTime"
  | "towardPositiveInfinity"
  | "towardNegativeInfinity";

/** A sample as a cursor sees it; times are on the asset's clock. */
export interface Sample {
  /** Its index in decode order, from 0. */
  index: number;
  /** When it is presented. */
  presentationTime: Time;
  /** `true` when the file gives no presentation time and it is derived; else absent. */
  presentationTimeInferred?: boolean;
  /** When it is decoded; absent if the file does not state it. */
  decodeTime?: Time;
  /**
   * How long it is presented; `"indefinite"` if the file does not state it and there is no next
   * sample.
   */
  duration: Time;
  /**
   * `true` when the file gives no duration and the time until the next sample is used; else
   * absent.
   */
  durationInferred?: boolean;
  /** The number of bytes. */
  size: number;
  /** Where in the file its bytes are. */
  storageRange: StorageRange;
  /**
   * The packet's position as reported by FFmpeg: in some containers the block, page or transport
   * packet in which it begins. Absent when unknown.
   */
  packetPosition?: number;
  /** Whether decoding can begin here. */
  syncInfo: SampleSyncInfo;
  /** How it depends on others. */
  dependencyInfo: SampleDependencyInfo;
  /**
   * How an audio packet depends on others; absent for other samples, and for codecs of which
   * that is not known.
   */
  audioDependencyInfo?: SampleAudioDependencyInfo;
  /** How many samples before it, in decode order, a decoder needs to decode it correctly. */
  samplesRequiredForDecoderRefresh: number;
  /**
   * `true` if it is decoded only because others refer to it, being outside the edit list; else
   * absent.
   */
  isDiscarded?: boolean;
}

/**
 * What a sample buffer carries beside its bytes. A member that is `false` is absent, except
 * `isDependedOnByOthers` and `dependsOnOthers`, which are absent if the file does not state
 * them.
 */
export interface SampleAttachments {
  /** It is not a sync sample. */
  notSync?: boolean;
  /** Other samples need it: `false` for one that may be dropped. */
  isDependedOnByOthers?: boolean;
  /** It needs other samples: `false` for a sync sample. */
  dependsOnOthers?: boolean;
  /** It must be decoded, but not presented. */
  doNotDisplay?: boolean;
  /** The part at its start that is not presented. */
  trimDurationAtStart?: Time;
  /** The part at its end that is not presented. */
  trimDurationAtEnd?: Time;
  /** How many times faster it is presented than stored. */
  speedMultiplier?: number;
  /** It represents a range without media. */
  emptyMedia?: boolean;
  /** The decoder must be reset before it. */
  resetDecoderBeforeDecoding?: boolean;
  /** The decoder must be drained after it. */
  drainAfterDecoding?: boolean;
}

/** How an audio packet depends on others. */
export interface SampleAudioDependencyInfo {
  /** A decoder can begin with it. */
  isIndependentlyDecodable: boolean;
  /**
   * The packets, from this one on, whose audio is not exact when a decoder begins with it;
   * absent when unknown.
   */
  packetRefreshCount?: number;
}

/**
 * Samples of one track. Decoded frames have `image`, unless they are encoded as images; decoded
 * audio has `audio`; samples as stored have neither.
 */
export interface SampleBuffer {
  /** When it is presented. */
  presentationTime: Time;
  /** When it is decoded; only with samples as stored. */
  decodeTime?: Time;
  /** How long it is presented. */
  duration: Time;
  /** The number of samples; 0 for a buffer that only carries attachments. */
  numSamples: number;
  /** What it carries beside its bytes. */
  attachments: SampleAttachments;
  /**
   * The format description; with the first buffer of an output and whenever it changes. A mix
   * has none.
   */
  format?: FormatDescription;
  /** The bytes; absent when there are no samples. */
  blob?: Blob;
  /** The layout of a raw frame in the bytes. */
  image?: ImageLayout;
  /** The layout of the audio in the bytes. */
  audio?: AudioLayout;
}

/** The chunk. */
export interface SampleCursorChunkResult {
  /** Where in the file its bytes are. */
  storageRange: StorageRange;
  /** The number of samples in it. */
  sampleCount: number;
  /** The index of the cursor's sample in it, from 0. */
  sampleIndexInChunk: number;
  /** Whether all its samples have the same number of bytes. */
  hasUniformSampleSizes: boolean;
  /** Whether all its samples have the same duration. */
  hasUniformSampleDurations: boolean;
}

/** The order. */
export interface SampleCursorCompareResult {
  /** -1 when the left one is first, 0 when both are at one sample, 1 when the right one is first. */
  order: number;
}

/** The copy. */
export interface SampleCursorCopyResult {
  /** The new cursor's handle. */
  sampleCursor: SampleCursorHandle;
}

/** The cursor. */
export interface SampleCursorCreateResult {
  /** The cursor's handle. */
  sampleCursor: SampleCursorHandle;
  /** The sample it is at. */
  sample: Sample;
}

/** Names a sample cursor, for example `sampleCursor:5`. */
export type SampleCursorHandle = string & { readonly __kind?: "SampleCursorHandle" };

/** What there is. */
export interface SampleCursorReorderingResult {
  /**
   * Whether a sample that is decoded before that of `sampleCursor` is presented after that of
   * `to`.
   */
  hasEarlierDecodedPresentedLater: boolean;
  /**
   * Whether a sample that is decoded after that of `sampleCursor` is presented before that of
   * `to`.
   */
  hasLaterDecodedPresentedEarlier: boolean;
}

/** The sample. */
export interface SampleCursorSampleResult {
  /** The sample. */
  sample: Sample;
}

/** The samples. */
export interface SampleCursorSamplesResult {
  /** The samples, in their order. */
  samples: Sample[];
  /** Whether there are none after these. */
  endOfTrack: boolean;
}

/** Where it has come to. */
export interface SampleCursorStepByTimeResult {
  /** How far it has moved on the clock of the order. */
  moved: Time;
  /** Whether the time is before the first sample, or after the end of the last. */
  wasPinned: boolean;
  /** The sample it is at. */
  sample: Sample;
}

/** Where it has come to. */
export interface SampleCursorStepResult {
  /** The steps that were taken, negative when backwards. */
  stepped: number;
  /** The sample it is at. */
  sample: Sample;
}

/** How a sample depends on others. A member is absent if the file does not state it. */
export interface SampleDependencyInfo {
  /** It needs other samples to be decoded. */
  dependsOnOthers?: boolean;
  /** Other samples need it. */
  hasDependentSamples?: boolean;
}

/** The orders of a track's samples. */
export type SampleOrder = "decode" | "presentation";

/** Whether decoding can begin at a sample. */
export interface SampleSyncInfo {
  /** A decoder can begin with it. */
  isFullSync: boolean;
  /** Always `false`: FFmpeg shows QuickTime's partial sync samples as sync samples. */
  isPartialSync: boolean;
  /** No other sample needs it; also `false` if the file does not state it. */
  isDroppable: boolean;
}

/** The beginning of a scene. */
export interface SceneChange {
  /** When the first frame of the new scene begins to be shown, on the asset's clock. */
  time: Time;
  /**
   * The index of that frame in the track, in presentation order, from 0; absent if the track's
   * frames have no numbers, as those of compositions, or no presentation times.
   */
  sampleIndex?: number;
  /** How clear the change is, from 0 to 1. */
  score: number;
}

/** A number of seconds, or an infinity. */
export type Seconds = number | "+infinity" | "-infinity";

/** The use of the segments of a writer. */
export type SegmentProfile = "mpeg4AppleHLS" | "mpeg4CMAFCompliant";

/** The contents of a segment. */
export interface SegmentReport {
  /** One for each track with samples in it. */
  trackReports: SegmentTrackReport[];
}

/**
 * Media segments in place of a file: MP4 of one input of video, one of audio, or of both; for
 * `mpeg4CMAFCompliant` of one input. A segment begins with a sync sample of video, and has of
 * the audio what is presented before the next one begins. Segments go on until the last track
 * ends, whichever that is.
 */
export interface SegmentSettingsInput {
  /**
   * From one segment to the next, 0.001 seconds at least: a segment begins with the first sync
   * sample of each interval. Encoded video has one where the interval begins, stored video where
   * it has one. `"indefinite"` makes segments with `assetWriter/flushSegment` only.
   */
  preferredOutputSegmentInterval: TimeInput;
  /**
   * When the first interval begins, on the clock of the samples; the start of the session when
   * absent.
   */
  initialSegmentStartTime?: TimeInput;
  /** The use that they are for. Default: `"mpeg4AppleHLS"`. */
  profile?: SegmentProfile;
  /**
   * Where the bytes go. A file's path has a `%d`, which becomes 0 for the initialization
   * segment, and one more than the index for the others. Default: `"inline"`.
   */
  delivery?: Delivery;
}

/** The part of a track in a segment. */
export interface SegmentTrackReport {
  /** The track's number in the segments. */
  trackID: number;
  /** The media type of the track. */
  mediaType: MediaType;
  /** When its first sample is presented, in the file's time. */
  earliestPresentationTime: Time;
  /** How long its samples last. */
  duration: Time;
}

/** What happens to a segment of a track in a passthrough export. */
export type SegmentTreatment = "copied" | "edgesEncoded" | "encoded" | "refused";

/** The kind of a segment. */
export type SegmentType = "initialization" | "separable";

/** What a server offers beside its methods. */
export interface ServerCapabilities {
  /** The forms of `delivery` it can serve; `shm` is missing where the system has no memfd. */
  deliveries: BlobKind[];
  /** The largest message it reads, in bytes. */
  maxMessageBytes: number;
  /** The most shared memory it leases at a time, in bytes. */
  maxSharedMemoryBytes: number;
}

/** Bytes in shared memory, which do not change until the lease is released. */
export interface SharedBlob {
  /** Always `shm`. */
  kind: "shm";
  /** The number of bytes. */
  size: number;
  /** What the bytes are. */
  mimeType: string;
  /**
   * The memory as a path to open and map, for example `/proc/4242/fd/9`; the same for many
   * blobs.
   */
  path: string;
  /** The offset of the bytes from the start of the memory; a multiple of 64. */
  offset: number;
  /** The lease to return with `blob/release`. */
  lease: LeaseHandle;
}

/** A width and a height. */
export interface Size {
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/** The state of one key. */
export interface SizeKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Size;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * The format of samples of an input without settings, which are written as they are appended.
 * Give either `fromOutput`, or `fromAsset` with `trackID`, or `format`.
 */
export interface SourceFormatHint {
  /** The output of a reader without settings that the samples come from. */
  fromOutput?: OutputHandle;
  /** The asset whose track has such samples. */
  fromAsset?: AssetHandle;
  /** The number of that track. */
  trackID?: number;
  /** The format itself; a `format` of a reader is one. */
  format?: CodedFormat;
}

/** How a frame represents a sphere. */
export interface Spherical {
  /** The projection by FFmpeg's name, for example `equirectangular`. */
  projection: string;
  /** The turn around the vertical axis, in degrees. */
  yaw: number;
  /** The turn around the horizontal axis, in degrees. */
  pitch: number;
  /** The turn around the line of sight, in degrees. */
  roll: number;
}

/** How a frame holds two views. */
export interface Stereo3D {
  /** The arrangement by FFmpeg's name, for example `side by side`. */
  type: string;
  /** Whether the right view comes first. */
  isInverted: boolean;
}

/** A run of bytes of the file. */
export interface StorageRange {
  /**
   * From the start of the file, in bytes; -1 when the bytes are not in one piece or it is not
   * known where.
   */
  offset: number;
  /** The number of bytes. */
  length: number;
}

/** The place of text in a picture. */
export type TextAlignment =
  | "topLeft"
  | "top"
  | "topRight"
  | "left"
  | "center"
  | "right"
  | "bottomLeft"
  | "bottom"
  | "bottomRight";

/** How text is encoded. */
export interface TextEncoding {
  /**
   * The codec by FFmpeg's name, for example `mov_text`, `subrip` or `webvtt`; the usual one of
   * the file's type when absent.
   */
  codec?: string;
}

/** How text is written. */
export type TextFormat = "plain";

/** The state of one key. */
export interface TextKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: string;
  /** Why it failed. */
  error?: ErrorObject;
}

/** A text over the pictures. */
export interface TextLayer {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The time at which it is shown; a duration of `"+infinity"` lasts to the end. */
  timeRange: TimeRange;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of it that `alignment` names. Left out: where `alignment` is in
   * the picture, within the margins.
   */
  position?: PicturePosition;
  /** The duration of its appearance. Default: `0`. */
  fadeIn?: Time;
  /** The duration of its disappearance. Default: `0`. */
  fadeOut?: Time;
}

/** A text over the pictures. */
export interface TextLayerInput {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The time at which it is shown; a duration of `"+infinity"` lasts to the end. */
  timeRange: TimeRangeInput;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of it that `alignment` names. Left out: where `alignment` is in
   * the picture, within the margins.
   */
  position?: PicturePosition;
  /** The duration of its appearance. Default: `0`. */
  fadeIn?: TimeInput;
  /** The duration of its disappearance. Default: `0`. */
  fadeOut?: TimeInput;
}

/** The state of one key. */
export interface TextListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: string[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** A line around letters. */
export interface TextOutline {
  /** Red, green, blue and alpha, each from 0 to 1. */
  color?: number[];
  /** In pixels of the render size; 0 for none. */
  width?: number;
}

/** What text subtitles are converted to: one buffer for each that is not empty. */
export interface TextSettings {
  /** How the text is written. */
  textFormat: TextFormat;
}

/** A copy of letters, below them to the right. */
export interface TextShadow {
  /** Red, green, blue and alpha, each from 0 to 1. Left out: opaque black. */
  color?: number[];
  /** In pixels of the render size, in both directions. Left out: 1/16 of the font's size. */
  offset?: number;
}

/**
 * The style of text. A member that is left out has the default of texts, or the value in a
 * script of subtitles.
 */
export interface TextStyle {
  /** The font. */
  font?: Font;
  /**
   * Red, green, blue and alpha of the letters, each from 0 to 1. Left out: opaque white for
   * texts.
   */
  color?: number[];
  /** A line around the letters. Left out: 1/24 of the font's size in black for texts. */
  outline?: TextOutline;
  /** A copy of the letters behind them. Not together with `backgroundColor`. */
  shadow?: TextShadow;
  /** Red, green, blue and alpha of a box behind all lines, each from 0 to 1. */
  backgroundColor?: number[];
  /**
   * The place of the text in the picture; for a text with a position, the point of it that is
   * there. Left out: `"center"` for texts.
   */
  alignment?: TextAlignment;
  /**
   * The distance from the left and right edges, in widths of the picture, from 0 to 0.5. Left
   * out: 0.05 for texts.
   */
  horizontalMargin?: number;
  /**
   * The distance from the top or the bottom, in heights of the picture, from 0 to 1. Left out:
   * 0.05 for texts.
   */
  verticalMargin?: number;
}

/**
 * A time: an exact rational number of seconds, or one of four strings. The server writes
 * `{"value": 1001, "timescale": 30000}`, with `epoch` when that is not 0 and `rounded` when the
 * time was rounded on its way, or `"+infinity"`, `"-infinity"`, `"indefinite"`, `"invalid"`. It
 * reads any of those, a number of seconds (taken to the nearest nanosecond), or a string:
 * `"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
 * string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
 */
export type Time = RationalTime | "+infinity" | "-infinity" | "indefinite" | "invalid";

/** The order of the two. */
export interface TimeCompareResult {
  /** `-1` when `lhs` comes first, `0` when they are equal, `1` when `rhs` comes first. */
  order: number;
}

/** How a player follows its rate. */
export type TimeControlStatus = "paused" | "waitingToPlayAtSpecifiedRate" | "playing";

/** The result. */
export interface TimeDescribeResult {
  /** The description, for example `{1001/30000 = 0.033}`. */
  description: string;
}

/**
 * A time: an exact rational number of seconds, or one of four strings. The server writes
 * `{"value": 1001, "timescale": 30000}`, with `epoch` when that is not 0 and `rounded` when the
 * time was rounded on its way, or `"+infinity"`, `"-infinity"`, `"indefinite"`, `"invalid"`. It
 * reads any of those, a number of seconds (taken to the nearest nanosecond), or a string:
 * `"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
 * string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
 */
export type TimeInput = Time | number | string;

/** The state of one key. */
export interface TimeKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Time;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * How a range of media time is shown over a range of track time. The source of an empty edit,
 * which presents nothing, is `"invalid"`.
 */
export interface TimeMapping {
  /** The range in the media, or `"invalid"` for an empty edit. */
  source: TimeRange | "invalid";
  /** The range in the track. */
  target: TimeRange;
}

/**
 * How a range of media time is shown over a range of track time. The source of an empty edit,
 * which presents nothing, is `"invalid"`.
 */
export interface TimeMappingInput {
  /** The range in the media, or `"invalid"` for an empty edit. */
  source: TimeRangeInput | "invalid";
  /** The range in the track. */
  target: TimeRangeInput;
}

/** The cause for which a time observer fires. */
export type TimeObserverCause =
  | "registered"
  | "interval"
  | "jump"
  | "start"
  | "stop"
  | "boundary";

/** Reports a time that an observer is for. */
export interface TimeObserverDidFire {
  /** The observer. */
  timeObserver: TimeObserverHandle;
  /** The player. */
  player: PlayerHandle;
  /** The item; absent where there is none. */
  playerItem?: PlayerItemHandle;
  /**
   * The exact time of the multiple or boundary, else the item's time; `"invalid"` without an
   * item.
   */
  time: Time;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The cause. */
  cause: TimeObserverCause;
  /** The number of the boundary time in the request, from 0. */
  index?: number;
  /** How long afterwards this was made; zero on a manual clock. */
  lateness: Time;
  /** How many notifications of the observer this one has replaced before they were written. */
  coalesced: number;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Names an observer of a player's time, for example `timeObserver:1`. */
export type TimeObserverHandle = string & { readonly __kind?: "TimeObserverHandle" };

/**
 * A range of time: its start, and its duration. The end is excluded. Where the server reads a
 * range, `"invalid"` is the invalid range.
 */
export interface TimeRange {
  /** The first moment of the range. */
  start: Time;
  /** How long it is; not negative. */
  duration: Time;
}

/** The answer. */
export interface TimeRangeContainsResult {
  /** Whether it does. */
  contains: boolean;
}

/** The answer. */
export interface TimeRangeEqualResult {
  /** Whether they have. */
  equal: boolean;
}

/**
 * A range of time: its start, and its duration. The end is excluded. Where the server reads a
 * range, `"invalid"` is the invalid range.
 */
export interface TimeRangeInput {
  /** The first moment of the range. */
  start: TimeInput;
  /** How long it is; not negative. */
  duration: TimeInput;
}

/** The state of one key. */
export interface TimeRangeKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TimeRange;
  /** Why it failed. */
  error?: ErrorObject;
}

/** A result that is one time. */
export interface TimeResult {
  /** The time. */
  time: Time;
}

/** The seconds. */
export interface TimeSecondsResult {
  /** The seconds; absent when the time is invalid or indefinite, where CMTimeGetSeconds has NaN. */
  seconds?: Seconds;
}

/** The timecode of a format description. */
export interface TimecodeFormat {
  /** How long a frame lasts; `"invalid"` when unknown. */
  frameDuration: Time;
  /** The frames that a second is counted in, for example 30 for 29.97; 0 when unknown. */
  frameQuanta: number;
  /** Whether numbers are left out so that they keep up with the clock. */
  isDropFrame: boolean;
  /** Whether it begins again after 24 hours. */
  is24HourMaximum: boolean;
  /** Whether it can be negative. */
  areNegativeTimesAllowed: boolean;
  /** Whether it is a plain count instead of a time. */
  isCounter: boolean;
  /** The first timecode, for example `01:00:00;00`. */
  startTimecode?: string;
}

/** Metadata of a part of an asset (AVTimedMetadataGroup). */
export interface TimedMetadataGroup {
  /** The part. */
  timeRange: TimeRange;
  /** Its items. */
  items: MetadataItem[];
}

/** A part of a track of a timeline: a range of a track of a source, or empty. */
export interface TimelineSegment {
  /** The name of the source; absent in an empty segment. */
  source?: string;
  /** The track of the source; absent in an empty segment. */
  trackID?: number;
  /** Which range of the source is shown when. The source of an empty segment is `"invalid"`. */
  timeMapping: TimeMapping;
}

/** A part of a track of a timeline: a range of a track of a source, or empty. */
export interface TimelineSegmentInput {
  /** The name of the source; absent in an empty segment. */
  source?: string;
  /** The track of the source; absent in an empty segment. */
  trackID?: number;
  /** Which range of the source is shown when. The source of an empty segment is `"invalid"`. */
  timeMapping: TimeMappingInput;
}

/** What segments of a timeline show parts of: a file or an asset. */
export interface TimelineSource {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Has the `url` stand for numbered pictures. */
  imageSequence?: ImageSequence;
  /**
   * Whether it is one picture, which segments show for as long as their target is. Default:
   * `false`.
   */
  still?: boolean;
}

/** A track of a timeline. */
export interface TimelineTrack {
  /** The track's number, unique within the timeline. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** Whether it is presented by default. Default: `true`. */
  isEnabled?: boolean;
  /** The timescale of its times. Left out: that of the first segment that isn't empty. */
  naturalTimeScale?: number;
  /**
   * The language by ISO 639-2/T, `und` for none; with neither it nor a tag that of the track's
   * first part.
   */
  languageCode?: string;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /** How its frames are transformed, beyond the sources' own rotations. Left out: identity. */
  preferredTransform?: Transform;
  /** The volume that it is played with. Default: `1`. */
  preferredVolume?: number;
  /** What it shows, one segment after the other from zero on. */
  segments: TimelineSegment[];
}

/** A track of a timeline. */
export interface TimelineTrackInput {
  /** The track's number, unique within the timeline. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** Whether it is presented by default. Default: `true`. */
  isEnabled?: boolean;
  /** The timescale of its times. Left out: that of the first segment that isn't empty. */
  naturalTimeScale?: number;
  /**
   * The language by ISO 639-2/T, `und` for none; with neither it nor a tag that of the track's
   * first part.
   */
  languageCode?: string;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /** How its frames are transformed, beyond the sources' own rotations. Left out: identity. */
  preferredTransform?: Transform;
  /** The volume that it is played with. Default: `1`. */
  preferredVolume?: number;
  /** What it shows, one segment after the other from zero on. */
  segments: TimelineSegmentInput[];
}

/** A track, as its asset lists it. */
export interface Track {
  /** The track's number, unique within the asset. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** The format as a four-character code, for example `avc1`; absent when it has none. */
  mediaSubType?: string;
  /** The traits of its media. */
  mediaCharacteristics: MediaCharacteristic[];
  /** True for a track that is presented by default. */
  isEnabled: boolean;
  /** True for a track that this build can decode. */
  isDecodable: boolean;
  /** The language by ISO 639-2/T. */
  languageCode?: string;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /** The size in pixels, before `preferredTransform`; only for visual media. */
  naturalSize?: Size;
}

/** The tracks. */
export interface TrackAssociatedTracksResult {
  /** The tracks; empty when there are none. */
  tracks: Track[];
}

/** In what way another track belongs to a track (AVAssetTrack's association types). */
export type TrackAssociationType =
  | "audioFallback"
  | "forcedSubtitlesOnly"
  | "selectionFollower"
  | "timecode"
  | "metadataReferent";

/** The state of one key. */
export interface TrackAssociationTypeListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackAssociationType[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** Reports that the keys of `track/loadValues` are loaded, failed or cancelled. */
export interface TrackDidLoadValues {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** The state of each requested key. */
  values: TrackValues;
}

/** Tracks that are alternatives, of which one at a time is presented (AVAssetTrackGroup). */
export interface TrackGroup {
  /** The tracks, in the order of the container. */
  trackIDs: number[];
}

/** The state of one key. */
export interface TrackGroupListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackGroup[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** A property of a track that is loaded on demand. */
export type TrackKey =
  | "mediaType"
  | "formatDescriptions"
  | "mediaCharacteristics"
  | "timeRange"
  | "naturalTimeScale"
  | "estimatedDataRate"
  | "totalSampleDataLength"
  | "languageCode"
  | "extendedLanguageTag"
  | "naturalSize"
  | "preferredTransform"
  | "preferredVolume"
  | "nominalFrameRate"
  | "minFrameDuration"
  | "requiresFrameReordering"
  | "hasAudioSampleDependencies"
  | "isEnabled"
  | "isPlayable"
  | "isDecodable"
  | "isSelfContained"
  | "segments"
  | "commonMetadata"
  | "metadata"
  | "availableMetadataFormats"
  | "availableTrackAssociationTypes"
  | "canProvideSampleCursors";

/** The languages of the audio and the subtitles that an export takes. */
export interface TrackLanguages {
  /**
   * Languages by BCP 47, for example `de` or `en-US`, or by codes of three letters. Audio and
   * subtitles without a language are left out. If there is audio, some of it has to be in one of
   * them.
   */
  languages: string[];
}

/** The state of one key. */
export interface TrackListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Track[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** The properties of a track, all of which it has to have. */
export interface TrackRule {
  /** Its number. */
  trackID?: number;
  /** Its kind. */
  mediaType?: MediaType;
  /**
   * All that it is for, for example `legible` for subtitles of any kind, and
   * `isAuxiliaryContent` for a commentary.
   */
  mediaCharacteristics?: MediaCharacteristic[];
  /** Its language by BCP 47, for example `de`, or by a code of three letters; `und` for none. */
  language?: string;
  /** FFmpeg's name of its codec, or the beginning of it before a `_`: `pcm` is every `pcm_…`. */
  codec?: string;
}

/** Rules for the tracks that are taken: those that one of `include` fits, and none of `exclude`. */
export interface TrackRules {
  /** A track is taken if one of them fits it; each has to fit one. Left out: all are taken. */
  include?: TrackRule[];
  /** A track is left out if one of them fits it. */
  exclude?: TrackRule[];
  /** Of audio and subtitles, those in one of these languages; see `TrackLanguages`. */
  languages?: string[];
}

/** The time. */
export interface TrackSamplePresentationTimeResult {
  /** The time on the media's clock; `"invalid"` where nothing of the media is presented. */
  time: Time;
}

/** A part of a track's edit list (AVAssetTrackSegment). */
export interface TrackSegment {
  /**
   * Which part of the media (`source`, on the media's clock) is presented when (`target`, on the
   * track's clock); of an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMapping;
  /** Whether nothing is presented. */
  isEmpty: boolean;
}

/** The state of one key. */
export interface TrackSegmentListKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackSegment[];
  /** Why it failed. */
  error?: ErrorObject;
}

/** The segment. */
export interface TrackSegmentResult {
  /** The segment; absent when the track has none. */
  segment?: TrackSegment;
}

/**
 * A selection of tracks: those with these numbers, those in these languages, or those that rules
 * fit.
 */
export type TrackSelection = number[] | TrackLanguages | TrackRules;

/** What happens to a track. */
export type TrackTreatment = "copied" | "encoded" | "mixed" | "converted" | "dropped";

/** The states. */
export interface TrackValueStatusResult {
  /** The state of each requested key. */
  values: TrackValues;
}

/** The state of each requested key of a track; the others are absent. */
export interface TrackValues {
  /** The kind of its media. */
  mediaType?: MediaTypeKeyState;
  /** Its format descriptions; more than one when the format changes within the track. */
  formatDescriptions?: FormatDescriptionListKeyState;
  /** The traits of its media. */
  mediaCharacteristics?: MediaCharacteristicListKeyState;
  /** The range it takes in the asset; a start after zero means that it begins later. */
  timeRange?: TimeRangeKeyState;
  /** The timescale of its media. */
  naturalTimeScale?: IntegerKeyState;
  /** The data rate in bits a second. */
  estimatedDataRate?: NumberKeyState;
  /** The bytes of all its samples. */
  totalSampleDataLength?: IntegerKeyState;
  /** The language by ISO 639-2/T; loaded without value when unknown. */
  languageCode?: TextKeyState;
  /** The language by BCP 47; loaded without value when unknown. */
  extendedLanguageTag?: TextKeyState;
  /** The size of its video in pixels, before `preferredTransform`; zero when not visual. */
  naturalSize?: SizeKeyState;
  /** The transform to apply before display. */
  preferredTransform?: TransformKeyState;
  /** The preferred volume, 0 to 1. */
  preferredVolume?: NumberKeyState;
  /** The frames a second, on average; 0 when it has no frames. */
  nominalFrameRate?: NumberKeyState;
  /** The duration of its shortest frame; `"invalid"` when unknown. */
  minFrameDuration?: TimeKeyState;
  /** Whether decode order and presentation order differ. */
  requiresFrameReordering?: BooleanKeyState;
  /** Whether audio samples need others to be decoded. */
  hasAudioSampleDependencies?: BooleanKeyState;
  /** Whether it is presented by default. */
  isEnabled?: BooleanKeyState;
  /** Whether it can be played. */
  isPlayable?: BooleanKeyState;
  /** Whether this build can decode it. */
  isDecodable?: BooleanKeyState;
  /** Whether its samples are in the asset's own file. */
  isSelfContained?: BooleanKeyState;
  /**
   * The edit list: which part of the media is presented when. Without one in the file, one
   * segment that presents all of it, behind an empty one where the track begins later than the
   * asset.
   */
  segments?: TrackSegmentListKeyState;
  /** The metadata that has a common key. */
  commonMetadata?: MetadataItemListKeyState;
  /** All its metadata, in the order of the container. */
  metadata?: MetadataItemListKeyState;
  /** The formats of its metadata, by AVFoundation's names. */
  availableMetadataFormats?: TextListKeyState;
  /** In what ways other tracks belong to it (`track/associatedTracks`). */
  availableTrackAssociationTypes?: TrackAssociationTypeListKeyState;
  /** Whether sample cursors can be made on it: true for every track. */
  canProvideSampleCursors?: BooleanKeyState;
}

/** An output of a reader, and the input that its samples go into. */
export interface TransferPairInput {
  /** The output. */
  output: OutputHandle;
  /** The input. */
  input: InputHandle;
  /** The time that is added to those of the samples. Default: `0`. */
  timeOffset?: TimeInput;
  /**
   * Where to stop, on the output's clock: before the first sample that is presented then or
   * later.
   */
  until?: TimeInput;
  /** True marks the input as finished at the end of the output. Default: `true`. */
  marksAsFinished?: boolean;
}

/** The samples that a transfer moved into an input. */
export interface Transferred {
  /** The input. */
  input: InputHandle;
  /** How many sample buffers it took. */
  sampleBuffers: number;
  /** When the last of them is presented, on the clock of the input; absent without any. */
  lastTime?: Time;
  /** True when the output was read to its end. */
  endOfStream: boolean;
}

/**
 * An affine transform as six numbers, `[a, b, c, d, tx, ty]`. A point becomes `(a·x + c·y + tx,
 * b·x + d·y + ty)`, with y downwards.
 */
export type Transform = number[];

/** The state of one key. */
export interface TransformKeyState {
  /** How far it is. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Transform;
  /** Why it failed. */
  error?: ErrorObject;
}

/**
 * An entry in the course of a transform over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`.
 */
export interface TransformRamp {
  /** From when on `value` holds. */
  at?: Time;
  /** The transform from then on. */
  value?: Transform;
  /** The transform at the start of a ramp. */
  from?: Transform;
  /** The transform at the end of a ramp, and after it. */
  to?: Transform;
  /** The time of a ramp. */
  timeRange?: TimeRange;
}

/**
 * An entry in the course of a transform over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`.
 */
export interface TransformRampInput {
  /** From when on `value` holds. */
  at?: TimeInput;
  /** The transform from then on. */
  value?: Transform;
  /** The transform at the start of a ramp. */
  from?: Transform;
  /** The transform at the end of a ramp, and after it. */
  to?: Transform;
  /** The time of a ramp. */
  timeRange?: TimeRangeInput;
}

/** The directions that transitions move to. */
export type TransitionDirection = "left" | "right" | "up" | "down";

/** What leads from a clip to the next one. */
export interface TransitionInput {
  /** Its kind. Default: `"dissolve"`. */
  kind?: TransitionKind;
  /** How long the clips overlap; required but for `"none"`. */
  duration?: TimeInput;
  /** Where a wipe, a slide or a push moves to; for no other kind. Left out: to the left. */
  direction?: TransitionDirection;
  /**
   * Red, green, blue and alpha, each from 0 to 1, of the colour of a dip; for no other kind.
   * Left out: opaque black.
   */
  color?: number[];
}

/** The kinds of transitions between clips. Audio is cross-faded in each of them. */
export type TransitionKind = "dissolve" | "wipe" | "slide" | "push" | "dip" | "none";

/** How a passthrough export cuts, where not every sample can be the first or the last. */
export type TrimMode = "editList" | "keyframe" | "smart";

/** A kind of devices that can't be listed. */
export interface UnavailableDevices {
  /** The way to them. */
  transport: DeviceTransport;
  /** The reason, in a sentence. */
  reason: string;
}

/** How the video tracks of an asset are put together to one picture. */
export interface VideoComposition {
  /** The interval between two pictures. */
  frameDuration: Time;
  /**
   * The track whose frame times the pictures have. Left out, the times are multiples of
   * `frameDuration`.
   */
  sourceTrackIDForFrameTiming?: number;
  /** The size of the pictures, in pixels: sides of 1 to 16384. */
  renderSize: Size;
  /** What sizes are multiplied by in previews. Default: `1`. */
  renderScale?: number;
  /** The colours that pictures are made in and tagged with. Left out: those of the sources. */
  colorProperties?: ColorProperties;
  /**
   * What the pictures of a compositor of the client's own are exchanged in: one of the
   * `pixelFormats` of `engine/capabilities`. Default: `"rgb24"`.
   */
  compositorPixelFormat?: string;
  /**
   * How long a compositor of the client's own may take for a picture, in milliseconds, from its
   * last answer on where several are out; then what needs the picture fails with
   * `videoCompositorFailed`. Default: `10000`.
   */
  compositorTimeoutMs?: number;
  /** What is shown when: in ascending order, without gaps. */
  instructions: VideoCompositionInstruction[];
  /** Subtitles over the pictures; of several, the last is on top. Not where the client draws. */
  subtitles?: BurntSubtitles[];
  /** Texts over the pictures and the subtitles; the last is on top. Not where the client draws. */
  textLayers?: TextLayer[];
}

/**
 * Asks for a picture of an instruction whose `compositor` is `client`, to be answered with
 * `videoComposition/finishFrame`. The client draws into `target`. Several are out at a time, in
 * the order of the pictures; they may be answered in any order. Where the work that needs them
 * is cancelled, nothing more is sent, and an answer does nothing but give the memory back.
 */
export interface VideoCompositionComposeFrame {
  /** The image generator, the reader or the export session that needs the picture. */
  owner: AnyHandle;
  /** The number of the request, which its answer has as well; never used twice. */
  request: number;
  /** When the picture is shown. */
  compositionTime: Time;
  /** The instruction of that time. */
  instruction: VideoCompositionInstruction;
  /** What the tracks of its layers show at that time; the first is on top. */
  sources: CompositionSource[];
  /** The picture to draw; what is in it before means nothing. */
  target: CompositionPicture;
}

/** How the video tracks of an asset are put together to one picture. */
export interface VideoCompositionInput {
  /** The interval between two pictures. */
  frameDuration: TimeInput;
  /**
   * The track whose frame times the pictures have. Left out, the times are multiples of
   * `frameDuration`.
   */
  sourceTrackIDForFrameTiming?: number;
  /** The size of the pictures, in pixels: sides of 1 to 16384. */
  renderSize: Size;
  /** What sizes are multiplied by in previews. Default: `1`. */
  renderScale?: number;
  /** The colours that pictures are made in and tagged with. Left out: those of the sources. */
  colorProperties?: ColorProperties;
  /**
   * What the pictures of a compositor of the client's own are exchanged in: one of the
   * `pixelFormats` of `engine/capabilities`. Default: `"rgb24"`.
   */
  compositorPixelFormat?: string;
  /**
   * How long a compositor of the client's own may take for a picture, in milliseconds, from its
   * last answer on where several are out; then what needs the picture fails with
   * `videoCompositorFailed`. Default: `10000`.
   */
  compositorTimeoutMs?: number;
  /** What is shown when: in ascending order, without gaps. */
  instructions: VideoCompositionInstructionInput[];
  /** Subtitles over the pictures; of several, the last is on top. Not where the client draws. */
  subtitles?: BurntSubtitles[];
  /** Texts over the pictures and the subtitles; the last is on top. Not where the client draws. */
  textLayers?: TextLayerInput[];
}

/** What a video composition shows during one range of time. */
export interface VideoCompositionInstruction {
  /** When. */
  timeRange: TimeRange;
  /**
   * Red, green, blue and alpha, each from 0 to 1, where no layer covers it. Left out: opaque
   * black.
   */
  backgroundColor?: number[];
  /** The tracks that are shown; the first is on top. */
  layerInstructions: VideoCompositionLayerInstruction[];
  /** Who draws the pictures. Default: `"engine"`. */
  compositor?: Compositor;
}

/** What a video composition shows during one range of time. */
export interface VideoCompositionInstructionInput {
  /** When. */
  timeRange: TimeRangeInput;
  /**
   * Red, green, blue and alpha, each from 0 to 1, where no layer covers it. Left out: opaque
   * black.
   */
  backgroundColor?: number[];
  /** The tracks that are shown; the first is on top. */
  layerInstructions: VideoCompositionLayerInstructionInput[];
  /** Who draws the pictures. Default: `"engine"`. */
  compositor?: Compositor;
}

/**
 * Where in the picture one track is, and how. A frame is cropped, fitted, transformed and made
 * transparent, in this order. The origin is the top left.
 */
export interface VideoCompositionLayerInstruction {
  /** The track. */
  trackID: number;
  /**
   * The transform over time; each number of a ramp is interpolated for itself. Left out:
   * identity throughout.
   */
  transform?: TransformRamp[];
  /** The opacity over time, from 0 to 1. Left out: 1 throughout. */
  opacity?: NumberRamp[];
  /** The part of the frame that is shown over time, in square pixels. Left out: all of it. */
  cropRectangle?: RectangleRamp[];
  /** How a frame is fitted to the picture before it is transformed. Default: `"none"`. */
  fit?: Fit;
}

/**
 * Where in the picture one track is, and how. A frame is cropped, fitted, transformed and made
 * transparent, in this order. The origin is the top left.
 */
export interface VideoCompositionLayerInstructionInput {
  /** The track. */
  trackID: number;
  /**
   * The transform over time; each number of a ramp is interpolated for itself. Left out:
   * identity throughout.
   */
  transform?: TransformRampInput[];
  /** The opacity over time, from 0 to 1. Left out: 1 throughout. */
  opacity?: NumberRampInput[];
  /** The part of the frame that is shown over time, in square pixels. Left out: all of it. */
  cropRectangle?: RectangleRampInput[];
  /** How a frame is fitted to the picture before it is transformed. Default: `"none"`. */
  fit?: Fit;
}

/** Something that is wrong with a video composition. */
export interface VideoCompositionProblem {
  /** Of what kind it is. */
  kind: VideoCompositionProblemKind;
  /** The member that has the wrong value. */
  key?: string;
  /** The time without an instruction, or the range of the instruction. */
  timeRange?: TimeRange;
  /** The number of the instruction, from 0 on; absent for the whole. */
  instruction?: number;
  /** The number of the layer in the instruction, from 0 on. */
  layerInstruction?: number;
  /** The track that isn't there. */
  trackID?: number;
  /** Where it is, what would be right, and what is there. */
  message: string;
}

/** What can be wrong with a video composition. */
export type VideoCompositionProblemKind =
  | "invalidValueForKey"
  | "emptyTimeRange"
  | "invalidTimeRangeInInstruction"
  | "invalidTrackIDInInstruction";

/** The ramp. */
export interface VideoCompositionRampResult {
  /** The ramp; absent behind the last one. */
  ramp?: LayerRamp;
}

/** A video composition, or `null` for none, though the asset has one of its own. */
export type VideoCompositionSettingInput = VideoCompositionInput | null;

/** What is wrong. */
export interface VideoCompositionValidateResult {
  /** Whether nothing is. */
  isValid: boolean;
  /** All that is wrong, in the order of the members. */
  problems: VideoCompositionProblem[];
}

/** What was made. */
export interface VideoCompositionWithPropertiesOfResult {
  /** The video composition. */
  videoComposition: VideoComposition;
}

/**
 * How video is encoded. If `width`, `height`, `crop` or `rotate` is present, the picture is made
 * upright first: the track's preferred transform is applied to the pixels. Give at most one of
 * `quality`, `bitRate` and `rateFactor`; without a preset and without any of them, `quality` is
 * 0.5.
 */
export interface VideoEncoding {
  /**
   * The codec by FFmpeg's name: `h264`, `hevc`, `vp9`, `av1`, `prores`, `mjpeg` or `gif`. If it
   * is not the preset's, the preset's quality and profile do not apply.
   */
  codec?: string;
  /**
   * The width of the upright picture in pixels; even, where the pixel format has half the
   * chroma. With the width or the height alone, the other follows from the display aspect ratio,
   * and pixels become square. With both, the pixel aspect ratio is such that nothing is
   * stretched where it is shown.
   */
  width?: number;
  /** The height of the upright picture in pixels. */
  height?: number;
  /**
   * Frames per second, all of the same duration; frames are repeated or left out. A number or a
   * ratio; 23.976, 29.97, 47.952, 59.94 and 119.88 mean 24000/1001 and so on. Of each moment the
   * frame is taken that begins nearest to it, or the last one before; there are as many as the
   * duration times the rate, rounded. When absent, frames have the source's times; `gif` then
   * has 12.5 frames per second, if the source has more.
   */
  frameRate?: Factor;
  /**
   * From 0, the smallest file, to 1, the best quality, in equal steps of `rateFactor`: from 38
   * to 8 for `h264`, 43 to 13 for `hevc`, 54 to 10 for `vp9`, 57 to 13 for `av1`, 15 to 1 for
   * `mjpeg`.
   */
  quality?: number;
  /** The average bit rate, in bits per second. */
  bitRate?: number;
  /**
   * The encoder's own measure of constant quality (`crf`), smaller is better: 0 to 51 for `h264`
   * and `hevc`, 0 to 63 for `vp9`, 1 to 63 for `av1`; the quantizer scale, 1 to 31, for `mjpeg`.
   */
  rateFactor?: number;
  /**
   * The profile. `h264` has `baseline`, `main`, `high`, `high10`, `high422` and `high444`;
   * `hevc` has `main`, `main10`, `main422-10`, `main444-8` and `main444-10`; `vp9` has `0` to
   * `3`; `av1` has `main`; and `prores` has `proxy`, `lt`, `standard`, `hq`, `4444` and
   * `4444xq`.
   */
  profile?: string;
  /**
   * The maximum time between two sync samples, in seconds, at the frame rate that the track
   * states. Default: `2`.
   */
  keyFrameInterval?: number;
  /**
   * The pixel format by FFmpeg's name; the source decides when absent, as far as the profile
   * allows.
   */
  pixelFormat?: string;
  /** The part of the upright picture to show, in its own pixels, before it is scaled and turned. */
  crop?: Crop;
  /**
   * By how many degrees to turn the upright picture clockwise, a multiple of 90; `width` and
   * `height` are those of the result. Default: `0`.
   */
  rotate?: number;
  /**
   * The treatment of interlaced pictures. Only frames that are declared interlaced change: by
   * themselves, or by the file, where their codec can't state it. Missing rows are interpolated
   * from three fields, as FFmpeg's filter `bwdif` does. Copied tracks are never changed, and
   * encoded ones are never interlaced: with `none`, pictures are encoded as progressive ones
   * that show both fields. Default: `"auto"`.
   */
  deinterlacing?: Deinterlacing;
}

/** The video properties of a format description. */
export interface VideoFormat {
  /** The encoded size, in pixels. */
  dimensions: Size;
  /**
   * The size in square pixels, after clean aperture and pixel aspect ratio: the width is
   * stretched, never the height, and both are rounded, half away from zero.
   */
  presentationDimensions: Size;
  /** The shape of a pixel; absent when it is square. */
  pixelAspectRatio?: PixelAspectRatio;
  /** The part to be displayed, in encoded pixels; absent if it is the whole frame. */
  cleanAperture?: CleanAperture;
  /** 1 when progressive, 2 when interlaced. */
  fieldCount?: number;
  /** The order of the fields, by Core Media's names for the numbers of QuickTime's `fiel`. */
  fieldDetail?: FieldDetail;
  /** The order of the fields, by FFmpeg's names: which is stored first, and which is shown first. */
  fieldOrder?: FieldOrder;
  /** The bits of one component, for example 10. */
  bitsPerComponent?: number;
  /** The bits of a pixel as stated by the container; 32 often means that it has alpha. */
  depth?: number;
  /** The pixel format by FFmpeg's name, for example `yuv420p10le`. */
  pixelFormat?: string;
  /** The colour, as far as it is known. */
  color: Color;
  /** The exponent of a transfer function that is a plain power, for example 2.2. */
  gammaLevel?: number;
  /** Where the chroma samples are, by FFmpeg's name, for example `left`. */
  chromaLocation?: string;
  /** Whether it has transparency; absent for formats with a palette, which may or may not. */
  containsAlphaChannel?: boolean;
  /** How colours and transparency go together. */
  alphaChannelMode?: AlphaChannelMode;
  /** The mastering display. */
  masteringDisplayColorVolume?: MasteringDisplayColorVolume;
  /** The light of the brightest pixel and frame. */
  contentLightLevel?: ContentLightLevel;
  /** The ambient light that the video was graded for. */
  ambientViewingEnvironment?: AmbientViewingEnvironment;
  /** Dolby Vision. */
  dolbyVision?: DolbyVision;
  /** The ICC profile, when the container has one of at most 1 MiB. */
  iccProfile?: string;
  /** How a frame holds two views. */
  stereo3D?: Stereo3D;
  /** How a frame represents a sphere. */
  spherical?: Spherical;
  /**
   * The bytes of the length before each NAL unit of a sample; absent for other formats, and
   * where start codes part the units.
   */
  nalUnitHeaderLength?: number;
  /** The parameter sets of H.264 and HEVC, without lengths and start codes. */
  parameterSets?: string[];
}

/** What becomes of video whose parameter sets differ and have the same numbers. */
export type VideoJoin = "refuse" | "inBand";

/** The picture. */
export interface VideoOutputCopyPixelBufferResult {
  /** The layout of pixels in the bytes; absent where the picture is a file. */
  image?: ImageLayout;
  /** The bytes. */
  blob?: Blob;
  /** When the picture's own time begins, on the item's timeline. */
  itemTimeForDisplay?: Time;
  /** How long it is shown. */
  duration?: Time;
  /** The number of the frame, from 0, in presentation order; absent where frames have none. */
  sampleIndex?: number;
  /** The item's time that was asked for. */
  itemTime: Time;
  /** True where this output hasn't taken the picture of that time before. */
  isNew: boolean;
  /** How many pictures were shown since the last one that was taken, and weren't taken. */
  skipped: number;
  /** The number of jumps of the item's time. */
  revision: number;
  /** The reason for which there is none. */
  reason?: NoPictureReason;
}

/** The output. */
export interface VideoOutputCreateResult {
  /** The output's handle. */
  videoOutput: VideoOutputHandle;
}

/** Where the bytes of an output's pictures go. */
export type VideoOutputDelivery = "shm" | "inline";

/** Delivers a picture of a `push` output that is due. */
export interface VideoOutputDidOutput {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The layout of pixels in the bytes. */
  image: ImageLayout;
  /** The bytes. */
  blob: Blob;
  /** When the picture's own time begins, on the item's timeline. */
  itemTimeForDisplay: Time;
  /** How long it is shown. */
  duration: Time;
  /** The number of the frame, from 0, in presentation order; absent where frames have none. */
  sampleIndex?: number;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The number of jumps of the item's time. */
  revision: number;
  /** How many have been dropped so far. */
  dropped: DroppedPictures;
}

/**
 * Reports that pictures of another revision or direction follow: those that were taken before
 * are of the past.
 */
export interface VideoOutputDidStartSequence {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Names an output of an item's pictures, for example `videoOutput:1`. */
export type VideoOutputHandle = string & { readonly __kind?: "VideoOutputHandle" };

/** The answer. */
export interface VideoOutputHasNewPixelBufferResult {
  /** True where there is one. */
  hasNew: boolean;
  /** The item's time that it is about. */
  itemTime: Time;
}

/** The time. */
export interface VideoOutputItemTimeResult {
  /** The item's time. */
  itemTime: Time;
}

/**
 * Reports that there will be a picture, as `videoOutput/requestNotificationOfMediaDataChange`
 * asked.
 */
export interface VideoOutputMediaDataWillChange {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** How pictures of a video output come to the client. */
export type VideoOutputMode = "pull" | "push";

/** What decoded frames are converted to; give at least one of `pixelFormat` and `format`. */
export interface VideoSettings {
  /** The pixel format by FFmpeg's name, for example `rgba`. */
  pixelFormat?: string;
  /** The width in pixels; from the height when absent, or the source's when both are. */
  width?: number;
  /** The height in pixels. */
  height?: number;
  /**
   * Encodes each frame as an image: `jpeg`, `png`, `webp` or `bmp`. `pixelFormat` is then
   * ignored. HDR is mapped to SDR, as in images.
   */
  format?: ImageFormat;
  /** From 0, the smallest file, to 1, the best quality; for `jpeg` and `webp`. Default: `0.85`. */
  quality?: number;
}

/** How video is encoded, or `null` to leave it out. */
export type VideoTreatment = VideoEncoding | null;

/** The reason for which a player waits. */
export type WaitingReason = "noItemToPlay" | "toMinimizeStalls";

/** The reason for which a player waits now, or `null` where it doesn't wait any more. */
export type WaitingReasonChange = WaitingReason | null;

/** One channel of a waveform, a number for each part. */
export interface WaveformChannel {
  /** The smallest sample. */
  min: number[];
  /** The largest sample. */
  max: number[];
  /** The root of the mean square of the samples. */
  rms: number[];
}

/**
 * Reports the end of a waveform, with its result. The members about the waveform are present if
 * it succeeded.
 */
export interface WaveformDidFinish {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** How it ended. */
  result: Outcome;
  /** The audio track; absent when several were mixed. */
  trackID?: number;
  /** The range that the parts divide. */
  timeRange?: TimeRange;
  /** In hertz. */
  sampleRate?: number;
  /** The channels; absent when the waveform was drawn and `count` was not given. */
  channels?: WaveformChannel[];
  /** The image, if the waveform was drawn. */
  image?: Image;
  /**
   * The samples that could not be decoded and count as 0, as `damagedSamples`; absent when
   * nothing is missing.
   */
  dropped?: Dropped[];
  /** Why it failed or was cancelled. */
  error?: ErrorObject;
}

/** Reports the progress of a waveform, at most once per percent. */
export interface WaveformDidProgress {
  /** The operation. */
  operation: OperationHandle;
  /** The asset. */
  asset: AssetHandle;
  /** The part of the range that is decoded, from 0 to 1; it never decreases. */
  progress: number;
}

/** The role of another track for a track (AVAssetWriterInput.addTrackAssociation). */
export interface WriterAssociation {
  /** In what way the other track belongs to it. */
  associationType: TrackAssociationType;
  /** The place in `inputs` of the input whose track has the other one. */
  input: number;
  /** The place of the input of the other track. */
  associatedInput: number;
}

/** An input of a writer, which becomes a track of the file. */
export interface WriterInput {
  /** The media type of its samples: `video`, `audio`, `text` or `subtitle`; without settings any. */
  mediaType: MediaType;
  /**
   * The format that its samples are encoded to; absent or `null` for samples that are written as
   * they are. `{}` stands for what is usual in a file of that type. The track's size is that of
   * the settings, or of the first picture; pictures of other sizes are scaled to it.
   */
  outputSettings?: OutputSettings;
  /** The format of its samples, without settings. */
  sourceFormatHint?: SourceFormatHint;
  /**
   * The pictures that `assetWriter/allocate` makes room for, and the format of appended bytes
   * that state no `image`; only with settings for video.
   */
  sourcePixelBufferAttributes?: PixelBufferAttributes;
  /**
   * The ticks a second of the track's times; not for audio, whose is the sample rate. When
   * absent it is one that the times of the first samples are whole numbers of.
   */
  mediaTimeScale?: number;
  /** How the picture is turned to be shown, in whole quarter turns. */
  transform?: Transform;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /**
   * True for a track that is played by default; of tracks that exclude each other, one should
   * be. Default: `true`.
   */
  marksOutputTrackAsEnabled?: boolean;
  /**
   * True for samples that come as they are recorded: 64 MiB of them may then wait, in place of
   * 16. Default: `false`.
   */
  expectsMediaDataInRealTime?: boolean;
}

/** How far a writer is. */
export type WriterStatus = "unknown" | "writing" | "completed" | "failed" | "cancelled";

/** Which part of a picture is shown at first, and which at last; as large as the picture allows. */
export interface Zoom {
  /** The part that is shown at first. */
  from: Rectangle;
  /** The part that is shown at last. */
  to: Rectangle;
}

/** The params of `initialize`. */
export interface InitializeParams {
  /** The client's process id, to be watched. */
  processId?: number;
  /**
   * The version of the protocol that the client speaks, for example `1.0`. One whose first
   * number isn't this program's is refused with `unsupportedProtocolVersion`.
   */
  protocolVersion?: string;
  /** Who the client is, for the log. */
  clientInfo?: ProgramInfo;
  /** What the client can do; nothing is read from it yet. */
  capabilities?: ClientCapabilities;
}

/** The params of `shutdown`. */
export interface ShutdownParams {
}

/** The params of `rpc.discover`. */
export interface RpcDiscoverParams {
}

/** The params of `engine/capabilities`. */
export interface EngineCapabilitiesParams {
}

/** The params of `engine/stats`. */
export interface EngineStatsParams {
}

/** The params of `engine/hostTime`. */
export interface EngineHostTimeParams {
}

/** The params of `engine/setLogLevel`. */
export interface EngineSetLogLevelParams {
  /** The least important level to be sent. */
  level: LogLevel;
}

/** The params of `handle/list`. */
export interface HandleListParams {
}

/** The params of `handle/close`. */
export interface HandleCloseParams {
  /** The handle, of any kind. */
  handle: AnyHandle;
}

/** The params of `asset/open`. */
export interface AssetOpenParams {
  /**
   * A path, absolute or from the server's working folder, or a `file:` URL; if there is no
   * `resource` and no `item`.
   */
  url?: string;
  /** Bytes that the client supplies; if there is no `url` and no `item`. */
  resource?: Resource;
  /** The library of `item`. */
  library?: LibraryHandle;
  /**
   * The identifier of an item of a library, whose file is opened; if there is no `url` and no
   * `resource`.
   */
  item?: string;
  /** How it is opened. */
  options?: AssetOptions;
}

/** The params of `asset/loadValues`. */
export interface AssetLoadValuesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The keys, at least one. */
  keys: AssetKey[];
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `asset/valueStatus`. */
export interface AssetValueStatusParams {
  /** The asset. */
  asset: AssetHandle;
  /** The keys. */
  keys: AssetKey[];
}

/** The params of `asset/cancelLoading`. */
export interface AssetCancelLoadingParams {
  /** The asset. */
  asset: AssetHandle;
}

/** The params of `asset/tracks`. */
export interface AssetTracksParams {
  /** The asset. */
  asset: AssetHandle;
  /** Only the track with this number. */
  trackID?: number;
  /** Only tracks of this media type. */
  mediaType?: MediaType;
  /** Only tracks with this characteristic. */
  mediaCharacteristic?: MediaCharacteristic;
  /** Only tracks that this takes; a rule that fits none is no error here. */
  selection?: TrackSelection;
}

/** The params of `asset/findUnusedTrackID`. */
export interface AssetFindUnusedTrackIDParams {
  /** The asset. */
  asset: AssetHandle;
}

/** The params of `asset/metadata`. */
export interface AssetMetadataParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track; absent for the asset's own metadata. */
  trackID?: number;
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
  preferredLanguages?: string[];
  /** Leaves out where the media was made and who uses it. Default: `false`. */
  forSharing?: boolean;
  /**
   * How the bytes of data are returned; with files, `%d` counts the items with data. Default:
   * `"inline"`.
   */
  delivery?: Delivery;
}

/** The params of `asset/chapterMetadataGroups`. */
export interface AssetChapterMetadataGroupsParams {
  /** The asset. */
  asset: AssetHandle;
  /** Only with titles in this language, one of `availableChapterLocales`. */
  titleLocale?: string;
  /**
   * With titles in the first of these languages (BCP 47) that there is, else in the file's
   * first.
   */
  bestMatchingPreferredLanguages?: string[];
  /** Further items of the chapters: only `artwork` is possible. */
  containingItemsWithCommonKeys?: string[];
  /**
   * How the bytes of artwork are returned; with files, `%d` counts the images. Default:
   * `"inline"`.
   */
  delivery?: Delivery;
}

/** The params of `asset/mediaSelectionGroup`. */
export interface AssetMediaSelectionGroupParams {
  /** The asset. */
  asset: AssetHandle;
  /** `audible`, `legible` or `visual`. */
  mediaCharacteristic: MediaCharacteristic;
  /** Only options that this build can decode. Default: `false`. */
  playable?: boolean;
  /** Only options with all of these characteristics. */
  withMediaCharacteristics?: MediaCharacteristic[];
  /** Only options with none of these characteristics. */
  withoutMediaCharacteristics?: MediaCharacteristic[];
  /** Only options in one of these languages (BCP 47), in the order of the languages. */
  preferredLanguages?: string[];
}

/** The params of `resource/allocate`. */
export interface ResourceAllocateParams {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of bytes: 65536 to 67108864; 8388608 is enough for all reads that are made ahead. */
  size: number;
}

/** The params of `track/loadValues`. */
export interface TrackLoadValuesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** The keys, at least one. */
  keys: TrackKey[];
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `track/valueStatus`. */
export interface TrackValueStatusParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** The keys. */
  keys: TrackKey[];
}

/** The params of `track/segment`. */
export interface TrackSegmentParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** A time of the track. */
  trackTime: TimeInput;
}

/** The params of `track/samplePresentationTime`. */
export interface TrackSamplePresentationTimeParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** A time of the track. */
  trackTime: TimeInput;
}

/** The params of `track/associatedTracks`. */
export interface TrackAssociatedTracksParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** In what way they belong to it. */
  associationType: TrackAssociationType;
}

/** The params of `composition/create`. */
export interface CompositionCreateParams {
  /**
   * The size that pictures are shown in; left out, that of the timeline, or of the first picture
   * as it is shown.
   */
  naturalSize?: Size;
  /** What it is to be, as `composition/timeline` returns it. */
  timeline?: CompositionTimelineInput;
}

/** The params of `composition/assemble`. */
export interface CompositionAssembleParams {
  /** The sequence. */
  sequence: ClipSequenceInput;
  /** Whether the timeline is all that is wanted, and no composition is made. Default: `false`. */
  timelineOnly?: boolean;
}

/** The params of `composition/import`. */
export interface CompositionImportParams {
  /** The document. */
  document: OpenTimelineIODocument;
  /** The folder that relative URLs in it begin at. Left out: the server's working folder. */
  relativeTo?: string;
}

/** The params of `composition/openTimelineIO`. */
export interface CompositionOpenTimelineIOParams {
  /** The composition. */
  composition: CompositionHandle;
  /**
   * A folder, as an absolute path, that the URLs of files in it are written relative to. Left
   * out: none; all URLs are absolute.
   */
  relativeTo?: string;
}

/** The params of `composition/copy`. */
export interface CompositionCopyParams {
  /** The composition. */
  composition: CompositionHandle;
}

/** The params of `composition/timeline`. */
export interface CompositionTimelineParams {
  /** The composition. */
  composition: CompositionHandle;
}

/** The params of `composition/set`. */
export interface CompositionSetParams {
  /** The composition. */
  composition: CompositionHandle;
  /**
   * The size that pictures are shown in, from 1 × 1 to 16384 × 16384; `"source"` for that of the
   * first picture as it is shown.
   */
  naturalSize?: CanvasSize;
  /**
   * How loud its tracks are in a mix, for who mixes them and states nothing else; `null` for no
   * mix.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * How pictures are made of its tracks, for who makes them and states nothing else; `null` for
   * none.
   */
  videoComposition?: VideoCompositionSettingInput;
}

/** The params of `composition/addTrack`. */
export interface CompositionAddTrackParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The kind of its media. */
  mediaType: MediaType;
  /** The number that it gets if no track has it or had it; else it gets another one. */
  preferredTrackID?: number;
}

/** The params of `composition/removeTrack`. */
export interface CompositionRemoveTrackParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track. */
  trackID: number;
}

/** The params of `composition/setTrack`. */
export interface CompositionSetTrackParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track. */
  trackID: number;
  /** Whether it is presented; a new one is. */
  isEnabled?: boolean;
  /** Ticks a second of its times; 0 for that of its first segment, or 600. */
  naturalTimeScale?: number;
  /** The language by ISO 639-2/T; empty for that of the track's first part, `und` for none. */
  languageCode?: string;
  /** The language by BCP 47; empty for that of the track's first part. */
  extendedLanguageTag?: string;
  /** How its pictures are turned, beside what their sources state, which is done already. */
  preferredTransform?: Transform;
  /** The volume to play it at, 1 for full volume. */
  preferredVolume?: number;
}

/** The params of `composition/compatibleTrack`. */
export interface CompositionCompatibleTrackParams {
  /** The composition. */
  composition: CompositionHandle;
  /** An asset. */
  asset: AssetHandle;
  /** A track of the asset. */
  assetTrackID: number;
}

/** The params of `composition/insertTimeRange`. */
export interface CompositionInsertTimeRangeParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The asset: a file's, or another composition, of which it takes what it is now. */
  asset: AssetHandle;
  /**
   * The range of the asset; with the duration `"+infinity"` up to its end. Of a single picture
   * as much as is wanted. Left out, it is all of it.
   */
  timeRange?: TimeRangeInput;
  /** Where to insert it; left out, at the end of the track or of the composition. */
  at?: TimeInput;
  /** The track to insert it in. */
  trackID?: number;
  /** The asset's track to insert, with `trackID`; left out, the first one of the kind. */
  assetTrackID?: number;
  /** The asset's tracks to insert, without `trackID`; left out, all. */
  tracks?: TrackSelection;
  /** Whether a range that goes beyond the asset is cut to what there is. Default: `false`. */
  clamp?: boolean;
}

/** The params of `composition/insertTimeRanges`. */
export interface CompositionInsertTimeRangesParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track to insert them in. */
  trackID: number;
  /** The ranges, in order. */
  items: CompositionItemInput[];
  /** Where to insert them; left out, at the end of the track. */
  at?: TimeInput;
  /** Whether ranges that go beyond their track are cut to what there is. Default: `false`. */
  clamp?: boolean;
}

/** The params of `composition/insertEmptyTimeRange`. */
export interface CompositionInsertEmptyTimeRangeParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The range. */
  timeRange: TimeRangeInput;
  /** The track; left out, all tracks. */
  trackID?: number;
}

/** The params of `composition/removeTimeRange`. */
export interface CompositionRemoveTimeRangeParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The range. */
  timeRange: TimeRangeInput;
  /** The track; left out, all tracks. */
  trackID?: number;
}

/** The params of `composition/scaleTimeRange`. */
export interface CompositionScaleTimeRangeParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The range. */
  timeRange: TimeRangeInput;
  /** How long it is to last; above zero. */
  toDuration: TimeInput;
  /** The track; left out, all tracks. */
  trackID?: number;
}

/** The params of `composition/segments`. */
export interface CompositionSegmentsParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track. */
  trackID: number;
}

/** The params of `composition/setSegments`. */
export interface CompositionSetSegmentsParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track. */
  trackID: number;
  /** The segments, from zero on without gaps between them. */
  segments: CompositionSegmentInput[];
}

/** The params of `composition/validateSegments`. */
export interface CompositionValidateSegmentsParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track. */
  trackID: number;
  /** The segments. */
  segments: CompositionSegmentInput[];
}

/** The params of `videoComposition/withPropertiesOf`. */
export interface VideoCompositionWithPropertiesOfParams {
  /** The asset. */
  asset: AssetHandle;
  /** What every instruction has. */
  prototype?: InstructionPrototype;
}

/** The params of `videoComposition/validate`. */
export interface VideoCompositionValidateParams {
  /** The video composition. */
  videoComposition: VideoCompositionInput;
  /** What it is for; left out, tracks and the end aren't looked at. */
  asset?: AssetHandle;
  /** Which instructions are looked at: those that overlap it. Left out: all of them. */
  timeRange?: TimeRangeInput;
}

/** The params of `videoComposition/ramp`. */
export interface VideoCompositionRampParams {
  /** The layer. */
  layerInstruction: VideoCompositionLayerInstructionInput;
  /** Which of its values. */
  kind: LayerRampKind;
  /** The time. */
  time: TimeInput;
}

/** The params of `audioMix/volumeRamp`. */
export interface AudioMixVolumeRampParams {
  /** The mix. */
  audioMix: AudioMixInput;
  /** The track; 0 stands for the mix of all of them. */
  trackID: number;
  /** The time. */
  time: TimeInput;
}

/** The params of `videoComposition/finishFrame`. */
export interface VideoCompositionFinishFrameParams {
  /** The number of the request. */
  request: number;
  /** Why there is no picture. */
  error?: CompositorError;
}

/** The params of `imageGenerator/create`. */
export interface ImageGeneratorCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /** Whether images are turned upright, by the track's preferred transform. Default: `false`. */
  appliesPreferredTrackTransform?: boolean;
  /** The maximum width and height; 0 leaves one of them open. Images are never enlarged. */
  maximumSize?: Size;
  /** Which part of the frame images show. Default: `"cleanAperture"`. */
  apertureMode?: ApertureMode;
  /**
   * How much earlier than the requested time an image may be; zero on both sides means the exact
   * frame. Default: `"+infinity"`.
   */
  requestedTimeToleranceBefore?: TimeInput;
  /** How much later than the requested time an image may be. Default: `"+infinity"`. */
  requestedTimeToleranceAfter?: TimeInput;
  /**
   * What happens to high dynamic range. With `forceSDR` such an image is in BT.709 throughout,
   * `yuv420p` and `yuv420p10le` in its matrix and limited range. The source's peak is its
   * MaxCLL, else its mastering display's, else 1000 nits. Default: `"forceSDR"`.
   */
  dynamicRangePolicy?: DynamicRangePolicy;
  /**
   * The treatment of interlaced frames. With `auto` the image of a frame that is declared
   * interlaced is made of its first field and of the fields around it; progressive frames stay
   * as they are. Left out: `auto`, and `none` with the `apertureMode` `encodedPixels`.
   */
  deinterlacing?: ImageDeinterlacing;
  /**
   * How pictures are made of the video tracks. An image is then of the very picture that is
   * shown at the time, whatever the tolerances are. Left out: the asset's own, which a
   * composition may have.
   */
  videoComposition?: VideoCompositionSettingInput;
}

/** The params of `imageGenerator/generateImage`. */
export interface ImageGeneratorGenerateImageParams {
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /**
   * The time, in the asset's time; the track's first frame when absent. The first frame is not
   * always presented at 0, and with zero tolerance there is no image before it. Without a time
   * the result is exactly the first frame, whatever its time and the tolerances.
   */
  time?: TimeInput;
  /**
   * The format of the image; when absent, the extension of a file decides, else it is `jpeg`.
   * The extensions are `jpg`, `jpeg`, `png`, `webp` and `bmp`, in upper or lower case. Without
   * `format` any other extension is refused; without an extension the format is `jpeg`.
   */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /** Where the bytes go. Default: `"inline"`. */
  delivery?: Delivery;
}

/** The params of `imageGenerator/generateImages`. */
export interface ImageGeneratorGenerateImagesParams {
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** The times, in the asset's time, in any order. */
  times?: TimeInput[];
  /**
   * The numbers of frames in the track, in presentation order, from 0, as `sampleIndex` counts
   * them; in any order. The image is of exactly that frame, whatever the tolerances. A number
   * that the track does not have ends as `noImageAtTime`, which states how many there are. All
   * of the file is indexed.
   */
  samples?: number[];
  /** The format of the images; as for `imageGenerator/generateImage` when absent. */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * Where the bytes go; a file's path needs a `%d` when there are several images. Default:
   * `"inline"`.
   */
  delivery?: Delivery;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `imageGenerator/contactSheet`. */
export interface ImageGeneratorContactSheetParams {
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
  /** The number of tiles in a row. */
  columns?: number;
  /** The number of rows. */
  rows?: number;
  /** The number of tiles. */
  count?: number;
  /** The times of the tiles in the asset's time, each after the one before it. */
  times?: TimeInput[];
  /** The range of the sheet, limited to that of the video track; the whole track when absent. */
  timeRange?: TimeRangeInput;
  /** The maximum width of a tile, in pixels, from 2 to 8192. Default: `160`. */
  tileWidth?: number;
  /**
   * The distance between neighbouring tiles in pixels, from 0 to 1024; it is black. Default:
   * `0`.
   */
  spacing?: number;
  /**
   * Whether each tile has the presentation time of its frame in its lower left corner: minutes,
   * seconds and thousandths, white on black, with hours from one on. The times are rounded to
   * the nearest millisecond; `tiles` has the exact ones. A tile that is too narrow for its time
   * has none. Default: `false`.
   */
  showsTimes?: boolean;
  /**
   * The format of the sheet, any but `yuv420p` and `yuv420p10le`. When absent, the extension of
   * a file decides, else it is `jpeg`, as for `imageGenerator/generateImage`.
   */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /** Where the bytes of the sheet go. Default: `"inline"`. */
  delivery?: Delivery;
  /**
   * The URL of the sheet in the map, absolute or relative to the map's; it has no fragment. When
   * absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
   */
  imageName?: string;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `imageGenerator/cancelAll`. */
export interface ImageGeneratorCancelAllParams {
  /** The generator. */
  imageGenerator: ImageGeneratorHandle;
}

/** The params of `exportSession/presets`. */
export interface ExportSessionPresetsParams {
}

/** The params of `exportSession/compatiblePresets`. */
export interface ExportSessionCompatiblePresetsParams {
  /** The asset. */
  asset: AssetHandle;
  /** The type that the file is to have; any when absent. */
  outputFileType?: string;
  /** Whether to list the other presets, with the reasons why they do not fit. Default: `false`. */
  explain?: boolean;
}

/** The params of `exportSession/compatibleFileTypes`. */
export interface ExportSessionCompatibleFileTypesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The preset, `Passthrough` too. */
  preset: string;
  /** Whether to list the other types, with the reasons why they do not fit. Default: `false`. */
  explain?: boolean;
}

/** The params of `exportSession/create`. */
export interface ExportSessionCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The preset, AVFoundation's name without `AVAssetExportPreset`, for example `MediumQuality`,
   * in capital or small letters; when absent, `settings` and the type of the file decide.
   */
  preset?: string;
  /**
   * What is made of the tracks: it overrides members of the preset, or takes its place. All that
   * is wrong with it is reported at once, in `data.errors` of `invalidParams`, as far as the
   * asset can be loaded.
   */
  settings?: ExportSettings;
  /** The file to make, a path or a `file:` URL; an existing file makes the export fail. */
  outputURL: string;
  /** The type of the file, a short name or a uniform type; from the path's extension when absent. */
  outputFileType?: string;
  /** The part of the asset to export; all of it when absent. */
  timeRange?: TimeRangeInput;
  /**
   * The metadata of the file, including artwork; it replaces the asset's. When absent, the
   * asset's is copied.
   */
  metadata?: MetadataEntry[];
  /** What is changed of that metadata; the rest stays as it is. */
  metadataChanges?: MetadataChanges;
  /**
   * The chapters of the file, on the asset's clock; they replace the asset's. When absent,
   * `chaptersFrom` decides.
   */
  chapters?: ChapterInput[];
  /** The chapters of the file if `chapters` is absent. Default: `"files"`. */
  chaptersFrom?: ChapterSource;
  /**
   * The maximum size of the file in bytes; 0 is no limit. If neither `settings` nor the codec
   * determines the rate of the video, it is encoded again at one with which all of the range
   * fits. Otherwise the file ends earlier, all its tracks together at whole samples; `timeRange`
   * of `exportSession/didFinish` is then shorter, and `dropped` states by how much. If not even
   * the first samples fit, the export fails with `maximumFileSizeReached`. Default: `0`.
   */
  fileLengthLimit?: number;
  /**
   * Whether the index comes before the media, so that playing can start before the end arrives.
   * Default: `false`.
   */
  shouldOptimizeForNetworkUse?: boolean;
  /**
   * How loud the audio tracks are, where audio is encoded; `null` for their own volume. What is
   * copied is not changed, which `dropped` reports. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * How pictures are made of the video tracks, where video is encoded. What is copied is not
   * changed, which `dropped` reports. Left out: the asset's own, which a composition may have.
   */
  videoComposition?: VideoCompositionSettingInput;
  /** What becomes of audio that is scaled in time, where it is encoded. Default: `"spectral"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /**
   * Whether the enabled audio tracks that are encoded become one. Left out, those of a
   * composition do, and those of a file where `audioMix` is given; else a file's stay apart. Of
   * tracks that stay apart each is as loud as it is in the mix.
   */
  audioTracks?: AudioTracks;
  /** How a passthrough export cuts; what is encoded is cut exactly. Default: `"editList"`. */
  trimMode?: TrimMode;
  /** How a passthrough export joins the segments of a composition's tracks. */
  joins?: Joins;
  /**
   * An existing folder for the unfinished file, a path or a `file:` URL; the target's when
   * absent. If it is on another file system, the finished file is copied, which counts as
   * progress. Nothing is left in the folder, however the export ends.
   */
  directoryForTemporaryFiles?: string;
  /**
   * Whether the new file takes the place of the asset's own, which `outputURL` then has to name.
   * Only a `Passthrough` export of the whole asset to its own type can, and it fails with
   * `operationNotSupportedForAsset` if anything of the source would be left out. The source
   * stays as it is until the new file is complete and flushed; then the two change places at
   * once. The new file has the permissions of the old one, and the owner where that is allowed;
   * its time of modification is that of the export. A symbolic link stays one; other hard links
   * still name the old file. Default: `false`.
   */
  replacesSource?: boolean;
}

/** The params of `exportSession/preflight`. */
export interface ExportSessionPreflightParams {
  /** The session. */
  exportSession: ExportSessionHandle;
}

/** The params of `exportSession/estimate`. */
export interface ExportSessionEstimateParams {
  /** The session. */
  exportSession: ExportSessionHandle;
}

/** The params of `exportSession/export`. */
export interface ExportSessionExportParams {
  /** The session. */
  exportSession: ExportSessionHandle;
  /**
   * Whether the export is made in parts, and goes on where an earlier one was interrupted. The
   * parts are hidden files beside `outputURL`, or in `directoryForTemporaryFiles`. They stay
   * after a failure, a cancellation or the death of the process, until an export of the same
   * with this option is complete, or one of something else to the same `outputURL` begins. For
   * exports that encode a file's video at a constant quality: see `exportSession/plan`, whose
   * errors it has. Default: `false`.
   */
  resume?: boolean;
  /**
   * The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `exportSession/plan`. */
export interface ExportSessionPlanParams {
  /** The session. */
  exportSession: ExportSessionHandle;
  /**
   * How many parts of video there are to be, at most 1000; there are fewer where the source has
   * no sync samples for them. When absent, as many as `minimumPartDuration` allows.
   */
  partCount?: number;
  /**
   * How long a part of video is at least. When absent, 30 seconds; with `partCount`, any
   * duration.
   */
  minimumPartDuration?: TimeInput;
  /**
   * How many threads each encoder has, at most 16: the bytes of some depend on it. When absent,
   * half as many again as this machine has cores. HEVC has one picture at a time in any case,
   * and a thread for each row of it.
   */
  threadCount?: number;
}

/** The params of `exportSession/exportPart`. */
export interface ExportSessionExportPartParams {
  /** The session. */
  exportSession: ExportSessionHandle;
  /** The plan, of `exportSession/plan`. */
  plan: ExportPartPlanInput;
  /** The number of the part, from 0 on. */
  part: number;
  /** The file of the part, a path or a `file:` URL. */
  outputURL: string;
  /**
   * The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `exportSession/join`. */
export interface ExportSessionJoinParams {
  /** The session. */
  exportSession: ExportSessionHandle;
  /** The plan, of `exportSession/plan`. */
  plan: ExportPartPlanInput;
  /** The files of all parts, in the order of the plan: paths, or `file:` URLs. */
  partURLs: string[];
  /**
   * The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `exportSession/status`. */
export interface ExportSessionStatusParams {
  /** The session. */
  exportSession: ExportSessionHandle;
}

/** The params of `exportSession/cancel`. */
export interface ExportSessionCancelParams {
  /** The session. */
  exportSession: ExportSessionHandle;
}

/** The params of `assetReader/create`. */
export interface AssetReaderCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /** The part of the asset to read; all of it when absent. */
  timeRange?: TimeRangeInput;
  /** The outputs, at least one. */
  outputs: ReaderOutputInput[];
}

/** The params of `assetReader/start`. */
export interface AssetReaderStartParams {
  /** The reader. */
  assetReader: AssetReaderHandle;
}

/** The params of `assetReader/nextSampleBuffers`. */
export interface AssetReaderNextSampleBuffersParams {
  /** The output. */
  output: OutputHandle;
  /** The maximum number of buffers to return. Default: `1`. */
  maxCount?: number;
  /** The maximum number of bytes to return; one buffer is returned even if it is larger. */
  maxBytes?: number;
  /** How long to wait for leases to be released, in milliseconds; without limit when absent. */
  timeoutMs?: number;
  /** Where the bytes go. Default: `"inline"`. */
  delivery?: Delivery;
}

/** The params of `assetReader/status`. */
export interface AssetReaderStatusParams {
  /** The reader. */
  assetReader: AssetReaderHandle;
}

/** The params of `assetReader/reset`. */
export interface AssetReaderResetParams {
  /** The output. */
  output: OutputHandle;
  /** The ranges to read; none for nothing. */
  timeRanges: TimeRangeInput[];
}

/** The params of `assetReader/markConfigurationAsFinal`. */
export interface AssetReaderMarkConfigurationAsFinalParams {
  /** The output. */
  output: OutputHandle;
}

/** The params of `assetReader/cancel`. */
export interface AssetReaderCancelParams {
  /** The reader. */
  assetReader: AssetReaderHandle;
}

/** The params of `assetWriter/canAdd`. */
export interface AssetWriterCanAddParams {
  /** The type of the file, a short name or a uniform type. */
  outputFileType: string;
  /** The input. */
  input: WriterInput;
}

/** The params of `assetWriter/create`. */
export interface AssetWriterCreateParams {
  /**
   * The file to make, a path or a `file:` URL; an existing file makes `assetWriter/start` fail.
   * Required without `segments`.
   */
  outputURL?: string;
  /** Media segments, which a notification each delivers, in place of a file. */
  segments?: SegmentSettingsInput;
  /**
   * The type of the file, a short name or a uniform type; from the path's extension when absent,
   * and `mp4` for segments.
   */
  outputFileType?: string;
  /** The inputs, at least one. */
  inputs: WriterInput[];
  /** Groups of inputs of which a player chooses one, in a mov or mp4 file without fragments. */
  inputGroups?: InputGroup[];
  /** Which tracks belong to others, in a mov or mp4 file without fragments. */
  trackAssociations?: WriterAssociation[];
  /** The metadata of the file, including artwork. */
  metadata?: MetadataEntry[];
  /** The chapters of the file, on its own clock. */
  chapters?: ChapterInput[];
  /**
   * True puts the index before the media, so that playing can start before the end arrives.
   * Ignored with `movieFragmentInterval` and `segments`. Default: `false`.
   */
  shouldOptimizeForNetworkUse?: boolean;
  /** The ticks a second of a movie's own times; one that suits its tracks when absent. */
  movieTimeScale?: number;
  /**
   * The longest time between two fragments of a movie. The file has its name from the start, and
   * stays up to the last fragment that was written, whatever ends the writing: a failure,
   * `handle/close`, the end of the connection or of a process. Only `assetWriter/cancel` removes
   * it. Ignored with `segments`.
   */
  movieFragmentInterval?: TimeInput;
  /**
   * An existing folder for the unfinished file, a path or a `file:` URL; the target's when
   * absent.
   */
  directoryForTemporaryFiles?: string;
}

/** The params of `assetWriter/start`. */
export interface AssetWriterStartParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
}

/** The params of `assetWriter/startSession`. */
export interface AssetWriterStartSessionParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** The time on the clock of the samples. */
  sourceTime: TimeInput;
}

/** The params of `assetWriter/endSession`. */
export interface AssetWriterEndSessionParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** The time on the clock of the samples. */
  sourceTime: TimeInput;
}

/** The params of `assetWriter/append`. */
export interface AssetWriterAppendParams {
  /** The input. */
  input: InputHandle;
  /** The samples, at least one. */
  sampleBuffers: AppendedSampleInput[];
  /** True waits until the input takes them all. Default: `true`. */
  wait?: boolean;
  /**
   * How long to wait, in milliseconds; when absent, as long as the engine is at work, and five
   * seconds where another input has to get samples first.
   */
  timeoutMs?: number;
}

/** The params of `assetWriter/allocate`. */
export interface AssetWriterAllocateParams {
  /** The input. */
  input: InputHandle;
  /** The number of blocks, each for a picture or for so many bytes. Default: `1`. */
  count?: number;
  /** The size of each block, 1 to 64 MiB; that of the input's pictures when absent. */
  byteCount?: number;
  /** How long to wait for leases to end, in milliseconds; without limit when absent. */
  timeoutMs?: number;
}

/** The params of `assetWriter/markAsFinished`. */
export interface AssetWriterMarkAsFinishedParams {
  /** The input. */
  input: InputHandle;
}

/** The params of `assetWriter/requestMediaData`. */
export interface AssetWriterRequestMediaDataParams {
  /** The input. */
  input: InputHandle;
}

/** The params of `assetWriter/transfer`. */
export interface AssetWriterTransferParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /**
   * The outputs and the inputs that they go to, at least one pair; each output and each input
   * once.
   */
  pairs: TransferPairInput[];
  /**
   * The minimum time between two `assetWriter/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `assetWriter/flushSegment`. */
export interface AssetWriterFlushSegmentParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
}

/** The params of `assetWriter/finish`. */
export interface AssetWriterFinishParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `assetWriter/status`. */
export interface AssetWriterStatusParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
}

/** The params of `assetWriter/cancel`. */
export interface AssetWriterCancelParams {
  /** The writer. */
  assetWriter: AssetWriterHandle;
}

/** The params of `sampleCursor/create`. */
export interface SampleCursorCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /** The track. */
  trackID: number;
  /** Where the cursor is. */
  position: CursorPositionInput;
}

/** The params of `sampleCursor/step`. */
export interface SampleCursorStepParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
  /** The number of samples; backwards when negative. */
  count: number;
  /** In which order. */
  order: SampleOrder;
}

/** The params of `sampleCursor/stepByTime`. */
export interface SampleCursorStepByTimeParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
  /** The time; backwards when negative. */
  by: TimeInput;
  /** Whose clock: that of decode times, or of presentation times. */
  order: SampleOrder;
}

/** The params of `sampleCursor/sample`. */
export interface SampleCursorSampleParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
}

/** The params of `sampleCursor/samples`. */
export interface SampleCursorSamplesParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
  /** The most samples to list, 1 to 10,000. Default: `100`. */
  maxCount?: number;
  /** In which order. Default: `"decode"`. */
  order?: SampleOrder;
}

/** The params of `sampleCursor/chunk`. */
export interface SampleCursorChunkParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
}

/** The params of `sampleCursor/copy`. */
export interface SampleCursorCopyParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
}

/** The params of `sampleCursor/compare`. */
export interface SampleCursorCompareParams {
  /** The left cursor. */
  lhs: SampleCursorHandle;
  /** The right cursor. */
  rhs: SampleCursorHandle;
}

/** The params of `sampleCursor/reordering`. */
export interface SampleCursorReorderingParams {
  /** The cursor whose position in decode order counts. */
  sampleCursor: SampleCursorHandle;
  /** The cursor whose presentation time counts; it may be the same. */
  to: SampleCursorHandle;
}

/** The params of `waveform/generate`. */
export interface WaveformGenerateParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The audio track. When absent, it is the mix of all enabled ones where there is an audio mix,
   * else the first of them.
   */
  trackID?: number;
  /**
   * How loud the tracks are; `null` for their own volume. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The range that the parts divide, on the asset's clock: not before zero, and not empty. Where
   * the track has no media it is 0. An infinite duration ends with the track. When absent, it is
   * the track's range between zero and the asset's end.
   */
  timeRange?: TimeRangeInput;
  /** What becomes of audio that is scaled in time. Default: `"spectral"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /**
   * The number of parts, from 1 to 100,000; only with `format` it may be absent, and is `width`
   * then.
   */
  count?: number;
  /**
   * Draws the waveform, in the format of a file: `jpeg`, `png`, `webp` or `bmp`. When absent and
   * the delivery is a file, its extension decides, as for `imageGenerator/generateImage`.
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
   * The colour behind it, as `#rrggbb` or `#rrggbbaa`; transparent parts of a `jpeg` are white.
   * Default: `"#00000000"`.
   */
  backgroundColor?: string;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /** Where the bytes of the image go. Default: `"inline"`. */
  delivery?: Delivery;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `analysis/sceneChanges`. */
export interface AnalysisSceneChangesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The video track. When absent, it is the first enabled one. */
  trackID?: number;
  /**
   * The range to search, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeInput;
  /** How small a change may be, from 0, where only the clearest count, to 1. Default: `0.5`. */
  sensitivity?: number;
  /**
   * The duration of the shortest scene, zero or longer: of changes that are closer together, the
   * clearest remains. Default: `"1/2"`.
   */
  minimumDuration?: TimeInput;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `analysis/silences`. */
export interface AnalysisSilencesParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The audio track. When absent, it is the mix of all enabled ones where there is an audio mix,
   * else the first of them.
   */
  trackID?: number;
  /**
   * How loud the tracks are; `null` for their own volume. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The range to search, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeInput;
  /** The threshold in decibels below full scale (dBFS), from -200 to 0. Default: `-50`. */
  threshold?: number;
  /** The duration of the shortest silence, longer than zero. Default: `"1/2"`. */
  minimumDuration?: TimeInput;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `analysis/loudness`. */
export interface AnalysisLoudnessParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The audio track. When absent, it is the mix of all enabled ones where there is an audio mix,
   * else the first of them.
   */
  trackID?: number;
  /**
   * How loud the tracks are; `null` for their own volume. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The range to measure, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeInput;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `player/create`. */
export interface PlayerCreateParams {
  /** The items, in the order in which they are played. Default: `[]`. */
  items?: PlayerItemHandle[];
  /** True for a queue, whose items play in turn. Default: `false`. */
  isQueue?: boolean;
  /** The clock that host times are on. Default: `"audio"`. */
  clock?: PlayerClock;
  /**
   * The destination of audio. Left out: none on a `manual` clock, else the server's default
   * device. A device can't be on a `manual` clock.
   */
  audioDevice?: AudioDevice;
  /** The format that audio is mixed in. */
  audioFormat?: PlayerAudioFormat;
  /** What happens at the end of an item. Left out: `advance` for a queue, else `pause`. */
  actionAtItemEnd?: ActionAtItemEnd;
  /**
   * True where a player that has too little decoded waits and goes on by itself; false where its
   * rate becomes 0 then. Default: `true`.
   */
  automaticallyWaitsToMinimizeStalling?: boolean;
  /** The volume, from 0 to 1; it multiplies that of the item's mix. Default: `1`. */
  volume?: number;
  /** True for no audio, whatever the volume. Default: `false`. */
  isMuted?: boolean;
  /** The rate that `player/play` sets. Default: `1`. */
  defaultRate?: number;
}

/** The params of `player/play`. */
export interface PlayerPlayParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/pause`. */
export interface PlayerPauseParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/setRate`. */
export interface PlayerSetRateParams {
  /** The player. */
  player: PlayerHandle;
  /** The rate, from -32 to 32: 1 is normal speed, 0 is paused, below 0 is backward. */
  rate: number;
  /** The item's time; the current one when absent. */
  time?: TimeInput;
  /** The time of the player's clock; as soon as possible when absent. */
  atHostTime?: TimeInput;
  /** True to play what is decoded, though that is little. Default: `false`. */
  immediately?: boolean;
}

/** The params of `player/set`. */
export interface PlayerSetParams {
  /** The player. */
  player: PlayerHandle;
  /** The volume, from 0 to 1. */
  volume?: number;
  /** True for no audio, whatever the volume. */
  isMuted?: boolean;
  /** The destination of audio. */
  audioDevice?: AudioDevice;
  /** What happens at the end of an item. Set after the end, it happens at once. */
  actionAtItemEnd?: ActionAtItemEnd;
  /** True where a player that has too little decoded waits and goes on by itself. */
  automaticallyWaitsToMinimizeStalling?: boolean;
  /** The rate that `player/play` sets. */
  defaultRate?: number;
}

/** The params of `player/state`. */
export interface PlayerStateParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/seek`. */
export interface PlayerSeekParams {
  /** The player. */
  player: PlayerHandle;
  /** The item's time to go to: a number, or an infinity. */
  time: TimeInput;
  /** How much earlier than `time` the item may land. Default: `"+infinity"`. */
  toleranceBefore?: TimeInput;
  /** How much later than `time` the item may land. Default: `"+infinity"`. */
  toleranceAfter?: TimeInput;
  /**
   * True for one of many seeks in a row: one that is in flight ends and is shown, the newest one
   * waits, and those between end with `finished` `false`. Default: `false`.
   */
  whileScrubbing?: boolean;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `player/cancelPendingSeeks`. */
export interface PlayerCancelPendingSeeksParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/preroll`. */
export interface PlayerPrerollParams {
  /** The player. */
  player: PlayerHandle;
  /** The rate that will be set, from -32 to 32. */
  rate: number;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `player/cancelPendingPrerolls`. */
export interface PlayerCancelPendingPrerollsParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/replaceCurrentItem`. */
export interface PlayerReplaceCurrentItemParams {
  /** The player. */
  player: PlayerHandle;
  /** The new item; none when absent or `null`. */
  playerItem?: PlayerItemHandle;
}

/** The params of `player/items`. */
export interface PlayerItemsParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/insert`. */
export interface PlayerInsertParams {
  /** The player. */
  player: PlayerHandle;
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The item that it comes after; the last one when absent. */
  after?: PlayerItemHandle;
  /**
   * True to only see whether it can be inserted, and what the items would be then. Default:
   * `false`.
   */
  dryRun?: boolean;
}

/** The params of `player/remove`. */
export interface PlayerRemoveParams {
  /** The player. */
  player: PlayerHandle;
  /** The item. */
  playerItem: PlayerItemHandle;
}

/** The params of `player/removeAllItems`. */
export interface PlayerRemoveAllItemsParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/advanceToNextItem`. */
export interface PlayerAdvanceToNextItemParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `player/addPeriodicTimeObserver`. */
export interface PlayerAddPeriodicTimeObserverParams {
  /** The player. */
  player: PlayerHandle;
  /** The interval, of the item's time: above 0. */
  interval: TimeInput;
}

/** The params of `player/addBoundaryTimeObserver`. */
export interface PlayerAddBoundaryTimeObserverParams {
  /** The player. */
  player: PlayerHandle;
  /** The times, from 1 to 10,000, in any order; of equal ones each fires. */
  times: TimeInput[];
}

/** The params of `player/advanceClock`. */
export interface PlayerAdvanceClockParams {
  /** The player. */
  player: PlayerHandle;
  /**
   * The time that passes, up to 24 hours; 0 only waits for what goes on. Give either this or
   * `to`.
   */
  by?: TimeInput;
  /** The time of the clock to go to, not before its own. */
  to?: TimeInput;
}

/** The params of `player/finishAudioFile`. */
export interface PlayerFinishAudioFileParams {
  /** The player. */
  player: PlayerHandle;
}

/** The params of `playerItem/create`. */
export interface PlayerItemCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /** The tracks that are presented; those that are enabled in the file when absent. */
  enabledTrackIDs?: number[];
  /**
   * How pictures are made of the video tracks; `null` for none. Left out: the asset's own, which
   * a composition may have.
   */
  videoComposition?: VideoCompositionSettingInput;
  /**
   * How loud the audio tracks are; `null` for their own volume. Left out: the asset's own mix,
   * which a composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /** What becomes of audio at rates other than 1. Default: `"timeDomain"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** Where the item begins. Default: `0`. */
  initialTime?: TimeInput;
  /**
   * Where it ends when it is played forward; `"invalid"` for its duration. It may be beyond
   * that. Default: `"invalid"`.
   */
  forwardPlaybackEndTime?: TimeInput;
  /** Where it ends when it is played backward; `"invalid"` for 0. Default: `"invalid"`. */
  reversePlaybackEndTime?: TimeInput;
  /** How much is decoded ahead, as far as memory goes; 0 leaves it to the player. Default: `0`. */
  preferredForwardBufferDuration?: TimeInput;
}

/** The params of `playerItem/set`. */
export interface PlayerItemSetParams {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The tracks that are presented; `null` for those that are enabled in the file. */
  enabledTrackIDs?: EnabledTracks;
  /** How pictures are made of the video tracks; `null` for none. */
  videoComposition?: VideoCompositionSettingInput;
  /** How loud the audio tracks are; `null` for their own volume. */
  audioMix?: AudioMixSettingInput;
  /** What becomes of audio at rates other than 1. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** Where it ends when it is played forward; `"invalid"` for its duration. */
  forwardPlaybackEndTime?: TimeInput;
  /** Where it ends when it is played backward; `"invalid"` for 0. */
  reversePlaybackEndTime?: TimeInput;
}

/** The params of `playerItem/select`. */
export interface PlayerItemSelectParams {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The characteristic of the tracks to choose from: `audible`, `visual` or `legible`. */
  characteristic: MediaCharacteristic;
  /** The track; none of them when absent or `null`. */
  trackID?: number;
}

/** The params of `playerItem/state`. */
export interface PlayerItemStateParams {
  /** The item. */
  playerItem: PlayerItemHandle;
}

/** The params of `playerItem/step`. */
export interface PlayerItemStepParams {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The number of frames; below 0 for steps back. */
  count: number;
}

/** The params of `videoOutput/create`. */
export interface VideoOutputCreateParams {
  /** The item. */
  playerItem: PlayerItemHandle;
  /**
   * The format of pictures: pixels, or with `pull` a file format such as `jpeg`. Default:
   * `"bgra"`.
   */
  pixelFormat?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * The width in pixels, from 1 to 16,384; from the height when absent, or the item's when both
   * are.
   */
  width?: number;
  /** The height in pixels, from 1 to 16,384. */
  height?: number;
  /** Where the bytes go. `push` needs `"shm"`. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
  /** How pictures come. Default: `"pull"`. */
  mode?: VideoOutputMode;
  /** How many leases may be out at a time, from 1 to 32. Default: `3`. */
  maxOutstanding?: number;
  /** Which part of the frame pictures show. Default: `"cleanAperture"`. */
  apertureMode?: ApertureMode;
  /** What happens to high dynamic range. Default: `"forceSDR"`. */
  dynamicRangePolicy?: DynamicRangePolicy;
}

/** The params of `videoOutput/hasNewPixelBuffer`. */
export interface VideoOutputHasNewPixelBufferParams {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The item's time. */
  itemTime?: TimeInput;
  /** The time of the player's clock. */
  hostTime?: TimeInput;
}

/** The params of `videoOutput/itemTime`. */
export interface VideoOutputItemTimeParams {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The time of the player's clock. */
  hostTime: TimeInput;
}

/** The params of `videoOutput/copyPixelBuffer`. */
export interface VideoOutputCopyPixelBufferParams {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The item's time. */
  itemTime?: TimeInput;
  /** The time of the player's clock. */
  hostTime?: TimeInput;
  /** True to take a picture only once. Default: `true`. */
  onlyIfNew?: boolean;
  /** How long to wait for one that isn't decoded yet, in milliseconds. Default: `0`. */
  timeoutMs?: number;
}

/** The params of `videoOutput/requestNotificationOfMediaDataChange`. */
export interface VideoOutputRequestNotificationOfMediaDataChangeParams {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** How long before. */
  advanceInterval: TimeInput;
}

/** The params of `playerLooper/create`. */
export interface PlayerLooperCreateParams {
  /** The player. */
  player: PlayerHandle;
  /** The item, which is in no player. */
  templateItem: PlayerItemHandle;
  /** The range of the item; all of it when absent or `"invalid"`. */
  timeRange?: TimeRangeInput;
  /** The place among the items of the queue. Default: `"loopingItemsPrecedeExistingItems"`. */
  existingItemsOrdering?: LooperOrdering;
}

/** The params of `playerLooper/state`. */
export interface PlayerLooperStateParams {
  /** The looper. */
  playerLooper: PlayerLooperHandle;
}

/** The params of `playerLooper/disable`. */
export interface PlayerLooperDisableParams {
  /** The looper. */
  playerLooper: PlayerLooperHandle;
}

/** The params of `audioPlayer/create`. */
export interface AudioPlayerCreateParams {
  /** The path or `file:` URL of a file; if there is no `asset`. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /**
   * The destination of audio. Left out: none on a `manual` clock, else the server's default
   * device. A device can't be on a `manual` clock.
   */
  audioDevice?: AudioDevice;
  /** The clock that host times are on. Default: `"audio"`. */
  clock?: PlayerClock;
  /** The number of passes after the first one; -1 for passes without an end. Default: `0`. */
  numberOfLoops?: number;
  /**
   * The place between left, -1, and right, 1. At 0 both sides are as they are, at ±1 one of them
   * is silent. Default: `0`.
   */
  pan?: number;
  /** The volume, from 0 to 1. Default: `1`. */
  volume?: number;
  /** True where `rate` is used, and may be changed. Default: `false`. */
  enableRate?: boolean;
  /** The rate, from 0.5 to 2; the pitch stays. Default: `1`. */
  rate?: number;
  /** True where `audioPlayer/meters` may be asked for. Default: `false`. */
  isMeteringEnabled?: boolean;
  /**
   * The time of the audio between two `audioPlayer/didMeter`, at least 20 ms; none are sent when
   * absent. With it, metering is enabled.
   */
  meterInterval?: TimeInput;
}

/** The params of `audioPlayer/prepareToPlay`. */
export interface AudioPlayerPrepareToPlayParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `audioPlayer/play`. */
export interface AudioPlayerPlayParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /**
   * The time of the player's clock to begin at; as soon as possible when absent. For one that
   * has passed it is as if it had played since.
   */
  atHostTime?: TimeInput;
}

/** The params of `audioPlayer/pause`. */
export interface AudioPlayerPauseParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `audioPlayer/stop`. */
export interface AudioPlayerStopParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `audioPlayer/set`. */
export interface AudioPlayerSetParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** The volume, from 0 to 1. */
  volume?: number;
  /** The time over which the volume changes, as far as it plays; only with `volume`. */
  fadeDuration?: TimeInput;
  /** The place between left, -1, and right, 1. */
  pan?: number;
  /** The rate, from 0.5 to 2; refused where rates aren't enabled. */
  rate?: number;
  /** The number of passes after the one that plays; -1 for passes without an end. */
  numberOfLoops?: number;
  /** The time to go to, exactly. */
  currentTime?: TimeInput;
}

/** The params of `audioPlayer/state`. */
export interface AudioPlayerStateParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `audioPlayer/meters`. */
export interface AudioPlayerMetersParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `audioPlayer/advanceClock`. */
export interface AudioPlayerAdvanceClockParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /**
   * The time that passes, up to 24 hours; 0 only waits for what goes on. Give either this or
   * `to`.
   */
  by?: TimeInput;
  /** The time of the clock to go to, not before its own. */
  to?: TimeInput;
}

/** The params of `audioPlayer/finishAudioFile`. */
export interface AudioPlayerFinishAudioFileParams {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
}

/** The params of `captureSession/create`. */
export interface CaptureSessionCreateParams {
  /** What picks the formats of devices. Default: `"high"`. */
  preset?: CapturePreset;
  /** The session's clock. Default: `"host"`. */
  clock?: CaptureClock;
}

/** The params of `captureSession/configure`. */
export interface CaptureSessionConfigureParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The changes, in this order; 999 at most. */
  changes: CaptureChangeInput[];
  /** True to learn what would become of them, and change nothing. Default: `false`. */
  dryRun?: boolean;
}

/** The params of `captureSession/start`. */
export interface CaptureSessionStartParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `captureSession/stop`. */
export interface CaptureSessionStopParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `captureSession/state`. */
export interface CaptureSessionStateParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
}

/** The params of `captureSession/advanceClock`. */
export interface CaptureSessionAdvanceClockParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** How far, above 0. */
  by: TimeInput;
}

/** The params of `captureOutput/startRecording`. */
export interface CaptureOutputStartRecordingParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The file to make, a path or a `file:` URL. */
  outputURL: string;
  /** The type of the file, a short name or a uniform type; from the path's extension when absent. */
  fileType?: string;
  /** What becomes of the tracks. */
  settings?: RecordingSettings;
  /** The metadata of the file. */
  metadata?: MetadataEntry[];
  /** The duration at which it ends, with `maximumDurationReached`. */
  maxRecordedDuration?: TimeInput;
  /** The bytes that the file has at most; it ends with `maximumFileSizeReached`. */
  maxRecordedFileSize?: number;
  /** The bytes that stay free on the disk; it ends with `diskFull`. Default: `67108864`. */
  minFreeDiskSpaceLimit?: number;
  /**
   * The time between two fragments, from 0.1 to 60 seconds; `"invalid"` for a plain file that is
   * complete or absent. Default: `2`.
   */
  movieFragmentInterval?: TimeInput;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `captureOutput/stopRecording`. */
export interface CaptureOutputStopRecordingParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
}

/** The params of `captureOutput/pauseRecording`. */
export interface CaptureOutputPauseRecordingParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
}

/** The params of `captureOutput/resumeRecording`. */
export interface CaptureOutputResumeRecordingParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
}

/** The params of `captureOutput/recordingState`. */
export interface CaptureOutputRecordingStateParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
}

/** The params of `captureOutput/nextSampleBuffers`. */
export interface CaptureOutputNextSampleBuffersParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** How many at most, from 1 to 256. Default: `1`. */
  maxCount?: number;
  /** How long to wait for the first, in milliseconds. Default: `1000`. */
  timeoutMs?: number;
}

/** The params of `captureOutput/capturePhoto`. */
export interface CaptureOutputCapturePhotoParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The format. Default: `"jpeg"`. */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /** The width in pixels; the frame's when absent. */
  width?: number;
  /** Where the bytes go. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `captureOutput/levels`. */
export interface CaptureOutputLevelsParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
}

/** The params of `captureOutput/observeLevels`. */
export interface CaptureOutputObserveLevelsParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The time between two, from 0.01 seconds on. Default: `0.05`. */
  interval?: TimeInput;
  /** False to have none come any more. Default: `true`. */
  isObserving?: boolean;
}

/** The params of `audioRecorder/create`. */
export interface AudioRecorderCreateParams {
  /** The file to make, a path or a `file:` URL. */
  url: string;
  /** How the audio is encoded; by the type of the file when absent. */
  settings?: AudioEncoding;
  /** The `uniqueID` of the device, or `default` for the default microphone. Default: `"default"`. */
  device?: string;
  /** The clock. Default: `"host"`. */
  clock?: CaptureClock;
  /** The settings of the device's input, as in `captureSession/configure`. */
  deviceSettings?: CaptureSettingsInput;
}

/** The params of `audioRecorder/prepareToRecord`. */
export interface AudioRecorderPrepareToRecordParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/record`. */
export interface AudioRecorderRecordParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
  /** The time of the clock for what is to be the first sample; as soon as possible when absent. */
  atHostTime?: TimeInput;
  /** The duration after which it stops by itself. */
  forDuration?: TimeInput;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `audioRecorder/pause`. */
export interface AudioRecorderPauseParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/stop`. */
export interface AudioRecorderStopParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/deleteRecording`. */
export interface AudioRecorderDeleteRecordingParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/state`. */
export interface AudioRecorderStateParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/meters`. */
export interface AudioRecorderMetersParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
}

/** The params of `audioRecorder/advanceClock`. */
export interface AudioRecorderAdvanceClockParams {
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
  /** How far, above 0. */
  by: TimeInput;
}

/** The params of `capture/authorizationStatus`. */
export interface CaptureAuthorizationStatusParams {
  /** The media of the devices: cameras, microphones with what sinks play, or screens. */
  mediaType: CaptureMediaType;
}

/** The params of `capture/devices`. */
export interface CaptureDevicesParams {
  /** The media of the devices; any when absent. */
  mediaType?: CaptureMediaType;
  /** The side of the media. Default: `"input"`. */
  direction?: DeviceDirection;
}

/** The params of `capture/observeDevices`. */
export interface CaptureObserveDevicesParams {
  /** False to end it. */
  isObserving: boolean;
}

/** The params of `library/open`. */
export interface LibraryOpenParams {
  /**
   * The path of the database. When absent, it is a file in `$XDG_DATA_HOME/reelwire`, by default
   * `~/.local/share/reelwire`: one of its own for each list of `folders`, or `library.sqlite`
   * without any.
   */
  database?: string;
  /** Folders that are to be a part of it; those that it has stay. */
  folders?: LibraryFolder[];
  /** Whether the library is kept up to date while it is open. Default: `true`. */
  watch?: boolean;
}

/** The params of `library/addFolder`. */
export interface LibraryAddFolderParams {
  /** The library. */
  library: LibraryHandle;
  /** The path of the folder. */
  path: string;
  /** Folders below it that don't belong to the library, as paths from it. */
  excluded?: string[];
}

/** The params of `library/removeFolder`. */
export interface LibraryRemoveFolderParams {
  /** The library. */
  library: LibraryHandle;
  /** The path of the folder. */
  path: string;
}

/** The params of `library/scan`. */
export interface LibraryScanParams {
  /** The library. */
  library: LibraryHandle;
  /** The path of a folder of the library, or of one below; all of its folders when absent. */
  folder?: string;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `library/cancelScan`. */
export interface LibraryCancelScanParams {
  /** The library. */
  library: LibraryHandle;
}

/** The params of `library/status`. */
export interface LibraryStatusParams {
  /** The library. */
  library: LibraryHandle;
}

/** The params of `library/fetch`. */
export interface LibraryFetchParams {
  /** The library. */
  library: LibraryHandle;
  /** The kind of media; all when absent. */
  mediaType?: LibraryMediaType;
  /** Which items; all when absent. */
  predicate?: LibraryPredicate;
  /**
   * The order, 16 keys at most; ties, and all items when absent, are in the order in which they
   * were added.
   */
  sort?: LibrarySort[];
  /** How many items at most. */
  limit?: number;
  /** Whether `library/didChange` reports how the result changes. Default: `false`. */
  observe?: boolean;
}

/** The params of `library/collections`. */
export interface LibraryCollectionsParams {
  /** The library. */
  library: LibraryHandle;
  /** What the items of each have in common. */
  type: LibraryCollectionType;
}

/** The params of `library/changes`. */
export interface LibraryChangesParams {
  /** The library. */
  library: LibraryHandle;
  /** A change token; the last 100,000 changes are known. */
  since: number;
}

/** The params of `library/duplicates`. */
export interface LibraryDuplicatesParams {
  /** The library. */
  library: LibraryHandle;
  /** When to answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `fetchResult/items`. */
export interface FetchResultItemsParams {
  /** The result. */
  fetchResult: FetchResultHandle;
  /** The index of the first one. Default: `0`. */
  start?: number;
  /** How many, from 1 to 500. Default: `100`. */
  count?: number;
  /** What is wanted of each beside its identifier; all when absent. */
  keys?: LibraryItemKey[];
}

/** The params of `fetchResult/index`. */
export interface FetchResultIndexParams {
  /** The result. */
  fetchResult: FetchResultHandle;
  /** The item's identifier. */
  item: string;
}

/** The params of `fetchResult/count`. */
export interface FetchResultCountParams {
  /** The result. */
  fetchResult: FetchResultHandle;
  /** The key, as of `LibraryComparison`. */
  by: string;
}

/** The params of `libraryItem/values`. */
export interface LibraryItemValuesParams {
  /** The library. */
  library: LibraryHandle;
  /** The item's identifier. */
  item: string;
  /** The keys of `values`; all when absent. */
  keys?: string[];
}

/** The params of `libraryItem/thumbnail`. */
export interface LibraryItemThumbnailParams {
  /** The library. */
  library: LibraryHandle;
  /** The item's identifier. */
  item: string;
  /**
   * The longer side, in pixels, from 16 to 2,048; a picture that is smaller keeps its size.
   * Default: `256`.
   */
  width?: number;
  /** Where the bytes of the picture go. Default: `"inline"`. */
  delivery?: Delivery;
}

/** The params of `time/add`. */
export interface TimeAddParams {
  /** One time. */
  lhs: TimeInput;
  /** The other time. */
  rhs: TimeInput;
}

/** The params of `time/subtract`. */
export interface TimeSubtractParams {
  /** What is subtracted from. */
  lhs: TimeInput;
  /** What is subtracted. */
  rhs: TimeInput;
}

/** The params of `time/multiply`. */
export interface TimeMultiplyParams {
  /** The time. */
  time: TimeInput;
  /** What it is multiplied by. */
  by: Factor;
}

/** The params of `time/compare`. */
export interface TimeCompareParams {
  /** One time. */
  lhs: TimeInput;
  /** The other time. */
  rhs: TimeInput;
}

/** The params of `time/convertScale`. */
export interface TimeConvertScaleParams {
  /** The time. */
  time: TimeInput;
  /** The new timescale, 1 or more. */
  timescale: number;
  /** How to round. Default: `"halfAwayFromZero"`. */
  rounding?: Rounding;
}

/** The params of `time/seconds`. */
export interface TimeSecondsParams {
  /** The time. */
  time: TimeInput;
}

/** The params of `time/describe`. */
export interface TimeDescribeParams {
  /** The time. */
  time: TimeInput;
}

/** The params of `timeRange/end`. */
export interface TimeRangeEndParams {
  /** The range. */
  range: TimeRangeInput;
}

/** The params of `timeRange/contains`. */
export interface TimeRangeContainsParams {
  /** The outer range. */
  range: TimeRangeInput;
  /** The time to look for. */
  time?: TimeInput;
  /** The range to look for. */
  timeRange?: TimeRangeInput;
}

/** The params of `timeRange/union`. */
export interface TimeRangeUnionParams {
  /** One range. */
  lhs: TimeRangeInput;
  /** The other range. */
  rhs: TimeRangeInput;
}

/** The params of `timeRange/intersection`. */
export interface TimeRangeIntersectionParams {
  /** One range. */
  lhs: TimeRangeInput;
  /** The other range. */
  rhs: TimeRangeInput;
}

/** The params of `timeRange/equal`. */
export interface TimeRangeEqualParams {
  /** One range. */
  lhs: TimeRangeInput;
  /** The other range. */
  rhs: TimeRangeInput;
}

/** The params of `timeRange/clamp`. */
export interface TimeRangeClampParams {
  /** The range. */
  range: TimeRangeInput;
  /** The time. */
  time: TimeInput;
}

/** The params of `timeRange/fold`. */
export interface TimeRangeFoldParams {
  /** The range. */
  range: TimeRangeInput;
  /** The time. */
  time: TimeInput;
}

/** The params of `timeRange/map`. */
export interface TimeRangeMapParams {
  /** The time. */
  time: TimeInput;
  /** The range it is in. */
  from: TimeRangeInput;
  /** The range it is mapped to. */
  to: TimeRangeInput;
}

/** The params of `exit`. */
export interface ExitParams {
}

/** The params of `$/cancelRequest`. */
export interface CancelRequestParams {
  /** The id of the request to cancel; one that is unknown or answered is ignored. */
  id: unknown;
}

/** The params of `blob/release`. */
export interface BlobReleaseParams {
  /** The leases, any number of them. */
  leases: LeaseHandle[];
}

/** The params of `resource/didRead`. */
export interface ResourceDidReadParams {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of the read. */
  request: number;
  /** The bytes. */
  blob?: ResourceBytes;
  /** Why there are none. */
  error?: ResourceError;
  /** Whether the resource ends behind these bytes. Default: `false`. */
  isEnd?: boolean;
}

/** Every request: its params and its result. */
export interface Requests {
  /** Exchanges versions and capabilities. */
  'initialize': { params: InitializeParams; result: InitializeResult };
  /** Cancels all work and closes all handles; only `exit` may follow. */
  'shutdown': { params: ShutdownParams; result: null };
  /** Describes every method, as an OpenRPC document. */
  'rpc.discover': { params: RpcDiscoverParams; result: Record<string, unknown> };
  /** Lists what this build supports: containers, codecs, formats and presets. */
  'engine/capabilities': { params: EngineCapabilitiesParams; result: EngineCapabilitiesResult };
  /** Counts what the server holds and has done, for tests, dashboards and finding leaks. */
  'engine/stats': { params: EngineStatsParams; result: EngineStatsResult };
  /** Returns the time of the host clock, which players on the clocks `host` and `audio` go by. */
  'engine/hostTime': { params: EngineHostTimeParams; result: EngineHostTimeResult };
  /** Turns on `engine/log` notifications from a level upwards; `off` turns them off. */
  'engine/setLogLevel': { params: EngineSetLogLevelParams; result: Record<string, never> };
  /** Lists every open handle of this connection, oldest first. */
  'handle/list': { params: HandleListParams; result: HandleListResult };
  /** Releases an object. */
  'handle/close': { params: HandleCloseParams; result: Record<string, never> };
  /** Opens a file as an asset, or bytes that the client supplies. */
  'asset/open': { params: AssetOpenParams; result: AssetOpenResult };
  /** Loads keys of an asset. */
  'asset/loadValues': { params: AssetLoadValuesParams; result: OperationStarted | AssetDidLoadValues };
  /** Returns the state of keys of an asset, without loading or waiting. */
  'asset/valueStatus': { params: AssetValueStatusParams; result: AssetValueStatusResult };
  /** Cancels the loading of all keys of an asset and of its tracks. */
  'asset/cancelLoading': { params: AssetCancelLoadingParams; result: Record<string, never> };
  /** Lists the tracks of an asset, loading them first if necessary. */
  'asset/tracks': { params: AssetTracksParams; result: AssetTracksResult };
  /** Returns a track number that no track of an asset has. */
  'asset/findUnusedTrackID': { params: AssetFindUnusedTrackIDParams; result: AssetFindUnusedTrackIDResult };
  /** Lists metadata of an asset or of one of its tracks, with the bytes of its data. */
  'asset/metadata': { params: AssetMetadataParams; result: AssetMetadataResult };
  /** Lists the chapters of an asset. */
  'asset/chapterMetadataGroups': { params: AssetChapterMetadataGroupsParams; result: AssetChapterMetadataGroupsResult };
  /** Returns the options of a characteristic. */
  'asset/mediaSelectionGroup': { params: AssetMediaSelectionGroupParams; result: AssetMediaSelectionGroupResult };
  /** Lets a client put the bytes of a resource into memory that both processes have mapped. */
  'resource/allocate': { params: ResourceAllocateParams; result: ResourceAllocateResult };
  /** Loads keys of a track. */
  'track/loadValues': { params: TrackLoadValuesParams; result: OperationStarted | TrackDidLoadValues };
  /** Returns the state of keys of a track, without loading or waiting. */
  'track/valueStatus': { params: TrackValueStatusParams; result: TrackValueStatusResult };
  /** Returns the segment of a track that contains a time. */
  'track/segment': { params: TrackSegmentParams; result: TrackSegmentResult };
  /** Maps a time of a track to the time of the media that is presented then. */
  'track/samplePresentationTime': { params: TrackSamplePresentationTimeParams; result: TrackSamplePresentationTimeResult };
  /** Lists the tracks that are associated with a track. */
  'track/associatedTracks': { params: TrackAssociatedTracksParams; result: TrackAssociatedTracksResult };
  /** Creates a composition: an asset made of parts of others. */
  'composition/create': { params: CompositionCreateParams; result: CompositionCreateResult };
  /** Makes a composition of clips one after the other, with transitions, overlays and music. */
  'composition/assemble': { params: CompositionAssembleParams; result: CompositionAssembleResult };
  /** Makes a composition of a document of OpenTimelineIO. */
  'composition/import': { params: CompositionImportParams; result: CompositionImportResult };
  /** Returns a composition as a document of OpenTimelineIO, for other programs. */
  'composition/openTimelineIO': { params: CompositionOpenTimelineIOParams; result: CompositionOpenTimelineIOResult };
  /** Makes a composition with the same tracks, which is edited on its own. */
  'composition/copy': { params: CompositionCopyParams; result: CompositionCreateResult };
  /**
   * Returns all that a composition is, as a document: its canonical form, so that equal
   * compositions have the same bytes.
   */
  'composition/timeline': { params: CompositionTimelineParams; result: CompositionTimelineResult };
  /** Sets properties of a composition as a whole; those that are left out stay as they are. */
  'composition/set': { params: CompositionSetParams; result: CompositionState };
  /** Adds a track without media. */
  'composition/addTrack': { params: CompositionAddTrackParams; result: CompositionAddTrackResult };
  /** Removes a track. */
  'composition/removeTrack': { params: CompositionRemoveTrackParams; result: CompositionState };
  /** Sets properties of a track; those that are left out stay as they are. */
  'composition/setTrack': { params: CompositionSetTrackParams; result: CompositionState };
  /** Finds a track that can show parts of an asset's track: one of the same kind. */
  'composition/compatibleTrack': { params: CompositionCompatibleTrackParams; result: CompositionCompatibleTrackResult };
  /** Inserts a range of an asset. */
  'composition/insertTimeRange': { params: CompositionInsertTimeRangeParams; result: CompositionInsertTimeRangeResult };
  /** Inserts ranges of tracks one after the other in a track; all of them, or none. */
  'composition/insertTimeRanges': { params: CompositionInsertTimeRangesParams; result: CompositionInsertTimeRangeResult };
  /** Inserts a range that shows nothing; what is shown from its start on is shown behind it. */
  'composition/insertEmptyTimeRange': { params: CompositionInsertEmptyTimeRangeParams; result: CompositionState };
  /** Takes a range out; what follows it is shown at once. */
  'composition/removeTimeRange': { params: CompositionRemoveTimeRangeParams; result: CompositionState };
  /**
   * Shows a range faster or slower, so that it lasts as long as stated; what is shown behind it
   * follows.
   */
  'composition/scaleTimeRange': { params: CompositionScaleTimeRangeParams; result: CompositionState };
  /** Returns the segments of a track, in order. */
  'composition/segments': { params: CompositionSegmentsParams; result: CompositionSegmentsResult };
  /** Replaces all segments of a track. */
  'composition/setSegments': { params: CompositionSetSegmentsParams; result: CompositionState };
  /** Returns what would be wrong with segments; nothing changes. */
  'composition/validateSegments': { params: CompositionValidateSegmentsParams; result: CompositionValidateSegmentsResult };
  /**
   * Makes a video composition that shows the video tracks of an asset as they are, the first on
   * top.
   */
  'videoComposition/withPropertiesOf': { params: VideoCompositionWithPropertiesOfParams; result: VideoCompositionWithPropertiesOfResult };
  /**
   * Returns all that is wrong with a video composition: what `composition/set` and the others
   * that take one refuse, and with an asset besides the time up to the end of its video that no
   * instruction covers.
   */
  'videoComposition/validate': { params: VideoCompositionValidateParams; result: VideoCompositionValidateResult };
  /**
   * Returns the ramp of a layer's value that a time is in, else the first one that starts after
   * it.
   */
  'videoComposition/ramp': { params: VideoCompositionRampParams; result: VideoCompositionRampResult };
  /**
   * Returns the ramp of a track's volume that a time is in, else the first one that starts after
   * it.
   */
  'audioMix/volumeRamp': { params: AudioMixVolumeRampParams; result: AudioMixVolumeRampResult };
  /** Answers a `videoComposition/composeFrame`: the picture is drawn, or can't be. */
  'videoComposition/finishFrame': { params: VideoCompositionFinishFrameParams; result: Record<string, never> };
  /** Makes a generator of images of an asset's first enabled video track. */
  'imageGenerator/create': { params: ImageGeneratorCreateParams; result: ImageGeneratorCreateResult };
  /** Makes the image of one time, or of the first frame. */
  'imageGenerator/generateImage': { params: ImageGeneratorGenerateImageParams; result: ImageGeneratorGenerateImageResult };
  /** Makes the images of several times, or of frames by their numbers. */
  'imageGenerator/generateImages': { params: ImageGeneratorGenerateImagesParams; result: OperationStarted | ImageGeneratorDidFinish };
  /** Makes a contact sheet: one image of many frames of a video, with a WebVTT map for players. */
  'imageGenerator/contactSheet': { params: ImageGeneratorContactSheetParams; result: OperationStarted | ImageGeneratorDidFinishContactSheet };
  /** Cancels all outstanding requests of a generator. */
  'imageGenerator/cancelAll': { params: ImageGeneratorCancelAllParams; result: Record<string, never> };
  /** Lists all presets of this build except `Passthrough`, which every asset supports. */
  'exportSession/presets': { params: ExportSessionPresetsParams; result: ExportSessionPresetsResult };
  /** Lists the presets that can export an asset, loading it first if necessary. */
  'exportSession/compatiblePresets': { params: ExportSessionCompatiblePresetsParams; result: ExportSessionCompatiblePresetsResult };
  /**
   * Lists the types of files that a preset can export an asset to, loading it first if
   * necessary.
   */
  'exportSession/compatibleFileTypes': { params: ExportSessionCompatibleFileTypesParams; result: ExportSessionCompatibleFileTypesResult };
  /** Makes a session that exports an asset to a new file. */
  'exportSession/create': { params: ExportSessionCreateParams; result: ExportSessionCreateResult };
  /** Returns what an export would do, without doing it. */
  'exportSession/preflight': { params: ExportSessionPreflightParams; result: ExportSessionPreflightResult };
  /** Estimates how long and how large the file will be. */
  'exportSession/estimate': { params: ExportSessionEstimateParams; result: ExportSessionEstimateResult };
  /** Exports. */
  'exportSession/export': { params: ExportSessionExportParams; result: OperationStarted | ExportSessionDidFinish };
  /**
   * Divides an export into parts that are made one by one, in any process and on any machine,
   * and joined.
   */
  'exportSession/plan': { params: ExportSessionPlanParams; result: ExportSessionPlanResult };
  /** Makes a part as a file, which `exportSession/join` reads and nothing else. */
  'exportSession/exportPart': { params: ExportSessionExportPartParams; result: OperationStarted | ExportSessionDidFinish };
  /** Exports of parts that have been made: the session's one export, to its `outputURL`. */
  'exportSession/join': { params: ExportSessionJoinParams; result: OperationStarted | ExportSessionDidFinish };
  /** Returns the status of an export, without waiting for it. */
  'exportSession/status': { params: ExportSessionStatusParams; result: ExportSessionStatusResult };
  /** Cancels an export; one that has ended stays as it is. */
  'exportSession/cancel': { params: ExportSessionCancelParams; result: Record<string, never> };
  /** Makes a reader of an asset's samples, loading the asset first if necessary. */
  'assetReader/create': { params: AssetReaderCreateParams; result: AssetReaderCreateResult };
  /** Starts reading; once. */
  'assetReader/start': { params: AssetReaderStartParams; result: Record<string, never> };
  /** Reads the next sample buffers of an output. */
  'assetReader/nextSampleBuffers': { params: AssetReaderNextSampleBuffersParams; result: AssetReaderNextSampleBuffersResult };
  /** Returns the status of a reader. */
  'assetReader/status': { params: AssetReaderStatusParams; result: AssetReaderStatusResult };
  /**
   * Lets an output with `supportsRandomAccess` read other time ranges, after its last buffer was
   * read.
   */
  'assetReader/reset': { params: AssetReaderResetParams; result: Record<string, never> };
  /** Declares that an output with `supportsRandomAccess` will not be reset again. */
  'assetReader/markConfigurationAsFinal': { params: AssetReaderMarkConfigurationAsFinalParams; result: Record<string, never> };
  /** Cancels reading; outstanding requests to its outputs fail with `operationCancelled`. */
  'assetReader/cancel': { params: AssetReaderCancelParams; result: Record<string, never> };
  /** States whether a file of a type can have an input. */
  'assetWriter/canAdd': { params: AssetWriterCanAddParams; result: AssetWriterCanAddResult };
  /** Makes a writer of samples to a new file, or to segments. */
  'assetWriter/create': { params: AssetWriterCreateParams; result: AssetWriterCreateResult };
  /** Starts writing, once. */
  'assetWriter/start': { params: AssetWriterStartParams; result: Record<string, never> };
  /** Begins the session: a sample of that time is presented at the start of the file. */
  'assetWriter/startSession': { params: AssetWriterStartSessionParams; result: Record<string, never> };
  /** Ends the session: what is presented from that time on isn't shown. */
  'assetWriter/endSession': { params: AssetWriterEndSessionParams; result: Record<string, never> };
  /** Appends samples to an input, in the order of arrival. */
  'assetWriter/append': { params: AssetWriterAppendParams; result: AssetWriterAppendResult };
  /**
   * Makes room for samples in memory that the client writes to
   * (AVAssetWriterInputPixelBufferAdaptor's pool).
   */
  'assetWriter/allocate': { params: AssetWriterAllocateParams; result: AssetWriterAllocateResult };
  /** States that an input gets no more samples; other inputs wait for it no more. */
  'assetWriter/markAsFinished': { params: AssetWriterMarkAsFinishedParams; result: Record<string, never> };
  /**
   * Asks for an `assetWriter/inputReady` whenever the input takes samples again, the first at
   * once if it does.
   */
  'assetWriter/requestMediaData': { params: AssetWriterRequestMediaDataParams; result: Record<string, never> };
  /**
   * Moves samples from outputs of readers into inputs, all pairs together so that none waits for
   * another.
   */
  'assetWriter/transfer': { params: AssetWriterTransferParams; result: OperationStarted | AssetWriterDidTransfer };
  /**
   * Ends the segment with what has been appended; only where the segments' interval is
   * indefinite.
   */
  'assetWriter/flushSegment': { params: AssetWriterFlushSegmentParams; result: Record<string, never> };
  /** Marks all inputs as finished, writes the rest, and gives the file its name. */
  'assetWriter/finish': { params: AssetWriterFinishParams; result: OperationStarted | AssetWriterDidFinish };
  /** Returns the status of a writer, without waiting for it. */
  'assetWriter/status': { params: AssetWriterStatusParams; result: AssetWriterStatusResult };
  /**
   * Cancels a writer, which leaves no file, not even of fragments; one that has ended stays as
   * it is.
   */
  'assetWriter/cancel': { params: AssetWriterCancelParams; result: Record<string, never> };
  /** Makes a cursor at a sample of a track. */
  'sampleCursor/create': { params: SampleCursorCreateParams; result: SampleCursorCreateResult };
  /** Moves a cursor by a number of samples, not beyond the ends. */
  'sampleCursor/step': { params: SampleCursorStepParams; result: SampleCursorStepResult };
  /** Moves a cursor by a time, not beyond the ends. */
  'sampleCursor/stepByTime': { params: SampleCursorStepByTimeParams; result: SampleCursorStepByTimeResult };
  /** Describes the sample at which a cursor is. */
  'sampleCursor/sample': { params: SampleCursorSampleParams; result: SampleCursorSampleResult };
  /** Lists the current sample and those after it, and moves the cursor behind them. */
  'sampleCursor/samples': { params: SampleCursorSamplesParams; result: SampleCursorSamplesResult };
  /** Describes the samples around a cursor that are adjacent in the file. */
  'sampleCursor/chunk': { params: SampleCursorChunkParams; result: SampleCursorChunkResult };
  /** Makes another cursor at the same position; each moves alone. */
  'sampleCursor/copy': { params: SampleCursorCopyParams; result: SampleCursorCopyResult };
  /** Compares the positions of two cursors of one track in decode order. */
  'sampleCursor/compare': { params: SampleCursorCompareParams; result: SampleCursorCompareResult };
  /**
   * Returns whether samples before and after a cursor in decode order are on the other side of
   * another cursor, of the same track, in presentation order.
   */
  'sampleCursor/reordering': { params: SampleCursorReorderingParams; result: SampleCursorReorderingResult };
  /** Makes the waveform of an audio track: its extremes and its power in parts of equal length. */
  'waveform/generate': { params: WaveformGenerateParams; result: OperationStarted | WaveformDidFinish };
  /** Finds the scene changes of a video track: the frames that the scenes of a film begin with. */
  'analysis/sceneChanges': { params: AnalysisSceneChangesParams; result: OperationStarted | AnalysisDidFindSceneChanges };
  /** Finds the silences of audio: where all channels are below a threshold for long enough. */
  'analysis/silences': { params: AnalysisSilencesParams; result: OperationStarted | AnalysisDidFindSilences };
  /** Measures the loudness of audio by ITU-R BS.1770-4 and EBU R 128. */
  'analysis/loudness': { params: AnalysisLoudnessParams; result: OperationStarted | AnalysisDidMeasureLoudness };
  /** Makes a player: a clock, and what is due at its times of the item that it plays. */
  'player/create': { params: PlayerCreateParams; result: PlayerCreateResult };
  /** Sets the rate to the player's `defaultRate`. */
  'player/play': { params: PlayerPlayParams; result: PlayerRate };
  /** Sets the rate to 0. */
  'player/pause': { params: PlayerPauseParams; result: PlayerRate };
  /** Sets the rate, and with it the time that the item has at a host time. */
  'player/setRate': { params: PlayerSetRateParams; result: PlayerRate };
  /** Changes settings of a player; those that are left out stay as they are. */
  'player/set': { params: PlayerSetParams; result: Record<string, never> };
  /** Returns one moment of a player, without waiting for requests that came before. */
  'player/state': { params: PlayerStateParams; result: PlayerStateResult };
  /** Moves the item's time. */
  'player/seek': { params: PlayerSeekParams; result: RevisedOperationStarted | PlayerDidSeek };
  /** Ends the seeks that haven't ended, with `finished` `false`. */
  'player/cancelPendingSeeks': { params: PlayerCancelPendingSeeksParams; result: CancelledCount };
  /** Decodes what playing begins with, so that `player/play` is followed at once. */
  'player/preroll': { params: PlayerPrerollParams; result: OperationStarted | PlayerDidPreroll };
  /** Ends the prerolls that haven't ended, with `finished` `false`. */
  'player/cancelPendingPrerolls': { params: PlayerCancelPendingPrerollsParams; result: CancelledCount };
  /** Replaces the current item of a player; in a queue the new one takes its place. */
  'player/replaceCurrentItem': { params: PlayerReplaceCurrentItemParams; result: Record<string, never> };
  /** Returns the items of a player. */
  'player/items': { params: PlayerItemsParams; result: PlayerItems };
  /** Inserts an item into a queue. */
  'player/insert': { params: PlayerInsertParams; result: PlayerItems };
  /** Removes an item; where it is the current one, the next one follows. */
  'player/remove': { params: PlayerRemoveParams; result: Record<string, never> };
  /** Removes all items of a player. */
  'player/removeAllItems': { params: PlayerRemoveAllItemsParams; result: Record<string, never> };
  /** Drops the current item of a queue, and goes on with the next one. */
  'player/advanceToNextItem': { params: PlayerAdvanceToNextItemParams; result: PlayerAdvanceToNextItemResult };
  /**
   * Adds an observer that fires at the multiples of an interval of the item's time, as they are
   * crossed.
   */
  'player/addPeriodicTimeObserver': { params: PlayerAddPeriodicTimeObserverParams; result: NewTimeObserver };
  /**
   * Adds an observer that fires when the item's time crosses given times by playing, and not by
   * a jump.
   */
  'player/addBoundaryTimeObserver': { params: PlayerAddBoundaryTimeObserverParams; result: NewTimeObserver };
  /**
   * Moves a manual clock, and returns when all that is due until then has happened and is
   * written.
   */
  'player/advanceClock': { params: PlayerAdvanceClockParams; result: PlayerAdvanceClockResult };
  /** Finishes the file that a player writes its audio to, and gives it its name. */
  'player/finishAudioFile': { params: PlayerFinishAudioFileParams; result: PlayerFinishAudioFileResult };
  /**
   * Makes an item: the presentation of an asset in a player, which of its tracks, how loud,
   * composed how and to which end.
   */
  'playerItem/create': { params: PlayerItemCreateParams; result: PlayerItemCreateResult };
  /** Changes settings of an item; those that are left out stay as they are. */
  'playerItem/set': { params: PlayerItemSetParams; result: Record<string, never> };
  /**
   * Presents one of the tracks that are alternatives to each other, as
   * `asset/mediaSelectionGroup` lists them, or none of them.
   */
  'playerItem/select': { params: PlayerItemSelectParams; result: Record<string, never> };
  /** Returns one moment of an item, without waiting for requests that came before. */
  'playerItem/state': { params: PlayerItemStateParams; result: PlayerItemStateResult };
  /** Moves the current item of a player by frames of its first enabled video track. */
  'playerItem/step': { params: PlayerItemStepParams; result: PlayerItemStepResult };
  /** Makes an output of an item's pictures. */
  'videoOutput/create': { params: VideoOutputCreateParams; result: VideoOutputCreateResult };
  /** Returns whether there is a picture for a time that this output hasn't taken yet. */
  'videoOutput/hasNewPixelBuffer': { params: VideoOutputHasNewPixelBufferParams; result: VideoOutputHasNewPixelBufferResult };
  /** Returns the item's time at a host time, if the rate stays as it is. */
  'videoOutput/itemTime': { params: VideoOutputItemTimeParams; result: VideoOutputItemTimeResult };
  /** Takes the picture of a time. */
  'videoOutput/copyPixelBuffer': { params: VideoOutputCopyPixelBufferParams; result: VideoOutputCopyPixelBufferResult };
  /** Requests one notification of when there will be a picture that this output hasn't taken. */
  'videoOutput/requestNotificationOfMediaDataChange': { params: VideoOutputRequestNotificationOfMediaDataChangeParams; result: Record<string, never> };
  /** Plays a range of an item again and again, without a gap. */
  'playerLooper/create': { params: PlayerLooperCreateParams; result: PlayerLooperCreateResult };
  /** Returns what has become of a looper. */
  'playerLooper/state': { params: PlayerLooperStateParams; result: PlayerLooperStateResult };
  /** Stops looping: the pass that plays now is the last one. */
  'playerLooper/disable': { params: PlayerLooperDisableParams; result: Record<string, never> };
  /** Makes a player of the audio of one file or asset, which is opened at once. */
  'audioPlayer/create': { params: AudioPlayerCreateParams; result: AudioPlayerCreateResult };
  /** Decodes what playing begins with, so that it begins at once. */
  'audioPlayer/prepareToPlay': { params: AudioPlayerPrepareToPlayParams; result: Record<string, never> };
  /** Plays from the current time on; after the end, all passes from the start. */
  'audioPlayer/play': { params: AudioPlayerPlayParams; result: Record<string, never> };
  /** Stops where it is, and stays prepared. */
  'audioPlayer/pause': { params: AudioPlayerPauseParams; result: Record<string, never> };
  /** Stops where it is, and gives up what was prepared. */
  'audioPlayer/stop': { params: AudioPlayerStopParams; result: Record<string, never> };
  /** Changes settings of an audio player; those that are left out stay as they are. */
  'audioPlayer/set': { params: AudioPlayerSetParams; result: Record<string, never> };
  /** Returns one moment of an audio player, without waiting for requests that came before. */
  'audioPlayer/state': { params: AudioPlayerStateParams; result: AudioPlayerStateResult };
  /** Returns the levels of the last 50 ms that the audio device was given, without waiting. */
  'audioPlayer/meters': { params: AudioPlayerMetersParams; result: AudioPlayerMetersResult };
  /**
   * Moves a manual clock, as `player/advanceClock` does: it returns when all that is due until
   * then has happened and is written.
   */
  'audioPlayer/advanceClock': { params: AudioPlayerAdvanceClockParams; result: AudioPlayerAdvanceClockResult };
  /** Finishes the file that an audio player writes its audio to, and gives it its name. */
  'audioPlayer/finishAudioFile': { params: AudioPlayerFinishAudioFileParams; result: AudioPlayerFinishAudioFileResult };
  /** Makes a capture session, without inputs and outputs. */
  'captureSession/create': { params: CaptureSessionCreateParams; result: CaptureSessionCreateResult };
  /** Changes a session's inputs, outputs and connections: all changes, or none. */
  'captureSession/configure': { params: CaptureSessionConfigureParams; result: CaptureSessionConfigureResult };
  /** Starts all inputs. */
  'captureSession/start': { params: CaptureSessionStartParams; result: OperationStarted | CaptureSessionDidStart };
  /** Ends recordings and stops all inputs. */
  'captureSession/stop': { params: CaptureSessionStopParams; result: OperationStarted | CaptureSessionDidStop };
  /** Returns one moment of a session. */
  'captureSession/state': { params: CaptureSessionStateParams; result: CaptureSessionStateResult };
  /** Moves a manual clock: captures all that begins before the new time, audio to the sample. */
  'captureSession/advanceClock': { params: CaptureSessionAdvanceClockParams; result: CaptureSessionAdvanceClockResult };
  /** Starts a recording into a new file, of a `movieFile` or `audioFile` output. */
  'captureOutput/startRecording': { params: CaptureOutputStartRecordingParams; result: OperationStarted | CaptureOutputDidFinishRecording };
  /** Stops a recording: what is captured until now is in it. */
  'captureOutput/stopRecording': { params: CaptureOutputStopRecordingParams; result: Record<string, never> };
  /** Pauses a recording: what is captured from now on isn't in it. */
  'captureOutput/pauseRecording': { params: CaptureOutputPauseRecordingParams; result: Record<string, never> };
  /** Goes on with a paused recording. */
  'captureOutput/resumeRecording': { params: CaptureOutputResumeRecordingParams; result: Record<string, never> };
  /** Returns one moment of an output's recording. */
  'captureOutput/recordingState': { params: CaptureOutputRecordingStateParams; result: CaptureOutputRecordingStateResult };
  /** Returns the samples of a data output that wait, or the next one. */
  'captureOutput/nextSampleBuffers': { params: CaptureOutputNextSampleBuffersParams; result: CaptureOutputNextSampleBuffersResult };
  /**
   * Takes the next frame of a `photo` output as an image, in the full size of the session's
   * format.
   */
  'captureOutput/capturePhoto': { params: CaptureOutputCapturePhotoParams; result: OperationStarted | CaptureOutputDidFinishCapture };
  /** Returns the levels of an output's audio. */
  'captureOutput/levels': { params: CaptureOutputLevelsParams; result: CaptureOutputLevelsResult };
  /** Has `captureOutput/didMeasureLevels` come, or no more. */
  'captureOutput/observeLevels': { params: CaptureOutputObserveLevelsParams; result: Record<string, never> };
  /** Makes a recorder of a device's audio. */
  'audioRecorder/create': { params: AudioRecorderCreateParams; result: AudioRecorderCreateResult };
  /** Makes the file and starts the device, so that recording begins at once. */
  'audioRecorder/prepareToRecord': { params: AudioRecorderPrepareToRecordParams; result: Record<string, never> };
  /** Starts recording, or goes on after a pause. */
  'audioRecorder/record': { params: AudioRecorderRecordParams; result: OperationStarted | AudioRecorderDidFinishRecording };
  /** Pauses: what is captured from now on isn't in the file. */
  'audioRecorder/pause': { params: AudioRecorderPauseParams; result: Record<string, never> };
  /** Completes the file, and lets go of the device. */
  'audioRecorder/stop': { params: AudioRecorderStopParams; result: Record<string, never> };
  /** Removes the file that the recorder made last, and no other that has come to its path. */
  'audioRecorder/deleteRecording': { params: AudioRecorderDeleteRecordingParams; result: Record<string, never> };
  /** Returns one moment of a recorder. */
  'audioRecorder/state': { params: AudioRecorderStateParams; result: AudioRecorderStateResult };
  /** Returns the levels of what is recorded. */
  'audioRecorder/meters': { params: AudioRecorderMetersParams; result: AudioRecorderMetersResult };
  /** Moves a manual clock. */
  'audioRecorder/advanceClock': { params: AudioRecorderAdvanceClockParams; result: AudioRecorderAdvanceClockResult };
  /** Returns whether a kind of devices may be used. */
  'capture/authorizationStatus': { params: CaptureAuthorizationStatusParams; result: CaptureAuthorizationStatusResult };
  /** Lists the devices of this machine. */
  'capture/devices': { params: CaptureDevicesParams; result: CaptureDevicesResult };
  /** Begins to report devices that come, go or change, as `capture/didChangeDevices`, or ends it. */
  'capture/observeDevices': { params: CaptureObserveDevicesParams; result: Record<string, never> };
  /** Opens a library: folders of media, with what is known of each file in a database. */
  'library/open': { params: LibraryOpenParams; result: LibraryOpenResult };
  /** Makes a folder a part of a library; a scan reads it. */
  'library/addFolder': { params: LibraryAddFolderParams; result: Record<string, never> };
  /** Forgets a folder of a library and its items; the files stay. */
  'library/removeFolder': { params: LibraryRemoveFolderParams; result: Record<string, never> };
  /** Brings a library up to date: all of its folders, or what is in one folder and below it. */
  'library/scan': { params: LibraryScanParams; result: OperationStarted | LibraryDidScan };
  /** Cancels all scans of a library; each ends with its terminal notification. */
  'library/cancelScan': { params: LibraryCancelScanParams; result: Record<string, never> };
  /** Returns the folders of a library, and how they are. */
  'library/status': { params: LibraryStatusParams; result: LibraryStatusResult };
  /** Finds items of a library. */
  'library/fetch': { params: LibraryFetchParams; result: LibraryFetchResult };
  /** Returns the collections of a library that have items. */
  'library/collections': { params: LibraryCollectionsParams; result: LibraryCollectionsResult };
  /** Returns what has changed in a library since a change token, also of an earlier connection. */
  'library/changes': { params: LibraryChangesParams; result: LibraryChangesResult };
  /** Finds files of the same content in a library. */
  'library/duplicates': { params: LibraryDuplicatesParams; result: OperationStarted | LibraryDidFindDuplicates };
  /** Returns some of the items of a result, as they are now. */
  'fetchResult/items': { params: FetchResultItemsParams; result: FetchResultItemsResult };
  /** Returns the index of an item in a result. */
  'fetchResult/index': { params: FetchResultIndexParams; result: FetchResultIndexResult };
  /** Counts the items that match a result's predicate, by the values of a key. */
  'fetchResult/count': { params: FetchResultCountParams; result: FetchResultCountResult };
  /** Returns what a library has of an item: all texts of its metadata too. */
  'libraryItem/values': { params: LibraryItemValuesParams; result: LibraryItemValuesResult };
  /**
   * Returns a small picture of an item, as JPEG: of a video from about a tenth of its duration,
   * of audio its artwork.
   */
  'libraryItem/thumbnail': { params: LibraryItemThumbnailParams; result: LibraryItemThumbnailResult };
  /** Adds two times, as CMTimeAdd. */
  'time/add': { params: TimeAddParams; result: TimeResult };
  /** Subtracts a time from another, as CMTimeSubtract. */
  'time/subtract': { params: TimeSubtractParams; result: TimeResult };
  /** Multiplies a time by a number. */
  'time/multiply': { params: TimeMultiplyParams; result: TimeResult };
  /** Compares two times, as CMTimeCompare. */
  'time/compare': { params: TimeCompareParams; result: TimeCompareResult };
  /** Expresses a time in another timescale, as CMTimeConvertScale. */
  'time/convertScale': { params: TimeConvertScaleParams; result: TimeResult };
  /** Returns a time as a number of seconds, as CMTimeGetSeconds. */
  'time/seconds': { params: TimeSecondsParams; result: TimeSecondsResult };
  /** Returns a description of a time for people, as CMTimeCopyDescription. */
  'time/describe': { params: TimeDescribeParams; result: TimeDescribeResult };
  /** Returns the end of a range, as CMTimeRangeGetEnd. */
  'timeRange/end': { params: TimeRangeEndParams; result: TimeResult };
  /** Returns whether a range contains a time or another range. */
  'timeRange/contains': { params: TimeRangeContainsParams; result: TimeRangeContainsResult };
  /**
   * Returns the smallest range that covers two ranges and the gap between them, as
   * CMTimeRangeGetUnion.
   */
  'timeRange/union': { params: TimeRangeUnionParams; result: RangeResult };
  /** Returns the largest range that two ranges share, as CMTimeRangeGetIntersection. */
  'timeRange/intersection': { params: TimeRangeIntersectionParams; result: RangeResult };
  /** Returns whether two ranges have the same start and the same duration, as CMTimeRangeEqual. */
  'timeRange/equal': { params: TimeRangeEqualParams; result: TimeRangeEqualResult };
  /** Moves a time to the nearest one of a range, as CMTimeClampToRange. */
  'timeRange/clamp': { params: TimeRangeClampParams; result: TimeResult };
  /** Folds a time into a range as a loop over it would, as CMTimeFoldIntoRange. */
  'timeRange/fold': { params: TimeRangeFoldParams; result: TimeResult };
  /** Maps a time from one range to another, offset and scale, as CMTimeMapTimeFromRangeToRange. */
  'timeRange/map': { params: TimeRangeMapParams; result: TimeResult };
}

/** What a client may tell. */
export interface ClientNotifications {
  'exit': ExitParams;
  '$/cancelRequest': CancelRequestParams;
  'blob/release': BlobReleaseParams;
  'resource/didRead': ResourceDidReadParams;
}

/** What the server tells. */
export interface ServerNotifications {
  'engine/log': EngineLog;
  'asset/didLoadValues': AssetDidLoadValues;
  'track/didLoadValues': TrackDidLoadValues;
  'imageGenerator/didGenerateImage': ImageGeneratorDidGenerateImage;
  'imageGenerator/didFinish': ImageGeneratorDidFinish;
  'imageGenerator/didProgressContactSheet': ImageGeneratorDidProgressContactSheet;
  'imageGenerator/didFinishContactSheet': ImageGeneratorDidFinishContactSheet;
  'exportSession/didProgress': ExportSessionDidProgress;
  'exportSession/didFinish': ExportSessionDidFinish;
  'waveform/didProgress': WaveformDidProgress;
  'waveform/didFinish': WaveformDidFinish;
  'analysis/didProgress': AnalysisDidProgress;
  'analysis/didFindSceneChanges': AnalysisDidFindSceneChanges;
  'analysis/didFindSilences': AnalysisDidFindSilences;
  'analysis/didMeasureLoudness': AnalysisDidMeasureLoudness;
  'library/didProgressScan': LibraryDidProgressScan;
  'library/didScan': LibraryDidScan;
  'library/didProgressDuplicates': LibraryDidProgressDuplicates;
  'library/didFindDuplicates': LibraryDidFindDuplicates;
  'library/didChange': LibraryDidChange;
  'resource/read': ResourceRead;
  'resource/didCancelRead': ResourceDidCancelRead;
  'resource/didEnd': ResourceDidEnd;
  'videoComposition/composeFrame': VideoCompositionComposeFrame;
  'assetWriter/inputReady': AssetWriterInputReady;
  'assetWriter/didOutputSegment': AssetWriterDidOutputSegment;
  'assetWriter/didProgress': AssetWriterDidProgress;
  'assetWriter/didTransfer': AssetWriterDidTransfer;
  'assetWriter/didFinish': AssetWriterDidFinish;
  'player/didChange': PlayerDidChange;
  'player/didSeek': PlayerDidSeek;
  'player/didPreroll': PlayerDidPreroll;
  'timeObserver/didFire': TimeObserverDidFire;
  'playerItem/didChange': PlayerItemDidChange;
  'playerItem/didPlayToEndTime': PlayerItemDidPlayToEndTime;
  'playerItem/didFailToPlayToEndTime': PlayerItemDidFailToPlayToEndTime;
  'playerItem/didStall': PlayerItemDidStall;
  'playerItem/didJump': PlayerItemDidJump;
  'videoOutput/didStartSequence': VideoOutputDidStartSequence;
  'videoOutput/mediaDataWillChange': VideoOutputMediaDataWillChange;
  'videoOutput/didOutput': VideoOutputDidOutput;
  'playerLooper/didLoop': PlayerLooperDidLoop;
  'audioPlayer/didChange': AudioPlayerDidChange;
  'audioPlayer/didFinishPlaying': AudioPlayerDidFinishPlaying;
  'audioPlayer/didMeter': AudioPlayerDidMeter;
  'capture/didChangeDevices': CaptureDidChangeDevices;
  'captureSession/didStart': CaptureSessionDidStart;
  'captureSession/didStop': CaptureSessionDidStop;
  'captureSession/didFail': CaptureSessionDidFail;
  'captureSession/didChange': CaptureSessionDidChange;
  'captureSession/wasInterrupted': CaptureSessionWasInterrupted;
  'captureSession/interruptionEnded': CaptureSessionInterruptionEnded;
  'captureOutput/didStartRecording': CaptureOutputDidStartRecording;
  'captureOutput/didPauseRecording': CaptureOutputDidPauseRecording;
  'captureOutput/didResumeRecording': CaptureOutputDidResumeRecording;
  'captureOutput/willFinishRecording': CaptureOutputWillFinishRecording;
  'captureOutput/didFinishRecording': CaptureOutputDidFinishRecording;
  'captureOutput/didOutput': CaptureOutputDidOutput;
  'captureOutput/didDrop': CaptureOutputDidDrop;
  'captureOutput/willCapture': CaptureOutputWillCapture;
  'captureOutput/didFinishCapture': CaptureOutputDidFinishCapture;
  'captureOutput/didMeasureLevels': CaptureOutputDidMeasureLevels;
  'audioRecorder/didFinishRecording': AudioRecorderDidFinishRecording;
}

/** The name of every error. */
export type ErrorName =
  | 'parseError'
  | 'invalidRequest'
  | 'methodNotFound'
  | 'invalidParams'
  | 'internalError'
  | 'requestCancelled'
  | 'unknown'
  | 'outOfMemory'
  | 'sessionNotRunning'
  | 'deviceAlreadyUsedByAnotherSession'
  | 'noDataCaptured'
  | 'sessionConfigurationChanged'
  | 'diskFull'
  | 'deviceWasDisconnected'
  | 'mediaChanged'
  | 'maximumDurationReached'
  | 'maximumFileSizeReached'
  | 'mediaDiscontinuity'
  | 'maximumNumberOfSamplesForFileFormatReached'
  | 'deviceNotConnected'
  | 'deviceInUseByAnotherApplication'
  | 'deviceLockedForConfigurationByAnotherProcess'
  | 'sessionWasInterrupted'
  | 'mediaServicesWereReset'
  | 'exportFailed'
  | 'decodeFailed'
  | 'invalidSourceMedia'
  | 'fileAlreadyExists'
  | 'compositionTrackSegmentsNotContiguous'
  | 'invalidCompositionTrackSegmentDuration'
  | 'invalidCompositionTrackSegmentSourceStartTime'
  | 'invalidCompositionTrackSegmentSourceDuration'
  | 'fileFormatNotRecognized'
  | 'fileFailedToParse'
  | 'maximumStillImageCaptureRequestsExceeded'
  | 'contentIsProtected'
  | 'noImageAtTime'
  | 'decoderNotFound'
  | 'encoderNotFound'
  | 'contentIsNotAuthorized'
  | 'applicationIsNotAuthorized'
  | 'operationNotSupportedForAsset'
  | 'decoderTemporarilyUnavailable'
  | 'encoderTemporarilyUnavailable'
  | 'invalidVideoComposition'
  | 'referenceForbiddenByReferencePolicy'
  | 'invalidOutputURLPathExtension'
  | 'screenCaptureFailed'
  | 'operationInterrupted'
  | 'incompatibleAsset'
  | 'failedToLoadMediaData'
  | 'serverIncorrectlyConfigured'
  | 'applicationIsNotAuthorizedToUseDevice'
  | 'failedToParse'
  | 'fileTypeDoesNotSupportSampleReferences'
  | 'undecodableMediaData'
  | 'videoCompositorFailed'
  | 'recordingAlreadyInProgress'
  | 'unsupportedOutputSettings'
  | 'operationNotAllowed'
  | 'contentIsUnavailable'
  | 'formatUnsupported'
  | 'contentNotUpdated'
  | 'noLongerPlayable'
  | 'noSourceTrack'
  | 'operationNotSupportedForPreset'
  | 'incorrectlyConfigured'
  | 'segmentStartedWithNonSyncSample'
  | 'operationCancelled'
  | 'invalidSampleCursor'
  | 'failedToLoadSampleData'
  | 'encodeFailed'
  | 'sandboxExtensionDenied'
  | 'unknownHandle'
  | 'wrongHandleKind'
  | 'valueNotLoaded'
  | 'workerDied'
  | 'leasesExhausted'
  | 'changeTokenExpired'
  | 'pathNotAllowed'
  | 'limitExceeded'
  | 'resourceTimedOut';

/** The name of each error code. */
export const errorNames: Readonly<Record<string, ErrorName>>;

/** The notification that ends the work of each request that starts some. */
export const terminalNotifications: Readonly<Record<string, string>>;

/** Every `AssetKey`. */
export const assetKeys: readonly AssetKey[];

/** Every `TrackKey`. */
export const trackKeys: readonly TrackKey[];
