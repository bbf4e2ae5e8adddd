public import JSONRPC

/// Clips one after the other, with overlays and additional audio.
///
/// A clip begins where the previous one ends, or earlier by the duration of that one's dissolve into it. The sequence
/// ends with the last clip.
public struct WireClipSequence: Codable, ClosedForm, Sendable, Equatable {
  /// The size of the composed frames.
  /// Left out: that of the first clip that has one, in even numbers.
  public var size: WireSize?
  /// The number of frames per second. A clip with more of them, or one that is played slower, is shown at this rate;
  /// frames of the others are repeated.
  /// Left out: that of the first clip that has one, else 30.
  public var frameRate: WireFactor?
  /// Red, green, blue and alpha, each from 0 to 1, of the colour where nothing is shown.
  /// Left out: opaque black.
  public var background: [Double]?
  /// The clips, at least one.
  public var clips: [WireClip]
  /// Images and videos over the frames of the clips; the last is on top.
  public var overlays: [WireOverlay]?
  /// The audio in addition to that of the clips.
  public var audio: [WireAccompaniment]?
  /// Subtitles over the frames; of several, the last is on top. They are those of files.
  public var subtitles: [WireBurntSubtitles]?
  /// Files of subtitles that become tracks in exports, at times of the sequence.
  public var subtitleTracks: [WireSubtitleFile]?
  /// Texts over the frames and the subtitles; the last is on top.
  public var textLayers: [WireTextLayer]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    size: WireSize? = nil, frameRate: WireFactor? = nil, background: [Double]? = nil,
    clips: [WireClip], overlays: [WireOverlay]? = nil, audio: [WireAccompaniment]? = nil,
    subtitles: [WireBurntSubtitles]? = nil, subtitleTracks: [WireSubtitleFile]? = nil,
    textLayers: [WireTextLayer]? = nil
  ) {
    self.size = size
    self.frameRate = frameRate
    self.background = background
    self.clips = clips
    self.overlays = overlays
    self.audio = audio
    self.subtitles = subtitles
    self.subtitleTracks = subtitleTracks
    self.textLayers = textLayers
  }
}

/// A part of a file or an asset, a still image, or, with neither `url` nor `asset`, a gap.
public struct WireClip: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Numbered images for which the `url` stands.
  public var imageSequence: WireImageSequence?
  /// The part that is shown; a duration of `"+infinity"` reaches to the end. Not for stills.
  /// Left out: all of it.
  public var timeRange: WireTimeRange?
  /// The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
  ///
  /// - Default: `1`
  public var speed: WireFactor?
  /// A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in ascending order, at times of the
  /// source within the part that is shown. Speeds are all above 0, or all below 0 for backward.
  /// Left out: `speed` throughout.
  public var speedRamp: [WireSpeedPoint]?
  /// The volume, 0 or more.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// The way in which its frames are fitted to the composed frame.
  ///
  /// - Default: `"contain"`
  public var fit: WireFit?
  /// The duration of a still, a frozen frame or a gap; required for a gap, and for no other clip.
  /// Left out: 3 s for a still and a frozen frame.
  public var duration: WireTime?
  /// The time of the source whose frame is shown throughout `duration`, without audio.
  /// Left out: it is played.
  public var freeze: WireTime?
  /// A move over its frames, in place of `fit`.
  public var zoom: WireZoom?
  /// The transition to the next clip.
  /// Left out: a cut.
  public var transition: WireTransition?
  /// A text over it, for as long as it is shown: for a gap, a title.
  public var text: WireClipText?
  /// Red, green, blue and alpha of a gap's colour, each from 0 to 1.
  /// Left out: `background` of the sequence.
  public var background: [Double]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, imageSequence: WireImageSequence? = nil,
    timeRange: WireTimeRange? = nil,
    speed: WireFactor? = nil, speedRamp: [WireSpeedPoint]? = nil, volume: Double? = nil,
    fit: WireFit? = nil,
    duration: WireTime? = nil, freeze: WireTime? = nil, zoom: WireZoom? = nil,
    transition: WireTransition? = nil, text: WireClipText? = nil, background: [Double]? = nil
  ) {
    self.url = url
    self.asset = asset
    self.imageSequence = imageSequence
    self.timeRange = timeRange
    self.speed = speed
    self.speedRamp = speedRamp
    self.volume = volume
    self.fit = fit
    self.duration = duration
    self.freeze = freeze
    self.zoom = zoom
    self.transition = transition
    self.text = text
    self.background = background
  }
}

