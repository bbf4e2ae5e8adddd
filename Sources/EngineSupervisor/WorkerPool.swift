import Dispatch
import EngineProtocol
import JSONRPC
import Synchronization
internal import SystemIO

/// The pool of worker processes: it starts them, and answers for their unfinished work when they
/// end.
extension Supervisor {
  /// Returns the main worker, which is started when there is none.
  func mainWorker() throws(ErrorObject) -> Worker {
    try starting.withLock { (_) throws(ErrorObject) in
      if let worker = state.withLock({ $0.main }) { return worker }
      return try start(isMain: true)
    }
  }

  /// Returns the worker with whose end the fewest objects are lost; a new one while there may be
  /// more.
  func emptiestWorker() throws(ErrorObject) -> Worker {
    let main = try mainWorker()
    return try starting.withLock { (_) throws(ErrorObject) in
      let (found, count) = state.withLock { state in
        let workers = state.workers.filter { $0.purpose == .any && !$0.isEnding }
        let counts = workers.map { (worker: $0, objects: state.locations.count(in: $0)) }
        return (counts.min { $0.objects < $1.objects }, workers.count)
      }
      if let found, found.objects == 0 || count >= options.workers { return found.worker }
      do {
        return try start()
      } catch {
        // An asset is safer alone, but doesn't have to be alone.
        return found?.worker ?? main
      }
    }
  }

  /// Returns the worker of one file, of libraries, or of devices.
  func worker(for purpose: Worker.Purpose) throws(ErrorObject) -> Worker {
    try starting.withLock { (_) throws(ErrorObject) in
      let found = state.withLock { $0.workers.first { $0.purpose == purpose && !$0.isEnding } }
      if let found { return found }
      let worker = try start(purpose)
      if purpose == .devices { watchForIdleness(of: worker) }
      return worker
    }
  }

  /// Starts a worker while ``starting`` is locked.
  private func start(
    _ purpose: Worker.Purpose = .any, isMain: Bool = false
  ) throws(ErrorObject) -> Worker {
    let times = Worker.Times(
      timeout: .milliseconds(Int(options.timeout * 1000)),
      closingGrace: .milliseconds(Int(options.closingGrace * 1000)))
    let worker = Worker(
      try firstOrNew(purpose), purpose, times, unreadLimit: options.unreadLimit)
    let introduction = state.withLock { state in
      if isMain { state.main = worker }
      state.workers.append(worker)
      return state.introduction
    }
    running.enter()
    DispatchQueue(label: "engineSupervisor.worker", qos: .userInitiated).async { [self] in
      let end = worker.read { take($0, from: worker) }
      handleExit(of: worker, end)
      running.leave()
    }
    // `initialize` isn't needed any more after `shutdown`.
    for (method, params) in introduction.sorted(by: { $0.key > $1.key }) {
      ask(worker, method, params)
    }
    if purpose == .devices, let params = state.withLock(\.observation.params) {
      ask(worker, CaptureObserveDevices.method, params)
    }
    return worker
  }

  private func firstOrNew(_ purpose: Worker.Purpose) throws(ErrorObject) -> StartedWorker {
    if purpose != .devices, let first = state.withLock({ $0.first.take() }) { return first }
    do {
      return try options.start(purpose == .devices ? .devices : .media)
    } catch {
      throw ErrorObject(
        .workerDied, "No worker process can be started: \(error)", advice: .raiseProcessLimits)
    }
  }

  /// Ends the worker of one file, of libraries, or of devices, once the caller has no handle of an object there.
  func endIfUnused(_ worker: Worker) {
    // Players use the process of devices without a handle of it: it is ended when it has been idle for a while.
    if worker.purpose == .devices, options.rings?.isInUse ?? false { return }
    let isUnused = state.withLock { state in
      if worker.purpose == .devices, state.observation.params != nil { return false }
      guard worker.purpose != .any, !state.locations.isUsed(worker) else { return false }
      // It has done its work: another file caused the end that this one was suspected of.
      if let file = worker.file { state.suspects.clear(file) }
      return true
    }
    if isUnused { _ = worker.end() }
  }

