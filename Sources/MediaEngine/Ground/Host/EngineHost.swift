import LibAV
import SystemIO

/// The process that the engine runs in, and its FFmpeg libraries.
public enum EngineHost {
  /// Prepares the libraries; once, before anything else.
  public static func prepare() { Library.prepare() }

  /// One of FFmpeg's libraries.
  public struct LibraryVersion: Sendable {
    public var name: String
    /// The version of the loaded library: "59.27.100".
    public var version: String
    /// The major version of the headers that the engine was compiled with.
    public var compiledMajor: Int
    /// The major version of the loaded library. The engine requires it to equal ``compiledMajor``.
    public var runTimeMajor: Int
  }

  /// The FFmpeg libraries as found at run time, and the major versions that the engine was compiled
  /// with.
  public static var libraries: [LibraryVersion] {
    Library.versions.map {
      LibraryVersion(
        name: $0.name, version: $0.runTime, compiledMajor: $0.compiledMajor,
        runTimeMajor: $0.runTimeMajor)
    }
  }
  /// FFmpeg's own name of its version.
  public static var ffmpegVersion: String { Library.ffmpegVersion }
  /// libass's own version, by which texts are drawn; nil where they can't be.
  public static var textRendererVersion: String? { TextRenderer.version }
  /// The reason why no text can be drawn; nil where it can.
  public static var textUnavailability: String? { TextRenderer.unavailability }
  /// The licence that the libraries were built under.
  public static var license: String { Library.license }

  /// The work since the process started.
  public struct Work: Sendable {
    public var framesDecoded: Int
    public var seeks: Int
    public var bytesRead: Int
    public var packetsRead: Int
    /// The number of requests to clients that supply the bytes of resources, and the bytes that
    /// were requested and received.
    public var resourceReads: Int
    public var resourceBytesRequested: Int
    public var resourceBytesReceived: Int
    /// The number of frame conversions, by method: "copy", "zimg" …
    public var conversions: [String: Int]
    /// The number of frames of video compositions, by rendering method.
    public var composedPictures: [String: Int]
  }

  /// The frames decoded, seeks, bytes and packets read, and frames converted since the process
  /// started.
  public static var counters: Work {
    let now = Counters.now
    let resources = ResourceCounters.now
    return Work(
      framesDecoded: now.framesDecoded, seeks: now.seeks, bytesRead: now.bytesRead,
      packetsRead: now.packetsRead,
      resourceReads: resources.requests, resourceBytesRequested: resources.bytesRequested,
      resourceBytesReceived: resources.bytesReceived,
      conversions: Dictionary(
        uniqueKeysWithValues: now.conversions.map { ($0.key.rawValue, $0.value) }),
      composedPictures: Dictionary(
        uniqueKeysWithValues: now.composedPictures.map { ($0.key.rawValue, $0.value) }))
  }

  /// The number of processors of the machine.
  package static var processorCount: Int { WorkLimiter.processorCount }

  /// The number of this process.
  public static var processID: Int { ProcessInformation.processID }

  /// The process's resident memory in bytes, 0 if /proc doesn't report it.
  public static var residentBytes: Int { ProcessInformation.residentBytes }

  /// Makes the allocator return memory to the system: for a process that only the engine uses.
  public static func boundHeap() { ProcessInformation.boundHeap() }

  /// Calls `action` if work continues until `seconds` after it was cancelled, in a call that
  /// doesn't return. A process that only the engine uses is best ended then.
  public static func watchForHangs(
    after seconds: Double, _ action: @escaping @Sendable () -> Void
  ) {
    HangWatch.shared.start(after: seconds, action)
  }

  /// Calls `action` when a decoder has stalled: its threads wait for each other, while the process
  /// is idle for `seconds`, or busy for six times as long.
  ///
  /// - Parameter action: returns true if the process continues: the work's slot is then passed to
  ///   other work, but its thread and its object are lost.
  public static func watchForStalls(
    after seconds: Double, _ action: @escaping @Sendable () -> Bool
  ) {
    HangWatch.shared.startFindingStalls(after: seconds, action)
  }

  /// Waits until the process `pid` has ended; false when it can't be watched.
  public static func waitForExit(of pid: Int32) -> Bool { ProcessInformation.waitForExit(of: pid) }

  /// The path of a file that is named by a path or a `file` URL.
  public static func path(of url: String) -> String { FileLocation(url).path }

  // MARK: Capabilities of this build

  public struct Codec: Sendable {
    /// The decoder's or encoder's own name: "libx264".
    public var name: String
    /// The codec that it decodes or encodes: "h264".
    public var codec: String
    public var description: String
  }

  /// The codecs of this build.
  ///
  /// - Parameter encoders: true for encoders, false for decoders.
  public static func codecs(_ type: MediaType, encoders: Bool) -> [Codec] {
    let kind: MediaKind =
      switch type {
      case .video: .video
      case .audio: .audio
      case .text, .subtitle, .closedCaption: .subtitle
      case .timecode, .metadata: .data
      }
    return Capabilities.codecs(kind, encoders: encoders).map {
      Codec(name: $0.name, codec: $0.codec, description: $0.description)
    }
  }

  /// The image formats that can be written: "jpeg", "png" …
  public static var imageFormats: [String] {
    ImageFormat.allCases.filter(\.isAvailable).map(\.rawValue)
  }

  // MARK: The libraries' log

  /// The levels of FFmpeg's log that are passed on.
  public enum LogLevel: Sendable, CaseIterable {
    case off, error, warning, info, debug, trace
  }

  /// Sets the level of the lines that reach ``nextLibraryLogLines()``.
  public static func setLibraryLogLevel(_ level: LogLevel) {
    switch level {
    case .off: Log.setLevel(.off)
    case .error: Log.setLevel(.error)
    case .warning: Log.setLevel(.warning)
    case .info: Log.setLevel(.info)
    case .debug: Log.setLevel(.debug)
    case .trace: Log.setLevel(.trace)
    }
  }

  /// Waits for lines and returns them, with the number that was lost; nil if waiting is impossible.
  public static func nextLibraryLogLines() -> (lines: [(LogLevel, String)], dropped: Int)? {
    guard Log.waitForLines() else { return nil }
    let (lines, dropped) = Log.drain()
    return (lines.map { (level(of: $0.level), $0.text) }, dropped)
  }

  private static func level(of level: Log.Level) -> LogLevel {
    switch level {
    case .off, .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    case .trace: .trace
    }
  }
}
