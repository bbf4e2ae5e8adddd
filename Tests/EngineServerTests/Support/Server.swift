import EngineServer
import Foundation
import Glibc
import JSONRPC
import LibAV
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The two ways in which the tests reach the same server.
enum Transport: String, CaseIterable, Sendable {
  /// In the test's own process, over pipes.
  case inProcess
  /// The built binary.
  case binary
}

/// A test's differences from the default options.
struct ServerOptions: Sendable {
  var sharedMemory: Int?
  var spoolLimit: Int64?
  var roots: [String] = []
  var logLevel: String?
  /// Sources in the place of files; in process only.
  var openSource: (@Sendable (String) throws(SystemError) -> any ByteSource)?

  fileprivate var arguments: [String] {
    var all: [String] = []
    if let sharedMemory { all += ["--shm-max", "\(sharedMemory)"] }
    if let spoolLimit { all += ["--spool-max", "\(spoolLimit)"] }
    for root in roots { all += ["--root", root] }
    if let logLevel { all += ["--log-level", logLevel] }
    return all
  }
}

private final class Holder: Sendable {
  private let connection: Mutex<Connection?>
  init(_ connection: Connection) { self.connection = Mutex(connection) }
  func take() -> Connection? { connection.withLock { $0.take() } }
}

/// A running server: the two ends of its stream, and how it ended.
struct Server: Sendable {
  var input: Int32
  var output: Int32
  /// The binary's process; nil in the test's own.
  var child: Child?
  /// The bytes that the binary wrote to stderr.
  var errors: Task<[UInt8], Never>?
  /// Waits for the end; the binary's exit code, 0 in process when it ended with its input.
  var ended: @Sendable () async -> Int32

  static func start(_ transport: Transport, _ options: ServerOptions) throws -> Server {
    signal(SIGPIPE, SIG_IGN)
    switch transport {
    case .inProcess: return try startHere(options)
    case .binary: return try startBinary(options.arguments)
    }
  }

  private static let isPrepared: Bool = {
    EngineHost.prepare()
    return true
  }()

  private static func startHere(_ options: ServerOptions) throws -> Server {
    try #require(isPrepared)
    let (there, back) = try spawnLock.withLock { _ in (try pipe(), try pipe()) }
    var engineOptions = Engine.Options()
    if let size = options.sharedMemory { engineOptions.engine.sharedMemory = size }
    if let limit = options.spoolLimit { engineOptions.engine.spoolLimit = limit }
    engineOptions.engine.roots = options.roots
    if let openSource = options.openSource {
      engineOptions.engine.openSource = { (path, _) throws(SystemError) in try openSource(path) }
    }
    let engine = Engine(options: engineOptions)
    var configuration = ConnectionConfiguration()
    configuration.errorMapper = responseError
    configuration.drainAtEnd = .milliseconds(500)
    configuration.onEnd = { _ in
      engine.end()
      await engine.workEnded()
    }
    let connection = Connection(
      channel: DescriptorChannel(input: there.read, output: back.write, closing: true),
      router: engine.makeRouter(), configuration: configuration)
    connection.start()
    // Let go of at the end: the connection closes its descriptors with itself.
    let holder = Holder(connection)
    return Server(
      input: there.write, output: back.read,
      ended: { await holder.take()?.ended() == .endOfInput ? 0 : 1 })
  }

  /// Starts the binary that was built along with the tests.
  static func startBinary(
    _ arguments: [String], prefix: [String] = []
  ) throws -> Server {
    let (child, input, output, errors) = try spawnLock.withLock { _ in
      let (stdin, stdout, stderr) = (try pipe(), try pipe(), try pipe())
      let child = try Child(
        prefix + [binaryPath, "serve"] + arguments,
        files: [(stdin.read, 0), (stdout.write, 1), (stderr.write, 2)])
      for end in [stdin.read, stdout.write, stderr.write] { close(end) }
      return (child, stdin.write, stdout.read, stderr.read)
    }
    return Server(
      input: input, output: output, child: child, errors: Task { await readAll(errors) },
      ended: { await child.wait() })
  }

  /// Next to the test bundle, in the build folder.
  static let binaryPath: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let candidates = [
      own, CommandLine.arguments.first ?? "",
      CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        ?? "",
    ].map { ($0 as NSString).deletingLastPathComponent + "/reelwire" }
    let packageFolder = (0..<4).reduce(#filePath) { path, _ in
      (path as NSString).deletingLastPathComponent
    }
    let all = candidates + ["\(packageFolder)/.build/debug/reelwire"]
    return all.first(where: FileManager.default.isExecutableFile(atPath:)) ?? "reelwire"
  }()
}
