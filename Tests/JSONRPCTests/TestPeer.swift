import Dispatch
import Glibc
import JSONRPC
import Synchronization
import Testing

/// The other end of a connection: writes bytes, reads messages, never blocks the test's own thread.
final class TestPeer: Sendable {
  let connection: Connection
  private let output: Mutex<DescriptorChannel?>
  private let input: Mutex<DescriptorChannel?>
  private let replies: AsyncStream<[UInt8]>
  private let continuation: AsyncStream<[UInt8]>.Continuation
  private let framing: FramingMode
  private let writer = DispatchQueue(label: "test.writer")

  init(
    _ router: Router, _ configuration: ConnectionConfiguration = .init(),
    framing: FramingMode = .lines, reading: Bool = true
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    let there = try #require(DescriptorChannel.pipe())
    let back = try #require(DescriptorChannel.pipe())
    let server = DescriptorChannel(input: there.read, output: back.write, closing: true)
    connection = Connection(channel: server, router: router, configuration: configuration)
    output = Mutex(DescriptorChannel(input: -1, output: there.write, closing: true))
    input = Mutex(DescriptorChannel(input: back.read, output: -1, closing: true))
    self.framing = framing
    (replies, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    connection.start()
    if reading { startReading() }
  }

  func startReading() {
    guard let channel = input.withLock({ $0.take() }) else { return }
    DispatchQueue(label: "test.reader").async { [continuation, framing] in
      var parser = Framing(mode: framing)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case .bytes(let count) = channel.read(into: &buffer) {
        parser.feed(buffer[..<count])
        while let event = parser.next() {
          if case .message(let bytes) = event { continuation.yield(bytes) }
        }
      }
      continuation.finish()
    }
  }

  /// Writes on a thread of its own, in order.
  func send(_ text: String) { send([UInt8](text.utf8)) }

  func send(_ bytes: [UInt8]) {
    writer.async { [self] in
      _ = output.withLock { $0 }?.write(bytes[...])
    }
  }

  /// Sends one line.
  func line(_ text: String) { send(text + "\n") }

  /// Ends the server's input, after all that was sent.
  func closeOutput() {
    writer.async { [self] in output.withLock { $0 = nil } }
  }

  /// Goes away as a reader; only for a peer that isn't reading.
  func closeInput() {
    writer.async { [self] in input.withLock { $0 = nil } }
  }

  func close() {
    closeOutput()
    closeInput()
  }

  /// The next message as text, nil when the connection was closed.
  func next() async -> String? {
    for await bytes in replies { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }

  func nextJSON() async throws -> JSONValue {
    try JSONValue(parsing: try #require(await next()))
  }
}
