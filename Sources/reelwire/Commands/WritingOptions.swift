import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// The common options of commands that write a file of frames.
struct WritingOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")], help: "The file to make.",
    completion: .file())
  var target: String

  @Option(help: "The type of the file, for example mp4; else it follows from the extension.")
  var fileType: String?

  @Option(
    help: "The codec of the video.",
    completion: .list([
      "h264", "hevc", "vp8", "vp9", "av1", "prores", "mjpeg", "ffv1", "png", "animation", "gif",
      "webp", "apng",
    ]))
  var videoCodec: String?

  @Option(parsing: .unconditional, help: "The quality, from 0 to 1.")
  var quality: Double?

  @Option(parsing: .unconditional, help: "The encoder's own measure of quality; smaller is better.")
  var crf: Double?

  @Option(parsing: .unconditional, help: "The bit rate of the video, for example 2M or 800k.")
  var bitrate: BitRateArgument?

  @Option(
    parsing: .unconditional,
    help: "The width of the video in pixels; alone it keeps the aspect ratio.")
  var width: Int?

  @Option(
    parsing: .unconditional,
    help: "The height of the video in pixels; alone it keeps the aspect ratio.")
  var height: Int?

  @Flag(help: "Print the result as JSON.")
  var json = false

  private var settings: WireVideoEncoding {
    WireVideoEncoding(
      codec: videoCodec, width: width, height: height, quality: quality, bitRate: bitrate?.value,
      rateFactor: crf)
  }

  /// Makes a writer of frames, has them appended, and finishes the file.
  ///
  /// - Parameter append: appends them to the input.
  func write(
    _ attributes: WirePixelBufferAttributes? = nil, _ client: EngineClient, _ console: Console,
    append: (InputHandle) async throws -> Void
  ) async throws {
    let input = WireWriterInput(
      mediaType: .video, outputSettings: .video(settings), sourcePixelBufferAttributes: attributes)
    let made = try await create(input, client)
    let writer = made.assetWriter
    _ = try await client.call(AssetWriterStart(assetWriter: writer))
    _ = try await client.call(
      AssetWriterStartSession(assetWriter: writer, sourceTime: WireTime(.zero)))
    for input in made.inputs { try await append(input) }
    let finish = AssetWriterFinish(assetWriter: writer, completion: .response)
    let done: AssetWriterDidFinish = try await client.finish(finish)
    if let error = done.error { throw RPCError(error) }
    if json { try console.print(done) }
    let length = done.duration.map { "\(Formatting.duration($0.time))" }
    let size = done.fileSize.map { Formatting.size($0) }
    let facts = [length, size].compactMap { $0 }.joined(separator: ", ")
    console.note("\(target.printable): \(facts)")
    DroppedReport.lines(done.dropped ?? []).forEach(console.note)
  }

  private func create(
    _ input: WireWriterInput, _ client: EngineClient
  ) async throws -> AssetWriterCreate.Result {
    do {
      return try await client.call(
        AssetWriterCreate(outputURL: target, outputFileType: fileType, inputs: [input]))
    } catch let error as RPCError where error.code == ErrorCode.invalidParams.rawValue {
      var failure = CommandError(ErrorObject(error), names: Self.name)
      failure.message = "The options don't fit the file that is to be made"
      throw failure
    }
  }

  /// The option that a problem with a parameter is about.
  private static func name(of path: String) -> String? {
    let prefix = "inputs/0/outputSettings/"
    guard path.hasPrefix(prefix) else { return nil }
    return EncodingOptions.name(of: "settings/video/\(path.dropFirst(prefix.count))")
  }
}
