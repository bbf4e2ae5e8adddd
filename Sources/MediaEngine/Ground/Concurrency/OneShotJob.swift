import Synchronization
import SystemIO

/// Work that is done once and writes one file: an export, an asset writer.
///
/// It is claimed, it runs, and it ends: when its work is done or has failed, or when it is
/// cancelled. Once its file is being renamed, only its own work ends it.
final class OneShotJob<Summary: Sendable>: Sendable {
  typealias Outcome = Result<Summary, EngineError>

  enum Status: Sendable {
    case unclaimed, waiting, running, completed, failed, cancelled
  }

  /// The result of a claim.
  enum ClaimResult: Sendable {
    case granted
    /// The limit is reached; the job can still be claimed.
    case refused
    /// The job was claimed before, or has ended.
    case taken(Status)
  }

  private struct State {
    var status = Status.unclaimed
    /// The result of the job; nil until the end.
    var outcome: Outcome?
    var isCommitting = false
    var waiter: CheckedContinuation<Outcome, Never>?
    var file: OutputFile?
    /// Releases the job's place in a limit.
    var releasePlace: (@Sendable () -> Void)?
  }

  /// Triggered by ``cancel(_:)``; other callers that end the job may trigger it as well.
  let interrupt = Interrupt()
  private let state = Mutex(State())

  /// The status, and the failure after one. Never waits.
  var status: (status: Status, error: EngineError?) {
    state.withLock { state in
      if case .failure(let error) = state.outcome {
        (state.status, error)
      } else {
        (state.status, nil)
      }
    }
  }

  /// True from the claim to the end.
  var isClaimed: Bool { state.withLock { $0.status == .waiting || $0.status == .running } }

  /// Claims the job, once. Checking, counting and claiming are one step: of two claims at once one is granted.
  ///
  /// - Parameters:
  ///   - status: ``Status/waiting`` or ``Status/running``.
  ///   - limit: the limit in which a place is acquired, and released at the end; nil for no limit.
  func claim(as status: Status = .running, within limit: ConcurrencyLimit? = nil) -> ClaimResult {
    state.withLock { state in
      guard state.status == .unclaimed else { return .taken(state.status) }
      if let limit {
        guard limit.take() else { return .refused }
        state.releasePlace = { limit.giveBack() }
      }
      state.status = status
      return .granted
    }
  }

  /// Sets the release of a place that was acquired after the claim. It is called at the end.
  ///
  /// - Returns: false if the job has ended: the caller releases the place.
  func hold(_ release: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.outcome == nil else { return false }
      state.releasePlace = release
      return true
    }
  }

  /// Starts a job that has waited. Without effect after the end.
  func run() { state.withLock { if $0.status == .waiting { $0.status = .running } } }

  /// Sets a file to discard at the end, which has no effect on a committed file. Without effect
  /// after the end.
  func use(_ file: OutputFile) { state.withLock { if $0.outcome == nil { $0.file = file } } }

  /// Called by the work when only the file's renaming remains.
  ///
  /// - Throws: `interrupted` if the job was cancelled before.
  func willCommit(_ path: String) throws(SystemError) {
    let isCommitting = state.withLock { state in
      state.isCommitting = state.status == .running && !interrupt.isTriggered
      return state.isCommitting
    }
    if !isCommitting { throw SystemError(.interrupted, operation: .name, subject: path) }
  }

  /// Waits for the end. Only one caller may wait at a time.
  func ended() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  /// Triggers the interrupt. A job that is unclaimed ends at once; a claimed one is ended by its work, or by
  /// ``end(_:unlessCommitting:conclude:)``.
  ///
  /// - Returns: true while the job is claimed.
  func cancel(_ error: EngineError) -> Bool {
    interrupt.trigger()
    finish(.failure(error), if: { $0.status == .unclaimed }, conclude: { _ in })
    return isClaimed
  }

  /// Ends the job, unless it has ended.
  ///
  /// - Parameters:
  ///   - unlessCommitting: for a caller that isn't the job's work.
  ///   - conclude: called when the outcome is determined, before the file is discarded and before
  ///     the waiting caller continues.
  func end(
    _ outcome: Outcome, unlessCommitting: Bool = false,
    conclude: (OutputFile?) -> Void = { _ in }
  ) {
    finish(outcome, if: { !(unlessCommitting && $0.isCommitting) }, conclude: conclude)
  }

  private func finish(
    _ outcome: Outcome, if condition: (State) -> Bool, conclude: (OutputFile?) -> Void
  ) {
    let before = state.withLock { state -> State? in
      guard state.outcome == nil, condition(state) else { return nil }
      let before = state
      (state.waiter, state.file, state.releasePlace) = (nil, nil, nil)
      state.outcome = outcome
      switch outcome {
      case .success: state.status = .completed
      case .failure(let error): state.status = error.isCancellation ? .cancelled : .failed
      }
      return before
    }
    guard let before else { return }
    // First: a thread that hangs in a device must not block places that other jobs need.
    before.releasePlace?()
    conclude(before.file)
    before.file?.discard()
    before.waiter?.resume(returning: outcome)
  }
}

/// A number of places that are acquired without waiting: if none is free, the caller is refused.
final class ConcurrencyLimit: Sendable {
  let maximum: Int
  private let taken = Mutex(0)

  init(_ maximum: Int) { self.maximum = maximum }

  /// Acquires a place; false if none is free.
  func take() -> Bool {
    taken.withLock { taken in
      guard taken < maximum else { return false }
      taken += 1
      return true
    }
  }

  func giveBack() { taken.withLock { $0 -= 1 } }
}
