import ArgumentParser
import EngineProtocol
import EngineServer
import Glibc
import JSONRPC

/// Prints which type each method has, for the generator of the protocol's documents.
struct ProtocolTypes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol-types",
    abstract: "Print the types of the protocol's messages as JSON.",
    shouldDisplay: false)

  private struct Message: Encodable {
    var method: String
    var type: String
    var result: String?
    /// The kinds of the new objects in the result.
    var objects: [HandleKind]?
  }

  private struct Code: Encodable {
    var code: Int
    var name: String
    var hint: String
  }

  private struct Listing: Encodable {
    var requests: [Message]
    var clientNotifications: [Message]
    var serverNotifications: [Message]
    var errors: [Code]
    /// The methods that have a handler, those of notifications too.
    var handlers: [String]
  }

  func run() throws {
    let listing = Listing(
      requests: Engine.requests.map { Self.describe($0) },
      clientNotifications: clientNotifications.map { Self.describe($0) },
      serverNotifications: serverNotifications.map { Self.describe($0) },
      errors: ErrorCode.allCases.map { Code(code: $0.rawValue, name: $0.name, hint: $0.hint) },
      handlers: Engine().makeRouter().methods)
    try print(listing)
  }

  private func print(_ value: some Encodable) throws {
    writeAll(try JSONEncoding.encode(value) + [0x0A], to: STDOUT_FILENO)
  }

  private static func describe<Request: EngineRequest>(_ type: Request.Type) -> Message {
    Message(
      method: type.method, type: String(reflecting: type),
      result: String(reflecting: Request.Result.self),
      objects: type.objects.isEmpty ? nil : type.objects)
  }

  private static func describe(_ type: any NotificationType.Type) -> Message {
    Message(method: type.method, type: String(reflecting: type))
  }
}
