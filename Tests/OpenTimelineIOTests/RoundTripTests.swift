import JSONRPC
import MediaTime
import Testing

@testable import OpenTimelineIO

/// Timelines of any times: the written document, read and written again, is the same.
struct RoundTripTests {
  /// SplitMix64 (Steele, Lea and Flood 2014): the same numbers with every run.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static let scales: [Int32] = [
    1, 7, 24, 25, 600, 1001, 24000, 30000, 44100, 48000, 90000, 1_000_000, 999_983, 14_112_000,
    705_600_000, 1_000_000_000, 2_147_483_647,
  ]

  private static func time(_ seconds: ClosedRange<Double>, _ random: inout Random) -> Time {
    let scale = scales.randomElement(using: &random) ?? 1
    let value = Int64(Double.random(in: seconds, using: &random) * Double(scale))
    return Time(value: max(1, value), timescale: scale)
  }

  private static func timeline(_ random: inout Random) -> EditTimeline {
    let layers = (0..<2).map { number in
      var (parts, end): ([EditTimeline.Part], Time) = ([], .zero)
      for part in 0..<Int.random(in: 1...5, using: &random) {
        if Bool.random(using: &random) { end = end + time(0.05...3, &random) }
        let length = time(Bool.random(using: &random) ? 0.05...0.6 : 0.05...5000, &random)
        let isFrozen = Int.random(in: 0..<6, using: &random) == 0
        let source = Bool.random(using: &random) ? length : time(0.001...9000, &random)
        parts.append(
          EditTimeline.Part(
            name: "\(part)", url: "/\(part).mp4",
            source: TimeRange(
              start: Bool.random(using: &random) ? .zero : time(0...80000, &random),
              duration: isFrozen ? .zero : source),
            target: TimeRange(start: end, duration: length), isFrozen: isFrozen))
        end = end + length
      }
      return EditTimeline.Layer(
        kind: number == 0 ? .video : .audio, parts: parts,
        duration: Bool.random(using: &random) ? end : end + time(0.05...3, &random))
    }
    return EditTimeline(name: "x", layers: layers)
  }

  /// Rates that a double can't state as they are, too.
  @Test(
    arguments: [
      Rate(24), Rate(30), Rate(30000, over: 1001), Rate(100, over: 3), Rate(2997, over: 125),
      Rate(1), Rate(15, over: 2), Rate(1000, over: 7), Rate(600), Rate(2_147_483_647),
      Rate(2_147_483_647, over: 2_147_483_646), Rate(1_000_000_000, over: 33_366_667),
    ])
  func whatIsReadIsWrittenAlike(rate: Rate) throws {
    var random = Random(state: UInt64(rate.numerator))
    for number in 0..<100 {
      let timeline = Self.timeline(&random)
      let written = timeline.document(rate: rate)
      let read = try ReadDocument(text: written.description)
      #expect(read.losses == [])
      let again = read.timeline.document(rate: rate)
      guard again == written else {
        Issue.record("\(number): \(timeline)\n\(written)\n\(again)")
        return
      }
      #expect(try ReadDocument(text: again.description).timeline == read.timeline)
      for (layer, other) in zip(timeline.layers, read.timeline.layers) {
        for (part, found) in zip(layer.parts, other.parts) where !part.isFrozen {
          let ratio = part.source.duration.seconds / part.target.duration.seconds
          let speed = found.source.duration.seconds / found.target.duration.seconds
          #expect((speed / ratio - 1).magnitude < 1e-5 || (speed - ratio).magnitude < 1e-8)
        }
      }
    }
  }

  /// A third of a hundred frames a second is no decimal: its times are whole at 100.
  @Test func ratesThatNoNumberStatesAreLeftAlone() throws {
    let part = EditTimeline.Part(
      url: "/a", source: TimeRange(start: .zero, duration: Time(value: 3, timescale: 100)),
      target: TimeRange(start: .zero, duration: Time(value: 3, timescale: 100)))
    let timeline = EditTimeline(layers: [EditTimeline.Layer(kind: .video, parts: [part])])
    let read = try ReadDocument(timeline.document(rate: Rate(100, over: 3)))
    #expect(read.timeline == timeline)
  }

  @Test func speedsAreWrittenAsTheyAreRead() throws {
    let part = EditTimeline.Part(
      url: "/a", source: TimeRange(start: .zero, duration: Time(value: 1, timescale: 3)),
      target: TimeRange(start: .zero, duration: Time(value: 1, timescale: 1)))
    let timeline = EditTimeline(layers: [EditTimeline.Layer(kind: .video, parts: [part])])
    let written = timeline.document(rate: Rate(24))
    #expect(try ReadDocument(written).timeline.document(rate: Rate(24)) == written)
  }
}
