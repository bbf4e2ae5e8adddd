import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Makes pictures of a video's frames.
struct Image: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make pictures of a video's frames.",
    discussion: """
      The picture is the frame that is shown at the time, upright. With several -t the output's \
      name needs a %d (or %03d), which counts from 0. Existing files are never overwritten.
      """)

  @Argument(help: "The video.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: "The time: \(TimeArgument.forms); may be repeated; the start when absent.")
  var time: [TimeArgument] = []

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("The picture to make; - is stdout.", valueName: "output"),
    completion: .file())
  var target: String

  @Option(help: "jpeg, png, webp, bmp or raw pixels; else the output's extension tells.")
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
    let times = (time.isEmpty ? [WireTime(.zero)] : time.map(\.wire))
    if target == "-" {
      let made = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: times[0], format: format, quality: quality,
          delivery: .shm))
      return try console.write(try client.bytes(of: made.image.blob))
    }
    try await make(times, format, with: generator, client, console)
  }

  private func makeGenerator(_ client: EngineClient) async throws -> ImageGeneratorHandle {
    let asset = try await client.call(AssetOpen(url: file)).asset
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

  private func make(
    _ times: [WireTime], _ format: WireImageFormat, with generator: ImageGeneratorHandle,
    _ client: EngineClient, _ console: Console
  ) async throws {
    let made = client.notifications(of: ImageGeneratorDidGenerateImage.self)
    let request = ImageGeneratorGenerateImages(
      imageGenerator: generator, times: times, format: format, quality: quality,
      delivery: .file(WireFileDelivery(path: target)))
    _ = try await client.call(request)
    var failed = false
    var outstanding = times.count
    for await image in made {
      if let error = image.error {
        failed = true
        console.complain(CommandError(error).inShell.lines(console.errorStyle))
      } else if json {
        try console.print(image)
      } else {
        console.note(describe(image))
      }
      outstanding -= 1
      if outstanding == 0 { break }
    }
    try Task.checkCancellation()
    guard outstanding == 0 else { throw EngineClient.Closed() }
    if failed { throw ExitCode(1) }
  }

  private func describe(_ made: ImageGeneratorDidGenerateImage) -> String {
    guard let image = made.image, case .file(let blob) = image.blob, let time = made.actualTime
    else { return "" }
    let frame = made.sampleIndex.map { "frame \($0)" } ?? "the frame"
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
