import ArgumentParser
import Dispatch
import EngineServer
import Glibc
import JSONRPC
import Logging
import MediaEngine

/// Serves one caller on stdin and stdout until it goes away.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Speak JSON-RPC 2.0 on stdin and stdout.",
    discussion: """
      Each line is a message, or each message has Content-Length headers: the first one decides. \
      The protocol is described in protocol.md; rpc.discover answers with its OpenRPC document.
      """)

  @Option(help: "How messages are separated: lines, headers or auto.")
  var framing = FramingMode.auto

  @Option(help: "A folder that all inputs and outputs must lie below; may be repeated.")
  var root: [String] = []

  @Option(help: "A demuxer to allow beside the usual ones, by FFmpeg's name; may be repeated.")
  var format: [String] = []

  @Option(help: "Bytes that one message may have.")
  var maxMessageBytes = 64 << 20

  @Option(help: "Bytes of shared memory that may be leased at a time.")
  var shmMax = 512 << 20

  @Option(
    help: "Bytes that media which comes in order only may take in a temporary file (TMPDIR, /tmp).")
  var spoolMax: Int64 = 4 << 30

  @Option(help: "Seconds that unanswered requests may go on after stdin has ended.")
  var drain = 0.5

  @Option(help: "From which level on log lines go to stderr: trace, debug, info, … critical.")
  var logLevel = Logger.Level.error

  @Flag(
    help: ArgumentHelp(
      "Index a part of a file wherever that does, however small the file is.",
      visibility: .hidden))
  var alwaysIndexWindows = false

  func validate() throws {
    guard maxMessageBytes >= 1024 else {
      throw ValidationError("--max-message-bytes has to be 1024 at least")
    }
    guard (0...86_400).contains(drain) else {
      throw ValidationError("--drain has to be 0 to 86400")
    }
    guard spoolMax >= 0 else { throw ValidationError("--spool-max has to be 0 at least") }
    guard shmMax >= 1 << 20 else { throw ValidationError("--shm-max has to be 1048576 at least") }
  }

  func run() async throws {
    // Before anything can write: from here on fd 1 is stderr, and only the connection has stdout.
    let output = try StandardOutput.claim()
    try requireCompatibleLibraries()
    EngineHost.prepare()
    EngineHost.boundHeap()

    let log = LogRelay(level: logLevel)
    log.relayLibraryLog()
    let engine = Engine(options: engineOptions, log: log)
    let channel = DescriptorChannel(input: STDIN_FILENO, output: output)
    let unfinished = ExitCodeBox()
    let connection = Connection(
      channel: channel, router: engine.makeRouter(),
      configuration: connectionConfiguration(engine, unfinished))
    let signals = TerminationSignals { _ in connection.stop() }
    connection.start()
    let reason = await connection.ended()
    signals.cancel()
    log.logger(label: "serve").debug("the connection ended: \(reason)")
    // Not exit(): nothing that libraries registered to run at the end may delay it.
    _exit(unfinished.hadExports && (reason == .endOfInput || reason == .exit) ? 1 : 0)
  }

  private var engineOptions: Engine.Options {
    var options = Engine.Options()
    options.engine.roots = root
    options.engine.additionalFormats = format
    options.engine.sharedMemory = shmMax
    options.engine.spoolLimit = spoolMax
    options.engine.alwaysIndexesWindows = alwaysIndexWindows
    options.maximumMessageBytes = maxMessageBytes
    options.version = Version.current
    return options
  }

  private func connectionConfiguration(
    _ engine: Engine, _ unfinished: ExitCodeBox
  ) -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    configuration.framing = framing
    configuration.maximumMessageBytes = maxMessageBytes
    configuration.errorMapper = responseError
    // `printf … | reelwire serve` ends its input at once and still wants its answers.
    configuration.drainAtEnd = .milliseconds(Int(drain * 1000))
    configuration.onEnd = { _ in
      unfinished.hadExports = engine.hasUnfinishedExports
      engine.end()
      await engine.workEnded()
    }
    return configuration
  }

  private func requireCompatibleLibraries() throws {
    for library in EngineHost.libraries where library.compiledMajor != library.runTimeMajor {
      let message =
        "reelwire: \(library.name) \(library.runTimeMajor) was found, but \(library.compiledMajor) "
        + "was built against; build again on this machine\n"
      writeAll(Array(message.utf8), to: STDERR_FILENO)
      _exit(3)
    }
  }
}

extension FramingMode: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
