import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  @Sendable func compatiblePresets(
    _ request: ExportSessionCompatiblePresets, _ context: RequestContext
  ) async throws -> ExportSessionCompatiblePresets.Result {
    let type = try request.outputFileType.map(fileType)
    let verdicts = try await planning(try await findAsset(request.asset), request.asset) {
      (planner) async throws(EngineError) in try await planner.presets(to: type)
    }
    return ExportSessionCompatiblePresets.Result(
      presets: verdicts.filter { $0.reason == nil }.map(\.subject.name),
      incompatible: request.explain == true
        ? verdicts.compactMap { verdict in
          verdict.reason.map {
            WireIncompatiblePreset(preset: verdict.subject.name, reason: $0)
          }
        } : nil)
  }

  @Sendable func compatibleFileTypes(
    _ request: ExportSessionCompatibleFileTypes, _ context: RequestContext
  ) async throws -> ExportSessionCompatibleFileTypes.Result {
    let preset = try preset(request.preset)
    let verdicts = try await planning(try await findAsset(request.asset), request.asset) {
      (planner) async throws(EngineError) in try await planner.fileTypes(for: preset)
    }
    return ExportSessionCompatibleFileTypes.Result(
      fileTypes: verdicts.filter { $0.reason == nil }.map(\.subject.name),
      incompatible: request.explain == true
        ? verdicts.compactMap { verdict in
          verdict.reason.map {
            WireIncompatibleFileType(fileType: verdict.subject.name, reason: $0)
          }
        } : nil)
  }

  /// Returns the supported file types. For an asset that can't be loaded, these are all types of the preset, or all
  /// writable ones.
  func supportedFileTypes(
    _ preset: ExportPreset?, _ settings: ExportSettings, _ asset: any Asset
  ) async -> [String] {
    let verdicts = try? await ExportPlanner(asset).fileTypes(for: preset, settings: settings)
    return verdicts.map { $0.filter { $0.reason == nil }.map(\.subject.name) }
      ?? (preset?.fileTypes ?? FileType.writable).map(\.name)
  }

  @Sendable func preflightExport(
    _ request: ExportSessionPreflight, _ context: RequestContext
  ) async throws -> ExportSessionPreflight.Result {
    let session = try handles.find(request.exportSession)
    let preflight = try await planning(session.asset, request.exportSession) {
      (planner) async throws(EngineError) in try await planner.preflight(session)
    }
    return ExportSessionPreflight.Result(
      timeRange: WireTimeRange(preflight.timeRange),
      tracks: preflight.tracks.map(WirePlannedTrack.init),
      dropped: preflight.dropped.map(WireDropped.init))
  }

  @Sendable func estimateExport(
    _ request: ExportSessionEstimate, _ context: RequestContext
  ) async throws -> ExportSessionEstimate.Result {
    let session = try handles.find(request.exportSession)
    let estimate = try await planning(session.asset, request.exportSession) {
      (planner) async throws(EngineError) in try await planner.estimate(session)
    }
    return ExportSessionEstimate.Result(
      duration: WireTime(estimate.duration), fileLength: estimate.fileLength,
      maximumDuration: estimate.maximumDuration.map(WireTime.init))
  }

  /// Runs a question to a planner; a cancelled request ends it.
  private func planning<Answer: Sendable>(
    _ asset: any Asset, _ handle: some HandleType,
    _ body: @Sendable (ExportPlanner) async throws(EngineError) -> Answer
  ) async throws -> Answer {
    let planner = ExportPlanner(asset)
    return try await withTaskCancellationHandler {
      try await mapErrors(handle) { () async throws(EngineError) in try await body(planner) }
    } onCancel: {
      planner.cancel()
    }
  }
}

extension WirePlannedTrack {
  fileprivate init(_ track: ExportPlanner.PlannedTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      treatment: WireTrackTreatment(track.treatment),
      sourceCodec: track.sourceCodec, codec: track.codec, encoder: track.encoder,
      width: track.width, height: track.height, pixelFormat: track.pixelFormat,
      mapsToStandardDynamicRange: track.mapsToStandardDynamicRange, sampleRate: track.sampleRate,
      channels: track.channels, loudness: track.loudness.map(WireLoudnessTarget.init),
      reason: track.reason,
      mixedInto: track.mixedInto,
      segments: track.segments.map { $0.map(WirePlannedSegment.init) })
  }
}

extension WirePlannedSegment {
  fileprivate init(_ segment: ExportedSegment) {
    self.init(
      segment: segment.number, timeRange: WireTimeRange(segment.timeRange),
      treatment: WireSegmentTreatment(segment.treatment), reason: segment.reason,
      advice: segment.advice.flatMap { WireAdvice($0) })
  }
}
