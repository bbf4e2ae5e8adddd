import LibAV

/// The metadata of a file as a whole, in the form that muxers and ``MoovRewriter`` write it in.
struct FileMetadata: Sendable {
  var tags: [Tag] = []
  var chapters: [ChapterSpan] = []
  /// Images that become streams or attachments.
  var artwork: [Artwork] = []
  var attachments: [StreamInfo] = []
  /// The boxes of a movie's metadata; nil for other files.
  var movie: MovieItemBoxes?
  var muxerOptions: [String: String] = [:]
  /// Tags with several values. ``tags`` has one value of each.
  var severalValues: [TagValues] = []

  /// The size of the metadata in the file, except for a few bytes for each item.
  var byteCount: Int {
    let texts = tags.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    let pictures = artwork.reduce(0) { $0 + $1.bytes.count }
    let files = attachments.reduce(0) { $0 + $1.parameters.extradata.count }
    return texts + pictures + files + (movie.map { $0.userData.count + $0.meta.count } ?? 0)
  }
}

/// The description of one track in a file.
struct TrackMetadata: Sendable {
  /// Names, language and other texts.
  var tags: [Tag] = []
  var disposition: Disposition = []
  /// Side data of the codec's parameters: HDR metadata, stereo layout, matrix …
  var sideData: [SideData] = []
  /// The part for a movie that libavformat's muxer doesn't write.
  var boxes: MovieTrackBoxes?

  /// Adds texts of the file. Those of the track itself stay.
  mutating func addTags(_ shared: [Tag]) {
    let own = Set(tags.map { $0.key.lowercased() })
    tags += shared.filter { !own.contains($0.key.lowercased()) }
  }

  /// The part that the muxer writes.
  var description: StreamDescription {
    StreamDescription(tags: tags, disposition: disposition, sideData: sideData)
  }
}

/// The part of a track's description in a movie's header that libavformat's muxer doesn't write.
struct MovieTrackBoxes: Sendable {
  /// True if the track is enabled; nil for the muxer's choice, the default track of each kind or
  /// else the first.
  var isEnabled: Bool?
  var alternateGroup: Int16?
  /// The numbers of the tracks that this track refers to, by the type of the reference (ISO/IEC
  /// 14496-12, 8.3.3).
  var references: [String: [UInt32]] = [:]
  var language = PackedLanguage.undetermined
  /// BCP 47, where the code isn't precise enough.
  var languageTag: String?
  var userData: [UInt8] = []
  var meta: [UInt8] = []
  /// The configuration of Dolby Vision for the video sample descriptions.
  var dolbyVision: DolbyVisionRecord?
  /// The number of samples before the first one that is to be heard, of encoded audio.
  var priming: Int64 = 0
}