  /// Ends the process of devices once nothing has used it between two checks.
  private func watchForIdleness(of worker: Worker, since uses: Int? = nil) {
    DispatchQueue.global().asyncAfter(deadline: .now() + options.deviceIdleTime) { [weak self] in
      guard let self else { return }
      let isOver = starting.withLock { (_) -> Bool in
        guard !worker.isEnding, !worker.isClosed else { return true }
        // Busy or not comes first: it is busy until what an answer has begun is in the other places.
        let isInUse =
          worker.isBusy
          || state.withLock { $0.locations.isUsed(worker) || $0.observation.params != nil }
          || options.rings?.isInUse ?? false
        guard !isInUse, let uses else { return false }
        return worker.endIfIdle(since: uses)
      }
      if !isOver { watchForIdleness(of: worker, since: worker.uses) }
    }
  }

  /// Starts the observation of devices in another process after one that ended unexpectedly.
  private func observeDevicesAgain() {
    let isObserved = state.withLock { state in
      guard !state.isEnding, state.observation.params != nil else { return false }
      guard state.observation.replaced < DeviceObservation.maximumReplaced else {
        state.observation = DeviceObservation()
        return false
      }
      state.observation.replaced += 1
      return true
    }
    if isObserved { _ = try? worker(for: .devices) }
  }

  /// Answers for a worker that has ended.
  private func handleExit(of worker: Worker, _ end: ChildProcess.End) {
    let unfinished = worker.close()
    if worker.purpose == .devices { options.rings?.markAllGone() }
    options.rings?.endAll(ofProcess: worker.process.pid)
    let wasExpected = worker.isEnding || end == .exit(code: WorkerExit.overloaded)
    let inWork = (unfinished.pending.map(\.files) + unfinished.operations.values.map(\.files))
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    let death = ErrorObject(death: end, files: inWork)
    let (connection, handles) = state.withLock { state in
      let handles = state.locations.handles(in: worker)
      state.workers.removeAll { $0 === worker }
      if state.main === worker { state.main = nil }
      if end == .exit(code: WorkerExit.unfinished) { state.hadExports = true }
      state.compositors = state.compositors.filter { $0.value !== worker }
      state.locations.markTerminated(worker, death)
      if !wasExpected {
        state.deaths += 1
        // A file that has hung was cancelled, and is in work no longer.
        if end != .exit(code: WorkerExit.hung) {
          for file in inWork { state.suspects.note(file, alone: inWork.count == 1) }
        }
      }
      return (state.connection, handles)
    }
    for pending in unfinished.pending {
      var error = death.during(pending.method)
      if let handle = pending.handles.first { error = error.about(AnyHandle(rawValue: handle)) }
      error.data?.path = pending.files.count == 1 ? pending.files.first : nil
      pending.fail(error)
    }
    for (operation, running) in unfinished.operations.sorted(by: { $0.key < $1.key }) {
      _ = state.withLock { $0.locations.remove(operation) }
      var error = death.during(type(of: running.request).method)
      error.data?.path = running.files.count == 1 ? running.files.first : nil
      let handle = OperationHandle(rawValue: operation)
      let ends = running.request.end(of: handle, failedWith: error, reported: running.reported)
      let end = ends.map { notification -> any NotificationType in
        guard let end = notification as? CaptureOutputDidFinishRecording else {
          return notification
        }
        return end.withRemains(at: options.path(end.outputURL))
      }
      running.afterReply { for notification in end { connection?.post(notification) } }
    }
    // The end of the engine is no failure of its objects.
    for (handle, kind) in handles where !worker.isEnding {
      for notification in kind.notifications(ofDeath: death, of: handle) {
        connection?.post(notification)
      }
    }
    if end == .exit(code: WorkerExit.overloaded) { connection?.stop(.overloaded) }
    if worker.purpose == .devices, !wasExpected { observeDevicesAgain() }
  }
}

/// The exit codes of a worker process.
public enum WorkerExit {
  /// The worker had exports that were not finished.
  public static let unfinished: Int32 = 1
  /// The worker had more unread answers than its budget.
  public static let overloaded: Int32 = 4
  /// Its work continued after it was cancelled, until its deadline.
  public static let hung: Int32 = 5
  /// The threads of a decoder in it waited for each other, for ever.
  public static let stalled: Int32 = 6
}
