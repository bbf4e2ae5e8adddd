import ArgumentParser
import EngineClient
import EngineMCP
import EngineServer
import EngineSupervisor
import Glibc
import JSONRPC
import Logging
import MediaEngine
import SystemIO

/// Serves one client of the Model Context Protocol on stdin and stdout until it goes away.
struct ModelContext: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Speak the Model Context Protocol on stdin and stdout, for agents.",
    discussion: """
      Each line is a message. There are tools that look into media (frames, sheets, cuts, waveforms, audio, \
      subtitles) and tools that make new files of it (export, join, compose). No file is ever overwritten. \
      The page docs/mcp.md has the configuration of clients.
      """)

  @Option(
    help: """
      A folder that all inputs and outputs must lie below; may be repeated. Relative paths begin at the first of \
      them.
      """)
  var root: [String] = []

  @Flag(help: "Leave out the tools that make files.")
  var readOnly = false

  @Option(help: "Minimum level of log lines on stderr: trace, debug, info, … critical.")
  var logLevel = Logger.Level.error

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds between reports of progress.", visibility: .hidden))
  var progressInterval = 1.0

  /// The folders, of which a shell has not expanded those that a configuration names.
  private var roots: [String] {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
    return root.map { path in
      guard let home, path == "~" || path.hasPrefix("~/") else { return path }
      return home + path.dropFirst()
    }
  }

  func validate() throws {
    try requireFolders(roots)
    guard (0...86_400).contains(progressInterval) else {
      throw ValidationError("--progress-interval has to be 0 to 86400")
    }
  }

  func run() async throws { throw CommandError("No worker process can be started") }

  /// The role of this process, and the folder that it shares with its workers.
  struct Role: Sendable {
    var engine: Serve.Role
    var folder: TemporaryFolder
  }

  /// The command line of the processes that work for this one: the folders that they may use, with their own.
  private func arguments(_ folder: TemporaryFolder) -> [String] {
    let roots = root.isEmpty ? [] : roots + [folder.path]
    return roots.flatMap { ["--root", $0] } + ["--log-level", logLevel.rawValue]
  }

  private func commandLine(_ folder: TemporaryFolder) -> [String] {
    [CommandLine.arguments.first ?? "reelwire", Serve.configuration.commandName ?? "serve"]
      + arguments(folder)
  }

  /// Decides the role of this process, as `serve` does.
  func takeRole() throws -> Role {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let folder = try TemporaryFolder(in: parent, name: "reelwire-mcp")
    let role = try Serve.parse(arguments(folder)).takeRole(arguments: commandLine(folder))
    return Role(engine: role, folder: folder)
  }

  func run(as role: Role) async throws {
    let engine = try Serve.parse(arguments(role.folder))
    switch role.engine {
    case .alone: try await run()
    case .worker: try await engine.run(as: role.engine)
    case .supervisor(let first, let shared):
      let output = try StandardOutput.claim()
      let supervisor = engine.makeSupervisor(
        first, shared, arguments: commandLine(role.folder))
      let client = try EngineClient(maximumMessageBytes: engine.maxMessageBytes) { channel in
        engine.makeConnection(to: supervisor, channel)
      }
      let channel = DescriptorChannel(input: STDIN_FILENO, output: output)
      await serve(client, channel, role.folder)
      role.folder.remove()
      // Not exit(): nothing that libraries registered to run at the end may delay it.
      _exit(StandardOutput.hasAll(of: channel) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  /// Serves until the client goes away, or a signal asks for the end.
  private func serve(
    _ client: EngineClient, _ channel: DescriptorChannel, _ folder: TemporaryFolder
  ) async {
    var options = MCPServer.Options(version: Engine.version, folder: folder)
    options.roots = roots
    options.isReadOnly = readOnly
    options.progressInterval = .milliseconds(Int(progressInterval * 1000))
    let server = MCPServer(client: client, channel: channel, options: options)
    let signals = TerminationSignals { _ in server.stop() }
    server.start()
    await server.ended()
    await client.close()
    signals.cancel()
  }
}
