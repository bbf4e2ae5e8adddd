public import JSONRPC

/// All that a composition is, as a document.
///
/// What the server writes is canonical: two timelines of the same composition are the same bytes. Its members
/// are in a fixed order, what has its default is left out, times are in lowest terms, and sources are named
/// `s1`, `s2` … in the order in which the tracks use them. Names that a caller gives them are not retained.
public struct WireCompositionTimeline: Codable, ClosedForm, Sendable, Equatable {
  /// The version of this form; 1.
  public var version: Int
  /// The size that pictures are shown in; left out, that of the first picture as it is shown.
  public var naturalSize: WireSize?
  /// What segments show parts of, by the names they have in them.
  public var sources: [String: WireTimelineSource]
  /// The tracks, at most 256 with 100,000 segments in all.
  public var tracks: [WireTimelineTrack]
  /// How loud the tracks are in a mix, when nothing else is given there.
  public var audioMix: WireAudioMix?
  /// How pictures are made of the video tracks, when nothing else is given there.
  public var videoComposition: WireVideoComposition?

  /// The version that there is.
  public static let currentVersion = 1

  /// Makes the value; what is left out is absent on the wire.
  public init(
    version: Int = currentVersion, naturalSize: WireSize? = nil,
    sources: [String: WireTimelineSource], tracks: [WireTimelineTrack],
    audioMix: WireAudioMix? = nil, videoComposition: WireVideoComposition? = nil
  ) {
    self.version = version
    self.naturalSize = naturalSize
    self.sources = sources
    self.tracks = tracks
    self.audioMix = audioMix
    self.videoComposition = videoComposition
  }

  private enum CodingKeys: String, CodingKey {
    case version, naturalSize, sources, tracks, audioMix, videoComposition
  }

  /// A dictionary has no order of its own, and these bytes have one.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encodeIfPresent(naturalSize, forKey: .naturalSize)
    var named = container.nestedContainer(keyedBy: Name.self, forKey: .sources)
    // s2 before s10.
    let names = sources.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    for (name, source) in names {
      try named.encode(source, forKey: Name(stringValue: name))
    }
    try container.encode(tracks, forKey: .tracks)
    try container.encodeIfPresent(audioMix, forKey: .audioMix)
    try container.encodeIfPresent(videoComposition, forKey: .videoComposition)
  }
}

/// What segments of a timeline show parts of: a file or an asset.
public struct WireTimelineSource: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Has the `url` stand for numbered pictures.
  public var imageSequence: WireImageSequence?
  /// Whether it is one picture, which segments show for as long as their target is.
  ///
  /// - Default: `false`
  public var still: Bool?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, imageSequence: WireImageSequence? = nil,
    still: Bool? = nil
  ) {
    self.url = url
    self.asset = asset
    self.imageSequence = imageSequence
    self.still = still
  }
}

/// A track of a timeline.
public struct WireTimelineTrack: Codable, Sendable, Equatable {
  /// The track's number, unique within the timeline.
  public var trackID: Int32
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// Whether it is presented by default.
  ///
  /// - Default: `true`
  public var isEnabled: Bool?
  /// The timescale of its times.
  /// Left out: that of the first segment that isn't empty.
  public var naturalTimeScale: Int32?
  /// The language by ISO 639-2/T, `und` for none; with neither it nor a tag that of the track's first part.
  public var languageCode: String?
  /// The language by BCP 47.
  public var extendedLanguageTag: String?
  /// How its frames are transformed, beyond the sources' own rotations.
  /// Left out: identity.
  public var preferredTransform: WireTransform?
  /// The volume that it is played with.
  ///
  /// - Default: `1`
  public var preferredVolume: Double?
  /// What it shows, one segment after the other from zero on.
  public var segments: [WireTimelineSegment]

  /// Makes the value; what is left out is absent on the wire.
  public init(
    trackID: Int32, mediaType: WireMediaType, isEnabled: Bool? = nil,
    naturalTimeScale: Int32? = nil, languageCode: String? = nil,
    extendedLanguageTag: String? = nil, preferredTransform: WireTransform? = nil,
    preferredVolume: Double? = nil, segments: [WireTimelineSegment]
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.isEnabled = isEnabled
    self.naturalTimeScale = naturalTimeScale
    self.languageCode = languageCode
    self.extendedLanguageTag = extendedLanguageTag
    self.preferredTransform = preferredTransform
    self.preferredVolume = preferredVolume
    self.segments = segments
  }
}

/// A part of a track of a timeline: a range of a track of a source, or empty.
public struct WireTimelineSegment: Codable, Sendable, Equatable {
  /// The name of the source; absent in an empty segment.
  public var source: String?
  /// The track of the source; absent in an empty segment.
  public var trackID: Int32?
  /// Which range of the source is shown when. The source of an empty segment is `"invalid"`.
  public var timeMapping: WireTimeMapping

  /// Makes the value; what is left out is absent on the wire.
  public init(source: String? = nil, trackID: Int32? = nil, timeMapping: WireTimeMapping) {
    self.source = source
    self.trackID = trackID
    self.timeMapping = timeMapping
  }
}
