import ArgumentParser
import EngineClient
import EngineProtocol
import Glibc
import JSONRPC
import MediaTime
import Terminal

/// Makes a video of raw frames.
struct Encode: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a video of raw pictures that come on stdin.",
    discussion: """
      They follow one another without anything between: \
      program | reelwire encode --size 640x360 --rate 30 -o out.mp4. Rows have no padding.
      """)

  @Option(parsing: .unconditional, help: "The width and height of each, for example 640x360.")
  var size: SizeArgument

  @Option(parsing: .unconditional, help: "Frames per second: 25, 29.97 or 30000/1001.")
  var rate: FrameRateArgument

  @Option(help: "The pixel format, by FFmpeg's name.")
  var pixelFormat = "rgb24"

  @OptionGroup var writing: WritingOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { [writing.target] }

  func run(_ client: EngineClient, _ console: Console) async throws {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandError.usage(
        "A terminal has no pictures", hint: "Send some: program | reelwire encode …")
    }
    guard rate.duration(of: 1) != nil else {
      throw CommandError.usage("A rate is above 0", hint: "Name it, for example --rate 30.")
    }
    let attributes = WirePixelBufferAttributes(
      pixelFormat: pixelFormat, width: size.width, height: size.height)
    try await writing.write(attributes, client, console) { input in
      try await append(to: input, client)
    }
  }

  private func append(to input: InputHandle, _ client: EngineClient) async throws {
    let step = WireTime(rate.duration(of: 1) ?? .zero)
    var number = 0
    while true {
      try Task.checkCancellation()
      let room = try await client.call(AssetWriterAllocate(input: input))
      guard let blob = room.blobs.first else { return }
      // Its planes have no gaps, so its size is that of a frame on stdin.
      let bytes = try picture(of: blob.size, number)
      guard let bytes else { return try client.notify(BlobRelease(leases: [blob.lease])) }
      try EngineClient.write(bytes, to: blob)
      let sample = WireAppendedSample(
        presentationTime: WireTime(rate.duration(of: number) ?? .zero), duration: step,
        blob: .shm(WireLeasedBytes(lease: blob.lease)))
      _ = try await client.call(AssetWriterAppend(input: input, sampleBuffers: [sample]))
      number += 1
    }
  }

  /// The next frame; nil after the last.
  private func picture(of size: Int, _ number: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while bytes.count < size {
      let more = try read(size - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    guard !bytes.isEmpty else { return nil }
    guard bytes.count == size else {
      throw CommandError(
        "stdin ends inside picture \(number + 1): it has \(bytes.count) of \(size) bytes",
        hint: "Look at --size and --pixel-format.")
    }
    return bytes
  }

  private func read(_ length: Int) throws -> [UInt8] {
    do {
      return try readSome(STDIN_FILENO, length)
    } catch {
      throw CommandError("stdin can't be read: \(error.reason)")
    }
  }
}

/// A width and a height on the command line.
struct SizeArgument: ExpressibleByArgument {
  var width: Int
  var height: Int

  var wire: WireSize { WireSize(width: Double(width), height: Double(height)) }

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0
    else { return nil }
    (self.width, self.height) = (width, height)
  }
}