/// A point of a speed ramp: the speed at a time of the source.
///
/// From one point to the next the speed changes linearly over the time in which the source is shown, so that *s*
/// seconds of the source between the speeds *a* and *b* last exactly 2 *s* / (*a* + *b*). Before the first point, and
/// after the last one, it is constant. Two points at the same time are a step.
public struct WireSpeedPoint: Codable, Sendable, Equatable {
  /// The time of the source.
  public var at: WireTime
  /// The speed there: 2 is twice as fast.
  public var speed: WireFactor

  /// Makes the value from its members.
  public init(at: WireTime, speed: WireFactor) {
    self.at = at
    self.speed = speed
  }
}

/// A text over a clip. It dissolves together with the clip.
public struct WireClipText: Codable, Sendable, Equatable {
  /// The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It has no codes.
  public var text: String
  /// The style.
  public var style: WireTextStyle?
  /// The position of the point of it that `alignment` names.
  /// Left out: the place of `alignment` in the frame, within the margins.
  public var position: WirePicturePosition?
  /// The duration of its appearance.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration of its disappearance.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
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

/// The parts of a frame that are shown at first and at last; each is scaled as large as the composed frame allows.
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

/// The transition from a clip to the next one.
public struct WireTransition: Codable, Sendable, Equatable {
  /// The kind of the transition.
  ///
  /// - Default: `"dissolve"`
  public var kind: WireTransitionKind?
  /// The duration for which the clips overlap; required except for `"none"`.
  public var duration: WireTime?
  /// The direction of a wipe, a slide or a push; for no other kind.
  /// Left out: to the left.
  public var direction: WireTransitionDirection?
  /// Red, green, blue and alpha, each from 0 to 1, of the colour of a dip; for no other kind.
  /// Left out: opaque black.
  public var color: [Double]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    kind: WireTransitionKind? = nil, duration: WireTime? = nil,
    direction: WireTransitionDirection? = nil, color: [Double]? = nil
  ) {
    self.kind = kind
    self.duration = duration
    self.direction = direction
    self.color = color
  }
}

/// The kinds of transitions between clips. Audio is cross-faded in each of them.
public enum WireTransitionKind: String, Codable, Sendable, CaseIterable {
  /// One becomes visible and audible, while the other disappears.
  case dissolve
  /// A border moves over the picture: the next clip is seen after it, and the one before it is seen ahead of it.
  case wipe
  /// The next clip moves into the picture, over the one before it.
  case slide
  /// The next clip moves into the picture, and the one before it moves out ahead of it.
  case push
  /// One disappears into a colour in the first half, and the other appears from it in the second.
  case dip
  /// A cut.
  case none
}

/// The directions that transitions move to.
public enum WireTransitionDirection: String, Codable, Sendable, CaseIterable {
  /// From the right edge to the left one.
  case left
  /// From the left edge to the right one.
  case right
  /// From the bottom to the top.
  case up
  /// From the top to the bottom.
  case down
}

