public import JSONRPC

/// Clips one after the other, with what lies over them and is heard beside them.
///
/// A clip begins where the one before ends, or as much earlier as that one dissolves into it. The whole ends
/// with the last clip.
public struct WireClipSequence: Codable, ClosedForm, Sendable, Equatable {
  /// The size of the picture.
  /// Left out: that of the first clip that has one, in even numbers.
  public var size: WireSize?
  /// Pictures per second. A clip with more of them, or one that is played slower, shows as many; pictures of others
  /// are shown again.
  /// Left out: that of the first clip that has one, else 30.
  public var frameRate: WireFactor?
  /// Red, green, blue and alpha, each from 0 to 1, where nothing is shown.
  /// Left out: opaque black.
  public var background: [Double]?
  /// The clips, at least one.
  public var clips: [WireClip]
  /// Pictures over those of the clips; the last is on top.
  public var overlays: [WireOverlay]?
  /// What is heard beside the clips.
  public var audio: [WireAccompaniment]?
  /// Subtitles over the pictures; of several, the last is on top. They are of files.
  public var subtitles: [WireBurntSubtitles]?
  /// Texts over the pictures and the subtitles; the last is on top.
  public var textLayers: [WireTextLayer]?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    size: WireSize? = nil, frameRate: WireFactor? = nil, background: [Double]? = nil,
    clips: [WireClip], overlays: [WireOverlay]? = nil, audio: [WireAccompaniment]? = nil,
    subtitles: [WireBurntSubtitles]? = nil, textLayers: [WireTextLayer]? = nil
  ) {
    self.size = size
    self.frameRate = frameRate
    self.background = background
    self.clips = clips
    self.overlays = overlays
    self.audio = audio
    self.subtitles = subtitles
    self.textLayers = textLayers
  }
}

/// A part of a file or an asset, a still picture, or, with neither `url` nor `asset`, a gap.
public struct WireClip: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Has the `url` stand for numbered pictures.
  public var imageSequence: WireImageSequence?
  /// The part that is shown; a duration of `"+infinity"` reaches to the end. Not for stills.
  /// Left out: all of it.
  public var timeRange: WireTimeRange?
  /// How fast it is: 2 shows it in half its time. Not for stills.
  ///
  /// - Default: `1`
  public var speed: WireFactor?
  /// The volume, 0 or more.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// How its frames are fitted to the picture.
  ///
  /// - Default: `"contain"`
  public var fit: WireFit?
  /// How long a still or a gap is; required for a gap, and for no other clip.
  /// Left out: 3 s for a still.
  public var duration: WireTime?
  /// A move over its picture, in place of `fit`.
  public var zoom: WireZoom?
  /// What leads to the next clip.
  /// Left out: a cut.
  public var transition: WireTransition?
  /// A text over it, as long as it is shown: of a gap, a title.
  public var text: WireClipText?
  /// Red, green, blue and alpha of a gap, each from 0 to 1.
  /// Left out: `background` of the sequence.
  public var background: [Double]?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, imageSequence: WireImageSequence? = nil,
    timeRange: WireTimeRange? = nil,
    speed: WireFactor? = nil, volume: Double? = nil, fit: WireFit? = nil,
    duration: WireTime? = nil, zoom: WireZoom? = nil, transition: WireTransition? = nil,
    text: WireClipText? = nil, background: [Double]? = nil
  ) {
    self.url = url
    self.asset = asset
    self.imageSequence = imageSequence
    self.timeRange = timeRange
    self.speed = speed
    self.volume = volume
    self.fit = fit
    self.duration = duration
    self.zoom = zoom
    self.transition = transition
    self.text = text
    self.background = background
  }
}

/// A text over a clip. Where the clip dissolves, it does.
public struct WireClipText: Codable, Sendable, Equatable {
  /// The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It has no codes.
  public var text: String
  /// The style.
  public var style: WireTextStyle?
  /// The position of the point of it that `alignment` names.
  /// Left out: where `alignment` is in the picture, within the margins.
  public var position: WirePicturePosition?
  /// The duration of its appearance.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration of its disappearance.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    text: String, style: WireTextStyle? = nil, position: WirePicturePosition? = nil,
    fadeIn: WireTime? = nil, fadeOut: WireTime? = nil
  ) {
    self.text = text
    self.style = style
    self.position = position
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }
}

/// Which part of a picture is shown at first, and which at last; as large as the picture allows.
public struct WireZoom: Codable, Sendable, Equatable {
  /// The part that is shown at first.
  public var from: WireRectangle
  /// The part that is shown at last.
  public var to: WireRectangle

  /// Makes the value from its members.
  public init(from: WireRectangle, to: WireRectangle) {
    self.from = from
    self.to = to
  }
}

/// What leads from a clip to the next one.
public struct WireTransition: Codable, Sendable, Equatable {
  /// Its kind.
  ///
  /// - Default: `"dissolve"`
  public var kind: WireTransitionKind?
  /// How long the clips overlap; required but for `"none"`.
  public var duration: WireTime?

