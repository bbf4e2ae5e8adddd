import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Shows many frames in one image.
enum SheetTool {
  static let maximumTiles = 40
  /// The pixels between two tiles.
  private static let spacing = 2

  static let tool = Tool(
    name: "view_sheet",
    description:
      "An overview of a video: up to 40 frames at equal distances in one picture, with the list of their times. Narrow it down with start and end.",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
      .init(name: "count", schema: Schema.integer(1...maximumTiles)),
      .init(name: "columns", schema: Schema.integer(1...maximumTiles)),
    ]),
    run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let arguments = call.arguments
    let path = try call.paths.resolve(arguments.required("path"), "path")
    let range = try RangeArgument(arguments)
    let count = try arguments.integer("count", in: 1...maximumTiles) ?? 20
    let columns = try arguments.integer("columns", in: 1...maximumTiles)
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      try facts.requireVideo(path)
      let sheet = try await make(
        of: asset, facts, try facts.rules.resolve(range), count: count, columns: columns,
        call.engine,
        call.report)
      return ToolOutput([.text(list(sheet)), try Images.content(try image(sheet)).content])
    }
  }

  static func image(_ sheet: ImageGeneratorDidFinishContactSheet) throws -> WireImage {
    if let error = sheet.error { throw RPCError(error) }
    guard let image = sheet.image else { throw ToolFailure("The engine gave no sheet") }
    return image
  }

  /// A sheet that fits into a result.
  static func make(
    of asset: AssetHandle, _ facts: MediaFacts, _ range: TimeRange?, count: Int, columns: Int?,
    _ engine: EngineSession, _ report: @escaping @Sendable (Double) -> Void
  ) async throws -> ImageGeneratorDidFinishContactSheet {
    let count = min(count, frames(in: range, facts))
    let columns = min(count, columns ?? Self.columns(for: count))
    let room = Images.maximumSide - spacing * (columns - 1)
    var tileWidth = max(2, min(320, room / columns) & ~1)
    var quality = 0.8
    while true {
      let sheet = try await make(
        of: asset, range, count: count, columns: columns, tileWidth: tileWidth,
        quality: quality, engine, report)
      let image = try image(sheet)
      if image.height > Images.maximumSide, tileWidth > 16 {
        tileWidth = max(16, tileWidth * Images.maximumSide / image.height & ~1)
      } else if image.blob.size * 4 / 3 > Images.maximumCharacters, quality > 0.3 {
        quality -= 0.25
      } else {
        return sheet
      }
    }
  }

  /// The number of frames at about the nominal rate: more tiles would only repeat them.
  private static func frames(in range: TimeRange?, _ facts: MediaFacts) -> Int {
    let length = (range?.duration ?? facts.videoRange?.duration ?? .positiveInfinity).seconds
    guard let rate = facts.frameRate, rate > 0, length.isFinite else { return maximumTiles }
    return Int(max(1, min(Double(maximumTiles), (length * rate).rounded())))
  }

  private static func columns(for count: Int) -> Int {
    switch count {
    case ...3: count
    case ...8: 4
    case ...20: 5
    default: 8
    }
  }

  private static func make(
    of asset: AssetHandle, _ range: TimeRange?, count: Int, columns: Int,
    tileWidth: Int, quality: Double, _ engine: EngineSession,
    _ report: @escaping @Sendable (Double) -> Void
  ) async throws -> ImageGeneratorDidFinishContactSheet {
    let generator = try await Images.generator(
      of: asset, width: Images.maximumSide, tolerance: .positiveInfinity, engine)
    return try await engine.with(generator) { generator in
      let request = ImageGeneratorContactSheet(
        imageGenerator: generator, columns: columns, count: count,
        timeRange: range.map { WireTimeRange($0) }, tileWidth: tileWidth, spacing: spacing,
        showsTimes: true,
        format: .jpeg, quality: quality, completion: .response)
      return try await engine.finish(request, ImageGeneratorDidProgressContactSheet.self) { step in
        guard step.imageGenerator == generator else { return }
        report(Double(step.completed) / Double(max(1, step.count)))
      }
    }
  }

  /// The tiles, row by row.
  static func list(_ sheet: ImageGeneratorDidFinishContactSheet) -> String {
    var lines = [
      "\(sheet.columns ?? 0) × \(sheet.rows ?? 0) frames, row by row from the upper left:"
    ]
    for tile in sheet.tiles ?? [] {
      guard let time = tile.actualTime?.time else {
        lines.append("\(tile.index): none (\(tile.error?.message ?? ""))")
        continue
      }
      let frame = tile.sampleIndex.map { ", frame \($0)" } ?? ""
      lines.append("\(tile.index): \(ExactTime.shown(time))\(frame)")
    }
    return lines.joined(separator: "\n")
  }
}
