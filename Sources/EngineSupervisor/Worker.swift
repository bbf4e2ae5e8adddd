import Dispatch
import EngineProtocol
import JSONRPC
import Synchronization
package import SystemIO

/// A worker process that was started, with the socket to it.
public struct StartedWorker: Sendable {
  let process: ChildProcess
  /// The descriptor of the socket, closed by its user.
  let descriptor: Int32

  package init(process: ChildProcess, descriptor: Int32) {
    self.process = process
    self.descriptor = descriptor
  }
}

/// A worker process, as the supervisor sees it: its pending requests, and the work to be answered
/// for if it ends unexpectedly.
final class Worker: Sendable {
  /// A request that it has to answer.
  struct Pending: Sendable {
    let method: String
    var handles: [String] = []
    var files: Set<String> = []
    /// True if a file is unfinished as long as the request is pending.
    var writesFile = false
    /// Receives the answer: the text after its id.
    let answer: @Sendable (ArraySlice<UInt8>) -> Void
    /// Receives the error when the worker has ended unexpectedly.
    let fail: @Sendable (ErrorObject) -> Void
  }

  /// An operation that the worker runs.
  struct Running: Sendable {
    let request: any OperationRequest
    let files: Set<String>
    /// Runs a function once the caller has the answer, and with it the operation's handle.
    let afterReply: @Sendable (@escaping @Sendable () -> Void) -> Void
    var reported = ReportedItems()
  }

  /// The unfinished work of a worker that has ended.
  struct Unfinished: Sendable {
    let pending: [Pending]
    let operations: [String: Running]
  }

  private struct State: Sendable {
    var pending: [UInt64: Pending] = [:]
    var operations: [String: Running] = [:]
    /// True when no request is accepted any more.
    var isClosed = false
    /// True when the worker has been asked to end.
    var isEnding = false
    /// True when it was idle, and accepts no request any more.
    var wasIdle = false
    /// True while an answer of it is passed on.
    var isAnswering = false
    /// True while a timer checks that it is alive.
    var isWatched = false
    /// The number of requests and messages that were sent to it.
    var uses = 0
    /// The number of the last ping; they count down from the end, where no request's are.
    var lastPing = UInt64.max
    /// The number of its messages that have been read.
    var taken = 0
    /// The bytes of notifications that wait for the caller.
    var unread = 0
    /// The bytes of notifications that were passed on since its last credit.
    var passedOn = 0

    /// True while it has requests to answer, or operations to end.
    var isBusy: Bool { isAnswering || !pending.isEmpty || !operations.isEmpty }

    /// True when an export is running, or a file is being finished.
    var writesFiles: Bool {
      pending.values.contains(where: \.writesFile)
        || operations.values.contains { type(of: $0.request).writesFile }
    }
  }

  /// The kind of work of a worker.
  enum Purpose: Sendable, Hashable {
    case any
    /// One file, which was in work when another worker ended unexpectedly.
    case file(String)
    /// Libraries, whose scans open any file there is.
    case libraries
    /// Devices: audio, cameras and screens. It opens no media, and may have local sockets instead.
    case devices
  }

  /// The grace periods of a worker.
  struct Times: Sendable {
    /// The time that its reading thread may take.
    var timeout: DispatchTimeInterval
    /// The time that requests of a closed object have to end before they are cancelled.
    var closingGrace: DispatchTimeInterval
  }

  let process: ChildProcess
  let purpose: Purpose
  private let times: Times
  private let unreadLimit: Int
  private let channel: DescriptorChannel
  private let outbox: Outbox
  private let state = Mutex(State())

  init(_ started: StartedWorker, _ purpose: Purpose, _ times: Times, unreadLimit: Int) {
    process = started.process
    self.purpose = purpose
    self.times = times
    self.unreadLimit = unreadLimit
    channel = DescriptorChannel(
      input: started.descriptor, output: started.descriptor, closing: true)
    outbox = Outbox(channel: channel, notificationBudget: .max, replyBudget: .max)
    outbox.setFraming(.headers)
  }

  /// The one file of the worker; nil if it has another purpose.
  var file: String? { if case .file(let file) = purpose { file } else { nil } }

