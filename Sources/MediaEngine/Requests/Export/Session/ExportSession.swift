import Dispatch
import Synchronization
import SystemIO

/// Writes an asset, or a part of it, into a new file (AVAssetExportSession). One-shot.
///
///     let session = try ExportSession(asset: asset, preset: .passthrough)
///     let summary = try await session.export(to: "part.mp4", as: .mp4)
///
/// The file appears under its name when it is complete, and never in place of another. An export that
/// isn't completed leaves no file.
public final class ExportSession: Sendable {
  /// The state of a session, up to its end.
  public enum Status: String, Sendable {
    case unknown, waiting, exporting, completed, failed, cancelled
  }

  public typealias Configuration = ExportConfiguration
  public typealias TrimMode = MediaEngine.TrimMode
  public typealias Summary = ExportSummary
  public typealias Dropped = DroppedItem

  /// The progress of the session; readable at any time, never later than the work.
  public struct Progress: Sendable {
    public var status = Status.unknown
    /// 0 to 1, never decreasing.
    public var fraction = 0.0
    /// The error of a failed export; nil before.
    public var error: EngineError?
  }

  /// The published progress of the work, and its inputs.
  fileprivate struct Record {
    var target: Target
    var fraction = 0.0
    var observers: [StateObserver] = []
    /// The product of the session.
    var product = ExportProduct.file
    /// The sessions that make parts of this one's file.
    var parts: [ExportSession] = []

    /// Sends the progress of the session to the observers.
    mutating func publish(_ current: State?) {
      for index in observers.indices { observers[index].take(current) }
      if current == nil { observers = [] }
    }
  }

  /// The maximum number of exports that run at once; later ones are ``Status/waiting``.
  ///
  /// Each has a thread for each of its tracks, which waits for the others, and a few of Dispatch's, which
  /// makes 255 of them at most.
  public static let maximumConcurrentExports = 12
  private static let admission = WorkLimiter(slots: maximumConcurrentExports)

  /// The path and the type of the file; the path is empty until it is known.
  fileprivate struct Target {
    var path: String
    var fileType: FileType
  }

  private let queue = DispatchQueue(label: "reelwire.exportSession")
  public let asset: any Asset
  /// Nil where the export follows the configuration's settings.
  public let preset: ExportPreset?
  public let configuration: Configuration
  let temporaryFolder: String?
  private let job = OneShotJob<Summary>()
  /// Locked before the job's own lock, never after it.
  fileprivate let state: Mutex<Record>
  /// False once the end was reported: nothing is reported after it. Held while something is reported.
  private let isReporting = Mutex(true)
  private var interrupt: Interrupt { job.interrupt }

  /// Creates a session that exports with the settings of a preset.
  ///
  /// - Parameters:
  ///   - asset: the asset to export.
  ///   - preset: the settings of the tracks.
  ///   - fileType: the type that ``ExportPlanner`` assumes; nil for the preset's usual one.
  ///   - configuration: the range, and the settings in addition to the preset's.
  /// - Throws: `formatUnsupported` for a type that can't be written, `operationNotSupportedForPreset` for one
  ///   that the preset doesn't make, `unsupportedOutputSettings` with all that is wrong with the settings,
  ///   `pathNotAllowed` for temporary files at a URL that is no file's.
  public convenience init(
    asset: any Asset, preset: ExportPreset, fileType: FileType? = nil,
    configuration: Configuration = Configuration()
  ) throws(EngineError) {
    try self.init(asset, preset, fileType, configuration)
  }

  /// Creates a session without a preset: ``ExportConfiguration/settings`` has its settings. Those that are unspecified
  /// suit the type of the file.
  ///
  /// - Throws: as ``init(asset:preset:fileType:configuration:)``.
  public convenience init(
    asset: any Asset, fileType: FileType? = nil, configuration: Configuration
  ) throws(EngineError) {
    try self.init(asset, nil, fileType, configuration)
  }

