import ArgumentParser
import EngineClient
import EngineProtocol
import Terminal

/// Makes a film of a document that describes it.
struct Compose: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a file of a timeline, a sequence or a document of OpenTimelineIO.",
    discussion: """
      A sequence is a JSON object with clips, which are shown one after the other: \
      {"clips": [{"url": "a.mp4", "timeRange": {"start": 2, "duration": 5}}, {"url": "b.mp4"}]}. \
      Relative paths begin at the folder of the document. What of a document of OpenTimelineIO \
      can't be shown is listed. Volumes over time, and what is on top of what, take effect in a later \
      version.

      Without -o the timeline that the document describes is printed, which has all parts with their \
      exact times, and can be edited and composed again. The options are those of export: what they \
      leave open suits the type of the file, and --preset Passthrough copies samples, where the parts \
      can be joined.
      """)

  @Argument(
    help: "The document; - is stdin.", completion: .file(extensions: ["json", "otio"]))
  var document: String

  @Option(
    name: [.customShort("o"), .customLong("output")], help: NewFileOptions.targetHelp,
    completion: .file())
  var target: String?

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var joining: JoinOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { target.map(newFile.newFiles) ?? [] }

  func validate() throws {
    if let target {
      try newFile.validate(target: target)
    } else if newFile.isGiven || encoding.settings != nil {
      throw ValidationError("say where the file goes: -o FILE; without it the timeline is printed")
    }
    try joining.validate(preset: newFile.preset)
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    if let target { try await newFile.check(target: target, client, console) }
    let (composition, losses) = try await TimelineDocument(document).composition(client)
    for loss in losses {
      let place = loss.path.isEmpty ? "" : " at \(loss.path)"
      console.note("  left out: \(loss.what)\(place): \(loss.reason)".printable)
    }
    guard let target else {
      let timeline = try await client.call(CompositionTimeline(composition: composition)).timeline
      return try console.print(timeline)
    }
    let request = ExportSessionCreate(
      asset: composition.asset, settings: encoding.settings, outputURL: target,
      joins: joining.joins)
    let names = try await PartNames(of: composition, client)
    try await newFile.export(request, to: target, client, console, parts: names)
  }
}
