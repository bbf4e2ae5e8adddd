import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `videoComposition/*`.
  func registerVideoCompositions(in router: inout EngineRouter) {
    serve(VideoCompositionWithPropertiesOf.self, videoCompositionWithProperties, in: &router)
    serve(VideoCompositionValidate.self, validateVideoComposition, in: &router)
    serve(VideoCompositionRamp.self, videoCompositionRamp, in: &router)
  }

  @Sendable private func videoCompositionWithProperties(
    _ request: VideoCompositionWithPropertiesOf, _ context: RequestContext
  ) async throws -> VideoCompositionWithPropertiesOf.Result {
    let asset = try await findAsset(request.asset)
    var problems: [EngineError.Problem] = []
    let color = VideoComposition.Color(
      request.prototype?.backgroundColor, at: "/prototype/backgroundColor", &problems)
    if let error = ErrorObject(problems, at: "") { throw error }
    let composition = try await mapErrors(request.asset) { () async throws(EngineError) in
      try await VideoComposition(propertiesOf: asset, backgroundColor: color)
    }
    return VideoCompositionWithPropertiesOf.Result(
      videoComposition: WireVideoComposition(composition))
  }

  @Sendable private func validateVideoComposition(
    _ request: VideoCompositionValidate, _ context: RequestContext
  ) async throws -> VideoCompositionValidate.Result {
    var misshapen: [EngineError.Problem] = []
    let composition = VideoComposition(request.videoComposition, at: "", &misshapen)
    var asset: (any Asset)?
    if let handle = request.asset { asset = try await findAsset(handle) }
    let range = request.timeRange?.range ?? .all
    let problems = try await composition.problems(
      for: asset, in: range, misshapen: misshapen)
    return VideoCompositionValidate.Result(
      isValid: problems.isEmpty, problems: problems.map(WireVideoCompositionProblem.init))
  }

  @Sendable private func videoCompositionRamp(
    _ request: VideoCompositionRamp, _ context: RequestContext
  ) async throws -> VideoCompositionRamp.Result {
    let path = "/layerInstruction"
    var problems: [EngineError.Problem] = []
    let layer = VideoComposition.LayerInstruction(request.layerInstruction, at: path, &problems)
    problems += layer.problems(at: path)
    if let error = ErrorObject(problems, at: "") { throw error }
    let time = request.time.time
    let ramp =
      switch request.kind {
      case .transform: layer.transform.ramp(at: time).map(WireLayerRamp.init)
      case .opacity: layer.opacity.ramp(at: time).map(WireLayerRamp.init)
      case .cropRectangle: layer.cropRectangle.ramp(at: time).map(WireLayerRamp.init)
      }
    return VideoCompositionRamp.Result(ramp: ramp)
  }
}

extension WireVideoCompositionProblem {
  fileprivate init(_ problem: VideoComposition.Problem) {
    let detail = problem.detail
    self.init(
      kind: WireVideoCompositionProblemKind(problem.kind), key: problem.key,
      timeRange: problem.timeRange.map(WireTimeRange.init), instruction: problem.instruction,
      layerInstruction: problem.layerInstruction, trackID: problem.trackID,
      message: "\(detail.path): expected \(detail.expected), got \(detail.got)")
  }
}

extension WireVideoCompositionProblemKind {
  fileprivate init(_ kind: VideoComposition.Problem.Kind) {
    self =
      switch kind {
      case .invalidValueForKey: .invalidValueForKey
      case .emptyTimeRange: .emptyTimeRange
      case .invalidTimeRangeInInstruction: .invalidTimeRangeInInstruction
      case .invalidTrackIDInInstruction: .invalidTrackIDInInstruction
      }
  }
}
