import LibAV
import MediaTime
import SystemIO

/// The contents of an asset for its readers: its tracks, and the locations of their samples.
///
/// Generators, readers and exports access an asset only through it, so that an asset made of
/// several files can be read like a file.
struct Presentation: Sendable {
  /// The name of the asset in messages.
  let path: String
  var tracks: [TrackInfo]
  /// The attached pictures, which aren't tracks.
  let pictures: [AttachedPicture]
  /// The metadata of the whole asset, except for the pictures above.
  let metadata: [MetadataItem]
  /// True if the metadata of its one track is that of the whole asset, as in Ogg.
  let tagsAreOfTheFile: Bool
  /// Files within the file, such as fonts (Matroska).
  let attachments: [StreamInfo]
  var chapters: [ChapterSpan]
  /// A chapter for each part of an asset that is made of parts of others; nil for other assets.
  var partChapters: (@Sendable () -> [ChapterSpan])?
  /// The canvas in which all pictures are shown; nil where each track has a size of its own.
  var canvas: Canvas?
  /// The names of the parts of its file that aren't understood, such as boxes and chunks.
  var opaqueParts: [String] = []
  /// The tracks of its sources that it doesn't present, and that were not left out by its maker.
  var omittedTracks: [OmittedTrack] = []
  /// The number of times that an animation of images is played, 0 for ever again; nil for other assets.
  var playCount: Int?
  /// True if exports mix its enabled audio tracks to one track by default.
  var mixesAudio = false
  /// The default volumes of its audio tracks.
  var audioMix: AudioMix?
  /// The default composition of its video tracks to frames.
  var videoComposition: VideoComposition?

  /// True for an asset that is made of parts of others.
  var isComposition: Bool { partChapters != nil }
}

/// A track of an asset that a composition doesn't present.
struct OmittedTrack: Sendable, Hashable {
  let trackID: Int32
  let mediaType: MediaType
  /// FFmpeg's name of its codec, or the container's code.
  let codec: String
  let path: String
  /// The reason, as the end of a sentence about the track.
  let reason: String
}

/// An image that belongs to a file as a whole.
struct AttachedPicture: Sendable {
  let media: StoredTrack
  let bytes: [UInt8]

  /// Returns true if one of the items has the same bytes.
  func isAmong(_ items: [MetadataItem]) -> Bool {
    items.contains { item in
      if case .data(let bytes, _) = item.value { bytes == self.bytes } else { false }
    }
  }
}

/// A named part of an asset.
struct ChapterSpan: Sendable {
  let id: Int64
  let timeRange: TimeRange
  let tags: [Tag]
}

/// Content of an asset's source files that the asset doesn't present.
struct UnpresentedItem: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case metadata, artwork, chapters, attachment, language, trackName, disposition
    case audioMix, videoComposition, preferredVolume, preferredTransform
  }
  var kind: Kind
  /// The number of the asset's track that it would belong to; nil for content of the whole asset.
  var trackID: Int32?
  /// The identifier within the kind: of metadata, a language …
  var key: String?
  /// The files that have it.
  var paths: [String]
  /// The file whose own the asset presents in its place; nil where it has none.
  var origin: String?
}
