/// <reference types="node" />

export { Loudness, SceneChange, SceneChanges, Silences } from './analysis.js';
export {
  Asset,
  AssetValues,
  AudioOptions,
  ContactSheetOptions,
  FramesOptions,
  MetadataFilter,
} from './asset.js';
export {
  AssetReader,
  AssetReaderOutput,
  MixOutput,
  OutputLike,
  ReaderState,
  SamplesOptions,
  TrackOutput,
  VideoCompositionOutput,
} from './asset-reader.js';
export {
  AssetWriter,
  AssetWriterInput,
  AssetWriterOptions,
  PCMLike,
  PictureLike,
  RateLike,
  Segment,
  SegmentOptions,
  TransferOptions,
  TransferPair,
  Transferred,
  WriterInputOptions,
  WriterOptions,
  WriterResult,
  WriterState,
  WriteVideoOptions,
} from './asset-writer.js';
export { AudioMix, AudioMixLike, RampTimes } from './audio-mix.js';
export { BytesOptions, MediaBlob, PathLike } from './blob.js';
export { Clip, ClipsLike, Speed } from './clip.js';
export {
  ClipSequence,
  Composition,
  CompositionOptions,
  CompositionSegment,
  CompositionSettings,
  InsertedTimeRange,
  ItemLike,
  SegmentLike,
} from './composition.js';
export { ContactSheet, ContactSheetTile } from './contact-sheet.js';
export {
  CompositionFrame,
  CompositionPicture,
  Engine,
  LaunchOptions,
  LogEntry,
  findBinary,
} from './engine.js';
export * from './errors.js';
export {
  ExportEstimate,
  ExportJob,
  ExportOptions,
  ExportPartOptions,
  ExportPreflight,
  ExportResult,
  ExportSession,
  ExportSessionOptions,
  ExportState,
  ExportStream,
  ExportStreamOptions,
  MetadataEntryLike,
  MetadataValue,
} from './export-session.js';
export {
  FramesLike,
  Image,
  ImageGenerator,
  ImageGeneratorOptions,
  ImageOptions,
} from './image-generator.js';
export { JoinLike, JoinOptions, JoinResult } from './join.js';
export { KeyState, TrackSegment } from './keys.js';
export {
  AddFolderOptions,
  LoudnessOptions,
  SceneChangesOptions,
  SheetOptions,
  SilencesOptions,
  WaveformOptions,
} from './calls.js';
export {
  Condition,
  DuplicatesOptions,
  FetchOptions,
  FetchResult,
  FetchResultChange,
  ItemValuesOptions,
  Library,
  LibraryChange,
  LibraryCollection,
  LibraryItem,
  LibraryOptions,
  LibraryQuery,
  LibraryScanCounts,
  LibraryScanProgress,
  LibraryScanResult,
  ScanOptions,
  ThumbnailOptions,
} from './library.js';
export { MediaSelectionGroup, MediaSelectionOption } from './media-selection.js';
export { MetadataItem, TimedMetadataGroup } from './metadata.js';
export { Plane, TypedArray } from './planes.js';
export { AudioPlayer, AudioPlayerOptions, Levels } from './audio-player.js';
export {
  AudioRecorder,
  AudioRecorderOptions,
  AudioRecordOptions,
  RecordedAudio,
} from './audio-recorder.js';
export {
  CaptureAudioOptions,
  CaptureFramesOptions,
  CaptureOptions,
  CaptureOutput,
  CaptureOutputOptions,
  CaptureSession,
  DeviceLike,
  PhotoOptions,
  Recording,
  RecordingOptions,
  RecordingResult,
} from './capture.js';
export { CapturedLevels, LevelObserver, ObserveLevelsOptions } from './level-observer.js';
export {
  Firing,
  Player,
  PlayerLooper,
  PlayerOptions,
  PlayerSettings,
  PlayerSource,
  Seek,
  TimeObserver,
} from './player.js';
export {
  PlayedOptions,
  PlayerFrame,
  PlayerItem,
  PlayerItemOptions,
  PlayerItemSettings,
  VideoOutput,
  VideoOutputOptions,
} from './player-item.js';
export type { Cancellable, Remote } from './remote.js';
export { Chunk, Sample } from './sample.js';
export { SampleBuffer } from './sample-buffer.js';
export { SampleCursor } from './sample-cursor.js';
export { MediaTime, TimeLike, TimeRange, TimeRangeLike } from './time.js';
export { Track, TrackValues } from './track.js';
export {
  Instruction,
  Layer,
  TransformLike,
  VideoComposition,
  VideoCompositionLike,
  VideoCompositionOptions,
} from './video-composition.js';
export { Waveform, WaveformChannel } from './waveform.js';
export * as protocol from './protocol.js';
