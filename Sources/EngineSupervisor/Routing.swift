import Dispatch
import EngineProtocol
import JSONRPC
import Synchronization
internal import SystemIO

/// The routing of a call to the worker that holds its objects.
extension Supervisor {
  func pass(_ call: ForwardedCall) {
    let facts = facts(of: call.method)
    if case .all(let isRemembered) = facts.placement {
      return passToAll(call, isRemembered: isRemembered)
    }
    if call.method == AssetOpen.method, call.params?["library"] != nil,
      let opening = try? JSONDecoding.decode(AssetOpen.self, from: call.params ?? .null)
    {
      return locate(call, opening)
    }
    passOn(call, facts)
  }

  private func passOn(_ call: ForwardedCall, _ facts: MethodFacts) {
    let handles = facts.handles(in: call.params)
    let files = Set(facts.files(in: call.params).map(options.path))
    while true {
      do throws(ErrorObject) {
        let (worker, inherited) = try route(facts.placement, handles, files)
        if send(call, to: worker, handles, files.union(inherited)) { return }
        // It has ended since: now its objects are known to be gone.
      } catch {
        return call.isRequest ? call.fail(RPCError(error)) : call.end()
      }
    }
  }

  /// Starts the observation of devices in their process, which isn't idle then.
  func observeDevices(_ call: ForwardedCall) {
    let request = try? JSONDecoding.decode(CaptureObserveDevices.self, from: call.params ?? .null)
    while true {
      do throws(ErrorObject) {
        let (worker, _) = try route(.devices, [], [])
        let isSent = send(call, to: worker, [], []) { [self] in
          state.withLock { state in
            state.observation = DeviceObservation()
            if request?.isObserving == true { state.observation.params = call.paramsBytes }
          }
        }
        if isSent { return }
      } catch {
        return call.isRequest ? call.fail(RPCError(error)) : call.end()
      }
    }
  }

  /// Opens an asset of an item of a library as an asset of a file: its worker is another one than
  /// the library's.
  private func locate(_ call: ForwardedCall, _ opening: AssetOpen) {
    let facts = facts(of: call.method)
    let handles = facts.handles(in: call.params)
    let located = Worker.Pending(
      method: WorkerMessages.LocateItem.method, handles: handles
    ) { [self] rest in
      guard let found = WorkerMessage.result(of: rest, as: WorkerMessages.LocateItem.Result.self),
        let params = try? JSONValue(encoding: AssetOpen(url: found.url, options: opening.options))
      else {
        return call.answer(rest, outcome: .error)
      }
      passOn(call.with(params: params), facts)
    } fail: {
      call.fail(RPCError($0))
    }
    while true {
      do throws(ErrorObject) {
        let (worker, _) = try route(facts.placement, handles, [])
        if worker.ask(nextSerial(), call.paramsBytes, located) { return }
      } catch {
        return call.fail(RPCError(error))
      }
    }
  }

  /// Returns the worker for a request, and the files of the objects that it names.
  private func route(
    _ placement: Placement, _ handles: [String], _ files: Set<String>
  ) throws(ErrorObject) -> (Worker, Set<String>) {
    let (locations, suspicions) = state.withLock { state in
      (
        handles.reduce(into: [String: HandleLocations.Location]()) { $0[$1] = state.locations[$1] },
        state.suspects.isEmpty ? [] : files.map { ($0, state.suspects.suspicion(of: $0)) }
      )
    }
    for handle in handles {
      guard let error = locations[handle]?.terminationError else { continue }
      throw error.about(AnyHandle(rawValue: handle))
    }
    if let refused = suspicions.first(where: { $0.1 == .refused }) {
      throw ErrorObject(refusalOf: refused.0)
    }
    let inherited = locations.values.reduce(into: Set<String>()) { $0.formUnion($1.files) }
    let workers = locations.values.compactMap(\.worker)
    guard let worker = workers.first else {
      switch placement {
      case .library: return (try self.worker(for: .libraries), [])
      case .devices: return (try self.worker(for: .devices), [])
      case .spread:
        // Bytes that the caller supplies can't be opened twice.
        guard let file = files.first else { return (try mainWorker(), []) }
        let isSuspect = suspicions.contains { $0.1 == .suspect }
        return (isSuspect ? try self.worker(for: .file(file)) : try emptiestWorker(), [])
      case .ofHandles, .main, .all: return (try mainWorker(), [])
      }
    }
    let isTogether = workers.allSatisfy { $0 === worker }
    if isTogether, worker.purpose != .any || placement != .main { return (worker, inherited) }
    if let file = workers.lazy.compactMap(\.file).first { throw ErrorObject(separationOf: file) }
    let main = try mainWorker()
    for (handle, location) in locations where location.worker !== main && location.copy !== main {
      guard let opening = location.opening else { throw ErrorObject(differenceOf: handle) }
      copy(handle, opening, to: main)
    }
    return (main, inherited)
  }

