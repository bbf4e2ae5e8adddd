import LibAV
import MediaTime
import Synchronization
import SystemIO

/// Writes live samples of several tracks to a new file, on arrival. One-shot.
///
/// ``start(didEnd:)`` makes the file, which has its name from then on, and never replaces another. ``begin(at:)`` sets
/// the zero of the recording. Then samples are delivered in time order within each track and, as far as possible,
/// across all tracks. A delivery never waits: samples that arrive while the queue is full are dropped as late, and
/// counted. ``finish(at:)`` ends the recording; so do a full disk and errors of encoding and writing. In both cases
/// `didEnd` is called once, with the result.
///
/// A movie is a ``HybridMovie``: it can be played at any time up to the last interval, and is a plain movie after its
/// end. Without an interval, and with a failure before the end, there is no file.
final class RecordingWriter: Sendable {
  typealias Configuration = RecordingConfiguration
  typealias Summary = RecordingSummary

  let path: String
  let fileType: FileType
  let configuration: Configuration
  let roots: [String]
  /// The queues of the tracks, in their order.
  let queues: [PushedSamples]
  let session = WritingSession()
  /// Ends the work without an end of the file.
  let interrupt = Interrupt()
  private let state = Mutex(State())
  private let summary = Signal<Summary>()

  private struct State {
    var hasStarted = false
    var file: OutputFile?
    var flow: InterleavingScheduler?
    /// Fired with true once the packets that were written before are durable.
    var flushes: [Signal<Bool>] = []
    var duration = Time.zero
    var hasEnded = false
    /// True once the file has reached a limit.
    var isEnding = false
    /// Fired once there is a summary.
    var waiting: [Signal<Bool>] = []
  }

  /// - Parameters:
  ///   - url: a path, or a `file:` URL.
  ///   - fileType: nil for the type of the path's extension.
  /// - Throws: `invalidOutputURLPathExtension`, `formatUnsupported` and `pathNotAllowed` for the target,
  ///   `unsupportedOutputSettings` with all problems of the tracks.
  init(
    url: String, fileType: FileType? = nil, configuration: Configuration,
    engine: EngineConfiguration = EngineConfiguration()
  ) throws(EngineError) {
    path = try ExportSession.location(url).path
    self.fileType = try AssetWriter.fileType(fileType, of: path)
    do throws(EngineError) {
      try AssetWriter.requireNoProblems(configuration.writer, in: self.fileType)
    } catch {
      var refusal = error
      refusal.advice = .recordWhatFileHolds
      throw refusal
    }
    self.configuration = configuration
    roots = engine.roots
    queues = configuration.tracks.map { PushedSamples(capacity: $0.capacity) }
  }

