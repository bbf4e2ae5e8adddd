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
      can't be shown is listed.

      --draw makes a picture of the timeline, in SVG: a row for each track, what it shows when, and how \
      opacity and volume change. Without -o and --draw the timeline that the document describes is printed, which has all parts with their \
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

  @Option(
    help: ArgumentHelp(
      "A picture of the timeline to make, in SVG; - is stdout.", valueName: "output"),
    completion: .file(extensions: ["svg"]))
  var draw: String?

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var joining: JoinOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { (target.map(newFile.newFiles) ?? []) + (draw.map { [$0] } ?? []) }

  func validate() throws {
    if let target {
      try newFile.validate(target: target)
    } else if newFile.isGiven || encoding.settings != nil {
      throw ValidationError("say where the file goes: -o FILE; without it the timeline is printed")
    }
    if let draw, draw == target || draw == "-" && (newFile.json || newFile.dryRun) {
      let name = draw == "-" ? "stdout" : "the output"
      throw ValidationError("\(name) is to have more than the picture: --draw something else")
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
    if target == nil || draw != nil {
      let timeline = try await client.call(CompositionTimeline(composition: composition)).timeline
      if let draw {
        let picture = TimelineDrawing.svg(timeline)
        if draw == "-" { try console.write(picture) } else { try LocalFile.create(draw, picture) }
      } else {
        try console.print(timeline)
      }
    }
    guard let target else { return }
    let request = ExportSessionCreate(
      asset: composition.asset, settings: encoding.settings, outputURL: target,
      joins: joining.joins)
    let names = try await PartNames(of: composition, client)
    try await newFile.export(request, to: target, client, console, parts: names)
  }
}
