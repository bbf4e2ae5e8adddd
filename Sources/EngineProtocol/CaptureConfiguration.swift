import JSONRPC

/// The rule by which the formats of a session's devices are chosen.
public enum WireCapturePreset: String, Codable, Sendable, CaseIterable {
  /// The largest format of each device.
  case photo
  /// The largest format of at most 1920×1080 that has at least 24 frames a second.
  case high
  /// The largest format of at most 640×480.
  case medium
  /// The largest format of at most 352×288.
  case low
  /// 352×288.
  case size352x288 = "352x288"
  /// 640×480.
  case size640x480 = "640x480"
  /// 960×540.
  case size960x540 = "960x540"
  /// 1280×720.
  case size1280x720 = "1280x720"
  /// 1920×1080.
  case size1920x1080 = "1920x1080"
  /// 3840×2160.
  case size3840x2160 = "3840x2160"
  /// The formats that were set for the inputs.
  case inputPriority
}

/// The connections of an added input or output.
public enum WireCaptureConnect: String, Codable, Sendable, CaseIterable {
  /// All that fit.
  case automatic
  /// None.
  case none
}

/// The use of an output.
public enum WireCaptureOutputType: String, Codable, Sendable, CaseIterable {
  /// Movies, with a track for each connection.
  case movieFile
  /// Files of audio.
  case audioFile
  /// Frames for the client.
  case videoData
  /// Audio for the client.
  case audioData
  /// Single images.
  case photo
  /// Small frames for display.
  case preview
}

/// The kind of object that a change adds.
public enum WireCaptureAddition: String, Codable, Sendable, CaseIterable {
  /// An input, of a device.
  case input
  /// An output.
  case output
}

/// The ends of a connection, and the type of its media.
public struct WireCaptureConnectionEnds: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The media type, `video` or `audio`.
  public var mediaType: WireMediaType

  /// Makes the value from its members.
  public init(
    captureInput: CaptureInputHandle, captureOutput: CaptureOutputHandle, mediaType: WireMediaType
  ) {
    self.captureInput = captureInput
    self.captureOutput = captureOutput
    self.mediaType = mediaType
  }
}

/// The new properties of a session, of one input, or of one connection; absent ones stay as they are.
public struct WireCaptureSet: Codable, Sendable, Equatable {
  /// The session's preset.
  public var preset: WireCapturePreset?
  /// The input that is to be changed.
  public var captureInput: CaptureInputHandle?
  /// The input's format; the preset becomes `inputPriority`.
  public var format: WireCaptureFormatChoice?
  /// The minimum duration of the input's frames; one that the format has.
  public var minFrameDuration: WireTime?
  /// The maximum duration of the input's frames; one that the format has.
  public var maxFrameDuration: WireTime?
  /// The part of a screen that the input captures, of even size, in the screen's pixels.
  public var crop: WireCropRectangle?
  /// True to include the cursor in the input's frames of a screen.
  public var capturesCursor: Bool?
  /// The size of the input's frames relative to that of the screen's part, from 0.1 to 4.
  public var scaleFactor: Double?
  /// The connection that is to be changed.
  public var connection: WireCaptureConnectionEnds?
  /// False to pass no samples through the connection.
  public var isEnabled: Bool?
  /// The clockwise rotation of a connection's frames in degrees: 0, 90, 180 or 270.
  public var rotate: Int?
  /// True to mirror a connection's frames, before they are rotated.
  public var isMirrored: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    preset: WireCapturePreset? = nil, captureInput: CaptureInputHandle? = nil,
    format: WireCaptureFormatChoice? = nil, minFrameDuration: WireTime? = nil,
    maxFrameDuration: WireTime? = nil, crop: WireCropRectangle? = nil,
    capturesCursor: Bool? = nil, scaleFactor: Double? = nil,
    connection: WireCaptureConnectionEnds? = nil, isEnabled: Bool? = nil, rotate: Int? = nil,
    isMirrored: Bool? = nil
  ) {
    self.preset = preset
    self.captureInput = captureInput
    self.format = format
    self.minFrameDuration = minFrameDuration
    self.maxFrameDuration = maxFrameDuration
    self.crop = crop
    self.capturesCursor = capturesCursor
    self.scaleFactor = scaleFactor
    self.connection = connection
    self.isEnabled = isEnabled
    self.rotate = rotate
    self.isMirrored = isMirrored
  }
}

