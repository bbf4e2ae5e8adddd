import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import MediaTime
import Terminal

/// Makes a film of a document that describes it.
struct Compose: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Make a file of a timeline, a sequence, a list of cuts or a document of OpenTimelineIO.",
    discussion: """
      A sequence is a JSON object with clips, which are shown one after the other: \
      {"clips": [{"url": "a.mp4", "timeRange": {"start": 2, "duration": 5}}, {"url": "b.mp4"}]}. \
      A list of cuts is a table (.csv) with a clip in each line: file, in, out, speed, volume; a first line \
      with the names of columns may order them otherwise, and add duration, fit, dissolve, transition, freeze and \
      ramp, the speeds that are reached at times of the file: 1@2 0.25@3.5. \
      Numbered pictures have a pattern as their name, frame%04d.png, and are a document of their own as well. \
      Relative paths begin at the folder of the document. The parts of a document of OpenTimelineIO \
      that can't be shown are listed.

      --draw makes a picture of the timeline, in SVG: a row for each track, with its clips and the curves \
      of opacity and volume. --preview makes a contact sheet with a picture from the middle of each clip. \
      Without -o, --draw and --preview the timeline that the document describes is printed, which has all \
      parts with their exact times, and can be edited and composed again. The options are those of export: \
      settings that they leave open suit the type of the file, and --preset Passthrough copies samples, where \
      the parts can be joined.
      """)

  @Argument(
    help: "The document; - is stdin.", completion: .file(extensions: ["json", "otio", "csv"]))
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

  @Option(
    help: ArgumentHelp(
      "A contact sheet of the edit to make: jpg, png, webp or bmp.", valueName: "output"),
    completion: .file())
  var preview: String?

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var chapters: ChapterOptions
  @OptionGroup var joining: JoinOptions
  @OptionGroup(title: "Numbered pictures") var images: ImageSequenceOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] {
    (target.map(newFile.newFiles) ?? []) + [draw, preview].compactMap(\.self)
  }

  func validate() throws {
    if let target {
      try newFile.validate(target: target)
    } else if newFile.isGiven || encoding.settings != nil || chapters.isGiven {
      throw ValidationError("Name the output: -o FILE; without it the timeline is printed")
    }
    if let draw, draw == target || draw == "-" && (newFile.json || newFile.dryRun) {
      let name = draw == "-" ? "stdout" : "the output"
      throw ValidationError("\(name) is to have more than the picture: --draw something else")
    }
    if preview == "-" { throw ValidationError("--preview needs a file to make") }
    try joining.validate(preset: newFile.preset)
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    if let target { try await newFile.check(target: target, client, console) }
    let format = try preview.map { try ImageFormatArgument.choose(nil, for: $0) }
    let (composition, losses, fetched) = try await TimelineDocument(document, images).composition(
      client)
    Self.note(losses, console)
    if target == nil || draw != nil || preview != nil {
      let described = try await client.call(CompositionTimeline(composition: composition))
      var timeline = described.timeline
      for (name, source) in timeline.sources {
        // A handle would mean nothing to the next command.
        guard let place = fetched.first(where: { $0.value == source.asset }) else { continue }
        timeline.sources[name]?.url = place.key
        timeline.sources[name]?.asset = nil
      }
      Self.note(described.losses, console)
      if let draw {
        let picture = TimelineDrawing.svg(timeline)
        if draw == "-" {
          try console.write(picture)
        } else {
          try LocalFile.create(draw, Array(picture.utf8))
        }
      }
      if let preview {
        try await makeSheet(preview, format, of: composition, timeline, client, console)
      }
      if target == nil, draw == nil, preview == nil { try console.print(timeline) }
    }
    guard let target else { return }
    var request = ExportSessionCreate(
      asset: composition.asset, settings: encoding.settings, outputURL: target,
      joins: joining.joins)
    try chapters.apply(to: &request)
    let names = try await PartNames(of: composition, client)
    try await newFile.export(request, to: target, client, console, parts: names)
  }

  private static func note(_ losses: [WireConversionLoss], _ console: Console) {
    for loss in losses { console.note("  \(loss.line)".printable) }
  }

  /// Makes a contact sheet with the middle of each part of video.
  private func makeSheet(
    _ path: String, _ format: WireImageFormat?, of composition: CompositionHandle,
    _ timeline: WireCompositionTimeline, _ client: EngineClient, _ console: Console
  ) async throws {
    var settings = ImageGeneratorCreate(asset: composition.asset)
    settings.appliesPreferredTrackTransform = true
    settings.requireExactFrames()
    var request = ImageGeneratorContactSheet(
      imageGenerator: try await client.call(settings).imageGenerator)
    request.times = Self.middles(of: timeline).map { WireTime($0) }
    (request.showsTimes, request.format, request.completion) = (true, format, .response)
    request.delivery = .file(WireFileDelivery(path: path))
    console.describe(try await client.contactSheet(request, console), path)
  }

  /// The middle of each part that a track of video shows, in order; of many parts, equally many between those
  /// that are left out.
  static func middles(of timeline: WireCompositionTimeline, limit: Int = 100) -> [Time] {
    let parts = timeline.tracks.filter { $0.mediaType == .video }.flatMap(\.segments)
      .filter { $0.source != nil }.map(\.timeMapping.mapping.target)
    let middles = Set(parts.map { $0.start + $0.duration.multiplied(byRatio: 1, 2) }).sorted()
    guard middles.count > limit else { return middles }
    return (0..<limit).map { middles[$0 * middles.count / limit] }
  }
}
