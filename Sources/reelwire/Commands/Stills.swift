import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Makes a video of image files.
struct Stills: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a video of image files, one after the other.",
    discussion: """
      Each is a file or an http or https URL. It is shown for --duration, or of a time-lapse with --rate for one frame: \
      stills *.jpg --rate 24 -o lapse.mp4. The video has the size of the first, unless --width or \
      --height is set; others are scaled to it.
      """)

  @Argument(help: "The image files, in order.", completion: .file())
  var files: [String]

  @Option(parsing: .unconditional, help: "The duration of each, in seconds; 3 by default.")
  var duration: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: "Instead, the number of images in a second: 24, 29.97 or 30000/1001.")
  var rate: FrameRateArgument?

  @OptionGroup var writing: WritingOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { [writing.target] }

  func validate() throws {
    if duration != nil, rate != nil { throw ValidationError("Use --duration or --rate, not both") }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let step = try self.step()
    try await writing.write(nil, client, console) { input in
      var progress = Progress(console)
      var time = Time.zero
      for (number, file) in files.enumerated() {
        let fetched = WebInput.isURL(file) ? try await FetchedFile(file) : nil
        let sample = WireAppendedSample(
          presentationTime: WireTime(time), duration: WireTime(step),
          imageURL: fetched?.path ?? file)
        do {
          _ = try await client.call(AssetWriterAppend(input: input, sampleBuffers: [sample]))
        } catch let error as RPCError {
          throw fetched?.named(error) ?? error
        }
        time = time + step
        progress.show(Double(number + 1) / Double(files.count))
      }
      progress.clear()
    }
  }

  private func step() throws -> Time {
    let step = try rate.map { rate -> Time in
      guard let step = rate.duration(of: 1) else {
        throw CommandError.usage("A rate is above 0", hint: "Name it, for example --rate 24.")
      }
      return step
    }
    return step ?? duration?.wire.time ?? Time(value: 3, timescale: 1)
  }
}