/// The settings of an added input or output. Those of an input are `latency` and `driftCorrection`, and the properties
/// of a synthetic device, which are all of the others up to `latencyMs`; times there are seconds of the
/// device's time, which begins with the session.
public struct WireCaptureSettings: Codable, Sendable, Equatable {
  /// A known delay of an input, by which its times are corrected.
  public var latency: WireTime?
  /// True to resample an input's audio if its clock runs at another rate.
  ///
  /// - Default: `true`
  public var driftCorrection: Bool?
  /// The width of a synthetic device's frames, even, from 64 to 4096; or of an output's.
  public var width: Int?
  /// The height of a synthetic device's frames, even, from 48 to 2304; or of an output's.
  public var height: Int?
  /// The frames a second of a synthetic device, above 0 and at most 240.
  public var frameRate: WireFactor?
  /// The sample rate of a synthetic device, or of an output, in hertz.
  public var sampleRate: Int?
  /// The number of channels of a synthetic device, 1 or 2; or of an output.
  public var channels: Int?
  /// False for a synthetic device without audio.
  public var audio: Bool?
  /// False for a synthetic device without video.
  public var video: Bool?
  /// The excess speed of a synthetic device's clock, in millionths, from -10,000 to 10,000.
  public var driftPPM: Double?
  /// The maximum error of its times, in milliseconds, from 0 to 1000.
  public var jitterMs: Double?
  /// The device leaves out each frame whose number is a multiple of this, except frame 0.
  public var dropEvery: Int?
  /// The numbers of frames that the device leaves out.
  public var dropFrames: [Int]?
  /// The time at which it is unplugged.
  public var unplugAt: WireTime?
  /// The time at which it is connected again.
  public var replugAt: WireTime?
  /// The time from which on it delivers nothing.
  public var stallAt: WireTime?
  /// The time for which it delivers nothing.
  ///
  /// - Default: `1`
  public var stallFor: WireTime?
  /// True for a device that doesn't start.
  public var failStart: Bool?
  /// True for a device that another program uses.
  public var busy: Bool?
  /// The delay of its samples after their times, in milliseconds, from 0 to 10,000.
  public var latencyMs: Double?
  /// The format of an output's frames: pixels, or a file format such as `jpeg`; as captured when absent, and
  /// `jpeg` for a preview.
  public var pixelFormat: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The sample format of an output's audio: `u8`, `s16`, `s32`, `f32` or `f64`; as captured when absent.
  public var sampleFormat: String?
  /// The maximum frame rate of an output, in frames per second; 15 for a preview when absent.
  public var maxFrameRate: Double?
  /// The destination of an output's bytes.
  ///
  /// - Default: `"shm"`
  public var delivery: WireVideoOutputDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    latency: WireTime? = nil, driftCorrection: Bool? = nil, width: Int? = nil, height: Int? = nil,
    frameRate: WireFactor? = nil, sampleRate: Int? = nil, channels: Int? = nil, audio: Bool? = nil,
    video: Bool? = nil, driftPPM: Double? = nil, jitterMs: Double? = nil, dropEvery: Int? = nil,
    dropFrames: [Int]? = nil, unplugAt: WireTime? = nil, replugAt: WireTime? = nil,
    stallAt: WireTime? = nil, stallFor: WireTime? = nil, failStart: Bool? = nil, busy: Bool? = nil,
    latencyMs: Double? = nil, pixelFormat: WireImageFormat? = nil, quality: Double? = nil,
    sampleFormat: String? = nil, maxFrameRate: Double? = nil,
    delivery: WireVideoOutputDelivery? = nil
  ) {
    self.latency = latency
    self.driftCorrection = driftCorrection
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.sampleRate = sampleRate
    self.channels = channels
    self.audio = audio
    self.video = video
    self.driftPPM = driftPPM
    self.jitterMs = jitterMs
    self.dropEvery = dropEvery
    self.dropFrames = dropFrames
    self.unplugAt = unplugAt
    self.replugAt = replugAt
    self.stallAt = stallAt
    self.stallFor = stallFor
    self.failStart = failStart
    self.busy = busy
    self.latencyMs = latencyMs
    self.pixelFormat = pixelFormat
    self.quality = quality
    self.sampleFormat = sampleFormat
    self.maxFrameRate = maxFrameRate
    self.delivery = delivery
  }
}

