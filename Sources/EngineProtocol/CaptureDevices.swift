import JSONRPC

/// Lists the devices of this machine.
///
/// An output is the destination of a player's audio: its `uniqueID` is the player's `audioDevice`. If a kind of
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
  /// The direction of the media.
  ///
  /// - Default: `"input"`
  public var direction: WireDeviceDirection?

  /// Makes the value; members that are left out are absent on the wire.
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
  /// The frames of a screen.
  case screen
}

/// The directions of media between a device and the engine.
public enum WireDeviceDirection: String, Codable, Sendable, CaseIterable {
  /// From the device.
  case input
  /// To the device.
  case output
}

/// The interfaces to devices.
public enum WireDeviceTransport: String, Codable, Sendable, CaseIterable {
  /// A device that the engine simulates, for tests.
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
  /// The model, if it is known.
  public var modelID: String?
  /// The kinds of its media.
  public var mediaTypes: [WireCaptureMediaType]
  /// The interface to it.
  public var transport: WireDeviceTransport
  /// True while it is there.
  public var isConnected: Bool
  /// True for the device that is used when none is named.
  public var isDefault: Bool
  /// True for a source of the audio that an output plays; absent for outputs.
  public var isMonitor: Bool?
  /// True while any program uses it; absent if that isn't known.
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
  /// The index in the list of the device's formats.
  public var index: Int
  /// The media.
  public var mediaType: WireCaptureMediaType
  /// The pixel format of frames, by FFmpeg's name.
  public var pixelFormat: String?
  /// The codec of encoded frames, by FFmpeg's name: they are decoded. Absent if the device delivers pixels.
  public var codec: String?
  /// The sample format of audio, by FFmpeg's name.
  public var sampleFormat: String?
  /// The width in pixels.
  public var width: Int?
  /// The height in pixels.
  public var height: Int?
  /// The durations that a frame may have.
  public var frameDurations: WireFrameDurations?
  /// The sample rate in hertz.
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

/// The durations of a device's frames.
public struct WireFrameDurations: Codable, Sendable, Equatable {
  /// The minimum.
  public var min: WireTime
  /// The maximum.
  public var max: WireTime
  /// All possible durations, if they are few.
  public var values: [WireTime]?

  package init(min: WireTime, max: WireTime, values: [WireTime]? = nil) {
    self.min = min
    self.max = max
    self.values = values
  }
}

/// A kind of devices that can't be listed.
public struct WireUnavailableDevices: Codable, Sendable, Equatable {
  /// The interface to them.
  public var transport: WireDeviceTransport
  /// The reason, in a sentence.
  public var reason: String

  package init(transport: WireDeviceTransport, reason: String) {
    self.transport = transport
    self.reason = reason
  }
}
