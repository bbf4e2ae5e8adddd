import ArgumentParser
import Dispatch
import EngineServer
import EngineSupervisor
import Glibc
import JSONRPC
import Logging
import MediaEngine
import MediaLibrary
import SystemIO

/// Serves one caller on stdin and stdout until it goes away.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Speak JSON-RPC 2.0 on stdin and stdout.",
    discussion: """
      Each line is a message, or each message has Content-Length headers: the first one decides. \
      The protocol is described in protocol.md; rpc.discover answers with its OpenRPC document.
      """)

  @Option(help: "The framing of messages: lines, headers or auto.")
  var framing = FramingMode.auto

  @Option(help: "A folder that all inputs and outputs must lie below; may be repeated.")
  var root: [String] = []

  @Option(help: "An additional demuxer to allow, by FFmpeg's name; may be repeated.")
  var format: [String] = []

  @Option(
    parsing: .unconditional, help: "Maximum number of streams of a file that is opened, up to 1000."
  )
  var maxStreams: Int32 = 256

  @Option(parsing: .unconditional, help: "Maximum size of a message, in bytes.")
  var maxMessageBytes = 64 << 20

  @Option(parsing: .unconditional, help: "Bytes of shared memory that may be leased at a time.")
  var shmMax = 512 << 20

  @Option(
    parsing: .unconditional,
    help: "Bytes that media which comes in order only may take in a temporary file (TMPDIR, /tmp).")
  var spoolMax: Int64 = 4 << 30

  @Option(
    parsing: .unconditional,
    help: "Seconds that unanswered requests may continue after stdin has ended.")
  var drain = 0.5

  @Option(help: "Minimum level of log lines on stderr: trace, debug, info, … critical.")
  var logLevel = Logger.Level.error

  @Flag(
    inversion: .prefixedNo,
    help:
      "Work on media in worker processes, so that a crash of one ends nothing else.")
  var isolation = true

  @Option(
    parsing: .unconditional,
    help: "Bytes of address space that each of these processes may take; 0 for no limit.")
  var workerMemory = 0

  @Option(
    parsing: .unconditional,
    help: "Bytes that a file which these processes write may have; 0 for no limit.")
  var workerFileSize = 0

  @Option(
    parsing: .unconditional,
    help:
      "Seconds that cancelled work may continue before its process is ended; 0 = never.")
  var workerDeadline = 60.0

  @Option(
    parsing: .unconditional,
    help:
      "Seconds that a process may do nothing while a decoder in it has work before it is ended; 0 = never."
  )
  var workerStall = 20.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that such a process may read nothing before it is asked whether it does, and killed after as long again.",
      visibility: .hidden))
  var workerPatience = 10.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that requests of a closed object may continue before they are cancelled.",
      visibility: .hidden))
  var closingGrace = 0.3

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that nothing may happen in a library's folder before it is looked at, and between reports of changes.",
      visibility: .hidden))
  var watchDelay = 0.5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds between scans of a library's folders where the system reports no changes.",
      visibility: .hidden))
  var watchInterval = 300.0

  @Option(
    help:
      "The devices that may be captured: camera, microphone and screen, with commas between, or all."
  )
  var allowCapture: CapturePermissions?

  @Flag(help: ArgumentHelp("Be such a process.", visibility: .hidden))
  var asWorker = false

  @Flag(
    help: ArgumentHelp("Be such a process for devices, which opens no media.", visibility: .hidden))
  var forDevices = false

  @Flag(
    help: ArgumentHelp(
      "Index a part of a file wherever that does, however small the file is.",
      visibility: .hidden))
  var alwaysIndexWindows = false

  func validate() throws {
    // A worker's were checked, and it may see none of them.
    if !asWorker { try requireFolders(root) }
    guard maxMessageBytes >= 1024 else {
      throw ValidationError("--max-message-bytes has to be 1024 at least")
    }
    guard (0...86_400).contains(drain) else {
      throw ValidationError("--drain has to be 0 to 86400")
    }
    guard workerMemory == 0 || workerMemory >= 1 << 30 else {
      throw ValidationError("--worker-memory has to be 1073741824 at least, or 0")
    }
    guard workerFileSize == 0 || workerFileSize >= 1 << 16 else {
      throw ValidationError("--worker-file-size has to be 65536 at least, or 0")
    }
    guard workerDeadline == 0 || (0.05...86_400).contains(workerDeadline) else {
      throw ValidationError("--worker-deadline has to be 0.05 to 86400, or 0")
    }
    guard workerStall == 0 || (0.05...86_400).contains(workerStall) else {
      throw ValidationError("--worker-stall has to be 0.05 to 86400, or 0")
    }
    for (name, seconds) in [
      ("--worker-patience", workerPatience), ("--closing-grace", closingGrace),
      ("--watch-delay", watchDelay), ("--watch-interval", watchInterval),
    ] where !(0.01...86_400).contains(seconds) {
      throw ValidationError("\(name) has to be 0.01 to 86400")
    }
    guard (1...1000).contains(maxStreams) else {
      throw ValidationError("--max-streams has to be from 1 to 1000")
    }
    guard spoolMax >= 0 else { throw ValidationError("--spool-max has to be 0 at least") }
    guard shmMax >= 1 << 20 else { throw ValidationError("--shm-max has to be 1048576 at least") }
  }

  func run() async throws { try await run(as: .alone) }

  func run(as role: Role) async throws {
    switch role {
    case .alone: try await serve()
    case .supervisor(let first, let numbers): try await supervise(first, numbers)
    case .worker(let socket, let numbers, let confinement):
      await work(socket, numbers, confinement)
    }
  }

  /// The whole server in this process.
  private func serve() async throws {
    // Before anything can write: from here on fd 1 is stderr, and only the connection has stdout.
    let output = try StandardOutput.claim()
    requireCompatibleLibraries()
    let (engine, log) = makeEngine(engineOptions)
    if workerStall > 0 {
      EngineHost.watchForStalls(after: workerStall) {
        // Its threads can't be ended, and this process is the whole server.
        log.logger(label: "serve").error(
          "a decoder has stalled: its request isn't answered until it is cancelled, and its object can't be used; other requests continue"
        )
        return true
      }
    }
    let unfinished = SharedFlag()
    var configuration = callerConfiguration
    configuration.onEnd = end(of: engine, unfinished)
    let channel = DescriptorChannel(input: STDIN_FILENO, output: output)
    let connection = Connection(
      channel: channel, router: engine.makeRouter(), configuration: configuration)
    let reason = await endOfServing(connection)
    log.logger(label: "serve").debug("the connection ended: \(reason)")
    end(reason, channel, hadExports: unfinished.isSet)
  }

  /// Serves the caller from this process; worker processes touch the media.
  private func supervise(_ first: StartedWorker, _ shared: SharedMemories) async throws {
    let output = try StandardOutput.claim()
    let supervisor = makeSupervisor(first, shared)
    let channel = DescriptorChannel(input: STDIN_FILENO, output: output)
    let reason = await endOfServing(makeConnection(to: supervisor, channel))
    end(reason, channel, hadExports: supervisor.hadExports)
  }

  /// - Parameter arguments: the command line of the processes that are started later.
  func makeSupervisor(
    _ first: StartedWorker, _ shared: SharedMemories, arguments: [String] = CommandLine.arguments
  ) -> Supervisor {
    var options = Supervisor.Options(requests: Engine.requests) { purpose in
      try Self.startWorker(shared, purpose, arguments)
    }
    options.first = first
    options.path = { EngineHost.path(of: $0) }
    options.timeout = workerPatience
    options.closingGrace = closingGrace
    options.rings = shared.rings
    return Supervisor(options)
  }

  func makeConnection(to supervisor: Supervisor, _ channel: DescriptorChannel) -> Connection {
    var configuration = callerConfiguration
    // The workers answer requests that are cancelled; this is for one that can't.
    configuration.cancellationGrace = .seconds(5)
    configuration.endTimeout = .milliseconds(900)
    configuration.onEnd = { _ in await supervisor.end(within: 0.85) }
    let connection = Connection(
      channel: channel, router: supervisor.makeRouter(), configuration: configuration)
    supervisor.attach(connection)
    return connection
  }

  /// The side of the media.
  private func work(
    _ socket: Int32, _ shared: SharedMemories, _ confinement: Confinement
  ) async {
    var options = engineOptions
    options.numbers = shared.numbers
    if let rings = shared.rings, !forDevices {
      options.audioOutputs = { RelayedOutputs(rings: rings, connection: $0) }
    }
    options.confinement = confinement
    options.isForDevices = forDevices
    let (engine, _) = makeEngine(options)
    if workerDeadline > 0 {
      EngineHost.watchForHangs(after: workerDeadline) { _exit(WorkerExit.hung) }
    }
    if workerStall > 0 {
      EngineHost.watchForStalls(after: workerStall) { _exit(WorkerExit.stalled) }
    }
    let unfinished = SharedFlag()
    var configuration = ConnectionConfiguration()
    configuration.framing = .headers
    configuration.isRelayed = true
    configuration.maximumMessageBytes = .max
    configuration.errorMapper = responseError
    let endsInOrder = SharedFlag()
    let endWork = end(of: engine, unfinished)
    configuration.onEnd = { reason in
      // The supervisor was killed: everything is left as it would be had this been killed, too.
      if reason == .endOfInput, !endsInOrder.isSet { _exit(0) }
      await endWork(reason)
    }
    var router = engine.makeRouter()
    router.onReader(WorkerMessages.End.self) { _, _ in endsInOrder.isSet = true }
    router.onReader(WorkerMessages.Hold.self) { hold, context in
      context.connection.holdFollowing(hold.request)
    }
    router.onReader(WorkerMessages.Release.self) { release, context in
      context.connection.releaseFollowing(release.request)
    }
    router.onReader(WorkerMessages.DidPassOn.self) { credit, context in
      context.connection.acknowledge(credit.bytes)
    }
    if forDevices, let rings = shared.rings {
      router.onReader(WorkerMessages.OpenOutput.self) { request, _ in
        guard
          let ring = rings.ring(
            numbered: request.ring, channels: request.channels, sampleRate: request.sampleRate)
        else { return }
        ServerOutputs.play(ring, on: request.device, sampleRate: request.sampleRate)
      }
    }
    router.onReader(WorkerMessages.Ping.self) { _, _ in EmptyResult() }
    router.onReader(WorkerMessages.CopyAsset.self) { copy, _ in
      engine.open(copy.opening, as: copy.handle)
      return EmptyResult()
    }
    router.on(WorkerMessages.LocateItem.self) { request, _ in
      WorkerMessages.LocateItem.Result(url: try await engine.location(ofItemIn: request.opening))
    }
    let connection = Connection(
      channel: DescriptorChannel(input: socket, output: socket, closing: true),
      router: router, configuration: configuration)
    connection.start()
    let reason = await connection.ended()
    if reason == .overloaded { _exit(WorkerExit.overloaded) }
    _exit(unfinished.isSet ? WorkerExit.unfinished : 0)
  }

  private func makeEngine(_ options: Engine.Options) -> (Engine, LogRelay) {
    EngineHost.prepare()
    EngineHost.boundHeap()
    let log = LogRelay(level: logLevel)
    log.relayLibraryLog()
    return (Engine(options: options, log: log), log)
  }

  /// Serves until the caller goes away, or a signal asks for the end.
  private func endOfServing(_ connection: Connection) async -> Connection.EndReason {
    let signals = TerminationSignals { _ in connection.stop() }
    connection.start()
    let reason = await connection.ended()
    signals.cancel()
    return reason
  }

  private func end(
    _ reason: Connection.EndReason, _ channel: DescriptorChannel, hadExports: Bool
  ) -> Never {
    let isComplete = StandardOutput.hasAll(of: channel)
    // A signal asks for the end of exports, too.
    let isUnfinished = hadExports && reason != .requested
    // Not exit(): nothing that libraries registered to run at the end may delay it.
    _exit(isComplete && !isUnfinished ? 0 : 1)
  }

  private var engineOptions: Engine.Options {
    var options = Engine.Options()
    options.engine.roots = root
    options.capturePermissions = allowCapture?.permissions ?? []
    options.captureHardware = MachineDevices()
    options.engine.additionalFormats = format
    options.engine.maximumStreams = maxStreams
    options.engine.sharedMemory = shmMax
    options.engine.spoolLimit = spoolMax
    options.engine.alwaysIndexesWindows = alwaysIndexWindows
    options.watch.delay = .milliseconds(Int(watchDelay * 1000))
    options.watch.interval = .milliseconds(Int(watchInterval * 1000))
    options.maximumMessageBytes = maxMessageBytes
    return options
  }

  private var callerConfiguration: ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    configuration.framing = framing
    configuration.maximumMessageBytes = maxMessageBytes
    configuration.errorMapper = responseError
    // `printf … | reelwire serve` ends its input at once and still wants its answers.
    configuration.drainAtEnd = .milliseconds(Int(drain * 1000))
    return configuration
  }

  private func end(
    of engine: Engine, _ unfinished: SharedFlag
  ) -> @Sendable (Connection.EndReason) async -> Void {
    { _ in
      unfinished.isSet = engine.hasUnfinishedExports
      engine.end()
      await engine.workEnded()
    }
  }

  private func requireCompatibleLibraries() {
    for library in EngineHost.libraries where library.compiledMajor != library.runTimeMajor {
      let message =
        "reelwire: \(library.name) \(library.runTimeMajor) was found, but \(library.compiledMajor) "
        + "was built against; build again on this machine\n"
      writeAll(Array(message.utf8), to: STDERR_FILENO)
      _exit(3)
    }
  }
}