/// One change of a session's configuration: exactly one of `add`, `remove`, `set`, `connect` and `disconnect`.
public struct WireCaptureChange: Codable, Sendable, Equatable {
  /// Adds an input or an output.
  public var add: WireCaptureAddition?
  /// The `uniqueID` of an added input's device, or `default`.
  public var device: String?
  /// The settings of the added input or output.
  public var settings: WireCaptureSettings?
  /// The format of an added input; the preset becomes `inputPriority`.
  public var format: WireCaptureFormatChoice?
  /// The minimum duration of an added input's frames; one that the format has.
  public var minFrameDuration: WireTime?
  /// The maximum duration of an added input's frames; one that the format has.
  public var maxFrameDuration: WireTime?
  /// The part of an added screen that is captured, of even size, in its pixels; all of it when absent.
  public var crop: WireCropRectangle?
  /// True to include the cursor in the frames of an added screen.
  ///
  /// - Default: `false`
  public var capturesCursor: Bool?
  /// The size of an added screen's frames relative to that of the part, from 0.1 to 4; it is rounded to even numbers.
  ///
  /// - Default: `1`
  public var scaleFactor: Double?
  /// The type of an added output.
  public var type: WireCaptureOutputType?
  /// The maximum number of outstanding leases of an added output, from 1 to 32.
  ///
  /// - Default: `3`
  public var maxOutstanding: Int?
  /// False to have up to 30 frames wait, instead of only the newest.
  ///
  /// - Default: `true`
  public var alwaysDiscardsLateVideoFrames: Bool?
  /// The delivery of an added output's samples; `push` for a preview when absent.
  ///
  /// - Default: `"pull"`
  public var mode: WireVideoOutputMode?
  /// With `add`, the connections of the added object, by default all that fit; else the ends to connect.
  public var connect: WireCaptureConnectChange?
  /// An input or an output to remove; `handle/close` of its handle does the same.
  public var remove: AnyHandle?
  /// The properties to change.
  public var set: WireCaptureSet?
  /// The connection to remove.
  public var disconnect: WireCaptureConnectionEnds?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    add: WireCaptureAddition? = nil, device: String? = nil, settings: WireCaptureSettings? = nil,
    format: WireCaptureFormatChoice? = nil, minFrameDuration: WireTime? = nil,
    maxFrameDuration: WireTime? = nil, crop: WireCropRectangle? = nil,
    capturesCursor: Bool? = nil, scaleFactor: Double? = nil, type: WireCaptureOutputType? = nil,
    maxOutstanding: Int? = nil, alwaysDiscardsLateVideoFrames: Bool? = nil,
    mode: WireVideoOutputMode? = nil, connect: WireCaptureConnectChange? = nil,
    remove: AnyHandle? = nil, set: WireCaptureSet? = nil,
    disconnect: WireCaptureConnectionEnds? = nil
  ) {
    self.add = add
    self.device = device
    self.settings = settings
    self.format = format
    self.minFrameDuration = minFrameDuration
    self.maxFrameDuration = maxFrameDuration
    self.crop = crop
    self.capturesCursor = capturesCursor
    self.scaleFactor = scaleFactor
    self.type = type
    self.maxOutstanding = maxOutstanding
    self.alwaysDiscardsLateVideoFrames = alwaysDiscardsLateVideoFrames
    self.mode = mode
    self.connect = connect
    self.remove = remove
    self.set = set
    self.disconnect = disconnect
  }
}

