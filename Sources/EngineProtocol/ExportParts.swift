import JSONRPC

/// What a part of an export has.
public enum WireExportPartMediaType: String, Codable, Sendable, CaseIterable {
  /// A piece of the video.
  case video
  /// All tracks of audio.
  case audio
}

/// One part of an export.
public struct WireExportPart: Codable, Sendable, Equatable {
  /// What it has.
  public var mediaType: WireExportPartMediaType
  /// The part of the asset that it shows.
  public var timeRange: WireTimeRange
  /// The number of the source's frames that begin in it; 0 for audio.
  public var frameCount: Int

  package init(mediaType: WireExportPartMediaType, timeRange: WireTimeRange, frameCount: Int) {
    self.mediaType = mediaType
    self.timeRange = timeRange
    self.frameCount = frameCount
  }
}

/// How an export is divided. It is passed on as it is: what a process would make by itself is compared with it.
public struct WireExportPartPlan: Codable, Sendable, Equatable {
  /// The parts: those of video in the order of their times, then audio. A part's number is its place here, from 0 on.
  public var parts: [WireExportPart]
  /// The number of threads of each encoder.
  public var threadCount: Int
  /// Which source it is: a SHA-256 of its size and of its first and last bytes.
  public var source: String
  /// Which settings: a SHA-256 of all that decides how parts are made.
  public var settings: String
  /// FFmpeg and its libraries, by name and version.
  public var libraries: String
  /// A SHA-256 of all other members.
  public var digest: String

  package init(
    parts: [WireExportPart], threadCount: Int, source: String, settings: String,
    libraries: String, digest: String
  ) {
    self.parts = parts
    self.threadCount = threadCount
    self.source = source
    self.settings = settings
    self.libraries = libraries
    self.digest = digest
  }
}

/// Divides an export into parts that are made one by one, in any process and on any machine, and joined.
///
/// Video is cut at sync samples of the source, into parts of about as many frames; audio is one part. Nothing is
/// written.
///
/// - Errors: `operationNotSupportedForPreset` (nothing is encoded), `operationNotSupportedForAsset` (the asset is no
///   file, or its pictures are put together), `unsupportedOutputSettings` (a bit rate, a limited length)
public struct ExportSessionPlan: EngineRequest {
  public static let method = "exportSession/plan"

  /// The plan.
  public struct Result: Codable, Sendable, Equatable {
    /// The plan, for ``ExportSessionExportPart`` and ``ExportSessionJoin``.
    public var plan: WireExportPartPlan

    package init(plan: WireExportPartPlan) {
      self.plan = plan
    }
  }

  /// The session.
  public var exportSession: ExportSessionHandle
  /// How many parts of video there are to be, at most 1000; there are fewer where the source has no sync samples
  /// for them. When absent, as many as `minimumPartDuration` allows.
  public var partCount: Int?
  /// How long a part of video is at least. When absent, 30 seconds; with `partCount`, any duration.
  public var minimumPartDuration: WireTime?
  /// How many threads each encoder has, at most 16: the bytes of some depend on it. When absent, half as
  /// many again as this machine has cores. HEVC has one picture at a time in any case, and a thread for
  /// each row of it.
  public var threadCount: Int?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    exportSession: ExportSessionHandle, partCount: Int? = nil,
    minimumPartDuration: WireTime? = nil, threadCount: Int? = nil
  ) {
    self.exportSession = exportSession
    self.partCount = partCount
    self.minimumPartDuration = minimumPartDuration
    self.threadCount = threadCount
  }
}

/// Makes a part as a file, which ``ExportSessionJoin`` reads and nothing else.
///
/// The session may be another one than that which has planned, of the same file with the same settings. It may make
/// several parts at the same time, and it can still export. The bytes of a part depend on the plan alone. The file
/// gets its name when it is complete; an existing one is not touched. The work ends with ``ExportSessionDidFinish``,
/// with `outputURL`, `fileSize` and `timeRange` of the part; a failure is reported there: `operationNotAllowed` where
/// the plan is one of something else.
public struct ExportSessionExportPart: EngineRequest {
  public static let method = "exportSession/exportPart"
  public static let writesFile = true
  public typealias Result = OperationReply<ExportSessionDidFinish>

  /// The session.
  public var exportSession: ExportSessionHandle
  /// The plan, of ``ExportSessionPlan``.
  public var plan: WireExportPartPlan
  /// The number of the part, from 0 on.
  public var part: Int
  /// The file of the part, a path or a `file:` URL.
  ///
  /// - Path: `written`
  public var outputURL: String
  /// The minimum time between two ``ExportSessionDidProgress``, in seconds; 0 sends none.
  ///
  /// - Default: `0.1`
  public var progressInterval: Double?
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    exportSession: ExportSessionHandle, plan: WireExportPartPlan, part: Int, outputURL: String,
    progressInterval: Double? = nil, completion: WireCompletion? = nil
  ) {
    self.exportSession = exportSession
    self.plan = plan
    self.part = part
    self.outputURL = outputURL
    self.progressInterval = progressInterval
    self.completion = completion
  }
}

extension ExportSessionExportPart: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}

/// Exports of parts that have been made: the session's one export, to its `outputURL`.
///
/// The packets of the parts are copied; what isn't encoded (copied tracks, subtitles, metadata, chapters) comes from
/// the asset. All parts are compared with the plan, and what they hold with its hash: a part that is missing, cut
/// short, another one or of another plan is named in the error. The work ends with ``ExportSessionDidFinish``.
///
/// - Errors: `operationNotAllowed`, `pathNotAllowed`
public struct ExportSessionJoin: EngineRequest {
  public static let method = "exportSession/join"
  public static let writesFile = true
  public typealias Result = OperationReply<ExportSessionDidFinish>

  /// The session.
  public var exportSession: ExportSessionHandle
  /// The plan, of ``ExportSessionPlan``.
  public var plan: WireExportPartPlan
  /// The files of all parts, in the order of the plan: paths, or `file:` URLs.
  ///
  /// - Path: `written`
  public var partURLs: [String]
  /// The minimum time between two ``ExportSessionDidProgress``, in seconds; 0 sends none.
  ///
  /// - Default: `0.1`
  public var progressInterval: Double?
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    exportSession: ExportSessionHandle, plan: WireExportPartPlan, partURLs: [String],
    progressInterval: Double? = nil, completion: WireCompletion? = nil
  ) {
    self.exportSession = exportSession
    self.plan = plan
    self.partURLs = partURLs
    self.progressInterval = progressInterval
    self.completion = completion
  }
}

extension ExportSessionJoin: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}
