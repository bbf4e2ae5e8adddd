import EngineProtocol
public import JSONRPC
import MediaEngine

/// The one place where an engine's error becomes a caller's.
extension ErrorObject {
  init(_ error: EngineError) {
    guard let code = ErrorCode(rawValue: error.code.rawValue) else {
      self.init(.unknown, error.message)
      return
    }
    self.init(
      code: code.rawValue, message: error.message,
      data: WireErrorData(
        name: code.name, hint: error.hint ?? code.hint, path: error.path,
        stage: error.stage?.rawValue,
        libav: error.underlying.map {
          WireLibAVError(code: $0.code, operation: $0.operation, message: $0.message)
        },
        log: error.log.isEmpty ? nil : Array(error.log.suffix(5))))
  }

  /// The same error, with the key that it concerns.
  func about(key: String) -> ErrorObject {
    var copy = self
    copy.data?.key = key
    return copy
  }

  /// The same error, with the object that it concerns.
  func about(_ handle: some HandleType) -> ErrorObject {
    var copy = self
    copy.data?.handle = AnyHandle(handle)
    return copy
  }
}

/// What a handler threw, as the error of a response.
@Sendable public func responseError(_ error: any Error) -> RPCError {
  switch error {
  case let error as RPCError: error
  case let error as EngineError: RPCError(ErrorObject(error))
  case let error as ErrorObject: RPCError(error)
  case is CancellationError: .requestCancelled()
  default: .internalError("\(error)")
  }
}

extension ErrorObject: Error {}

/// Runs a call of the engine that is made for an object, so that its errors name it.
func mapErrors<Result>(
  _ handle: some HandleType, _ body: () async throws(EngineError) -> Result
) async throws(ErrorObject) -> Result {
  do {
    return try await body()
  } catch {
    throw ErrorObject(error).about(handle)
  }
}
