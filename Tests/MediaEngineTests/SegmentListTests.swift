import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// A source without media.
private struct NumberedSource: SegmentSource {
  let number: Int
  var isFrozen: Bool { number < 0 }
}

/// The edits of a composition's track, against a model that knows no segments: the media at a time
/// is the media that was, before the edit, at the time that the edit has moved there. Its numbers
/// are exact.
struct SegmentListTests {
  private typealias List = SegmentList<NumberedSource>

  /// A number as a ratio; the tests' stay far below the limits.
  struct Ratio: Equatable, Comparable {
    let over: Int128
    let under: Int128

    init(_ over: Int128, _ under: Int128 = 1) {
      var (a, b) = (over.magnitude, under.magnitude)
      while b != 0 { (a, b) = (b, a % b) }
      let divisor = Int128(max(1, a)) * (under < 0 ? -1 : 1)
      (self.over, self.under) = (over / divisor, under / divisor)
    }

    init(_ time: Time) { self.init(Int128(time.value), Int128(time.timescale)) }

    static func + (a: Ratio, b: Ratio) -> Ratio {
      Ratio(a.over * b.under + b.over * a.under, a.under * b.under)
    }
    static func - (a: Ratio, b: Ratio) -> Ratio { a + Ratio(-b.over, b.under) }
    static func * (a: Ratio, b: Ratio) -> Ratio { Ratio(a.over * b.over, a.under * b.under) }
    static func / (a: Ratio, b: Ratio) -> Ratio { Ratio(a.over * b.under, a.under * b.over) }
    static func < (a: Ratio, b: Ratio) -> Bool { a.over * b.under < b.over * a.under }
    var doubleValue: Double { Double(over) / Double(under) }
  }

  private struct Shown: Equatable {
    let source: Int
    let time: Ratio
  }

  /// The media at each time, as a chain of edits.
  private indirect enum Model {
    case empty
    /// `source` nil is nothing.
    case inserted(Model, source: Int?, from: Ratio, at: Ratio, length: Ratio)
    case removed(Model, from: Ratio, length: Ratio)
    case scaled(Model, from: Ratio, length: Ratio, to: Ratio)

    func shown(at time: Ratio) -> Shown? {
      switch self {
      case .empty: return nil
      case .inserted(let before, let source, let from, let start, let length):
        if time < start { return before.shown(at: time) }
        if time < start + length {
          return source.map { Shown(source: $0, time: from + (time - start)) }
        }
        return before.shown(at: time - length)
      case .removed(let before, let start, let length):
        return before.shown(at: time < start ? time : time + length)
      case .scaled(let before, let start, let length, let to):
        if time < start { return before.shown(at: time) }
        if time < start + to {
          return before.shown(at: start + (time - start) * length / to)
        }
        return before.shown(at: time - to + length)
      }
    }
  }

  private static func shown(_ list: List, at time: Time) -> (shown: Shown, isRounded: Bool)? {
    guard let segment = list.segments.first(where: { $0.mapping.target.contains(time) }),
      let source = segment.source
    else { return nil }
    let own = time.mapped(from: segment.mapping.target, to: segment.mapping.source)
    return (Shown(source: source.number, time: Ratio(own)), own.hasBeenRounded)
  }

