import LibAV
public import MediaTime
import SystemIO

/// The product of an export session.
enum ExportProduct: Sendable {
  /// The complete file, in one piece.
  case file
  /// The file of one part of a plan.
  case part(Int, ExportPartPlan)
  /// The complete file, joined from the files of its parts.
  case joined(ExportPartPlan, [String])
  /// The complete file, from parts that remain if the process ends, and that the next such export continues.
  case resumable

  var isJoined: Bool { if case .joined = self { true } else { false } }
  /// True for a file that isn't divided.
  var isInOnePiece: Bool { if case .file = self { true } else { false } }
}

extension ExportSession {
  /// Divides the export into parts that can be made one by one, by this session or by others like it.
  ///
  /// - Parameters:
  ///   - count: the wanted number of parts of video, from 1 to 1000; fewer where the source has no sync samples
  ///     to begin them with. Nil for the number of parts that are long enough.
  ///   - minimumDuration: of a part of video; 30 seconds where neither this nor `count` is set.
  ///   - threadCount: of each encoder; nil for one and a half times the number of cores.
  /// - Throws: `operationNotSupportedForPreset` where nothing is encoded, `operationNotSupportedForAsset` for an asset that
  ///   isn't a file, and for composed video, `unsupportedOutputSettings` for bit rates and lengths
  ///   that no part can observe on its own, and the errors of preparing an export.
  public func partPlan(
    count: Int? = nil, minimumDuration: Time? = nil, threadCount: Int? = nil
  ) async throws(EngineError) -> ExportPartPlan {
    let constraints = ExportPartPlanner.Constraints(
      count: count, minimumDuration: minimumDuration, threadCount: threadCount)
    return try await PartPlanning(self).plan(constraints)
  }

  /// Makes a part as a file; others may be made at the same time.
  ///
  /// - Parameters:
  ///   - number: the index of the part in ``ExportPartPlan/parts``.
  ///   - plan: the plan of ``partPlan(count:minimumDuration:threadCount:)``.
  ///   - url: a path, or a `file:` URL, of a new file, which only ``join(_:files:to:)`` can read.
  /// - Throws: `operationNotAllowed` for a plan of something else, and as ``export(to:as:isResumable:)``.
  @discardableResult
  public func exportPart(
    _ number: Int, of plan: ExportPartPlan, to url: String
  ) async throws(EngineError) -> Summary {
    try await exportPart(number, of: plan, to: url, progressInterval: 3600) { _ in }
  }

  package func exportPart(
    _ number: Int, of plan: ExportPartPlan, to url: String, progressInterval: Double,
    onProgress: @escaping @Sendable (Double) -> Void
  ) async throws(EngineError) -> Summary {
    try plan.requirePart(number, path: asset.path)
    let path = try ExportSession.location(url).path
    let session = try ExportSession(part: number, of: plan, self, path: path)
    add(part: session)
    defer { remove(part: session) }
    let result = await withTaskCancellationHandler {
      await Result { () async throws(EngineError) in
        try session.begin()
        return try await session.run(progressInterval: progressInterval, onProgress: onProgress)
      }
    } onCancel: {
      session.cancelExport()
    }
    return try result.get()
  }

  /// Exports into the file that the session was made for, from parts that have been made; the session's one export.
  ///
  /// Data that isn't encoded, such as copied tracks, metadata and chapters, comes from the asset.
  ///
  /// - Parameters:
  ///   - plan: the plan by which the parts were made.
  ///   - files: the paths of the parts, in the order of the plan's list.
  ///   - url: a path, or a `file:` URL, of a new file.
  /// - Throws: `operationNotAllowed` for a plan of another export, `fileFailedToParse` with the part that is incomplete,
  ///   or isn't the expected one, and as ``export(to:as:isResumable:)``.
  @discardableResult
  public func join(
    _ plan: ExportPartPlan, files: [String], to url: String
  ) async throws(EngineError) -> Summary {
    try begin(joining: plan, files: files, to: url)
    let result = await withTaskCancellationHandler {
      await Result { () async throws(EngineError) in try await run() }
    } onCancel: {
      cancelExport()
    }
    return try result.get()
  }

  /// The resolved plan of its export.
  func resolved(_ interrupt: Interrupt) throws(EngineError) -> ResolvedExport {
    let asset = asset.media.content
    return try ResolvedExport(
      of: asset, try asset.presentation(interrupt: interrupt), request, interrupt: interrupt)
  }

  func plan(
    _ constraints: ExportPartPlanner.Constraints, _ export: ResolvedExport, _ interrupt: Interrupt
  ) throws(EngineError) -> ExportPartPlan {
    let planner = ExportPartPlanner(
      export: export, request: request, path: asset.path, interrupt: interrupt)
    return try planner.plan(constraints, try partFacts(interrupt))
  }

  /// The facts that decide how parts are made here.
  func partFacts(_ interrupt: Interrupt) throws(EngineError) -> ExportPartFacts {
    try ExportPartFacts(
      of: asset.media.content, path: asset.path, request, interrupt: interrupt)
  }
}

/// Plans parts, on a queue of its own.
private actor PartPlanning: QueueActor {
  nonisolated let queue = WorkQueue("exportParts")
  private let session: ExportSession
  private let interrupt = Interrupt()

  init(_ session: ExportSession) { self.session = session }

  func plan(_ constraints: ExportPartPlanner.Constraints) throws(EngineError) -> ExportPartPlan {
    try session.plan(constraints, try session.resolved(interrupt), interrupt)
  }
}
