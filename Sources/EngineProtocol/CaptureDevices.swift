import JSONRPC

/// Lists the devices of this machine.
///
/// An output is the destination of a player's audio: its `uniqueID` is the player's `audioDevice`. Where a kind of
/// devices can't be listed, `unavailable` has the reason; that isn't an error.
public struct CaptureDevices: EngineRequest {
  public static let method = "capture/devices"
  public static let placement = Placement.devices

  /// The devices.
  public struct Result: Codable, Sendable, Equatable {
    /// The devices, the default one first.
    public var devices: [WireCaptureDevice]
    /// The kinds of devices that can't be listed.
    public var unavailable: [WireUnavailableDevices]

    package init(devices: [WireCaptureDevice], unavailable: [WireUnavailableDevices]) {
      self.devices = devices
      self.unavailable = unavailable
    }
  }

  /// The media of the devices; any when absent.
  public var mediaType: WireCaptureMediaType?
  /// The side of the media.
  ///
  /// - Default: `"input"`
  public var direction: WireDeviceDirection?

  /// Makes the value; what is left out is absent on the wire.
  public init(mediaType: WireCaptureMediaType? = nil, direction: WireDeviceDirection? = nil) {
    self.mediaType = mediaType
    self.direction = direction
  }
}

/// The media of devices.
public enum WireCaptureMediaType: String, Codable, Sendable, CaseIterable {
  /// Video of a camera.
  case video
  /// Audio.
  case audio
  /// The pictures of a screen.
  case screen
}

/// The directions of media between a device and the engine.
public enum WireDeviceDirection: String, Codable, Sendable, CaseIterable {
  /// From the device.
  case input
  /// To the device.
  case output
}

/// The ways to devices.
public enum WireDeviceTransport: String, Codable, Sendable, CaseIterable {
  /// A device that the engine makes up, for tests.
  case synthetic
  /// Video4Linux.
  case v4l2
  /// An audio server, by the protocol of PulseAudio.
  case pulse
  /// A screen of an X server.
  case screen
}

/// A device of this machine.
public struct WireCaptureDevice: Codable, Sendable, Equatable {
  /// The ID, which is the same in later processes, for example `pulse:NAME`.
  public var uniqueID: String
  /// The name for people.
  public var localizedName: String
  /// The model, where it is known.
  public var modelID: String?
  /// The media of it.
  public var mediaTypes: [WireCaptureMediaType]
  /// The way to it.
  public var transport: WireDeviceTransport
  /// True while it is there.
  public var isConnected: Bool
  /// True for the one that is taken when none is named.
  public var isDefault: Bool
  /// True for the audio that goes to an output; absent for outputs.
  public var isMonitor: Bool?
  /// True while any program uses it; absent where that isn't known.
  public var isInUse: Bool?
  /// The formats of its media.
  public var formats: [WireDeviceFormat]

  package init(
    uniqueID: String, localizedName: String, modelID: String? = nil,
    mediaTypes: [WireCaptureMediaType], transport: WireDeviceTransport, isConnected: Bool = true,
    isDefault: Bool, isMonitor: Bool? = nil, isInUse: Bool? = nil, formats: [WireDeviceFormat]
  ) {
    self.uniqueID = uniqueID
    self.localizedName = localizedName
    self.modelID = modelID
    self.mediaTypes = mediaTypes
    self.transport = transport
    self.isConnected = isConnected
    self.isDefault = isDefault
    self.isMonitor = isMonitor
    self.isInUse = isInUse
    self.formats = formats
  }
}

/// A format of a device.
public struct WireDeviceFormat: Codable, Sendable, Equatable {
  /// The place in the list of the device's formats.
  public var index: Int
  /// The media.
  public var mediaType: WireCaptureMediaType
  /// The pixels of pictures, by FFmpeg's name.
  public var pixelFormat: String?
  /// The codec that pictures come in, by FFmpeg's name: they are decoded. Absent where they come as pixels.
  public var codec: String?
  /// The samples of audio, by FFmpeg's name.
  public var sampleFormat: String?
  /// In pixels.
  public var width: Int?
  /// In pixels.
  public var height: Int?
  /// The durations that a picture may have.
  public var frameDurations: WireFrameDurations?
  /// In hertz.
  public var sampleRate: Int?
  /// The number of channels.
  public var channels: Int?

  package init(
    index: Int, mediaType: WireCaptureMediaType, pixelFormat: String? = nil,
    codec: String? = nil, sampleFormat: String? = nil, width: Int? = nil, height: Int? = nil,
    frameDurations: WireFrameDurations? = nil, sampleRate: Int? = nil, channels: Int? = nil
  ) {
    self.index = index
    self.mediaType = mediaType
    self.pixelFormat = pixelFormat
    self.codec = codec
    self.sampleFormat = sampleFormat
    self.width = width
    self.height = height
    self.frameDurations = frameDurations
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// The durations of a device's pictures.
public struct WireFrameDurations: Codable, Sendable, Equatable {
  /// The shortest.
  public var min: WireTime
  /// The longest.
  public var max: WireTime
  /// All that there are, where they are a few.
  public var values: [WireTime]?

  package init(min: WireTime, max: WireTime, values: [WireTime]? = nil) {
    self.min = min
    self.max = max
    self.values = values
  }
}

/// A kind of devices that can't be listed.
public struct WireUnavailableDevices: Codable, Sendable, Equatable {
  /// The way to them.
  public var transport: WireDeviceTransport
  /// The reason, in a sentence.
  public var reason: String

  package init(transport: WireDeviceTransport, reason: String) {
    self.transport = transport
    self.reason = reason
  }
}
