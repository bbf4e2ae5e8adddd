import MediaTime
import Synchronization
import SystemIO

/// What a writer, its inputs and its thread have in common: its status, and the rules of what may be called when.
final class WriterState: Sendable {
  private struct State {
    var status = AssetWriter.Status.unknown
    var error: EngineError?
    var summary: AssetWriter.Summary?
    /// No more samples are taken.
    var isFinishing = false
    /// The file is being given its name: nothing ends that any more.
    var isCommitting = false
    var waiter: CheckedContinuation<Result<AssetWriter.Summary, EngineError>, Never>?
    var file: OutputFile?
    var flow: InterleavingScheduler?
    /// The inputs that have become tracks, in the order of these.
    var tracks: [Int] = []
  }

  let interrupt = Interrupt()
  /// Fired when no more samples come, and at the end.
  let isFinished = Signal<Bool>()
  let session = SessionTimes()
  private let state = Mutex(State())
  private let inputs = Mutex<[PushedSamples]>([])
  private let path: String

  init(path: String) { self.path = path }

  func connect(_ queues: [PushedSamples]) { inputs.withLock { $0 = queues } }

  var status: (status: AssetWriter.Status, error: EngineError?) {
    state.withLock { ($0.status, $0.error) }
  }

  /// Whether samples are taken.
  var isTaking: Bool {
    state.withLock { $0.status == .writing && !$0.isFinishing } && session.start != nil
  }

  // MARK: Rules

  private func refusal(_ call: String, _ status: String, _ hint: String) -> EngineError {
    EngineError(
      .operationNotAllowed, "Can't \(call) the writer: its status is \(status)", hint: hint,
      path: path.isEmpty ? nil : path)
  }

  /// - Throws: `operationNotAllowed` unless the writer writes; what it has failed of.
  func requireWriting(_ call: String) throws(EngineError) {
    let (status, error, isFinishing) = state.withLock { ($0.status, $0.error, $0.isFinishing) }
    switch status {
    case .writing where !isFinishing: return
    case .writing:
      throw refusal(call, "writing, and it is being finished", "Create a new writer.")
    case .unknown: throw refusal(call, status.rawValue, "Start the writer first.")
    case .completed: throw refusal(call, status.rawValue, "Create a new writer.")
    case .failed, .cancelled: throw error ?? refusal(call, status.rawValue, "Create a new writer.")
    }
  }

  /// - Throws: as ``requireWriting(_:)``; `operationNotAllowed` before the session, and for an input that is
  ///   finished.
  func requireTaking(_ call: String, _ input: AssetWriterInput) throws(EngineError) {
    try requireWriting(call)
    guard session.start != nil else {
      throw refusal(call, "writing, and its session has not begun", "Start the session first.")
    }
    guard !input.queue.isFinished else {
      throw refusal(
        call, "writing, and the input is marked as finished",
        "Append everything before the input is marked as finished.")
    }
  }

  // MARK: Steps

  /// Each has a thread for itself and one for each of its tracks.
  private static let maximumWriting = 64
  private static let writing = Mutex(0)

  /// - Throws: `operationNotAllowed` unless nothing has happened; `limitExceeded` where too many write.
  func start() throws(EngineError) {
    let isOneTooMany = Self.writing.withLock { $0 >= Self.maximumWriting }
    guard !isOneTooMany else {
      throw EngineError(
        .limitExceeded, "\(Self.maximumWriting) writers write at once, and no more",
        hint: "Finish or cancel one of them first.")
    }
    let before = state.withLock { state in
      let before = state.status
      if before == .unknown { state.status = .writing }
      return before
    }
    guard before == .unknown else {
      throw refusal("start", before.rawValue, "Create a new writer for each file.")
    }
    Self.writing.withLock { $0 += 1 }
  }

  func beginSession(at time: Time) throws(EngineError) {
    try requireWriting("start a session of")
    guard session.start == nil else {
      throw refusal("start a session of", "writing, and it has a session", "Start one session.")
    }
    guard time.isNumeric else { throw Self.notNumeric }
    session.begin(at: time)
  }

