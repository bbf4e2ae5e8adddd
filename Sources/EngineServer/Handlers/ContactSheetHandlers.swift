import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  @Sendable func contactSheet(
    _ request: ImageGeneratorContactSheet, _ context: RequestContext
  ) async throws -> ImageGeneratorContactSheet.Result {
    let generator = try handles.find(request.imageGenerator)
    let delivery = Delivery(
      request.delivery, engine: self, owner: request.imageGenerator.rawValue, answering: nil)
    var rules = ContactSheetRules(request)
    var settings = try rules.configuration()
    var request = request
    request.format = rules.format
    settings.output.destination = delivery.destination()
    if case .file(let file) = request.delivery {
      let pair = ContactSheet.File(path: numbered(file.path, 0), configuration: configuration)
      settings.file = pair
      settings.imageName = request.imageName ?? pair.imageName
    }
    return try await perform(
      ImageGeneratorContactSheet.self, request.completion, context
    ) { [settings, request] operation in
      await self.run(settings, of: generator, request, delivery, operation)
    }
  }

  /// Makes the sheet, reporting progress, and returns the result.
  private func run(
    _ settings: ContactSheet.Configuration, of generator: ImageGenerator,
    _ request: ImageGeneratorContactSheet, _ delivery: Delivery, _ operation: Operation
  ) async -> ImageGeneratorDidFinishContactSheet {
    let count = settings.moments.count
    let reported = ReportedPercent()
    var end = ImageGeneratorDidFinishContactSheet(
      operation: operation.handle, imageGenerator: request.imageGenerator, result: .succeeded)
    do throws(EngineError) {
      let sheet = try await generator.contactSheet(settings) { completed in
        guard reported.isNews(Double(completed) / Double(count)) else { return }
        operation.post(
          ImageGeneratorDidProgressContactSheet(
            operation: operation.handle, imageGenerator: request.imageGenerator,
            completed: completed, count: count))
      }
      try await end.describe(sheet, settings, format: request.format ?? .jpeg, delivery: delivery)
    } catch {
      end.result = error.isCancellation ? .cancelled : .failed
      end.error = ErrorObject(error).about(request.imageGenerator)
    }
    return end
  }
}

extension ImageGeneratorDidFinishContactSheet {
  fileprivate mutating func describe(
    _ sheet: ContactSheet, _ settings: ContactSheet.Configuration, format: WireImageFormat,
    delivery: Delivery
  ) async throws(EngineError) {
    let blob: WireBlob =
      if let file = settings.file {
        // The engine has written it, together with the map.
        .file(WireFileBlob(size: sheet.data.count, mimeType: sheet.mimeType, path: file.path))
      } else {
        try await delivery.blob(sheet.data, mimeType: sheet.mimeType, index: 0)
      }
    image = WireImage(
      width: sheet.width, height: sheet.height, format: format, blob: blob,
      planes: sheet.planes?.map(WirePlane.init), color: sheet.color.map(WireColor.init))
    tileWidth = sheet.tileWidth
    tileHeight = sheet.tileHeight
    columns = settings.columns
    rows = settings.rows
    tiles = sheet.tiles.enumerated().map { index, tile in
      WireContactSheetTile(
        index: index, timeRange: WireTimeRange(tile.timeRange),
        requestedTime: WireTime(tile.requestedTime),
        actualTime: tile.moment.map { WireTime($0.actualTime) },
        sampleIndex: tile.moment?.sampleIndex, isExact: tile.moment?.isExact, x: tile.x, y: tile.y,
        width: sheet.tileWidth, height: sheet.tileHeight, error: tile.error.map(ErrorObject.init))
    }
    webVTT = sheet.webVTT
    webVTTPath = settings.file?.mapPath
  }
}

extension ImageGeneratorDidFinishContactSheet: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

/// The rules of a contact sheet's parameters; all problems are reported at once.
private struct ContactSheetRules: ParameterRules {
  private static let maximumCells = 10_000

  private let request: ImageGeneratorContactSheet
  /// The format of the request, or of its file's extension.
  private(set) var format = WireImageFormat.jpeg
  var problems: [DecodingProblem] = []

  init(_ request: ImageGeneratorContactSheet) { self.request = request }