/// A video or a still image that lies over the frames of the clips for some time, and its audio if it has a `volume`.
public struct WireOverlay: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// Numbered images for which the `url` stands.
  public var imageSequence: WireImageSequence?
  /// The range in which it is shown; a duration of `"+infinity"` lasts to its end, or that of the clips.
  public var timeRange: WireTimeRange
  /// The part of the source that is shown, of which `timeRange` may need less; a duration of `"+infinity"` reaches to
  /// the end. Not for stills.
  /// Left out: all of it.
  public var sourceTimeRange: WireTimeRange?
  /// The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
  ///
  /// - Default: `1`
  public var speed: WireFactor?
  /// A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in ascending order, at times of the
  /// source within the part that is shown. Speeds are all above 0, or all below 0 for backward.
  /// Left out: `speed` throughout.
  public var speedRamp: [WireSpeedPoint]?
  /// The volume of its audio, 0 or more.
  ///
  /// - Default: `0`
  public var volume: Double?
  /// Its rectangle, in pixels of the composed frame.
  public var frame: WireRectangle
  /// The fit to its `frame`; the part outside of it, with `"cover"` and `"none"`, isn't shown.
  ///
  /// - Default: `"fill"`
  public var fit: WireFit?
  /// The opacity, from 0 to 1.
  ///
  /// - Default: `1`
  public var opacity: Double?
  /// The duration of its appearance, and of its audio becoming loud.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration of its disappearance, and of its audio becoming quiet.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, imageSequence: WireImageSequence? = nil,
    timeRange: WireTimeRange, sourceTimeRange: WireTimeRange? = nil, speed: WireFactor? = nil,
    speedRamp: [WireSpeedPoint]? = nil,
    volume: Double? = nil, frame: WireRectangle, fit: WireFit? = nil, opacity: Double? = nil,
    fadeIn: WireTime? = nil, fadeOut: WireTime? = nil
  ) {
    self.url = url
    self.asset = asset
    self.imageSequence = imageSequence
    self.timeRange = timeRange
    self.sourceTimeRange = sourceTimeRange
    self.speed = speed
    self.speedRamp = speedRamp
    self.volume = volume
    self.frame = frame
    self.fit = fit
    self.opacity = opacity
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }
}

/// Music or speech in addition to the audio of the clips. It ends with them at the latest.
public struct WireAccompaniment: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// The time of its start.
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
  /// The duration in which it becomes loud.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration in which it becomes quiet, before its end.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?
  /// True if it is repeated until the clips end.
  ///
  /// - Default: `false`
  public var loop: Bool?
  /// The attenuation while clips are heard.
  /// Left out: none.
  public var duck: WireDucking?

  /// Makes the value; members that are left out are absent on the wire.
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

/// The attenuation of music while the audio tracks of clips, and of overlays with a volume, have media; their contents
/// aren't analysed.
public struct WireDucking: Codable, Sendable, Equatable {
  /// The factor by which its volume is multiplied, from 0 to 1.
  ///
  /// - Default: `0.25`
  public var to: Double?
  /// The duration in which it becomes quiet, from the start of a clip.
  /// Left out: 0.2 s.
  public var attack: WireTime?
  /// The duration in which it becomes loud again, from the end of a clip.
  /// Left out: 0.5 s.
  public var release: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(to: Double? = nil, attack: WireTime? = nil, release: WireTime? = nil) {
    self.to = to
    self.attack = attack
    self.release = release
  }
}

/// Creates a composition of clips one after the other, with transitions, overlays and music.
///
/// The answer has the timeline that the sequence was expanded to: clips in one video and one audio track, and in
/// a second of each where they overlap; each overlay, its audio and each accompaniment in a track of its own; the order
/// of layers as instructions; transitions, zooms, fades and volumes as ramps. All problems of a sequence
/// are in `data.errors` of one error.
///
/// - Errors: `noSourceTrack`, `invalidCompositionTrackSegmentDuration`,
///   `invalidCompositionTrackSegmentSourceStartTime`, `invalidCompositionTrackSegmentSourceDuration`,
///   `contentIsUnavailable`, `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`,
///   `contentIsProtected`, `limitExceeded`
public struct CompositionAssemble: EngineRequest {
  public static let method = "composition/assemble"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.composition]

  /// The composition, and its timeline.
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
  /// True to return only the timeline, and create no composition.
  ///
  /// - Default: `false`
  public var timelineOnly: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(sequence: WireClipSequence, timelineOnly: Bool? = nil) {
    self.sequence = sequence
    self.timelineOnly = timelineOnly
  }
}
