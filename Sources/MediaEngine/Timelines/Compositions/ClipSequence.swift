public import MediaTime

/// Clips one after the other, with overlays and additional audio, as people describe an edit.
///
/// ``timeline(sources:)`` makes a timeline of it.
public struct ClipSequence: Sendable, Hashable {
  /// The size of the picture; nil for that of the first clip that has one, in even numbers.
  public var size: Size?
  /// The interval between two pictures; nil for that of the first clip that has one, else 1/30 s.
  public var frameDuration: Time?
  /// The colour where nothing is shown.
  public var background: VideoComposition.Color
  public var clips: [Clip]
  /// Pictures over those of the clips; the last is on top.
  public var overlays: [Overlay]
  /// Audio in addition to that of the clips.
  public var audio: [Accompaniment]
  /// Subtitles over the pictures; of several, the last is on top.
  public var subtitles: [VideoComposition.BurntSubtitles] = []
  /// The files of subtitles that exports make tracks of.
  public var subtitleTracks: [SubtitleFile] = []
  /// Texts over the pictures and the subtitles; the last is on top.
  public var textLayers: [VideoComposition.TextLayer] = []

  /// True where anything is drawn over its pictures.
  var hasText: Bool {
    !subtitles.isEmpty || !textLayers.isEmpty || clips.contains { $0.text != nil }
  }

  public init(
    size: Size? = nil, frameDuration: Time? = nil,
    background: VideoComposition.Color = .black, clips: [Clip], overlays: [Overlay] = [],
    audio: [Accompaniment] = []
  ) {
    self.size = size
    self.frameDuration = frameDuration
    self.background = background
    self.clips = clips
    self.overlays = overlays
    self.audio = audio
  }

  public typealias Location = CompositionTimeline.Source.Location

  /// A part of a file or an asset, a still picture, or a gap.
  public struct Clip: Sendable, Hashable {
    /// Nil for a gap, which has a duration.
    public var location: Location?
    /// The part that is shown; nil for all. A duration of +infinity reaches to the end.
    public var timeRange: TimeRange?
    public var speed: Speed
    /// The course of the speed, in times of the source and in ascending order, in place of ``speed``; none for a
    /// constant one. Speeds that are all below 0 play it from its end to its start.
    public var speedRamp: [SpeedPoint] = []
    public var volume: Double
    public var fit: VideoComposition.Fit
    /// The duration of a still, a frozen frame or a gap; nil for 3 s but of a gap. Other clips are as long as their
    /// part.
    public var duration: Time?
    public var zoom: Zoom?
    /// The time of the source whose frame is shown throughout ``duration``, without audio; nil to play it.
    public var freeze: Time?
    /// The transition to the next clip; nil for a cut.
    public var transition: Transition?
    /// A text over it; its range is that of the clip.
    public var text: VideoComposition.TextLayer?
    /// The colour of a gap; nil for the sequence's.
    public var background: VideoComposition.Color?

    public init(
      _ location: Location?, timeRange: TimeRange? = nil, speed: Speed = .natural,
      volume: Double = 1, fit: VideoComposition.Fit = .contain, duration: Time? = nil,
      zoom: Zoom? = nil, transition: Transition? = nil
    ) {
      self.location = location
      self.timeRange = timeRange
      self.speed = speed
      self.volume = volume
      self.fit = fit
      self.duration = duration
      self.zoom = zoom
      self.transition = transition
    }
  }

