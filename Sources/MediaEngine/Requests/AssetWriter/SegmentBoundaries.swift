public import MediaTime
import Synchronization

/// Media segments in place of a file (AVAssetWriter.preferredOutputSegmentInterval and its like).
public struct SegmentSettings: Sendable {
  /// The time from one segment to the next: one begins with the first sync sample of each interval. Nil where the
  /// caller ends each.
  public var interval: Time?
  /// The beginning of the first interval, on the clock of the samples; nil for the session's start.
  public var start: Time?
  public var profile: SegmentProfile

  public init(
    interval: Time?, start: Time? = nil, profile: SegmentProfile = .mpeg4AppleHLS
  ) {
    (self.interval, self.start, self.profile) = (interval, start, profile)
  }

  /// The minimum of the interval: shorter segments would be beyond the samples of any track.
  private static let shortest = Time(value: 1, timescale: 1000)

  /// Returns the problems that prevent a writer from making such segments.
  func problems(
    _ configuration: AssetWriterConfiguration, in fileType: FileType
  ) -> [EngineError.Problem] {
    var found: [EngineError.Problem] = []
    func add(_ path: String, _ expected: String, _ got: String) {
      found.append(.init(path: path, expected: expected, got: got))
    }
    if let interval, !interval.isNumeric || interval < Self.shortest {
      add(
        "/segments/preferredOutputSegmentInterval", "0.001 seconds at least, or indefinite",
        interval.secondsDescription)
    }
    if let start, !start.isNumeric {
      add("/segments/initialSegmentStartTime", "a numeric time", start.secondsDescription)
    }
    let format = fileType.format
    if !format.hasMovieHeader || format.metadata.prefersUserData {
      add("/outputFileType", "mp4 for segments", fileType.name)
    }
    if !configuration.chapters.isEmpty { add("/chapters", "none with segments", "some") }
    let types = configuration.inputs.map(\.mediaType)
    for (index, type) in types.enumerated() {
      let path = "/inputs/\(index)"
      if type != .video, type != .audio {
        add(path, "video or audio for segments", type.rawValue)
      } else if types[..<index].contains(type) {
        add(path, "one of \(type.rawValue) for segments", "another one")
      } else if index > 0, profile == .mpeg4CMAFCompliant {
        add(path, "one input for CMAF", "another one")
      }
    }
    return found
  }
}

/// The times at which the segments of a writer begin.
final class SegmentBoundaries: Sendable {
  let settings: SegmentSettings
  /// The times after which the caller has ended segments, on the clock of the samples; increasing.
  private let ends = Mutex<[Time]>([])

  init(_ settings: SegmentSettings) { self.settings = settings }

  /// Ends a segment after `time`, on the clock of the samples.
  func end(after time: Time) {
    ends.withLock { ends in
      if ends.last.map({ $0 < time }) ?? true { ends.append(time) }
    }
  }

  fileprivate func ends(from index: Int) -> ArraySlice<Time> { ends.withLock { $0[index...] } }
}

/// Finds the first sample of each segment. The samples are passed in order of their times.
struct SegmentClock {
  private let boundaries: SegmentBoundaries
  /// The session's start, which is the zero of the file.
  private let origin: Time
  private let start: Time
  /// The number of past segments: of an interval each, or ended by the caller.
  private var passed = 0

  init(_ boundaries: SegmentBoundaries, origin: Time) {
    self.boundaries = boundaries
    self.origin = origin
    start = boundaries.settings.start ?? origin
  }

  /// The time from one segment to the next; nil where the caller ends them.
  var interval: Time? { boundaries.settings.interval }

  /// True where the caller ends segments.
  var isOfCaller: Bool { boundaries.settings.interval == nil }

  /// Returns true where a segment should begin at a time in the file, or before it.
  func isDue(at time: Time) -> Bool {
    let time = time + origin
    guard let interval = boundaries.settings.interval else {
      return boundaries.ends(from: passed).first.map { $0 < time } ?? false
    }
    return time >= end(of: passed, interval)
  }

  /// Marks segments up to a time in the file as past.
  mutating func begin(at time: Time) {
    let time = time + origin
    guard let interval = boundaries.settings.interval else {
      passed += boundaries.ends(from: passed).prefix { $0 < time }.count
      return
    }
    let estimate = ((time - start).seconds / interval.seconds).rounded(.down) - 1
    passed = max(passed, Int(exactly: min(estimate, 1e15)) ?? passed)
    while time >= end(of: passed, interval) { passed += 1 }
  }

  private func end(of segment: Int, _ interval: Time) -> Time {
    let (ticks, overflow) = interval.value.multipliedReportingOverflow(by: Int64(segment) + 1)
    return overflow ? .positiveInfinity : start + Time(value: ticks, timescale: interval.timescale)
  }
}
