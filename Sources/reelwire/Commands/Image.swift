import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import EngineServer
import JSONRPC
import MediaTime
import Terminal

/// Makes images of a video's frames.
struct Image: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make pictures of a video's frames.",
    discussion: """
      The picture is the frame that is shown at the time, upright; for a time before the first frame \
      it is that one. --frame selects frames by number instead, in order of presentation from 0. \
      Of a file without video it is the cover, as it is stored where neither a size nor another format is wanted. \
      With several -t or --frame the output's name needs a %d (or %03d), which counts from 0. \
      Existing files are never overwritten.

      --all makes a picture of each frame: clip.mp4 --all -o frame%04d.png. --every 10 takes each tenth, and --fps 5 \
      the frame that is shown at each fifth of a second. Nothing is made where a picture of such a name is \
      there already, and nothing stays after a failure or Ctrl-C. Damaged frames are listed, and the others have \
      pictures: the numbers of frames that can't be decoded are missing, and the exit code is 1. \
      So it is for a file that is cut short, with pictures of the frames that are there.
      """)

  @Argument(help: "The video, or a file with a cover.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong, parsing: .unconditionalSingleValue,
    help: "The time: \(TimeArgument.forms); may be repeated; the first frame when absent.")
  var time: [TimeArgument] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "The number of the frame, from 0; may be repeated.")
  var frame: [Int] = []

  @Flag(help: "Make a picture of each frame.")
  var all = false

  @Option(
    parsing: .unconditional,
    help: "Make a picture of each frame whose number is a multiple of this one.")
  var every: Int?

  @Option(
    parsing: .unconditional, help: "The number of pictures for each second: 5, 29.97 or 30000/1001."
  )
  var fps: FrameRateArgument?

  @Option(
    parsing: .unconditional, help: "The number in the name of the first picture; 0 when absent.")
  var firstNumber: Int?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("The picture to make; - is stdout.", valueName: "output"),
    completion: .file())
  var target: String

  @Option(help: "jpeg, png, webp, bmp or raw pixels; else it follows from the output's extension.")
  var format: ImageFormatArgument?

  @Option(parsing: .unconditional, help: "The quality of jpeg and webp, from 0 to 1.")
  var quality: Double?

  @Option(parsing: .unconditional, help: "The maximum width of the picture, in pixels.")
  var width: Int?

  @Option(parsing: .unconditional, help: "The maximum height of the picture, in pixels.")
  var height: Int?

  @Flag(help: "Take the nearest frame that can be had without decoding others.")
  var nearest = false

  @Flag(help: "Don't turn the picture as the file asks for.")
  var asStored = false

  @Flag(help: "Keep the samples of HDR video as they are; else they become BT.709.")
  var keepHDR = false

  @Option(
    help: ArgumentHelp("The conversion of interlaced frames: auto or none.", valueName: "mode"))
  var deinterlace: WireImageDeinterlacing?

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup(title: "Numbered pictures") var images: ImageSequenceOptions
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
    if !frame.isEmpty, !time.isEmpty {
      throw ValidationError("Frames are named by -t or by --frame, not by both")
    }
    if !frame.isEmpty, nearest {
      throw ValidationError("--frame means exactly that frame, so --nearest has no place")
    }
    try validateWhole()
    guard max(time.count, frame.count) > 1 else { return }
    let option = frame.isEmpty ? "-t" : "--frame"
    if target == "-" { throw ValidationError("stdout takes one picture, so one \(option)") }
    if !target.hasNumber {
      throw ValidationError(
        "With several \(option) the output's name needs a %d, as in frame-%d.jpg")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let format = try ImageFormatArgument.choose(format, for: target)
    if target == "-", console.isTerminal {
      throw CommandError.usage(
        "A terminal can't take a picture", hint: "Send it elsewhere: … -o - > picture.jpg")
    }
    if isWhole { try ImageFiles.requireNone(target) }
    var asset = try await client.open(file, images: images)
    if !isWhole, time.isEmpty, frame.isEmpty, let cover = try await cover(of: asset, client) {
      if cover.format == format, width == nil, height == nil, quality == nil, !json {
        return try save(cover, console)
      }
      asset = try await client.open(cover)
    }
    let generator = try await makeGenerator(of: asset, client)
    if isWhole { return try await makeAll(generator, of: asset, format, client, console) }
    let delivery: WireDelivery =
      target == "-" ? .shm : .file(WireFileDelivery(path: target, firstNumber: firstNumber))
    if time.isEmpty, frame.isEmpty {
      let made = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, format: format, quality: quality, delivery: delivery))
      return try await show(made.image, made.actualTime, made.sampleIndex, made, client, console)
    }
    try await make(
      ImageGeneratorGenerateImages(
        imageGenerator: generator, times: frame.isEmpty ? time.map(\.wire) : nil,
        samples: frame.isEmpty ? nil : frame, format: format, quality: quality,
        delivery: delivery),
      of: asset, client, console)
  }

  /// The cover of a file without video.
  private func cover(of asset: AssetHandle, _ client: EngineClient) async throws -> Cover? {
    let video = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    return video.isEmpty ? try await Cover(of: asset, client) : nil
  }

  private func save(_ cover: Cover, _ console: Console) throws {
    if target == "-" { return try console.write(cover.bytes) }
    try LocalFile.create(target, cover.bytes)
    console.note(
      "\(target.printable): the cover as it is stored, "
        + Formatting.size(Int64(cover.bytes.count)))
  }

  /// Writes the image to stdout, or prints its facts.
  ///
  /// - Parameter facts: the facts for `--json`.
  private func show(
    _ image: WireImage?, _ time: WireTime?, _ index: Int?, _ facts: some Encodable,
    _ client: EngineClient, _ console: Console
  ) async throws {
    if let image, target == "-" {
      try console.write(try client.bytes(of: image.blob))
    } else if json {
      try console.print(facts)
    } else {
      console.note(describe(image, time, index))
    }
  }

  private func makeGenerator(
    of asset: AssetHandle, _ client: EngineClient
  ) async throws -> ImageGeneratorHandle {
    var request = ImageGeneratorCreate(asset: asset)
    request.appliesPreferredTrackTransform = !asStored
    if !nearest {
      request.requireExactFrames()
    }
    if width != nil || height != nil {
      request.maximumSize = WireSize(width: Double(width ?? 0), height: Double(height ?? 0))
    }
    if keepHDR { request.dynamicRangePolicy = .matchSource }
    request.deinterlacing = deinterlace
    return try await client.call(request).imageGenerator
  }

  private func make(
    _ request: ImageGeneratorGenerateImages, of asset: AssetHandle, _ client: EngineClient,
    _ console: Console
  ) async throws {
    let made = client.notifications(of: ImageGeneratorDidGenerateImage.self)
    _ = try await client.call(request)
    var failed = false
    var outstanding = request.times?.count ?? frame.count
    for await each in made {
      let image = await completed(each, request, of: asset, client)
      if let error = image.error {
        failed = true
        console.complain(CommandError(error).inShell.lines(console.errorStyle))
      } else {
        try await show(image.image, image.actualTime, image.sampleIndex, image, client, console)
      }
      outstanding -= 1
      if outstanding == 0 { break }
    }
    try Task.checkCancellation()
    guard outstanding == 0 else { throw EngineClient.ConnectionClosedError() }
    if failed { throw ExitCode(1) }
  }

  /// The image, or that of the first frame for a time before it, and of the last frame for the end.
  private func completed(
    _ made: ImageGeneratorDidGenerateImage, _ request: ImageGeneratorGenerateImages,
    of asset: AssetHandle, _ client: EngineClient
  ) async -> ImageGeneratorDidGenerateImage {
    guard made.error?.code == ErrorCode.noImageAtTime.rawValue, let time = made.requestedTime,
      var other = await replacement(for: time, request.imageGenerator, of: asset, client)
    else { return made }
    (other.format, other.quality) = (request.format, request.quality)
    if case .file = request.delivery {
      let path = numbered(target, made.index + (firstNumber ?? 0)).replacing("%", with: "%%")
      other.delivery = .file(WireFileDelivery(path: path))
    }
    var completed = made
    do {
      let image = try await client.call(other)
      (completed.result, completed.error) = (.succeeded, nil)
      (completed.image, completed.actualTime) = (image.image, image.actualTime)
      (completed.sampleIndex, completed.isExact) = (image.sampleIndex, false)
    } catch {
      completed.error = (error as? RPCError).map { ErrorObject($0) } ?? made.error
    }
    return completed
  }

  /// The request for the first or the last frame in place of a time at which none is shown; nil for other times.
  private func replacement(
    for time: WireTime, _ generator: ImageGeneratorHandle, of asset: AssetHandle,
    _ client: EngineClient
  ) async -> ImageGeneratorGenerateImage? {
    // The time of the frame has to be known before a file is made.
    let first = ImageGeneratorGenerateImage(
      imageGenerator: generator, format: .gray, delivery: .shm)
    if let start = try? await client.call(first), time.time < start.actualTime.time { return first }
    guard let ends = try? await ends(of: asset, client), ends.contains(time.time),
      let end = ends.first
    else { return nil }
    let last = end - Time(value: 1, timescale: 1_000_000)
    return ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(last))
  }

  /// The end of the video, and that of the file, which may be later.
  private func ends(of asset: AssetHandle, _ client: EngineClient) async throws -> [Time] {
    let video = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    guard let track = video.first(where: \.isEnabled) ?? video.first else { return [] }
    let loaded = try await client.finish(
      TrackLoadValues(
        asset: asset, trackID: track.trackID, keys: [.timeRange], completion: .response))
    let whole = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
    return [loaded.values.timeRange?.value?.range.end, whole.values.duration?.value?.time]
      .compactMap { $0 }
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
  /// True if it has a place for a number, `%d` or `%03d`.
  var hasNumber: Bool {
    split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { part in
      part.drop(while: \.isNumber).hasPrefix("d")
    }
  }
}
