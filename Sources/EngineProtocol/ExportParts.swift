import JSONRPC

/// The media of a part of an export.
public enum WireExportPartMediaType: String, Codable, Sendable, CaseIterable {
  /// A range of the video.
  case video
  /// All audio tracks.
  case audio
}

/// One part of an export.
public struct WireExportPart: Codable, Sendable, Equatable {
  /// The media of the part.
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

/// The division of an export into parts. It is passed on unchanged: a process compares it with its own plan.
public struct WireExportPartPlan: Codable, Sendable, Equatable {
  /// The parts: those of video in the order of their times, then audio. A part's number is its index here, from 0 on.
  public var parts: [WireExportPart]
  /// The number of threads of each encoder.
  public var threadCount: Int
  /// The identity of the source: a SHA-256 of its size and of its first and last bytes.
  public var source: String
  /// The identity of the settings: a SHA-256 of everything that decides how parts are made.
  public var settings: String
  /// The names and versions of FFmpeg and its libraries.
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
/// Video is cut at sync samples of the source, into parts with about equal numbers of frames; audio is one part.
/// Nothing is written.
///
/// - Errors: `operationNotSupportedForPreset` (nothing is encoded), `operationNotSupportedForAsset` (the asset is no
/// file, or its frames are composed), `unsupportedOutputSettings` (a bit rate, a limited length)
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
  /// The number of parts of video, at most 1000; there are fewer if the source has too few sync samples
  /// for them. When absent, the number that `minimumPartDuration` allows.
  public var partCount: Int?
  /// The minimum duration of a part of video. When absent, 30 seconds; with `partCount`, any duration.
  public var minimumPartDuration: WireTime?
  /// The number of threads of each encoder, at most 16: the bytes of some depend on it. When absent, one and a half
  /// times the number of this machine's cores. HEVC encodes one frame at a time in any case, with a thread for
  /// each row of it.
  public var threadCount: Int?

  /// Makes the value; members that are left out are absent on the wire.
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

/// Makes a part as a file that only ``ExportSessionJoin`` reads.
///
/// The session may be another one than the session that made the plan, of the same file with the same settings. It may
/// make several parts at the same time, and it can still export. The bytes of a part depend on the plan alone. The file
/// gets its name when it is complete; an existing one is not touched. The work ends with ``ExportSessionDidFinish``,
/// with `outputURL`, `fileSize` and `timeRange` of the part; a failure is reported there: `operationNotAllowed` if
/// the plan is not one of this session's export.
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
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
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

/// Joins parts that have been made: the session's one export, to its `outputURL`.
///
/// The packets of the parts are copied; everything that isn't encoded (copied tracks, subtitles, metadata, chapters)
/// comes from the asset. All parts are compared with the plan, and their contents with its hash: a part that is
/// missing, cut short, another one or of another plan is named in the error. The work ends with
/// ``ExportSessionDidFinish``.
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
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
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
