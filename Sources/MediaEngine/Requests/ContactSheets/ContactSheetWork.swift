import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The making of one contact sheet: times, tiles, sheet, files.
///
/// The frames are made by separate generators, which the request's interrupt stops. Frames are drawn into the sheet on
/// arrival, in any order.
actor ContactSheetWork: QueueActor {
  package nonisolated let queue = WorkQueue("contactSheet")

  private let configuration: ContactSheet.Configuration
  private let generator: ImageGenerator
  private let interrupt: Interrupt
  /// The duration that a tile of equal parts represents; nil for others.
  private var part: Time?

  init(
    _ configuration: ContactSheet.Configuration, of generator: ImageGenerator, interrupt: Interrupt
  ) {
    self.configuration = configuration
    self.generator = generator
    self.interrupt = interrupt
  }

  func run(progress: @escaping @Sendable (Int) -> Void) async throws(EngineError) -> ContactSheet {
    let kind = try kind()
    let format: PixelFormat =
      switch kind {
      case .encoded(let format): format.assemblyFormat
      case .raw(let format): format
      }
    let files = try configuration.file.map { file throws(EngineError) in try SheetFiles(file) }
    var tiles = try await plan()
    if case .even = configuration.moments { part = tiles.first?.timeRange.duration }
    let pictures = ImageOutput(format: format.name ?? "")
    let maker = tileMaker(width: configuration.tileWidth, height: 0)
    let first = try await firstPicture(of: &tiles, by: maker, pictures, progress)
    let sheet = try place(&tiles, cell: first.picture, kind)
    let canvas = SheetCanvas(
      try await open(sheet, format), tiles: tiles, cell: (sheet.tileWidth, sheet.tileHeight),
      showsTimes: configuration.showsTimes)
    canvas.take(.success(first.picture), at: first.index)
    await fill(canvas, from: first.index + 1, by: maker, pictures, progress)
    if interrupt.isTriggered { throw .cancelled("The contact sheet") }
    let result = try await finish(canvas, sheet, kind, color: first.picture.color)
    if interrupt.isTriggered { throw .cancelled("The contact sheet") }
    try files?.write(result)
    return result
  }

  // MARK: Times

  private func kind() throws(EngineError) -> ImageOutput.Kind {
    let kind = try configuration.output.kind()
    if case .raw(let format) = kind, format.isYUV {
      throw EngineError(
        .unsupportedOutputSettings,
        "A contact sheet can't be had as '\(configuration.output.format)'",
        advice: .chooseSheetFormat)
    }
    return kind
  }

  /// Returns the tiles with their times, still without a place.
  private func plan() async throws(EngineError) -> [ContactSheet.Tile] {
    let range = try await range()
    switch configuration.moments {
    case .even(let count):
      // At most 20,000 halves: their number fits.
      let halves = Int32(clamping: 2 * count)
      func time(_ half: Int) -> Time {
        range.start + range.duration.multiplied(byRatio: Int32(clamping: half), halves)
      }
      return (0..<count).map { index in
        ContactSheet.Tile(
          timeRange: TimeRange(start: time(2 * index), end: time(2 * index + 2)),
          requestedTime: time(2 * index + 1))
      }
    case .times(let times):
      return times.indices.map { index in
        let next = index + 1 < times.count ? min(times[index + 1], range.end) : range.end
        return ContactSheet.Tile(
          timeRange: TimeRange(start: times[index], end: max(next, times[index])),
          requestedTime: times[index])
      }
    }
  }

  /// Returns the part of the requested range that the track has.
  private func range() async throws(EngineError) -> TimeRange {
    let asset = generator.asset.media.content
    let presentation = try asset.presentation(
      try await asset.loadPresentation(interrupt: interrupt),
      composedBy: generator.configuration.videoComposition,
      drawnBy: generator.configuration.compositor, interrupt: interrupt)
    let path = presentation.path
    guard let timeline = presentation.tracks.preferred(.video)?.timeline else {
      throw EngineError(
        .noSourceTrack, "'\(path)' has no video track to take images from",
        advice: .loadTracks, path: path)
    }
    try timeline.requireUnprotected()
    try await timeline.prepare(interrupt: interrupt)
    let own = try timeline.timeRange(interrupt: interrupt)
    let range = own.intersection(configuration.timeRange)
    guard range.isValid, range.start.isNumeric, range.duration.isNumeric, !range.isEmpty else {
      throw EngineError(
        .noImageAtTime, "The wanted range holds nothing of the video track of '\(path)'",
        advice: .chooseRangeOfTrack(start: own.start, end: own.end),
        path: path)
    }
    return range
  }

  // MARK: Pictures

  /// Returns a generator with the same rules, whose frames also fit in a box; 0 leaves the height free. Tiles of equal
  /// parts have a frame of their own part: a sync sample in it, or else the exact frame.
  private func tileMaker(width: Int, height: Int) -> ImageGenerator {
    var own = generator.configuration
    if let part {
      let before = part.half
      let after = max(.zero, before - Time(value: 1, timescale: 1000))
      own.requestedTimeToleranceBefore = min(own.requestedTimeToleranceBefore, before)
      own.requestedTimeToleranceAfter = min(own.requestedTimeToleranceAfter, after)
    }
    func bound(_ given: Double, _ length: Int) -> Double {
      guard length > 0 else { return given }
      return given > 0 ? min(given, Double(length)) : Double(length)
    }
    own.maximumSize = Size(
      width: bound(own.maximumSize.width, width), height: bound(own.maximumSize.height, height))
    return ImageGenerator(asset: generator.asset, configuration: own)
  }

  /// Returns the first frame that can be made: its size determines that of the tiles.
  private func firstPicture(
    of tiles: inout [ContactSheet.Tile], by maker: ImageGenerator, _ pictures: ImageOutput,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async throws(EngineError) -> (picture: GeneratedImage, index: Int) {
    for index in tiles.indices {
      do throws(EngineError) {
        let picture = try await maker.image(
          at: tiles[index].requestedTime, output: pictures, interrupt: interrupt)
        progress(index + 1)
        return (picture, index)
      } catch {
        if error.isCancellation { throw error }
        tiles[index].error = error
        progress(index + 1)
      }
    }
    throw tiles.first?.error ?? .cancelled("The contact sheet")
  }

  /// Draws all other frames; those that are too large for the tiles a second time.
  private func fill(
    _ canvas: SheetCanvas, from start: Int, by maker: ImageGenerator, _ pictures: ImageOutput,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async {
    let frames = canvas.times.map(RequestedFrame.shown(at:))
    await maker.images(
      of: Array(frames[start...]), output: pictures, interrupt: interrupt
    ) { position, result in
      progress(canvas.take(result, at: start + position))
    }
    let oversized = canvas.oversized
    guard !oversized.isEmpty else { return }
    let fitting = tileMaker(width: canvas.cell.width, height: canvas.cell.height)
    await fitting.images(
      of: oversized.map { frames[$0] }, output: pictures, interrupt: interrupt
    ) { position, result in
      progress(canvas.take(result, at: oversized[position]))
    }
  }

  // MARK: The sheet

  private struct Sheet {
    var tileWidth: Int
    var tileHeight: Int
    var width: Int
    var height: Int
  }

  /// Sets the place of each tile, and the size of the sheet.
  private func place(
    _ tiles: inout [ContactSheet.Tile], cell: GeneratedImage, _ kind: ImageOutput.Kind
  ) throws(EngineError) -> Sheet {
    let (columns, rows) = (configuration.columns, configuration.rows)
    let tileWidth = max(2, cell.width & ~1)
    let tileHeight = max(2, cell.height & ~1)
    let sheet = Sheet(
      tileWidth: tileWidth, tileHeight: tileHeight,
      width: columns * tileWidth + (columns - 1) * configuration.spacing,
      height: rows * tileHeight + (rows - 1) * configuration.spacing)
    for index in tiles.indices {
      tiles[index].x = index % columns * (tileWidth + configuration.spacing)
      tiles[index].y = index / columns * (tileHeight + configuration.spacing)
    }
    var limits: [String] = []
    if Int64(sheet.width) * Int64(sheet.height) > Library.limits.pixels {
      limits.append("a picture has at most \(Library.limits.pixels) pixels")
    }
    if case .encoded(let format) = kind, let limit = format.maximumLength,
      max(sheet.width, sheet.height) > limit
    {
      limits.append("\(format.rawValue) holds at most \(limit) pixels in width and height")
    }
    guard limits.isEmpty else {
      throw EngineError(
        .limitExceeded,
        "The contact sheet would be \(sheet.width) × \(sheet.height): "
          + limits.joined(separator: ", and "),
        advice: .shrinkContactSheet)
    }
    return sheet
  }

  /// Returns the sheet without frames.
  private func open(
    _ sheet: Sheet, _ format: PixelFormat
  ) async throws(EngineError) -> PictureAssembly {
    // An encoded sheet is moved to its destination afterwards.
    let destination: Destination =
      ImageOutput.rawFormats.contains(configuration.output.format)
      ? configuration.output.destination : .heap
    return try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try mapErrors(.convert) { () throws(LibAVError) in
        try PictureAssembly(
          layout: PictureLayout(width: sheet.width, height: sheet.height, format: format),
          allocator: destination.allocator)
      }
    }
  }

  private func finish(
    _ canvas: SheetCanvas, _ sheet: Sheet, _ kind: ImageOutput.Kind,
    color: FormatDescription.Color?
  ) async throws(EngineError) -> ContactSheet {
    var planes: [PicturePlane]?
    var mimeType = "application/octet-stream"
    let block: Block
    switch kind {
    case .raw:
      guard let picture = canvas.takePicture() else { throw .cancelled("The contact sheet") }
      planes = picture.layout.planes.map(PicturePlane.init)
      block = picture.finish()
    case .encoded(let format):
      mimeType = format.mimeType
      block = try await deliver(encode(canvas, format))
    }
    return ContactSheet(
      width: sheet.width, height: sheet.height, data: DataBuffer(block: block), planes: planes,
      color: planes == nil ? nil : color, mimeType: mimeType, tileWidth: sheet.tileWidth,
      tileHeight: sheet.tileHeight,
      tiles: canvas.tiles, imageName: configuration.imageName)
  }

  /// Returns the sheet as the bytes of a file.
  ///
  /// An encoder takes seconds for a large sheet and can't be stopped: when the sheet is cancelled, the encoder's result
  /// is discarded.
  private func encode(
    _ canvas: SheetCanvas, _ format: ImageFormat
  ) async throws(EngineError) -> Block {
    let encoder = SheetEncoder()
    let result = Signal<Result<Block, EngineError>>()
    let observation = interrupt.whenTriggered {
      result.fire(.failure(.cancelled("The contact sheet")))
    }
    defer { observation.end() }
    Task { [quality = configuration.output.quality, interrupt] in
      result.fire(await encoder.encode(canvas, format, quality: quality, interrupt: interrupt))
    }
    return try await result.wait().get()
  }

  /// Moves the encoded sheet to the caller's destination, regardless of the time that it waits for room.
  private func deliver(_ encoded: Block) async throws(EngineError) -> Block {
    let destination = configuration.output.destination
    guard case .shared = destination else { return encoded }
    return try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try mapErrors(.convert) { () throws(SystemError) in
        try encoded.withBytes { bytes throws(SystemError) in
          try unsafe destination.allocator.copy(bytes.bytes)
        }
      }
    }
  }
}

