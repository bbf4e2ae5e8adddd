import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC

/// Lists the contents of files.
struct Probe: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the contents of files: tracks, formats, chapters, tags.",
    discussion: """
      The summary is for people. --json prints an object for each file, with the values as the \
      protocol has them: times are exact, and names are those of protocol.md.
      """)

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  @Flag(help: "Print JSON, an object for each file.")
  var json = false

  @Flag(help: "Scan the files for exact durations where their headers don't state them.")
  var precise = false

  @Flag(help: "Print the duration of the readable part of a file that is cut short.")
  var salvage = false

  @Option(
    help: ArgumentHelp(
      "The character set of subtitles that aren't UTF-8, such as windows-1251; otherwise it is guessed.",
      valueName: "name"))
  var characterSet: String?

  @OptionGroup(title: "Numbered pictures") var images: ImageSequenceOptions
  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let types = try await client.call(EngineCapabilities()).fileTypes
    var failures = FileFailures()
    for (index, file) in files.enumerated() {
      do {
        let options = WireAssetOptions(
          preferPreciseDurationAndTiming: precise ? true : nil, salvage: salvage ? true : nil,
          characterSet: characterSet)
        let asset = try await client.open(file, options: options, images: images)
        let facts = try await ProbeFacts.load(file, asset, from: client)
        _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
        if json {
          try console.print(facts)
        } else {
          if index > 0 { try console.print() }
          let summary = ProbeSummary(facts: facts, types: types, style: console.style)
          try console.write(summary.text)
        }
      } catch let error as RPCError {
        // The others are still listed.
        failures.add(file, CommandError(error).inShell)
      }
    }
    if let error = failures.error({ "\($0) of \(files.count) files can't be read" }) { throw error }
  }
}
