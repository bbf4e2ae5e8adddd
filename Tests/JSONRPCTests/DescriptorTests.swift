import Foundation
import JSONRPC
import Testing

/// Files that a shell can put in place of pipes.
struct DescriptorTests {
  private var router: Router {
    var router = Router()
    router.on(Ping.self) { _, _ in EmptyResult() }
    router.on(Large.self) { request, _ in String(repeating: "x", count: request.bytes) }
    return router
  }

  @Test func readsAndWritesFiles() async throws {
    let folder = FileManager.default.temporaryDirectory
    let input = folder.appendingPathComponent("jsonrpc-\(UUID().uuidString).in")
    let output = input.appendingPathExtension("out")
    defer {
      try? FileManager.default.removeItem(at: input)
      try? FileManager.default.removeItem(at: output)
    }
    let lines = (0..<100).map {
      $0 % 10 == 0 ? request("\($0)", "test/large", #"{"bytes":10000}"#) : request("\($0)", "ping")
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: input)
    try Data().write(to: output)
    let reading = try FileHandle(forReadingFrom: input)
    let writing = try FileHandle(forWritingTo: output)
    // Bytes that aren't written within it are lost.
    var configuration = ConnectionConfiguration()
    configuration.endTimeout = .seconds(600)
    let connection = Connection(
      channel: DescriptorChannel(
        input: reading.fileDescriptor, output: writing.fileDescriptor), router: router,
      configuration: configuration)
    connection.start()
    #expect(await connection.ended() == .endOfInput)
    let replies = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    let ids = try replies.map { try JSONValue(parsing: String($0))["id"]?.integerValue }
    #expect(ids == Array(0..<100))
    try reading.close()
    try writing.close()
  }

  @Test func noInputIsTheEnd() async {
    let connection = Connection(
      channel: DescriptorChannel(input: -1, output: -1), router: router)
    connection.start()
    #expect(await connection.ended() == .endOfInput)
  }

  @Test func aFullDeviceIsAClosedOutput() async throws {
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let (read, write) = try #require(DescriptorChannel.pipe())
    let client = DescriptorChannel(input: -1, output: write, closing: true)
    let connection = Connection(
      channel: DescriptorChannel(input: read, output: full.fileDescriptor), router: router)
    connection.start()
    #expect(client.write(Array((request("1", "ping") + "\n").utf8)[...]))
    #expect(await connection.ended() == .outputClosed)
    try full.close()
  }
}