  var isEnding: Bool { state.withLock { $0.isEnding } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
  /// True while it has requests to answer, or operations to end.
  var isBusy: Bool { state.withLock(\.isBusy) }
  /// The number of requests and messages that were sent to it.
  var uses: Int { state.withLock(\.uses) }

  // MARK: To the worker

  /// Passes a request on; returns false when the worker has ended, or is about to.
  func ask(_ serial: UInt64, _ params: ArraySlice<UInt8>, _ pending: Pending) -> Bool {
    let (isTaken, mustWatch) = state.withLock { state in
      guard !state.isClosed, !state.wasIdle else { return (false, false) }
      state.pending[serial] = pending
      state.uses += 1
      defer { state.isWatched = true }
      return (true, !state.isWatched)
    }
    if isTaken { outbox.post(message(pending.method, params, serial)) }
    if mustWatch { watch() }
    return isTaken
  }

  /// Kills the process when it has requests and nothing in it reads: stopped, or deadlocked.
  ///
  /// It checks only while there are requests, and pings only when one has gone unanswered for long.
  private func watch() {
    later(times.timeout) { worker in
      let sent = worker.state.withLock { state -> (serial: UInt64, taken: Int)? in
        state.isWatched = !state.pending.isEmpty && !state.isClosed
        guard state.isWatched else { return nil }
        state.lastPing -= 1
        return (state.lastPing, state.taken)
      }
      guard let (serial, taken) = sent else { return }
      let ping = Worker.Pending(
        method: WorkerMessages.Ping.method,
        answer: { [weak worker] _ in worker?.watch() }, fail: { _ in })
      guard worker.ask(serial, [], ping) else { return }
      worker.later(worker.times.timeout) { worker in
        guard worker.answered(serial) != nil else { return }
        // Its answer is after others, which it is still sending.
        let isSending = worker.state.withLock { $0.taken != taken }
        if isSending { worker.watch() } else { worker.process.send(9) }
      }
    }
  }

  /// Runs a timer, which only checks.
  private func later(
    _ time: DispatchTimeInterval, _ body: @escaping @Sendable (Worker) -> Void
  ) {
    DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in
      if let self { body(self) }
    }
  }

  /// Delays the `afterReply` messages of that request, which comes next, until ``release(_:)``.
  func hold(_ serial: UInt64) {
    notify(WorkerMessages.Hold(request: .number(String(serial))))
  }

  func release(_ serial: UInt64) {
    notify(WorkerMessages.Release(request: .number(String(serial))))
  }

  func notify(_ method: String, _ params: ArraySlice<UInt8>) {
    state.withLock { $0.uses += 1 }
    outbox.post(message(method, params, nil))
  }

  private func notify<Notification: NotificationType>(_ notification: Notification) {
    guard let params = try? JSONEncoding.encode(notification) else { return }
    notify(Notification.method, params[...])
  }

  func cancel(_ serial: UInt64) {
    let isPending = state.withLock { $0.pending[serial] != nil }
    if isPending { notify(CancelRequest(id: .number(String(serial)))) }
  }

  /// Cancels the requests of closed objects that don't end in time: their work is in a read that
  /// hangs.
  func cancelRequests(of handles: [String]) {
    let serials = state.withLock { state in
      state.pending.filter { entry in entry.value.handles.contains(where: handles.contains) }.map(
        \.key)
    }
    guard !serials.isEmpty else { return }
    later(times.closingGrace) { worker in for serial in serials { worker.cancel(serial) } }
  }

