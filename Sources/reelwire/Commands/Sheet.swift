import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// Makes a contact sheet.
struct Sheet: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a contact sheet: many pictures of a video in one, with a WebVTT map.",
    discussion: """
      The map, which web players show thumbnails by, is written next to the sheet with the extension \
      vtt. Existing files are never overwritten.
      """)

  @Argument(help: "The video.", completion: .file())
  var file: String

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "The sheet to make, FILE-sheet.jpg in this folder when absent; - is stdout, without map.",
      valueName: "output"),
    completion: .file())
  var target: String?

  @Option(parsing: .unconditional, help: "The number of pictures in a row.")
  var columns: Int?

  @Option(parsing: .unconditional, help: "The number of rows.")
  var rows: Int?

  @Option(parsing: .unconditional, help: "The number of pictures; 25 by default.")
  var count: Int?

  @Option(
    name: .shortAndLong, parsing: .unconditionalSingleValue,
    help: "The time of a picture instead; may be repeated.")
  var time: [TimeArgument] = []

  @Option(parsing: .unconditional, help: "The maximum width of a picture, in pixels.")
  var tileWidth = 160

  @Option(parsing: .unconditional, help: "The distance between pictures, in pixels.")
  var spacing = 0

  @Flag(help: "Print the time of each picture's frame into it.")
  var showTimes = false

  @Option(help: "The format of the file; else it follows from the output's extension.")
  var format: ImageFileFormatArgument?

  @Option(parsing: .unconditional, help: "The quality of jpeg and webp, from 0 to 1.")
  var quality: Double?

  @Flag(help: "Take the exact frames, which takes longer, where a part has a sync sample, too.")
  var exact = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var range: RangeOptions
  @OptionGroup(title: "Numbered pictures") var images: ImageSequenceOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { target.map { [$0] } ?? [] }

  func validate() throws {
    if target == "-", json { throw ValidationError("stdout has the sheet, so --json has no place") }
    if !time.isEmpty, count != nil { throw ValidationError("Use --count or -t, not both") }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let target =
      target
      ?? "\(Formatting.stem(of: file == "-" ? "stdin" : FileArguments.shown(file)))-sheet.jpg"
    let format = try ImageFormatArgument.choose(format?.format, for: target)
    if target == "-", console.isTerminal {
      throw CommandError.usage(
        "A terminal can't take a picture", hint: "Send it elsewhere: … -o - > sheet.jpg")
    }
    let asset = try await client.open(file, images: images)
    var settings = ImageGeneratorCreate(asset: asset)
    settings.appliesPreferredTrackTransform = true
    if exact { settings.requireExactFrames() }
    var request = ImageGeneratorContactSheet(
      imageGenerator: try await client.call(settings).imageGenerator)
    (request.columns, request.rows) = (columns, rows)
    let isShaped = columns != nil && rows != nil
    request.count = count ?? (isShaped || !time.isEmpty ? nil : 25)
    request.times = time.isEmpty ? nil : time.map(\.wire)
    (request.timeRange, request.tileWidth, request.spacing) = (range.range, tileWidth, spacing)
    request.showsTimes = showTimes ? true : nil
    (request.format, request.quality, request.completion) = (format, quality, .response)
    request.delivery = target == "-" ? .shm : .file(WireFileDelivery(path: target))
    let sheet = try await client.contactSheet(request, console)
    if let image = sheet.image, target == "-" {
      return try console.write(try client.bytes(of: image.blob))
    }
    console.describe(sheet, target)
    if json { try console.print(sheet) }
  }

}

extension ImageGeneratorCreate {
  /// Sets tolerances of zero: the frame at each time, and no other.
  mutating func requireExactFrames() {
    requestedTimeToleranceBefore = WireTime(.zero)
    requestedTimeToleranceAfter = WireTime(.zero)
  }
}

extension EngineClient {
  /// Makes a contact sheet, and shows the progress.
  func contactSheet(
    _ request: ImageGeneratorContactSheet, _ console: Console
  ) async throws -> ImageGeneratorDidFinishContactSheet {
    let sheet = try await finish(request, showing: Progress(console)) {
      (progress: inout Progress, step: ImageGeneratorDidProgressContactSheet) in
      progress.show(Double(step.completed) / Double(max(1, step.count)))
    }
    if let error = sheet.error { throw RPCError(error) }
    return sheet
  }
}

extension Console {
  /// Lists the files of a contact sheet, and the frames that it lacks.
  func describe(_ sheet: ImageGeneratorDidFinishContactSheet, _ target: String) {
    guard let image = sheet.image, let columns = sheet.columns, let rows = sheet.rows else {
      return
    }
    note("\(target.printable): \(image.width) × \(image.height), \(columns) × \(rows) pictures")
    if let map = sheet.webVTTPath { note("\(map.printable): the map") }
    for tile in sheet.tiles ?? [] {
      guard let error = tile.error else { continue }
      note(
        "  no picture at \(Formatting.position(tile.requestedTime.time)): \(error.message.printable)"
      )
    }
  }
}

extension Result where Failure == any Error {
  /// The result of the body: the value that it returns, or the error that it throws.
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
