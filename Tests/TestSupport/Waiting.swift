import Foundation
import Testing

/// The time that an awaited event may take before a test is taken to hang: three minutes, times
/// REELWIRE_PATIENCE. It decides nothing else, and no test waits for it to pass.
package let hang: Duration =
  .seconds(
    180 * (ProcessInfo.processInfo.environment["REELWIRE_PATIENCE"].flatMap(Double.init) ?? 1))

/// Waits for a condition that no signal reports: checks again, every few milliseconds, until it
/// holds.
///
/// - Parameter what: the condition's name, which a failure reports.
/// - Throws: a failed expectation when it doesn't come within ``hang``, and the errors of `isSo`.
package func eventually(
  _ what: Comment, _ location: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + hang
  while try await !isSo() {
    try #require(ContinuousClock.now < deadline, what, sourceLocation: location)
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Work that doesn't end before it is cancelled.
///
/// - Throws: `CancellationError`.
package func untilCancelled() async throws {
  while true { try await Task.sleep(for: .seconds(1_000_000)) }
}

/// A schedule that is made uneven on purpose; no verdict depends on it.
package func pause(_ duration: Duration) async throws { try await Task.sleep(for: duration) }

/// The same on a thread of its own.
package func pauseThread(_ duration: Duration) {
  Thread.sleep(forTimeInterval: duration / .seconds(1))
}

/// Times that are measured for people to read, and never asserted.
package struct Stopwatch {
  private let start = ContinuousClock.now

  package init() {}

  package var elapsed: Duration { start.duration(to: .now) }
}