/// The connections of an added input or output, or the ends to connect.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireCaptureConnect"}, {"$ref": "WireCaptureConnectionEnds"}]}
/// ```
public enum WireCaptureConnectChange: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The connections of an added input or output.
  case rule(WireCaptureConnect)
  /// The ends to connect.
  case ends(WireCaptureConnectionEnds)

  public static let decodingPlaceholder = WireCaptureConnectChange.rule(.automatic)
  public static let decodingExpectation =
    #""automatic", "none" or {captureInput, captureOutput, mediaType}"#

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .string: self = .rule(try WireCaptureConnect(from: decoder))
    case .object: self = .ends(try WireCaptureConnectionEnds(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .rule(let rule): try container.encode(rule)
    case .ends(let ends): try container.encode(ends)
    }
  }
}

/// A connection of an input with an output.
public struct WireCaptureConnection: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The media type, `video` or `audio`.
  public var mediaType: WireMediaType
  /// False if no samples pass through it.
  public var isEnabled: Bool
  /// True if samples pass through it while the session runs.
  public var isActive: Bool

  package init(
    captureInput: CaptureInputHandle, captureOutput: CaptureOutputHandle, mediaType: WireMediaType,
    isEnabled: Bool, isActive: Bool
  ) {
    self.captureInput = captureInput
    self.captureOutput = captureOutput
    self.mediaType = mediaType
    self.isEnabled = isEnabled
    self.isActive = isActive
  }
}

/// Changes a session's inputs, outputs and connections: all changes, or none. It takes effect between two
/// samples, and inputs and outputs that aren't changed lose none.
///
/// If a change can't be made, the error is that of the first such one, and its `change` has its index. A
/// recording one of whose tracks is changed ends with `sessionConfigurationChanged`.
///
/// - Errors: `incorrectlyConfigured`, `unsupportedOutputSettings`, `limitExceeded`, `deviceNotConnected`,
/// `deviceInUseByAnotherApplication`, `deviceAlreadyUsedByAnotherSession`,
/// `applicationIsNotAuthorizedToUseDevice`, `failedToLoadMediaData`
public struct CaptureSessionConfigure: EngineRequest {
  public static let method = "captureSession/configure"
  public static let objects: [HandleKind] = [.captureInput, .captureOutput]
  public static let objectsAreParts = true

  /// The results of the changes.
  public struct Result: Codable, Sendable, Equatable {
    /// The inputs that were added, in the order of the changes; empty for a dry run.
    public var inputs: [CaptureInputHandle]
    /// The outputs that were added, in the order of the changes; empty for a dry run.
    public var outputs: [CaptureOutputHandle]
    /// All connections of the session.
    public var connections: [WireCaptureConnection]
    /// The formats of all inputs.
    public var resolved: [WireResolvedFormat]

    package init(
      inputs: [CaptureInputHandle], outputs: [CaptureOutputHandle],
      connections: [WireCaptureConnection], resolved: [WireResolvedFormat]
    ) {
      self.inputs = inputs
      self.outputs = outputs
      self.connections = connections
      self.resolved = resolved
    }
  }

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The changes, in this order; at most 999.
  public var changes: [WireCaptureChange]
  /// True to return the results of the changes without making them.
  ///
  /// - Default: `false`
  public var dryRun: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    captureSession: CaptureSessionHandle, changes: [WireCaptureChange], dryRun: Bool? = nil
  ) {
    self.captureSession = captureSession
    self.changes = changes
    self.dryRun = dryRun
  }
}