  private init(
    _ asset: any Asset, _ preset: ExportPreset?, _ fileType: FileType?,
    _ configuration: Configuration
  ) throws(EngineError) {
    let usual = preset.map(\.fileTypes) ?? FileType.writable
    guard let type = fileType ?? usual.first else {
      throw EngineError(
        .formatUnsupported,
        "This build writes no file type for the preset \(preset?.name ?? "")")
    }
    try ExportSession.require(type, preset, configuration)
    try configuration.requireReplacement(by: preset)
    let subtitles = configuration.subtitles ?? asset.media.content.subtitles
    self.asset =
      subtitles.isEmpty || asset is SubtitledAsset
      ? asset : try SubtitledAsset(asset, subtitles)
    self.preset = preset
    self.configuration = configuration
    state = Mutex(Record(target: Target(path: "", fileType: type)))
    temporaryFolder = try configuration.directoryForTemporaryFiles.map {
      (url) throws(EngineError) in try ExportSession.location(url).path
    }
  }

  /// A session whose target is known from the start, as the bridge's callers name it.
  ///
  /// - Throws: as ``init(asset:preset:fileType:configuration:)`` and ``export(to:as:isResumable:)`` for the target's name.
  package convenience init(
    asset: any Asset, preset: ExportPreset?, outputURL: String, fileType: FileType? = nil,
    configuration: Configuration = Configuration()
  ) throws(EngineError) {
    let target = try ExportSession.target(outputURL, fileType, preset, configuration)
    try self.init(asset, preset, target.fileType, configuration)
    state.withLock { $0.target = target }
  }

  /// - Throws: `invalidOutputURLPathExtension` when the type is nil and the path's extension stands for
  ///   none, `formatUnsupported`, `operationNotSupportedForPreset`, `pathNotAllowed` for a URL that is no
  ///   file's.
  private static func target(
    _ url: String, _ fileType: FileType?, _ preset: ExportPreset?,
    _ configuration: Configuration
  ) throws(EngineError) -> Target {
    let location = try location(url)
    guard let type = fileType ?? FileType(pathExtensionOf: location.path) else {
      throw EngineError(
        .invalidOutputURLPathExtension,
        "The extension of '\(location.path)' stands for no file type",
        advice: .stateFileType(FileType.writable.map(\.name)), path: location.path)
    }
    try require(type, preset, configuration)
    return Target(path: location.path, fileType: type)
  }

  /// A session for a part of another one's file.
  convenience init(part number: Int, of plan: ExportPartPlan, _ whole: ExportSession, path: String)
    throws(EngineError)
  {
    try self.init(whole.asset, whole.preset, whole.fileType, whole.configuration)
    state.withLock { state in
      state.target.path = path
      state.product = .part(number, plan)
    }
  }

  private static func require(
    _ type: FileType, _ preset: ExportPreset?, _ configuration: Configuration
  ) throws(EngineError) {
    let settings = ResolvedSettings(configuration.settings, preset: preset, fileType: type)
    try settings.requireFileType()
    try settings.requireNoProblems()
  }

  /// The path of the file that is written; empty before ``export(to:as:isResumable:)``.
  public var outputPath: String { state.withLock(\.target.path) }
  /// The type of the file that is written.
  public var fileType: FileType { state.withLock(\.target.fileType) }
  /// The product of the session.
  var product: ExportProduct { state.withLock(\.product) }

  static func location(_ url: String) throws(EngineError) -> FileLocation {
    let location = FileLocation(url)
    guard location.bytes == nil else {
      throw EngineError(
        .pathNotAllowed,
        "The name of '\(location.path)' isn't UTF-8, and new files have names that are",
        advice: .renameFile, path: location.path, stage: .write)
    }
    guard let scheme = location.foreignScheme else { return location }
    throw EngineError(
      .pathNotAllowed, "'\(url)' is a URL of the scheme \(scheme): exports go to files",
      advice: .givePathOrURL, path: url, stage: .write)
  }

  /// Status, progress and error as they are now. Never waits.
  public var progress: Progress { state.withLock { progress($0) } }

  private func progress(_ record: Record) -> Progress {
    let (status, error) = job.status
    let fraction = status == .completed ? 1 : record.fraction
    return Progress(status: Status(status), fraction: fraction, error: error)
  }

  /// Sends the progress to the observers.
  private func publish() {
    state.withLock { $0.publish(State(progress($0))) }
  }

  /// The time that cancelled work may take to end.
  private static let gracePeriod = DispatchTimeInterval.milliseconds(200)