  func endSession(at time: Time) throws(EngineError) {
    try requireWriting("end the session of")
    guard let start = session.start, session.end == nil else {
      throw refusal(
        "end the session of", "writing, and it has no session that goes on",
        "Start one session, and end it once.")
    }
    guard time.isNumeric, time >= start else { throw Self.notNumeric }
    session.end(at: time)
  }

  private static var notNumeric: EngineError {
    EngineError(
      .unsupportedOutputSettings, "A session begins and ends at numeric times, and ends later",
      hint: "Give the presentation time of a sample.")
  }

  func use(_ file: OutputFile) { state.withLock { $0.file = file } }

  /// - Parameter tracks: the places of the inputs that are the stages of `flow`.
  func use(_ flow: InterleavingScheduler, tracks: [Int]) {
    state.withLock { ($0.flow, $0.tracks) = (flow, tracks) }
  }

  /// The place of the input that has to get samples before another can.
  func inputHoldingBack(_ index: Int) -> Int? {
    let queues = inputs.withLock(\.self)
    let (flow, tracks) = state.withLock { ($0.flow, $0.tracks) }
    guard let flow else {
      // All inputs are waited for before the header.
      return queues.indices.first { $0 != index && queues[$0].isStarved }
    }
    guard let own = tracks.firstIndex(of: index), let slowest = flow.holdingBack(own),
      queues[tracks[slowest]].isStarved
    else { return nil }
    return tracks[slowest]
  }

  /// Claims the end.
  func beginFinishing() throws(EngineError) {
    try requireWriting("finish")
    let isFirst = state.withLock { state in
      defer { state.isFinishing = true }
      return !state.isFinishing
    }
    guard isFirst else { return try requireWriting("finish") }
    for queue in inputs.withLock(\.self) { queue.finish() }
    isFinished.fire(true)
  }

  /// How it ended.
  func ended() async -> Result<AssetWriter.Summary, EngineError> {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Result<AssetWriter.Summary, EngineError>? in
        if let error = state.error { return .failure(error) }
        if let summary = state.summary { return .success(summary) }
        state.waiter = continuation
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Called when all is done but the file's name.
  ///
  /// - Throws: `interrupted` when the writer was cancelled before.
  func willCommit() throws(SystemError) {
    let mayGoOn = state.withLock { state in
      state.isCommitting = state.status == .writing && !interrupt.isTriggered
      return state.isCommitting
    }
    if !mayGoOn { throw SystemError(.interrupted, operation: "name", subject: path) }
  }

  /// Ends it, unless it has ended.
  ///
  /// - Parameter discardsFile: where it has failed, a movie in fragments is of no use either.
  func end(
    _ result: Result<AssetWriter.Summary, EngineError>, unlessCommitting: Bool = false,
    discardsFile: Bool = false
  ) {
    typealias Waiter = CheckedContinuation<Result<AssetWriter.Summary, EngineError>, Never>
    let (hasEnded, wrote, waiter, file) = state.withLock {
      state -> (Bool, Bool, Waiter?, OutputFile?) in
      guard state.status == .unknown || state.status == .writing,
        !(unlessCommitting && state.isCommitting)
      else { return (false, false, nil, nil) }
      let wrote = state.status == .writing
      switch result {
      case .success(let summary):
        state.status = .completed
        state.summary = summary
      case .failure(let error):
        state.status = error.isCancellation ? .cancelled : .failed
        state.error = error
      }
      state.flow = nil
      return (true, wrote, state.waiter.take(), state.file.take())
    }
    guard hasEnded else { return }
    if wrote { Self.writing.withLock { $0 -= 1 } }
    interrupt.trigger()
    isFinished.fire(true)
    for queue in inputs.withLock(\.self) { queue.close() }
    if case .failure = result, let file, discardsFile || file.endOfFragments == nil {
      file.unpublish()
    }
    file?.discard()
    waiter?.resume(returning: result)
  }
}
