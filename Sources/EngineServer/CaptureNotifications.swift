import DequeModule
import EngineProtocol
import JSONRPC
import Logging
import MediaEngine
import MediaTime
import Synchronization

/// The notifications of one capture session, in order of its events.
///
/// While a request that changes the session is served, they wait for its answer, as those of players do
/// (``PlayerNotifications``).
final class CaptureNotifications: Sendable {
  /// The report of the end of an operation.
  private struct Ending {
    let operation: Operation
    /// Receives the end in place of a notification.
    let answer: (@Sendable (any NotificationType) -> Void)?
    /// The delivery of a photo.
    let delivery: WireVideoOutputDelivery
  }

  private struct State {
    var session: CaptureSessionHandle?
    var waiting: Deque<CaptureEvent> = []
    /// The number of requests that aren't answered yet.
    var held = 0
    var endings: [Int: Ending] = [:]
    var lastOperation = 0
    /// The number of notifications that were made.
    var made = 0
    var drained: [CheckedContinuation<Void, Never>] = []
  }

  private let engine: Engine
  private let connection: Connection
  private let state = Mutex(State())

  init(_ engine: Engine, _ connection: Connection) {
    (self.engine, self.connection) = (engine, connection)
  }

  // MARK: Requests

  /// Holds notifications until the request is answered.
  func hold(_ context: RequestContext) {
    state.withLock { $0.held += 1 }
    context.afterReply { [weak self] _ in self?.release() }
  }

  /// Releases the notifications that wait for a request, which is answered with the end of its work.
  func release() {
    state.withLock { state in
      state.held -= 1
      drain(&state)
    }
  }

  /// Sets the session's handle, before any message is sent.
  func begin(_ session: CaptureSessionHandle) { state.withLock { $0.session = session } }

  /// Notes an operation that begins; its end is sent as a notification, or passed to `answer`.
  ///
  /// - Returns: the operation's number in events.
  func expect(
    _ operation: Operation, delivery: WireVideoOutputDelivery = .shm,
    answer: (@Sendable (any NotificationType) -> Void)?
  ) -> Int {
    state.withLock { state in
      state.lastOperation += 1
      state.endings[state.lastOperation] = Ending(
        operation: operation, answer: answer, delivery: delivery)
      return state.lastOperation
    }
  }

  /// Does the last work of a session, which the end of the process waits for.
  func finishing(_ body: @escaping @Sendable () async -> Void) {
    engine.running.begin()
    // Its first part belongs to the request: it takes its turn before the next one.
    Task.immediateDetached { [self] in
      await body()
      engine.running.end()
    }
  }

  /// Forgets an operation that hasn't begun.
  func forget(_ number: Int) { state.withLock { $0.endings[number] = nil } }

  /// The number of notifications that were made so far.
  var made: Int { state.withLock(\.made) }

  /// Returns when no event is waiting.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard !state.waiting.isEmpty, state.held > 0 else { return true }
        state.drained.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  // MARK: Events

  /// Receives an event; never waits.
  func take(_ event: CaptureEvent) {
    state.withLock { state in
      state.made += 1
      state.waiting.append(event)
      answerEnds(&state)
      drain(&state)
    }
  }

  /// Passes ends to the requests that wait for them, because such requests can't wait for their own answers.
  private func answerEnds(_ state: inout State) {
    guard state.held > 0 else { return }
    var left: Deque<CaptureEvent> = []
    for event in state.waiting {
      if let operation = event.endedOperation, state.endings[operation]?.answer != nil {
        send(event, &state)
      } else {
        left.append(event)
      }
    }
    state.waiting = left
  }

  private func drain(_ state: inout State) {
    while state.held == 0, let event = state.waiting.popFirst() { send(event, &state) }
    guard state.waiting.isEmpty else { return }
    for continuation in state.drained { continuation.resume() }
    state.drained = []
  }

  private func end(_ number: Int, _ notification: some NotificationType, _ state: inout State) {
    guard let ending = state.endings.removeValue(forKey: number) else { return }
    engine.handles.remove(ending.operation)
    engine.running.end()
    if let answer = ending.answer {
      answer(notification)
    } else {
      ending.operation.finish(notification)
    }
  }

  private func post(_ notification: some NotificationType) { connection.post(notification) }

  private func send(_ event: CaptureEvent, _ state: inout State) {
    guard let session = state.session else { return }
    switch event {
    case .didStart(let operation, let time, let error):
      guard let ending = state.endings[operation] else { return }
      end(
        operation,
        CaptureSessionDidStart(
          operation: ending.operation.handle, captureSession: session,
          startTime: time.map(WireTime.init), error: error.map { ErrorObject($0).about(session) }),
        &state)
    case .didStop(let operation, let reason):
      let operationHandle = operation.flatMap { state.endings[$0]?.operation.handle }
      let notification = CaptureSessionDidStop(
        operation: operationHandle, captureSession: session, reason: .init(reason))
      if let operation { end(operation, notification, &state) } else { post(notification) }
    case .didFail(let error):
      post(
        CaptureSessionDidFail(
          captureSession: session, error: ErrorObject(error).about(session)))
    case .noted(let fact, let input):
      let handle = CaptureInputHandle(session, input).rawValue
      engine.log.logger(label: "capture").notice("\(handle): \(fact)")
    case .didChange(let known, let status):
      post(CaptureSessionDidChange(from: known, to: status, session))
    case .wasInterrupted(let reason, let input):
      post(
        CaptureSessionWasInterrupted(
          captureSession: session, reason: .init(reason),
          captureInput: input.map { CaptureInputHandle(session, $0) }))
    case .interruptionEnded(let input):
      post(
        CaptureSessionInterruptionEnded(
          captureSession: session, captureInput: input.map { CaptureInputHandle(session, $0) }))
    case .didStartRecording, .didPauseRecording, .didResumeRecording, .willFinishRecording,
      .didFinishRecording:
      sendRecording(event, session, &state)
    case .didOutput, .didDrop, .willCapture, .didFinishCapture, .didMeasureLevels:
      sendSamples(event, session, &state)
    }
  }

