import LibAV
import MediaTime
import SystemIO

/// What an asset presents, for those who read it: its tracks, and where their samples are.
///
/// Generators, readers and exports know an asset by nothing else, so that one made of several files can
/// be read like a file.
struct Presentation: Sendable {
  /// What messages call the asset.
  let path: String
  let tracks: [TrackInfo]
  /// The attached pictures, which are no tracks.
  let pictures: [AttachedPicture]
  /// What is said of it as a whole, but for the pictures above.
  let metadata: [MetadataItem]
  /// What is said of its one track is said of the whole, as in Ogg.
  let tagsAreOfTheFile: Bool
  /// Files within the file, such as fonts (Matroska).
  let attachments: [StreamInfo]
  let chapters: [ChapterSpan]
}

/// A picture that belongs to a file as a whole.
struct AttachedPicture: Sendable {
  let media: TrackMedia
  let bytes: [UInt8]
}

/// A named part of an asset.
struct ChapterSpan: Sendable {
  let id: Int64
  let timeRange: TimeRange
  let tags: [Tag]
}

/// How to come by an asset's ``Presentation`` and its precise duration.
///
/// Opaque outside the engine: assets are of the engine's own making.
public struct AssetMedia: Sendable {
  /// Blocks, for an export's thread.
  let presentation: @Sendable (Interrupt) throws(EngineError) -> Presentation
  /// Suspends while it is made.
  let loadPresentation: @Sendable (Interrupt) async throws(EngineError) -> Presentation
  let duration: @Sendable (Interrupt) throws(EngineError) -> Time
  let configuration: EngineConfiguration
  /// The files that it is made of.
  let sources: [String]
}
