import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension ExportSessionHandle: ObjectHandle {
  static func describe(_ session: ExportSession) -> String {
    "\(session.asset.path) to \(session.outputPath) (\(session.preset?.name ?? "settings"))"
  }
  static func cancelWork(of session: ExportSession) { session.cancelExport() }
  static func isWritingFile(_ session: ExportSession) -> Bool {
    [.waiting, .exporting].contains(session.progress.status)
  }
}

extension Engine {
  /// Registers the handlers of `exportSession/*`.
  func registerExportSessions(in router: inout EngineRouter) {
    serve(ExportSessionPresets.self, exportPresets, in: &router)
    serve(ExportSessionCompatiblePresets.self, compatiblePresets, in: &router)
    serve(ExportSessionCompatibleFileTypes.self, compatibleFileTypes, in: &router)
    serve(ExportSessionCreate.self, createExportSession, in: &router)
    serve(ExportSessionPreflight.self, preflightExport, in: &router)
    serve(ExportSessionEstimate.self, estimateExport, in: &router)
    serve(ExportSessionExport.self, export, in: &router)
    serve(ExportSessionPlan.self, planExportParts, in: &router)
    serve(ExportSessionExportPart.self, exportPart, in: &router)
    serve(ExportSessionJoin.self, joinParts, in: &router)
    serve(ExportSessionStatus.self, exportStatus, in: &router)
    serve(ExportSessionCancel.self, cancelExport, in: &router)
  }

  @Sendable func exportPresets(
    _ request: ExportSessionPresets, _ context: RequestContext
  ) async throws -> ExportSessionPresets.Result {
    ExportSessionPresets.Result(
      presets: ExportPreset.all.map(\.name).filter { $0 != ExportPreset.passthrough.name })
  }

  @Sendable func createExportSession(
    _ request: ExportSessionCreate, _ context: RequestContext
  ) async throws -> ExportSessionCreate.Result {
    let asset = try await findAsset(request.asset)
    var configuration = ExportSession.Configuration()
    configuration.timeRange = request.timeRange?.range ?? .all
    if let mode = request.trimMode { configuration.trimMode = ExportSession.TrimMode(mode) }
    configuration.audioMix = try await .init(request.audioMix, for: asset, at: "/audioMix")
    configuration.videoComposition = try await .init(
      request.videoComposition, for: asset, at: "/videoComposition")
    try requireFewer(request.subtitles?.count ?? 0, than: 64, "subtitles")
    configuration.subtitles = request.subtitles?.map(SubtitleFile.init)
    let compositor = ClientCompositor(self, context.connection)
    configuration.compositor = compositor
    configuration.audioTimePitchAlgorithm = .init(request.audioTimePitchAlgorithm)
    if let joins = request.joins { configuration.joins = JoinSettings(joins) }
    configuration.metadata = try request.metadata.map {
      try MetadataItem.items($0, path: "/metadata")
    }
    configuration.metadataChanges = try request.metadataChanges.map(MetadataChanges.init)
    configuration.chapters = try request.chapters.map(ExportConfiguration.Chapter.chapters)
    configuration.chaptersFrom = .init(request.chaptersFrom ?? .files)
    configuration.replacesSource = request.replacesSource ?? false
    configuration.fileLengthLimit = request.fileLengthLimit ?? 0
    configuration.shouldOptimizeForNetworkUse = request.shouldOptimizeForNetworkUse ?? false
    configuration.directoryForTemporaryFiles = request.directoryForTemporaryFiles
    let preset = try request.preset.map(preset)
    let type = try request.outputFileType.map(fileType)
    configuration.settings = try await settings(request, preset, type, asset)
    configuration.settings.audioTracks = request.audioTracks.map {
      switch $0 {
      case .mix: .mix
      case .separate: .separate
      }
    }
    let session = try ExportSession(
      asset: asset, preset: preset, outputURL: request.outputURL, fileType: type,
      configuration: configuration)
    let types = await supportedFileTypes(preset, configuration.settings, asset)
    try context.settle()
    let handle: ExportSessionHandle = handles.add(session)
    compositor.belongs(to: handle)
    return ExportSessionCreate.Result(
      exportSession: handle, outputFileType: session.fileType.name,
      supportedFileTypes: types)
  }

  /// - Throws: `invalidParams` with all problems.
  private func settings(
    _ request: ExportSessionCreate, _ preset: ExportPreset?, _ type: FileType?, _ asset: any Asset
  ) async throws -> ExportSettings {
    var reader = ExportSettingsReader(request.settings, measuresAudio: true)
    // What can be written at all is checked by the session.
    if let type = type ?? FileType(pathExtensionOf: request.outputURL), type.canWrite,
      request.settings != nil
    {
      let found = await ExportPlanner(asset).problems(
        of: reader.settings, preset: preset, fileType: type)
      reader.problems += found.map(DecodingProblem.init)
    }
    guard reader.problems.isEmpty else { throw RPCError.invalidParams(reader.problems) }
    return reader.settings
  }

