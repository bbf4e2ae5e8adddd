import Dispatch
import LibAV
public import MediaTime
import Synchronization

/// Writes an asset, or a part of it, into a new file (AVAssetExportSession). One-shot.
public actor ExportSession {
  public enum Status: String, Sendable {
    case unknown, waiting, exporting, completed, failed, cancelled
  }

  public struct Configuration: Sendable {
    /// The part of the asset to export.
    public var timeRange = TimeRange.all
    /// Replaces the source's metadata; nil keeps it.
    public var metadata: [MetadataItem]?
    public var trimMode = TrimMode.editList
    /// In bytes, 0 for no limit; the file may become a little larger.
    public var fileLengthLimit: Int64 = 0
    /// Puts the index in front, so that a player can begin before it has the whole file.
    public var shouldOptimizeForNetworkUse = false
    public init() {}
  }

  /// How Passthrough begins when its range doesn't begin at a sync sample.
  public enum TrimMode: Sendable {
    /// The samples before are kept and hidden by an edit list, where the file type has one.
    case editList
    /// The range begins earlier, at the sync sample.
    case keyframe
  }

  /// How far the session has come; readable at any time, never behind the work.
  public struct Progress: Sendable {
    public var status = Status.unknown
    /// 0 to 1, never decreasing.
    public var fraction = 0.0
    public var error: EngineError?
  }

  /// What came of an export.
  public struct Summary: Sendable {
    public var path: String
    /// In bytes.
    public var fileSize: Int64
    /// The part of the asset that the file shows.
    public var timeRange: TimeRange
    /// What the file can't hold of the source.
    public var dropped: [Dropped]
  }

  /// A track, or something of a track, that an export leaves out.
  public struct Dropped: Sendable, Hashable {
    public enum Item: String, Sendable {
      case track, rotation
    }
    public var item: Item
    public var trackID: Int32
    public var mediaType: MediaType
    public var reason: String
  }

  private nonisolated let queue = WorkQueue("exportSession")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  public nonisolated let asset: any Asset
  public nonisolated let preset: ExportPreset
  public nonisolated let outputPath: String
  public nonisolated let fileType: FileType
  public nonisolated let configuration: Configuration
  private nonisolated let state = Mutex(Progress())
  private nonisolated let interrupt = Interrupt()

  /// - Throws: `invalidOutputURLPathExtension` when no type is given and the path's extension stands
  ///   for none, `formatUnsupported` for a type that can't be written,
  ///   `operationNotSupportedForPreset` for one that the preset doesn't make, `pathNotAllowed` for a URL that
  ///   is no file's. What is at the path is looked at by the export.
  public init(
    asset: any Asset, preset: ExportPreset, outputURL: String, fileType: FileType? = nil,
    configuration: Configuration = Configuration()
  ) throws(EngineError) {
    let location = FileLocation(outputURL)
    if let scheme = location.foreignScheme {
      throw EngineError(
        .pathNotAllowed, "'\(outputURL)' is a URL of the scheme \(scheme): exports go to files",
        hint: "Give a path or a file URL.", path: outputURL, stage: .write)
    }
    let writable = FileType.writable.map(\.name).joined(separator: ", ")
    guard let type = fileType ?? FileType(pathExtensionOf: location.path) else {
      throw EngineError(
        .invalidOutputURLPathExtension,
        "The extension of '\(location.path)' stands for no file type",
        hint: "Give outputFileType, one of: \(writable).", path: location.path)
    }
    try preset.requireFileType(type)
    self.asset = asset
    self.preset = preset
    self.fileType = type
    self.configuration = configuration
    outputPath = location.path
  }

  /// Status, progress and error as they are now. Never waits.
  public nonisolated var progress: Progress { state.withLock { $0 } }

  /// Cancels the export; without effect once it has ended. Never waits.
  public nonisolated func cancel() {
    interrupt.trigger()
    state.withLock { state in
      // An export that has not been started can't end otherwise.
      if state.status == .unknown {
        state.status = .cancelled
        state.error = .cancelled("The export")
      }
    }
  }

  /// Claims the session's one export; to be called before ``run(progressInterval:onProgress:)``.
  ///
  /// - Throws: `operationNotAllowed` the second time, `operationCancelled` after ``cancel()``.
  public nonisolated func begin() throws(EngineError) {
    let status = state.withLock { state in
      let before = state.status
      if before == .unknown { state.status = .waiting }
      return before
    }
    switch status {
    case .unknown: return
    case .cancelled: throw .cancelled("The export to '\(outputPath)'")
    default:
      throw EngineError(
        .operationNotAllowed, "This session has been used: it is \(status.rawValue)",
        hint: "Create a new export session for each export.", path: outputPath)
    }
  }

  /// Does the export that ``begin()`` claimed.
  ///
  /// - Parameter progressInterval: seconds between two calls of `onProgress`.
  public func run(
    progressInterval: Double = 0.1, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(EngineError) -> Summary {
    let meter = ProgressMeter(interval: progressInterval) { fraction in
      self.state.withLock { $0.fraction = max($0.fraction, fraction) }
    } report: { fraction in
      onProgress(fraction)
    }
    do throws(EngineError) {
      state.withLock { if $0.status == .waiting { $0.status = .exporting } }
      let summary = try ExportWork(session: self, interrupt: interrupt, meter: meter).run()
      state.withLock { state in
        state.status = .completed
        state.fraction = 1
      }
      return summary
    } catch {
      // Whatever a cancelled export stumbles over, it ends as cancelled.
      let final =
        interrupt.isTriggered ? EngineError.cancelled("The export to '\(outputPath)'") : error
      state.withLock { state in
        state.status = final.isCancellation ? .cancelled : .failed
        state.error = final
      }
      throw final
    }
  }
}

/// Turns positions into a monotone fraction, published always and reported at intervals.
final class ProgressMeter {
  private let interval: Duration
  private let publish: (Double) -> Void
  private let report: (Double) -> Void
  private var last: ContinuousClock.Instant?
  private var highest = 0.0

  init(
    interval: Double, publish: @escaping (Double) -> Void, report: @escaping (Double) -> Void
  ) {
    self.interval = .seconds(interval.isFinite ? min(max(interval, 0.01), 3600) : 3600)
    self.publish = publish
    self.report = report
  }

  /// - Parameter fraction: of the whole; 1 is only reached when the file has its name.
  func advance(to fraction: Double) {
    guard fraction.isFinite, fraction > highest else { return }
    highest = min(fraction, 0.999)
    publish(highest)
    let now = ContinuousClock.now
    if let last, now - last < interval { return }
    last = now
    report(highest)
  }
}
