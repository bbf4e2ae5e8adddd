import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Compositions of many parts: parts that are divided without a change are read at once, and errors
/// don't add up.
struct ManyPartsTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Int64, _ count: Int64, _ timescale: Int32) -> TimeRange {
    TimeRange(start: time(start, timescale), duration: time(count, timescale))
  }

  /// A clip whose frames have their number as their brightness, with a click in each third of a second.
  private func numbered(_ name: String, _ audio: String) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i color=black:s=32x32:r=30:d=8 -f lavfi -i "
        + "aevalsrc=0.8*eq(mod(n\\,16000)\\,5000):d=8:s=48000 -vf "
        + "geq=lum='16+mod(N*3\\,219)':cb=128:cr=128,format=yuv420p -c:v libx264 -qp 0 -g 12 \(audio)"
    )
  }

  private func read(
    _ asset: any Asset, _ type: MediaType, _ settings: OutputSettings
  ) async throws -> [SampleBuffer] {
    let reader = try await AssetReader(
      asset: asset, timeRange: .all,
      outputs: [.init(track: .mediaType(type), settings: settings)])
    try reader.start()
    var all: [SampleBuffer] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 50)
      all += buffers
      if isAtEnd { return all }
    }
  }

  private static let sound = OutputSettings.audio(
    sampleFormat: "f32", sampleRate: 48000, channels: 1, interleaved: true)
  private static let gray = OutputSettings.video(pixelFormat: "gray", width: nil, height: nil)

  /// Inserted piece by piece, also twice as fast, it is one part for those who read it.
  @Test(arguments: [1, 2])
  func whatGoesOnIsOnePart(_ speed: Int64) async throws {
    let path = try numbered("whole.mov", "-c:a pcm_s16le")
    let asset = URLAsset(url: path)
    let pieces = MutableComposition()
    for number in 0..<50 {
      try await pieces.insertTimeRange(Self.range(Int64(number), 1, 10), of: asset)
    }
    let whole = MutableComposition()
    try await whole.insertTimeRange(Self.range(0, 50, 10), of: asset)
    for composition in [pieces, whole] where speed != 1 {
      try await composition.scaleTimeRange(
        Self.range(0, 50, 10), toDuration: Self.time(5, Int32(speed)))
    }
    let (many, one) = (try pieces.current(), try whole.current())
    for track in many.content.tracks {
      #expect(track.timeline.parts.count == 1)
      #expect(track.timeline.segments.count == 50)
      #expect(try many.segments(ofTrack: track.trackID).count == 50)
    }
    let frames = try await read(many, .video, Self.gray)
    let expected = try await read(one, .video, Self.gray)
    #expect(frames.map(\.presentationTime) == expected.map(\.presentationTime))
    #expect(
      frames.map { [$0].values(UInt8.self)[0] } == expected.map { [$0].values(UInt8.self)[0] })
    let samples = try await read(many, .audio, Self.sound).values(Float.self)
    #expect(samples == (try await read(one, .audio, Self.sound).values(Float.self)))
    // A piece that continues elsewhere, or at another speed, is a part of its own.
    try await pieces.removeTimeRange(Self.range(20, 1, 20))
    #expect(try pieces.current().content.tracks.allSatisfy { $0.timeline.parts.count == 2 })
  }

  /// 500 parts of a third of a second: each click and each frame where it has to be, at the end as at the start.
  @Test(arguments: ["-c:a pcm_s16le", "-c:a aac -b:a 128k"])
  func nothingAddsUp(_ audio: String) async throws {
    let asset = URLAsset(url: try numbered("clicks.mov", audio))
    let composition = MutableComposition()
    // Each part begins elsewhere, so that none continues the one before.
    let starts = (0..<500).map { ($0 * 7) % 23 }
    for start in starts {
      try await composition.insertTimeRange(Self.range(Int64(start), 1, 3), of: asset)
    }
    let current = try composition.current()
    #expect(current.duration == Self.time(500, 3))
    let samples = try await read(current, .audio, Self.sound).values(Float.self)
    try #require(samples.count == 500 * 16000)
    for number in starts.indices {
      let part = samples[number * 16000..<(number + 1) * 16000]
      let click = part.indices.max { abs(part[$0]) < abs(part[$1]) } ?? 0
      #expect(abs(click - number * 16000 - 5000) <= 1, "click \(number)")
    }
    let frames = try await read(current, .video, Self.gray)
    try #require(frames.count == 5000)
    for (number, frame) in frames.enumerated() {
      #expect(frame.presentationTime == Self.time(Int64(number), 30))
      let own = starts[number / 10] * 10 + number % 10
      let value = [frame].values(UInt8.self)[0]
      // As gray of full range, of 16 to 235.
      let luma = Double(16 + own * 3 % 219)
      #expect(abs(Double(value) - (luma - 16) * 255 / 219) <= 1, "frame \(number)")
    }
  }
}
