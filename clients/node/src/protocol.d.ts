// The protocol's types: params, results, notifications and the values in them.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
//
// A params type ends in `Params`, a result type in `Result`; a notification has the name of its
// method. The server reads `TimeInput` and its like, and writes `Time`. An integer
// beyond ±(2^53 − 1) comes as a decimal string, regardless of its type here.

/** Music or speech in addition to the audio of the clips. It ends with them at the latest. */
export interface AccompanimentInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** The time of its start. Default: `0`. */
  at?: TimeInput;
  /** The part that is played. Left out: all of it. */
  timeRange?: TimeRangeInput;
  /** The volume, 0 or more. Default: `1`. */
  volume?: number;
  /** The duration in which it becomes loud. Default: `0`. */
  fadeIn?: TimeInput;
  /** The duration in which it becomes quiet, before its end. Default: `0`. */
  fadeOut?: TimeInput;
  /** True if it is repeated until the clips end. Default: `false`. */
  loop?: boolean;
  /** The attenuation while clips are heard. Left out: none. */
  duck?: DuckingInput;
}

/** The action of a player at the end of an item. */
export type ActionAtItemEnd = "advance" | "pause" | "none";

/** Advice on the next step, by its name: a client phrases it in its own terms. */
export interface Advice {
  /** The name, for example `stateFileType`. */
  name: string;
  /** The values in it by their names: text, integers, lists of text, and times. */
  arguments: AdviceArguments;
}

/** The values in advice, by their names. */
export type AdviceArguments = Record<string, unknown>;

/** The relation between colours and transparency. */
export type AlphaChannelMode = "straight" | "premultiplied";