  /// The way from a clip to the next one, during which both are shown. Their volumes cross.
  public struct Transition: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      /// One becomes visible as the other disappears.
      case dissolve
      /// A border moves over the picture, with the next clip after it and this one ahead of it.
      case wipe(Direction)
      /// The next clip moves into the picture, over this one.
      case slide(Direction)
      /// The next clip moves into the picture, and this one out of it.
      case push(Direction)
      /// This clip disappears into a colour in the first half; the next appears from it in the other.
      case dip(VideoComposition.Color)
    }

    /// The direction of a motion in the picture.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
      case left, right, up, down
    }

    public var kind: Kind
    public var duration: Time

    public init(_ kind: Kind, duration: Time) {
      self.kind = kind
      self.duration = duration
    }

    /// Creates a dissolve.
    public static func dissolve(_ duration: Time) -> Transition {
      Transition(.dissolve, duration: duration)
    }
  }

  public typealias Speed = PlaybackSpeed

  /// A move over a picture: the parts of it that are shown at first and at last.
  public struct Zoom: Sendable, Hashable {
    public var from, to: Rectangle

    public init(from: Rectangle, to: Rectangle) {
      self.from = from
      self.to = to
    }
  }

  /// A picture that lies over those of the clips for some time, and its audio.
  public struct Overlay: Sendable, Hashable {
    public var location: Location
    /// The range in which it is shown, in the sequence.
    public var timeRange: TimeRange
    /// The part of the source from which it is shown; nil for all.
    public var sourceTimeRange: TimeRange?
    public var speed: Speed = .natural
    /// The course of the speed, as of a clip.
    public var speedRamp: [SpeedPoint] = []
    public var volume = 0.0
    /// Its rectangle, to which it is fitted.
    public var frame: Rectangle
    public var fit = VideoComposition.Fit.fill
    public var opacity: Double
    /// The duration of its appearance, and of its disappearance: of its picture and of its audio.
    public var fadeIn, fadeOut: Time

    public init(
      _ location: Location, timeRange: TimeRange, frame: Rectangle, opacity: Double = 1,
      fadeIn: Time = .zero, fadeOut: Time = .zero
    ) {
      self.location = location
      self.timeRange = timeRange
      self.frame = frame
      self.opacity = opacity
      self.fadeIn = fadeIn
      self.fadeOut = fadeOut
    }
  }

  /// Music or speech in addition to the audio of the clips.
  public struct Accompaniment: Sendable, Hashable {
    public var location: Location
    /// Its start, in the sequence. It ends with the clips at the latest.
    public var start: Time
    /// The part that is played; nil for all.
    public var timeRange: TimeRange?
    public var volume: Double
    public var fadeIn, fadeOut: Time
    /// It is repeated until the clips end.
    public var loops: Bool
    public var ducking: Ducking?

    public init(
      _ location: Location, start: Time = .zero, timeRange: TimeRange? = nil, volume: Double = 1,
      fadeIn: Time = .zero, fadeOut: Time = .zero, loops: Bool = false, ducking: Ducking? = nil
    ) {
      self.location = location
      self.start = start
      self.timeRange = timeRange
      self.volume = volume
      self.fadeIn = fadeIn
      self.fadeOut = fadeOut
      self.loops = loops
      self.ducking = ducking
    }
  }

  /// The attenuation of an accompaniment while clips are heard.
  public struct Ducking: Sendable, Hashable {
    /// The factor of its volume.
    public var level: Double
    /// The time in which it becomes quiet after a clip begins, and loud after it ends.
    public var attack, release: Time

    public init(
      level: Double, attack: Time = Time(value: 1, timescale: 5),
      release: Time = Time(value: 1, timescale: 2)
    ) {
      self.level = level
      self.attack = attack
      self.release = release
    }
  }

  /// The required facts about a file or an asset.
  public struct SourceFacts: Sendable, Hashable {
    public struct Track: Sendable, Hashable {
      public var trackID: Int32
      /// The range from its start to its end.
      public var timeRange: TimeRange

      public init(trackID: Int32, timeRange: TimeRange) {
        self.trackID = trackID
        self.timeRange = timeRange
      }
    }

    public var video: Track?
    public var audio: Track?
    /// The first track of subtitles.
    public var subtitles: Track?
    /// The kind of that track: a composition's track has one.
    public var subtitleType = MediaType.subtitle
    /// The size at which pictures are shown: upright, of square pixels.
    public var size: Size?
    public var frameDuration: Time?
    /// It is one picture.
    public var isStill: Bool
    /// All of its tracks that a sequence could show.
    var allTracks: [UnusedTrack] = []
    /// The end of the asset by its own statement; a part that its tracks lack up to there is empty.
    public var statedEnd: Time

    public init(
      video: Track? = nil, audio: Track? = nil, size: Size? = nil, frameDuration: Time? = nil,
      isStill: Bool = false, statedEnd: Time = .zero
    ) {
      self.video = video
      self.audio = audio
      self.size = size
      self.frameDuration = frameDuration
      self.isStill = isStill
      self.statedEnd = statedEnd
    }

    /// The end of the longer of its tracks.
    var end: Time { [video, audio].compactMap { $0?.timeRange.end }.max() ?? .zero }
  }
}

extension PlaybackSpeed {
  var playback: SegmentPlayback { isBackward ? .reverse : .forward }
}
