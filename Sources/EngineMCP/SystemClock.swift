import Glibc

extension MCPClock {
  /// The machine's clock.
  package static var system: MCPClock {
    let start = ContinuousClock.now
    return MCPClock(
      now: { ContinuousClock.now - start }, elapse: { try await Task.sleep(for: $0) },
      date: { Glibc.time(nil) })
  }
}
