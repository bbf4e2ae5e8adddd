import Synchronization

/// The progress of an operation that has been reported, in whole percent. Used from any thread.
final class ReportedPercent: Sendable {
  private let last = Mutex(0)

  /// Returns true where the progress, 0 to 1, is a percent more than the reported one; it counts as reported from then
  /// on.
  func isNews(_ progress: Double) -> Bool {
    let percent = Int(progress * 100)
    return last.withLock { last in
      defer { last = max(last, percent) }
      return percent > last
    }
  }
}
