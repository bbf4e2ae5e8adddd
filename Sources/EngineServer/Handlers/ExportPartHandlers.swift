import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

/// Exports in parts.
extension Engine {
  @Sendable func planExportParts(
    _ request: ExportSessionPlan, _ context: RequestContext
  ) async throws -> ExportSessionPlan.Result {
    let session = try handles.find(request.exportSession)
    var rules = PartRules()
    let partCount = rules.number(
      request.partCount, 1...ExportPartPlan.maximumCount, "/partCount")
    let threadCount = rules.number(
      request.threadCount, 1...ExportPartPlan.maximumThreads, "/threadCount")
    guard rules.problems.isEmpty else { throw RPCError.invalidParams(rules.problems) }
    let plan = try await mapErrors(request.exportSession) { () throws(EngineError) in
      try await session.partPlan(
        count: partCount, minimumDuration: request.minimumPartDuration?.time,
        threadCount: threadCount)
    }
    return ExportSessionPlan.Result(plan: WireExportPartPlan(plan))
  }

  @Sendable func exportPart(
    _ request: ExportSessionExportPart, _ context: RequestContext
  ) async throws -> ExportSessionExportPart.Result {
    let session = try handles.find(request.exportSession)
    let plan = ExportPartPlan(request.plan)
    return try await perform(ExportSessionExportPart.self, request.completion, context) {
      operation in
      await self.report(request.exportSession, request.progressInterval, operation) {
        (interval, onProgress) throws(EngineError) in
        try await session.exportPart(
          request.part, of: plan, to: request.outputURL, progressInterval: interval,
          onProgress: onProgress)
      }
    }
  }

  @Sendable func joinParts(
    _ request: ExportSessionJoin, _ context: RequestContext
  ) async throws -> ExportSessionJoin.Result {
    let session = try handles.find(request.exportSession)
    let plan = ExportPartPlan(request.plan)
    try await mapErrors(request.exportSession) { () throws(EngineError) in
      try session.begin(joining: plan, files: request.partURLs)
    }
    return try await perform(ExportSessionJoin.self, request.completion, context) { operation in
      await self.run(session, request.exportSession, request.progressInterval, operation)
    }
  }
}

private struct PartRules: ParameterRules {
  var problems: [DecodingProblem] = []
}

extension WireExportPartPlan {
  fileprivate init(_ plan: ExportPartPlan) {
    self.init(
      parts: plan.parts.map { part in
        WireExportPart(
          mediaType: part.mediaType == .audio ? .audio : .video,
          timeRange: WireTimeRange(part.timeRange), frameCount: part.frameCount)
      }, threadCount: plan.threadCount, source: plan.source, settings: plan.settings,
      libraries: plan.libraries, digest: plan.digest)
  }
}

extension ExportPartPlan {
  fileprivate init(_ wire: WireExportPartPlan) {
    self.init(
      parts: wire.parts.map { part in
        Part(
          mediaType: part.mediaType == .audio ? .audio : .video, timeRange: part.timeRange.range,
          frameCount: part.frameCount)
      }, threadCount: wire.threadCount, source: wire.source, settings: wire.settings,
      libraries: wire.libraries, digest: wire.digest)
  }
}
