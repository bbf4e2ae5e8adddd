public import MediaTime

/// A complete description of a composition, as a value: "This representation can be written out by
/// clients in any convenient form, and subsequently the composition can be reconstituted"
/// (AVComposition.h).
///
/// ``problems`` has all that is wrong with one, and ``canonical`` the one form of all timelines
/// that describe the same composition. ``audioMix``, ``videoComposition`` and
/// ``subtitleTracks`` are carried along with it.
public struct CompositionTimeline: Sendable, Hashable {
  /// The authored size; nil for that of the first video track.
  public var naturalSize: Size?
  /// The sources of the segments, by the names that segments use.
  public var sources: [String: Source]
  public var tracks: [Track]
  /// The volumes of the tracks in a mix, unless the mix states others.
  public var audioMix: AudioMix?
  /// The composition of pictures from the video tracks, unless another one is stated.
  public var videoComposition: VideoComposition?
  /// The files of subtitles that exports make tracks of, unless they state others.
  public var subtitleTracks: [SubtitleFile] = []

  public init(
    naturalSize: Size? = nil, sources: [String: Source] = [:], tracks: [Track] = [],
    audioMix: AudioMix? = nil, videoComposition: VideoComposition? = nil
  ) {
    self.naturalSize = naturalSize
    self.sources = sources
    self.tracks = tracks
    self.audioMix = audioMix
    self.videoComposition = videoComposition
  }

  /// An asset of which segments show parts.
  public struct Source: Sendable, Hashable {
    public enum Location: Sendable, Hashable {
      /// A file.
      case url(String)
      /// Numbered pictures, by a pattern of their names, a folder, or the name of the first.
      case images(String, ImageSequence)
      /// An asset of the caller, by the caller's name for it.
      case asset(String)
    }

    public var location: Location
    /// It is one picture, which segments hold for as long as their target is.
    public var isStill: Bool

    public init(_ location: Location, isStill: Bool = false) {
      self.location = location
      self.isStill = isStill
    }
  }

  /// A track (AVCompositionTrack).
  public struct Track: Sendable, Hashable {
    public var trackID: Int32
    public var mediaType: MediaType
    public var isEnabled: Bool
    /// Nil for that of the first segment that isn't empty.
    public var naturalTimeScale: Int32?
    /// By ISO 639-2/T.
    public var languageCode: String?
    /// By BCP 47.
    public var extendedLanguageTag: String?
    public var preferredTransform: AffineTransform
    public var preferredVolume: Double
    /// One after the other, from zero on.
    public var segments: [Segment]

    public init(
      trackID: Int32, mediaType: MediaType, isEnabled: Bool = true,
      naturalTimeScale: Int32? = nil, languageCode: String? = nil,
      extendedLanguageTag: String? = nil, preferredTransform: AffineTransform = .identity,
      preferredVolume: Double = 1, segments: [Segment] = []
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

    /// The end of its last segment.
    public var end: Time { segments.last?.timeMapping.target.end ?? .zero }
  }

  /// A part of a track (AVCompositionTrackSegment).
  public struct Segment: Sendable, Hashable {
    /// The name of the source; nil in an empty segment.
    public var source: String?
    /// The track of the source; nil in an empty segment.
    public var trackID: Int32?
    /// From the source's clock to the composition's. The source of an empty segment is the invalid range.
    public var timeMapping: TimeMapping
    /// The source of a freeze begins with its frame; its duration doesn't count.
    public var playback: SegmentPlayback
    /// The course of the speed over the source's range, in ascending order; none for a constant one. The
    /// duration of the target scales all speeds alike.
    public var speedRamp: [SpeedPoint]

    public init(
      source: String? = nil, trackID: Int32? = nil, timeMapping: TimeMapping,
      playback: SegmentPlayback = .forward, speedRamp: [SpeedPoint] = []
    ) {
      self.source = source
      self.trackID = trackID
      self.timeMapping = timeMapping
      self.playback = playback
      self.speedRamp = speedRamp
    }

    public init(emptyTarget target: TimeRange) {
      self.init(timeMapping: TimeMapping(emptyTarget: target))
    }

    public var isEmpty: Bool { source == nil }
  }

  /// The end of the last of its tracks.
  public var duration: Time { tracks.map(\.end).max() ?? .zero }
}