  func preset(_ name: String) throws(EngineError) -> ExportPreset {
    guard let preset = ExportPreset(name) else {
      throw EngineError(
        .unsupportedOutputSettings, "There is no preset '\(name)'",
        advice: .choosePreset(ExportPreset.all.map(\.name)))
    }
    return preset
  }

  func fileType(_ name: String) throws(EngineError) -> FileType {
    guard let type = FileType(name) else {
      throw EngineError(
        .formatUnsupported, "There is no file type '\(name)'",
        advice: .chooseFileType(FileType.writable.map(\.name)))
    }
    return type
  }

  @Sendable func export(
    _ request: ExportSessionExport, _ context: RequestContext
  ) async throws -> ExportSessionExport.Result {
    let session = try handles.find(request.exportSession)
    try await mapErrors(request.exportSession) { () throws(EngineError) in
      try session.begin(isResumable: request.resume ?? false)
    }
    return try await perform(ExportSessionExport.self, request.completion, context) { operation in
      await self.run(session, request.exportSession, request.progressInterval, operation)
    }
  }

  /// Runs the export that was begun, and returns the result.
  func run(
    _ session: ExportSession, _ handle: ExportSessionHandle, _ progressInterval: Double?,
    _ operation: Operation
  ) async -> ExportSessionDidFinish {
    await withTaskCancellationHandler {
      await report(handle, progressInterval, operation) {
        (interval, onProgress) throws(EngineError) in
        try await session.run(progressInterval: interval, onProgress: onProgress)
      }
    } onCancel: {
      session.cancelExport()
    }
  }

  /// Exports, reporting progress, and returns the result.
  func report(
    _ handle: ExportSessionHandle, _ progressInterval: Double?, _ operation: Operation,
    _ export: (Double, @escaping @Sendable (Double) -> Void) async throws(EngineError) ->
      ExportSession.Summary
  ) async -> ExportSessionDidFinish {
    let interval = progressInterval ?? 0.1
    let report: @Sendable (Double) -> Void = { progress in
      guard interval > 0 else { return }
      operation.post(
        ExportSessionDidProgress(
          operation: operation.handle, exportSession: handle, progress: progress))
    }
    do throws(EngineError) {
      let summary = try await export(interval, report)
      report(1)
      return ExportSessionDidFinish(
        operation: operation.handle, exportSession: handle, status: .completed,
        outputURL: summary.path, fileSize: summary.fileSize,
        timeRange: WireTimeRange(summary.timeRange),
        trimMode: summary.trimMode.map(WireTrimMode.init),
        trimNote: summary.trimNote,
        dropped: WireDropped.list(summary.dropped),
        loudness: summary.loudness.isEmpty ? nil : summary.loudness.map(WireAppliedLoudness.init))
    } catch {
      return ExportSessionDidFinish(
        operation: operation.handle, exportSession: handle,
        status: error.isCancellation ? .cancelled : .failed,
        error: ErrorObject(error).about(handle))
    }
  }

  @Sendable func exportStatus(
    _ request: ExportSessionStatus, _ context: RequestContext
  ) async throws -> ExportSessionStatus.Result {
    let progress = try handles.find(request.exportSession).progress
    return ExportSessionStatus.Result(
      status: WireExportStatus(progress.status),
      progress: progress.fraction,
      error: progress.error.map { ErrorObject($0).about(request.exportSession) })
  }

  @Sendable func cancelExport(
    _ request: ExportSessionCancel, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.exportSession).cancelExport()
    return EmptyResult()
  }
}

extension WireDropped {
  /// Returns the items that a file can't hold; nil where it holds all.
  static func list(_ dropped: [DroppedItem]) -> [WireDropped]? {
    dropped.isEmpty ? nil : dropped.map(WireDropped.init)
  }

  /// Returns the samples that couldn't be decoded; nil where none are missing.
  static func list(_ damaged: [DamagedSamples]) -> [WireDropped]? {
    damaged.isEmpty ? nil : damaged.map(WireDropped.init)
  }

  init(_ damaged: DamagedSamples) {
    self.init(
      item: .damagedSamples, trackID: damaged.trackID, mediaType: WireMediaType(damaged.mediaType),
      reason: damaged.reason)
  }

  init(_ dropped: ExportSession.Dropped) {
    self.init(
      item: WireDroppedItem(dropped.item), trackID: dropped.trackID,
      mediaType: dropped.mediaType.map(WireMediaType.init), key: dropped.key,
      reason: dropped.reason,
      stays: dropped.stays ? true : nil)
  }
}

extension ExportSessionDidFinish: TerminalNotification {
  var wasCancelled: Bool { status == .cancelled }
}
