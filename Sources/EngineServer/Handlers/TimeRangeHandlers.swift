import EngineProtocol
import JSONRPC
import MediaTime

extension Engine {
  func registerTimeRange(in router: inout EngineRouter) {
    pure(TimeRangeEnd.self, in: &router) { WireTimeResult(time: WireTime($0.range.range.end)) }
    serve(TimeRangeContains.self, contains, in: &router)
    pure(TimeRangeUnion.self, in: &router) {
      WireRangeResult(range: WireTimeRange($0.lhs.range.union($0.rhs.range)))
    }
    pure(TimeRangeIntersection.self, in: &router) {
      WireRangeResult(range: WireTimeRange($0.lhs.range.intersection($0.rhs.range)))
    }
    pure(TimeRangeEqual.self, in: &router) {
      TimeRangeEqual.Result(equal: $0.lhs.range == $0.rhs.range)
    }
    pure(TimeRangeClamp.self, in: &router) {
      WireTimeResult(time: WireTime($0.range.range.clamp($0.time.time)))
    }
    pure(TimeRangeFold.self, in: &router) {
      WireTimeResult(time: WireTime($0.range.range.fold($0.time.time)))
    }
    pure(TimeRangeMap.self, in: &router) {
      WireTimeResult(
        time: WireTime($0.time.time.mapped(from: $0.from.range, to: $0.to.range)))
    }
  }

  @Sendable private func contains(
    _ request: TimeRangeContains, _ context: RequestContext
  ) async throws -> TimeRangeContains.Result {
    switch (request.time, request.timeRange) {
    case (let time?, nil):
      return TimeRangeContains.Result(contains: request.range.range.contains(time.time))
    case (nil, let inner?):
      return TimeRangeContains.Result(contains: request.range.range.contains(inner.range))
    default:
      throw RPCError.invalidParams(
        path: "", expected: "either time or timeRange",
        got: request.time == nil ? "neither" : "both")
    }
  }
}
