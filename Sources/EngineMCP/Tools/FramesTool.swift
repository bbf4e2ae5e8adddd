import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Shows single frames.
enum FramesTool {
  static let maximumFrames = 6

  static let tool = Tool(
    name: "view_frames",
    description:
      "Look at exact frames of a video, by times or by frame numbers (from 0): a picture each, with its index and exact time.",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "times", schema: Schema.list(of: Schema.time(), maximum: maximumFrames)),
      .init(
        name: "frames",
        schema: Schema.list(of: Schema.integer(), maximum: maximumFrames)),
      .init(name: "width", schema: Schema.integer(16...Images.maximumSide)),
    ]),
    run: run)

  /// An image, or the reason why there is none.
  private typealias Made = ImageGeneratorDidGenerateImage

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let arguments = call.arguments
    let path = try call.paths.resolve(arguments.required("path"), "path")
    let times = try arguments.times("times", maximum: maximumFrames)
    let frames = try arguments.frames("frames", maximum: maximumFrames)
    let width = try arguments.integer("width", in: 16...Images.maximumSide) ?? 768
    if times != nil, frames != nil {
      throw ToolFailure("The call has both 'times' and 'frames'", hint: "Give one of them.")
    }
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      try facts.requireVideo(path)
      let resolved = try times?.map { try shown(facts.rules.resolve($0, "times"), facts) }
      let wanted = Wanted(
        times: frames == nil ? resolved ?? [facts.videoRange?.start ?? .zero] : nil, frames: frames)
      return try await pictures(wanted, of: asset, width: width, call.engine)
    }
  }

  /// The time, moved into the video where that begins later or ends earlier than the file.
  private static func shown(_ time: Time, _ facts: MediaFacts) -> Time {
    guard let range = facts.videoRange, range.start.isNumeric, range.duration.isNumeric,
      range.duration > .zero
    else { return time }
    let last = range.end - Time(value: 1, timescale: 1_000_000)
    return max(range.start, min(time, max(range.start, last)))
  }

  struct Wanted: Sendable {
    var times: [Time]?
    var frames: [Int]?
    var count: Int { times?.count ?? frames?.count ?? 0 }
  }

  static func pictures(
    _ wanted: Wanted, of asset: AssetHandle, width: Int, _ engine: EngineSession
  ) async throws -> ToolOutput {
    var output = ToolOutput([])
    for step in Images.steps {
      let made = try await make(
        wanted, of: asset, width: max(16, Int(Double(width) * step.scale)), quality: step.quality,
        engine)
      let (content, characters) = try content(made)
      output = ToolOutput(content)
      if characters <= Images.maximumCharacters { break }
    }
    return output
  }

  private static func make(
    _ wanted: Wanted, of asset: AssetHandle, width: Int, quality: Double, _ engine: EngineSession
  ) async throws -> [Made] {
    let generator = try await Images.generator(
      of: asset, width: width, tolerance: .zero, engine)
    return try await engine.with(generator) { generator in
      let collector = Collector()
      let request = ImageGeneratorGenerateImages(
        imageGenerator: generator, times: wanted.times?.map(WireTime.init), samples: wanted.frames,
        format: .jpeg, quality: quality, completion: .response)
      let _: ImageGeneratorDidFinish = try await engine.finish(request, Made.self) { made in
        if made.imageGenerator == generator { collector.add(made) }
      }
      return collector.all
    }
  }

  private static func content(
    _ made: [Made]
  ) throws -> (content: [ToolOutput.Content], characters: Int) {
    var content: [ToolOutput.Content] = []
    var characters = 0
    if made.allSatisfy({ $0.image == nil }), let error = made.first?.error { throw RPCError(error) }
    for each in made {
      guard let image = each.image else {
        content.append(.text(each.error.map { ToolFailure($0).text } ?? "There is no picture."))
        continue
      }
      content.append(.text(description(each)))
      let picture = try Images.content(image)
      content.append(picture.content)
      characters += picture.characters
    }
    return (content, characters)
  }

  private static func description(_ made: Made) -> String {
    var parts = [made.sampleIndex.map { "Frame \($0)" } ?? "The frame"]
    if let time = made.actualTime { parts.append("at \(ExactTime.shown(time.time))") }
    if let wanted = made.requestedTime?.time, let actual = made.actualTime?.time, wanted != actual {
      parts.append("shown at \(ExactTime.text(wanted)) s")
    }
    return parts.joined(separator: ", ")
  }
}
