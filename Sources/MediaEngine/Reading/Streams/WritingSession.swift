import MediaTime
import Synchronization

/// The part of the appended samples that a writer shows: its session
/// (AVAssetWriter.startSession(atSourceTime:)).
final class WritingSession: Sendable {
  private struct State {
    var start: Time?
    var end: Time?
  }
  private let state = Mutex(State())

  init() {}

  /// A session that is known from its start to its end.
  init(_ range: TimeRange) {
    begin(at: range.start.isNumeric ? range.start : .zero)
    if range.duration.isNumeric { end(at: range.end) }
  }

  /// Nil before the session has begun.
  var start: Time? { state.withLock(\.start) }
  /// Nil before its end is stated.
  var end: Time? { state.withLock(\.end) }
  /// The range of a session that has begun; a sample that is shown at its start is shown at the
  /// start of the file.
  var range: TimeRange {
    state.withLock { state in
      let start = state.start ?? .zero
      return TimeRange(start: start, duration: state.end.map { $0 - start } ?? .positiveInfinity)
    }
  }

  func begin(at time: Time) { state.withLock { $0.start = time } }
  /// - Parameter time: nil for a session that ends with the last appended sample.
  func end(at time: Time?) { state.withLock { $0.end = time } }
}
