import EngineProtocol
import EngineServer
import FuzzingSupport
import JSONRPC

/// Params, results and notifications: a message that can be decoded is encoded, decoded and encoded
/// alike.
///
/// An input is a method's name, for its result a `=` after it, a line end and JSON. A name that is
/// no method's stands for one all the same, so that a mutation of it isn't lost.
@main
enum MessageFuzzer: Fuzzer {
  private struct Message: Sendable {
    var method: String
    var params: any (Codable & Sendable).Type
    var result: (any (Codable & Sendable).Type)?
  }

  private static let messages: [Message] =
    Engine.requests.map { describe($0) }
    + (clientNotifications + serverNotifications).map {
      Message(method: $0.method, params: $0, result: nil)
    }
  private static let places = Dictionary(
    messages.enumerated().map { ($1.method, $0) }, uniquingKeysWith: { first, _ in first })

  private static func describe<Request: RequestType>(_ type: Request.Type) -> Message {
    Message(method: type.method, params: type, result: Request.Result.self)
  }

  static func run(_ input: [UInt8]) {
    let end = input.firstIndex(of: 0x0A) ?? input.count
    var name = String(decoding: input[..<end], as: UTF8.self)
    let isResult = name.hasSuffix("=")
    if isResult { name.removeLast() }
    let sum = input[..<end].reduce(0) { ($0 * 31 + Int($1)) & 0xFFFF }
    let message = messages[places[name] ?? sum % messages.count]
    let type = isResult ? message.result ?? message.params : message.params
    guard let value = try? JSONValue(parsing: Array(input[end...])) else { return }
    requireStable(type, value, message.method)
  }

  private static func requireStable<Value: Codable>(
    _ type: Value.Type, _ json: JSONValue, _ method: String
  ) {
    let value: Value
    do throws(DecodingProblems) {
      value = try JSONDecoding.decode(type, from: json)
    } catch {
      require(!error.problems.isEmpty, "\(method): refused without a problem")
      let answer = try? JSONValue(encoding: RPCError.invalidParams(error))
      require(answer != nil, "\(method): the error can't be sent")
      return
    }
    guard let bytes = try? JSONEncoding.encode(value) else {
      return require(false, "\(method): it can't be encoded: \(value)")
    }
    guard let written = try? JSONValue(parsing: bytes) else {
      return require(false, "\(method): no JSON: \(String(decoding: bytes, as: UTF8.self))")
    }
    do throws(DecodingProblems) {
      let again = try JSONDecoding.decode(type, from: written)
      let bytesAgain = try? JSONEncoding.encode(again)
      require(
        isSame(bytes, bytesAgain ?? []),
        "\(method): \(written), then \(String(decoding: bytesAgain ?? [], as: UTF8.self))")
    } catch {
      require(false, "\(method): \(written) isn't read again: \(error.problems)")
    }
  }

  /// Members of dictionaries come in any order.
  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left == right { return true }
    guard let a = try? JSONValue(parsing: left), let b = try? JSONValue(parsing: right) else {
      return false
    }
    return sorted(a) == sorted(b)
  }

  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(sorted))
    case .object(let members):
      return .object(
        members.map { .init(key: $0.key, value: sorted($0.value)) }.sorted { $0.key < $1.key })
    default: return value
    }
  }
}
