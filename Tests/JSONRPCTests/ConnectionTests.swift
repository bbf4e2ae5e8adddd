import Testing

@testable import JSONRPC

struct Subtract: RequestType {
  typealias Result = Int
  static let method = "subtract"
  var minuend: Int
  var subtrahend: Int
}

@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
  @Test func answersARequest() async throws {
    var router = Router()
    router.on(Subtract.self) { request, _ in request.minuend - request.subtrahend }
    let peer = try TestPeer(router)
    peer.line(
      #"{"jsonrpc":"2.0","id":1.0,"method":"subtract","params":{"minuend":42,"subtrahend":23}}"#)
    #expect(await peer.next() == #"{"jsonrpc":"2.0","id":1.0,"result":19}"#)
    peer.line(#"{"jsonrpc":"2.0","id":"\u0041","method":"subtract","params":{"minuend":"x"}}"#)
    let reply = try await peer.nextJSON()
    #expect(reply["id"] == "A")
    #expect(reply["error"]?["data"]?["errors"]?[1]?["path"] == "/subtrahend")
    peer.connection.stop()
    #expect(await peer.connection.ended() == .requested)
  }
}
