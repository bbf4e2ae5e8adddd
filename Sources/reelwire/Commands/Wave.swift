import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Shows or draws the waveform of a file's audio.
struct Wave: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw the waveform of a file's audio, or print its numbers.",
    discussion: """
      Without -o it is shown in characters, a line for each channel. -o makes a picture, and --json \
      prints the smallest and largest sample and the power of each part. Existing files are never \
      overwritten.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("A picture to make; - is stdout.", valueName: "output"),
    completion: .file())
  var target: String?

  @Flag(help: "Print the numbers as JSON.")
  var json = false

  @Option(parsing: .unconditional, help: "The number of parts; 100 with --json.")
  var count: Int?

  @Option(parsing: .unconditional, help: "The audio track; the first one when absent.")
  var track: Int32?

  @Option(parsing: .unconditional, help: "The width of the picture, in pixels.")
  var width = 800

  @Option(parsing: .unconditional, help: "The height of the picture, in pixels.")
  var height = 128

  @Option(help: "The format of the file; else it follows from the output's extension.")
  var format: ImageFileFormatArgument?

  @Option(help: "The colour of the wave, #rrggbb or #rrggbbaa.")
  var waveColor: String?

  @Option(help: "The background colour, #rrggbb or #rrggbbaa; transparent when absent.")
  var background: String?

  @OptionGroup var range: RangeOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { target.map { [$0] } ?? [] }

  func validate() throws {
    if target == "-", json {
      throw ValidationError("stdout has the picture, so --json has no place")
    }
    if target != nil, count != nil, !json {
      throw ValidationError("--count is for numbers; a picture has its --width")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    if target == "-", console.isTerminal {
      throw CommandError.usage(
        "A terminal can't take a picture", hint: "Leave -o out, or send it elsewhere: > wave.png")
    }
    let asset = try await client.open(file)
    var request = WaveformGenerate(asset: asset)
    (request.trackID, request.timeRange, request.completion) = (track, range.range, .response)
    if target == nil || json {
      request.count = count ?? (json ? 100 : max(10, console.columns - 8))
    }
    if let target {
      request.format = try ImageFormatArgument.choose(format?.format, for: target)
      (request.width, request.height) = (width, height)
      (request.color, request.backgroundColor) = (waveColor, background)
      request.delivery = target == "-" ? .shm : .file(WireFileDelivery(path: target))
    }
    let wave = try await finish(request, client, console)
    if let image = wave.image, let target {
      if target == "-" { return try console.write(try client.bytes(of: image.blob)) }
      console.note("\(target.printable): \(image.width) × \(image.height)")
    }
    for dropped in wave.dropped ?? [] { console.note("left out: \(dropped.reason.printable)") }
    if json {
      try console.print(wave)
    } else if target == nil {
      for line in Self.lines(wave) { try console.print(line) }
    }
  }

  private func finish(
    _ request: WaveformGenerate, _ client: EngineClient, _ console: Console
  ) async throws -> WaveformDidFinish {
    let wave = try await client.finish(request, showing: Progress(console)) {
      (progress: inout Progress, step: WaveformDidProgress) in
      progress.show(step.progress)
    }
    if let error = wave.error { throw RPCError(error) }
    return wave
  }

  /// Returns a line of bars for each channel, each as high as its largest sample.
  static func lines(_ wave: WaveformDidFinish) -> [String] {
    let bars = Array(" ▁▂▃▄▅▆▇█")
    return (wave.channels ?? []).enumerated().map { index, channel in
      let line = zip(channel.min, channel.max).map { low, high in
        let level = min(1, max(abs(low), abs(high)))
        return bars[Int((level * 8).rounded(.up))]
      }
      return "\(index + 1)".padded(to: 3) + String(line)
    }
  }
}