  /// Exports into a new file, once (AVAssetExportSession.export(to:as:)).
  ///
  /// Cancelling the task does the same as ``cancelExport()``.
  ///
  /// - Parameters:
  ///   - url: a path, or a `file:` URL.
  ///   - fileType: nil for the one that the path's extension stands for.
  ///   - isResumable: true to make it in parts, which stay as hidden files in its folder when the export fails, is
  ///     cancelled or dies with its process, so that the next such export continues from there (as
  ///     AVAssetExportSession.configureForResumableExport()).
  /// - Throws: `invalidOutputURLPathExtension`, `formatUnsupported` and `operationNotSupportedForPreset` for
  ///   the target's type; `pathNotAllowed`, `fileAlreadyExists`, `contentIsUnavailable` for a folder that
  ///   isn't there, and `diskFull` for its file; `operationNotAllowed` the second time,
  ///   `operationCancelled`, and the errors of reading, decoding and encoding.
  @discardableResult
  public func export(
    to url: String, as fileType: FileType? = nil, isResumable: Bool = false
  ) async throws(EngineError) -> Summary {
    let target = try ExportSession.target(url, fileType, preset, configuration)
    try begin { record in
      record.target = target
      if isResumable { record.product = .resumable }
    }
    let result = await withTaskCancellationHandler {
      await Result { () async throws(EngineError) in try await run() }
    } onCancel: {
      cancelExport()
    }
    return try result.get()
  }

  /// The session's states from now on, until its export has ended (AVAssetExportSession.states(updateInterval:)).
  ///
  /// The result of the export is returned or thrown by ``export(to:as:isResumable:)``.
  ///
  /// - Parameter updateInterval: the minimum time between two elements that differ in their progress only.
  public func states(updateInterval: Duration = .milliseconds(100)) -> States {
    let (stream, continuation) = AsyncStream<State>.makeStream()
    state.withLock { state in
      let current = State(progress(state))
      var observer = StateObserver(interval: updateInterval, continuation: continuation)
      observer.take(current)
      if current != nil { state.observers.append(observer) }
    }
    return States(stream: stream)
  }

  /// Cancels the export; without effect once the file is complete. Never waits.
  ///
  /// Work that is blocked in a read or a write of a slow device is abandoned after a moment; its file never
  /// gets a name.
  public func cancelExport() {
    let isRunning = job.cancel(cancellation)
    publish()
    let parts = state.withLock(\.parts)
    for part in parts { part.cancelExport() }
    if isRunning {
      DispatchQueue.global().asyncAfter(deadline: .now() + ExportSession.gracePeriod) {
        self.abandon()
      }
    }
  }

  private var cancellation: EngineError {
    .cancelled(
      "The export to '\(outputPath)'", advice: .makeSession)
  }

  private func abandon() {
    end(.failure(cancellation), unlessCommitting: true)
  }

  /// Claims the session's one export; to be called before ``run(progressInterval:onProgress:)``.
  ///
  /// - Throws: `operationNotAllowed` the second time, `operationCancelled` after ``cancelExport()``.
  ///
  /// - Parameter isResumable: true to make it in parts that stay when it is interrupted.
  package func begin(isResumable: Bool = false) throws(EngineError) {
    try begin { if isResumable { $0.product = .resumable } }
  }

  /// Claims the session's one export for a file that is joined of parts.
  ///
  /// - Parameter url: of the file; nil for the one that the session was made for.
  package func begin(
    joining plan: ExportPartPlan, files: [String], to url: String? = nil
  ) throws(EngineError) {
    let paths = try files.map { (url) throws(EngineError) in try ExportSession.location(url).path }
    let target = try url.map { (url) throws(EngineError) in
      try ExportSession.target(url, nil, preset, configuration)
    }
    try begin { record in
      if let target { record.target = target }
      record.product = .joined(plan, paths)
    }
  }

  private func begin(_ change: (inout Record) -> Void) throws(EngineError) {
    let claim = state.withLock { record in
      let claim = job.claim(as: .waiting)
      if case .granted = claim {
        change(&record)
        record.publish(State(progress(record)))
      }
      return claim
    }
    switch claim {
    // Without a limit nothing is refused: those that are too many wait, in ``admit(_:_:)``.
    case .granted, .refused: return
    case .taken(.cancelled): throw cancellation
    case .taken(let status):
      throw EngineError(
        .operationNotAllowed,
        "This session has been used: it is \(Status(status).rawValue)",
        advice: .createSessionForExport, path: outputPath)
    }
  }