  /// Exactly the same where times are exact, else as near as a time can be.
  private static func require(
    _ found: (shown: Shown, isRounded: Bool)?, _ expected: Shown?, _ what: String
  ) -> Bool {
    guard let found, let expected else {
      #expect(found == nil && expected == nil, "\(what)")
      return false
    }
    #expect(found.shown.source == expected.source, "\(what)")
    if !found.isRounded { #expect(found.shown == expected, "\(what)") }
    #expect(abs(found.shown.time.doubleValue - expected.time.doubleValue) < 1e-7, "\(what)")
    return !found.isRounded
  }

  private static func requireContiguous(_ list: List, _ what: String) {
    var end = Time.zero
    for segment in list.segments {
      #expect(segment.mapping.target.start == end, "\(what)")
      #expect(segment.mapping.target.duration > .zero, "\(what)")
      end = segment.mapping.target.end
    }
  }

  /// Edits of a seed: the list, the model, and how long it is by the model.
  private static func edits(
    _ random: inout SeededGenerator, count: Int
  ) -> (list: List, model: Model, end: Ratio) {
    var list = List()
    var model = Model.empty
    var end = Ratio(0)
    let clocks: [Int32] = [24, 25, 600, 1000, 30000]
    for _ in 0..<count {
      let clock = clocks[Int(random.next() % 5)]
      func time(_ limit: UInt64) -> Time {
        Time(value: Int64(random.next() % (limit * UInt64(clock))), timescale: clock)
      }
      let (start, length) = (time(6), time(3) + Time(value: 1, timescale: clock))
      let (at, duration) = (Ratio(start), Ratio(length))
      switch random.next() % 6 {
      case 0, 1, 2:
        let isAtEnd = random.next() % 2 == 0
        let source = random.next() % 5 == 0 ? nil : Int(random.next() % 4)
        let from = time(4)
        // Only media is added after the end: the range between is empty.
        list.insert(
          [
            .init(
              source.map(NumberedSource.init), range: TimeRange(start: from, duration: length),
              at: .zero)
          ], at: isAtEnd ? nil : start)
        let place = isAtEnd ? end : at
        model = .inserted(
          model, source: source, from: Ratio(from), at: place, length: duration)
        end = max(end, place) + duration
      case 3:
        list.remove(TimeRange(start: start, duration: length))
        guard at < end else { continue }
        model = .removed(model, from: at, length: duration)
        end = max(at, end - duration)
      default:
        let to = time(2) + Time(value: 1, timescale: clock)
        list.scale(TimeRange(start: start, duration: length), to: to)
        guard at < end else { continue }
        model = .scaled(model, from: at, length: duration, to: Ratio(to))
        end =
          at + duration <= end
          ? end - duration + Ratio(to) : at + (end - at) * Ratio(to) / duration
      }
    }
    return (list, model, end)
  }

  @Test func randomEditsAreAsTheModelHasThem() {
    var random = SeededGenerator(seed: 17)
    var (exact, inexact) = (0, 0)
    for sequence in 0..<12_000 {
      let (list, model, end) = Self.edits(&random, count: 1 + sequence % 7)
      Self.requireContiguous(list, "sequence \(sequence)")
      let isRounded = list.segments.contains {
        $0.mapping.target.end.hasBeenRounded || $0.mapping.source.start.hasBeenRounded
          || $0.mapping.source.duration.hasBeenRounded
      }
      #expect(abs(Ratio(list.end).doubleValue - end.doubleValue) < 1e-8, "sequence \(sequence)")
      if !isRounded { #expect(Ratio(list.end) == end, "sequence \(sequence)") }
      for _ in 0..<6 {
        let time = Time(value: Int64(random.next() % 1_080_000), timescale: 90_000)
        let isExact = Self.require(
          Self.shown(list, at: time), model.shown(at: Ratio(time)),
          "sequence \(sequence) at \(time)")
        if isExact { exact += 1 } else { inexact += 1 }
      }
    }
    #expect(exact > 10_000 && inexact > 100)
  }

  /// A range shows the same as its part of the whole.
  @Test func aRangeOfItShowsTheSame() {
    var random = SeededGenerator(seed: 18)
    for _ in 0..<2000 {
      let (list, model, _) = Self.edits(&random, count: 4)
      let start = Time(value: Int64(random.next() % 4000), timescale: 1000)
      let range = TimeRange(
        start: start, duration: Time(value: Int64(random.next() % 3000), timescale: 1000))
      let part = List(list.segments(in: range))
      Self.requireContiguous(part, "\(range)")
      #expect(part.end <= range.duration)
      for _ in 0..<4 where !range.isEmpty {
        let offset = Time(value: Int64(random.next() % 3000), timescale: 1000)
        guard offset < min(range.duration, part.end) else { continue }
        _ = Self.require(
          Self.shown(part, at: offset), model.shown(at: Ratio(start + offset)), "\(range) \(offset)"
        )
      }
    }
  }

  /// Fifty times a third of the duration, with clocks that have no common one: rounded, contiguous,
  /// and the rate of parts that aren't scaled is their own.
  @Test func timesThatNoClockHoldsAreRounded() {
    var list = List()
    let odd = Time(value: 2_147_483_646, timescale: Int32.max)
    for number in 0..<6 {
      list.insert([
        .init(
          NumberedSource(number: number),
          range: TimeRange(start: .zero, duration: odd + Time(value: 1, timescale: 44100)),
          at: .zero)
      ])
    }
    for _ in 0..<50 {
      let range = TimeRange(start: .zero, duration: Time(value: 3, timescale: 1))
      list.scale(range, to: Time(value: 1, timescale: 1))
      list.insert([
        .init(NumberedSource(number: 9), range: TimeRange(start: .zero, duration: odd), at: .zero)
      ])
      Self.requireContiguous(list, "")
    }
    #expect(list.segments.last?.mapping.rate == 1)
    #expect(list.end.isNumeric)
  }

  /// A picture that is held is all of itself in each of its pieces.
  @Test func aHeldPictureIsNotCut() {
    var list = List()
    let picture = TimeRange(start: .zero, duration: Time(value: 1, timescale: 25))
    let target = TimeRange(start: .zero, duration: Time(value: 5, timescale: 1))
    list.insert([.init(NumberedSource(number: -1), TimeMapping(source: picture, target: target))])
    list.insert(
      [.init(NumberedSource(number: 1), range: target, at: .zero)], at: Time(value: 2, timescale: 1)
    )
    #expect(
      list.segments.map(\.mapping.source.duration) == [picture, target, picture].map(\.duration))
    #expect(list.end == Time(value: 10, timescale: 1))
  }
}