  /// Opens an asset in another worker, too, before that worker gets a request which names it.
  private func copy(_ handle: String, _ opening: AssetOpen, to worker: Worker) {
    state.withLock { $0.locations.note(copyIn: worker, of: handle) }
    ask(
      worker,
      WorkerMessages.CopyAsset(handle: AssetHandle(rawValue: handle), opening: opening))
  }

  /// Sends a call to a worker; returns false when the worker has ended.
  private func send(
    _ call: ForwardedCall, to worker: Worker, _ handles: [String], _ files: Set<String>,
    onResult: (@Sendable () -> Void)? = nil, onDeath: (@Sendable () -> Void)? = nil
  ) -> Bool {
    guard call.isRequest else {
      worker.notify(call.method, call.paramsBytes)
      call.end()
      return true
    }
    let facts = facts(of: call.method)
    let operation = facts.operation(of: call.params)
    if let operation { state.withLock { $0.reports.add(operation) } }
    let pending = Worker.Pending(
      method: call.method, handles: handles, files: files, writesFile: facts.writesFile
    ) { [self] rest in
      let isResult = WorkerMessage.hasResult(rest)
      if isResult {
        if let operation {
          let running = Worker.Running(
            request: operation, files: files, afterReply: call.afterReply)
          noteOperation(of: rest, running, in: worker)
        }
        if !facts.objects.isEmpty { noteObjects(of: rest, facts, call, files, in: worker) }
        onResult?()
      }
      call.answer(rest, outcome: isResult ? .result : .error)
    } fail: {
      if let onDeath { onDeath() } else { call.fail(RPCError($0)) }
    }
    let serial = call.serial
    // The caller receives the answer with the whole batch, and its `afterReply` messages come after
    // that.
    let isHeld = call.isBatched
    if isHeld { worker.hold(serial) }
    guard worker.ask(serial, call.paramsBytes, pending) else { return false }
    if isHeld { call.afterReply { worker.release(serial) } }
    call.onCancel { worker.cancel(serial) }
    return true
  }

  // MARK: To all workers

  /// Passes on a message that concerns all workers alike; the answer is that of the main one.
  func passToAll(_ call: ForwardedCall, isRemembered: Bool = false) {
    let (main, workers) = state.withLock { state in
      if isRemembered { state.introduction[call.method] = call.paramsBytes }
      return (state.main, state.workers)
    }
    for worker in workers where worker !== main || !call.isRequest {
      if call.isRequest {
        ask(worker, call.method, call.paramsBytes)
      } else {
        worker.notify(call.method, call.paramsBytes)
      }
    }
    guard call.isRequest else { return call.end() }
    if call.method == Initialize.method { watchParent(call) }
    passOn(call, facts(of: call.method))
  }

  /// Ends the connection when the process that the caller named has ended.
  private func watchParent(_ call: ForwardedCall) {
    guard let request = try? JSONDecoding.decode(Initialize.self, from: call.params ?? .object([])),
      let pid = request.processId.flatMap(Int32.init(exactly:)), pid > 0
    else { return }
    DispatchQueue(label: "engineSupervisor.parent").async { [weak self] in
      if ProcessInformation.waitForExit(of: pid) {
        self?.state.withLock { $0.connection }?.stop()
      }
    }
  }

  /// Sends a worker a request whose answer doesn't matter.
  func ask(_ worker: Worker, _ method: String, _ params: ArraySlice<UInt8>) {
    _ = worker.ask(
      nextSerial(), params, Worker.Pending(method: method, answer: { _ in }, fail: { _ in }))
  }

  private func ask<Request: RequestType>(_ worker: Worker, _ request: Request) {
    guard let params = try? JSONEncoding.encode(request) else { return }
    ask(worker, Request.method, params[...])
  }

  // MARK: To one worker

  /// Passes the answer of a compositor to the worker that has requested the frame.
  func finishFrame(_ call: ForwardedCall) {
    let request = try? JSONDecoding.decode(
      VideoCompositionFinishFrame.self, from: call.params ?? .object([]))
    let worker = state.withLock { state in
      request.flatMap { state.compositors.removeValue(forKey: $0.request) }
    }
    guard let worker, send(call, to: worker, [], []) else { return pass(call) }
  }

  func closeHandle(_ call: ForwardedCall) {
    guard let handle = facts(of: call.method).handles(in: call.params).first,
      let location = state.withLock({ $0.locations[handle] })
    else { return pass(call) }
    if let copy = location.copy { ask(copy, call.method, call.paramsBytes) }
    let forgetDead: @Sendable () -> Void = {
      _ = self.state.withLock { $0.locations.remove(handle) }
      call.answer(EmptyResult())
    }
    if let worker = location.worker,
      send(
        call, to: worker, [handle], location.files, onResult: { self.forget(handle, worker) },
        onDeath: forgetDead)
    {
      return
    }
    forgetDead()
  }

  /// Removes a closed handle.
  private func forget(_ handle: String, _ worker: Worker) {
    let gone = state.withLock { $0.locations.remove(handle) }
    worker.cancelRequests(of: gone)
    endIfUnused(worker)
  }
}
