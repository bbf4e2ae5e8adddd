import ArgumentParser
import Dispatch
import EngineServer
import Glibc
import SystemIO
import Terminal

struct Reelwire: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reelwire",
    abstract: "Inspect, cut, convert and decode media; serve it over JSON-RPC.",
    discussion: """
      Exit codes: 0, 1 when something failed, 2 when the command line is wrong, and 130 after Ctrl-C.
      """,
    version: Engine.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Files",
        subcommands: [
          Probe.self, Play.self, Record.self, Image.self, Sheet.self, Wave.self, Analyze.self,
          Export.self, Cut.self, Join.self, SubtitleCommands.self, Compose.self, Stills.self,
          Encode.self, Tags.self,
        ]),
      CommandGroup(name: "Folders", subcommands: [LibraryCommands.self]),
      CommandGroup(
        name: "The protocol",
        subcommands: [
          Serve.self, ModelContext.self, Call.self, Repl.self, Methods.self, Schema.self,
        ]),
      CommandGroup(
        name: "This program",
        subcommands: [Doctor.self, Completions.self, ProtocolTypes.self]),
    ])
}

@main
enum Main {
  static func main() {
    ProcessInformation.keepNiceness()
    // Before the first task, which has threads made.
    WebProcess.prepare()
    let role = serverRole()
    Task {
      await run(as: role)
      Glibc.exit(EXIT_SUCCESS)
    }
    dispatchMain()
  }

  /// The role of a server in this process.
  private enum ServerRole: Sendable {
    case none
    case engine(Serve.Role)
    case modelContext(ModelContext.Role)
  }

  /// The role of this process for `serve` or `mcp`; none for all other commands, and wrong ones.
  private static func serverRole() -> ServerRole {
    let servers = [Serve.configuration.commandName, ModelContext.configuration.commandName]
    guard servers.contains(CommandLine.arguments.dropFirst().first),
      let command = try? Reelwire.parseAsRoot(FileArguments.all)
    else { return .none }
    do {
      switch command {
      case let command as Serve: return .engine(try command.takeRole())
      case let command as ModelContext: return .modelContext(try command.takeRole())
      default: return .none
      }
    } catch {
      complain("reelwire: no worker process can be started: \(error)")
      Glibc.exit(1)
    }
  }

  private static func run(as role: ServerRole) async {
    do {
      try requireUTF8Arguments()
      try refuseUnknownCommand()
      var command = try Reelwire.parseAsRoot(FileArguments.all)
      if let command = command as? Serve, case .engine(let role) = role {
        try await command.run(as: role)
      } else if let command = command as? ModelContext, case .modelContext(let role) = role {
        try await command.run(as: role)
      } else if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      // Not exit(): nothing that libraries registered to run at the end may delay it.
      _exit(code.rawValue)
    } catch let error as CommandError {
      complain(error.lines(Style(isColored: Terminal.wantsColor(STDERR_FILENO))))
      Glibc.exit(2)
    } catch {
      let code = Reelwire.exitCode(for: error)
      // The contract's code for a wrong command line is 2, where the library has sysexits' 64.
      let name = CommandLineHints.nameLikeOptions
      if code == .success, let name, !CommandLineHints.asksForHelp {
        complain(
          "Error: '\(name)' begins with -, as options do\n  A file of that name is ./\(name)")
        Glibc.exit(2)
      }
      guard code == .validationFailure else { Reelwire.exit(withError: error) }
      let message = CommandLineHints.completing(Reelwire.fullMessage(for: error))
      complain(message + (name.map { "\n  A file of the name \($0) is ./\($0)" } ?? ""))
      Glibc.exit(2)
    }
  }

  /// An option that isn't UTF-8 would be repaired, and then name another file than the one that is
  /// meant; of names alone that is (``FileArguments``).
  private static func requireUTF8Arguments() throws {
    for (index, text) in CommandLine.arguments.enumerated().dropFirst() where text.hasPrefix("-") {
      guard let bytes = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: bytes) == nil
      else { continue }
      throw CommandError.usage(
        "'\(text)' isn't UTF-8, and nothing else can be asked for",
        hint: "Rename the file, or make a link to it under another name.")
    }
  }

  private static func complain(_ text: String) {
    writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
  }

  /// The library would only report an unexpected argument.
  private static func refuseUnknownCommand() throws {
    let words = CommandLine.arguments.dropFirst()
    guard let word = words.first, !word.hasPrefix("-") else { return }
    if word == "help" { return try refuseHelp(about: words.dropFirst(), in: Reelwire.self) }
    let known = names(of: Reelwire.self) + ["help"]
    guard !known.contains(word), word != ProtocolTypes.configuration.commandName else { return }
    if let advice = CommandLineHints.forCommand(word) {
      throw CommandError.usage("There is no command '\(word)'", hint: advice)
    }
    throw CommandError.unknown(
      "command", word, among: known, else: "There are \(known.joined(separator: ", ")).")
  }

  /// The library would print the general help.
  private static func refuseHelp(
    about words: ArraySlice<String>, in command: any ParsableCommand.Type
  ) throws {
    guard let word = words.first, !word.hasPrefix("-") else { return }
    let commands = command.configuration.subcommands
    if let known = commands.first(where: { name(of: $0) == word }) {
      return try refuseHelp(about: words.dropFirst(), in: known)
    }
    if command == Reelwire.self, word == "help" { return }
    let known = names(of: command)
    throw CommandError.unknown(
      "command", word, among: known,
      else: known.isEmpty
        ? "'\(name(of: command))' has no commands of its own."
        : "There are \(known.joined(separator: ", ")).")
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { name(of: $0) }
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? "\(command)".lowercased()
  }
}
