public import JSONRPC

/// The volumes of an asset's tracks when they are mixed.
///
/// A track without parameters has the volume 1 throughout.
public struct WireAudioMix: Codable, ClosedForm, Sendable, Equatable {
  /// The settings of each track that has any.
  public var inputParameters: [WireAudioMixInputParameters]

  /// Makes the value from its members.
  public init(inputParameters: [WireAudioMixInputParameters]) {
    self.inputParameters = inputParameters
  }
}

/// An audio mix, or `null` for none, though the asset has one of its own.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireAudioMix"}, {"type": "null"}]}
/// ```
public enum WireAudioMixSetting: NullableSetting, ClosedForm, Equatable, DecodingPlaceholder {
  /// The mix is used.
  case mix(WireAudioMix)
  /// No mix is used.
  case none

  public static let decodingPlaceholder = WireAudioMixSetting.none
  public static let decodingExpectation = "an audio mix or null"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .null: self = .none
    case .object: self = .mix(try WireAudioMix(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .mix(let mix): try mix.encode(to: encoder)
    case .none:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// The settings of an audio mix for one track.
public struct WireAudioMixInputParameters: Codable, Sendable, Equatable {
  /// The track; 0 stands for the mix of all of them.
  public var trackID: Int32
  /// The volume over time, 0 or more; 1 before the first entry.
  /// Left out: 1 throughout.
  public var volume: [WireNumberRamp]?
  /// The algorithm for faster or slower playback of the track.
  /// Left out: the algorithm that is set for track 0, else that of the export or the output.
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    trackID: Int32, volume: [WireNumberRamp]? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil
  ) {
    self.trackID = trackID
    self.volume = volume
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
  }
}

/// An entry in the course of a number over time: `{at, value}`, which holds from then on, or a linear
/// ramp, `{from, to, timeRange}`.
///
/// Entries are in ascending order and don't overlap. Between two of them the last number holds.
public struct WireNumberRamp: Codable, Sendable, Equatable {
  /// The time from which on `value` holds.
  public var at: WireTime?
  /// The number from `at` on.
  public var value: Double?
  /// The number at the start of a ramp.
  public var from: Double?
  /// The number at the end of a ramp, and after it.
  public var to: Double?
  /// The time range of a ramp.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    at: WireTime? = nil, value: Double? = nil, from: Double? = nil, to: Double? = nil,
    timeRange: WireTimeRange? = nil
  ) {
    self.at = at
    self.value = value
    self.from = from
    self.to = to
    self.timeRange = timeRange
  }
}

/// Returns the ramp of a track's volume that contains a time, else the first one that starts after it.
///
/// Values that are set at a time are no ramps. A ramp doesn't contain its end.
///
/// - Errors: `unsupportedOutputSettings`
public struct AudioMixVolumeRamp: EngineRequest {
  public static let method = "audioMix/volumeRamp"

  /// The ramp.
  public struct Result: Codable, Sendable, Equatable {
    /// The ramp; absent after the last one, and for a track without any.
    public var ramp: WireNumberRamp?

    package init(ramp: WireNumberRamp? = nil) {
      self.ramp = ramp
    }
  }

  /// The mix.
  public var audioMix: WireAudioMix
  /// The track; 0 stands for the mix of all of them.
  public var trackID: Int32
  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(audioMix: WireAudioMix, trackID: Int32, time: WireTime) {
    self.audioMix = audioMix
    self.trackID = trackID
    self.time = time
  }
}
