import EngineProtocol
import JSONRPC
import MediaTime

extension Engine {
  /// Registers the functions of `time/*` and `timeRange/*`: pure, so each is one line.
  func registerTime(in router: inout EngineRouter) {
    pure(TimeAdd.self, in: &router) { WireTimeResult(time: WireTime($0.lhs.time + $0.rhs.time)) }
    pure(TimeSubtract.self, in: &router) {
      WireTimeResult(time: WireTime($0.lhs.time - $0.rhs.time))
    }
    pure(TimeMultiply.self, in: &router) {
      WireTimeResult(time: WireTime(Engine.product($0.time.time, $0.by)))
    }
    pure(TimeCompare.self, in: &router) {
      TimeCompare.Result(order: $0.lhs.time.compare($0.rhs.time))
    }
    pure(TimeConvertScale.self, in: &router) {
      let rounding = RoundingMethod($0.rounding ?? .halfAwayFromZero)
      let time = $0.time.time.converted(toTimescale: $0.timescale, rounding: rounding)
      return WireTimeResult(time: WireTime(time))
    }
    pure(TimeSeconds.self, in: &router) { request in
      let seconds = request.time.time.seconds
      return TimeSeconds.Result(seconds: seconds.isNaN ? nil : WireSeconds(seconds))
    }
    pure(TimeDescribe.self, in: &router) {
      TimeDescribe.Result(description: $0.time.time.description)
    }
    registerTimeRange(in: &router)
  }

  /// Registers a function that only needs its parameters.
  func pure<Request: EngineRequest>(
    _ type: Request.Type, in router: inout EngineRouter,
    _ body: @escaping @Sendable (Request) -> Request.Result
  ) {
    serve(type, { request, _ in body(request) }, in: &router)
  }

  private static func product(_ time: Time, _ factor: WireFactor) -> Time {
    switch factor {
    case .integer(let number): time.multiplied(by: number)
    case .ratio(let ratio): time.multiplied(byRatio: ratio.numerator, ratio.denominator)
    case .number(let number): time.multiplied(by: number)
    }
  }
}