/// Encodes a sheet on a queue of its own.
private actor SheetEncoder: QueueActor {
  package nonisolated let queue = WorkQueue("contactSheet.encoding")

  func encode(
    _ canvas: SheetCanvas, _ format: ImageFormat, quality: Double, interrupt: Interrupt
  ) async -> Result<Block, EngineError> {
    await Result { () async throws(EngineError) in
      try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
        () throws(EngineError) in
        guard let picture = canvas.takePicture() else { throw .cancelled("The contact sheet") }
        return try mapErrors(.encode) { () throws(LibAVError) in
          try picture.encoded(as: format, quality: quality)
        }
      }
    }
  }
}

/// The sheet while it is filled, from any threads.
private final class SheetCanvas: Sendable {
  private struct State: ~Copyable {
    var picture: PictureAssembly?
    var tiles: [ContactSheet.Tile]
    var oversized: [Int] = []
    var done: Int
  }
  private let state: Mutex<State>
  let times: [Time]
  let cell: (width: Int, height: Int)
  private let showsTimes: Bool

  init(
    _ picture: consuming sending PictureAssembly, tiles: [ContactSheet.Tile],
    cell: (width: Int, height: Int), showsTimes: Bool
  ) {
    times = tiles.map(\.requestedTime)
    self.cell = cell
    self.showsTimes = showsTimes
    state = Mutex(
      State(picture: picture, tiles: tiles, done: tiles.count { $0.error != nil }))
  }