/** The ambient light around a screen (ITU-T H.274). */
export interface AmbientViewingEnvironment {
  /** The illuminance, in lux. */
  illuminance: number;
  /** The chromaticity of the light. */
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
  /** The outcome. */
  result: Outcome;
  /** The video track. */
  trackID?: number;
  /** The range that was searched. */
  timeRange?: TimeRange;
  /** The scene changes, in order. */
  sceneChanges?: SceneChange[];
  /** The frames that could not be decoded, as `damagedSamples`; absent if all could be. */
  dropped?: Dropped[];
  /** The reason for its failure or cancellation. */
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
  /** The outcome. */
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
   * The samples that could not be decoded and count as silent, as `damagedSamples`; absent if
   * all could be decoded.
   */
  dropped?: Dropped[];
  /** The reason for its failure or cancellation. */
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
  /** The outcome. */
  result: Outcome;
  /** The audio track; absent when several were mixed. */
  trackID?: number;
  /** The range that was measured. */
  timeRange?: TimeRange;
  /** The sample rate, in hertz. */
  sampleRate?: number;
  /**
   * FFmpeg's name of the speakers, by which the channels were weighted: "stereo", "5.1(side)".
   * If only the number of channels is known, it is the usual layout of that number.
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
   * The maximum true peak of all channels in dBTP: that of the signal between the samples, which
   * are interpolated to four times the rate below 96 kHz, and to twice the rate below 192 kHz.
   * Absent for digital silence.
   */
  truePeak?: number;
  /**
   * The maximum absolute value of the samples of all channels in dBFS; absent for digital
   * silence.
   */
  samplePeak?: number;
  /** The maximum loudness of a window of 0.4 seconds, in LUFS. */
  maximumMomentaryLoudness?: number;
  /** The maximum loudness of a window of 3 seconds, in LUFS. */
  maximumShortTermLoudness?: number;
  /**
   * The samples that could not be decoded and count as silent, as `damagedSamples`; absent if
   * all could be decoded.
   */
  dropped?: Dropped[];
  /** The reason for its failure or cancellation. */
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

/** The part of the frame that an image shows. */
export type ApertureMode = "cleanAperture" | "productionAperture" | "encodedPixels";

/**
 * The attachments of an appended sample, in addition to its bytes; members of
 * `SampleAttachments`.
 */
export interface AppendedAttachmentsInput {
  /** True if it is not a sync sample. Default: `false`. */
  notSync?: boolean;
  /** True if other samples need it: `false` for one that may be dropped. */
  isDependedOnByOthers?: boolean;
  /** True if it must be decoded, but not presented. Default: `false`. */
  doNotDisplay?: boolean;
  /**
   * The part at its start that is not presented: the frames that an audio encoder added at the
   * start (priming).
   */
  trimDurationAtStart?: TimeInput;
  /** The part at its end that is not presented. */
  trimDurationAtEnd?: TimeInput;
}

/**
 * The layout of audio in appended bytes: interleaved, or one plane after the other for each
 * channel.
 */
export interface AppendedAudio {
  /** The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. */
  sampleFormat: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The channel layout by FFmpeg's name; when absent, the usual one of that number of channels. */
  channelLayout?: string;
  /** The planes, one for each channel; one plane, or none, for interleaved samples. */
  planes?: AudioPlane[];
}

/** Bytes to append. */
export type AppendedBytes = InlineBytes | LeasedBytes;

/** The layout of a raw frame in appended bytes. */
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
 * A sample to append; a `SampleBuffer` of a reader is one. Exactly one of `blob`, `imageURL` and
 * `text` is required. An input with settings accepts raw frames, images, linear audio or text;
 * an input without settings accepts samples as they are stored.
 */
export interface AppendedSampleInput {
  /** The presentation time. */
  presentationTime: TimeInput;
  /** The decode time; the presentation time when absent. */
  decodeTime?: TimeInput;
  /**
   * The duration. A frame lasts until the next one regardless of this; it counts only for the
   * last one.
   */
  duration?: TimeInput;
  /** Its attachments, in addition to its bytes. */
  attachments?: AppendedAttachmentsInput;
  /** The bytes. */
  blob?: AppendedBytes;
  /** The path or `file:` URL of an image, which becomes the frame. */
  imageURL?: string;
  /** The text, for an input of text with settings: lines separated by line feeds; empty for none. */
  text?: string;
  /**
   * The layout of the frame in the bytes; when absent, that of the input's
   * `sourcePixelBufferAttributes`.
   */
  image?: AppendedImage;
  /** The layout of the audio in the bytes. */
  audio?: AppendedAudio;
}

/** The measured loudness of a track's audio, and its loudness after the gain. */
export interface AppliedLoudness {
  /** The track's number in the source; of several that are mixed the first one's. */
  trackID: number;
  /**
   * The loudness of the audio as it would have been encoded, in LUFS; absent if all of it is
   * below -70 LUFS.
   */
  sourceIntegratedLoudness?: number;
  /** Its true peak in dBTP; absent for digital silence. */
  sourceTruePeak?: number;
  /** The gain that was applied, in dB; 0 if the audio is unchanged. */
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
  /** A free track number: the highest one plus 1 where that is possible. */
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

/** The options with which an asset is opened. */
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
   * track, with the number of missing bytes and the time from which media is missing. Default:
   * `false`.
   */
  salvage?: boolean;
  /**
   * The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. It
   * is for files of subtitles and for text among other tracks. A byte order mark at the start of
   * a text takes precedence. Without this option the character set is guessed, and exports list
   * the guess as `characterSet` in `dropped`.
   */
  characterSet?: string;
  /**
   * The delay of the cues of a file of subtitles in seconds; they are earlier if it is negative.
   * Exports leave out cues that would end before the start, and `dropped` has their number.
   * Other files with an offset can't be loaded: `incorrectlyConfigured`. Default: `0`.
   */
  timeOffset?: number;
  /**
   * Numbered images for which the `url` stands; they are the frames of one video track. Left
   * out, the `url` is that of one file, regardless of its name.
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
  /** True if no buffer follows. */
  endOfStream: boolean;
  /**
   * With `endOfStream`: the samples of the output that could not be decoded, as
   * `damagedSamples`; absent if all could be.
   */
  dropped?: Dropped[];
}

/** The status. */
export interface AssetReaderStatusResult {
  /** The status. */
  status: ReaderStatus;
  /** The reason for its failure. */
  error?: ErrorObject;
  /**
   * The samples that could not be decoded in outputs that were read to their end, as
   * `damagedSamples`; absent if all could be.
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
  /** The duration of the asset; exact only if `providesPreciseDurationAndTiming`. */
  duration?: TimeKeyState;
  /** True if `duration` and timing are exact. */
  providesPreciseDurationAndTiming?: BooleanKeyState;
  /** The preferred playback rate, usually 1. */
  preferredRate?: NumberKeyState;
  /** The preferred playback volume, 0 to 1. */
  preferredVolume?: NumberKeyState;
  /** The transform of the first video track; the identity when there is none. */
  preferredTransform?: TransformKeyState;
  /** The size of the first video track in pixels; zero when there is none. */
  naturalSize?: SizeKeyState;
  /**
   * The minimum distance from live at which it can be played: always `"invalid"`, as a file is
   * not live.
   */
  minimumTimeOffsetFromLive?: TimeKeyState;
  /** The tracks, in the order of the container. */
  tracks?: TrackListKeyState;
  /**
   * The groups of tracks that are alternatives, of which one at a time is presented (the
   * `alternate_group` of ISO/IEC 14496-12); empty if the file has none.
   */
  trackGroups?: TrackGroupListKeyState;
  /** The item with the creation date; loaded without value when there is none. */
  creationDate?: MetadataItemKeyState;
  /** The lyrics of a song; loaded without value when it has none. */
  lyrics?: TextKeyState;
  /** The metadata that has a common key. */
  commonMetadata?: MetadataItemListKeyState;
  /** All metadata, in the order of the container. */
  metadata?: MetadataItemListKeyState;
  /** The formats of its metadata, by AVFoundation's names, for example `com.apple.itunes`. */
  availableMetadataFormats?: TextListKeyState;
  /** The languages of its chapters' titles, by BCP 47; `und` if the file names none. */
  availableChapterLocales?: TextListKeyState;
  /** The characteristics that have a group of options: `audible`, `legible`, `visual`. */
  availableMediaCharacteristicsWithMediaSelectionOptions?: MediaCharacteristicListKeyState;
  /** The options that are presented by default. */
  preferredMediaSelection?: MediaSelectionKeyState;
  /** Every combination of options, at most 1000. */
  allMediaSelections?: MediaSelectionListKeyState;
  /** True if one of its tracks is encrypted. */
  hasProtectedContent?: BooleanKeyState;
  /** True if the movie may be extended by fragments (`mvex`). */
  canContainFragments?: BooleanKeyState;
  /** True if the movie is extended by at least one fragment (`moof`). */
  containsFragments?: BooleanKeyState;
  /**
   * The duration of the movie with all its fragments (`mehd`); `"invalid"` if the file does not
   * state it.
   */
  overallDurationHint?: TimeKeyState;
  /** True if this build can decode at least one video or audio track that isn't encrypted. */
  isPlayable?: BooleanKeyState;
  /** True if an export session can export at least one track that isn't encrypted. */
  isExportable?: BooleanKeyState;
  /** True if a reader can decode at least one video or audio track. */
  isReadable?: BooleanKeyState;
  /** True if its tracks can be part of a composition. */
  isComposable?: BooleanKeyState;
  /** Always false: there is no photo library here. */
  isCompatibleWithSavedPhotosAlbum?: BooleanKeyState;
  /** Always false: there is no AirPlay here. */
  isCompatibleWithAirPlayVideo?: BooleanKeyState;
  /** The variants of a stream: always empty, as a file has none. */
  variants?: AssetVariantListKeyState;
  /** The facts about the file as a whole; loaded without value for an asset that is not one file. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: AssetVariant[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The memory. */
export interface AssetWriterAllocateResult {
  /** The blocks, whose `path` is to be opened and mapped for reading and writing. */
  blobs: SharedBlob[];
  /** The layout of a frame in each block; absent for blocks of `byteCount`. */
  image?: ImageLayout;
}

/** The samples that were accepted. */
export interface AssetWriterAppendResult {
  /** The number of samples that were accepted, from the first on. */
  appended: number;
  /** True when the input accepts more without waiting. */
  isReadyForMoreMediaData: boolean;
  /** The input that has to get samples before this one can. */
  waitsFor?: InputHandle;
}

/** The answer. */
export interface AssetWriterCanAddResult {
  /** True when it can. */
  possible: boolean;
  /** All reasons against it, each as a sentence. */
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
  /** The outcome: `completed`, `failed` or `cancelled`. */
  status: WriterStatus;
  /** The file, if it exists. */
  outputURL?: string;
  /** The size of the file in bytes, or of all segments together. */
  fileSize?: number;
  /** The duration of the media that was written. */
  duration?: Time;
  /** The parts of the samples that are not in the file; absent if all are. */
  dropped?: Dropped[];
  /** The reason for its failure or cancellation. */
  error?: ErrorObject;
}

/** Delivers a segment. */
export interface AssetWriterDidOutputSegment {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** Its kind. */
  segmentType: SegmentType;
  /** The index of the segment, from 0 on; the initialization segment has none. */
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
  /** The time up to which samples of all pairs were transferred, on the clock of the inputs. */
  time: Time;
}

/** Reports the end of a transfer. */
export interface AssetWriterDidTransfer {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** The outcome; `cancelled` if it was stopped. */
  result: Outcome;
  /** The samples that were transferred, in the order of the pairs. */
  transferred: Transferred[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** Names an asset writer, for example `assetWriter:2`. */
export type AssetWriterHandle = string & { readonly __kind?: "AssetWriterHandle" };

/** Reports that an input accepts samples. */
export interface AssetWriterInputReady {
  /** The writer. */
  assetWriter: AssetWriterHandle;
  /** The input. */
  input: InputHandle;
}

/** The status. */
export interface AssetWriterStatusResult {
  /** The status. */
  status: WriterStatus;
  /** The reason for its failure or cancellation. */
  error?: ErrorObject;
  /** The status of each of its inputs. */
  inputs: InputStatus[];
}

/**
 * The destination of a player's audio: a device of the audio server by its ID, such as
 * `pulse:NAME`, a file, or nothing; `null` for the server's default device.
 */
export type AudioDevice = string | AudioFileDevice | NoAudioDevice | null;

/** The encoding of audio. */
export interface AudioEncoding {
  /**
   * The codec: `aac`, `opus`, `mp3`, `vorbis`, `flac`, `alac`, or `pcm` for linear samples as
   * deep as the source's; `pcm_s16le`, `pcm_s24le`, `pcm_s32le` and `pcm_f32le` have a fixed
   * depth.
   */
  codec?: string;
  /** The sample rate in hertz; the source's, or the nearest that the codec has, when absent. */
  sampleRate?: number;
  /** The number of channels; when absent, the source's, or the codec's maximum if that is less. */
  channels?: number;
  /** The bit rate of all channels together, in bits per second; for codecs with loss. */
  bitRate?: number;
  /**
   * The factor by which every sample is multiplied, from 0 to 1000. Samples that become too loud
   * for integer formats are clipped. Default: `1`.
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
 * A new WAV file as the destination of a player's audio. It receives the audio that is played
 * while time runs, sample for sample: a pause adds nothing, and where an item has no audio there
 * is silence. It has its name once `player/finishAudioFile` has been answered.
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
  /** The bits of a sample of the source, before a lossless codec. */
  sourceBitDepth?: number;
  /** The channel layout by FFmpeg's name, for example `5.1(side)`. */
  channelLayout?: string;
  /**
   * The position of each channel, by FFmpeg's names such as `FL` and `LFE`; absent if only the
   * number of channels is known.
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

/** The treatment of lossy audio of several segments. */
export type AudioJoin = "encode" | "copy";

/** The layout of decoded audio in the bytes of a sample buffer. */
export interface AudioLayout {
  /**
   * The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. With several planes, each has one
   * channel.
   */
  sampleFormat: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The channel layout by FFmpeg's name, for example `stereo`. */
  channelLayout: string;
  /** The number of frames, which is the number of samples in each channel. */
  frames: number;
  /** The planes: one when interleaved, else one for each channel. */
  planes: AudioPlane[];
}

/** The level of a channel, in dBFS: 0 is full scale, -160 is silence. */
export interface AudioLevel {
  /** The average, as the root of the mean square. */
  average: number;
  /** The maximum absolute value. */
  peak: number;
}

/**
 * The volumes of an asset's tracks when they are mixed. A track without parameters has the
 * volume 1 throughout.
 */
export interface AudioMix {
  /** The settings of each track that has any. */
  inputParameters: AudioMixInputParameters[];
}

/**
 * The volumes of an asset's tracks when they are mixed. A track without parameters has the
 * volume 1 throughout.
 */
export interface AudioMixInput {
  /** The settings of each track that has any. */
  inputParameters: AudioMixInputParametersInput[];
}

/** The settings of an audio mix for one track. */
export interface AudioMixInputParameters {
  /** The track; 0 stands for the mix of all of them. */
  trackID: number;
  /** The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout. */
  volume?: NumberRamp[];
  /**
   * The algorithm for faster or slower playback of the track. Left out: the algorithm that is
   * set for track 0, else that of the export or the output.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
}

/** The settings of an audio mix for one track. */
export interface AudioMixInputParametersInput {
  /** The track; 0 stands for the mix of all of them. */
  trackID: number;
  /** The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout. */
  volume?: NumberRampInput[];
  /**
   * The algorithm for faster or slower playback of the track. Left out: the algorithm that is
   * set for track 0, else that of the export or the output.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
}

/** An audio mix, or `null` for none, though the asset has one of its own. */
export type AudioMixSettingInput = AudioMixInput | null;

/** The ramp. */
export interface AudioMixVolumeRampResult {
  /** The ramp; absent after the last one, and for a track without any. */
  ramp?: NumberRamp;
}

/** One plane of decoded audio. */
export interface AudioPlane {
  /** The offset of the plane, in bytes from the start of the blob. */
  offset: number;
  /** The number of bytes. */
  size: number;
}

/** The state after the move. */
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

/** The members of an audio player that have changed together; the others are absent. */
export interface AudioPlayerChanges {
  /** The readiness: `failed` if the worker process has died. */
  status?: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** True while it plays. */
  isPlaying?: boolean;
  /** The cause of the start or the end of playing. */
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
 * Reports the changes of an audio player, regardless of their cause, once for all that happened
 * together.
 */
export interface AudioPlayerDidChange {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** The time of the clock; absent if the worker process has died. */
  hostTime?: Time;
  /** The changes. */
  changes: AudioPlayerChanges;
}

/** Reports the end of all passes, or the error that prevented it. */
export interface AudioPlayerDidFinishPlaying {
  /** The audio player. */
  audioPlayer: AudioPlayerHandle;
  /** True if all passes were played. */
  successfully: boolean;
  /** The reason, if they weren't. */
  error?: ErrorObject;
}

/**
 * Reports levels, each `meterInterval` while it plays. On clocks other than `manual`, it
 * replaces an earlier one that isn't written yet.
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
  /** The size in bytes. */
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
  /** True while it plays, or waits to play at a host time. */
  isPlaying: boolean;
  /** The time within the pass; during a seek, its target. */
  currentTime: Time;
  /** The time of the clock. */
  deviceCurrentTime: Time;
  /** The duration of one pass. */
  duration: Time;
  /**
   * The number of times that playback has begun again after a pass, since the player was
   * created.
   */
  loop: number;
  /** The number of passes after the first one; -1 for an unlimited number. */
  numberOfLoops: number;
  /** The volume, or the one that it fades to. */
  volume: number;
  /** The position between left, -1, and right, 1. */
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

/** Reports the end of a recording. It is always sent, also after an interruption. */
export interface AudioRecorderDidFinishRecording {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The recorder. */
  audioRecorder: AudioRecorderHandle;
  /** The path of the file; absent if the worker process has died. */
  url?: string;
  /** True if the file is as requested. */
  successfully: boolean;
  /** The duration of the recording in the file. */
  recordedDuration: Time;
  /** The channels that the file can't hold; absent if it holds all. */
  dropped?: Dropped[];
  /** The reason, if it isn't. */
  error?: ErrorObject;
}

/** Names a recorder of audio, for example `audioRecorder:1`. */
export type AudioRecorderHandle = string & { readonly __kind?: "AudioRecorderHandle" };

/** The levels. */
export interface AudioRecorderMetersResult {
  /** The time at which the measured audio ends. */
  time: Time;
  /** The levels of all channels. */
  channels: CaptureLevel[];
}

/** The moment. */
export interface AudioRecorderStateResult {
  /** True while it records, and isn't paused. */
  isRecording: boolean;
  /** The duration of the recording so far; 0 if nothing is being recorded. */
  currentTime: Time;
  /** The time of the clock. */
  deviceCurrentTime: Time;
}

/** The format that decoded audio is converted to. */
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
  /** True if the channels alternate in one plane. Default: `true`. */
  interleaved?: boolean;
}

/**
 * The treatment of audio in a part of a track that is played faster or slower than it is stored.
 * The part has exactly the samples that lie in its time on the track, regardless of the speed.
 * Nothing changes if nothing is scaled in time.
 */
export type AudioTimePitchAlgorithm = "timeDomain" | "spectral" | "varispeed";

/** The treatment of several audio tracks that are encoded. */
export type AudioTracks = "mix" | "separate";

/** The encoding of audio, or `null` to leave it out. */
export type AudioTreatment = AudioEncoding | null;

/** The authorization to use a kind of devices. */
export type AuthorizationStatus = "denied" | "authorized" | "restricted";

/** Bytes that a method returns. */
export type Blob = InlineBlob | FileBlob | SharedBlob;

/** The location of bytes. */
export type BlobKind = "inline" | "file" | "shm";

/** The state of one key. */
export interface BooleanKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: boolean;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * Subtitles that become part of the frames: of a codec that is text, such as SRT, WebVTT,
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
  /** The style. Its members replace those in the styles of the subtitles. */
  style?: TextStyle;
}

/** The number of operations that were cancelled. */
export interface CancelledCount {
  /** The number of operations. */
  cancelled: number;
}

/** A size, or `"source"` for that of the first frame. */
export type CanvasSize = Size | "source";

/** The kind of object that a change adds. */
export type CaptureAddition = "input" | "output";

/** The status. */
export interface CaptureAuthorizationStatusResult {
  /** The status. */
  status: AuthorizationStatus;
}

/**
 * One change of a session's configuration: exactly one of `add`, `remove`, `set`, `connect` and
 * `disconnect`.
 */
export interface CaptureChangeInput {
  /** Adds an input or an output. */
  add?: CaptureAddition;
  /** The `uniqueID` of an added input's device, or `default`. */
  device?: string;
  /** The settings of the added input or output. */
  settings?: CaptureSettingsInput;
  /** The format of an added input; the preset becomes `inputPriority`. */
  format?: CaptureFormatChoice;
  /** The minimum duration of an added input's frames; one that the format has. */
  minFrameDuration?: TimeInput;
  /** The maximum duration of an added input's frames; one that the format has. */
  maxFrameDuration?: TimeInput;
  /**
   * The part of an added screen that is captured, of even size, in its pixels; all of it when
   * absent.
   */
  crop?: CropRectangle;
  /** True to include the cursor in the frames of an added screen. Default: `false`. */
  capturesCursor?: boolean;
  /**
   * The size of an added screen's frames relative to that of the part, from 0.1 to 4; it is
   * rounded to even numbers. Default: `1`.
   */
  scaleFactor?: number;
  /** The type of an added output. */
  type?: CaptureOutputType;
  /** The maximum number of outstanding leases of an added output, from 1 to 32. Default: `3`. */
  maxOutstanding?: number;
  /** False to have up to 30 frames wait, instead of only the newest. Default: `true`. */
  alwaysDiscardsLateVideoFrames?: boolean;
  /**
   * The delivery of an added output's samples; `push` for a preview when absent. Default:
   * `"pull"`.
   */
  mode?: VideoOutputMode;
  /**
   * With `add`, the connections of the added object, by default all that fit; else the ends to
   * connect.
   */
  connect?: CaptureConnectChange;
  /** An input or an output to remove; `handle/close` of its handle does the same. */
  remove?: AnyHandle;
  /** The properties to change. */
  set?: CaptureSetInput;
  /** The connection to remove. */
  disconnect?: CaptureConnectionEnds;
}

/** The clock of a session, on which all of its times are. */
export type CaptureClock = "host" | "manual";

/** The connections of an added input or output. */
export type CaptureConnect = "automatic" | "none";

/** The connections of an added input or output, or the ends to connect. */
export type CaptureConnectChange = CaptureConnect | CaptureConnectionEnds;

/** A connection of an input with an output. */
export interface CaptureConnection {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The media type, `video` or `audio`. */
  mediaType: MediaType;
  /** False if no samples pass through it. */
  isEnabled: boolean;
  /** True if samples pass through it while the session runs. */
  isActive: boolean;
}

/** The ends of a connection, and the type of its media. */
export interface CaptureConnectionEnds {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The media type, `video` or `audio`. */
  mediaType: MediaType;
}

/** A device of this machine. */
export interface CaptureDevice {
  /** The ID, which is the same in later processes, for example `pulse:NAME`. */
  uniqueID: string;
  /** The name for people. */
  localizedName: string;
  /** The model, if it is known. */
  modelID?: string;
  /** The kinds of its media. */
  mediaTypes: CaptureMediaType[];
  /** The interface to it. */
  transport: DeviceTransport;
  /** True while it is there. */
  isConnected: boolean;
  /** True for the device that is used when none is named. */
  isDefault: boolean;
  /** True for a source of the audio that an output plays; absent for outputs. */
  isMonitor?: boolean;
  /** True while any program uses it; absent if that isn't known. */
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

/** Reports the changes of the devices of this machine since the last report. */
export interface CaptureDidChangeDevices {
  /** The devices that have appeared. */
  added: CaptureDevice[];
  /** The `uniqueID`s of the devices that are gone. */
  removed: string[];
  /**
   * The devices that became or ceased to be the default, became used or unused, or have other
   * formats than before.
   */
  changed: CaptureDevice[];
}

/** The reason for which samples were dropped. */
export type CaptureDropReason = "late" | "outOfBuffers" | "discontinuity";

/**
 * The numbers of samples that an output didn't get, by reason: frames of video, and samples a
 * channel of audio.
 */
export interface CaptureDrops {
  /** The number for which the receiver was late. */
  late: number;
  /**
   * The number for which the client held the maximum number, or there was no memory, or no place
   * in the file: after its limit, and at a lower frame rate.
   */
  outOfBuffers: number;
  /** The number that the device left out. */
  discontinuity: number;
}

/** The required properties of an input's format; an absent one may have any value. */
export interface CaptureFormat {
  /** The width in pixels. */
  width?: number;
  /** The height in pixels. */
  height?: number;
  /** The pixel format by FFmpeg's name. */
  pixelFormat?: string;
  /** The sample rate in hertz. */
  sampleRate?: number;
  /** The number of channels. */
  channels?: number;
}

/** The format of an input: its index among those of the device, or its required properties. */
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
  /** The numbers of frames and samples that it has captured since the start. */
  captured: CapturedCounts;
  /** The numbers that it left out. */
  dropped: CaptureDrops;
  /** The delay by which its times are corrected. */
  latency?: Time;
}

/** The status of a session's input, for a client that holds a copy of the session. */
export interface CaptureInputStatus {
  /** The input. */
  captureInput: CaptureInputHandle;
  /** The `uniqueID` of its device. */
  device: string;
  /** False while the device is unplugged. */
  isConnected: boolean;
  /** True while it delivers nothing. */
  isInterrupted: boolean;
}

/** The reason for which a session is interrupted. */
export type CaptureInterruptionReason = "deviceStalled" | "deviceInUse" | "serverGone";

/**
 * The level of a channel over the last 50 ms, in decibels of full scale, from -160 to 0 and
 * above.
 */
export interface CaptureLevel {
  /** The mean power. */
  averagePowerLevel: number;
  /** The maximum sample. */
  peakHoldLevel: number;
}

/** The media of devices. */
export type CaptureMediaType = "video" | "audio" | "screen";

/**
 * Reports samples that were dropped, at most every half second for each reason. The counts add
 * up to the total.
 */
export interface CaptureOutputDidDrop {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The reason. */
  reason: CaptureDropReason;
  /** The number of dropped samples since the last notification. */
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
  /** The outcome. */
  result: Outcome;
  /** The layout of pixels in the bytes; absent if the image has a file format. */
  image?: ImageLayout;
  /** The bytes. */
  blob?: Blob;
  /** The frame's time. */
  time?: Time;
  /** The reason for a missing photo. */
  error?: ErrorObject;
}

/** Reports the end of a recording. It is sent exactly once, regardless of the cause. */
export interface CaptureOutputDidFinishRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
  /** The outcome. */
  status: RecordingStatus;
  /** True if the file can be used, regardless of the error. */
  recordingSuccessfullyFinished: boolean;
  /** True for a movie that isn't in fragments. */
  isPlainMovie: boolean;
  /**
   * The duration of the longest track. If its process has ended unexpectedly, that of a movie's
   * fragments, and 0 for other types.
   */
  recordedDuration: Time;
  /** The size of the file in bytes. */
  recordedFileSize: number;
  /** The tracks, in the order of the file. */
  tracks: RecordedTrack[];
  /**
   * The metadata, pixels and channels that the file can't hold, by the numbers of its tracks;
   * absent if it holds all.
   */
  dropped?: Dropped[];
  /** The reason for its end; absent if the client ended it. */
  error?: ErrorObject;
}

/** Delivers the levels of an output's audio. */
export interface CaptureOutputDidMeasureLevels {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The time at which the measured audio ends. */
  time: Time;
  /** The levels of all channels. */
  channels: CaptureLevel[];
}

/** Delivers samples of an output that pushes. */
export interface CaptureOutputDidOutput {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The samples. */
  sampleBuffers: SampleBuffer[];
  /** The samples that were dropped since the last notification. */
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

/** Reports that a recording continues after a pause. */
export interface CaptureOutputDidResumeRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
}

/** Reports that a recording has its first sample. It isn't sent if there never was one. */
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
  /** The time at which the measured audio ends. */
  time: Time;
  /** The levels of all channels; empty before the first sample. */
  channels: CaptureLevel[];
}

/** The samples. */
export interface CaptureOutputNextSampleBuffersResult {
  /** The samples. */
  sampleBuffers: SampleBuffer[];
  /** The samples that were dropped since the last answer. */
  dropped: CaptureDrops;
  /** True while the session runs. */
  isRunning: boolean;
}

/** The moment. */
export interface CaptureOutputRecordingStateResult {
  /** True while a recording is in progress. */
  isRecording: boolean;
  /** True while it is paused. */
  isPaused: boolean;
  /** The path of the file. */
  outputURL?: string;
  /** The duration of the longest track. */
  recordedDuration: Time;
  /** The size of the part of the file that is written, in bytes. */
  recordedFileSize: number;
}

/** An output of a session. */
export interface CaptureOutputState {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The type. */
  type: CaptureOutputType;
  /** The number of frames, or of samples a channel, that it got. */
  delivered: number;
  /** The samples that it didn't get. */
  dropped: CaptureDrops;
  /** The recording in progress. */
  recording?: CaptureRecordingState;
}

/** The properties of a session's output, for a client that holds a copy of the session. */
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

/** Reports that the frame of a photo has arrived. */
export interface CaptureOutputWillCapture {
  /** The photo's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The frame's time. */
  time: Time;
}

/**
 * Reports that a recording accepts no more samples; the file is being finished. It is sent
 * exactly once, before the end.
 */
export interface CaptureOutputWillFinishRecording {
  /** The recording's operation. */
  operation: OperationHandle;
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The path of the file. */
  outputURL: string;
  /** The reason for its end; absent if the client ended it. */
  error?: ErrorObject;
}

/** The rule by which the formats of a session's devices are chosen. */
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

/** A recording in progress. */
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

/** The results. */
export interface CaptureSessionAdvanceClockResult {
  /** The time of the clock. */
  time: Time;
  /** The number of frames and buffers of audio that were captured. */
  captured: number;
  /** The number of notifications that resulted, all of them sent before this answer. */
  notifications: number;
}

/** The results of the changes. */
export interface CaptureSessionConfigureResult {
  /** The inputs that were added, in the order of the changes; empty for a dry run. */
  inputs: CaptureInputHandle[];
  /** The outputs that were added, in the order of the changes; empty for a dry run. */
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
 * Reports the changes of a session, regardless of their cause, once for all that happened
 * together; absent members are unchanged. A new session doesn't run, and has no inputs and
 * outputs.
 */
export interface CaptureSessionDidChange {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** True while it runs. */
  isRunning?: boolean;
  /** True while an input delivers nothing. */
  isInterrupted?: boolean;
  /** The rule by which the formats of devices are chosen. */
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

/** Reports that a session has started, or has failed to start. */
export interface CaptureSessionDidStart {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The time of the session's clock at which it started. */
  startTime?: Time;
  /** The reason for its failure to start. */
  error?: ErrorObject;
}

/** Reports that a session has stopped. No notification of its outputs is sent after it. */
export interface CaptureSessionDidStop {
  /** The operation that has ended, if the client stopped it. */
  operation?: OperationHandle;
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The reason. */
  reason: CaptureStopReason;
}

/** Names a capture session, for example `captureSession:1`. */
export type CaptureSessionHandle = string & { readonly __kind?: "CaptureSessionHandle" };

/** Reports that an input delivers samples again, also after its device was unplugged. */
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
  /** True while an input delivers nothing. */
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

/** Reports that an input delivers nothing for a while; the others continue. */
export interface CaptureSessionWasInterrupted {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The reason. */
  reason: CaptureInterruptionReason;
  /** The input. */
  captureInput?: CaptureInputHandle;
}

/**
 * The new properties of a session, of one input, or of one connection; absent ones stay as they
 * are.
 */
export interface CaptureSetInput {
  /** The session's preset. */
  preset?: CapturePreset;
  /** The input that is to be changed. */
  captureInput?: CaptureInputHandle;
  /** The input's format; the preset becomes `inputPriority`. */
  format?: CaptureFormatChoice;
  /** The minimum duration of the input's frames; one that the format has. */
  minFrameDuration?: TimeInput;
  /** The maximum duration of the input's frames; one that the format has. */
  maxFrameDuration?: TimeInput;
  /** The part of a screen that the input captures, of even size, in the screen's pixels. */
  crop?: CropRectangle;
  /** True to include the cursor in the input's frames of a screen. */
  capturesCursor?: boolean;
  /** The size of the input's frames relative to that of the screen's part, from 0.1 to 4. */
  scaleFactor?: number;
  /** The connection that is to be changed. */
  connection?: CaptureConnectionEnds;
  /** False to pass no samples through the connection. */
  isEnabled?: boolean;
  /** The clockwise rotation of a connection's frames in degrees: 0, 90, 180 or 270. */
  rotate?: number;
  /** True to mirror a connection's frames, before they are rotated. */
  isMirrored?: boolean;
}

/**
 * The settings of an added input or output. Those of an input are `latency` and
 * `driftCorrection`, and the properties of a synthetic device, which are all of the others up to
 * `latencyMs`; times there are seconds of the device's time, which begins with the session.
 */
export interface CaptureSettingsInput {
  /** A known delay of an input, by which its times are corrected. */
  latency?: TimeInput;
  /** True to resample an input's audio if its clock runs at another rate. Default: `true`. */
  driftCorrection?: boolean;
  /** The width of a synthetic device's frames, even, from 64 to 4096; or of an output's. */
  width?: number;
  /** The height of a synthetic device's frames, even, from 48 to 2304; or of an output's. */
  height?: number;
  /** The frames a second of a synthetic device, above 0 and at most 240. */
  frameRate?: Factor;
  /** The sample rate of a synthetic device, or of an output, in hertz. */
  sampleRate?: number;
  /** The number of channels of a synthetic device, 1 or 2; or of an output. */
  channels?: number;
  /** False for a synthetic device without audio. */
  audio?: boolean;
  /** False for a synthetic device without video. */
  video?: boolean;
  /** The excess speed of a synthetic device's clock, in millionths, from -10,000 to 10,000. */
  driftPPM?: number;
  /** The maximum error of its times, in milliseconds, from 0 to 1000. */
  jitterMs?: number;
  /** The device leaves out each frame whose number is a multiple of this, except frame 0. */
  dropEvery?: number;
  /** The numbers of frames that the device leaves out. */
  dropFrames?: number[];
  /** The time at which it is unplugged. */
  unplugAt?: TimeInput;
  /** The time at which it is connected again. */
  replugAt?: TimeInput;
  /** The time from which on it delivers nothing. */
  stallAt?: TimeInput;
  /** The time for which it delivers nothing. Default: `1`. */
  stallFor?: TimeInput;
  /** True for a device that doesn't start. */
  failStart?: boolean;
  /** True for a device that another program uses. */
  busy?: boolean;
  /** The delay of its samples after their times, in milliseconds, from 0 to 10,000. */
  latencyMs?: number;
  /**
   * The format of an output's frames: pixels, or a file format such as `jpeg`; as captured when
   * absent, and `jpeg` for a preview.
   */
  pixelFormat?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * The sample format of an output's audio: `u8`, `s16`, `s32`, `f32` or `f64`; as captured when
   * absent.
   */
  sampleFormat?: string;
  /** The maximum frame rate of an output, in frames per second; 15 for a preview when absent. */
  maxFrameRate?: number;
  /** The destination of an output's bytes. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
}

/** The reason for which a session stopped. */
export type CaptureStopReason = "requested" | "failed" | "closed";

/** The numbers of captured frames and samples. */
export interface CapturedCounts {
  /** The number of frames; absent without video. */
  video?: number;
  /** The number of samples a channel; absent without audio. */
  audio?: number;
}

/** A chapter to write. */
export interface ChapterInput {
  /** Its title. */
  title: string;
  /** The start; not needed with `timeRange`, whose start counts. */
  start?: TimeInput;
  /** The range; without it a chapter ends where the next one begins, or the asset ends. */
  timeRange?: TimeRangeInput;
}

/** The sources of an export's chapters. */
export type ChapterSource = "files" | "parts" | "none";

/** A point in the CIE 1931 chromaticity diagram. */
export interface Chromaticity {
  /** The first coordinate, 0 to 1; files store it in units of 1/50000. */
  x: number;
  /** The second coordinate, likewise. */
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

/** The capabilities of a client; reserved, unknown members are ignored. */
export interface ClientCapabilities {
}

/** A part of a file or an asset, a still image, or, with neither `url` nor `asset`, a gap. */
export interface ClipInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Numbered images for which the `url` stands. */
  imageSequence?: ImageSequence;
  /**
   * The part that is shown; a duration of `"+infinity"` reaches to the end. Not for stills. Left
   * out: all of it.
   */
  timeRange?: TimeRangeInput;
  /**
   * The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
   * Default: `1`.
   */
  speed?: Factor;
  /**
   * A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in
   * ascending order, at times of the source within the part that is shown. Speeds are all above
   * 0, or all below 0 for backward. Left out: `speed` throughout.
   */
  speedRamp?: SpeedPointInput[];
  /** The volume, 0 or more. Default: `1`. */
  volume?: number;
  /** The way in which its frames are fitted to the composed frame. Default: `"contain"`. */
  fit?: Fit;
  /**
   * The duration of a still, a frozen frame or a gap; required for a gap, and for no other clip.
   * Left out: 3 s for a still and a frozen frame.
   */
  duration?: TimeInput;
  /**
   * The time of the source whose frame is shown throughout `duration`, without audio. Left out:
   * it is played.
   */
  freeze?: TimeInput;
  /** A move over its frames, in place of `fit`. */
  zoom?: Zoom;
  /** The transition to the next clip. Left out: a cut. */
  transition?: TransitionInput;
  /** A text over it, for as long as it is shown: for a gap, a title. */
  text?: ClipTextInput;
  /**
   * Red, green, blue and alpha of a gap's colour, each from 0 to 1. Left out: `background` of
   * the sequence.
   */
  background?: number[];
}

/**
 * Clips one after the other, with overlays and additional audio. A clip begins where the
 * previous one ends, or earlier by the duration of that one's dissolve into it. The sequence
 * ends with the last clip.
 */
export interface ClipSequenceInput {
  /**
   * The size of the composed frames. Left out: that of the first clip that has one, in even
   * numbers.
   */
  size?: Size;
  /**
   * The number of frames per second. A clip with more of them, or one that is played slower, is
   * shown at this rate; frames of the others are repeated. Left out: that of the first clip that
   * has one, else 30.
   */
  frameRate?: Factor;
  /**
   * Red, green, blue and alpha, each from 0 to 1, of the colour where nothing is shown. Left
   * out: opaque black.
   */
  background?: number[];
  /** The clips, at least one. */
  clips: ClipInput[];
  /** Images and videos over the frames of the clips; the last is on top. */
  overlays?: OverlayInput[];
  /** The audio in addition to that of the clips. */
  audio?: AccompanimentInput[];
  /** Subtitles over the frames; of several, the last is on top. They are those of files. */
  subtitles?: BurntSubtitles[];
  /** Files of subtitles that become tracks in exports, at times of the sequence. */
  subtitleTracks?: SubtitleFile[];
  /** Texts over the frames and the subtitles; the last is on top. */
  textLayers?: TextLayerInput[];
}

/** A text over a clip. It dissolves together with the clip. */
export interface ClipTextInput {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of it that `alignment` names. Left out: the place of `alignment`
   * in the frame, within the margins.
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
  /** The number of frames that the encoder added at the start (priming). Default: `0`. */
  initialPadding?: number;
}

/** The format of encoded samples: the part of a `FormatDescription` that a file has to state. */
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

/** The colour properties of an image, by FFmpeg's names. */
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

/** The moment at which a request that starts work is answered. */
export type Completion = "notification" | "response";

/** The track. */
export interface CompositionAddTrackResult {
  /** Its number. */
  trackID: number;
  /** The end of the last of the tracks. */
  duration: Time;
  /** The number of edits that have been made. */
  revision: number;
}

/** The composition, and its timeline. */
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
 * Names a composition, for example `composition:1`. It is accepted wherever a method accepts an
 * asset. Objects that are made of it use the composition as it was then.
 */
export type CompositionHandle = string & { readonly __kind?: "CompositionHandle" };

/** The composition. */
export interface CompositionImportResult {
  /** The composition's handle. */
  composition: CompositionHandle;
  /** The parts of the document that aren't in it. */
  losses: ConversionLoss[];
}

/** The result of the insertion. */
export interface CompositionInsertTimeRangeResult {
  /** The range that it covers in the composition. */
  timeRange: TimeRange;
  /** The tracks that show it, in the order of the asset's tracks. */
  trackIDs: number[];
  /** The end of the last of the tracks. */
  duration: Time;
  /** The number of edits that have been made. */
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
  /**
   * The playback of the range; for a freeze, the frame that is shown at its start for its
   * duration. Default: `"forward"`.
   */
  playback?: SegmentPlayback;
  /**
   * A speed that changes, of video and audio: the points of its course, 1 to 1,000, in ascending
   * order, at times of the asset within the range, and with speeds above 0. The duration follows
   * from it. Left out: the natural speed.
   */
  speedRamp?: SpeedPointInput[];
}

/** The document. */
export interface CompositionOpenTimelineIOResult {
  /** The document, as it is written to a file with the extension `otio`. */
  document: OpenTimelineIODocument;
  /**
   * The parts of the composition that the document has in `metadata.reelwire` only, and the
   * `losses` of `composition/timeline`.
   */
  losses: ConversionLoss[];
}

/** A frame that a compositor of the client's own draws. */
export interface CompositionPicture {
  /** The layout of pixels in the bytes. */
  image: ImageLayout;
  /** The bytes, whose `path` is to be opened and mapped for reading and writing. */
  blob: SharedBlob;
}

/** A part of a composition's track (AVCompositionTrackSegment). */
export interface CompositionSegment {
  /**
   * The asset that is shown; left out in an empty segment. In answers it is absent too if the
   * asset's handle has been closed.
   */
  asset?: AssetHandle;
  /** The asset's path or name; only in answers. */
  path?: string;
  /** The asset's track; left out, the first one of the kind. */
  assetTrackID?: number;
  /**
   * The part of that track (`source`), with the range in which it is shown (`target`, on the
   * composition's clock); of an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMapping;
  /** The playback of the part of that track. Default: `"forward"`. */
  playback?: SegmentPlayback;
  /**
   * The course of the speed over the source range, in ascending order and with speeds above 0,
   * in times of the source; of video and audio. The duration of the target scales all speeds
   * alike. Left out: a constant speed.
   */
  speedRamp?: SpeedPoint[];
}

/** A part of a composition's track (AVCompositionTrackSegment). */
export interface CompositionSegmentInput {
  /**
   * The asset that is shown; left out in an empty segment. In answers it is absent too if the
   * asset's handle has been closed.
   */
  asset?: AssetHandle;
  /** The asset's path or name; only in answers. */
  path?: string;
  /** The asset's track; left out, the first one of the kind. */
  assetTrackID?: number;
  /**
   * The part of that track (`source`), with the range in which it is shown (`target`, on the
   * composition's clock); of an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMappingInput;
  /** The playback of the part of that track. Default: `"forward"`. */
  playback?: SegmentPlayback;
  /**
   * The course of the speed over the source range, in ascending order and with speeds above 0,
   * in times of the source; of video and audio. The duration of the target scales all speeds
   * alike. Left out: a constant speed.
   */
  speedRamp?: SpeedPointInput[];
}

/** The segments. */
export interface CompositionSegmentsResult {
  /** The segments, one after the other from zero on. */
  segments: CompositionSegment[];
}

/**
 * A track's frame, for a compositor of the client's own. A frame has the size that its track
 * shows: upright with square pixels in a composition, as it is stored in a file.
 */
export interface CompositionSource {
  /** The track. */
  trackID: number;
  /** The time at which the frame begins. */
  time: Time;
  /** The layout of pixels in the bytes. */
  image: ImageLayout;
  /** The bytes, until the request is answered. */
  blob: SharedBlob;
}

/** A composition after an edit. */
export interface CompositionState {
  /** The end of the last of its tracks. */
  duration: Time;
  /** The number of edits that have been made. */
  revision: number;
}

/**
 * A complete description of a composition, as a document. The server's output is canonical: two
 * timelines of the same composition are the same bytes. Its members are in a fixed order,
 * members with default values are left out, times are in lowest terms, and sources are named
 * `s1`, `s2` … in the order in which the tracks use them. A caller's names for them are not
 * retained.
 */
export interface CompositionTimeline {
  /** The version of this format; 1. */
  version: number;
  /** The size in which frames are shown; left out, that of the first frame as it is shown. */
  naturalSize?: Size;
  /** The sources of the segments, by the names that segments use. */
  sources: Record<string, TimelineSource>;
  /** The tracks, at most 256 with 100,000 segments in all. */
  tracks: TimelineTrack[];
  /** The volumes of the tracks in a mix, unless the mix states others. */
  audioMix?: AudioMix;
  /** The video composition of the tracks, unless another one is stated. */
  videoComposition?: VideoComposition;
  /** Files of subtitles that become tracks in exports, unless an export states others. */
  subtitleTracks?: SubtitleFile[];
}

/**
 * A complete description of a composition, as a document. The server's output is canonical: two
 * timelines of the same composition are the same bytes. Its members are in a fixed order,
 * members with default values are left out, times are in lowest terms, and sources are named
 * `s1`, `s2` … in the order in which the tracks use them. A caller's names for them are not
 * retained.
 */
export interface CompositionTimelineInput {
  /** The version of this format; 1. */
  version: number;
  /** The size in which frames are shown; left out, that of the first frame as it is shown. */
  naturalSize?: Size;
  /** The sources of the segments, by the names that segments use. */
  sources: Record<string, TimelineSource>;
  /** The tracks, at most 256 with 100,000 segments in all. */
  tracks: TimelineTrackInput[];
  /** The volumes of the tracks in a mix, unless the mix states others. */
  audioMix?: AudioMixInput;
  /** The video composition of the tracks, unless another one is stated. */
  videoComposition?: VideoCompositionInput;
  /** Files of subtitles that become tracks in exports, unless an export states others. */
  subtitleTracks?: SubtitleFile[];
}

/** The document. */
export interface CompositionTimelineResult {
  /** The timeline. */
  timeline: CompositionTimeline;
  /**
   * The parts of the composition that the timeline can't state: options with which assets were
   * opened, properties of files of subtitles in inner compositions, settings of inner
   * compositions, and the bytes of assets that are closed.
   */
  losses: ConversionLoss[];
}

/** The problems. */
export interface CompositionValidateSegmentsResult {
  /** True if `composition/setSegments` would accept them. */
  isValid: boolean;
  /** All problems. */
  problems: ParamsProblem[];
}

/** The compositors that can draw the frames of an instruction. */
export type Compositor = "engine" | "client";

/** The reason for which a frame can't be drawn. */
export interface CompositorError {
  /**
   * A description for people; it is part of the message of the `videoCompositorFailed` with
   * which the work fails.
   */
  message: string;
}

/** The restrictions that the kernel enforces on the worker processes. */
export interface Confinement {
  /**
   * The restriction that forbids starting programs, sockets of any kind, access to other
   * processes and administration of the system (seccomp).
   */
  systemCalls: Restriction;
  /**
   * The restriction that forbids files outside the folders of `--root`, the temporary folder and
   * those of the system's libraries (Landlock); only with `--root`.
   */
  files: Restriction;
  /**
   * The restriction that forbids more address space than `--worker-memory`; only with that
   * option.
   */
  memory: Restriction;
  /** The restriction that forbids files larger than `--worker-file-size`; only with that option. */
  fileSize: Restriction;
  /** The restriction that forbids more than 65,536 open files and sockets. */
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
  /** True if it is the frame that is shown at the requested time. */
  isExact?: boolean;
  /** The distance of the tile's left edge from the sheet's, in pixels. */
  x: number;
  /** The distance of the tile's upper edge from the sheet's, in pixels. */
  y: number;
  /** The width of the tile in pixels. */
  width: number;
  /** The height of the tile in pixels. */
  height: number;
  /** The reason for a black tile. */
  error?: ErrorObject;
}

/** Facts about a file as a whole, in addition to its tracks and its metadata. */
export interface ContainerFacts {
  /** FFmpeg's name of the format, aliases included, for example `mov,mp4,m4a,3gp,3g2,mj2`. */
  formatName: string;
  /** FFmpeg's descriptive name of the format, for example `QuickTime / MOV`. */
  formatLongName: string;
  /** The size of the file in bytes. */
  size: number;
  /**
   * The bit rate of the whole file, in bits per second: its size divided by its duration; absent
   * without a duration.
   */
  bitRate?: number;
  /** The number of streams in the container: tracks, attached pictures, attachments and data. */
  streamCount: number;
  /**
   * True if the file ends before the end that its container states. `false` means that none is
   * known: transport streams, program streams and raw streams state no end.
   */
  isCutShort: boolean;
  /**
   * The minimum number of bytes that are missing at the end; absent if none are known to be
   * missing.
   */
  missingBytes?: number;
  /** True if at least one track is encrypted. */
  isEncrypted: boolean;
  /**
   * True if the container lists the positions of its samples: a movie's tables (of fragments
   * `sidx` or `mfra`), Matroska's cues, AVI's `idx1`. Without such a list, positions are found
   * by reading.
   */
  hasIndex: boolean;
  /**
   * The character set of a file of subtitles, for example `windows-1252`; absent for other
   * files.
   */
  characterSet?: string;
  /**
   * True for a guess of the character set, of a file that states none and isn't UTF-8. Absent
   * for other files.
   */
  characterSetIsGuess?: boolean;
}

/** The state of one key. */
export interface ContainerFactsKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: ContainerFacts;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * The light levels of the brightest pixel and the brightest frame, in cd/m² (CTA-861.3); 0 is
 * unknown.
 */
export interface ContentLightLevel {
  /** The light level of the brightest pixel of all frames. */
  maxCLL: number;
  /** The highest average light level of a frame. */
  maxFALL: number;
}

/** A loss of a conversion: an element that is left out, or shown otherwise. */
export interface ConversionLoss {
  /**
   * The position of the element, as a JSON pointer into the document that was read, or the
   * timeline that was written.
   */
  path: string;
  /** The name of the element, for example `Marker.2`. */
  what: string;
  /** The reason, or the effect on the result. */
  reason: string;
}

/**
 * The part of a frame that is shown: a rectangle, or the largest part in the middle with an
 * aspect ratio.
 */
export type Crop = CropRectangle | CropAspectRatio;

/** The shape of a part of a frame. */
export interface CropAspectRatio {
  /**
   * The width divided by the height, as it is displayed, from 1/256 to 256. The part has whole
   * samples of chroma, so it may differ from the ratio by less than one of them.
   */
  aspectRatio: Factor;
}

/** A rectangle of a frame in whole pixels, from the top left. */
export interface CropRectangle {
  /** The number of pixels to the left of it. */
  x: number;
  /** The number of pixels above it. */
  y: number;
  /** Its width. */
  width: number;
  /** Its height. */
  height: number;
}

/** The item that is current now, or `null` where there is none any more. */
export type CurrentItemChange = PlayerItemHandle | null;

/**
 * The position of a new cursor: `"first"` or `"last"` in decode order, or a presentation time.
 * At a time, it is at the last shown sample that is not after it, and at the first shown one
 * when all are. `"+infinity"` and `"-infinity"` are the ends of presentation order.
 */
export type CursorPositionInput = "first" | "last" | Time | number | string;

/** The treatment of interlaced frames that are encoded. */
export type Deinterlacing = "auto" | "none" | "frame" | "field";

/** The delivery of bytes. */
export type Delivery = "inline" | "shm" | FileDelivery;

/** The directions of media between a device and the engine. */
export type DeviceDirection = "input" | "output";

/** A format of a device. */
export interface DeviceFormat {
  /** The index in the list of the device's formats. */
  index: number;
  /** The media. */
  mediaType: CaptureMediaType;
  /** The pixel format of frames, by FFmpeg's name. */
  pixelFormat?: string;
  /**
   * The codec of encoded frames, by FFmpeg's name: they are decoded. Absent if the device
   * delivers pixels.
   */
  codec?: string;
  /** The sample format of audio, by FFmpeg's name. */
  sampleFormat?: string;
  /** The width in pixels. */
  width?: number;
  /** The height in pixels. */
  height?: number;
  /** The durations that a frame may have. */
  frameDurations?: FrameDurations;
  /** The sample rate in hertz. */
  sampleRate?: number;
  /** The number of channels. */
  channels?: number;
}

/** The interfaces to devices. */
export type DeviceTransport = "synthetic" | "v4l2" | "pulse" | "screen";

/** Dolby Vision's configuration record. */
export interface DolbyVision {
  /** The major version. */
  versionMajor: number;
  /** The minor version. */
  versionMinor: number;
  /** The profile, for example 5 or 8. */
  profile: number;
  /** The level. */
  level: number;
  /**
   * The format of the base layer for devices without Dolby Vision: 0 none that they can show, 1
   * HDR10, 2 SDR, 4 HLG.
   */
  compatibilityID: number;
  /** True if it has metadata for each frame (RPU). */
  isRPUPresent: boolean;
  /** True if it has an enhancement layer. */
  isEnhancementLayerPresent: boolean;
  /** True if it has a base layer. */
  isBaseLayerPresent: boolean;
}

/** An item of the source that is left out. */
export interface Dropped {
  /** The item. */
  item: DroppedItem;
  /** The track's number in the source; absent for items of the whole source. */
  trackID?: number;
  /** The kind of the track's media. */
  mediaType?: MediaType;
  /** The name of one of several; its meaning depends on `item`. */
  key?: string;
  /** The reason for which it is left out, or stays. */
  reason: string;
  /**
   * True for an item that is in the file although an empty `metadata` removes all that names
   * persons, places or devices; absent for items that are left out.
   */
  stays?: boolean;
}

/** The items that an export, a reader or a waveform leaves out of its source. */
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
  | "channels"
  | "text"
  | "characterSet";

/** The numbers of frames of an output that weren't delivered. */
export interface DroppedPictures {
  /** The number of those that were due while the maximum number of leases was outstanding. */
  outOfCredit: number;
  /** The number of those that weren't decoded in time. */
  late: number;
}

/**
 * The attenuation of music while the audio tracks of clips, and of overlays with a volume, have
 * media; their contents aren't analysed.
 */
export interface DuckingInput {
  /** The factor by which its volume is multiplied, from 0 to 1. Default: `0.25`. */
  to?: number;
  /** The duration in which it becomes quiet, from the start of a clip. Left out: 0.2 s. */
  attack?: TimeInput;
  /** The duration in which it becomes loud again, from the end of a clip. Left out: 0.5 s. */
  release?: TimeInput;
}

/** The treatment of high dynamic range. */
export type DynamicRangePolicy = "forceSDR" | "matchSource";

/**
 * The tracks that an item presents: their numbers, or `null` for those that are enabled in the
 * file.
 */
export type EnabledTracks = number[] | null;

/** The containers, codecs, formats and presets of this build. */
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
   * The library that draws texts and subtitles over frames, for example `libass 0.17.1`; absent
   * without one.
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
  /** The importance. */
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
  /** The number of packets that were read from media files, for any purpose. */
  packetsRead: number;
  /** The number of reads of resources that were requested from clients. */
  resourceReads: number;
  /** The number of bytes that were requested from clients. */
  resourceBytesRequested: number;
  /** The number of bytes that clients have supplied. */
  resourceBytesReceived: number;
  /**
   * The number of conversions of frames, by method: `copy` if the samples stay unchanged,
   * `kernel` for YUV of 8 bits that becomes RGB or grey of the same size, `zimg`, and `swscale`
   * for formats that zimg can't read. A frame may need several.
   */
  conversions: Record<string, number>;
  /**
   * The number of frames of video compositions, by the method that made them: `frame` if one is
   * a source's frame unchanged, `converted` if it is one layer that covers everything, `planar`
   * if upright layers are blended in the composed frame's own format, and `general` for
   * everything else.
   */
  composedPictures: Record<string, number>;
  /** The players that are open. */
  players: PlayerStatistics[];
  /** The worker processes; absent if the server does the work itself. */
  isolation?: Isolation;
}

/** The details of an error, in addition to its message. */
export interface ErrorData {
  /** The error's name, for example `fileAlreadyExists`. */
  name: string;
  /** Advice on the next step, in English and in the terms of the protocol. */
  hint: string;
  /**
   * The same advice as a name with arguments, which a client phrases in its own terms; absent if
   * the hint has no name.
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
  /** The error of FFmpeg's libraries that caused it. */
  libav?: LibAVError;
  /** The last lines of the libraries' log, at most five. */
  log?: string[];
  /**
   * Every problem of the params: with `invalidParams`, and if several things can be wrong with a
   * document.
   */
  errors?: ParamsProblem[];
  /** The rule that was broken; only with `invalidRequest`, for example `messageTooLarge`. */
  reason?: string;
  /** The method that may have been meant; only with `methodNotFound`. */
  suggestion?: string;
  /** The signal that ended the worker process, for example 11 (SIGSEGV); only with `workerDied`. */
  signal?: number;
  /** The change of a batch that can't be made. */
  change?: FailedChange;
}

/** An error: the `error` of a response, or a member of a notification or a result. */
export interface ErrorObject {
  /** The number of the error. */
  code: number;
  /** The failure, its object and its reason, in one sentence for a person. */
  message: string;
  /** The details of the error, for a program and a person. */
  data?: ErrorData;
}

/** One part of an export. */
export interface ExportPart {
  /** The media of the part. */
  mediaType: ExportPartMediaType;
  /** The part of the asset that it shows. */
  timeRange: TimeRange;
  /** The number of the source's frames that begin in it; 0 for audio. */
  frameCount: number;
}

/** One part of an export. */
export interface ExportPartInput {
  /** The media of the part. */
  mediaType: ExportPartMediaType;
  /** The part of the asset that it shows. */
  timeRange: TimeRangeInput;
  /** The number of the source's frames that begin in it; 0 for audio. */
  frameCount: number;
}

/** The media of a part of an export. */
export type ExportPartMediaType = "video" | "audio";

/**
 * The division of an export into parts. It is passed on unchanged: a process compares it with
 * its own plan.
 */
export interface ExportPartPlan {
  /**
   * The parts: those of video in the order of their times, then audio. A part's number is its
   * index here, from 0 on.
   */
  parts: ExportPart[];
  /** The number of threads of each encoder. */
  threadCount: number;
  /** The identity of the source: a SHA-256 of its size and of its first and last bytes. */
  source: string;
  /** The identity of the settings: a SHA-256 of everything that decides how parts are made. */
  settings: string;
  /** The names and versions of FFmpeg and its libraries. */
  libraries: string;
  /** A SHA-256 of all other members. */
  digest: string;
}

/**
 * The division of an export into parts. It is passed on unchanged: a process compares it with
 * its own plan.
 */
export interface ExportPartPlanInput {
  /**
   * The parts: those of video in the order of their times, then audio. A part's number is its
   * index here, from 0 on.
   */
  parts: ExportPartInput[];
  /** The number of threads of each encoder. */
  threadCount: number;
  /** The identity of the source: a SHA-256 of its size and of its first and last bytes. */
  source: string;
  /** The identity of the settings: a SHA-256 of everything that decides how parts are made. */
  settings: string;
  /** The names and versions of FFmpeg and its libraries. */
  libraries: string;
  /** A SHA-256 of all other members. */
  digest: string;
}

/** The types. */
export interface ExportSessionCompatibleFileTypesResult {
  /** The short names of the types. */
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
  /** The outcome: `completed`, `failed` or `cancelled`. */
  status: ExportStatus;
  /** The file, if it exists. */
  outputURL?: string;
  /** The size of the file in bytes. */
  fileSize?: number;
  /** The part of the asset that the file shows. */
  timeRange?: TimeRange;
  /** The way in which a passthrough export was cut; absent if everything was copied. */
  trimMode?: TrimMode;
  /**
   * The reason for a mode other than the requested one, and the deviation of audio whose packets
   * were copied at joins; absent without either.
   */
  trimNote?: string;
  /** The items that were left out; absent if there were none. */
  dropped?: Dropped[];
  /** The loudness of each audio track that has a target; absent without one. */
  loudness?: AppliedLoudness[];
  /** The reason for its failure or cancellation. */
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
  /** The duration of the file. */
  duration: Time;
  /** Its size in bytes. */
  fileLength: number;
  /** The duration of the asset's part that fits into `fileLengthLimit`; absent without a limit. */
  maximumDuration?: Time;
}

/** Names an export session, for example `exportSession:3`. */
export type ExportSessionHandle = string & { readonly __kind?: "ExportSessionHandle" };

/** The plan. */
export interface ExportSessionPlanResult {
  /** The plan, for `exportSession/exportPart` and `exportSession/join`. */
  plan: ExportPartPlan;
}

/** The effects. */
export interface ExportSessionPreflightResult {
  /** The part of the asset that the file would show. */
  timeRange: TimeRange;
  /** The planned treatment of each track. */
  tracks: PlannedTrack[];
  /** The items that would be left out; empty if there are none. */
  dropped: Dropped[];
}

/** The presets. */
export interface ExportSessionPresetsResult {
  /** The names of the presets. */
  presets: string[];
}

/** The status. */
export interface ExportSessionStatusResult {
  /** The status. */
  status: ExportStatus;
  /** The part that is done, from 0 to 1. */
  progress: number;
  /** The reason for its failure or cancellation. */
  error?: ErrorObject;
}

/**
 * The treatment of tracks in an export. With a preset, the values of absent members are the
 * preset's. Without one, they suit the type of the file: H.264 and AAC in most, VP9 and Opus in
 * `webm`; "Settings" in docs/exports.md has the table. File types of audio get the audio alone,
 * regardless of the preset.
 */
export interface ExportSettings {
  /** The encoding of the video; `null` leaves it out. */
  video?: VideoTreatment;
  /** The encoding of the audio; `null` leaves it out. */
  audio?: AudioTreatment;
  /** The tracks to include; all that the file can hold when absent. */
  tracks?: TrackSelection;
}

/** The status of an export. */
export type ExportStatus =
  | "unknown"
  | "waiting"
  | "exporting"
  | "completed"
  | "failed"
  | "cancelled";

/** The FFmpeg libraries that a server runs on. */
export interface FFmpegInfo {
  /** The release, for example `7.1.1`. */
  version: string;
  /** The licence of this build, for example `GPL version 2 or later`. */
  license: string;
  /** Each library's version by its name, for example `libavformat`: `61.7.100`. */
  libraries: Record<string, string>;
}

/** A factor, rate or ratio: a whole number, a ratio of whole numbers, or any other number. */
export type Factor = number | Ratio;

/** A change of a batch that can't be made. */
export interface FailedChange {
  /** Its index among the changes, from 0. */
  index: number;
  /** The reason for which it can't be made. */
  reason: string;
}

/**
 * The changes of a result. Apply them in this order: `removed`, `inserted`, `moves`; `changed`
 * has the final indexes.
 */
export interface FetchResultChanges {
  /** The result, which has the new items from now on. */
  fetchResult: FetchResultHandle;
  /** The number of its items now. */
  count: number;
  /**
   * False if too much has changed to be listed: the result is to be read anew, and the lists are
   * empty.
   */
  hasIncrementalChanges: boolean;
  /** Indexes before the change, ascending. */
  removed: number[];
  /**
   * Indexes of new items when the removed ones are gone, ascending: each counted after the
   * insertion of those before it.
   */
  inserted: number[];
  /** Indexes after the change, ascending, of items whose properties have changed. */
  changed: number[];
  /** The moves, each with indexes as they are after the moves before it. */
  moves: FetchResultMove[];
}

/** The counts. */
export interface FetchResultCountResult {
  /** The values, the most frequent first, without the items that have none. */
  counts: LibraryCount[];
}

/** Names items of a library, for example `fetchResult:1`. */
export type FetchResultHandle = string & { readonly __kind?: "FetchResultHandle" };

/** The position of the item. */
export interface FetchResultIndexResult {
  /** The index; absent when the result doesn't have the item. */
  index?: number;
}

/** The items. */
export interface FetchResultItemsResult {
  /** The items, in their order, without those that have been forgotten since. */
  items: LibraryItem[];
}

/** An item that has moved within a result. */
export interface FetchResultMove {
  /** Its index before. */
  from: number;
  /** Its index after. */
  to: number;
}

/**
 * The field order of interlaced video, by the numbers of QuickTime's `fiel`. Files and FFmpeg
 * agree on the numbers; the names are Core Media's for them.
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
  /** The MIME type of the bytes. */
  mimeType: string;
  /** The file, with its number filled in. */
  path: string;
  /** The offset of the bytes in the file; only if several blobs are in one file. */
  offset?: number;
}

/** A file to put bytes into. */
export interface FileDelivery {
  /** Always `file`. */
  kind: "file";
  /**
   * The path of the file; in it, `%d` (also `%03d`) becomes the number of the item within its
   * operation. The number is `firstNumber` plus `index`. An existing file is not overwritten.
   * The extension of an image file, such as `x.png`, must match the contents: another image
   * format or raw pixels are refused before any work is done.
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
  /** True if files of this type can be opened. */
  canRead: boolean;
  /** True if files of this type can be exported. */
  canWrite: boolean;
}

/** The fit of a track's frames into a composed frame of another size. */
export type Fit = "none" | "contain" | "cover" | "fill";

/** A font, of the system or in a file. */
export interface Font {
  /**
   * The name of a family, for example `"DejaVu Sans"`. If the system doesn't have it, fontconfig
   * substitutes another one. Not together with `url`.
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
 * The format of a track's samples. The members for one kind of media are absent for the others;
 * so are properties that the file does not state.
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
  /** The name of the format in the movie, usually that of the compressor. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: FormatDescription[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The durations of a device's frames. */
export interface FrameDurations {
  /** The minimum. */
  min: Time;
  /** The maximum. */
  max: Time;
  /** All possible durations, if they are few. */
  values?: Time[];
}

/** An open handle, as `handle/list` lists it. */
export interface HandleInfo {
  /** The handle. */
  handle: AnyHandle;
  /** The kind of the object. */
  kind: HandleKind;
  /** A short description for people, for example the URL of an asset. */
  describes: string;
}

/** The kinds of objects that handles name. */
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
   * `matrix`; `range` is always present. The rest is as the file states it, where that still
   * holds: HDR that `forceSDR` has mapped is `bt709`. YUV without `matrix` comes from a file
   * that states none; it counts as `bt709` for 720 lines or more, else as `smpte170m`.
   */
  color?: Color;
  /**
   * The position of the chroma samples of `yuv420p` and `yuv420p10le`, by FFmpeg's name, for
   * example `left`. Absent if the file does not state it, which counts as `left`, and if the
   * preferred transform has moved them to a position without a name.
   */
  chromaLocation?: string;
}

/** The treatment of interlaced frames in images. */
export type ImageDeinterlacing = "auto" | "none";

/**
 * The format of an image: a file format, or pixels. Files have 8 bits a component, regardless of
 * the source's. Alpha stays, straight, where the format has it (`png`, `webp`, `bmp`, `rgba`,
 * `bgra`, `rgba64le`); other formats drop it.
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
  /** The number of images that were made. */
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
  /** The outcome. */
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
  /** The reason for its failure or cancellation; no file is left. */
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
  /** The outcome. */
  result: Outcome;
  /** The presentation time of the frame that the image shows, when it succeeded. */
  actualTime?: Time;
  /**
   * The index of the frame in the track, in presentation order, from 0; absent if the file has
   * no presentation times, and if only the part of the file around the frame was indexed.
   */
  sampleIndex?: number;
  /**
   * True if it is the frame that is shown at the requested time, or has the requested number;
   * only when it succeeded.
   */
  isExact?: boolean;
  /** The image, when it succeeded. */
  image?: Image;
  /** The reason for its failure or cancellation. */
  error?: ErrorObject;
}

/** Reports the number of finished tiles of a contact sheet, at most once per percent. */
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
  /** True if it is the frame that is shown at the requested time. */
  isExact: boolean;
}

/** Names an image generator, for example `imageGenerator:2`. */
export type ImageGeneratorHandle = string & { readonly __kind?: "ImageGeneratorHandle" };

/** The layout of an uncompressed image in the bytes of a sample buffer. */
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
 * Numbered images that are read as one video (OpenTimelineIO's `ImageSequenceReference`). The
 * `url` is a pattern of their names with a place for the number, `frame%04d.png`; a pattern of
 * the shell, `frames/*.png`; a folder, all of whose images are used; or the name of one image,
 * with which the sequence begins. Only the last part of the path is a pattern. Without numbers,
 * files are in the order of their names, in which `a2` comes before `a10`. A symbolic link
 * counts as the file that it leads to. Image n is shown from n × `frameStep` / `frameRate` on.
 * The folder is listed once, when the first key is loaded; an image is opened when it is read.
 * All have the same format, size and Exif orientation: one that differs fails the work that
 * reads it, with `invalidSourceMedia` and its name. So does one that has been written to since
 * then, with `failedToLoadSampleData`.
 */
export interface ImageSequence {
  /** Frames per second: a number, or a ratio such as 30000 over 1001. Default: `25`. */
  frameRate?: Factor;
  /**
   * The number of the first image, for numbered names. Left out: the lowest number in the
   * folder.
   */
  startNumber?: number;
  /**
   * The number of the last image, for numbered names. Left out: the highest number in the
   * folder.
   */
  endNumber?: number;
  /**
   * The difference between the numbers of consecutive images, and the number of frames that each
   * is shown for. Default: `1`.
   */
  frameStep?: number;
  /** The treatment of a missing image. Default: `"error"`. */
  missingFramePolicy?: MissingFramePolicy;
}

/** A type of file that a preset can't export an asset to. */
export interface IncompatibleFileType {
  /** Its short name. */
  fileType: string;
  /** The reason for which it can't. */
  reason: string;
}

/** A preset that can't export an asset. */
export interface IncompatiblePreset {
  /** The preset. */
  preset: string;
  /** The reason for which it can't. */
  reason: string;
}

/** The properties of the server. */
export interface InitializeResult {
  /** The server's name, `reelwire`, and its version. */
  serverInfo: ProgramInfo;
  /** The version of this protocol, `1.0`. */
  protocolVersion: string;
  /** The FFmpeg libraries that this process runs on. */
  ffmpeg: FFmpegInfo;
  /** The capabilities of this server. */
  capabilities: ServerCapabilities;
}

/** Bytes in the message. */
export interface InlineBlob {
  /** Always `inline`. */
  kind: "inline";
  /** The number of bytes. */
  size: number;
  /** The MIME type of the bytes. */
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
  /** The indices of the inputs in `inputs`, at least one; an input is in one group at most. */
  inputs: number[];
  /** The index of the input whose track is enabled; when absent, no track of the group is. */
  defaultInput?: number;
}

/** Names one input of an asset writer, for example `input:2/1`. */
export type InputHandle = string & { readonly __kind?: "InputHandle" };

/** The status of an input. */
export interface InputStatus {
  /** The input. */
  input: InputHandle;
  /** The number of samples that it has accepted. */
  appended: number;
  /** True when it accepts more without waiting. */
  isReadyForMoreMediaData: boolean;
  /** The input that has to get samples before this one can. */
  waitsFor?: InputHandle;
}

/** The members that all generated instructions have in common. */
export interface InstructionPrototype {
  /**
   * Red, green, blue and alpha, each from 0 to 1, where no layer covers it. Left out: opaque
   * black.
   */
  backgroundColor?: number[];
}

/** The state of one key. */
export interface IntegerKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: number;
  /** The reason for its failure. */
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
  /** The restrictions that the kernel enforces on the worker processes. */
  confinement: Confinement;
}

/** The way in which a passthrough export joins the segments of a track. */
export interface Joins {
  /** The treatment of lossy audio of several segments. Default: `"encode"`. */
  audio?: AudioJoin;
  /**
   * The treatment of H.264 and HEVC whose parameter sets differ and have the same numbers.
   * Default: `"refuse"`.
   */
  video?: VideoJoin;
}

/** The cause of a jump of an item's time. */
export type JumpCause = "seek" | "step" | "loop" | "setRate" | "itemChange";

/** The state of the loading of a key. */
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
   * The last message of the libraries' log, if their code means no more than that a file is
   * invalid, for example `moov atom not found`; else their text for the code.
   */
  message: string;
}

/** The items for which all of these are true. */
export interface LibraryAll {
  /** The predicates; an empty list matches all items. */
  all: LibraryPredicate[];
}

/** The items for which at least one of these is true. */
export interface LibraryAny {
  /** The predicates; an empty list matches no item. */
  any: LibraryPredicate[];
}

/** A change of a library. */
export interface LibraryChange {
  /** The item's identifier. */
  item: string;
  /** The kind of change. */
  kind: LibraryChangeKind;
}

/** The kind of change of an item. */
export type LibraryChangeKind = "inserted" | "changed" | "removed";

/** The changes. */
export interface LibraryChangesResult {
  /** The changes in the order of each item's last one, each item once. */
  changes: LibraryChange[];
  /** The token from which later changes are counted. */
  changeToken: number;
}

/** Items that belong together. */
export interface LibraryCollection {
  /** The identifier, which is the same for the same collection at any time. */
  id: string;
  /** The title: of a folder its path, of a month `2021-05`. */
  title: string;
  /** The number of its items. */
  count: number;
  /** The date of the first recording among them, in UTC. */
  startDate?: string;
  /** The date of the last recording among them, in UTC. */
  endDate?: string;
  /** The predicate that fetches the items. */
  predicate: LibraryPredicate;
}

/** The property that the items of a collection have in common. */
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
 * The items whose value of a key passes a comparison. Of a key that an item doesn't have, only
 * `isNot`, and `exists` with `false`, are true.
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
  /** The operator. */
  op: LibraryOperator;
  /** The value to compare with; `true` when absent. */
  value?: LibraryValue;
}

/** A value, with the number of items that have it. */
export interface LibraryCount {
  /** The value. */
  value: string;
  /** The number of items that have it. */
  count: number;
}

/**
 * Reports that a library has changed, by a scan or because it is watched: at most twice a
 * second.
 */
export interface LibraryDidChange {
  /** The library. */
  library: LibraryHandle;
  /** The token from which later changes are counted. */
  changeToken: number;
  /** The changes of the observed results that are affected. */
  fetchResults: FetchResultChanges[];
}

/**
 * Reports that the worker process of a library has died: nothing watches its folders, and
 * nothing reports its changes any more. Close the library and open it again. Changes until then
 * are those since the last change token (`library/changes`), after a scan.
 */
export interface LibraryDidFail {
  /** The library. */
  library: LibraryHandle;
  /** The failure. */
  error: ErrorObject;
}

/** Reports the end of `library/duplicates`, with the duplicates. */
export interface LibraryDidFindDuplicates {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** The outcome. */
  result: Outcome;
  /**
   * The groups of items with the same content, those of the largest files first; in each, in the
   * order of addition.
   */
  groups: LibraryItem[][];
  /** The reason for its failure or cancellation. */
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

/** Reports the progress of a scan, at most ten times a second. */
export interface LibraryDidProgressScan {
  /** The operation. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** The counts so far. */
  counts: LibraryScanCounts;
  /** The folder that is being scanned. */
  folder: string;
}

/** Reports the end of a scan. */
export interface LibraryDidScan {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The library. */
  library: LibraryHandle;
  /** The outcome. */
  result: Outcome;
  /** The counts. */
  counts: LibraryScanCounts;
  /** Items that can't be read, a hundred at most, with their URLs and errors. */
  errors: LibraryItem[];
  /**
   * Symbolic links that are to be followed, and can't be; a hundred at most. Absent where there
   * are none.
   */
  links?: LibraryLink[];
  /** The reason for its failure or cancellation. */
  error?: ErrorObject;
}

/** The items. */
export interface LibraryFetchResult {
  /** The result's handle. */
  fetchResult: FetchResultHandle;
  /** The number of its items. */
  count: number;
  /** The token from which later changes are counted (`library/changes`). */
  changeToken: number;
}

/** A folder that is to be a part of a library. */
export interface LibraryFolder {
  /**
   * Its path, absolute or from the server's working folder; the files in it and below it belong
   * to the library.
   */
  path: string;
  /** Folders below it that don't belong to the library, as paths from it. */
  excluded?: string[];
  /**
   * True to follow symbolic links in it; see `library/addFolder`. Left out: no change, which is
   * `false` for a new folder.
   */
  followsSymbolicLinks?: boolean;
}

/** The availability of a folder. */
export type LibraryFolderState = "online" | "offline" | "denied";

/** A folder of a library, with its state. */
export interface LibraryFolderStatus {
  /** Its path. */
  path: string;
  /** The availability, as the last scan found it. */
  state: LibraryFolderState;
  /** The detection of changes. */
  watch: LibraryWatch;
  /** The date of its last complete scan, in UTC; absent when there was none. */
  scannedAt?: string;
  /** The number of its items that are not missing. */
  itemCount: number;
  /** True for a folder whose symbolic links are followed. */
  followsSymbolicLinks: boolean;
}

/** Names a library, for example `library:1`. */
export type LibraryHandle = string & { readonly __kind?: "LibraryHandle" };

/** A media file of a library, with those of the requested members that are known. */
export interface LibraryItem {
  /**
   * The item's identifier (a UUID). It stays the same as long as the item exists, even if the
   * file is moved or renamed.
   */
  item: string;
  /** The path of the file; a `file:` URL where it isn't UTF-8. */
  url?: string;
  /** The file's name. */
  name?: string;
  /** The state of the file. */
  state?: LibraryItemState;
  /** The kind of media; absent of files that can't be read. */
  mediaType?: LibraryMediaType;
  /** The container by FFmpeg's first name for it. */
  container?: string;
  /** The duration; absent of images. */
  duration?: Time;
  /** The width for display, in pixels. */
  width?: number;
  /** The height for display, in pixels. */
  height?: number;
  /** The codec of the first video track, by FFmpeg's name. */
  videoCodec?: string;
  /** The codec of the first audio track, by FFmpeg's name. */
  audioCodec?: string;
  /** The frame rate, in frames per second. */
  frameRate?: number;
  /** The clockwise rotation of frames for display, in degrees. */
  rotation?: number;
  /** The size of the file, in bytes. */
  fileSize?: number;
  /**
   * The date of the recording, from its metadata, in UTC; a date without a time zone counts as
   * UTC.
   */
  creationDate?: string;
  /** The date of the last modification of the file, in UTC. */
  modificationDate?: string;
  /** The date at which it was added to the library, in UTC. */
  addedAt?: string;
  /** The latitude of the recording, in degrees north of the equator. */
  latitude?: number;
  /** The longitude of the recording, in degrees east of Greenwich. */
  longitude?: number;
  /** The first text of each common key. */
  commonMetadata?: Record<string, string>;
  /** The reason for which the file can't be read. */
  error?: LibraryItemError;
}

/** The reason for which a file of a library can't be read. */
export interface LibraryItemError {
  /** The name of the error. */
  name: string;
  /** The description of the error. */
  message: string;
}

/** The members of `LibraryItem` other than `item`. */
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

/** The state of an item's file. */
export type LibraryItemState = "present" | "missing" | "unreadable" | "offline";

/** The image. */
export interface LibraryItemThumbnailResult {
  /** The image. */
  image: Image;
  /** True if it was in the cache. */
  isCached: boolean;
}

/** The properties of an item. */
export interface LibraryItemValuesResult {
  /** The item. */
  item: LibraryItem;
  /**
   * The texts of its metadata, by common keys and by identifiers, in the order of the file. Each
   * is cut after 4,096 characters.
   */
  values: Record<string, string[]>;
}

/** A symbolic link that a scan couldn't follow. */
export interface LibraryLink {
  /** Its path; a `file:` URL if that isn't UTF-8. */
  path: string;
  /** The reason: it leads nowhere, in a circle, or out of the allowed folders. */
  message: string;
}

/** The kind of media of a library's item. */
export type LibraryMediaType = "video" | "audio" | "image";

/** The items for which this isn't true. */
export interface LibraryNot {
  /** The predicate. */
  not: LibraryPredicate;
}

/** The library. */
export interface LibraryOpenResult {
  /** The library's handle. */
  library: LibraryHandle;
  /** The number of its items that are not missing. */
  itemCount: number;
  /** The path of the database. */
  database: string;
}

/** The comparison of an item's key with a value. */
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
 * A condition on items, of at most 256 parts, which are nested at most 16 deep. Items that can't
 * be read or are missing are excluded unless the predicate asks for `state` or `error`.
 */
export type LibraryPredicate =
  | LibraryAll
  | LibraryAny
  | LibraryNot
  | LibraryComparison
  | LibraryText;

/** The counts of a scan. */
export interface LibraryScanCounts {
  /** Media files that were looked at. */
  seen: number;
  /** Files that were opened and read. */
  probed: number;
  /** New items. */
  added: number;
  /** Items whose file has another content. */
  changed: number;
  /** Items whose file was moved or renamed. */
  moved: number;
  /** Items whose file is gone. */
  missing: number;
  /** Files among `probed` that can't be read. */
  unreadable: number;
  /** Folders that can't be read: the items that the library has of them stay as they are. */
  unreadableFolders: number;
  /** Symbolic links that are to be followed, and can't be. */
  unreadableLinks: number;
}

/** A key by which items are ordered. */
export interface LibrarySort {
  /** A key, as of `LibraryComparison`. Items without a value come last. */
  key: string;
  /** True if the smallest value comes first. Default: `true`. */
  ascending?: boolean;
}

/** The state of a library. */
export interface LibraryStatusResult {
  /** The path of the database. */
  database: string;
  /** The folders, in the order in which they were added. */
  folders: LibraryFolderStatus[];
  /** The number of its items that are not missing. */
  itemCount: number;
  /** The token from which later changes are counted (`library/changes`). */
  changeToken: number;
}

/**
 * The items that have all of these terms. Each is the beginning of a term in the item's name,
 * folder, title, artist, album or description; case and accents don't count.
 */
export interface LibraryText {
  /** The terms. */
  text: string;
}

/**
 * The value that a key of items is compared with: text, a number, true or false for `exists`, a
 * list for `in`, and a list of two for `between`. Dates are text such as `2021`, `2021-05`,
 * `2021-05-01` or `2021-05-01T12:30:00Z`, and mean the beginning of that period.
 */
export type LibraryValue = string | number | boolean | (string | number)[];

/** The detection of changes in a folder. */
export type LibraryWatch = "events" | "polling" | "none";

/** The importance of a message of the log. */
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
   * The maximum true peak in dBTP, from -20 to 0. It takes precedence over the loudness: audio
   * whose peaks would exceed it becomes less loud, since its dynamics stay. It is that of the
   * audio as it is encoded: a codec with loss may exceed it. Default: `-1`.
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
  /** The white point. */
  whitePoint?: Chromaticity;
  /** The minimum luminance, in cd/m²; files store it in units of 1/10000. */
  minLuminance?: number;
  /** The maximum luminance, in cd/m². */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaCharacteristic[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** A choice of one option, or none, of every group (AVMediaSelection). */
export interface MediaSelection {
  /** The choices, one for each group. */
  choices: MediaSelectionChoice[];
}

/** The choice in one group. */
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
  /** True if it is possible to present none of them. */
  allowsEmptySelection: boolean;
}

/** The state of one key. */
export interface MediaSelectionKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaSelection;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The state of one key. */
export interface MediaSelectionListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaSelection[];
  /** The reason for its failure. */
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
  /** The characteristics of its media. */
  mediaCharacteristics: MediaCharacteristic[];
  /** True if this build can decode it. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MediaType;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** Changes of metadata; all other items stay as they are. */
export interface MetadataChanges {
  /** Items to write, each in place of all those with the same meaning. */
  set?: MetadataEntry[];
  /**
   * Items to remove: FFmpeg's names (`album_artist`), common keys (`artwork`) or identifiers
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
  /** The type of the bytes; when an image is written, its type is determined from its bytes. */
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
   * The meaning of the item in any container: `title`, `artist`, `albumName`, `creationDate`,
   * `artwork` …
   */
  commonKey?: string;
  /** The item's language by BCP 47. */
  extendedLanguageTag?: string;
  /** The item's locale, for example `de_AT`. */
  locale?: string;
  /** The type of the value by Core Media's name; derived from the value when absent. */
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
  /** The time from which it applies; absent when it applies to the whole. */
  time?: Time;
  /** The duration for which it applies. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MetadataItem;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The state of one key. */
export interface MetadataItemListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: MetadataItem[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The value of an item of metadata. Text that is not UTF-8 in the file is repaired on its way. */
export type MetadataValue = string | number | boolean | MetadataData;

/** The treatment of an image that is missing from a sequence. */
export type MissingFramePolicy = "error" | "hold";

/** A new observer of a player's time. */
export interface NewTimeObserver {
  /**
   * The observer's handle. Closing it removes the observer: once that is answered, no
   * notification of it is written.
   */
  timeObserver: TimeObserverHandle;
}

/** No destination of a player's audio. */
export interface NoAudioDevice {
  /** Always `none`. */
  kind: "none";
}

/** The reason for which there is no frame. */
export type NoPictureReason = "none" | "notNew" | "notReady" | "noCredit";

/** The state of one key. */
export interface NumberKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: number;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * An entry in the course of a number over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`. Entries are in ascending order and don't overlap.
 * Between two of them the last number holds.
 */
export interface NumberRamp {
  /** The time from which on `value` holds. */
  at?: Time;
  /** The number from `at` on. */
  value?: number;
  /** The number at the start of a ramp. */
  from?: number;
  /** The number at the end of a ramp, and after it. */
  to?: number;
  /** The time range of a ramp. */
  timeRange?: TimeRange;
}

/**
 * An entry in the course of a number over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`. Entries are in ascending order and don't overlap.
 * Between two of them the last number holds.
 */
export interface NumberRampInput {
  /** The time from which on `value` holds. */
  at?: TimeInput;
  /** The number from `at` on. */
  value?: number;
  /** The number at the start of a ramp. */
  from?: number;
  /** The number at the end of a ramp, and after it. */
  to?: number;
  /** The time range of a ramp. */
  timeRange?: TimeRangeInput;
}

/** A document of OpenTimelineIO: an object with `OTIO_SCHEMA`. */
export type OpenTimelineIODocument = Record<string, unknown>;

/** Names work in progress, for example `operation:5`. */
export type OperationHandle = string & { readonly __kind?: "OperationHandle" };

/** The work has begun. */
export interface OperationStarted {
  /** The operation of its notifications. */
  operation: OperationHandle;
}

/** The outcome of one item of a longer work. */
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
 * A video or a still image that lies over the frames of the clips for some time, and its audio
 * if it has a `volume`.
 */
export interface OverlayInput {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Numbered images for which the `url` stands. */
  imageSequence?: ImageSequence;
  /**
   * The range in which it is shown; a duration of `"+infinity"` lasts to its end, or that of the
   * clips.
   */
  timeRange: TimeRangeInput;
  /**
   * The part of the source that is shown, of which `timeRange` may need less; a duration of
   * `"+infinity"` reaches to the end. Not for stills. Left out: all of it.
   */
  sourceTimeRange?: TimeRangeInput;
  /**
   * The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
   * Default: `1`.
   */
  speed?: Factor;
  /**
   * A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in
   * ascending order, at times of the source within the part that is shown. Speeds are all above
   * 0, or all below 0 for backward. Left out: `speed` throughout.
   */
  speedRamp?: SpeedPointInput[];
  /** The volume of its audio, 0 or more. Default: `0`. */
  volume?: number;
  /** Its rectangle, in pixels of the composed frame. */
  frame: Rectangle;
  /**
   * The fit to its `frame`; the part outside of it, with `"cover"` and `"none"`, isn't shown.
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
  /** The place of the problem, as a JSON pointer into the params, for example `/times/0/value`. */
  path: string;
  /** A description of the expected value. */
  expected: string;
  /** The value that was found. */
  got: string;
  /** The code of this problem, if it has one of its own. */
  code?: number;
}

/** A point of a picture, from its top left, as fractions of its width and height. */
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

/**
 * The format of the raw frames that are appended to an input
 * (AVAssetWriterInputPixelBufferAdaptor).
 */
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
  /** The offset of the plane, in bytes from the start of the blob. */
  offset: number;
  /** The distance from one row to the next, in bytes. */
  bytesPerRow: number;
  /** The number of rows. */
  height: number;
}

/** The planned treatment of a segment of a track in a passthrough export. */
export interface PlannedSegment {
  /** The segment's number in the track, from 0. */
  segment: number;
  /** The range of the track that it fills, as far as it is exported. */
  timeRange: TimeRange;
  /** The treatment. */
  treatment: SegmentTreatment;
  /** The reason for which it is not copied. */
  reason?: string;
  /**
   * The advice for a refused one that can be copied in another way; left out where encoding is
   * the only solution.
   */
  advice?: Advice;
}

/** The planned treatment of a track in an export. */
export interface PlannedTrack {
  /** The track's number in the source. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** The treatment. */
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
  /** True if high dynamic range is mapped to BT.709. */
  mapsToStandardDynamicRange?: boolean;
  /** The sample rate of the encoded audio, in hertz. */
  sampleRate?: number;
  /** The number of channels of the encoded audio. */
  channels?: number;
  /**
   * The loudness that its audio will have, as far as its peaks allow that. Its present loudness
   * is measured by the export.
   */
  loudness?: LoudnessTarget;
  /** The reason for which the track is dropped. */
  reason?: string;
  /**
   * The number of the source's track that it is mixed into, which is its own for the first of
   * those that are mixed.
   */
  mixedInto?: number;
  /**
   * The treatment of each segment of a track with several, in a passthrough export; empty
   * segments aren't listed.
   */
  segments?: PlannedSegment[];
}

/** The direction of playback. */
export type PlaybackDirection = "forward" | "reverse";

/** The readiness of a player or of an item. */
export type PlaybackStatus = "unknown" | "readyToPlay" | "failed";

/** The state after the advance. */
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
  /** The item that is played; absent if there is none any more. */
  currentItem?: PlayerItemHandle;
  /** The items, the current one first. */
  items: PlayerItemHandle[];
  /** The number of jumps of the item's time. */
  revision: number;
}

/** A player's audio: its state, destination and statistics. */
export interface PlayerAudio {
  /** The state. */
  state: PlayerAudioStatus;
  /**
   * The ID of the device that plays, or the path of the file. The server's default device has an
   * ID of its own while it is open, and the audio server may move the audio to another device
   * when one is removed.
   */
  device?: string;
  /** The sample rate in hertz. */
  sampleRate: number;
  /** The number of channels. */
  channels: number;
  /** The time from the delivery of a sample until it is heard; absent where there is none. */
  latency?: Time;
  /** The number of times that the device had nothing to play though time ran. */
  underruns: number;
  /** The number of frames that were heard, or written. */
  framesPlayed: number;
  /**
   * False while the rate is one that has no audio: below 0, and above 4 with the algorithm
   * `spectral`, above 2 with the others.
   */
  isAudible: boolean;
  /** The reason for which it is unavailable. */
  error?: ErrorObject;
}

/** The format that a player's audio is mixed in, regardless of its items' formats. */
export interface PlayerAudioFormat {
  /** The sample rate in hertz, from 8000 to 384000. Default: `48000`. */
  sampleRate?: number;
  /** The number of channels, from 1 to 8. Default: `2`. */
  channels?: number;
}

/** The states of a player's audio. */
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
  /** The state of playback: paused, waiting or playing. */
  timeControlStatus?: TimeControlStatus;
  /** The reason for which it waits; `null` if it doesn't wait any more. */
  reasonForWaitingToPlay?: WaitingReasonChange;
  /** The item that is played; `null` if there is none any more. */
  currentItem?: CurrentItemChange;
  /** The clock that is in use. */
  clock?: PlayerClock;
  /** The audio. */
  audio?: PlayerAudio;
  /** The action at the end of an item. */
  actionAtItemEnd?: ActionAtItemEnd;
  /** The volume. */
  volume?: number;
  /** True for no audio, regardless of the volume. */
  isMuted?: boolean;
}

/** The clock that host times of a player are on. */
export type PlayerClock = "audio" | "host" | "manual";

/** The player. */
export interface PlayerCreateResult {
  /** The player's handle. */
  player: PlayerHandle;
}

/** Reports the changes of a player, of any cause, once for all that happen together. */
export interface PlayerDidChange {
  /** The player. */
  player: PlayerHandle;
  /** The number of jumps of the item's time; absent where the worker process has died. */
  revision?: number;
  /** The time of the clock; absent where the worker process has died. */
  hostTime?: Time;
  /** The changes. */
  changes: PlayerChanges;
}

/** Reports the end of a preroll. */
export interface PlayerDidPreroll {
  /** The operation that has ended. */
  operation: OperationHandle;
  /** The player. */
  player: PlayerHandle;
  /** True if everything is decoded; false if something has interrupted it. */
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
   * True if the item is at the requested time; false if something has interrupted the seek, or
   * the time can't be reached.
   */
  finished: boolean;
  /** The requested time. */
  requestedTime: Time;
  /**
   * The item's time: the start of the frame that is shown, where the tolerances allow that; else
   * the requested one. Only with `finished` `true`.
   */
  actualTime?: Time;
  /**
   * The number of the frame that is shown, from 0, in presentation order; absent where frames
   * have none.
   */
  sampleIndex?: number;
  /** False if the frame isn't certainly the one that is shown at that time; absent without video. */
  isExact?: boolean;
  /** The number of jumps of the item's time; absent where the worker process has died. */
  revision?: number;
  /** The reason for which it hasn't finished, where the worker process has died. */
  error?: ErrorObject;
}

/** The frames of a player's outputs that were neither returned nor sent. */
export interface PlayerDrops {
  /** The number for which an output had no credit. */
  outOfCredit: number;
  /** The number that later frames had replaced before they could be sent. */
  late: number;
  /**
   * The number that the client didn't request in their time, or that were skipped at a high
   * rate.
   */
  skipped: number;
}

/** The file. */
export interface PlayerFinishAudioFileResult {
  /** The path of the file. */
  path: string;
  /** The size of the file, in bytes. */
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
  /**
   * The size of its frames, upright. Absent besides a `status` of `readyToPlay`, the item has no
   * video, or none any more.
   */
  presentationSize?: Size;
  /** The tracks. */
  tracks?: PlayerItemTrack[];
  /** The ranges within which seeks are possible. */
  seekableTimeRanges?: TimeRange[];
}

/** The item. */
export interface PlayerItemCreateResult {
  /** The item's handle. */
  playerItem: PlayerItemHandle;
}

/** Reports the changes of an item, once for all that happen together. */
export interface PlayerItemDidChange {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The changes. */
  changes: PlayerItemChanges;
}

/** Reports that an item can't be played to its end. A queue continues with the next one. */
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

/**
 * Reports that playback has stopped where the next frame or audio is due and waits for the bytes
 * of a resource (AVPlayerItem.playbackStalledNotification). A player that waits automatically
 * continues when they have come; the rate of another is 0 then, because of `stalled`. Late
 * decoding isn't a stall, and there is none on a manual clock.
 */
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

/** The state. */
export interface PlayerItemStateResult {
  /** The readiness: `unknown` until a player has loaded it. */
  status: PlaybackStatus;
  /** The reason for which it has failed. */
  error?: ErrorObject;
  /** The duration, regardless of its end times; `"indefinite"` until it is ready. */
  duration: Time;
  /** The size of its frames, upright; absent without video. */
  presentationSize?: Size;
  /** Its time; `"invalid"` without a player. */
  time: Time;
  /** The player that has it. */
  player?: PlayerHandle;
  /** The tracks, once it is ready. */
  tracks: PlayerItemTrack[];
  /** The ranges that are decoded ahead. */
  loadedTimeRanges: TimeRange[];
  /** The ranges within which seeks are possible. */
  seekableTimeRanges: TimeRange[];
  /** True if enough is decoded to continue playing. */
  isPlaybackLikelyToKeepUp: boolean;
  /** True if no more is decoded ahead. */
  isPlaybackBufferFull: boolean;
  /** True if nothing is decoded ahead. */
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
  /** True if it can be moved forward by frames, at its end as well. */
  canStepForward: boolean;
  /** True if it can be moved backward by frames, at its start as well. */
  canStepBackward: boolean;
  /** The reason for which it can't play backward or step. */
  reason?: string;
  /** The number of samples that the decoders have refused, in what was played; in each pass anew. */
  damagedSamples: number;
  /**
   * The damage that was met in each track, as `damagedSamples`, with its reason; absent without
   * any. It is that of the pass that has met the most. That a file is cut short is known at its
   * end.
   */
  dropped?: Dropped[];
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
  /** True if it is presented. */
  isEnabled: boolean;
  /**
   * The frames a second that it shows during playback, 0 while time stands. Absent for a track
   * that isn't shown, and if the rate isn't known without decoding.
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
  /** The items that loop: `templateItem` alone. */
  loopingPlayerItems: PlayerItemHandle[];
}

/** Reports that a looped item begins again. */
export interface PlayerLooperDidLoop {
  /** The looper. */
  playerLooper: PlayerLooperHandle;
  /** The number of times that the item has begun again, from 1. */
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
  /** The number of times that the item has begun again. */
  loopCount: number;
  /** The items that loop. */
  loopingPlayerItems: PlayerItemHandle[];
}

/** The rate of a player after a request. */
export interface PlayerRate {
  /** The desired rate; 0 is paused. */
  rate: number;
  /** The state of playback: paused, waiting or playing. */
  timeControlStatus: TimeControlStatus;
  /** The reason for which it waits, while it does. */
  reasonForWaitingToPlay?: WaitingReason;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** The state. */
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
  /** The state of playback: paused, waiting or playing. */
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
  /** True for no audio, regardless of the volume. */
  isMuted: boolean;
  /** The action at the end of an item. */
  actionAtItemEnd: ActionAtItemEnd;
  /** True if a player that has too little decoded waits and continues automatically. */
  automaticallyWaitsToMinimizeStalling: boolean;
  /** The number of jumps of the item's time. */
  revision: number;
  /** The audio. */
  audio: PlayerAudio;
}

/** The statistics of a player. */
export interface PlayerStatistics {
  /** The player. */
  player: PlayerHandle;
  /** The number of frames that its outputs have returned or sent. */
  presented: number;
  /** The frames that were neither returned nor sent. */
  dropped: PlayerDrops;
  /** The number of times that an audio server had nothing to play. */
  underruns: number;
  /** The maximum time from a moment to its notification; 0 on a manual clock. */
  maximumLateness: Time;
  /** The bytes of frames that are decoded and wait for their time. */
  bytesBuffered: number;
}

/** The settings of a preset of exports. */
export interface PresetSettings {
  /** The preset's name, for example `1280x720`; it has to encode the input's media type. */
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
  /** The run of the clock; 0 when absent. */
  epoch?: number;
  /** True if the time was rounded. */
  rounded?: boolean;
}

/**
 * An output of a reader. A mix needs `settings` with `sampleFormat`. It begins with the range,
 * is silent where no track has audio, and ends with the last track or the range. By default its
 * sample rate and channel count are the highest of its tracks. Integer formats clip where the
 * sum is too loud; floating-point formats do not.
 */
export interface ReaderOutputInput {
  /** The source of its samples. */
  type: ReaderOutputType;
  /** The track; for the type `track`, exactly one of this, `mediaType` and `track` is required. */
  trackID?: number;
  /** The first enabled track of this media type. */
  mediaType?: MediaType;
  /** The first enabled track that this rule fits: `{"mediaType": "audio", "language": "de"}`. */
  track?: TrackRule;
  /**
   * The tracks to mix, for the type `audioMix`, or those that can be shown, for the type
   * `videoComposition`; all of the kind when absent.
   */
  trackIDs?: number[];
  /**
   * The volumes of the tracks, for the type `audioMix`; `null` for their own volume. Left out:
   * the asset's own mix, which a composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The video composition that makes the frames, for the type `videoComposition`. Left out: the
   * asset's own, which a composition may have.
   */
  videoComposition?: VideoCompositionInput;
  /**
   * The format that samples are converted to; absent or `null` for samples as stored, in decode
   * order.
   */
  settings?: ReaderSettings;
  /**
   * The algorithm for audio that is scaled in time; only with settings for audio. Default:
   * `"spectral"`.
   */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** True if the output can be read again from other ranges. Default: `false`. */
  supportsRandomAccess?: boolean;
}

/** The source of the samples of a reader's output. */
export type ReaderOutputType = "track" | "audioMix" | "videoComposition";

/**
 * The format that samples are converted to: settings for video, for audio or for text. Settings
 * with `sampleFormat` are for audio, with `textFormat` for text, all others for video.
 */
export type ReaderSettings = VideoSettings | AudioSettings | TextSettings;

/** The status of a reader. */
export type ReaderStatus = "unknown" | "reading" | "completed" | "failed" | "cancelled";

/** The statistics of a track: counts are frames of video, and samples a channel of audio. */
export interface RecordedTrack {
  /** The media type, `video` or `audio`. */
  mediaType: MediaType;
  /**
   * The number of captured ones that are in the file. A frame that is repeated for a higher rate
   * counts once, and audio that is resampled for its drift as it was captured.
   */
  written: number;
  /** The number of dropped ones. */
  dropped: CaptureDrops;
  /** The number of samples of silence in place of missing ones. */
  inserted: number;
  /** The number before the recording's zero. */
  trimmed: number;
  /** The excess speed of the device's clock, in millionths; absent if it isn't known. */
  drift?: number;
}

/** The treatment of the tracks of a recording. */
export interface RecordingSettings {
  /**
   * The encoding of video: `h264` in `quality` 0.6 when absent, or the usual codec of a type of
   * file that can't hold that; `null` leaves video out.
   */
  video?: VideoTreatment;
  /**
   * The encoding of audio: in movies, `aac` of 128 kbit/s per pair of channels when absent, or
   * the usual codec of a type of file that can't hold that; `null` leaves audio out, which
   * animated images require.
   */
  audio?: AudioTreatment;
}

/** The outcome of a recording. */
export type RecordingStatus = "completed" | "failed" | "cancelled";

/** A part of a frame, in pixels from the top left. */
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
  /** The time from which `value` holds. */
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
  /** The time from which `value` holds. */
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
  /** The media type, `video` or `audio`. */
  mediaType: MediaType;
  /** The format. */
  format: DeviceFormat;
  /** The duration of a frame, as requested from the device. */
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
   * True if any bytes can be requested at any time. Without random access each read begins where
   * the bytes of the one before ended. The bytes are put into a temporary file without a name,
   * as far as they are needed; `--spool-max` limits its size.
   */
  isRandomAccess: boolean;
  /** The name in messages and errors, such as a file's name; the handle when absent. */
  name?: string;
  /** The expected type of the bytes, for people: the bytes themselves decide. */
  mimeType?: string;
  /**
   * The time that a read waits for its answer, in milliseconds; then the work that needs it
   * fails with `resourceTimedOut`. Default: `60000`.
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

/** The bytes of an answer: in the message, or in shared memory. */
export type ResourceBytes = InlineBytes | PlacedBytes;

/**
 * Reports that the answer to a read isn't needed any more. An answer that arrives nevertheless
 * is ignored. A read with a `place` is best answered with an error then: only an answer makes
 * its place free for other reads.
 */
export interface ResourceDidCancelRead {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of the read. */
  request: number;
}

/**
 * Reports that a resource is not read any more: it was closed, or its asset was, and nothing
 * that was made from the asset uses it any longer.
 */
export interface ResourceDidEnd {
  /** The resource. */
  resource: ResourceHandle;
}

/** The reason for which bytes of a resource can't be read. */
export interface ResourceError {
  /**
   * A description for people; it is part of the message of the `failedToLoadMediaData` with
   * which the work fails.
   */
  message: string;
}

/** Names media whose bytes the client supplies, for example `resource:1`. */
export type ResourceHandle = string & { readonly __kind?: "ResourceHandle" };

/**
 * Requests bytes of a resource, to be answered with `resource/didRead`. Several are outstanding
 * at a time with random access, in any order; they may be answered in any order, too. Without
 * random access there is one at a time.
 */
export interface ResourceRead {
  /** The resource. */
  resource: ResourceHandle;
  /** The number of the read, which its answer has as well; never used twice for a resource. */
  request: number;
  /** The offset of the bytes, from the resource's start. */
  offset: number;
  /** The number of bytes. */
  length: number;
  /**
   * The offset in the memory of `resource/allocate` at which the answer may be put; absent if
   * there is none.
   */
  place?: number;
}

/** The state of a restriction. */
export interface Restriction {
  /** True if it is in force. */
  holds: boolean;
  /** The reason, if it isn't. */
  reason?: string;
}

/** The work has begun. */
export interface RevisedOperationStarted {
  /** The operation of its notifications. */
  operation: OperationHandle;
  /** The number that the jump has if it is made. */
  revision: number;
}

/** The rounding of a time to a timescale that cannot hold it exactly. */
export type Rounding =
  | "halfAwayFromZero"
  | "towardZero"
  | "awayFromZero"
  | "quickTime"
  | "towardPositiveInfinity"
  | "towardNegativeInfinity";

/** The sample at which a cursor is; times are on the asset's clock. */
export interface Sample {
  /** Its index in decode order, from 0. */
  index: number;
  /** The presentation time. */
  presentationTime: Time;
  /** `true` when the file has no presentation time and it is derived; else absent. */
  presentationTimeInferred?: boolean;
  /** The decode time; absent if the file does not state it. */
  decodeTime?: Time;
  /**
   * The duration of its presentation; `"indefinite"` if the file does not state it and there is
   * no next sample.
   */
  duration: Time;
  /**
   * `true` when the file has no duration and the time until the next sample is used; else
   * absent.
   */
  durationInferred?: boolean;
  /** The number of bytes. */
  size: number;
  /** The position of its bytes in the file. */
  storageRange: StorageRange;
  /**
   * The packet's position as reported by FFmpeg: in some containers the block, page or transport
   * packet in which it begins. Absent when unknown.
   */
  packetPosition?: number;
  /** Its suitability as the start of decoding. */
  syncInfo: SampleSyncInfo;
  /** The dependencies between it and other samples. */
  dependencyInfo: SampleDependencyInfo;
  /**
   * The dependency of an audio packet on others; absent for other samples, and for codecs for
   * which it is not known.
   */
  audioDependencyInfo?: SampleAudioDependencyInfo;
  /**
   * The number of samples before it, in decode order, that a decoder needs to decode it
   * correctly.
   */
  samplesRequiredForDecoderRefresh: number;
  /**
   * `true` if it is decoded only because others refer to it, being outside the edit list; else
   * absent.
   */
  isDiscarded?: boolean;
}

/**
 * The attachments of a sample buffer, in addition to its bytes. A member that is `false` is
 * absent, except `isDependedOnByOthers` and `dependsOnOthers`, which are absent if the file does
 * not state them.
 */
export interface SampleAttachments {
  /** True if it is not a sync sample. */
  notSync?: boolean;
  /** True if other samples need it: `false` for one that may be dropped. */
  isDependedOnByOthers?: boolean;
  /** True if it needs other samples: `false` for a sync sample. */
  dependsOnOthers?: boolean;
  /** True if it must be decoded, but not presented. */
  doNotDisplay?: boolean;
  /** The part at its start that is not presented. */
  trimDurationAtStart?: Time;
  /** The part at its end that is not presented. */
  trimDurationAtEnd?: Time;
  /** The factor by which it is presented faster than stored. */
  speedMultiplier?: number;
  /** True if it represents a range without media. */
  emptyMedia?: boolean;
  /** True if the decoder must be reset before it. */
  resetDecoderBeforeDecoding?: boolean;
  /** True if the decoder must be drained after it. */
  drainAfterDecoding?: boolean;
}

/** The dependency of an audio packet on others. */
export interface SampleAudioDependencyInfo {
  /** True if a decoder can begin with it. */
  isIndependentlyDecodable: boolean;
  /**
   * The number of packets, from this one on, whose audio is not exact when a decoder begins with
   * it; absent when unknown.
   */
  packetRefreshCount?: number;
}

/**
 * Samples of one track. Decoded frames have `image`, unless they are encoded as images; decoded
 * audio has `audio`; samples as stored have neither.
 */
export interface SampleBuffer {
  /** The presentation time. */
  presentationTime: Time;
  /** The decode time; only with samples as stored. */
  decodeTime?: Time;
  /** The duration of its presentation. */
  duration: Time;
  /** The number of samples; 0 for a buffer that only carries attachments. */
  numSamples: number;
  /** The attachments, in addition to its bytes. */
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
  /** The position of its bytes in the file. */
  storageRange: StorageRange;
  /** The number of samples in it. */
  sampleCount: number;
  /** The index of the cursor's sample in it, from 0. */
  sampleIndexInChunk: number;
  /** True if all its samples have the same number of bytes. */
  hasUniformSampleSizes: boolean;
  /** True if all its samples have the same duration. */
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

/** The reordering around the cursors. */
export interface SampleCursorReorderingResult {
  /**
   * True if a sample that is decoded before that of `sampleCursor` is presented after that of
   * `to`.
   */
  hasEarlierDecodedPresentedLater: boolean;
  /**
   * True if a sample that is decoded after that of `sampleCursor` is presented before that of
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
  /** True if there are none after these. */
  endOfTrack: boolean;
}

/** The new position. */
export interface SampleCursorStepByTimeResult {
  /** The time that it has moved by, on the clock of the order. */
  moved: Time;
  /** True if the time is before the first sample, or after the end of the last. */
  wasPinned: boolean;
  /** The sample it is at. */
  sample: Sample;
}

/** The new position. */
export interface SampleCursorStepResult {
  /** The number of samples that it has moved by, negative when backwards. */
  stepped: number;
  /** The sample it is at. */
  sample: Sample;
}

/**
 * The dependencies between a sample and others. A member is absent if the file does not state
 * it.
 */
export interface SampleDependencyInfo {
  /** True if it needs other samples to be decoded. */
  dependsOnOthers?: boolean;
  /** True if other samples need it. */
  hasDependentSamples?: boolean;
}

/** The orders of a track's samples. */
export type SampleOrder = "decode" | "presentation";

/** A sample's suitability as the start of decoding. */
export interface SampleSyncInfo {
  /** True if a decoder can begin with it. */
  isFullSync: boolean;
  /** Always `false`: FFmpeg shows QuickTime's partial sync samples as sync samples. */
  isPartialSync: boolean;
  /** True if no other sample needs it; also `false` if the file does not state it. */
  isDroppable: boolean;
}

/** The beginning of a scene. */
export interface SceneChange {
  /** The time at which the first frame of the new scene begins to be shown, on the asset's clock. */
  time: Time;
  /**
   * The index of that frame in the track, in presentation order, from 0; absent if the track's
   * frames have no numbers, as those of compositions, or no presentation times.
   */
  sampleIndex?: number;
  /** The clearness of the change, from 0 to 1. */
  score: number;
}

/** A number of seconds, or an infinity. */
export type Seconds = number | "+infinity" | "-infinity";

/** The playback of a range of a source by a segment. */
export type SegmentPlayback = "forward" | "reverse" | "freeze";

/** The use of the segments of a writer. */
export type SegmentProfile = "mpeg4AppleHLS" | "mpeg4CMAFCompliant";

/** The contents of a segment. */
export interface SegmentReport {
  /** The reports, one for each track with samples in it. */
  trackReports: SegmentTrackReport[];
}

/**
 * Media segments instead of a file: MP4 of one input of video, one of audio, or of both; for
 * `mpeg4CMAFCompliant` of one input. A segment begins with a sync sample of video, and has the
 * audio that is presented before the next one begins. Segments continue until the last track
 * ends.
 */
export interface SegmentSettingsInput {
  /**
   * The time from one segment to the next, 0.001 seconds at least: a segment begins with the
   * first sync sample of each interval. Encoded video has one where the interval begins, stored
   * video where it has one. With `"indefinite"`, segments end only with
   * `assetWriter/flushSegment`.
   */
  preferredOutputSegmentInterval: TimeInput;
  /**
   * The start of the first interval, on the clock of the samples; the start of the session when
   * absent.
   */
  initialSegmentStartTime?: TimeInput;
  /** The use of the segments. Default: `"mpeg4AppleHLS"`. */
  profile?: SegmentProfile;
  /**
   * The destination of the bytes. A file's path has a `%d`, which becomes 0 for the
   * initialization segment, and the index plus 1 for the others. Default: `"inline"`.
   */
  delivery?: Delivery;
}

/** The part of a track in a segment. */
export interface SegmentTrackReport {
  /** The track's number in the segments. */
  trackID: number;
  /** The media type of the track. */
  mediaType: MediaType;
  /** The presentation time of its first sample, in the file's time. */
  earliestPresentationTime: Time;
  /** The duration of its samples. */
  duration: Time;
}

/** The treatment of a segment of a track in a passthrough export. */
export type SegmentTreatment = "copied" | "edgesEncoded" | "encoded" | "refused";

/** The kind of a segment. */
export type SegmentType = "initialization" | "separable";

/** The capabilities of a server, in addition to its methods. */
export interface ServerCapabilities {
  /** The forms of `delivery` it can serve; `shm` is missing where the system has no memfd. */
  deliveries: BlobKind[];
  /** The maximum size of a message that it reads, in bytes. */
  maxMessageBytes: number;
  /** The maximum size of the shared memory that it leases at a time, in bytes. */
  maxSharedMemoryBytes: number;
}

/** Bytes in shared memory, which do not change until the lease is released. */
export interface SharedBlob {
  /** Always `shm`. */
  kind: "shm";
  /** The number of bytes. */
  size: number;
  /** The MIME type of the bytes. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Size;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * The format of samples of an input without settings, which are written as they are appended.
 * Exactly one of `fromOutput`, `fromAsset` with `trackID`, and `format` is required.
 */
export interface SourceFormatHint {
  /** The output of a reader without settings from which the samples come. */
  fromOutput?: OutputHandle;
  /** The asset whose track has such samples. */
  fromAsset?: AssetHandle;
  /** The number of that track. */
  trackID?: number;
  /** The format itself; a `format` of a reader is one. */
  format?: CodedFormat;
}

/**
 * A point of a speed ramp: the speed at a time of the source. From one point to the next the
 * speed changes linearly over the time in which the source is shown, so that *s* seconds of the
 * source between the speeds *a* and *b* last exactly 2 *s* / (*a* + *b*). Before the first
 * point, and after the last one, it is constant. Two points at the same time are a step.
 */
export interface SpeedPoint {
  /** The time of the source. */
  at: Time;
  /** The speed there: 2 is twice as fast. */
  speed: Factor;
}

/**
 * A point of a speed ramp: the speed at a time of the source. From one point to the next the
 * speed changes linearly over the time in which the source is shown, so that *s* seconds of the
 * source between the speeds *a* and *b* last exactly 2 *s* / (*a* + *b*). Before the first
 * point, and after the last one, it is constant. Two points at the same time are a step.
 */
export interface SpeedPointInput {
  /** The time of the source. */
  at: TimeInput;
  /** The speed there: 2 is twice as fast. */
  speed: Factor;
}

/** The representation of a sphere in a frame. */
export interface Spherical {
  /** The projection by FFmpeg's name, for example `equirectangular`. */
  projection: string;
  /** The rotation around the vertical axis, in degrees. */
  yaw: number;
  /** The rotation around the horizontal axis, in degrees. */
  pitch: number;
  /** The rotation around the line of sight, in degrees. */
  roll: number;
}

/** The arrangement of two views in a frame. */
export interface Stereo3D {
  /** The arrangement by FFmpeg's name, for example `side by side`. */
  type: string;
  /** True if the right view comes first. */
  isInverted: boolean;
}

/** A run of bytes of the file. */
export interface StorageRange {
  /**
   * The offset from the start of the file, in bytes; -1 when the bytes are not in one piece, or
   * their position is unknown.
   */
  offset: number;
  /** The number of bytes. */
  length: number;
}

/**
 * Subtitles of a file, which become a track of the file that an export makes. The file is
 * SubRip, WebVTT, ASS, MicroDVD or SAMI, or one with other tracks, of which one of subtitles is
 * taken. MicroDVD counts frames: at the rate in its first lines (`{1}{1}25`), else at that of
 * the asset's video, else at 23.976 frames a second.
 */
export interface SubtitleFile {
  /** The path or `file` URL. */
  url: string;
  /** The track of that file. Left out: the first one of subtitles. */
  trackID?: number;
  /**
   * The track of the asset that it replaces. It takes the place of that track, and its language,
   * name and flags where they are left out here.
   */
  replaces?: number;
  /**
   * The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. A
   * byte order mark takes precedence. Left out, it is guessed, and the guess is a `characterSet`
   * in `dropped`.
   */
  characterSet?: string;
  /**
   * The delay of its cues in seconds; they are earlier if it is negative. Cues that would end
   * before the start are left out, and `dropped` has their number. Default: `0`.
   */
  timeOffset?: number;
  /**
   * The language by BCP 47, or by a code of three letters; `und` for none. Left out: the one
   * that the file states.
   */
  language?: string;
  /**
   * The name of the track, which players show; empty for none. Left out: the one that the file
   * states.
   */
  name?: string;
  /** True for a track that is shown by default, and for no other track of subtitles. */
  isDefault?: boolean;
  /**
   * True for subtitles that are always to be shown, such as translations of dialogue in a
   * foreign language.
   */
  isForced?: boolean;
  /** True for subtitles that describe noises as well, for people who don't hear them. */
  isForHearingImpaired?: boolean;
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

/** The encoding of text. */
export interface TextEncoding {
  /**
   * The codec by FFmpeg's name, for example `mov_text`, `subrip` or `webvtt`; when absent, the
   * default of the file's type.
   */
  codec?: string;
}

/** The format of text. */
export type TextFormat = "plain";

/** The state of one key. */
export interface TextKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: string;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** A text over the frames. */
export interface TextLayer {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The range of time in which it is shown; a duration of `"+infinity"` lasts to the end. */
  timeRange: TimeRange;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of the text that `alignment` names. Left out: where `alignment` is
   * in the picture, within the margins.
   */
  position?: PicturePosition;
  /** The duration of its appearance. Default: `0`. */
  fadeIn?: Time;
  /** The duration of its disappearance. Default: `0`. */
  fadeOut?: Time;
}

/** A text over the frames. */
export interface TextLayerInput {
  /**
   * The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
   * has no codes.
   */
  text: string;
  /** The range of time in which it is shown; a duration of `"+infinity"` lasts to the end. */
  timeRange: TimeRangeInput;
  /** The style. */
  style?: TextStyle;
  /**
   * The position of the point of the text that `alignment` names. Left out: where `alignment` is
   * in the picture, within the margins.
   */
  position?: PicturePosition;
  /** The duration of its appearance. Default: `0`. */
  fadeIn?: TimeInput;
  /** The duration of its disappearance. Default: `0`. */
  fadeOut?: TimeInput;
}

/** The state of one key. */
export interface TextListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: string[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** A line around letters. */
export interface TextOutline {
  /** Red, green, blue and alpha, each from 0 to 1. */
  color?: number[];
  /** The width, in pixels of the render size; 0 for none. */
  width?: number;
}

/** The format that text subtitles are converted to: one buffer for each that is not empty. */
export interface TextSettings {
  /** The format of the text. */
  textFormat: TextFormat;
}

/** A copy of letters, below them to the right. */
export interface TextShadow {
  /** Red, green, blue and alpha, each from 0 to 1. Left out: opaque black. */
  color?: number[];
  /**
   * The distance, in pixels of the render size, in both directions. Left out: 1/16 of the font's
   * size.
   */
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
   * The place of the text in the picture; for a text with a `position`, the point of the text
   * that is there. Left out: `"center"` for texts.
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
 * reads any of those, a number of seconds (rounded to the nearest nanosecond), or a string:
 * `"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
 * string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
 */
export type Time = RationalTime | "+infinity" | "-infinity" | "indefinite" | "invalid";

/** The order of the two. */
export interface TimeCompareResult {
  /** `-1` when `lhs` comes first, `0` when they are equal, `1` when `rhs` comes first. */
  order: number;
}

/** The state of a player's playback: paused, waiting or playing. */
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
 * reads any of those, a number of seconds (rounded to the nearest nanosecond), or a string:
 * `"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
 * string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
 */
export type TimeInput = Time | number | string;

/** The state of one key. */
export interface TimeKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Time;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * The mapping of a range of media time to a range of track time. The source of an empty edit,
 * which presents nothing, is `"invalid"`.
 */
export interface TimeMapping {
  /** The range in the media, or `"invalid"` for an empty edit. */
  source: TimeRange | "invalid";
  /** The range in the track. */
  target: TimeRange;
}

/**
 * The mapping of a range of media time to a range of track time. The source of an empty edit,
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

/** Reports that an observer has fired. */
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
  /** The time from that moment until this notification was made; zero on a manual clock. */
  lateness: Time;
  /**
   * The number of notifications of the observer that this one has replaced before they were
   * written.
   */
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
  /** The duration; not negative. */
  duration: Time;
}

/** The answer. */
export interface TimeRangeContainsResult {
  /** True if it does. */
  contains: boolean;
}

/** The answer. */
export interface TimeRangeEqualResult {
  /** True if they are equal. */
  equal: boolean;
}

/**
 * A range of time: its start, and its duration. The end is excluded. Where the server reads a
 * range, `"invalid"` is the invalid range.
 */
export interface TimeRangeInput {
  /** The first moment of the range. */
  start: TimeInput;
  /** The duration; not negative. */
  duration: TimeInput;
}

/** The state of one key. */
export interface TimeRangeKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TimeRange;
  /** The reason for its failure. */
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
  /** The duration of a frame; `"invalid"` when unknown. */
  frameDuration: Time;
  /** The number of frames that count as a second, for example 30 for 29.97; 0 when unknown. */
  frameQuanta: number;
  /** True if numbers are skipped so that the timecode keeps up with the clock. */
  isDropFrame: boolean;
  /** True if it begins again after 24 hours. */
  is24HourMaximum: boolean;
  /** True if it can be negative. */
  areNegativeTimesAllowed: boolean;
  /** True if it is a plain count instead of a time. */
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
  /**
   * The range of the source, with the range in which it is shown. The source of an empty segment
   * is `"invalid"`.
   */
  timeMapping: TimeMapping;
  /** The playback of the range of the source. Default: `"forward"`. */
  playback?: SegmentPlayback;
  /**
   * The course of the speed over the source range, in ascending order and with speeds above 0,
   * in times of the source; of video and audio. The duration of the target scales all speeds
   * alike. Left out: a constant speed.
   */
  speedRamp?: SpeedPoint[];
}

/** A part of a track of a timeline: a range of a track of a source, or empty. */
export interface TimelineSegmentInput {
  /** The name of the source; absent in an empty segment. */
  source?: string;
  /** The track of the source; absent in an empty segment. */
  trackID?: number;
  /**
   * The range of the source, with the range in which it is shown. The source of an empty segment
   * is `"invalid"`.
   */
  timeMapping: TimeMappingInput;
  /** The playback of the range of the source. Default: `"forward"`. */
  playback?: SegmentPlayback;
  /**
   * The course of the speed over the source range, in ascending order and with speeds above 0,
   * in times of the source; of video and audio. The duration of the target scales all speeds
   * alike. Left out: a constant speed.
   */
  speedRamp?: SpeedPointInput[];
}

/** A source of the segments of a timeline: a file or an asset. */
export interface TimelineSource {
  /** The path or `file` URL of a file. */
  url?: string;
  /** An asset, in place of a file. */
  asset?: AssetHandle;
  /** Numbered images for which the `url` stands. */
  imageSequence?: ImageSequence;
  /**
   * True if it is one image, which segments show for the duration of their target. Default:
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
  /** True if it is presented by default. Default: `true`. */
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
  /** The transform of its frames, in addition to the sources' own rotations. Left out: identity. */
  preferredTransform?: Transform;
  /** The volume that it is played with. Default: `1`. */
  preferredVolume?: number;
  /** The segments, one after the other from zero on. */
  segments: TimelineSegment[];
}

/** A track of a timeline. */
export interface TimelineTrackInput {
  /** The track's number, unique within the timeline. */
  trackID: number;
  /** The kind of its media. */
  mediaType: MediaType;
  /** True if it is presented by default. Default: `true`. */
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
  /** The transform of its frames, in addition to the sources' own rotations. Left out: identity. */
  preferredTransform?: Transform;
  /** The volume that it is played with. Default: `1`. */
  preferredVolume?: number;
  /** The segments, one after the other from zero on. */
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

/** The relation of another track to a track (AVAssetTrack's association types). */
export type TrackAssociationType =
  | "audioFallback"
  | "forcedSubtitlesOnly"
  | "selectionFollower"
  | "timecode"
  | "metadataReferent";

/** The state of one key. */
export interface TrackAssociationTypeListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackAssociationType[];
  /** The reason for its failure. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackGroup[];
  /** The reason for its failure. */
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

/** The languages of the audio and the subtitles that an export includes. */
export interface TrackLanguages {
  /**
   * Languages by BCP 47, for example `de` or `en-US`, or by codes of three letters. Audio and
   * subtitles without a language are left out. If there is audio, at least some of it has to be
   * in one of them.
   */
  languages: string[];
}

/** The state of one key. */
export interface TrackListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Track[];
  /** The reason for its failure. */
  error?: ErrorObject;
}

/** The properties of a track, all of which it has to have. */
export interface TrackRule {
  /** Its number. */
  trackID?: number;
  /** Its kind. */
  mediaType?: MediaType;
  /**
   * All characteristics that it has to have, for example `legible` for subtitles of any kind,
   * and `isAuxiliaryContent` for a commentary.
   */
  mediaCharacteristics?: MediaCharacteristic[];
  /** Its language by BCP 47, for example `de`, or by a code of three letters; `und` for none. */
  language?: string;
  /** FFmpeg's name of its codec, or the beginning of it before a `_`: `pcm` is every `pcm_…`. */
  codec?: string;
}

/** Rules for a selection of tracks: those that one of `include` fits, and none of `exclude`. */
export interface TrackRules {
  /**
   * A track is selected if one of them fits it; each rule has to fit a track. Left out: all are
   * selected.
   */
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
   * The part of the media that is presented (`source`, on the media's clock), and its time
   * (`target`, on the track's clock); of an empty segment the source is `"invalid"`.
   */
  timeMapping: TimeMapping;
  /** True if nothing is presented. */
  isEmpty: boolean;
}

/** The state of one key. */
export interface TrackSegmentListKeyState {
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: TrackSegment[];
  /** The reason for its failure. */
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

/** The treatment of a track. */
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
  /** The characteristics of its media. */
  mediaCharacteristics?: MediaCharacteristicListKeyState;
  /** Its range in the asset; a start after zero means that it begins later. */
  timeRange?: TimeRangeKeyState;
  /** The timescale of its media. */
  naturalTimeScale?: IntegerKeyState;
  /** The data rate in bits a second. */
  estimatedDataRate?: NumberKeyState;
  /** The number of bytes of all its samples. */
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
  /** The average number of frames a second; 0 when it has no frames. */
  nominalFrameRate?: NumberKeyState;
  /** The duration of its shortest frame; `"invalid"` when unknown. */
  minFrameDuration?: TimeKeyState;
  /** True if decode order and presentation order differ. */
  requiresFrameReordering?: BooleanKeyState;
  /** True if audio samples need others to be decoded. */
  hasAudioSampleDependencies?: BooleanKeyState;
  /** True if it is presented by default. */
  isEnabled?: BooleanKeyState;
  /** True if it can be played. */
  isPlayable?: BooleanKeyState;
  /** True if this build can decode it. */
  isDecodable?: BooleanKeyState;
  /** True if its samples are in the asset's own file. */
  isSelfContained?: BooleanKeyState;
  /**
   * The edit list: the parts of the media and the times at which they are presented. Without one
   * in the file, one segment that presents all of it, after an empty one if the track begins
   * later than the asset.
   */
  segments?: TrackSegmentListKeyState;
  /** The metadata that has a common key. */
  commonMetadata?: MetadataItemListKeyState;
  /** All its metadata, in the order of the container. */
  metadata?: MetadataItemListKeyState;
  /** The formats of its metadata, by AVFoundation's names. */
  availableMetadataFormats?: TextListKeyState;
  /** The relations that other tracks have to it (`track/associatedTracks`). */
  availableTrackAssociationTypes?: TrackAssociationTypeListKeyState;
  /** True if sample cursors can be made on it: for every track. */
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
   * The time at which to stop, on the output's clock: before the first sample that is presented
   * then or later.
   */
  until?: TimeInput;
  /** True marks the input as finished at the end of the output. Default: `true`. */
  marksAsFinished?: boolean;
}

/** The samples that were transferred to an input. */
export interface Transferred {
  /** The input. */
  input: InputHandle;
  /** The number of sample buffers that it accepted. */
  sampleBuffers: number;
  /** The presentation time of the last of them, on the clock of the input; absent without any. */
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
  /** The state of its loading. */
  status: KeyStatus;
  /** The value when it is loaded; absent for a key that is loaded and has none. */
  value?: Transform;
  /** The reason for its failure. */
  error?: ErrorObject;
}

/**
 * An entry in the course of a transform over time: `{at, value}`, which holds from then on, or a
 * linear ramp, `{from, to, timeRange}`.
 */
export interface TransformRamp {
  /** The time from which `value` holds. */
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
  /** The time from which `value` holds. */
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

/** The transition from a clip to the next one. */
export interface TransitionInput {
  /** The kind of the transition. Default: `"dissolve"`. */
  kind?: TransitionKind;
  /** The duration for which the clips overlap; required except for `"none"`. */
  duration?: TimeInput;
  /** The direction of a wipe, a slide or a push; for no other kind. Left out: to the left. */
  direction?: TransitionDirection;
  /**
   * Red, green, blue and alpha, each from 0 to 1, of the colour of a dip; for no other kind.
   * Left out: opaque black.
   */
  color?: number[];
}

/** The kinds of transitions between clips. Audio is cross-faded in each of them. */
export type TransitionKind = "dissolve" | "wipe" | "slide" | "push" | "dip" | "none";

/**
 * The way in which a passthrough export cuts, where not every sample can be the first or the
 * last.
 */
export type TrimMode = "editList" | "keyframe" | "smart";

/** A kind of devices that can't be listed. */
export interface UnavailableDevices {
  /** The interface to them. */
  transport: DeviceTransport;
  /** The reason, in a sentence. */
  reason: string;
}

/** The composition of an asset's video tracks into one sequence of frames. */
export interface VideoComposition {
  /** The interval between two composed frames. */
  frameDuration: Time;
  /**
   * The track whose frame times the composed frames have. Left out, the times are multiples of
   * `frameDuration`.
   */
  sourceTrackIDForFrameTiming?: number;
  /** The size of composed frames, in pixels: sides of 1 to 16384. */
  renderSize: Size;
  /** The factor by which sizes are multiplied in previews. Default: `1`. */
  renderScale?: number;
  /**
   * The colours that composed frames are made in and tagged with. Left out: those of the
   * sources.
   */
  colorProperties?: ColorProperties;
  /**
   * The pixel format of frames that a compositor of the client's own receives and draws: one of
   * the `pixelFormats` of `engine/capabilities`. Default: `"rgb24"`.
   */
  compositorPixelFormat?: string;
  /**
   * The maximum time that a compositor of the client's own may need for a frame, in
   * milliseconds, from its last answer on if several are outstanding; then the work that needs
   * the frame fails with `videoCompositorFailed`. Default: `10000`.
   */
  compositorTimeoutMs?: number;
  /** The instructions, each for a range of time: in ascending order, without gaps. */
  instructions: VideoCompositionInstruction[];
  /** Subtitles over the frames; of several, the last is on top. Not where the client draws. */
  subtitles?: BurntSubtitles[];
  /** Texts over the frames and the subtitles; the last is on top. Not where the client draws. */
  textLayers?: TextLayer[];
}

/**
 * Requests a composed frame of an instruction whose `compositor` is `client`, to be answered
 * with `videoComposition/finishFrame`. The client draws into `target`. Several are outstanding
 * at a time, in the order of the frames; they may be answered in any order. If the work that
 * needs them is cancelled, no more are sent, and an answer only releases the memory.
 */
export interface VideoCompositionComposeFrame {
  /** The image generator, the reader or the export session that needs the frame. */
  owner: AnyHandle;
  /** The number of the request, which its answer has as well; never used twice. */
  request: number;
  /** The time at which the composed frame is shown. */
  compositionTime: Time;
  /** The instruction for that time. */
  instruction: VideoCompositionInstruction;
  /** The frames of the tracks of its layers at that time; the first is on top. */
  sources: CompositionSource[];
  /** The frame to draw; its previous contents are undefined. */
  target: CompositionPicture;
}

/** The composition of an asset's video tracks into one sequence of frames. */
export interface VideoCompositionInput {
  /** The interval between two composed frames. */
  frameDuration: TimeInput;
  /**
   * The track whose frame times the composed frames have. Left out, the times are multiples of
   * `frameDuration`.
   */
  sourceTrackIDForFrameTiming?: number;
  /** The size of composed frames, in pixels: sides of 1 to 16384. */
  renderSize: Size;
  /** The factor by which sizes are multiplied in previews. Default: `1`. */
  renderScale?: number;
  /**
   * The colours that composed frames are made in and tagged with. Left out: those of the
   * sources.
   */
  colorProperties?: ColorProperties;
  /**
   * The pixel format of frames that a compositor of the client's own receives and draws: one of
   * the `pixelFormats` of `engine/capabilities`. Default: `"rgb24"`.
   */
  compositorPixelFormat?: string;
  /**
   * The maximum time that a compositor of the client's own may need for a frame, in
   * milliseconds, from its last answer on if several are outstanding; then the work that needs
   * the frame fails with `videoCompositorFailed`. Default: `10000`.
   */
  compositorTimeoutMs?: number;
  /** The instructions, each for a range of time: in ascending order, without gaps. */
  instructions: VideoCompositionInstructionInput[];
  /** Subtitles over the frames; of several, the last is on top. Not where the client draws. */
  subtitles?: BurntSubtitles[];
  /** Texts over the frames and the subtitles; the last is on top. Not where the client draws. */
  textLayers?: TextLayerInput[];
}

/** The contents of composed frames during one range of time. */
export interface VideoCompositionInstruction {
  /** The range of time. */
  timeRange: TimeRange;
  /**
   * The colour where no layer covers the frame: red, green, blue and alpha, each from 0 to 1.
   * Left out: opaque black.
   */
  backgroundColor?: number[];
  /** The tracks that are shown; the first is on top. */
  layerInstructions: VideoCompositionLayerInstruction[];
  /** The compositor that draws the frames. Default: `"engine"`. */
  compositor?: Compositor;
}

/** The contents of composed frames during one range of time. */
export interface VideoCompositionInstructionInput {
  /** The range of time. */
  timeRange: TimeRangeInput;
  /**
   * The colour where no layer covers the frame: red, green, blue and alpha, each from 0 to 1.
   * Left out: opaque black.
   */
  backgroundColor?: number[];
  /** The tracks that are shown; the first is on top. */
  layerInstructions: VideoCompositionLayerInstructionInput[];
  /** The compositor that draws the frames. Default: `"engine"`. */
  compositor?: Compositor;
}

/**
 * The position and appearance of one track in composed frames. A frame is cropped, fitted,
 * transformed and made transparent, in this order. The origin is the top left.
 */
export interface VideoCompositionLayerInstruction {
  /** The track. */
  trackID: number;
  /**
   * The transform over time; each number of a ramp is interpolated separately. Left out:
   * identity throughout.
   */
  transform?: TransformRamp[];
  /** The opacity over time, from 0 to 1. Left out: 1 throughout. */
  opacity?: NumberRamp[];
  /** The part of the frame that is shown over time, in square pixels. Left out: all of it. */
  cropRectangle?: RectangleRamp[];
  /** The fit of a frame into the render size, before it is transformed. Default: `"none"`. */
  fit?: Fit;
}

/**
 * The position and appearance of one track in composed frames. A frame is cropped, fitted,
 * transformed and made transparent, in this order. The origin is the top left.
 */
export interface VideoCompositionLayerInstructionInput {
  /** The track. */
  trackID: number;
  /**
   * The transform over time; each number of a ramp is interpolated separately. Left out:
   * identity throughout.
   */
  transform?: TransformRampInput[];
  /** The opacity over time, from 0 to 1. Left out: 1 throughout. */
  opacity?: NumberRampInput[];
  /** The part of the frame that is shown over time, in square pixels. Left out: all of it. */
  cropRectangle?: RectangleRampInput[];
  /** The fit of a frame into the render size, before it is transformed. Default: `"none"`. */
  fit?: Fit;
}

/** A problem of a video composition. */
export interface VideoCompositionProblem {
  /** The kind of problem. */
  kind: VideoCompositionProblemKind;
  /** The member that has the invalid value. */
  key?: string;
  /** The time without an instruction, or the range of the instruction. */
  timeRange?: TimeRange;
  /** The number of the instruction, from 0 on; absent for the whole. */
  instruction?: number;
  /** The number of the layer in the instruction, from 0 on. */
  layerInstruction?: number;
  /** The track that isn't there. */
  trackID?: number;
  /** The position of the problem, with the expected and the actual value. */
  message: string;
}

/** The kinds of problems of a video composition. */
export type VideoCompositionProblemKind =
  | "invalidValueForKey"
  | "emptyTimeRange"
  | "invalidTimeRangeInInstruction"
  | "invalidTrackIDInInstruction";

/** The ramp. */
export interface VideoCompositionRampResult {
  /** The ramp; absent after the last one. */
  ramp?: LayerRamp;
}

/** A video composition, or `null` for none, even if the asset has one of its own. */
export type VideoCompositionSettingInput = VideoCompositionInput | null;

/** The problems. */
export interface VideoCompositionValidateResult {
  /** True if there are none. */
  isValid: boolean;
  /** The problems, in the order of the members. */
  problems: VideoCompositionProblem[];
}

/** The video composition. */
export interface VideoCompositionWithPropertiesOfResult {
  /** The video composition. */
  videoComposition: VideoComposition;
}

/**
 * The encoding of video. If `width`, `height`, `crop` or `rotate` is present, frames are made
 * upright first: the track's preferred transform is applied to the pixels. `rotate` alone with
 * the preset `Passthrough` changes no pixels: it is written into the copy. Give at most one of
 * `quality`, `bitRate` and `rateFactor`; without a preset and without any of them, `quality` is
 * 0.5.
 */
export interface VideoEncoding {
  /**
   * The codec by FFmpeg's name: `h264`, `hevc`, `vp8`, `vp9`, `av1`, `prores`, `mjpeg`, `ffv1`,
   * `png`, `qtrle` (also `animation`), `gif`, `webp` or `apng`. `ffv1`, `png` and `qtrle` lose
   * nothing of samples that they hold: `ffv1` takes the source's own pixel format, the others
   * hold RGB and, as `png`, grey. So does `apng`. `qtrle` has eight bits a sample: of deeper
   * ones the rest is lost. If it is not the preset's, the preset's quality and profile do not
   * apply.
   */
  codec?: string;
  /**
   * The width of the upright frame in pixels; even, if the pixel format has half the chroma.
   * With the width or the height alone, the other follows from the display aspect ratio, and
   * pixels become square. With both, the pixel aspect ratio is such that nothing is stretched
   * when it is shown.
   */
  width?: number;
  /** The height of the upright frame in pixels. */
  height?: number;
  /**
   * The number of frames per second, all of the same duration; frames are repeated or left out.
   * A number or a ratio; 23.976, 29.97, 47.952, 59.94 and 119.88 mean 24000/1001 and so on. The
   * frame for each moment is the one that begins nearest to it, or the last one before; the
   * number of frames is the duration times the rate, rounded. When absent, frames have the
   * source's times; `gif` then has 12.5 frames per second, if the source has more.
   */
  frameRate?: Factor;
  /**
   * The quality, from 0, the smallest file, to 1, the best quality, in equal steps of
   * `rateFactor`: from 38 to 8 for `h264`, 43 to 13 for `hevc`, 54 to 4 for `vp8`, 54 to 10 for
   * `vp9`, 57 to 13 for `av1`, 15 to 1 for `mjpeg`, 50 to 0 for `webp`.
   */
  quality?: number;
  /** The average bit rate, in bits per second. */
  bitRate?: number;
  /**
   * The encoder's own measure of constant quality (`crf`), smaller is better: 0 to 51 for `h264`
   * and `hevc`, 0 to 100 for `webp` (100 less libwebp's quality), 4 to 63 for `vp8`, 0 to 63 for
   * `vp9`, 1 to 63 for `av1`; the quantizer scale, 1 to 31, for `mjpeg`.
   */
  rateFactor?: number;
  /**
   * The profile. `h264` has `baseline`, `main`, `high`, `high10`, `high422` and `high444`;
   * `hevc` has `main`, `main10`, `main12`, `main422-10`, `main422-12`, `main444-8`, `main444-10`
   * and `main444-12`; `vp9` has `0` to `3`; `av1` has `main`; and `prores` has `proxy`, `lt`,
   * `standard`, `hq`, `4444` and `4444xq`, of which a source with alpha gets `4444`; `webp` has
   * `lossy` and `lossless`.
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
  /**
   * True if transparency stays where the source has it, and the codec and the file type can hold
   * it. `vp8`, `vp9` (in `webm` and `mkv`), `prores`, `ffv1`, `png`, `qtrle`, `apng`, `webp` and
   * `gif` can. Elsewhere it is listed in `dropped`; nothing is blended. Default: `true`.
   */
  alpha?: boolean;
  /** The part of the upright frame to show, in its own pixels, before it is scaled and rotated. */
  crop?: Crop;
  /**
   * The clockwise rotation of the upright frame in degrees, a multiple of 90; `width` and
   * `height` are those of the result. Where it is the only setting of the video with the preset
   * `Passthrough`, the samples are copied and their preferred transform is rotated; types of
   * files that state none are refused. Default: `0`.
   */
  rotate?: number;
  /**
   * The treatment of interlaced frames. Only frames that are declared interlaced change: in
   * their own data, or by the file, if their codec can't state it. Missing rows are interpolated
   * from three fields, as FFmpeg's filter `bwdif` does. Copied tracks are never changed, and
   * encoded ones are never interlaced: with `none`, frames are encoded as progressive ones that
   * show both fields. Default: `"auto"`.
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
  /** The order of the fields, by FFmpeg's names: that of storage and that of display. */
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
  /** The position of the chroma samples, by FFmpeg's name, for example `left`. */
  chromaLocation?: string;
  /** True if it has transparency; absent for formats with a palette, which may or may not. */
  containsAlphaChannel?: boolean;
  /** The relation between colours and transparency. */
  alphaChannelMode?: AlphaChannelMode;
  /** The mastering display. */
  masteringDisplayColorVolume?: MasteringDisplayColorVolume;
  /** The light levels of the brightest pixel and the brightest frame. */
  contentLightLevel?: ContentLightLevel;
  /** The ambient light that the video was graded for. */
  ambientViewingEnvironment?: AmbientViewingEnvironment;
  /** Dolby Vision. */
  dolbyVision?: DolbyVision;
  /** The ICC profile, when the container has one of at most 1 MiB. */
  iccProfile?: string;
  /** The arrangement of two views in a frame. */
  stereo3D?: Stereo3D;
  /** The representation of a sphere in a frame. */
  spherical?: Spherical;
  /**
   * The number of bytes of the length before each NAL unit of a sample; absent for other
   * formats, and where start codes separate the units.
   */
  nalUnitHeaderLength?: number;
  /** The parameter sets of H.264 and HEVC, without lengths and start codes. */
  parameterSets?: string[];
}

/** The treatment of video whose parameter sets differ and have the same numbers. */
export type VideoJoin = "refuse" | "inBand";

/** The frame. */
export interface VideoOutputCopyPixelBufferResult {
  /** The layout of pixels in the bytes; absent if these are an image file. */
  image?: ImageLayout;
  /** The bytes. */
  blob?: Blob;
  /** The time at which the frame begins, on the item's timeline. */
  itemTimeForDisplay?: Time;
  /** The duration for which it is shown. */
  duration?: Time;
  /** The number of the frame, from 0, in presentation order; absent where frames have none. */
  sampleIndex?: number;
  /** The item's time that the request is for. */
  itemTime: Time;
  /** True if this output hasn't delivered the frame at that time before. */
  isNew: boolean;
  /**
   * The number of frames between the last one that was delivered and this one, which weren't
   * delivered.
   */
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

/** The destination of the bytes of an output's frames. */
export type VideoOutputDelivery = "shm" | "inline";

/** Delivers a frame of a `push` output that is due. */
export interface VideoOutputDidOutput {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The layout of pixels in the bytes. */
  image: ImageLayout;
  /** The bytes. */
  blob: Blob;
  /** The time at which the frame begins, on the item's timeline. */
  itemTimeForDisplay: Time;
  /** The duration for which it is shown. */
  duration: Time;
  /** The number of the frame, from 0, in presentation order; absent where frames have none. */
  sampleIndex?: number;
  /** The time of the player's clock. */
  hostTime: Time;
  /** The number of jumps of the item's time. */
  revision: number;
  /** The numbers of frames that have been dropped so far. */
  dropped: DroppedPictures;
}

/**
 * Reports that frames of another revision or direction follow: those that were delivered before
 * are obsolete.
 */
export interface VideoOutputDidStartSequence {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** Names an output of an item's frames, for example `videoOutput:1`. */
export type VideoOutputHandle = string & { readonly __kind?: "VideoOutputHandle" };

/** The answer. */
export interface VideoOutputHasNewPixelBufferResult {
  /** True if there is one. */
  hasNew: boolean;
  /** The item's time to which the answer applies. */
  itemTime: Time;
}

/** The time. */
export interface VideoOutputItemTimeResult {
  /** The item's time. */
  itemTime: Time;
}

/**
 * Reports that there will be a frame, as `videoOutput/requestNotificationOfMediaDataChange`
 * requested.
 */
export interface VideoOutputMediaDataWillChange {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The number of jumps of the item's time. */
  revision: number;
}

/** The way in which frames of a video output reach the client. */
export type VideoOutputMode = "pull" | "push";

/**
 * The format that decoded frames are converted to; at least one of `pixelFormat` and `format` is
 * required.
 */
export interface VideoSettings {
  /** The pixel format by FFmpeg's name, for example `rgba`. */
  pixelFormat?: string;
  /**
   * The width in pixels; when absent, it follows from the height, or is the source's if that is
   * absent too.
   */
  width?: number;
  /** The height in pixels. */
  height?: number;
  /**
   * The file format in which each frame is encoded as an image: `jpeg`, `png`, `webp` or `bmp`.
   * `pixelFormat` is then ignored. HDR is mapped to SDR, as in images.
   */
  format?: ImageFormat;
  /**
   * The quality of `jpeg` and `webp`, from 0, the smallest file, to 1, the best quality.
   * Default: `0.85`.
   */
  quality?: number;
}

/** The encoding of video, or `null` to leave it out. */
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
  /** The outcome. */
  result: Outcome;
  /** The audio track; absent when several were mixed. */
  trackID?: number;
  /** The range that the parts divide. */
  timeRange?: TimeRange;
  /** The sample rate in hertz. */
  sampleRate?: number;
  /** The channels; absent when the waveform was drawn and `count` was absent. */
  channels?: WaveformChannel[];
  /** The image, if the waveform was drawn. */
  image?: Image;
  /**
   * The samples that could not be decoded and count as 0, as `damagedSamples`; absent when
   * nothing is missing.
   */
  dropped?: Dropped[];
  /** The reason for its failure or cancellation. */
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
  /** The way in which the other track belongs to it. */
  associationType: TrackAssociationType;
  /** The index in `inputs` of the input whose track has the other one. */
  input: number;
  /** The index in `inputs` of the input of the other track. */
  associatedInput: number;
}

/** An input of a writer, which becomes a track of the file. */
export interface WriterInput {
  /** The media type of its samples: `video`, `audio`, `text` or `subtitle`; without settings any. */
  mediaType: MediaType;
  /**
   * The format that its samples are encoded to; absent or `null` for samples that are written as
   * they are stored. `{}` stands for the default of the file's type. The track's size is that of
   * the settings, or of the first frame; frames of other sizes are scaled to it.
   */
  outputSettings?: OutputSettings;
  /** The format of its samples, without settings. */
  sourceFormatHint?: SourceFormatHint;
  /**
   * The format of the frames for which `assetWriter/allocate` allocates memory, and of appended
   * bytes that state no `image`; only with settings for video.
   */
  sourcePixelBufferAttributes?: PixelBufferAttributes;
  /**
   * The ticks per second of the track's times; not for audio, which uses the sample rate. When
   * absent, it is one in which the times of the first samples are whole numbers.
   */
  mediaTimeScale?: number;
  /** The rotation with which frames are shown, in whole quarter turns. */
  transform?: Transform;
  /** The language by BCP 47. */
  extendedLanguageTag?: string;
  /**
   * True for a track that is played by default; of tracks that exclude each other, one should
   * be. Default: `true`.
   */
  marksOutputTrackAsEnabled?: boolean;
  /**
   * True for samples that are appended as they are recorded: 64 MiB of them may then wait,
   * instead of 16. Default: `false`.
   */
  expectsMediaDataInRealTime?: boolean;
}

/** The status of a writer. */
export type WriterStatus = "unknown" | "writing" | "completed" | "failed" | "cancelled";

/**
 * The parts of a frame that are shown at first and at last; each is scaled as large as the
 * composed frame allows.
 */
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
  /** The name and version of the client, for the log. */
  clientInfo?: ProgramInfo;
  /** The capabilities of the client; none is used yet. */
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
  /** The options with which it is opened. */
  options?: AssetOptions;
}

/** The params of `asset/loadValues`. */
export interface AssetLoadValuesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The keys, at least one. */
  keys: AssetKey[];
  /** The moment of the answer. Default: `"notification"`. */
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
  /** Only tracks that this selects; a rule that fits none is no error here. */
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
  /**
   * True to leave out items that reveal the place of recording, or the people who made, bought
   * or filmed the asset. Default: `false`.
   */
  forSharing?: boolean;
  /**
   * The delivery of the bytes of data; with files, `%d` counts the items with data. Default:
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
   * The languages of titles (BCP 47): the first that is available is used, else the file's
   * first.
   */
  bestMatchingPreferredLanguages?: string[];
  /** Further items of the chapters: only `artwork` is possible. */
  containingItemsWithCommonKeys?: string[];
  /**
   * The delivery of the bytes of artwork; with files, `%d` counts the images. Default:
   * `"inline"`.
   */
  delivery?: Delivery;
}

/** The params of `asset/mediaSelectionGroup`. */
export interface AssetMediaSelectionGroupParams {
  /** The asset. */
  asset: AssetHandle;
  /** The characteristic: `audible`, `legible` or `visual`. */
  mediaCharacteristic: MediaCharacteristic;
  /** True to return only options that this build can decode. Default: `false`. */
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
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The relation of the tracks to it. */
  associationType: TrackAssociationType;
}

/** The params of `composition/create`. */
export interface CompositionCreateParams {
  /**
   * The size in which frames are shown; left out, that of the timeline, or of the first frame as
   * it is shown.
   */
  naturalSize?: Size;
  /** The contents, as `composition/timeline` returns them. */
  timeline?: CompositionTimelineInput;
}

/** The params of `composition/assemble`. */
export interface CompositionAssembleParams {
  /** The sequence. */
  sequence: ClipSequenceInput;
  /** True to return only the timeline, and create no composition. Default: `false`. */
  timelineOnly?: boolean;
}

/** The params of `composition/import`. */
export interface CompositionImportParams {
  /** The document. */
  document: OpenTimelineIODocument;
  /** The base folder of relative URLs in it. Left out: the server's working folder. */
  relativeTo?: string;
}

/** The params of `composition/openTimelineIO`. */
export interface CompositionOpenTimelineIOParams {
  /** The composition. */
  composition: CompositionHandle;
  /**
   * A folder, as an absolute path; URLs of files in it are written relative to it. Left out:
   * none; all URLs are absolute.
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
   * The size in which frames are shown, from 1 × 1 to 16384 × 16384; `"source"` for that of the
   * first frame as it is shown.
   */
  naturalSize?: CanvasSize;
  /** The volumes of its tracks in a mix, unless the mix states others; `null` for no mix. */
  audioMix?: AudioMixSettingInput;
  /** The video composition of its tracks, unless another one is stated; `null` for none. */
  videoComposition?: VideoCompositionSettingInput;
  /**
   * Files of subtitles that become tracks in exports, unless an export states others; at times
   * of the composition. Edits don't move them.
   */
  subtitleTracks?: SubtitleFile[];
}

/** The params of `composition/addTrack`. */
export interface CompositionAddTrackParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The kind of its media. */
  mediaType: MediaType;
  /** The number of the new track, if no track has or had it; else the track gets another one. */
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
  /** The asset: a file's, or another composition, which is inserted as it is now. */
  asset: AssetHandle;
  /**
   * The range of the asset; with the duration `"+infinity"` up to its end. Of a single image it
   * may have any duration. Left out, it is all of the asset.
   */
  timeRange?: TimeRangeInput;
  /** The time at which to insert it; left out, the end of the track or of the composition. */
  at?: TimeInput;
  /** The track to insert it in. */
  trackID?: number;
  /** The asset's track to insert, with `trackID`; left out, the first one of the kind. */
  assetTrackID?: number;
  /** The asset's tracks to insert, without `trackID`; left out, all. */
  tracks?: TrackSelection;
  /** True to cut a range that extends beyond the asset to the part that exists. Default: `false`. */
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
  speedRamp?: SpeedPointInput[];
}

/** The params of `composition/insertTimeRanges`. */
export interface CompositionInsertTimeRangesParams {
  /** The composition. */
  composition: CompositionHandle;
  /** The track to insert them in. */
  trackID: number;
  /** The ranges, in order. */
  items: CompositionItemInput[];
  /** The time at which to insert them; left out, the end of the track. */
  at?: TimeInput;
  /** True to cut ranges that extend beyond their track to the part that exists. Default: `false`. */
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
  /** The new duration of the range, above zero. */
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
  /** The members that all instructions have in common. */
  prototype?: InstructionPrototype;
}

/** The params of `videoComposition/validate`. */
export interface VideoCompositionValidateParams {
  /** The video composition. */
  videoComposition: VideoCompositionInput;
  /** The asset that it is for; left out, tracks and the end aren't checked. */
  asset?: AssetHandle;
  /** The range whose instructions are checked: those that overlap it. Left out: all of them. */
  timeRange?: TimeRangeInput;
}

/** The params of `videoComposition/ramp`. */
export interface VideoCompositionRampParams {
  /** The layer. */
  layerInstruction: VideoCompositionLayerInstructionInput;
  /** The value to which the ramp belongs. */
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
  /** The reason for which there is no frame. */
  error?: CompositorError;
}

/** The params of `imageGenerator/create`. */
export interface ImageGeneratorCreateParams {
  /** The asset. */
  asset: AssetHandle;
  /** True if images are turned upright, by the track's preferred transform. Default: `false`. */
  appliesPreferredTrackTransform?: boolean;
  /** The maximum width and height; 0 leaves a side without a limit. Images are never enlarged. */
  maximumSize?: Size;
  /** The part of the frame that images show. Default: `"cleanAperture"`. */
  apertureMode?: ApertureMode;
  /**
   * The maximum time by which an image may be earlier than the requested time; zero on both
   * sides means the exact frame. Default: `"+infinity"`.
   */
  requestedTimeToleranceBefore?: TimeInput;
  /**
   * The maximum time by which an image may be later than the requested time. Default:
   * `"+infinity"`.
   */
  requestedTimeToleranceAfter?: TimeInput;
  /**
   * The treatment of high dynamic range. With `forceSDR` such an image is in BT.709 throughout,
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
   * The video composition. An image is then exactly of the composed frame that is shown at the
   * time, regardless of the tolerances. Left out: the asset's own, which a composition may have.
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
   * the result is exactly the first frame, regardless of its time and the tolerances.
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
  /** The destination of the bytes. Default: `"inline"`. */
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
   * them; in any order. The image is of exactly that frame, regardless of the tolerances. A
   * number that the track does not have ends with `noImageAtTime`, which states the number of
   * frames, and a frame that can't be decoded with `decodeFailed`. All of the file is indexed.
   */
  samples?: number[];
  /** The format of the images; as for `imageGenerator/generateImage` when absent. */
  format?: ImageFormat;
  /** The quality of `jpeg` and `webp`, from 0 to 1. Default: `0.85`. */
  quality?: number;
  /**
   * The destination of the bytes; a file's path needs a `%d` when there are several images.
   * Default: `"inline"`.
   */
  delivery?: Delivery;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The destination of the bytes of the sheet. Default: `"inline"`. */
  delivery?: Delivery;
  /**
   * The URL of the sheet in the map, absolute or relative to the map's; it has no fragment. When
   * absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
   */
  imageName?: string;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The required type of the file; any when absent. */
  outputFileType?: string;
  /**
   * True to list the other presets too, with the reasons for which they do not fit. Default:
   * `false`.
   */
  explain?: boolean;
}

/** The params of `exportSession/compatibleFileTypes`. */
export interface ExportSessionCompatibleFileTypesParams {
  /** The asset. */
  asset: AssetHandle;
  /** The preset, including `Passthrough`. */
  preset: string;
  /**
   * True to list the other types too, with the reasons for which they do not fit. Default:
   * `false`.
   */
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
   * The treatment of the tracks: it overrides members of the preset, or replaces it. All
   * problems of it are reported at once, in `data.errors` of `invalidParams`, as far as the
   * asset can be loaded.
   */
  settings?: ExportSettings;
  /** The file to create, a path or a `file:` URL; an existing file makes the export fail. */
  outputURL: string;
  /** The type of the file, a short name or a uniform type; from the path's extension when absent. */
  outputFileType?: string;
  /** The part of the asset to export; all of it when absent. */
  timeRange?: TimeRangeInput;
  /**
   * The metadata of the file, including artwork; it replaces the asset's. When absent, the
   * asset's is copied. An empty list also removes the names and other texts of tracks, and
   * attached files but the fonts of ASS tracks. Languages, dispositions, timecodes and chapters
   * stay. Items that stay and may name persons, places or devices are in `dropped` with `stays`.
   */
  metadata?: MetadataEntry[];
  /** The changes to that metadata; the rest stays as it is. */
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
   * fits; audio whose rate `settings` leave open then has at most half of the file, and at least
   * 32 kbit/s (16 of each channel from the third one on, 32 of each in Vorbis). Otherwise the
   * file ends earlier, all its tracks together at whole samples; `timeRange` of
   * `exportSession/didFinish` is then shorter, and `dropped` states by how much. If not even the
   * first samples fit, the export fails with `maximumFileSizeReached`. Default: `0`.
   */
  fileLengthLimit?: number;
  /**
   * True if the index comes before the media, so that playing can start before the end arrives.
   * Default: `false`.
   */
  shouldOptimizeForNetworkUse?: boolean;
  /**
   * The volumes of the audio tracks, where audio is encoded; `null` for their own volume. Copied
   * audio is not changed, which `dropped` reports. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The video composition of the video tracks, where video is encoded. Copied video is not
   * changed, which `dropped` reports. Left out: the asset's own, which a composition may have.
   */
  videoComposition?: VideoCompositionSettingInput;
  /**
   * Files of subtitles that become tracks of the file, after those of the asset and in this
   * order. They are copied where the file can hold them, else converted to its kind of text.
   * `tracks` of `settings` chooses among the asset's only. A type of file that can't hold them
   * is `formatUnsupported`. Left out: the asset's own, which a composition may have.
   */
  subtitles?: SubtitleFile[];
  /** The algorithm for audio that is scaled in time, where it is encoded. Default: `"spectral"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /**
   * The treatment of several enabled audio tracks that are encoded. Left out, those of a
   * composition are mixed, and so are those of a file if `audioMix` is present; else a file's
   * stay separate. Of separate tracks each is as loud as it is in the mix.
   */
  audioTracks?: AudioTracks;
  /**
   * The way in which a passthrough export cuts; encoded tracks are cut exactly. Default:
   * `"editList"`.
   */
  trimMode?: TrimMode;
  /** The way in which a passthrough export joins the segments of a composition's tracks. */
  joins?: Joins;
  /**
   * An existing folder for the unfinished file, a path or a `file:` URL; the target's when
   * absent. If it is on another file system, the finished file is copied, which counts as
   * progress. Nothing is left in the folder, however the export ends.
   */
  directoryForTemporaryFiles?: string;
  /**
   * True to replace the asset's own file with the new one; `outputURL` then has to name it. Only
   * a `Passthrough` export of the whole asset to its own type can do so, and it fails with
   * `operationNotSupportedForAsset` if anything of the source would be left out. The source
   * stays as it is until the new file is complete and flushed; then the two change places at
   * once. The new file has the permissions of the old one, and the owner if that is allowed; its
   * time of modification is that of the export. A symbolic link stays one; other hard links
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
   * True to make the export in parts, and to continue where an earlier one was interrupted. The
   * parts are hidden files next to `outputURL`, or in `directoryForTemporaryFiles`. They stay
   * after a failure, a cancellation or the death of the process, until the same export with this
   * option is complete, or another one to the same `outputURL` with this option begins. For
   * exports that encode a file's video at a constant quality: see `exportSession/plan`, whose
   * errors it has. Default: `false`.
   */
  resume?: boolean;
  /**
   * The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** The moment of the answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `exportSession/plan`. */
export interface ExportSessionPlanParams {
  /** The session. */
  exportSession: ExportSessionHandle;
  /**
   * The number of parts of video, at most 1000; there are fewer if the source has too few sync
   * samples for them. When absent, the number that `minimumPartDuration` allows.
   */
  partCount?: number;
  /**
   * The minimum duration of a part of video. When absent, 30 seconds; with `partCount`, any
   * duration.
   */
  minimumPartDuration?: TimeInput;
  /**
   * The number of threads of each encoder, at most 16: the bytes of some depend on it. When
   * absent, one and a half times the number of this machine's cores. HEVC encodes one frame at a
   * time in any case, with a thread for each row of it.
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
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The moment of the answer. Default: `"notification"`. */
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
  /**
   * The maximum time to wait for leases to be released, in milliseconds; without limit when
   * absent.
   */
  timeoutMs?: number;
  /** The destination of the bytes. Default: `"inline"`. */
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
  /** The ranges to read; an empty list reads nothing. */
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
   * The file to create, a path or a `file:` URL; an existing file makes `assetWriter/start`
   * fail. Required without `segments`.
   */
  outputURL?: string;
  /** Media segments instead of a file, each of which a notification delivers. */
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
  /** The associations between tracks, in a mov or mp4 file without fragments. */
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
  /** The ticks per second of a movie's own times; when absent, a value that suits its tracks. */
  movieTimeScale?: number;
  /**
   * The maximum time between two fragments of a movie. The file has its name from the start, and
   * stays, up to the last fragment that was written, however the writing ends: a failure,
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
  /** True to wait until the input has accepted all of them. Default: `true`. */
  wait?: boolean;
  /**
   * The maximum time to wait, in milliseconds; when absent, as long as the engine is at work,
   * and five seconds if another input has to get samples first.
   */
  timeoutMs?: number;
}

/** The params of `assetWriter/allocate`. */
export interface AssetWriterAllocateParams {
  /** The input. */
  input: InputHandle;
  /** The number of blocks, each for a frame or of `byteCount`. Default: `1`. */
  count?: number;
  /** The size of each block, from 1 byte to 64 MiB; that of the input's frames when absent. */
  byteCount?: number;
  /** The maximum time to wait for leases to end, in milliseconds; without limit when absent. */
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
   * The outputs with the inputs that they go to, at least one pair; each output and each input
   * at most once.
   */
  pairs: TransferPairInput[];
  /**
   * The minimum time between two `assetWriter/didProgress`, in seconds; 0 sends none. Default:
   * `0.1`.
   */
  progressInterval?: number;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The position of the cursor. */
  position: CursorPositionInput;
}

/** The params of `sampleCursor/step`. */
export interface SampleCursorStepParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
  /** The number of samples; backwards when negative. */
  count: number;
  /** The order. */
  order: SampleOrder;
}

/** The params of `sampleCursor/stepByTime`. */
export interface SampleCursorStepByTimeParams {
  /** The cursor. */
  sampleCursor: SampleCursorHandle;
  /** The time; backwards when negative. */
  by: TimeInput;
  /** The order on whose clock it moves: that of decode times, or of presentation times. */
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
  /** The maximum number of samples to list, 1 to 10,000. Default: `100`. */
  maxCount?: number;
  /** The order. Default: `"decode"`. */
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
   * The audio mix; `null` for the tracks' own volumes. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The range that the parts divide, on the asset's clock: not before zero, and not empty. Where
   * the track has no media it is 0. An infinite duration ends with the track. When absent, it is
   * the track's range between zero and the asset's end.
   */
  timeRange?: TimeRangeInput;
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
  /** The destination of the bytes of the image. Default: `"inline"`. */
  delivery?: Delivery;
  /** The moment of the answer. Default: `"notification"`. */
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
  /**
   * The sensitivity to small changes, from 0, at which only the clearest count, to 1. Default:
   * `0.5`.
   */
  sensitivity?: number;
  /**
   * The duration of the shortest scene, zero or longer: of changes that are closer together, the
   * clearest remains. Default: `"1/2"`.
   */
  minimumDuration?: TimeInput;
  /** The moment of the answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `analysis/silences`. */
export interface AnalysisSilencesParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
   * else the first enabled one.
   */
  trackID?: number;
  /**
   * The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
   * a composition may have.
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
  /** The moment of the answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `analysis/loudness`. */
export interface AnalysisLoudnessParams {
  /** The asset. */
  asset: AssetHandle;
  /**
   * The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
   * else the first enabled one.
   */
  trackID?: number;
  /**
   * The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
   * a composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /**
   * The range to measure, on the asset's clock: not before zero, and not empty. An infinite
   * duration ends with the track. When absent, it is the track's range between zero and the
   * asset's end.
   */
  timeRange?: TimeRangeInput;
  /** The moment of the answer. Default: `"notification"`. */
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
   * device. A device can't be on a `manual` clock. One that can't be opened, or that the server
   * hasn't, is no error here: playback goes on without audio, and `player/didChange` has the
   * reason.
   */
  audioDevice?: AudioDevice;
  /** The format that audio is mixed in. */
  audioFormat?: PlayerAudioFormat;
  /** The action at the end of an item. Left out: `advance` for a queue, else `pause`. */
  actionAtItemEnd?: ActionAtItemEnd;
  /**
   * True if a player that has too little decoded waits and continues automatically; false if its
   * rate becomes 0 then. Default: `true`.
   */
  automaticallyWaitsToMinimizeStalling?: boolean;
  /** The volume, from 0 to 1; it multiplies that of the item's mix. Default: `1`. */
  volume?: number;
  /** True for no audio, regardless of the volume. Default: `false`. */
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
  /** True to play at once, even if little is decoded. Default: `false`. */
  immediately?: boolean;
}

/** The params of `player/set`. */
export interface PlayerSetParams {
  /** The player. */
  player: PlayerHandle;
  /** The volume, from 0 to 1. */
  volume?: number;
  /** True for no audio, regardless of the volume. */
  isMuted?: boolean;
  /**
   * The destination of audio. A device that the server hasn't is refused, and nothing is
   * changed.
   */
  audioDevice?: AudioDevice;
  /** The action at the end of an item. Set after the end, it takes effect at once. */
  actionAtItemEnd?: ActionAtItemEnd;
  /** True if a player that has too little decoded waits and continues automatically. */
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
  /** The maximum time by which the item may land earlier than `time`. Default: `"+infinity"`. */
  toleranceBefore?: TimeInput;
  /** The maximum time by which the item may land later than `time`. Default: `"+infinity"`. */
  toleranceAfter?: TimeInput;
  /**
   * True for one of many seeks in a row: one that is in flight ends and is shown, the newest one
   * waits, and those between end with `finished` `false`. Default: `false`.
   */
  whileScrubbing?: boolean;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The moment of the answer. Default: `"notification"`. */
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
   * True to only check that it can be inserted, and to return the items as they would be then.
   * Default: `false`.
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
   * The time that passes, up to 24 hours; 0 only waits for work in progress. Either `by` or `to`
   * is required.
   */
  by?: TimeInput;
  /** The time of the clock to advance to, not before its own. */
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
   * The video composition; `null` for none. Left out: the asset's own, which a composition may
   * have.
   */
  videoComposition?: VideoCompositionSettingInput;
  /**
   * The audio mix; `null` for the tracks' own volumes. Left out: the asset's own mix, which a
   * composition may have.
   */
  audioMix?: AudioMixSettingInput;
  /** The algorithm for audio at rates other than 1. Default: `"timeDomain"`. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** The time at which the item begins, from 0 on. One after its end is the end. Default: `0`. */
  initialTime?: TimeInput;
  /**
   * The time at which it ends when it is played forward; `"invalid"` for its duration. It may be
   * beyond that. Default: `"invalid"`.
   */
  forwardPlaybackEndTime?: TimeInput;
  /**
   * The time at which it ends when it is played backward; `"invalid"` for 0. Default:
   * `"invalid"`.
   */
  reversePlaybackEndTime?: TimeInput;
  /**
   * The duration to decode ahead, as far as memory allows; 0 leaves it to the player. Default:
   * `0`.
   */
  preferredForwardBufferDuration?: TimeInput;
}

/** The params of `playerItem/set`. */
export interface PlayerItemSetParams {
  /** The item. */
  playerItem: PlayerItemHandle;
  /** The tracks that are presented; `null` for those that are enabled in the file. */
  enabledTrackIDs?: EnabledTracks;
  /** The video composition; `null` for none. */
  videoComposition?: VideoCompositionSettingInput;
  /** The audio mix; `null` for the tracks' own volumes. */
  audioMix?: AudioMixSettingInput;
  /** The algorithm for audio at rates other than 1. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** The time at which it ends when it is played forward; `"invalid"` for its duration. */
  forwardPlaybackEndTime?: TimeInput;
  /** The time at which it ends when it is played backward; `"invalid"` for 0. */
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
   * The format of frames: pixels, or with `pull` a file format such as `jpeg`. Default:
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
  /** The destination of the bytes. `push` needs `"shm"`. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
  /** The way in which frames reach the client. Default: `"pull"`. */
  mode?: VideoOutputMode;
  /** The maximum number of outstanding leases, from 1 to 32. Default: `3`. */
  maxOutstanding?: number;
  /** The part of the frame that is shown. Default: `"cleanAperture"`. */
  apertureMode?: ApertureMode;
  /** The treatment of high dynamic range. Default: `"forceSDR"`. */
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
  /** True to deliver a frame only once. Default: `true`. */
  onlyIfNew?: boolean;
  /** The time to wait for a frame that isn't decoded yet, in milliseconds. Default: `0`. */
  timeoutMs?: number;
}

/** The params of `videoOutput/requestNotificationOfMediaDataChange`. */
export interface VideoOutputRequestNotificationOfMediaDataChangeParams {
  /** The output. */
  videoOutput: VideoOutputHandle;
  /** The time by which the notification precedes the frame. */
  advanceInterval: TimeInput;
}

/** The params of `playerLooper/create`. */
export interface PlayerLooperCreateParams {
  /** The player. */
  player: PlayerHandle;
  /** The item, which is in no other player. One that is in the queue already changes its place. */
  templateItem: PlayerItemHandle;
  /**
   * The range of the item; all of it when absent or `"invalid"`. A pass ends at the item's end
   * time in its direction at the latest.
   */
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
   * device. A device can't be on a `manual` clock. One that can't be opened, or that the server
   * hasn't, is no error here: playback goes on without audio, and `audioPlayer/didChange` has
   * the reason.
   */
  audioDevice?: AudioDevice;
  /** The clock that host times are on. Default: `"audio"`. */
  clock?: PlayerClock;
  /** The number of passes after the first one; -1 for an unlimited number. Default: `0`. */
  numberOfLoops?: number;
  /**
   * The position between left, -1, and right, 1. At 0 both sides are unchanged, at ±1 one of
   * them is silent. Default: `0`.
   */
  pan?: number;
  /** The volume, from 0 to 1. Default: `1`. */
  volume?: number;
  /** True if `rate` is used, and may be changed. Default: `false`. */
  enableRate?: boolean;
  /** The rate, from 0.5 to 2; the pitch stays. Default: `1`. */
  rate?: number;
  /** True if `audioPlayer/meters` may be requested. Default: `false`. */
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
   * The time of the player's clock to begin at; as soon as possible when absent. If it has
   * passed, playback is where it would be if it had begun then.
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
  /** The position between left, -1, and right, 1. */
  pan?: number;
  /** The rate, from 0.5 to 2; refused if rates aren't enabled. */
  rate?: number;
  /** The number of passes after the current one; -1 for an unlimited number. */
  numberOfLoops?: number;
  /** The time to go to, exactly: from 0 to the duration. */
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
   * The time to advance by, up to 24 hours; 0 only waits for work in progress. Either this or
   * `to` is required.
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
  /** The rule by which the formats of devices are chosen. Default: `"high"`. */
  preset?: CapturePreset;
  /** The session's clock. Default: `"host"`. */
  clock?: CaptureClock;
}

/** The params of `captureSession/configure`. */
export interface CaptureSessionConfigureParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The changes, in this order; at most 999. */
  changes: CaptureChangeInput[];
  /** True to return the results of the changes without making them. Default: `false`. */
  dryRun?: boolean;
}

/** The params of `captureSession/start`. */
export interface CaptureSessionStartParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The moment of the answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `captureSession/stop`. */
export interface CaptureSessionStopParams {
  /** The session. */
  captureSession: CaptureSessionHandle;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The time to advance by, above 0. */
  by: TimeInput;
}

/** The params of `captureOutput/startRecording`. */
export interface CaptureOutputStartRecordingParams {
  /** The output. */
  captureOutput: CaptureOutputHandle;
  /** The file to create, a path or a `file:` URL. */
  outputURL: string;
  /** The type of the file, a short name or a uniform type; from the path's extension when absent. */
  fileType?: string;
  /** The treatment of the tracks. */
  settings?: RecordingSettings;
  /** The metadata of the file. */
  metadata?: MetadataEntry[];
  /**
   * The duration at which it ends, with `maximumDurationReached`. A device that delivers nothing
   * isn't waited for: the session's clock ends its track, and the message names the track.
   */
  maxRecordedDuration?: TimeInput;
  /** The maximum size of the file in bytes; the recording ends with `maximumFileSizeReached`. */
  maxRecordedFileSize?: number;
  /**
   * The minimum free space on the disk, in bytes; the recording ends with `diskFull`. Default:
   * `67108864`.
   */
  minFreeDiskSpaceLimit?: number;
  /**
   * The time between two fragments, from 0.1 to 60 seconds; `"invalid"` for a plain file, which
   * is either complete or absent. Default: `2`.
   */
  movieFragmentInterval?: TimeInput;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The maximum number of samples, from 1 to 256. Default: `1`. */
  maxCount?: number;
  /** The maximum time to wait for the first sample, in milliseconds. Default: `1000`. */
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
  /** The destination of the bytes. Default: `"shm"`. */
  delivery?: VideoOutputDelivery;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The time between two notifications, at least 0.01 seconds. Default: `0.05`. */
  interval?: TimeInput;
  /** False to stop the notifications. Default: `true`. */
  isObserving?: boolean;
}

/** The params of `audioRecorder/create`. */
export interface AudioRecorderCreateParams {
  /** The file to create, a path or a `file:` URL. */
  url: string;
  /** The encoding of the audio; when absent, that of the type of the file. */
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
  /** The time of the clock for the first sample; as soon as possible when absent. */
  atHostTime?: TimeInput;
  /** The duration after which it stops automatically. */
  forDuration?: TimeInput;
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The time to advance by, above 0. */
  by: TimeInput;
}

/** The params of `capture/authorizationStatus`. */
export interface CaptureAuthorizationStatusParams {
  /** The media of the devices: cameras, microphones and the audio that sinks play, or screens. */
  mediaType: CaptureMediaType;
}

/** The params of `capture/devices`. */
export interface CaptureDevicesParams {
  /** The media of the devices; any when absent. */
  mediaType?: CaptureMediaType;
  /** The direction of the media. Default: `"input"`. */
  direction?: DeviceDirection;
}

/** The params of `capture/observeDevices`. */
export interface CaptureObserveDevicesParams {
  /** False to stop them. */
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
  /** Folders to add to the library; those that it has already stay. */
  folders?: LibraryFolder[];
  /** True if the library is kept up to date while it is open. Default: `true`. */
  watch?: boolean;
}

/** The params of `library/addFolder`. */
export interface LibraryAddFolderParams {
  /** The library. */
  library: LibraryHandle;
  /** The path of the folder. */
  path: string;
  /**
   * Folders below it that don't belong to the library, as paths from it. Left out: no change,
   * which is none for a new folder.
   */
  excluded?: string[];
  /** True to follow symbolic links in it. Left out: no change, which is `false` for a new folder. */
  followsSymbolicLinks?: boolean;
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
  /** The moment of the answer. Default: `"notification"`. */
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
  /** The condition on the items; all when absent. */
  predicate?: LibraryPredicate;
  /**
   * The order, 16 keys at most; ties, and all items when absent, are in the order in which they
   * were added.
   */
  sort?: LibrarySort[];
  /** The maximum number of items. */
  limit?: number;
  /** True if `library/didChange` reports the changes of the result. Default: `false`. */
  observe?: boolean;
}

/** The params of `library/collections`. */
export interface LibraryCollectionsParams {
  /** The library. */
  library: LibraryHandle;
  /** The property that the items of each have in common. */
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
  /** The moment of the answer. Default: `"notification"`. */
  completion?: Completion;
}

/** The params of `fetchResult/items`. */
export interface FetchResultItemsParams {
  /** The result. */
  fetchResult: FetchResultHandle;
  /** The index of the first one. Default: `0`. */
  start?: number;
  /** The number of items, from 1 to 500. Default: `100`. */
  count?: number;
  /** The members of each item in addition to its identifier; all when absent. */
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
   * The longer side, in pixels, from 16 to 2,048; a smaller image keeps its size. Default:
   * `256`.
   */
  width?: number;
  /** The destination of the image's bytes. Default: `"inline"`. */
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
  /** The time from which `rhs` is subtracted. */
  lhs: TimeInput;
  /** The time to subtract. */
  rhs: TimeInput;
}

/** The params of `time/multiply`. */
export interface TimeMultiplyParams {
  /** The time. */
  time: TimeInput;
  /** The factor. */
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
  /** The rounding. Default: `"halfAwayFromZero"`. */
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
  /** The reason for which there are none. */
  error?: ResourceError;
  /** True if the resource ends after these bytes. Default: `false`. */
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
  /** Lists the containers, codecs, formats and presets that this build supports. */
  'engine/capabilities': { params: EngineCapabilitiesParams; result: EngineCapabilitiesResult };
  /**
   * Counts the objects that the server holds and the work that it has done, for tests,
   * dashboards and finding leaks.
   */
  'engine/stats': { params: EngineStatsParams; result: EngineStatsResult };
  /**
   * Returns the time of the host clock, to which the times of players on the clocks `host` and
   * `audio` refer.
   */
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
  /** Allocates memory that both processes have mapped, for the bytes of a resource. */
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
  /** Creates a composition of clips one after the other, with transitions, overlays and music. */
  'composition/assemble': { params: CompositionAssembleParams; result: CompositionAssembleResult };
  /** Makes a composition of a document of OpenTimelineIO. */
  'composition/import': { params: CompositionImportParams; result: CompositionImportResult };
  /** Returns a composition as a document of OpenTimelineIO, for other programs. */
  'composition/openTimelineIO': { params: CompositionOpenTimelineIOParams; result: CompositionOpenTimelineIOResult };
  /** Creates a composition with the same tracks, which is edited independently. */
  'composition/copy': { params: CompositionCopyParams; result: CompositionCreateResult };
  /**
   * Returns a complete description of a composition, as a document: its canonical form, so that
   * equal compositions have the same bytes.
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
  /**
   * Inserts a range that shows nothing; media that was shown from its start on is shown after
   * it.
   */
  'composition/insertEmptyTimeRange': { params: CompositionInsertEmptyTimeRangeParams; result: CompositionState };
  /** Removes a range; later media follows at once. */
  'composition/removeTimeRange': { params: CompositionRemoveTimeRangeParams; result: CompositionState };
  /** Shows a range faster or slower, so that it has the stated duration; later media follows it. */
  'composition/scaleTimeRange': { params: CompositionScaleTimeRangeParams; result: CompositionState };
  /** Returns the segments of a track, in order. */
  'composition/segments': { params: CompositionSegmentsParams; result: CompositionSegmentsResult };
  /** Replaces all segments of a track. */
  'composition/setSegments': { params: CompositionSetSegmentsParams; result: CompositionState };
  /** Returns the problems of segments for a track, without changing it. */
  'composition/validateSegments': { params: CompositionValidateSegmentsParams; result: CompositionValidateSegmentsResult };
  /**
   * Makes a video composition that shows the video tracks of an asset as they are, the first on
   * top.
   */
  'videoComposition/withPropertiesOf': { params: VideoCompositionWithPropertiesOfParams; result: VideoCompositionWithPropertiesOfResult };
  /**
   * Returns all problems of a video composition: those for which `composition/set` and other
   * requests refuse it, and with an asset also the ranges up to the end of its video that no
   * instruction covers.
   */
  'videoComposition/validate': { params: VideoCompositionValidateParams; result: VideoCompositionValidateResult };
  /**
   * Returns the ramp of a layer's value that a time is in, else the first one that starts after
   * it.
   */
  'videoComposition/ramp': { params: VideoCompositionRampParams; result: VideoCompositionRampResult };
  /**
   * Returns the ramp of a track's volume that contains a time, else the first one that starts
   * after it.
   */
  'audioMix/volumeRamp': { params: AudioMixVolumeRampParams; result: AudioMixVolumeRampResult };
  /** Answers a `videoComposition/composeFrame`: the frame is drawn, or can't be. */
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
  /** Creates a session that exports an asset to a new file. */
  'exportSession/create': { params: ExportSessionCreateParams; result: ExportSessionCreateResult };
  /** Returns the effects of an export, without performing it. */
  'exportSession/preflight': { params: ExportSessionPreflightParams; result: ExportSessionPreflightResult };
  /** Estimates the duration and the size of the file. */
  'exportSession/estimate': { params: ExportSessionEstimateParams; result: ExportSessionEstimateResult };
  /** Exports. */
  'exportSession/export': { params: ExportSessionExportParams; result: OperationStarted | ExportSessionDidFinish };
  /**
   * Divides an export into parts that are made one by one, in any process and on any machine,
   * and joined.
   */
  'exportSession/plan': { params: ExportSessionPlanParams; result: ExportSessionPlanResult };
  /** Makes a part as a file that only `exportSession/join` reads. */
  'exportSession/exportPart': { params: ExportSessionExportPartParams; result: OperationStarted | ExportSessionDidFinish };
  /** Joins parts that have been made: the session's one export, to its `outputURL`. */
  'exportSession/join': { params: ExportSessionJoinParams; result: OperationStarted | ExportSessionDidFinish };
  /** Returns the status of an export, without waiting for it. */
  'exportSession/status': { params: ExportSessionStatusParams; result: ExportSessionStatusResult };
  /** Cancels an export; one that has ended stays as it is. */
  'exportSession/cancel': { params: ExportSessionCancelParams; result: Record<string, never> };
  /** Makes a reader of an asset's samples, loading the asset first if necessary. */
  'assetReader/create': { params: AssetReaderCreateParams; result: AssetReaderCreateResult };
  /** Starts reading; allowed once. */
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
  /** Ends the session: samples that are presented from that time on aren't shown. */
  'assetWriter/endSession': { params: AssetWriterEndSessionParams; result: Record<string, never> };
  /** Appends samples to an input, in the order of arrival. */
  'assetWriter/append': { params: AssetWriterAppendParams; result: AssetWriterAppendResult };
  /**
   * Allocates memory for samples, to which the client writes
   * (AVAssetWriterInputPixelBufferAdaptor's pool).
   */
  'assetWriter/allocate': { params: AssetWriterAllocateParams; result: AssetWriterAllocateResult };
  /** States that an input gets no more samples, so that other inputs no longer wait for it. */
  'assetWriter/markAsFinished': { params: AssetWriterMarkAsFinishedParams; result: Record<string, never> };
  /**
   * Asks for an `assetWriter/inputReady` each time the input accepts samples again, the first at
   * once if it does.
   */
  'assetWriter/requestMediaData': { params: AssetWriterRequestMediaDataParams; result: Record<string, never> };
  /**
   * Transfers samples from outputs of readers to inputs, all pairs together so that none waits
   * for another.
   */
  'assetWriter/transfer': { params: AssetWriterTransferParams; result: OperationStarted | AssetWriterDidTransfer };
  /**
   * Ends the segment after the samples that have been appended; only if the segments' interval
   * is indefinite.
   */
  'assetWriter/flushSegment': { params: AssetWriterFlushSegmentParams; result: Record<string, never> };
  /** Marks all inputs as finished, writes the rest, and gives the file its name. */
  'assetWriter/finish': { params: AssetWriterFinishParams; result: OperationStarted | AssetWriterDidFinish };
  /** Returns the status of a writer, without waiting for it. */
  'assetWriter/status': { params: AssetWriterStatusParams; result: AssetWriterStatusResult };
  /**
   * Cancels a writer, which leaves no file, not even one of fragments; a writer that has ended
   * stays as it is.
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
  /** Lists the current sample and those after it, and moves the cursor past them. */
  'sampleCursor/samples': { params: SampleCursorSamplesParams; result: SampleCursorSamplesResult };
  /** Describes the samples around a cursor that are adjacent in the file. */
  'sampleCursor/chunk': { params: SampleCursorChunkParams; result: SampleCursorChunkResult };
  /** Makes another cursor at the same position; each moves independently. */
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
  /**
   * Finds the silences of audio: the ranges in which all channels are below a threshold for long
   * enough.
   */
  'analysis/silences': { params: AnalysisSilencesParams; result: OperationStarted | AnalysisDidFindSilences };
  /** Measures the loudness of audio by ITU-R BS.1770-4 and EBU R 128. */
  'analysis/loudness': { params: AnalysisLoudnessParams; result: OperationStarted | AnalysisDidMeasureLoudness };
  /** Makes a player: a clock, and the presentation of an item by that clock. */
  'player/create': { params: PlayerCreateParams; result: PlayerCreateResult };
  /** Sets the rate to the player's `defaultRate`. */
  'player/play': { params: PlayerPlayParams; result: PlayerRate };
  /** Sets the rate to 0. */
  'player/pause': { params: PlayerPauseParams; result: PlayerRate };
  /** Sets the rate, and with it the time that the item has at a host time. */
  'player/setRate': { params: PlayerSetRateParams; result: PlayerRate };
  /** Changes settings of a player; those that are left out stay as they are. */
  'player/set': { params: PlayerSetParams; result: Record<string, never> };
  /** Returns the state of a player at one moment, without waiting for earlier requests. */
  'player/state': { params: PlayerStateParams; result: PlayerStateResult };
  /** Moves the item's time. */
  'player/seek': { params: PlayerSeekParams; result: RevisedOperationStarted | PlayerDidSeek };
  /** Ends the seeks that haven't ended, with `finished` `false`. */
  'player/cancelPendingSeeks': { params: PlayerCancelPendingSeeksParams; result: CancelledCount };
  /** Decodes the start of playback, so that `player/play` takes effect at once. */
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
  /** Removes the current item of a queue, and continues with the next one. */
  'player/advanceToNextItem': { params: PlayerAdvanceToNextItemParams; result: PlayerAdvanceToNextItemResult };
  /**
   * Adds an observer that fires at the multiples of an interval of the item's time, as they are
   * crossed.
   */
  'player/addPeriodicTimeObserver': { params: PlayerAddPeriodicTimeObserverParams; result: NewTimeObserver };
  /**
   * Adds an observer that fires when the item's time crosses certain times by playing, and not
   * by a jump.
   */
  'player/addBoundaryTimeObserver': { params: PlayerAddBoundaryTimeObserverParams; result: NewTimeObserver };
  /**
   * Advances a manual clock, and returns when all events that are due until then have happened
   * and are written.
   */
  'player/advanceClock': { params: PlayerAdvanceClockParams; result: PlayerAdvanceClockResult };
  /** Finishes the file that a player writes its audio to, and gives it its name. */
  'player/finishAudioFile': { params: PlayerFinishAudioFileParams; result: PlayerFinishAudioFileResult };
  /**
   * Makes an item: the presentation of an asset in a player, with its tracks, volumes,
   * composition and end times.
   */
  'playerItem/create': { params: PlayerItemCreateParams; result: PlayerItemCreateResult };
  /** Changes settings of an item; those that are left out stay as they are. */
  'playerItem/set': { params: PlayerItemSetParams; result: Record<string, never> };
  /**
   * Presents one of the tracks that are alternatives to each other, as
   * `asset/mediaSelectionGroup` lists them, or none of them.
   */
  'playerItem/select': { params: PlayerItemSelectParams; result: Record<string, never> };
  /** Returns the state of an item at one moment, without waiting for earlier requests. */
  'playerItem/state': { params: PlayerItemStateParams; result: PlayerItemStateResult };
  /** Moves the current item of a player by frames of its first enabled video track. */
  'playerItem/step': { params: PlayerItemStepParams; result: PlayerItemStepResult };
  /** Makes an output of an item's frames. */
  'videoOutput/create': { params: VideoOutputCreateParams; result: VideoOutputCreateResult };
  /** Returns whether there is a frame at a time that this output hasn't delivered yet. */
  'videoOutput/hasNewPixelBuffer': { params: VideoOutputHasNewPixelBufferParams; result: VideoOutputHasNewPixelBufferResult };
  /** Returns the item's time at a host time, if the rate stays as it is. */
  'videoOutput/itemTime': { params: VideoOutputItemTimeParams; result: VideoOutputItemTimeResult };
  /** Returns the frame at a time. */
  'videoOutput/copyPixelBuffer': { params: VideoOutputCopyPixelBufferParams; result: VideoOutputCopyPixelBufferResult };
  /** Requests one notification of the next frame that this output hasn't delivered. */
  'videoOutput/requestNotificationOfMediaDataChange': { params: VideoOutputRequestNotificationOfMediaDataChangeParams; result: Record<string, never> };
  /** Plays a range of an item again and again, without a gap. */
  'playerLooper/create': { params: PlayerLooperCreateParams; result: PlayerLooperCreateResult };
  /** Returns the state of a looper. */
  'playerLooper/state': { params: PlayerLooperStateParams; result: PlayerLooperStateResult };
  /** Stops looping: the pass that plays now is the last one. */
  'playerLooper/disable': { params: PlayerLooperDisableParams; result: Record<string, never> };
  /** Creates a player of the audio of one file or asset, which is opened at once. */
  'audioPlayer/create': { params: AudioPlayerCreateParams; result: AudioPlayerCreateResult };
  /** Decodes the audio that playing begins with, so that it begins at once. */
  'audioPlayer/prepareToPlay': { params: AudioPlayerPrepareToPlayParams; result: Record<string, never> };
  /** Plays from the current time on; after the end, all passes from the start. */
  'audioPlayer/play': { params: AudioPlayerPlayParams; result: Record<string, never> };
  /** Stops at the current time, and stays prepared. */
  'audioPlayer/pause': { params: AudioPlayerPauseParams; result: Record<string, never> };
  /** Stops at the current time, and releases the prepared audio. */
  'audioPlayer/stop': { params: AudioPlayerStopParams; result: Record<string, never> };
  /** Changes settings of an audio player; members that are left out stay as they are. */
  'audioPlayer/set': { params: AudioPlayerSetParams; result: Record<string, never> };
  /** Returns one moment of an audio player, without waiting for earlier requests. */
  'audioPlayer/state': { params: AudioPlayerStateParams; result: AudioPlayerStateResult };
  /** Returns the levels of the last 50 ms of audio that the device received, without waiting. */
  'audioPlayer/meters': { params: AudioPlayerMetersParams; result: AudioPlayerMetersResult };
  /**
   * Moves a manual clock, as `player/advanceClock` does: it returns when everything that is due
   * until then has happened and is written.
   */
  'audioPlayer/advanceClock': { params: AudioPlayerAdvanceClockParams; result: AudioPlayerAdvanceClockResult };
  /** Finishes the file that an audio player writes its audio to, and gives it its name. */
  'audioPlayer/finishAudioFile': { params: AudioPlayerFinishAudioFileParams; result: AudioPlayerFinishAudioFileResult };
  /** Creates a capture session, without inputs and outputs. */
  'captureSession/create': { params: CaptureSessionCreateParams; result: CaptureSessionCreateResult };
  /** Changes a session's inputs, outputs and connections: all changes, or none. */
  'captureSession/configure': { params: CaptureSessionConfigureParams; result: CaptureSessionConfigureResult };
  /** Starts all inputs. */
  'captureSession/start': { params: CaptureSessionStartParams; result: OperationStarted | CaptureSessionDidStart };
  /** Ends recordings and stops all inputs. */
  'captureSession/stop': { params: CaptureSessionStopParams; result: OperationStarted | CaptureSessionDidStop };
  /** Returns one moment of a session. */
  'captureSession/state': { params: CaptureSessionStateParams; result: CaptureSessionStateResult };
  /**
   * Moves a manual clock: captures everything that begins before the new time, audio to the
   * exact sample.
   */
  'captureSession/advanceClock': { params: CaptureSessionAdvanceClockParams; result: CaptureSessionAdvanceClockResult };
  /** Starts a recording into a new file, of a `movieFile` or `audioFile` output. */
  'captureOutput/startRecording': { params: CaptureOutputStartRecordingParams; result: OperationStarted | CaptureOutputDidFinishRecording };
  /** Stops a recording: samples that are captured until now are in it. */
  'captureOutput/stopRecording': { params: CaptureOutputStopRecordingParams; result: Record<string, never> };
  /** Pauses a recording: samples that are captured from now on aren't in it. */
  'captureOutput/pauseRecording': { params: CaptureOutputPauseRecordingParams; result: Record<string, never> };
  /** Continues a paused recording. */
  'captureOutput/resumeRecording': { params: CaptureOutputResumeRecordingParams; result: Record<string, never> };
  /** Returns one moment of an output's recording. */
  'captureOutput/recordingState': { params: CaptureOutputRecordingStateParams; result: CaptureOutputRecordingStateResult };
  /** Returns the waiting samples of a data output, or the next one. */
  'captureOutput/nextSampleBuffers': { params: CaptureOutputNextSampleBuffersParams; result: CaptureOutputNextSampleBuffersResult };
  /**
   * Captures the next frame of a `photo` output as an image, in the full size of the session's
   * format.
   */
  'captureOutput/capturePhoto': { params: CaptureOutputCapturePhotoParams; result: OperationStarted | CaptureOutputDidFinishCapture };
  /** Returns the levels of an output's audio. */
  'captureOutput/levels': { params: CaptureOutputLevelsParams; result: CaptureOutputLevelsResult };
  /** Starts or stops `captureOutput/didMeasureLevels`. */
  'captureOutput/observeLevels': { params: CaptureOutputObserveLevelsParams; result: Record<string, never> };
  /** Creates a recorder of a device's audio. */
  'audioRecorder/create': { params: AudioRecorderCreateParams; result: AudioRecorderCreateResult };
  /** Creates the file and starts the device, so that recording begins at once. */
  'audioRecorder/prepareToRecord': { params: AudioRecorderPrepareToRecordParams; result: Record<string, never> };
  /** Starts recording, or continues after a pause. */
  'audioRecorder/record': { params: AudioRecorderRecordParams; result: OperationStarted | AudioRecorderDidFinishRecording };
  /** Pauses: audio that is captured from now on isn't in the file. */
  'audioRecorder/pause': { params: AudioRecorderPauseParams; result: Record<string, never> };
  /** Completes the file, and releases the device. */
  'audioRecorder/stop': { params: AudioRecorderStopParams; result: Record<string, never> };
  /**
   * Removes the file that the recorder created last, but no other file that has replaced it at
   * its path.
   */
  'audioRecorder/deleteRecording': { params: AudioRecorderDeleteRecordingParams; result: Record<string, never> };
  /** Returns one moment of a recorder. */
  'audioRecorder/state': { params: AudioRecorderStateParams; result: AudioRecorderStateResult };
  /** Returns the levels of the audio that is recorded. */
  'audioRecorder/meters': { params: AudioRecorderMetersParams; result: AudioRecorderMetersResult };
  /** Moves a manual clock. */
  'audioRecorder/advanceClock': { params: AudioRecorderAdvanceClockParams; result: AudioRecorderAdvanceClockResult };
  /** Returns the authorization to use a kind of devices. */
  'capture/authorizationStatus': { params: CaptureAuthorizationStatusParams; result: CaptureAuthorizationStatusResult };
  /** Lists the devices of this machine. */
  'capture/devices': { params: CaptureDevicesParams; result: CaptureDevicesResult };
  /**
   * Starts or stops reports of devices that appear, disappear or change, as
   * `capture/didChangeDevices`.
   */
  'capture/observeDevices': { params: CaptureObserveDevicesParams; result: Record<string, never> };
  /** Opens a library: folders of media, with the properties of each file in a database. */
  'library/open': { params: LibraryOpenParams; result: LibraryOpenResult };
  /** Adds a folder to a library; a scan reads it. */
  'library/addFolder': { params: LibraryAddFolderParams; result: Record<string, never> };
  /** Removes a folder and its items from a library; the files stay. */
  'library/removeFolder': { params: LibraryRemoveFolderParams; result: Record<string, never> };
  /** Brings a library up to date: all of its folders, or one folder with those below it. */
  'library/scan': { params: LibraryScanParams; result: OperationStarted | LibraryDidScan };
  /** Cancels all scans of a library; each ends with its terminal notification. */
  'library/cancelScan': { params: LibraryCancelScanParams; result: Record<string, never> };
  /** Returns the folders of a library, with their states. */
  'library/status': { params: LibraryStatusParams; result: LibraryStatusResult };
  /** Finds items of a library. */
  'library/fetch': { params: LibraryFetchParams; result: LibraryFetchResult };
  /** Returns the collections of a library that have items. */
  'library/collections': { params: LibraryCollectionsParams; result: LibraryCollectionsResult };
  /**
   * Returns the changes of a library since a change token, also since one of an earlier
   * connection.
   */
  'library/changes': { params: LibraryChangesParams; result: LibraryChangesResult };
  /** Finds files of the same content in a library. */
  'library/duplicates': { params: LibraryDuplicatesParams; result: OperationStarted | LibraryDidFindDuplicates };
  /** Returns some of the items of a result, as they are now. */
  'fetchResult/items': { params: FetchResultItemsParams; result: FetchResultItemsResult };
  /** Returns the index of an item in a result. */
  'fetchResult/index': { params: FetchResultIndexParams; result: FetchResultIndexResult };
  /** Counts the items that match a result's predicate, by the values of a key. */
  'fetchResult/count': { params: FetchResultCountParams; result: FetchResultCountResult };
  /** Returns the properties that a library has of an item, with all texts of its metadata. */
  'libraryItem/values': { params: LibraryItemValuesParams; result: LibraryItemValuesResult };
  /**
   * Returns a small image of an item, as JPEG: of a video from about a tenth of its duration, of
   * audio its artwork.
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

/** The notifications that a client may send. */
export interface ClientNotifications {
  'exit': ExitParams;
  '$/cancelRequest': CancelRequestParams;
  'blob/release': BlobReleaseParams;
  'resource/didRead': ResourceDidReadParams;
}

/** The notifications that the server sends. */
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
  'library/didFail': LibraryDidFail;
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
