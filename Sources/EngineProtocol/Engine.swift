import JSONRPC

/// Exchanges versions and capabilities. It is optional: any request may come first.
///
/// With a `processId`, the server watches that process: when it dies, the server ends as if its
/// input had ended.
public struct Initialize: EngineRequest {
  public static let method = "initialize"
  public static let placement = Placement.all(isRemembered: true)

  /// The client's process id, to be watched.
  public var processId: Int?
  /// The version of the protocol that the client speaks, for example `1.0`. One whose first number isn't this program's
  /// is refused with `unsupportedProtocolVersion`.
  public var protocolVersion: String?
  /// The name and version of the client, for the log.
  public var clientInfo: WireProgramInfo?
  /// The capabilities of the client; none is used yet.
  public var capabilities: WireClientCapabilities?

  /// The properties of the server.
  public struct Result: Codable, Sendable, Equatable {
    /// The server's name, `reelwire`, and its version.
    public var serverInfo: WireProgramInfo
    /// The version of this protocol, `1.0`.
    public var protocolVersion: String
    /// The FFmpeg libraries that this process runs on.
    public var ffmpeg: WireFFmpegInfo
    /// The capabilities of this server.
    public var capabilities: WireServerCapabilities

    package init(
      serverInfo: WireProgramInfo, protocolVersion: String, ffmpeg: WireFFmpegInfo,
      capabilities: WireServerCapabilities
    ) {
      self.serverInfo = serverInfo
      self.protocolVersion = protocolVersion
      self.ffmpeg = ffmpeg
      self.capabilities = capabilities
    }
  }

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    processId: Int? = nil, protocolVersion: String? = nil, clientInfo: WireProgramInfo? = nil,
    capabilities: WireClientCapabilities? = nil
  ) {
    self.processId = processId
    self.protocolVersion = protocolVersion
    self.clientInfo = clientInfo
    self.capabilities = capabilities
  }
}

/// The version of the protocol: the first number changes where a client may break, the second where something is added.
public enum ProtocolVersion {
  public static let current = "1.0"

  /// Returns true if a client that speaks `version` understands this program; false for a text that is no version.
  public static func isCompatible(_ version: String) -> Bool {
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    return numbers.count == 2 && !numbers.contains(nil)
      && current.split(separator: ".").first.flatMap { Int($0) } == numbers[0]
  }
}

/// The name and version of a program.
public struct WireProgramInfo: Codable, Sendable, Equatable {
  /// The program's name.
  public var name: String
  /// The program's version.
  public var version: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(name: String, version: String? = nil) {
    self.name = name
    self.version = version
  }
}

/// The capabilities of a client; reserved, unknown members are ignored.
public struct WireClientCapabilities: Codable, Sendable, Equatable {
  /// Makes the empty object.
  public init() {}
}

/// The FFmpeg libraries that a server runs on.
public struct WireFFmpegInfo: Codable, Sendable, Equatable {
  /// The release, for example `7.1.1`.
  public var version: String
  /// The licence of this build, for example `GPL version 2 or later`.
  public var license: String
  /// Each library's version by its name, for example `libavformat`: `61.7.100`.
  public var libraries: [String: String]

  package init(version: String, license: String, libraries: [String: String]) {
    self.version = version
    self.license = license
    self.libraries = libraries
  }
}

/// The capabilities of a server, in addition to its methods.
public struct WireServerCapabilities: Codable, Sendable, Equatable {
  /// The forms of `delivery` it can serve; `shm` is missing where the system has no memfd.
  public var deliveries: [WireBlobKind]
  /// The maximum size of a message that it reads, in bytes.
  public var maxMessageBytes: Int
  /// The maximum size of the shared memory that it leases at a time, in bytes.
  public var maxSharedMemoryBytes: Int

  package init(deliveries: [WireBlobKind], maxMessageBytes: Int, maxSharedMemoryBytes: Int) {
    self.deliveries = deliveries
    self.maxMessageBytes = maxMessageBytes
    self.maxSharedMemoryBytes = maxSharedMemoryBytes
  }
}

/// Cancels all work and closes all handles; only ``Exit`` may follow.
///
/// It is answered when everything has ended. Later requests are refused.
///
/// - Errors: `invalidRequest`
public struct Shutdown: EngineRequest {
  public static let method = "shutdown"
  public static let placement = Placement.all(isRemembered: true)
  public typealias Result = NullResult

  /// Makes the value from its members.
  public init() {}
}

/// Ends the process; with code 0 after ``Shutdown`` or if no export was unfinished, else with 1.
public struct Exit: NotificationType {
  public static let method = "exit"

  /// Makes the value from its members.
  public init() {}
}

/// Describes every method, as an OpenRPC document.
public struct RpcDiscover: EngineRequest {
  public static let method = "rpc.discover"
  /// An OpenRPC 1.3 document; notifications are listed under `x-notifications`.
  public typealias Result = RawJSON

  /// Makes the value from its members.
  public init() {}
}

/// Lists the containers, codecs, formats and presets that this build supports.
public struct EngineCapabilities: EngineRequest {
  public static let method = "engine/capabilities"

