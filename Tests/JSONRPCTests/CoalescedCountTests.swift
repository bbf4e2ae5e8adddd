import JSONRPC
import Testing

/// A notification that counts the ones it has replaced.
private struct Figure: NotificationType {
  static let method = "test/figure"
  var number: Int
  var coalesced = 0
  var padding = ""
}

struct CoalescedCountTests {
  @Test func whatWasReplacedIsCounted() async throws {
    let peer = try TestPeer(Router(), reading: false)
    defer { peer.close() }
    let connection = peer.connection
    // While the large one can't be written, there is one of each of the others at a time.
    connection.post(Figure(number: -1, padding: String(repeating: "x", count: 1 << 20)))
    connection.post(Figure(number: -2))
    for number in 1...5 {
      connection.post(
        Figure(number: number, coalesced: number == 2 ? 3 : 0), coalescing: "a")
    }
    connection.post(Figure(number: 6), coalescing: "b")
    peer.startReading()
    var figures: [JSONValue] = []
    for _ in 1...4 { figures.append(try #require(try await peer.nextJSON()["params"])) }
    #expect(figures.map { $0["number"]?.integerValue } == [-1, -2, 5, 6])
    // Four were replaced, of which one had replaced three.
    #expect(figures.map { $0["coalesced"]?.integerValue } == [0, 0, 7, 0])
    connection.post(Figure(number: 7), coalescing: "a")
    #expect(try await peer.nextJSON()["params"]?["coalesced"] == 0)
  }
}