  /// Makes the value; what is left out is absent on the wire.
  public init(kind: WireTransitionKind? = nil, duration: WireTime? = nil) {
    self.kind = kind
    self.duration = duration
  }
}

/// The kinds of transitions between clips.
public enum WireTransitionKind: String, Codable, Sendable, CaseIterable {
  /// One becomes visible, and loud, as the other disappears.
  case dissolve
  /// A cut.
  case none
}

/// A picture, moving or still, that lies over those of the clips for some time.
public struct WireOverlay: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Has the `url` stand for numbered pictures.
  public var imageSequence: WireImageSequence?
  /// When it is shown; a duration of `"+infinity"` lasts to its end, or that of the clips.
  public var timeRange: WireTimeRange
  /// Where it is, in pixels of the picture; it is stretched to that.
  public var frame: WireRectangle
  /// The opacity, from 0 to 1.
  ///
  /// - Default: `1`
  public var opacity: Double?
  /// The duration of its appearance.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration of its disappearance.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, imageSequence: WireImageSequence? = nil,
    timeRange: WireTimeRange, frame: WireRectangle, opacity: Double? = nil, fadeIn: WireTime? = nil,
    fadeOut: WireTime? = nil
  ) {
    self.url = url
    self.asset = asset
    self.imageSequence = imageSequence
    self.timeRange = timeRange
    self.frame = frame
    self.opacity = opacity
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }
}

/// Music or speech beside the clips. It ends with them at the latest.
public struct WireAccompaniment: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// When it begins.
  ///
  /// - Default: `0`
  public var at: WireTime?
  /// The part that is played.
  /// Left out: all of it.
  public var timeRange: WireTimeRange?
  /// The volume, 0 or more.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// How long it takes to become loud.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// How long it takes to become quiet, before its end.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?
  /// Whether it is repeated until the clips end.
  ///
  /// - Default: `false`
  public var loop: Bool?
  /// How it gives way while clips are heard.
  /// Left out: not at all.
  public var duck: WireDucking?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, at: WireTime? = nil,
    timeRange: WireTimeRange? = nil, volume: Double? = nil, fadeIn: WireTime? = nil,
    fadeOut: WireTime? = nil, loop: Bool? = nil, duck: WireDucking? = nil
  ) {
    self.url = url
    self.asset = asset
    self.at = at
    self.timeRange = timeRange
    self.volume = volume
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.loop = loop
    self.duck = duck
  }
}

/// How music gives way while the clips' audio tracks have something; their contents aren't analysed.
public struct WireDucking: Codable, Sendable, Equatable {
  /// What its volume is multiplied by, from 0 to 1.
  ///
  /// - Default: `0.25`
  public var to: Double?
  /// How long it takes to become quiet, from where a clip begins.
  /// Left out: 0.2 s.
  public var attack: WireTime?
  /// How long it takes to become loud again, from where a clip ends.
  /// Left out: 0.5 s.
  public var release: WireTime?

  /// Makes the value; what is left out is absent on the wire.
  public init(to: Double? = nil, attack: WireTime? = nil, release: WireTime? = nil) {
    self.to = to
    self.attack = attack
    self.release = release
  }
}

/// Makes a composition of clips one after the other, with dissolves, overlays and music.
///
/// The answer has the timeline that the sequence was expanded to: clips in one video and one audio track, and in
/// a second of each where they overlap; each overlay and each piece of music in a track of its own; what is on
/// top of what as instructions; dissolves, zooms, fades and volumes as ramps. All that is wrong with a sequence
/// is in `data.errors` of one error.
///
/// - Errors: `noSourceTrack`, `invalidCompositionTrackSegmentDuration`,
///   `invalidCompositionTrackSegmentSourceStartTime`, `invalidCompositionTrackSegmentSourceDuration`,
///   `contentIsUnavailable`, `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`,
///   `contentIsProtected`, `limitExceeded`
public struct CompositionAssemble: EngineRequest {
  public static let method = "composition/assemble"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.composition]

  /// The composition, and what it was made from.
  public struct Result: Codable, Sendable, Equatable {
    /// The composition; absent with `timelineOnly`.
    public var composition: CompositionHandle?
    /// The timeline that the sequence was expanded to.
    public var timeline: WireCompositionTimeline

    package init(composition: CompositionHandle?, timeline: WireCompositionTimeline) {
      self.composition = composition
      self.timeline = timeline
    }
  }

  /// The sequence.
  public var sequence: WireClipSequence
  /// Whether the timeline is all that is wanted, and no composition is made.
  ///
  /// - Default: `false`
  public var timelineOnly: Bool?

  /// Makes the value; what is left out is absent on the wire.
  public init(sequence: WireClipSequence, timelineOnly: Bool? = nil) {
    self.sequence = sequence
    self.timelineOnly = timelineOnly
  }
}
