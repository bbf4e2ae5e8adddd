import EngineProtocol
public import JSONRPC
import MediaEngine

/// The one conversion of an engine's error to a caller's.
extension ErrorObject {
  init(_ error: EngineError) {
    guard let code = ErrorCode(rawValue: error.code.rawValue) else {
      self.init(.unknown, error.message)
      return
    }
    let usual = error.problems.isEmpty ? code.advice : code.adviceOnProblems
    let advice = error.advice.map(WireAdvice.init) ?? usual
    self.init(
      code: code.rawValue, message: error.message,
      data: WireErrorData(
        name: code.name, hint: advice?.hint ?? error.hint ?? "", advice: advice, path: error.path,
        stage: error.stage?.rawValue,
        libav: error.underlying.map {
          WireLibAVError(code: $0.code, operation: $0.operation, message: $0.message)
        },
        log: error.log.isEmpty ? nil : Array(error.log.suffix(5)),
        errors: error.problems.isEmpty ? nil : error.problems.map(WireParamsProblem.init)))
  }
}

extension ErrorCode {
  /// The advice where each problem is listed with what was expected: that on settings is about formats.
  var adviceOnProblems: WireAdvice { self == .unsupportedOutputSettings ? .readProblems : advice }
}

extension WireParamsProblem {
  init(_ problem: EngineError.Problem) {
    self.init(
      path: problem.path, expected: problem.expected, got: problem.got,
      code: problem.code?.rawValue)
  }
}

/// Returns a handler's error as the error of a response.
@Sendable public func responseError(_ error: any Error) -> RPCError {
  switch error {
  case let error as RPCError: error
  case let error as EngineError: RPCError(ErrorObject(error))
  case let error as ErrorObject: RPCError(error)
  case is CancellationError: .requestCancelled()
  default: .internalError("\(error)")
  }
}

/// Runs a call of the engine for an object, so that its errors name the object.
func mapErrors<Result>(
  _ handle: some HandleType, _ body: () async throws(EngineError) -> Result
) async throws(ErrorObject) -> Result {
  do {
    return try await body()
  } catch {
    throw ErrorObject(error).about(handle)
  }
}

extension WireAdvice {
  /// Creates the advice; nil for text, which has no name.
  init?(_ advice: EngineError.Advice) {
    guard let name = advice.name else { return nil }
    self.init(
      name, advice.arguments.map { JSONValue.Member(key: $0.name, value: JSONValue($0.value)) })
  }
}

extension JSONValue {
  fileprivate init(_ argument: EngineError.Advice.Argument) {
    self =
      switch argument {
      case .text(let text): .string(text)
      case .integer(let number): .integer(number)
      case .names(let names): .array(names.map(JSONValue.string))
      case .time(let time): (try? JSONValue(encoding: WireTime(time))) ?? .null
      }
  }
}
