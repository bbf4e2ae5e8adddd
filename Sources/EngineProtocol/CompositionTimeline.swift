public import JSONRPC

/// A complete description of a composition, as a document.
///
/// The server's output is canonical: two timelines of the same composition are the same bytes. Its members
/// are in a fixed order, members with default values are left out, times are in lowest terms, and sources are named
/// `s1`, `s2` … in the order in which the tracks use them. A caller's names for them are not retained.
public struct WireCompositionTimeline: Codable, ClosedForm, Sendable, Equatable {
  /// The version of this format; 1.
  public var version: Int
  /// The size in which frames are shown; left out, that of the first frame as it is shown.
  public var naturalSize: WireSize?
  /// The sources of the segments, by the names that segments use.
  public var sources: [String: WireTimelineSource]
  /// The tracks, at most 256 with 100,000 segments in all.
  public var tracks: [WireTimelineTrack]
  /// The volumes of the tracks in a mix, unless the mix states others.
  public var audioMix: WireAudioMix?
  /// The video composition of the tracks, unless another one is stated.
  public var videoComposition: WireVideoComposition?
  /// Files of subtitles that become tracks in exports, unless an export states others.
  public var subtitleTracks: [WireSubtitleFile]?

  /// The current version.
  public static let currentVersion = 1

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    version: Int = currentVersion, naturalSize: WireSize? = nil,
    sources: [String: WireTimelineSource], tracks: [WireTimelineTrack],
    audioMix: WireAudioMix? = nil, videoComposition: WireVideoComposition? = nil,
    subtitleTracks: [WireSubtitleFile]? = nil
  ) {
    self.subtitleTracks = subtitleTracks
    self.version = version
    self.naturalSize = naturalSize
    self.sources = sources
    self.tracks = tracks
    self.audioMix = audioMix
    self.videoComposition = videoComposition
  }

  private enum CodingKeys: String, CodingKey {
    case version, naturalSize, sources, tracks, audioMix, videoComposition, subtitleTracks
  }

  /// A dictionary has no order of its own, but these bytes have one.
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
    try container.encodeIfPresent(subtitleTracks, forKey: .subtitleTracks)
  }
}

/// A source of the segments of a timeline: a file or an asset.
public struct WireTimelineSource: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Numbered images for which the `url` stands.
  public var imageSequence: WireImageSequence?
  /// True if it is one image, which segments show for the duration of their target.
  ///
  /// - Default: `false`
  public var still: Bool?

  /// Makes the value; members that are left out are absent on the wire.
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
  /// True if it is presented by default.
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
  /// The transform of its frames, in addition to the sources' own rotations.
  /// Left out: identity.
  public var preferredTransform: WireTransform?
  /// The volume that it is played with.
  ///
  /// - Default: `1`
  public var preferredVolume: Double?
  /// The segments, one after the other from zero on.
  public var segments: [WireTimelineSegment]

  /// Makes the value; members that are left out are absent on the wire.
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
  /// The range of the source, with the range in which it is shown. The source of an empty segment is `"invalid"`.
  public var timeMapping: WireTimeMapping
  /// The playback of the range of the source.
  ///
  /// - Default: `"forward"`
  public var playback: WireSegmentPlayback?
  /// The course of the speed over the source range, in ascending order and with speeds above 0, in times of the source;
  /// of video and audio. The duration of the target scales all speeds alike.
  /// Left out: a constant speed.
  public var speedRamp: [WireSpeedPoint]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    source: String? = nil, trackID: Int32? = nil, timeMapping: WireTimeMapping,
    playback: WireSegmentPlayback? = nil, speedRamp: [WireSpeedPoint]? = nil
  ) {
    self.source = source
    self.trackID = trackID
    self.timeMapping = timeMapping
    self.playback = playback
    self.speedRamp = speedRamp
  }
}

/// The playback of a range of a source by a segment.
public enum WireSegmentPlayback: String, Codable, Sendable, CaseIterable {
  /// From its start to its end.
  case forward
  /// From its end to its start, pictures and audio.
  case reverse
  /// The frame that is shown at its start, throughout; of video. Its duration doesn't count.
  case freeze
}
