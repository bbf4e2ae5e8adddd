import ArgumentParser
import EngineClient
import EngineProtocol
import EngineServer
import JSONRPC
import MediaTime
import Terminal

/// Makes pictures of a video's frames.
struct Image: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make pictures of a video's frames.",
    discussion: """
      The picture is the frame that is shown at the time, upright; at 0 it is the first frame, also \
      where that is shown later. With several -t the output's \
      name needs a %d (or %03d), which counts from 0. Existing files are never overwritten.
      """)

  @Argument(help: "The video.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: "The time: \(TimeArgument.forms); may be repeated; the first frame when absent.")
  var time: [TimeArgument] = []

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("The picture to make; - is stdout.", valueName: "output"),
    completion: .file())
  var target: String

  @Option(help: "jpeg, png, webp, bmp or raw pixels; else it follows from the output's extension.")
  var format: ImageFormatArgument?

  @Option(help: "The quality of jpeg and webp, from 0 to 1.")
  var quality: Double?

  @Option(help: "The most that the picture is wide, in pixels.")
  var width: Int?

  @Option(help: "The most that the picture is high, in pixels.")
  var height: Int?

  @Flag(help: "Take the nearest frame that can be had without decoding others.")
  var nearest = false

  @Flag(help: "Don't turn the picture as the file asks for.")
  var asStored = false

  @Flag(help: "Keep the samples of HDR video as they are; else they become BT.709.")
  var keepHDR = false

  @Flag(help: "Print what was made as JSON.")
  var json = false

  @OptionGroup var output: OutputOptions

  var newFiles: [String] { [target] }

  func validate() throws {
    if let quality, !(0...1).contains(quality) {
      throw ValidationError("--quality has to be from 0 to 1")
    }
    for size in [width, height].compactMap({ $0 }) where size < 1 {
      throw ValidationError("--width and --height have to be 1 at least")
    }
    if target == "-", json {
      throw ValidationError("stdout has the picture, so --json has no place")
    }
    guard time.count > 1 else { return }
    if target == "-" { throw ValidationError("stdout takes one picture, so one -t") }
    if !target.hasNumber {
      throw ValidationError("With several -t the output's name needs a %d, as in frame-%d.jpg")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let format = try ImageFormatArgument.choose(format, for: target)
    if target == "-", console.isTerminal {
      throw CommandError.usage(
        "A terminal can't take a picture", hint: "Send it elsewhere: … -o - > picture.jpg")
    }
    let generator = try await makeGenerator(client)
    var request = ImageGeneratorGenerateImage(
      imageGenerator: generator, format: format, quality: quality)
    if target == "-" {
      request.time = time.first?.wire
      request.delivery = .shm
      let made = try await image(request, client)
      return try console.write(try client.bytes(of: made.image.blob))
    }
    guard time.isEmpty else { return try await make(time.map(\.wire), request, client, console) }
    request.delivery = .file(WireFileDelivery(path: target))
    let made = try await client.call(request)
    if json {
      try console.print(made)
    } else {
      console.note(describe(made.image, made.actualTime, made.sampleIndex))
    }
  }

  /// The image of a time, of the first frame for the beginning, where no frame may be shown yet.
  private func image(
    _ request: ImageGeneratorGenerateImage, _ client: EngineClient
  ) async throws -> ImageGeneratorGenerateImage.Result {
    do {
      return try await client.call(request)
    } catch let error as RPCError where Self.isBeforeFirst(ErrorObject(error), request.time) {
      var first = request
      first.time = nil
      return try await client.call(first)
    }
  }

  private static func isBeforeFirst(_ error: ErrorObject?, _ time: WireTime?) -> Bool {
    error?.code == ErrorCode.noImageAtTime.rawValue && time?.time == .zero
  }

  private func makeGenerator(_ client: EngineClient) async throws -> ImageGeneratorHandle {
    let asset = try await client.open(file)
    var request = ImageGeneratorCreate(asset: asset)
    request.appliesPreferredTrackTransform = !asStored
    if !nearest {
      request.requestedTimeToleranceBefore = WireTime(.zero)
      request.requestedTimeToleranceAfter = WireTime(.zero)
    }
    if width != nil || height != nil {
      request.maximumSize = WireSize(width: Double(width ?? 0), height: Double(height ?? 0))
    }
    if keepHDR { request.dynamicRangePolicy = .matchSource }
    return try await client.call(request).imageGenerator
  }

  /// - Parameter one: what the images have in common.
  private func make(
    _ times: [WireTime], _ one: ImageGeneratorGenerateImage, _ client: EngineClient,
    _ console: Console
  ) async throws {
    let made = client.notifications(of: ImageGeneratorDidGenerateImage.self)
    let request = ImageGeneratorGenerateImages(
      imageGenerator: one.imageGenerator, times: times, format: one.format, quality: quality,
      delivery: .file(WireFileDelivery(path: target)))
    _ = try await client.call(request)
    var failed = false
    var outstanding = times.count
    for await each in made {
      let image = await completed(each, one, client)
      if let error = image.error {
        failed = true
        console.complain(CommandError(error).inShell.lines(console.errorStyle))
      } else if json {
        try console.print(image)
      } else {
        console.note(describe(image.image, image.actualTime, image.sampleIndex))
      }
      outstanding -= 1
      if outstanding == 0 { break }
    }
    try Task.checkCancellation()
    guard outstanding == 0 else { throw EngineClient.Closed() }
    if failed { throw ExitCode(1) }
  }

  /// What was made, with the first frame where the beginning was asked for and has no frame.
  private func completed(
    _ made: ImageGeneratorDidGenerateImage, _ one: ImageGeneratorGenerateImage,
    _ client: EngineClient
  ) async -> ImageGeneratorDidGenerateImage {
    guard Self.isBeforeFirst(made.error, made.requestedTime) else { return made }
    var request = one
    let path = numbered(target, made.index).replacing("%", with: "%%")
    request.delivery = .file(WireFileDelivery(path: path))
    var completed = made
    do {
      let first = try await client.call(request)
      (completed.result, completed.error) = (.succeeded, nil)
      (completed.image, completed.actualTime) = (first.image, first.actualTime)
      (completed.sampleIndex, completed.isExact) = (first.sampleIndex, false)
    } catch {
      completed.error = (error as? RPCError).map { ErrorObject($0) } ?? made.error
    }
    return completed
  }

  private func describe(_ image: WireImage?, _ time: WireTime?, _ index: Int?) -> String {
    guard let image, case .file(let blob) = image.blob, let time else { return "" }
    let frame = index.map { "frame \($0)" } ?? "the frame"
    return
      "\(blob.path.printable): \(image.width) × \(image.height), \(frame) at "
      + Formatting.position(time.time)
  }
}

extension String {
  /// Whether it has a place for a number, `%d` or `%03d`.
  var hasNumber: Bool {
    split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { part in
      part.drop(while: \.isNumber).hasPrefix("d")
    }
  }
}
