import Dispatch
import EngineProtocol
import Glibc
import JSONRPC
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import EngineSupervisor

/// A worker that the test plays: a connection in this process, and a process that does nothing.
final class PlayedWorker: Sendable {
  let connection: Connection
  let started: StartedWorker
  private let socket: Int32
  private let isDead = Mutex(false)

  /// - Parameter register: adds the handlers of its requests.
  init(_ register: (inout Router) -> Void) throws {
    // The other end may be closed first.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    socket = ends[0]
    started = StartedWorker(process: try Self.idleProcess(), descriptor: ends[1])
    var router = Router()
    register(&router)
    router.onReader(WorkerMessages.End.self) { _, _ in }
    router.onReader(WorkerMessages.Hold.self) { hold, context in
      context.connection.holdFollowing(hold.request)
    }
    router.onReader(WorkerMessages.Release.self) { release, context in
      context.connection.releaseFollowing(release.request)
    }
    router.onReader(WorkerMessages.Ping.self) { _, _ in EmptyResult() }
    router.onReader(WorkerMessages.DidPassOn.self) { credit, context in
      context.connection.acknowledge(credit.bytes)
    }
    var configuration = ConnectionConfiguration()
    configuration.framing = .headers
    configuration.isRelayed = true
    connection = Connection(
      channel: DescriptorChannel(input: socket, output: socket, closing: true), router: router,
      configuration: configuration)
    connection.start()
    Task { [connection, self] in
      _ = await connection.ended()
      die()
    }
    // The socket of a process that was killed is closed. This worker lasts until then: the number of its
    // descriptor would be another worker's by now.
    DispatchQueue(label: "test.worker").async { [self] in
      _ = ProcessInformation.waitForExit(of: started.process.pid)
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Ends as a process does that is killed.
  func die() {
    // Once: the supervisor waits for a process that has ended, and its number may be another process's then.
    let isFirst = isDead.withLock { isDead in
      defer { isDead = true }
      return !isDead
    }
    if isFirst { started.process.send(SIGKILL) }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// `cat`, which ends with this process at the latest.
  private static func idleProcess() throws -> ChildProcess {
    let pipe = try #require(DescriptorChannel.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.read, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("cat"), nil]
    defer { free(arguments[0]) }
    var pid: pid_t = 0
    try #require(posix_spawnp(&pid, "cat", &actions, nil, &arguments, environ) == 0)
    close(pipe.read)
    return ChildProcess(pid: pid)
  }
}

/// A supervisor with the caller that the test is.
final class SupervisedCaller: Sendable {
  let supervisor: Supervisor
  let connection: Connection
  private let channel: DescriptorChannel
  private let reader: Reader

  /// Reads messages, one at a time, on a thread of its own.
  private actor Reader {
    private let channel: DescriptorChannel
    private var framing = Framing(mode: .lines)

    init(_ channel: DescriptorChannel) { self.channel = channel }

    func next() async throws -> JSONValue {
      while true {
        if case .message(let bytes)? = framing.next() { return try JSONValue(parsing: bytes) }
        let read = await withCheckedContinuation { continuation in
          BlockingRead.begin(channel) { continuation.resume(returning: $0) }
        }
        try #require(!read.isEmpty, "the connection has ended")
        framing.feed(read)
      }
    }
  }

  convenience init(
    _ requests: [any EngineRequest.Type], unreadLimit: Int = 512 << 20,
    start: @escaping @Sendable () throws -> StartedWorker
  ) throws {
    try self.init(requests, unreadLimit: unreadLimit, startingFor: { _ in try start() })
  }

  init(
    _ requests: [any EngineRequest.Type], unreadLimit: Int = 512 << 20, deviceIdleTime: Double = 60,
    startingFor start: @escaping @Sendable (Confinement.Purpose) throws -> StartedWorker
  ) throws {
    let (server, caller) = try #require(DescriptorChannel.pair())
    channel = caller
    reader = Reader(caller)
    var options = Supervisor.Options(requests: requests, start: start)
    options.unreadLimit = unreadLimit
    options.deviceIdleTime = deviceIdleTime
    supervisor = Supervisor(options)
    var configuration = ConnectionConfiguration()
    configuration.framing = .lines
    connection = Connection(
      channel: server, router: supervisor.makeRouter(), configuration: configuration)
    supervisor.attach(connection)
    connection.start()
  }

  func send(_ id: Int, _ method: String, _ params: String = "{}") throws {
    let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
    try #require(channel.write(Array(text.utf8)[...]))
  }

  func next() async throws -> JSONValue { try await reader.next() }

  /// The answer to a request, which comes next.
  func ask(_ id: Int, _ method: String, _ params: String = "{}") async throws -> JSONValue {
    try send(id, method, params)
    let answer = try await next()
    try #require(answer["id"]?.integerValue == id)
    return answer
  }

  /// Ends the workers; until then a process stays for each.
  func end() async {
    await supervisor.end(within: 60)
    connection.stop()
    _ = await connection.ended()
  }
}

private enum BlockingRead {
  static func begin(_ channel: DescriptorChannel, _ take: @escaping @Sendable ([UInt8]) -> Void) {
    DispatchQueue(label: "test.caller").async {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      guard case .bytes(let count) = channel.read(into: &buffer) else { return take([]) }
      take(Array(buffer[..<count]))
    }
  }
}
