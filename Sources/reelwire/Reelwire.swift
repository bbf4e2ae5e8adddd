import ArgumentParser

@main
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