  /// The containers, codecs, formats and presets of this build.
  public struct Result: Codable, Sendable, Equatable {
    /// The containers that can be read or written.
    public var fileTypes: [WireFileType]
    /// The decoders for video.
    public var videoDecoders: [WireCodec]
    /// The encoders for video.
    public var videoEncoders: [WireCodec]
    /// The decoders for audio.
    public var audioDecoders: [WireCodec]
    /// The encoders for audio.
    public var audioEncoders: [WireCodec]
    /// The formats a generated image can have.
    public var imageFormats: [WireImageFormat]
    /// The pixel formats a decoded sample can have, by FFmpeg's names.
    public var pixelFormats: [String]
    /// The sample formats decoded audio can have.
    public var sampleFormats: [String]
    /// The presets an export session can have.
    public var exportPresets: [String]
    /// The library that draws texts and subtitles over frames, for example `libass 0.17.1`; absent without one.
    public var textRenderer: String?

    package init(
      fileTypes: [WireFileType], videoDecoders: [WireCodec], videoEncoders: [WireCodec],
      audioDecoders: [WireCodec], audioEncoders: [WireCodec], imageFormats: [WireImageFormat],
      pixelFormats: [String], sampleFormats: [String], exportPresets: [String],
      textRenderer: String?
    ) {
      self.fileTypes = fileTypes
      self.videoDecoders = videoDecoders
      self.videoEncoders = videoEncoders
      self.audioDecoders = audioDecoders
      self.audioEncoders = audioEncoders
      self.imageFormats = imageFormats
      self.pixelFormats = pixelFormats
      self.sampleFormats = sampleFormats
      self.exportPresets = exportPresets
      self.textRenderer = textRenderer
    }
  }

  /// Makes the value from its members.
  public init() {}
}

/// A container format.
public struct WireFileType: Codable, Sendable, Equatable {
  /// The short name that methods take, for example `mp4`.
  public var type: String
  /// The name for a person, for example `MPEG-4`.
  public var name: String
  /// The file name extensions without the dot, the usual one first.
  public var extensions: [String]
  /// The MIME types, the usual one first.
  public var mimeTypes: [String]
  /// True if files of this type can be opened.
  public var canRead: Bool
  /// True if files of this type can be exported.
  public var canWrite: Bool

  package init(
    type: String, name: String, extensions: [String], mimeTypes: [String], canRead: Bool,
    canWrite: Bool
  ) {
    self.type = type
    self.name = name
    self.extensions = extensions
    self.mimeTypes = mimeTypes
    self.canRead = canRead
    self.canWrite = canWrite
  }
}

/// A decoder or an encoder of this build.
public struct WireCodec: Codable, Sendable, Equatable {
  /// FFmpeg's name of the decoder or encoder, for example `libx264`.
  public var name: String
  /// FFmpeg's name of the format, for example `h264`.
  public var codec: String
  /// The name for a person.
  public var description: String

  package init(name: String, codec: String, description: String) {
    self.name = name
    self.codec = codec
    self.description = description
  }
}

/// Returns the time of the host clock, to which the times of players on the clocks `host` and `audio` refer.
///
/// It is the system's monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
public struct EngineHostTime: EngineRequest {
  public static let method = "engine/hostTime"
  public static let placement = Placement.main

  /// The time.
  public struct Result: Codable, Sendable, Equatable {
    /// The time.
    public var hostTime: WireTime
    /// The clock.
    ///
    /// - Constant: `"monotonic"`
    public var clock = WireHostClock.monotonic

    package init(hostTime: WireTime) {
      self.hostTime = hostTime
    }
  }

  /// Makes the value.
  public init() {}
}

/// The clocks of host times.
public enum WireHostClock: String, Codable, Sendable, CaseIterable {
  /// The system's monotonic clock.
  case monotonic
}

/// The importance of a message of the log.
public enum WireLogLevel: String, Codable, Sendable, CaseIterable {
  /// Every step.
  case trace
  /// Details that help to find a fault.
  case debug
  /// Events of the normal course.
  case info
  /// Normal but rare events.
  case notice
  /// Possible faults.
  case warning
  /// Failures.
  case error
  /// Failures that end the process.
  case critical
  /// No messages; only to be set.
  case off
}

/// Turns on ``EngineLog`` notifications from a level upwards; `off` turns them off.
///
/// None are sent before this request. Messages also go to stderr, regardless of this level.
public struct EngineSetLogLevel: EngineRequest {
  public static let method = "engine/setLogLevel"
  public static let placement = Placement.all(isRemembered: true)
  public typealias Result = EmptyResult

  /// The least important level to be sent.
  public var level: WireLogLevel

  /// Makes the value from its members.
  public init(level: WireLogLevel) {
    self.level = level
  }
}

/// A message of the log.
///
/// Messages are dropped when the client reads too slowly.
public struct EngineLog: NotificationType {
  public static let method = "engine/log"

  /// The importance.
  public var level: WireLogLevel
  /// The part of the server that logs it.
  public var logger: String
  /// The message.
  public var message: String
  /// Details by name.
  public var metadata: [String: String]?

  package init(
    level: WireLogLevel, logger: String, message: String, metadata: [String: String]? = nil
  ) {
    self.level = level
    self.logger = logger
    self.message = message
    self.metadata = metadata
  }
}