  mutating func configuration() throws(RPCError) -> ContactSheet.Configuration {
    format = imageFormat(request.format, for: request.delivery) ?? .jpeg
    let shape = shape()
    var settings = ContactSheet.Configuration(
      moments: moments(shape), columns: shape.columns, rows: shape.rows)
    if let range = request.timeRange?.range {
      settings.timeRange = range
      require(
        range.isValid && range.start.isNumeric && !range.isIndefinite, "/timeRange",
        "a range with a numeric start", range.secondsDescription)
    }
    settings.tileWidth = number(request.tileWidth, 2...8192, "/tileWidth") ?? 160
    settings.spacing = number(request.spacing, 0...1024, "/spacing") ?? 0
    settings.showsTimes = request.showsTimes ?? false
    require(
      format.form != .subsampledPixels, "/format", "a file format, RGB or grey", format.rawValue)
    let quality = request.quality ?? 0.85
    require((0...1).contains(quality), "/quality", "a number from 0 to 1", "\(quality)")
    settings.output = ImageOutput(format: format.rawValue, quality: quality)
    settings.imageName = request.imageName ?? "sheet.\(format.fileExtension)"
    checkNames()
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return settings
  }

  /// Returns the number of tiles and cells; any numbers where the request is wrong.
  private mutating func shape() -> (columns: Int, rows: Int, count: Int) {
    let allowed = 1...Self.maximumCells
    let known = problems.count
    let columns = number(request.columns, allowed, "/columns")
    let rows = number(request.rows, allowed, "/rows")
    var count = number(request.count, allowed, "/count")
    if let times = request.times {
      require(request.count == nil, "/count", "no count with times", "\(request.count ?? 0)")
      count = number(times.count, allowed, "/times")
    }
    guard problems.count == known else { return (1, 1, 1) }
    let (width, height): (Int, Int)
    switch (columns, rows, count) {
    case (let columns?, let rows?, _): (width, height) = (columns, rows)
    case (let columns?, nil, let count?): (width, height) = (columns, parts(of: count, columns))
    case (nil, let rows?, let count?): (width, height) = (parts(of: count, rows), rows)
    case (nil, nil, let count?):
      let side = Int(Double(count).squareRoot().rounded(.up))
      (width, height) = (side, parts(of: count, side))
    default:
      require(
        false, columns == nil ? "/columns" : "/rows", "columns and rows, count, or times",
        "nothing")
      return (1, 1, 1)
    }
    require(
      width * height <= Self.maximumCells, "/columns",
      "at most \(Self.maximumCells) cells", "\(width) × \(height)")
    if let count {
      require(
        width * height >= count, "/columns", "room for \(count) tiles", "\(width) × \(height)")
    }
    return (width, height, count ?? width * height)
  }

  private func parts(of count: Int, _ size: Int) -> Int { (count + size - 1) / size }

  private mutating func moments(
    _ shape: (columns: Int, rows: Int, count: Int)
  ) -> ContactSheet.Configuration.Moments {
    guard let times = request.times?.map(\.time) else { return .even(shape.count) }
    for index in times.indices {
      require(
        times[index].isNumeric, "/times/\(index)", "a numeric time", times[index].secondsDescription
      )
      guard index > 0, times[index].isNumeric, times[index - 1].isNumeric else { continue }
      require(
        times[index] > times[index - 1], "/times/\(index)",
        "a time after the one before it, \(times[index - 1].secondsDescription)",
        times[index].secondsDescription)
    }
    return .times(times)
  }

  private mutating func checkNames() {
    if let name = request.imageName {
      let isPlain = !name.contains { $0.isNewline || $0 == "#" || $0 == "\0" }
      require(
        !name.isEmpty && isPlain && !name.contains("-->"), "/imageName",
        "a URL without a fragment, in one line", name.isEmpty ? "nothing" : name)
    }
    if case .file(let file) = request.delivery {
      let pair = ContactSheet.File(path: numbered(file.path, 0))
      require(
        pair.path != pair.mapPath, "/delivery/path", "another extension than the map's, vtt",
        file.path)
    }
  }
}

extension ContactSheet.Configuration.Moments {
  fileprivate var count: Int {
    switch self {
    case .even(let count): count
    case .times(let times): times.count
    }
  }
}

extension WireImageFormat {
  /// The usual extension of files of the format.
  fileprivate var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
