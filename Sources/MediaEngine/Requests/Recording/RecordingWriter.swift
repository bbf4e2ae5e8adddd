import LibAV
import MediaTime
import Synchronization
import SystemIO

/// Writes live samples of several tracks to a new file, as they come. One-shot.
///
/// ``start(didEnd:)`` makes the file, which has its name from then on, and never takes the place of another.
/// ``begin(at:)`` sets the zero of the recording, then samples are delivered in the order of their times, of each track
/// and, as far as they come so, of all. A delivery never waits: what comes while too much waits to be encoded is dropped
/// as late, and counted. ``finish(at:)`` ends it; so do a full disk and what encoding and writing throw. Either way
/// `didEnd` is called once, with what is in the file.
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
  /// Of each track, in their order.
  let queues: [PushedSamples]
  let session = SessionTimes()
  /// Ends the work without an end of the file.
  let interrupt = Interrupt()
  private let state = Mutex(State())
  private let summary = Signal<Summary>()

  private struct State {
    var hasStarted = false
    var file: OutputFile?
    var flow: InterleavingScheduler?
    /// Fired with true once what was written before is durable.
    var flushes: [Signal<Bool>] = []
    var duration = Time.zero
    var hasEnded = false
  }

  /// - Parameters:
  ///   - url: a path, or a `file:` URL.
  ///   - fileType: nil for the one that the path's extension stands for.
  /// - Throws: `invalidOutputURLPathExtension`, `formatUnsupported` and `pathNotAllowed` for the target,
  ///   `unsupportedOutputSettings` with all that is wrong with the tracks.
  init(
    url: String, fileType: FileType? = nil, configuration: Configuration,
    engine: EngineConfiguration = EngineConfiguration()
  ) throws(EngineError) {
    path = try ExportSession.location(url).path
    self.fileType = try AssetWriter.fileType(fileType, of: path)
    try AssetWriter.requireNoProblems(configuration.writer, in: self.fileType)
    self.configuration = configuration
    roots = engine.roots
    queues = configuration.tracks.map { PushedSamples(capacity: $0.capacity) }
  }

  /// Makes the file and begins to work; once.
  ///
  /// - Parameter didEnd: called once, on the recording's thread, with what became of it.
  /// - Throws: `fileAlreadyExists`, `contentIsUnavailable` for a folder that isn't there, `pathNotAllowed`,
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
      throw work.error(of: .freeSpace)
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

  /// Sets the zero of the recording: what is presented before is left out, audio to the sample. Before the first
  /// sample.
  func begin(at time: Time) { session.begin(at: time) }

  /// Ends the recording's content: what is presented from then on is left out, audio to the sample. In time, which is
  /// before samples of then are delivered.
  ///
  /// - Parameter time: nil for a recording that ends with what is delivered.
  func end(at time: Time?) { session.end(at: time) }

  /// Takes a sample, without waiting.
  ///
  /// - Returns: false where it was dropped as late, which is counted, and after the end.
  @discardableResult
  func deliver(_ sample: SampleBuffer, to track: Int) -> Bool { queues[track].deliver(sample) }

  /// Counts samples of a device that never came here.
  func countDropped(_ count: Int, _ reason: CaptureDropReason, of track: Int) {
    queues[track].countDropped(count, reason)
  }

  /// No more samples of a track come; the others don't wait for it.
  func finishTrack(_ track: Int) { queues[track].finish() }

  /// Suspends until all that was delivered before the call is encoded and written, but for the last picture, which is
  /// shown until the next one, and what encoders hold back. For callers that deliver more than the queues hold, such as
  /// those with a manual clock. One may wait at a time.
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

  /// Makes durable what has come out of the encoders.
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

  /// How much is encoded.
  var recordedDuration: Time {
    state.withLock { $0.flow?.furthest ?? $0.duration }
  }

  /// In bytes.
  var recordedFileSize: Int64 { state.withLock(\.file)?.size ?? 0 }

  /// The file, for its removal by whoever made it; nil before it is made.
  var made: OutputFile.Committed? { state.withLock(\.file).map { OutputFile.Committed($0) } }

  /// The summary, once it has ended. Never waits.
  var ended: Summary? { summary.value }

  // MARK: - The end

  /// Has no more samples taken; the rest is encoded and written, and the file completed. Never waits.
  ///
  /// - Parameter time: as of ``end(at:)``.
  func beginFinishing(at time: Time? = nil) {
    if let time { session.end(at: time) }
    for queue in queues { queue.finish() }
  }

  /// The same, and waits for the end. Only one may wait.
  func finish(at time: Time? = nil) async -> Summary {
    beginFinishing(at: time)
    return await summary.wait()
  }

  /// Ends it at once: a movie stays in fragments, up to the last one that was written, and a file without an interval
  /// is discarded. Never waits.
  func cancel() {
    interrupt.trigger()
    for queue in queues { queue.finish() }
  }

  // MARK: - The work

  func use(_ flow: InterleavingScheduler) { state.withLock { $0.flow = flow } }

  func didReach(_ duration: Time) { state.withLock { $0.duration = duration } }

  /// Those who wait until what was written is durable.
  func takeFlushes() -> [Signal<Bool>] {
    state.withLock { state in
      defer { state.flushes = [] }
      return state.flushes
    }
  }
}