  private func message(
    _ method: String, _ params: ArraySlice<UInt8>, _ serial: UInt64?
  ) -> JSONWriter {
    var writer = JSONWriter()
    writer.append(raw: #"{"jsonrpc":"2.0","#)
    if let serial { writer.append(raw: "\"id\":\(serial),") }
    writer.append(raw: #""method":"#)
    writer.write(method)
    if !params.isEmpty {
      writer.append(raw: #","params":"#)
      writer.append(raw: params)
    }
    writer.append(raw: "}")
    return writer
  }

  /// Asks the worker to end, and returns true if it was writing files: it reads the messages that
  /// were sent, and then the end of its input.
  func end() -> Bool {
    let hadExports = state.withLock { state in
      state.isEnding = true
      return state.writesFiles
    }
    notify(WorkerMessages.End())
    DispatchQueue.global().async { [self] in
      _ = outbox.flush(until: .now() + .milliseconds(200))
      channel.endOutput()
    }
    return hadExports
  }

  /// Asks a worker to end that has nothing to do, and was sent nothing since its ``uses`` were that number; returns false
  /// where it isn't idle. Requests that come later are for another worker.
  func endIfIdle(since uses: Int) -> Bool {
    let isIdle = state.withLock { state in
      guard !state.isBusy, state.uses == uses else { return false }
      state.wasIdle = true
      return true
    }
    if isIdle { _ = end() }
    return isIdle
  }

  // MARK: From the worker

  /// Reads messages until the worker has ended, and returns the cause of its end: on a thread of
  /// its own.
  func read(_ take: (WorkerMessage) -> Void) -> ChildProcess.End {
    var framing = Framing(mode: .headers, limit: .max)
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    reading: while true {
      switch channel.read(into: &buffer) {
      case .bytes(let count):
        framing.feed(buffer[..<count])
        while let event = framing.next() {
          guard case .message(let bytes) = event,
            let message = WorkerMessage(bytes, coalescingKey: framing.coalescingKey)
          else { continue }
          take(message)
          state.withLock { $0.taken += 1 }
        }
      case .woken: continue
      case .end, .outputClosed, .failed: break reading
      }
    }
    // A process whose socket is closed has nothing left to do.
    if let end = process.wait(seconds: 1) { return end }
    process.send(9)
    return process.wait() ?? .signal(9)
  }

  /// Passes an answer on to its request; it is busy until that is done.
  func answer(_ serial: UInt64, _ rest: ArraySlice<UInt8>) {
    let pending = state.withLock { state in
      state.isAnswering = true
      return state.pending.removeValue(forKey: serial)
    }
    pending?.answer(rest)
    state.withLock { $0.isAnswering = false }
  }

  /// Removes and returns the request of an answer.
  func answered(_ serial: UInt64) -> Pending? {
    state.withLock { $0.pending.removeValue(forKey: serial) }
  }

  /// Registers an operation that has begun.
  func begin(_ operation: String, _ running: Running) {
    state.withLock { $0.operations[operation] = running }
  }

  func note(_ index: Int, _ result: WireOutcome, of operation: String) {
    state.withLock { $0.operations[operation]?.reported.add(index, result) }
  }

  func ended(_ operation: String) {
    state.withLock { $0.operations[operation] = nil }
  }

  /// Counts a notification of that number of bytes, which is to wait for the caller; returns false,
  /// and kills the process, if the waiting ones exceed its credit.
  func admits(_ bytes: Int) -> Bool {
    let isAdmitted = state.withLock { state in
      guard state.unread <= unreadLimit else { return false }
      state.unread += bytes
      return true
    }
    if !isAdmitted { process.send(9) }
    return isAdmitted
  }

  /// Grants the worker credit for notifications of that number of bytes, which it may send in place
  /// of those that the caller has received.
  ///
  /// The credit is a message of its own, so it is granted for many notifications at a time. The
  /// remainder is less than a worker may send ahead
  /// (``ConnectionConfiguration/notificationBudget``).
  func passedOn(_ bytes: Int) {
    let credit = state.withLock { state -> Int? in
      state.unread -= bytes
      state.passedOn += bytes
      guard state.passedOn >= Self.leastCredit, !state.isClosed else { return nil }
      defer { state.passedOn = 0 }
      return state.passedOn
    }
    if let credit { notify(WorkerMessages.DidPassOn(bytes: credit)) }
  }

  private static let leastCredit = 1 << 20

  /// Closes the worker for requests, and returns its unfinished work.
  func close() -> Unfinished {
    outbox.close()
    return state.withLock { state in
      state.isClosed = true
      defer { (state.pending, state.operations) = ([:], [:]) }
      let pending = state.pending.sorted { $0.key < $1.key }.map(\.value)
      return Unfinished(pending: pending, operations: state.operations)
    }
  }
}