  /// Draws the result of a tile; returns the number of finished tiles.
  @discardableResult
  func take(_ result: Result<GeneratedImage, EngineError>, at index: Int) -> Int {
    state.withLock { state in
      switch result {
      case .failure(let error): state.tiles[index].error = error
      case .success(let picture):
        // One row or column more is the remainder of an odd number, and is cut off.
        if picture.width > cell.width + 1 || picture.height > cell.height + 1 {
          state.oversized.append(index)
          return state.done
        }
        let (x, y) = (state.tiles[index].x, state.tiles[index].y)
        state.picture?.paste(
          picture.data.block, width: picture.width, height: picture.height,
          into: (x, y, cell.width, cell.height))
        if showsTimes {
          TileTime(picture.moment.actualTime, of: cell)?.draw(x: x, y: y) {
            state.picture?.fill(x: $0.x, y: $0.y, width: $0.width, height: $0.height, isWhite: $1)
          }
        }
        state.tiles[index].moment = picture.moment
      }
      state.done += 1
      return state.done
    }
  }

  var oversized: [Int] { state.withLock { $0.oversized } }

  var tiles: [ContactSheet.Tile] { state.withLock { $0.tiles } }

  /// Returns the sheet's pixels, once.
  func takePicture() -> PictureAssembly? { state.withLock { $0.picture.take() } }
}
