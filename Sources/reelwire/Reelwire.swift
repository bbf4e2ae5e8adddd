import ArgumentParser
import EngineServer
import Glibc

struct Reelwire: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reelwire",
    abstract: "Looks into media, cuts it, converts it and reads its samples, over JSON-RPC.",
    version: Version.current,
    subcommands: [Serve.self, ProtocolTypes.self])
}

enum Version {
  static let current = "0.1.0"
}

@main
enum Main {
  static func main() async {
    do {
      var command = try Reelwire.parseAsRoot()
      if var serve = command as? any AsyncParsableCommand {
        try await serve.run()
      } else {
        try command.run()
      }
    } catch {
      let code = Reelwire.exitCode(for: error)
      // The contract's code for a wrong command line is 2, where the library has sysexits' 64.
      guard code == .validationFailure else { Reelwire.exit(withError: error) }
      writeAll(Array((Reelwire.fullMessage(for: error) + "\n").utf8), to: STDERR_FILENO)
      Glibc.exit(2)
    }
  }
}