  private func sendRecording(
    _ event: CaptureEvent, _ session: CaptureSessionHandle, _ state: inout State
  ) {
    func handle(_ operation: Int) -> OperationHandle? { state.endings[operation]?.operation.handle }
    switch event {
    case .didStartRecording(let operation, let output, let path, let time):
      guard let operation = handle(operation) else { return }
      post(
        CaptureOutputDidStartRecording(
          operation: operation, captureOutput: CaptureOutputHandle(session, output),
          outputURL: path, startTime: WireTime(time)))
    case .didPauseRecording(let operation, let output, let path):
      guard let operation = handle(operation) else { return }
      post(
        CaptureOutputDidPauseRecording(
          operation: operation, captureOutput: CaptureOutputHandle(session, output),
          outputURL: path))
    case .didResumeRecording(let operation, let output, let path):
      guard let operation = handle(operation) else { return }
      post(
        CaptureOutputDidResumeRecording(
          operation: operation, captureOutput: CaptureOutputHandle(session, output),
          outputURL: path))
    case .willFinishRecording(let operation, let output, let path, let error):
      guard let operation = handle(operation) else { return }
      let output = CaptureOutputHandle(session, output)
      post(
        CaptureOutputWillFinishRecording(
          operation: operation, captureOutput: output, outputURL: path,
          error: error.map { ErrorObject($0).about(output) }))
    case .didFinishRecording(let operation, let output, let path, let result):
      guard let ending = state.endings[operation] else { return }
      let output = CaptureOutputHandle(session, output)
      end(
        operation,
        CaptureOutputDidFinishRecording(
          operation: ending.operation.handle, captureOutput: output, outputURL: path,
          status: .init(result.status), recordingSuccessfullyFinished: result.isUsable,
          isPlainMovie: result.isPlainMovie, recordedDuration: WireTime(result.duration),
          recordedFileSize: result.fileSize, tracks: result.tracks.map(WireRecordedTrack.init),
          dropped: WireDropped.list(result.dropped),
          error: result.error.map { ErrorObject($0).about(output) }), &state)
    default: return
    }
  }

  private func sendSamples(
    _ event: CaptureEvent, _ session: CaptureSessionHandle, _ state: inout State
  ) {
    switch event {
    case .didOutput(let number, let samples, let dropped):
      let output = CaptureOutputHandle(session, number)
      guard let open = try? engine.handles.find(output) else { return }
      let delivery = open.delivery(engine, output, answering: nil)
      var files: [WrittenFile] = []
      let wire = samples.compactMap { try? WireSampleBuffer($0, delivery, written: &files) }
      post(
        CaptureOutputDidOutput(
          captureOutput: output, sampleBuffers: wire, dropped: WireCaptureDrops(dropped)))
    case .didDrop(let number, let reason, let count, let time):
      post(
        CaptureOutputDidDrop(
          captureOutput: CaptureOutputHandle(session, number), reason: .init(reason),
          count: count, presentationTime: WireTime(time)))
    case .willCapture(let operation, let number, let time):
      guard let ending = state.endings[operation] else { return }
      post(
        CaptureOutputWillCapture(
          operation: ending.operation.handle,
          captureOutput: CaptureOutputHandle(session, number), time: WireTime(time)))
    case .didFinishCapture(let operation, let number, let photo, let time, let error):
      guard let ending = state.endings[operation] else { return }
      let output = CaptureOutputHandle(session, number)
      end(operation, finished(photo, time, error, output, ending), &state)
    case .didMeasureLevels(let number, let levels):
      post(
        CaptureOutputDidMeasureLevels(
          captureOutput: CaptureOutputHandle(session, number), time: WireTime(levels.time),
          channels: WireCaptureLevel.all(of: levels)))
    default: return
    }
  }

  private func finished(
    _ photo: CapturedPhoto?, _ time: Time?, _ error: EngineError?, _ output: CaptureOutputHandle,
    _ ending: Ending
  ) -> CaptureOutputDidFinishCapture {
    var notification = CaptureOutputDidFinishCapture(
      operation: ending.operation.handle, captureOutput: output,
      result: photo != nil ? .succeeded : error?.isCancellation == true ? .cancelled : .failed,
      time: time.map(WireTime.init),
      error: error.map { ErrorObject($0).about(output) })
    guard let photo = photo?.image else { return notification }
    let delivery = Delivery(
      ending.delivery == .shm ? .shm : .inline, engine: engine, owner: output.rawValue,
      answering: nil)
    do throws(EngineError) {
      if case .picture(let picture) = photo.content {
        notification.image = WireImageLayout(picture)
      }
      notification.blob = try delivery.memoryBlob(
        photo.data, mimeType: photo.content.mimeType)
    } catch {
      notification.result = .failed
      notification.error = ErrorObject(error).about(output)
    }
    return notification
  }
}

extension CaptureEvent {
  /// The operation that the event ends.
  fileprivate var endedOperation: Int? {
    switch self {
    case .didStart(let operation, _, _): operation
    case .didStop(let operation, _): operation
    case .didFinishRecording(let operation, _, _, _): operation
    case .didFinishCapture(let operation, _, _, _, _): operation
    default: nil
    }
  }
}
