import Foundation
import JSONRPC
import TestSupport
import Testing

/// Not an assertion on time: `REELWIRE_MEASURE=1 swift test -c release --filter MeasurementTests`
/// prints the cost of one tiny request, pipelined and one at a time.
@Suite(
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["REELWIRE_MEASURE"] != nil))
struct MeasurementTests {
  @Test(arguments: [true, false])
  func oneRequest(_ isPipelined: Bool) async throws {
    var router = Router()
    router.on(Subtract.self) { request, _ in request.minuend - request.subtrahend }
    let peer = try TestPeer(router)
    defer { peer.close() }
    let count = 20_000
    let params = #"{"minuend":42,"subtrahend":23}"#
    let started = Stopwatch()
    if isPipelined {
      peer.send((0..<count).map { request("\($0)", "subtract", params) + "\n" }.joined())
    }
    for id in 0..<count {
      if !isPipelined { peer.line(request("\(id)", "subtract", params)) }
      #expect(await peer.next() == #"{"jsonrpc":"2.0","id":\#(id),"result":19}"#)
    }
    report(isPipelined ? "pipelined" : "one at a time", started.elapsed, count)
  }

  /// A client that blocks: the remaining costs are the pipes, the reading and the writing thread.
  @Test func oneRequestOfABlockingClient() async throws {
    var router = Router()
    router.on(Subtract.self) { request, _ in request.minuend - request.subtrahend }
    let (server, client) = try #require(DescriptorChannel.pair())
    let connection = Connection(channel: server, router: router)
    connection.start()
    let count = 20_000
    let line = [UInt8]((request("1", "subtract", #"{"minuend":42,"subtrahend":23}"#) + "\n").utf8)
    let duration = await withCheckedContinuation { continuation in
      DispatchQueue(label: "test.client").async {
        let started = Stopwatch()
        var buffer = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<count {
          guard client.write(line[...]), case .bytes = client.read(into: &buffer) else { break }
        }
        continuation.resume(returning: started.elapsed)
      }
    }
    report("one at a time, blocking", duration, count)
    connection.stop()
    #expect(await connection.ended() == .requested)
  }

  @Test func parsing() throws {
    let text = request("1", "subtract", #"{"minuend":42,"subtrahend":23}"#)
    let bytes = [UInt8](text.utf8)
    let count = 100_000
    var started = Stopwatch()
    for _ in 0..<count {
      guard case .single = try Envelope.read(bytes) else { throw CancellationError() }
    }
    report("parse the envelope", started.elapsed, count)
    let params = try JSONValue(parsing: #"{"minuend":42,"subtrahend":23}"#)
    started = Stopwatch()
    for _ in 0..<count {
      let value = try JSONDecoding.decode(Subtract.self, from: params)
      #expect(value.minuend == 42)
    }
    report("decode the params", started.elapsed, count)
    let long = [UInt8](("[" + (0..<1_000_000).map { "\($0)" }.joined(separator: ",") + "]").utf8)
    started = Stopwatch()
    _ = try JSONValue(parsing: long)
    report("parse \(long.count) bytes of numbers", started.elapsed, 1)
    let blob = Base64Data(bytes: [UInt8](repeating: 0x5A, count: 30_000_000))
    started = Stopwatch()
    let encoded = try JSONEncoding.encode(blob)
    report("write \(encoded.count) bytes of base64", started.elapsed, 1)
    started = Stopwatch()
    let tree = try JSONValue(parsing: encoded)
    report("parse them", started.elapsed, 1)
    #expect(tree.stringValue?.utf8.count == 40_000_000)
  }

  private func report(_ what: String, _ duration: Duration, _ count: Int) {
    let microseconds = duration / .microseconds(1) / Double(count)
    let line = "\(what): \(String(format: "%.2f", microseconds)) µs each\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
