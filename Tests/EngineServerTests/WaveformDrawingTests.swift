import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct WaveformDrawingTests {
  private func pixels(of path: String, _ format: String = "rgba") async throws -> [UInt8] {
    try await succeed([
      "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-",
    ]).output
  }

  /// Each column is a bar from the largest to the smallest sample in its channel's lane, with the power
  /// inside it.
  @Test(arguments: Transport.allCases) func columnsAreTheNumbers(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 4000, rate: 8000, channels: 2)
    let (width, height) = (50, 41)
    try await withClient(transport) { client in
      let asset = try await client.open(sound, in: folder)
      let waveform = try await client.waveform(
        WaveformGenerate(
          asset: asset, count: width, format: .png, height: height, color: "#ff8000",
          backgroundColor: "#00000000", delivery: transport == .binary ? .shm : .inline))
      let image = try #require(waveform.image)
      #expect((image.width, image.height, image.format) == (width, height, .png))
      let drawn = try await pixels(of: try folder.write("a.png", try image.blob.bytes))
      try #require(drawn.count == width * height * 4)
      let channels = try #require(waveform.channels)
      try #require(channels.count == 2)
      for (number, channel) in channels.enumerated() {
        let lane = number * height / 2..<(number + 1) * height / 2
        for column in 0..<width {
          func row(_ value: Double) -> Int {
            lane.lowerBound + min(lane.count - 1, Int((1 - value) / 2 * Double(lane.count)))
          }
          let power = channel.rms[column]
          for line in lane {
            let place = (line * width + column) * 4
            let expected: [UInt8] =
              (row(min(power, channel.max[column]))...row(max(-power, channel.min[column])))
                .contains(line)
              ? [255, 128, 0, 255]
              : (row(channel.max[column])...row(channel.min[column])).contains(line)
                ? [255, 128, 0, 128] : [0, 0, 0, 0]
            #expect(Array(drawn[place..<place + 4]) == expected, "\(column), \(line)")
          }
        }
      }
      if let lease = image.blob.lease { try client.notify(BlobRelease(leases: [lease])) }
      // The same again is the same, and without a count there are no numbers.
      let again = try await client.waveform(
        WaveformGenerate(
          asset: asset, format: .png, width: width, height: height, color: "#ff8000"))
      #expect(again.channels == nil)
      #expect(
        try await pixels(of: try folder.write("b.png", try #require(again.image).blob.bytes))
          == drawn)
    }
  }

  /// A range without media shows the background, silence a line in the middle.
  @Test func gapsAreEmpty() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("silence.wav")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "1", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let range = TimeRange(start: .zero, duration: .seconds(2, 1))
      let waveform = try await client.waveform(
        WaveformGenerate(
          asset: asset, timeRange: WireTimeRange(range), format: .png, width: 10, height: 9,
          color: "#0000ff", backgroundColor: "#ffffff"))
      let drawn = try await pixels(
        of: try folder.write("a.png", try #require(waveform.image).blob.bytes), "rgb24")
      let expected = (0..<90).flatMap { place -> [UInt8] in
        place / 10 == 4 && place % 10 < 5 ? [0, 0, 255] : [255, 255, 255]
      }
      #expect(drawn == expected)
    }
  }

  /// Files that others read, in every format; the file of a failure isn't left.
  @Test(arguments: [WireImageFormat.png, .bmp, .jpeg, .webp]) func filesOfAllFormats(
    _ format: WireImageFormat
  ) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.\(format.rawValue)")
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let request = WaveformGenerate(
        asset: asset, format: format, width: 64, height: 32, quality: 1,
        delivery: .file(WireFileDelivery(path: path)))
      let waveform = try await client.waveform(request)
      #expect(waveform.result == .succeeded && folder.names == ["a.\(format.rawValue)"])
      let drawn = try await pixels(of: path)
      try #require(drawn.count == 64 * 32 * 4)
      // The upper left is background: white where nothing can be transparent.
      let isOpaque = format == .jpeg
      #expect(isOpaque ? drawn[..<4].allSatisfy { $0 > 250 } : drawn[3] == 0)
      let again = try await client.waveform(request)
      #expect(again.result == .failed && again.error?.code == -11823)
      #expect(folder.names == ["a.\(format.rawValue)"])
    }
  }
}
