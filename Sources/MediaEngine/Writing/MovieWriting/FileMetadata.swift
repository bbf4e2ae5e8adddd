import LibAV

/// The metadata of a file as a whole, in the form that muxers and ``MoovRewriter`` write it in.
struct FileMetadata: Sendable {
  var tags: [Tag] = []
  var chapters: [ChapterSpan] = []
  /// Pictures that become streams or attachments.
  var artwork: [Artwork] = []
  var attachments: [StreamInfo] = []
  /// In a movie.
  var movie: MovieItemBoxes?
  var muxerOptions: [String: String] = [:]
  /// Tags with several values, of which ``tags`` have one.
  var severalValues: [TagValues] = []

  /// How much of the file it takes, but for a few bytes for each item.
  var byteCount: Int {
    let texts = tags.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    let pictures = artwork.reduce(0) { $0 + $1.bytes.count }
    let files = attachments.reduce(0) { $0 + $1.parameters.extradata.count }
    return texts + pictures + files + (movie.map { $0.userData.count + $0.meta.count } ?? 0)
  }
}

/// How one track is described in a file.
struct TrackMetadata: Sendable {
  /// Names, language and other texts.
  var tags: [Tag] = []
  var disposition: Disposition = []
  /// Side data of the codec's parameters: HDR metadata, stereo layout, matrix …
  var sideData: [SideData] = []
  /// In a movie, what libavformat's muxer doesn't write.
  var boxes: MovieTrackBoxes?

  /// The part that the muxer writes.
  var description: StreamDescription {
    StreamDescription(tags: tags, disposition: disposition, sideData: sideData)
  }
}

/// How a track is described in a movie's header, beside what libavformat's muxer writes.
struct MovieTrackBoxes: Sendable {
  /// nil leaves it as the muxer has it: enabled is the default track of each kind, else the first.
  var isEnabled: Bool?
  var alternateGroup: Int16?
  /// The numbers of the tracks that it refers to, by the type of the reference (ISO/IEC 14496-12, 8.3.3).
  var references: [String: [UInt32]] = [:]
  var language = PackedLanguage.undetermined
  /// BCP 47, where the code isn't enough.
  var languageTag: String?
  var userData: [UInt8] = []
  var meta: [UInt8] = []
  /// The configuration of Dolby Vision in the sample descriptions of video.
  var dolbyVision: DolbyVisionRecord?
}