  /// Makes the file and begins the work; called once.
  ///
  /// - Parameter didEnd: called once, on the recording's thread, with the result.
  /// - Throws: `fileAlreadyExists`, `contentIsUnavailable` for a folder that doesn't exist, `pathNotAllowed`,
  ///   `diskFull`; `didEnd` isn't called then.
  func start(didEnd: @escaping @Sendable (Summary) -> Void = { _ in }) throws(EngineError) {
    let isFirst = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    guard isFirst else {
      throw EngineError(
        .operationNotAllowed, "The recording has been started before", advice: .createWriter,
        path: path)
    }
    let work = try RecordingWork(self)
    guard work.hasSpace else {
      work.remove()
      var error = work.error(of: .freeSpace)
      error.advice = .freeDiskSpaceFirst
      throw error
    }
    state.withLock { $0.file = work.file }
    let box = Handoff(work)
    do throws(EngineError) {
      try mapErrors(.write) { () throws(SystemError) in
        try BlockingThread.start { [self] in
          let result = box.value.run()
          end()
          didEnd(result)
          summary.fire(result)
          let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
          }
          for signal in waiting { signal.fire(true) }
        }
      }
    } catch {
      work.remove()
      throw error
    }
  }

  private func end() {
    let flushes = state.withLock { state in
      state.hasEnded = true
      state.flow = nil
      defer { state.flushes = [] }
      return state.flushes
    }
    for queue in queues { queue.close() }
    for flush in flushes { flush.fire(false) }
  }

  // MARK: - Samples

  /// Sets the zero of the recording: earlier samples are left out, audio to the sample. Called before the first sample.
  func begin(at time: Time) { session.begin(at: time) }

  /// Ends the recording's content: samples from this time on are left out, audio to the sample. Called before such
  /// samples are delivered.
  ///
  /// - Parameter time: the end; nil for a recording that ends with the delivered samples.
  func end(at time: Time?) { session.end(at: time) }

  /// Adds a sample, without waiting.
  ///
  /// - Returns: false where it was dropped as late, which is counted, and after the end.
  @discardableResult
  func deliver(_ sample: SampleBuffer, to track: Int) -> Bool { queues[track].deliver(sample) }

  /// Counts samples of a device that were never delivered.
  func countDropped(_ count: Int, _ reason: CaptureDropReason, of track: Int) {
    queues[track].countDropped(count, reason)
  }

  /// Suspends until all samples that were delivered before the call are encoded and written, except the last frame,
  /// which is shown until the next one, and those that encoders hold back. For callers that deliver more than the
  /// queues hold, such as those with a manual clock. One may wait at a time.
  func waitUntilEncoded() async {
    let (flow, hasStarted) = state.withLock { ($0.flow, $0.hasStarted && !$0.hasEnded) }
    guard hasStarted else { return }
    for queue in queues {
      while let idle = queue.idleSignal() {
        guard await idle.wait(orUntil: interrupt) else { return }
      }
    }
    while let idle = (flow ?? state.withLock(\.flow))?.idleSignal() {
      guard await idle.wait(orUntil: interrupt) else { return }
    }
  }

  /// Waits as ``waitUntilEncoded()``, and for the end of a file that has reached a limit.
  func waitUntilWritten() async {
    await waitUntilEncoded()
    let end = state.withLock { state -> Signal<Bool>? in
      guard state.isEnding, summary.value == nil else { return nil }
      let signal = Signal<Bool>()
      state.waiting.append(signal)
      return signal
    }
    _ = await end?.wait()
  }

  /// Makes the packets from the encoders durable.
  ///
  /// - Returns: false where the recording ended before.
  func flush() async -> Bool {
    let done = Signal<Bool>()
    let flow = state.withLock { state -> InterleavingScheduler? in
      guard !state.hasEnded, let flow = state.flow else { return nil }
      state.flushes.append(done)
      return flow
    }
    guard let flow else { return false }
    flow.wake()
    return await done.wait()
  }

  // MARK: - State

  /// The duration that is encoded so far.
  var recordedDuration: Time {
    state.withLock { $0.flow?.furthest ?? $0.duration }
  }

  /// The size so far, in bytes.
  var recordedFileSize: Int64 { state.withLock(\.file)?.size ?? 0 }

  /// The file, for its removal by its owner; nil before it is made.
  var made: OutputFile.Committed? { state.withLock(\.file).map { OutputFile.Committed($0) } }

  /// The summary, once it has ended. Never waits.
  var ended: Summary? { summary.value }

  // MARK: - The end

  /// Stops accepting samples; the rest is encoded and written, and the file completed. Never waits.
  ///
  /// - Parameter time: the end, as of ``end(at:)``.
  func beginFinishing(at time: Time? = nil) {
    if let time { session.end(at: time) }
    for queue in queues { queue.finish() }
  }

  /// Finishes as ``beginFinishing(at:)``, and waits for the end. Only one may wait.
  func finish(at time: Time? = nil) async -> Summary {
    beginFinishing(at: time)
    return await summary.wait()
  }

  /// Ends the recording at once: a movie remains in fragments, up to the last one that was written, and a file without
  /// an interval is discarded. Never waits.
  func cancel() {
    interrupt.trigger()
    for queue in queues { queue.finish() }
  }

  // MARK: - The work

  /// True once the file has reached a limit.
  var isEnding: Bool {
    get { state.withLock(\.isEnding) }
    set { state.withLock { $0.isEnding = newValue } }
  }

  func use(_ flow: InterleavingScheduler) { state.withLock { $0.flow = flow } }

  func didReach(_ duration: Time) { state.withLock { $0.duration = duration } }

  /// Returns the signals of callers that wait until the written packets are durable.
  func takeFlushes() -> [Signal<Bool>] {
    state.withLock { state in
      defer { state.flushes = [] }
      return state.flushes
    }
  }
}
