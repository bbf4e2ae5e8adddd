import MediaTime
import Synchronization
import SystemIO

/// The common state of a writer, its inputs and its thread: its status, and the rules for the order of calls.
final class WriterState: Sendable {
  private struct State {
    /// True where no more samples are accepted.
    var isFinishing = false
    var flow: InterleavingScheduler?
    /// The inputs that have become tracks, in the order of the tracks.
    var tracks: [Int] = []
  }

  private let job = OneShotJob<AssetWriter.Summary>()
  /// Fired when no more samples arrive, and at the end.
  let isFinished = Signal<Bool>()
  let session = WritingSession()
  private let state = Mutex(State())
  private let inputs = Mutex<[PushedSamples]>([])
  private let path: String
  private let limit: ConcurrencyLimit

  /// - Parameter limit: the maximum number of concurrent writers.
  init(path: String, limit: ConcurrencyLimit = .writers) {
    self.path = path
    self.limit = limit
  }

  func connect(_ queues: [PushedSamples]) { inputs.withLock { $0 = queues } }

  /// Triggered at the end.
  var interrupt: Interrupt { job.interrupt }

  var status: (status: AssetWriter.Status, error: EngineError?) {
    let (status, error) = job.status
    return (AssetWriter.Status(status), error)
  }

  /// True where samples are accepted.
  var isTaking: Bool {
    job.isClaimed && !state.withLock(\.isFinishing) && session.start != nil
  }

  // MARK: Rules

  private func refusal(_ call: String, _ status: String, _ advice: EngineError.Advice)
    -> EngineError
  {
    EngineError(
      .operationNotAllowed, "Can't \(call) the writer: its status is \(status)", advice: advice,
      path: path.isEmpty ? nil : path)
  }

  /// - Throws: `operationNotAllowed` unless the writer writes; the error of a failed writer.
  func requireWriting(_ call: String) throws(EngineError) {
    let isFinishing = state.withLock(\.isFinishing)
    let (status, error) = status
    switch status {
    case .writing where !isFinishing: return
    case .writing:
      throw refusal(call, "writing, and it is being finished", .createWriter)
    case .unknown: throw refusal(call, status.rawValue, .startWriter)
    case .completed: throw refusal(call, status.rawValue, .createWriter)
    case .failed, .cancelled: throw error ?? refusal(call, status.rawValue, .createWriter)
    }
  }

  /// - Throws: as ``requireWriting(_:)``; `operationNotAllowed` before the session, and for an input that is
  ///   finished.
  func requireTaking(_ call: String, _ input: AssetWriterInput) throws(EngineError) {
    try requireWriting(call)
    guard session.start != nil else {
      throw refusal(call, "writing, and its session has not begun", .startSession)
    }
    guard !input.queue.isFinished else {
      throw refusal(
        call, "writing, and the input is marked as finished",
        .appendBeforeFinished)
    }
  }

  // MARK: Steps

  /// - Throws: `operationNotAllowed` for a writer that was started; `limitExceeded` where too many write.
  func start() throws(EngineError) {
    switch job.claim(within: limit) {
    case .granted: return
    case .refused:
      throw EngineError(
        .limitExceeded, "\(limit.maximum) writers write at once, and no more",
        advice: .finishAnotherWriter)
    case .taken(let status):
      throw refusal(
        "start", AssetWriter.Status(status).rawValue, .createWriterForFile)
    }
  }

  func beginSession(at time: Time) throws(EngineError) {
    try requireWriting("start a session of")
    guard session.start == nil else {
      throw refusal("start a session of", "writing, and it has a session", .startOneSession)
    }
    guard time.isNumeric else { throw Self.notNumeric }
    session.begin(at: time)
  }

  func endSession(at time: Time) throws(EngineError) {
    try requireWriting("end the session of")
    guard let start = session.start, session.end == nil else {
      throw refusal(
        "end the session of", "writing, and it has no open session",
        .endSessionOnce)
    }
    guard time.isNumeric, time >= start else { throw Self.notNumeric }
    session.end(at: time)
  }

  private static var notNumeric: EngineError {
    EngineError(
      .unsupportedOutputSettings, "A session begins and ends at numeric times, and ends later",
      advice: .giveTimeOfSample)
  }

  func use(_ file: OutputFile) { job.use(file) }

  /// - Parameter tracks: the indices of the inputs that are the stages of `flow`.
  func use(_ flow: InterleavingScheduler, tracks: [Int]) {
    state.withLock { ($0.flow, $0.tracks) = (flow, tracks) }
  }

  /// Returns the index of the input that has to get samples before another can.
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

  /// Waits for the end, and returns the result.
  func ended() async -> Result<AssetWriter.Summary, EngineError> { await job.ended() }

  /// Prepares the commit of the file's name, after all other work.
  ///
  /// - Throws: `interrupted` when the writer was cancelled before.
  func willCommit() throws(SystemError) { try job.willCommit(path) }

  /// Ends the writer, unless it has ended.
  ///
  /// - Parameter discardsFile: true to discard a movie in fragments as well, where the writer has failed.
  func end(
    _ result: Result<AssetWriter.Summary, EngineError>, unlessCommitting: Bool = false,
    discardsFile: Bool = false
  ) {
    job.end(result, unlessCommitting: unlessCommitting) { file in
      state.withLock { $0.flow = nil }
      interrupt.trigger()
      isFinished.fire(true)
      for queue in inputs.withLock(\.self) { queue.close() }
      if case .failure = result, let file, discardsFile || file.endOfFragments == nil {
        file.unpublish()
      }
    }
  }
}

extension ConcurrencyLimit {
  /// The limit of the writers of the process: each has its own thread and one for each of its tracks.
  static let writers = ConcurrencyLimit(64)
}

extension AssetWriter.Status {
  fileprivate init(_ status: OneShotJob<AssetWriter.Summary>.Status) {
    switch status {
    case .unclaimed: self = .unknown
    case .waiting, .running: self = .writing
    case .completed: self = .completed
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    }
  }
}
