extension ExportSession {
  /// The state of a session (AVAssetExportSession.State).
  public enum State: Sendable, Hashable {
    /// The export hasn't begun.
    case pending
    /// Others are exporting; see ``ExportSession/maximumConcurrentExports``.
    case waiting
    /// The part that is done, 0 to 1, which never falls.
    case exporting(progress: Double)
  }

  /// The states of a session, the present one first. They end with the export.
  public struct States: AsyncSequence, Sendable {
    let stream: AsyncStream<State>

    public func makeAsyncIterator() -> AsyncStream<State>.Iterator { stream.makeAsyncIterator() }
  }
}

extension ExportSession.State {
  /// Nil once the export has ended.
  init?(_ progress: ExportSession.Progress) {
    switch progress.status {
    case .unknown: self = .pending
    case .waiting: self = .waiting
    case .exporting: self = .exporting(progress: progress.fraction)
    case .completed, .failed, .cancelled: return nil
    }
  }
}

extension ExportSession {
  /// An observer of a session's states.
  struct StateObserver {
    let interval: Duration
    let continuation: AsyncStream<State>.Continuation
    private var last: (state: State, time: ContinuousClock.Instant)?

    init(interval: Duration, continuation: AsyncStream<State>.Continuation) {
      self.interval = interval
      self.continuation = continuation
    }

    /// Passes on a state that is new, and progress once the interval is over. Nil is the end.
    mutating func take(_ state: State?) {
      guard let state else { return continuation.finish() }
      let now = ContinuousClock.now
      if let last {
        if last.state == state { return }
        let isProgress =
          if case (.exporting, .exporting) = (last.state, state) { true } else { false }
        if isProgress, now - last.time < interval { return }
      }
      last = (state, now)
      continuation.yield(state)
    }
  }
}
