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
  var tracks: [TrackInfo]
  /// The attached pictures, which are no tracks.
  let pictures: [AttachedPicture]
  /// The metadata of the whole, but for the pictures above.
  let metadata: [MetadataItem]
  /// The metadata of its one track is that of the whole, as in Ogg.
  let tagsAreOfTheFile: Bool
  /// Files within the file, such as fonts (Matroska).
  let attachments: [StreamInfo]
  var chapters: [ChapterSpan]
  /// A chapter for each part of what is made of parts of others; nil for what isn't.
  var partChapters: [ChapterSpan]?
  /// What all pictures are shown in; nil where each track has a size of its own.
  var canvas: Canvas?
  /// The names of what isn't understood of its file, such as boxes and chunks.
  var opaqueParts: [String] = []
  /// The tracks of its sources that it can't show.
  var omittedTracks: [OmittedTrack] = []
  /// Whether exports make one track of its enabled audio tracks where nothing else is asked for.
  var mixesAudio = false
  /// How loud its audio tracks are where nothing else is asked for.
  var audioMix: AudioMix?
  /// How pictures are made of the video tracks where nothing else is asked for.
  var videoComposition: VideoComposition?
}

/// A track of an asset that a composition can't show.
struct OmittedTrack: Sendable, Hashable {
  let trackID: Int32
  let mediaType: MediaType
  /// FFmpeg's name of its codec, or the container's code.
  let codec: String
  let path: String
}

/// A picture that belongs to a file as a whole.
struct AttachedPicture: Sendable {
  let media: StoredTrack
  let bytes: [UInt8]

  /// True where one of the items has its bytes.
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

/// What an asset doesn't present of the files that it is made of.
struct UnpresentedItem: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case metadata, artwork, chapters, attachment, language, trackName, disposition
  }
  var kind: Kind
  /// The number of the asset's track that it would belong to; nil for what belongs to the whole.
  var trackID: Int32?
  /// What of it: an identifier of metadata, a language …
  var key: String?
  /// The files that have it.
  var paths: [String]
  /// The file whose own the asset presents in its place; nil where it has none.
  var origin: String?
}
