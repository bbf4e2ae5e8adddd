import EngineProtocol
import JSONRPC

/// A request in its encoded form. Encoding is separate from the waiting: the compiler can't
/// optimise the two together, and ends.
package struct EncodedRequest: Sendable {
  package let method: String
  package let params: JSONValue

  @inline(never)
  package init<Request: RequestType>(_ request: Request) throws {
    (method, params) = (Request.method, try JSONValue(encoding: request))
  }
}
