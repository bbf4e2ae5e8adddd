import JSONRPC

/// The readiness of a player or of an item.
public enum WirePlaybackStatus: String, Codable, Sendable, CaseIterable {
  /// Nothing has been tried yet.
  case unknown
  /// It can be played.
  case readyToPlay
  /// It can't be played, and never will; `error` is the reason.
  case failed
}

/// The state of a player's playback: paused, waiting or playing.
public enum WireTimeControlStatus: String, Codable, Sendable, CaseIterable {
  /// The rate is 0.
  case paused
  /// The rate isn't 0, and time doesn't run yet, for `reasonForWaitingToPlay`.
  case waitingToPlayAtSpecifiedRate
  /// Time runs, or will run from a requested host time on.
  case playing
}

/// The reason for which a player waits.
public enum WireWaitingReason: String, Codable, Sendable, CaseIterable {
  /// There is no item.
  case noItemToPlay
  /// The item is still loading, or too little of it is decoded.
  case toMinimizeStalls
}

/// The action of a player at the end of an item.
public enum WireActionAtItemEnd: String, Codable, Sendable, CaseIterable {
  /// It continues with the next item; only a queue does that.
  case advance
  /// The rate becomes 0.
  case pause
  /// Rate and item stay, and time continues past the end.
  case none
}

/// The cause of a change of rate.
public enum WireRateChangeReason: String, Codable, Sendable, CaseIterable {
  /// A request has set it.
  case setRateCalled
  /// An item has ended.
  case itemEnded
  /// Too little was decoded.
  case stalled
  /// The item has failed.
  case playbackFailed
}

/// The clock that host times of a player are on.
public enum WirePlayerClock: String, Codable, Sendable, CaseIterable {
  /// The frames that an audio device has played. Where no device plays, it is `host`.
  case audio
  /// The system's monotonic clock, as ``EngineHostTime`` reads it.
  case host
  /// A clock of the player's own, which starts at 0 and is moved by ``PlayerAdvanceClock`` only.
  case manual
}

/// The samples of an audio file that a player writes.
public enum WireAudioFileSampleFormat: String, Codable, Sendable, CaseIterable {
  /// Floating-point numbers of 32 bits, as they are mixed.
  case f32
  /// Integers of 16 bits, rounded and clipped.
  case s16
}

/// A new WAV file as the destination of a player's audio.
///
/// It receives the audio that is played while time runs, sample for sample: a pause adds nothing, and where an item has
/// no audio there is silence. It has its name once ``PlayerFinishAudioFile`` has been answered.
public struct WireAudioFileDevice: Codable, Sendable, Equatable {
  /// Always `file`.
  ///
  /// - Constant: `"file"`
  public var kind = WireAudioDeviceKind.file
  /// The path of the file. An existing one is not overwritten.
  ///
  /// - Path: `written`
  public var path: String
  /// The samples.
  ///
  /// - Default: `"f32"`
  public var sampleFormat: WireAudioFileSampleFormat?

  /// Makes the value; members that are left out are absent on the wire.
  public init(path: String, sampleFormat: WireAudioFileSampleFormat? = nil) {
    self.path = path
    self.sampleFormat = sampleFormat
  }
}

/// No destination of a player's audio.
public struct WireNoAudioDevice: Codable, Sendable, Equatable {
  /// Always `none`.
  ///
  /// - Constant: `"none"`
  public var kind = WireAudioDeviceKind.none

  /// Makes the value.
  public init() {}
}

/// The kinds of destinations that aren't devices.
public enum WireAudioDeviceKind: String, Codable, Sendable, CaseIterable {
  /// A file.
  case file
  /// Nothing.
  case none
}

/// The destination of a player's audio: a device of the audio server by its ID, such as `pulse:NAME`, a
/// file, or nothing; `null` for the server's default device.
///
/// ```schema
/// {"anyOf": [{"type": "string"}, {"$ref": "WireAudioFileDevice"}, {"$ref": "WireNoAudioDevice"},
///  {"type": "null"}]}
/// ```
public enum WireAudioDevice: NullableSetting, Equatable, DecodingPlaceholder {
  /// The default device of the audio server.
  case serverDefault
  /// A device of the audio server.
  case server(String)
  /// A new file.
  case file(WireAudioFileDevice)
  /// No destination.
  case none

  public static let decodingPlaceholder = WireAudioDevice.none
  public static let decodingExpectation =
    #"the ID of a device, {"kind": "file", "path"}, {"kind": "none"} or null"#