extension ParsableCommand {
  /// - Throws: for a folder of `--root` that can't be opened, from which every path would be refused.
  func requireFolders(_ roots: [String]) throws {
    for root in roots where (try? FolderReader(path: Array(root.utf8), below: [])) == nil {
      throw ValidationError("--root '\(root)' is no folder that can be opened")
    }
  }
}

extension Serve {
  /// The role of this process.
  enum Role: Sendable {
    case alone
    case supervisor(StartedWorker, SharedMemories)
    /// With the socket to the supervisor.
    case worker(Int32, SharedMemories, Confinement)
  }

  /// The memory that the processes of an engine share.
  struct SharedMemories: Sendable {
    let numbers: HandleNumbers
    /// Nil where there is none for them: players have no audio server then.
    let rings: AudioRings?
  }

  /// Decides the role of this process, and divides it in two where work is to be done apart.
  ///
  /// Only before there is a second thread: the worker begins with the libraries that are loaded already, in a
  /// millisecond, where a new process needs thirty.
  ///
  /// - Parameter arguments: the command line of the processes that are started later.
  func takeRole(arguments: [String] = CommandLine.arguments) throws -> Role {
    if asWorker {
      let confinement = beginWorker()
      guard let numbers = HandleNumbers(descriptor: 4) else {
        throw ValidationError("--as-worker is for the program itself")
      }
      let shared = SharedMemories(numbers: numbers, rings: AudioRings(descriptor: 5))
      return .worker(3, shared, confinement)
    }
    guard isolation else { return .alone }
    StandardOutput.reserveDescriptors()
    requireCompatibleLibraries()
    guard let numbers = HandleNumbers() else { return .alone }
    let shared = SharedMemories(numbers: numbers, rings: AudioRings())
    let sockets = try SocketPair()
    do {
      guard let process = try ChildProcess.fork() else {
        sockets.closeOurs()
        return .worker(sockets.theirs, shared, beginWorker())
      }
      sockets.closeTheirs()
      return .supervisor(StartedWorker(process: process, descriptor: sockets.ours), shared)
    } catch {
      sockets.closeOurs()
      sockets.closeTheirs()
      return .supervisor(try Self.startWorker(shared, .media, arguments), shared)
    }
  }

  private func beginWorker() -> Confinement {
    WorkerProcess.begin(name: forDevices ? "reelwire device" : "reelwire worker")
    return Confinement.begin(
      forDevices ? .devices : .media,
      opensCameras: allowCapture?.permissions.contains(.camera) ?? false, folders: root,
      memory: workerMemory, fileSize: workerFileSize)
  }

  /// Starts this program once more, as a worker.
  private static func startWorker(
    _ shared: SharedMemories, _ purpose: Confinement.Purpose, _ arguments: [String]
  ) throws -> StartedWorker {
    let sockets = try SocketPair()
    defer { sockets.closeTheirs() }
    do {
      let process = try ChildProcess.again(
        arguments + ["--as-worker"] + (purpose == .devices ? ["--for-devices"] : []),
        descriptors: [sockets.theirs, shared.numbers.descriptor]
          + (shared.rings.map { [$0.descriptor] } ?? []))
      return StartedWorker(process: process, descriptor: sockets.ours)
    } catch {
      sockets.closeOurs()
      throw error
    }
  }
}

extension FramingMode: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
