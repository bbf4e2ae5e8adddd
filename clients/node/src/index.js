export { Loudness, SceneChange, SceneChanges, Silences } from './analysis.js';
export { Asset } from './asset.js';
export { AssetReader, AssetReaderOutput } from './asset-reader.js';
export { AssetWriter } from './asset-writer.js';
export { AudioMix } from './audio-mix.js';
export { MediaBlob } from './blob.js';
export { Clip } from './clip.js';
export { Composition, CompositionSegment } from './composition.js';
export { ContactSheet, ContactSheetTile } from './contact-sheet.js';
export { Engine, findBinary } from './engine.js';
export * from './errors.js';
export { ExportJob, ExportSession } from './export-session.js';
export { Image, ImageGenerator } from './image-generator.js';
export { TrackSegment } from './keys.js';
export {
  FetchResult,
  Library,
  LibraryCollection,
  LibraryItem,
  LibraryQuery,
} from './library.js';
export { MediaSelectionGroup, MediaSelectionOption } from './media-selection.js';
export { MetadataItem, TimedMetadataGroup } from './metadata.js';
export { Plane } from './planes.js';
export { AudioPlayer } from './audio-player.js';
export { AudioRecorder } from './audio-recorder.js';
export { CaptureOutput, CaptureSession, Recording } from './capture.js';
export { LevelObserver } from './level-observer.js';
export { Player, PlayerLooper, TimeObserver } from './player.js';
export { PlayerFrame, PlayerItem, VideoOutput } from './player-item.js';
export { Sample } from './sample.js';
export { SampleBuffer } from './sample-buffer.js';
export { SampleCursor } from './sample-cursor.js';
export { MediaTime, TimeRange } from './time.js';
export { Track } from './track.js';
export { Instruction, Layer, VideoComposition } from './video-composition.js';
export { Waveform, WaveformChannel } from './waveform.js';
export { AssetWriterInput } from './writer-input.js';
export * as protocol from './protocol.js';
