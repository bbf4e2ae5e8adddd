import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  /// Registers the handlers of the answers of the client's own compositors.
  func registerVideoCompositors(in router: inout EngineRouter) {
    // On the reading thread: requests that wait for frames must not wait for requests that wait for them.
    router.onReader(VideoCompositionFinishFrame.self, finishFrame)
  }

  @Sendable func finishFrame(
    _ answer: VideoCompositionFinishFrame, _ context: RequestContext
  ) throws -> EmptyResult {
    try requireRunning()
    do throws(CompositionRequests.Failure) {
      let (request, held) = try compositionRequests.answer(answer.request)
      leases.release(held)
      if let error = answer.error { request.fail(error.message) } else { request.finish() }
    } catch {
      switch error {
      case .answeredBefore:
        throw ErrorObject(
          .operationNotAllowed, "The picture of request \(answer.request) was answered before",
          advice: .answerComposeFrameOnce)
      case .unknown:
        throw RPCError.invalidParams(
          path: "/request", expected: "the number of a \(VideoCompositionComposeFrame.method)",
          got: "\(answer.request)")
      }
    }
    return EmptyResult()
  }
}