  private enum CodingKeys: String, CodingKey {
    case kind
  }

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .null: self = .serverDefault
    case .string(let name): self = .server(name)
    case .object:
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(WireAudioDeviceKind.self, forKey: .kind) {
      case .file: self = .file(try WireAudioFileDevice(from: decoder))
      case .none:
        _ = try WireNoAudioDevice(from: decoder)
        self = .none
      }
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .serverDefault:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .server(let name):
      var container = encoder.singleValueContainer()
      try container.encode(name)
    case .file(let file): try file.encode(to: encoder)
    case .none: try WireNoAudioDevice().encode(to: encoder)
    }
  }
}

/// The format that a player's audio is mixed in, regardless of its items' formats.
public struct WirePlayerAudioFormat: Codable, Sendable, Equatable {
  /// The sample rate in hertz, from 8000 to 384000.
  ///
  /// - Default: `48000`
  public var sampleRate: Int?
  /// The number of channels, from 1 to 8.
  ///
  /// - Default: `2`
  public var channels: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(sampleRate: Int? = nil, channels: Int? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// The states of a player's audio.
public enum WirePlayerAudioStatus: String, Codable, Sendable, CaseIterable {
  /// It has no destination.
  case none
  /// The device isn't open yet, or isn't open any more.
  case closed
  /// The device is open.
  case open
  /// The device can't be used now, because of `error`; the player is on the host clock instead.
  case unavailable
}

/// A player's audio: its state, destination and statistics.
public struct WirePlayerAudio: Codable, Sendable, Equatable {
  /// The state.
  public var state: WirePlayerAudioStatus
  /// The ID of the device that plays, or the path of the file. The server's default device has an ID of its own while it
  /// is open, and the audio server may move the audio to another device when one is removed.
  public var device: String?
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int
  /// The time from the delivery of a sample until it is heard; absent where there is none.
  public var latency: WireTime?
  /// The number of times that the device had nothing to play though time ran.
  public var underruns: Int
  /// The number of frames that were heard, or written.
  public var framesPlayed: Int64
  /// False while the rate is one that has no audio: below 0, and above 4 with the algorithm `spectral`,
  /// above 2 with the others.
  public var isAudible: Bool
  /// The reason for which it is unavailable.
  public var error: ErrorObject?

  package init(
    state: WirePlayerAudioStatus, device: String? = nil, sampleRate: Int, channels: Int,
    latency: WireTime? = nil, underruns: Int = 0, framesPlayed: Int64 = 0, isAudible: Bool = true,
    error: ErrorObject? = nil
  ) {
    self.state = state
    self.device = device
    self.sampleRate = sampleRate
    self.channels = channels
    self.latency = latency
    self.underruns = underruns
    self.framesPlayed = framesPlayed
    self.isAudible = isAudible
    self.error = error
  }
}

/// The reason for which a player waits now, or `null` where it doesn't wait any more.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireWaitingReason"}, {"type": "null"}]}
/// ```
public enum WireWaitingReasonChange: NullableSetting, Equatable, DecodingPlaceholder {
  /// It waits.
  case reason(WireWaitingReason)
  /// It doesn't.
  case none

  public static let decodingPlaceholder = WireWaitingReasonChange.none
  public static let decodingExpectation = "a reason for waiting or null"

  public init(from decoder: any Decoder) throws {
    if case .null = try JSONValue(from: decoder) {
      self = .none
    } else {
      self = .reason(try WireWaitingReason(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .reason(let reason): try container.encode(reason)
    case .none: try container.encodeNil()
    }
  }
}

/// The item that is current now, or `null` where there is none any more.
///
/// ```schema
/// {"anyOf": [{"$ref": "PlayerItemHandle"}, {"type": "null"}]}
/// ```
public enum WireCurrentItemChange: NullableSetting, Equatable, DecodingPlaceholder {
  /// There is one.
  case item(PlayerItemHandle)
  /// There is none.
  case none

  public static let decodingPlaceholder = WireCurrentItemChange.none
  public static let decodingExpectation = "the handle of an item or null"

  public init(from decoder: any Decoder) throws {
    if case .null = try JSONValue(from: decoder) {
      self = .none
    } else {
      self = .item(try PlayerItemHandle(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .item(let handle): try container.encode(handle)
    case .none: try container.encodeNil()
    }
  }
}
