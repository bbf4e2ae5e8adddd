public import MediaTime

/// The supported content of an OpenTimelineIO timeline: layers of parts, each at its time.
///
/// Nested stacks and tracks are resolved into it. Every time is exact.
public struct EditTimeline: Sendable, Equatable {
  public var name: String
  /// From the bottom up, video and audio apart from each other.
  public var layers: [Layer]

  public init(name: String = "", layers: [Layer] = []) {
    self.name = name
    self.layers = layers
  }

  public enum Kind: String, Sendable {
    case video = "Video"
    case audio = "Audio"
  }

  /// Parts in ascending order that don't overlap but where one dissolves into the next.
  public struct Layer: Sendable, Equatable {
    public var kind: Kind
    public var name: String
    public var isEnabled: Bool
    public var parts: [Part]
    /// The duration, with any gap at its end.
    public var duration: Time

    /// - Parameter duration: up to the end of the last part where that is later.
    public init(
      kind: Kind, name: String = "", isEnabled: Bool = true, parts: [Part] = [],
      duration: Time = .zero
    ) {
      self.kind = kind
      self.name = name
      self.isEnabled = isEnabled
      self.parts = parts
      self.duration = max(duration, parts.last?.target.end ?? .zero)
    }
  }

  /// A range of a file, and when it is shown.
  public struct Part: Sendable, Equatable {
    public var name: String
    /// The `target_url` of its media, as it is written there; of numbered pictures the `target_url_base`.
    public var url: String
    /// The names of numbered pictures in that folder; nil for a file.
    public var images: NumberedImages?
    /// In the file, from its start on, independent of its timecode there.
    public var source: TimeRange
    public var target: TimeRange
    /// One picture of it is shown throughout (FreezeFrame).
    public var isFrozen: Bool
    /// It is shown from the end of its source to the start (LinearTimeWarp below 0).
    public var isReversed: Bool
    /// The duration of the dissolve from the previous part into this one; 0 for a cut.
    public var dissolve: Time

    public init(
      name: String = "", url: String, images: NumberedImages? = nil, source: TimeRange,
      target: TimeRange, isFrozen: Bool = false, isReversed: Bool = false, dissolve: Time = .zero
    ) {
      self.name = name
      self.url = url
      self.images = images
      self.source = source
      self.target = target
      self.isFrozen = isFrozen
      self.isReversed = isReversed
      self.dissolve = dissolve
    }
  }
}

/// Pictures whose names differ by a number (`ImageSequenceReference`).
public struct NumberedImages: Sendable, Equatable {
  /// Before the number, as it is written in a URL.
  public var prefix: String
  /// After the number, as it is written in a URL.
  public var suffix: String
  /// The number has as many digits at least.
  public var padding: Int
  /// The number of the first picture.
  public var startFrame: Int
  /// The number of pictures; nil where none is stated.
  public var count: Int?
  /// The distance of two numbers.
  public var step: Int
  /// The rate of numbers, of which each `step`th is a picture.
  public var rate: Rate
  /// The picture before a missing one is shown longer; otherwise a missing one is an error.
  public var holdsMissing: Bool

  public init(
    prefix: String, suffix: String, padding: Int = 0, startFrame: Int = 1, count: Int? = nil,
    step: Int = 1, rate: Rate, holdsMissing: Bool = false
  ) {
    self.prefix = prefix
    self.suffix = suffix
    self.padding = padding
    self.startFrame = startFrame
    self.count = count
    self.step = step
    self.rate = rate
    self.holdsMissing = holdsMissing
  }
}

/// A loss of a conversion: a thing that is left out or shown otherwise.
public struct ConversionLoss: Sendable, Equatable {
  /// The position: a JSON pointer.
  public var path: String
  /// The lost thing, for example `Marker.2`.
  public var what: String
  /// The consequence for the result.
  public var reason: String

  public init(path: String, what: String, reason: String) {
    self.path = path
    self.what = what
    self.reason = reason
  }
}

/// A document that isn't a timeline that can be read.
public struct DocumentError: Error, Sendable, Equatable {
  /// The position: a JSON pointer.
  public var path: String
  public var message: String

  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}
