import LibAV
import Synchronization

/// What of a track can't be decoded, told from any thread.
final class DamageReport: Sendable {
  private struct State {
    var count = 0
    var first = ""
  }

  /// In ticks of the track: what lies before is only decoded for what others need of it.
  private let start: Int64
  private let state = Mutex(State())

  init(from start: Int64) { self.start = start }

  func add(_ error: LibAVError, at pts: Int64?) {
    if let pts, pts < start { return }
    state.withLock { state in
      if state.count == 0 { state.first = error.code.text }
      state.count += 1
    }
  }

  /// How many samples, and what was wrong with the first; nil when there are none.
  var summary: String? {
    state.withLock { state in
      guard state.count > 0 else { return nil }
      let samples = state.count == 1 ? "1 sample" : "\(state.count) samples"
      return "\(samples) couldn't be decoded: \(state.first)"
    }
  }
}
