import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `analysis/*`.
  func registerAnalysis(in router: inout EngineRouter) {
    serve(AnalysisSceneChanges.self, findSceneChanges, in: &router)
    serve(AnalysisSilences.self, findSilences, in: &router)
    serve(AnalysisLoudness.self, measureLoudness, in: &router)
  }

  @Sendable func findSceneChanges(
    _ request: AnalysisSceneChanges, _ context: RequestContext
  ) async throws -> AnalysisSceneChanges.Result {
    let asset = try await findAsset(request.asset)
    var rules = AnalysisRules()
    let settings = try rules.configuration(request)
    return try await perform(
      AnalysisSceneChanges.self, request.completion, context, owner: request.asset.rawValue
    ) { [settings] operation in
      var end = AnalysisDidFindSceneChanges(
        operation: operation.handle, asset: request.asset, result: .succeeded)
      do throws(EngineError) {
        end.describe(
          try await asset.sceneChanges(
            settings, progress: operation.analysisProgress(of: request.asset)))
      } catch {
        (end.result, end.error) = error.end(of: request.asset)
      }
      return end
    }
  }

  @Sendable func findSilences(
    _ request: AnalysisSilences, _ context: RequestContext
  ) async throws -> AnalysisSilences.Result {
    let asset = try await findAsset(request.asset)
    var rules = AnalysisRules()
    var settings = try rules.configuration(request)
    settings.audioMix = try await .init(request.audioMix, for: asset, at: "/audioMix")
    return try await perform(
      AnalysisSilences.self, request.completion, context, owner: request.asset.rawValue
    ) { [settings] operation in
      var end = AnalysisDidFindSilences(
        operation: operation.handle, asset: request.asset, result: .succeeded)
      do throws(EngineError) {
        let silences = try await asset.silences(
          settings, progress: operation.analysisProgress(of: request.asset))
        end.describe(silences, threshold: settings.threshold)
      } catch {
        (end.result, end.error) = error.end(of: request.asset)
      }
      return end
    }
  }

  @Sendable func measureLoudness(
    _ request: AnalysisLoudness, _ context: RequestContext
  ) async throws -> AnalysisLoudness.Result {
    let asset = try await findAsset(request.asset)
    var rules = AnalysisRules()
    var settings = try rules.configuration(request)
    settings.audioMix = try await .init(request.audioMix, for: asset, at: "/audioMix")
    return try await perform(
      AnalysisLoudness.self, request.completion, context, owner: request.asset.rawValue
    ) { [settings] operation in
      var end = AnalysisDidMeasureLoudness(
        operation: operation.handle, asset: request.asset, result: .succeeded)
      do throws(EngineError) {
        end.describe(
          try await asset.loudness(
            settings, progress: operation.analysisProgress(of: request.asset)))
      } catch {
        (end.result, end.error) = error.end(of: request.asset)
      }
      return end
    }
  }
}

extension Operation {
  /// Returns a function that reports progress, at most once per percent.
  fileprivate func analysisProgress(of asset: AssetHandle) -> @Sendable (Double) -> Void {
    let reported = ReportedPercent()
    return { progress in
      guard reported.isNews(progress) else { return }
      self.post(
        AnalysisDidProgress(operation: self.handle, asset: asset, progress: progress))
    }
  }
}

extension EngineError {
  /// Returns the outcome and the error with which an analysis ends.
  fileprivate func end(of asset: AssetHandle) -> (WireOutcome, ErrorObject) {
    (isCancellation ? .cancelled : .failed, ErrorObject(self).about(asset))
  }
}

extension AnalysisDidFindSceneChanges {
  fileprivate mutating func describe(_ found: SceneChanges) {
    trackID = found.trackID
    timeRange = WireTimeRange(found.timeRange)
    sceneChanges = found.changes.map {
      WireSceneChange(time: WireTime($0.time), sampleIndex: $0.sampleIndex, score: $0.score)
    }
    dropped = WireDropped.list(found.damagedSamples)
  }
}

extension AnalysisDidFindSilences {
  fileprivate mutating func describe(_ found: Silences, threshold: Double) {
    trackID = found.trackID
    timeRange = WireTimeRange(found.timeRange)
    self.threshold = threshold
    silences = found.ranges.map(WireTimeRange.init)
    dropped = WireDropped.list(found.damagedSamples)
  }
}

extension AnalysisDidMeasureLoudness {
  fileprivate mutating func describe(_ loudness: Loudness) {
    trackID = loudness.trackID
    timeRange = WireTimeRange(loudness.timeRange)
    sampleRate = loudness.sampleRate
    channelLayout = loudness.channelLayout
    integratedLoudness = loudness.integrated
    loudnessRange = loudness.range
    truePeak = loudness.truePeak
    samplePeak = loudness.samplePeak
    maximumMomentaryLoudness = loudness.maximumMomentary
    maximumShortTermLoudness = loudness.maximumShortTerm
    dropped = WireDropped.list(loudness.damagedSamples)
  }
}

extension AnalysisDidFindSceneChanges: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

extension AnalysisDidFindSilences: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

extension AnalysisDidMeasureLoudness: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

/// The rules of the parameters of an analysis; all problems are reported at once.
private struct AnalysisRules: ParameterRules {
  var problems: [DecodingProblem] = []

  mutating func configuration(
    _ request: AnalysisSceneChanges
  ) throws(RPCError) -> SceneChanges.Configuration {
    var settings = SceneChanges.Configuration()
    settings.trackID = request.trackID
    settings.timeRange = checked(request.timeRange)
    let sensitivity = request.sensitivity ?? settings.sensitivity
    require((0...1).contains(sensitivity), "/sensitivity", "a number from 0 to 1", "\(sensitivity)")
    settings.sensitivity = sensitivity
    if let duration = request.minimumDuration?.time {
      require(
        duration.isNumeric && duration >= .zero, "/minimumDuration", "a numeric time from zero on",
        duration.secondsDescription)
      settings.minimumDuration = duration
    }
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return settings
  }

  mutating func configuration(
    _ request: AnalysisSilences
  ) throws(RPCError) -> Silences.Configuration {
    var settings = Silences.Configuration()
    settings.trackID = request.trackID
    settings.timeRange = checked(request.timeRange)
    let threshold = request.threshold ?? settings.threshold
    require(
      (-200...0).contains(threshold), "/threshold", "a number of decibels from -200 to 0",
      "\(threshold)")
    settings.threshold = threshold
    if let duration = request.minimumDuration?.time {
      require(
        duration.isNumeric && duration > .zero, "/minimumDuration",
        "a numeric time longer than zero", duration.secondsDescription)
      settings.minimumDuration = duration
    }
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return settings
  }

  mutating func configuration(
    _ request: AnalysisLoudness
  ) throws(RPCError) -> Loudness.Configuration {
    var settings = Loudness.Configuration()
    settings.trackID = request.trackID
    settings.timeRange = checked(request.timeRange)
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return settings
  }

  private mutating func checked(_ timeRange: WireTimeRange?) -> TimeRange? {
    let range = timeRange?.range
    requireMeasurable(range)
    return range
  }
}