  /// Does the export that ``begin()`` claimed.
  ///
  /// - Parameter progressInterval: seconds between two calls of `onProgress`.
  package func run(
    progressInterval: Double = 0.1, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Summary {
    // Cancelled before it waited.
    if interrupt.isTriggered { cancelExport() }
    // At once, so that exports begin in the order of their requests.
    Task.immediateDetached { await self.admit(progressInterval, onProgress) }
    return try await job.ended().get()
  }

  /// Begins the work once there is a place for it.
  private func admit(_ interval: Double, _ onProgress: @escaping @Sendable (Double) -> Void) async {
    do throws(EngineError) {
      try await Self.admission.enter(interrupt: interrupt)
    } catch {
      return end(.failure(cancellation))
    }
    // Cancelled, and left alone, before it began.
    guard job.hold({ Self.admission.leave() }) else { return Self.admission.leave() }
    queue.async { self.end(self.work(interval, onProgress)) }
  }

  private func work(
    _ interval: Double, _ onProgress: @escaping (Double) -> Void
  ) -> Result<Summary, EngineError> {
    let meter = ProgressMeter(interval: interval) { fraction in
      self.state.withLock { record in
        record.fraction = max(record.fraction, fraction)
        record.publish(State(self.progress(record)))
      }
    } report: { fraction in
      self.isReporting.withLock { if $0 { onProgress(fraction) } }
    }
    do throws(EngineError) {
      job.run()
      publish()
      let work = try ExportWork(session: self, interrupt: interrupt, meter: meter)
      job.use(work.file)
      return .success(try work.run())
    } catch {
      // A cancelled export ends as cancelled, with any error.
      return .failure(interrupt.isTriggered ? cancellation : error)
    }
  }

  /// Called by the work when all is done but the file's name.
  ///
  /// - Throws: `interrupted` when the export was cancelled before.
  func willCommit() throws(SystemError) {
    try job.willCommit(outputPath)
  }

  /// Reports how it ended, unless that was reported before.
  private func end(_ outcome: Result<Summary, EngineError>, unlessCommitting: Bool = false) {
    job.end(outcome, unlessCommitting: unlessCommitting) { _ in
      publish()
      isReporting.withLock { $0 = false }
    }
  }
}

extension ExportSession.Status {
  fileprivate init(_ status: OneShotJob<ExportSummary>.Status) {
    switch status {
    case .unclaimed: self = .unknown
    case .waiting: self = .waiting
    case .running: self = .exporting
    case .completed: self = .completed
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    }
  }
}

extension ExportSession {
  /// Adds a session that makes a part, and is cancelled with this one.
  func add(part session: ExportSession) {
    state.withLock { $0.parts.append(session) }
    // Before that, cancelling didn't see it.
    if interrupt.isTriggered { session.cancelExport() }
  }

  func remove(part session: ExportSession) {
    state.withLock { state in state.parts.removeAll { $0 === session } }
  }
}

/// Turns positions into a monotone fraction, published always and reported at intervals.
final class ProgressMeter {
  private let interval: Duration
  private let publish: (Double) -> Void
  private let report: (Double) -> Void
  private var last: ContinuousClock.Instant?
  private var highest = 0.0
  /// The part of the whole progress that is metered.
  private var phase = 0.0...1.0

  init(
    interval: Double, publish: @escaping (Double) -> Void, report: @escaping (Double) -> Void
  ) {
    self.interval = .seconds(interval.isFinite ? min(max(interval, 0.01), 3600) : 3600)
    self.publish = publish
    self.report = report
  }

  /// From now on a part of the whole is metered.
  func begin(_ phase: ClosedRange<Double>) { self.phase = phase }

  /// - Parameter fraction: of the phase; 1 of the whole is only reached when the file has its name.
  func advance(to fraction: Double) {
    guard fraction.isFinite else { return }
    let part = min(max(fraction, 0), 1) * (phase.upperBound - phase.lowerBound)
    let fraction = min(phase.lowerBound + part, 0.999)
    guard fraction > highest else { return }
    highest = fraction
    publish(highest)
    let now = ContinuousClock.now
    if let last, now - last < interval { return }
    last = now
    report(highest)
  }
}
