import Dispatch
import EngineProtocol
public import JSONRPC
import Synchronization
internal import SystemIO

/// The side of the server that the caller speaks to: it passes requests on to worker processes, which do
/// everything that touches media, and answers for those that die.
///
/// Assets of files are spread: each is opened in the worker with the fewest objects, and all that is made of
/// it alone is there. What can be combined with other objects (compositions, readers, writers, resources) is
/// in one worker, the main one; an asset that takes part there is opened in it again, under its handle.
/// Libraries have a worker of their own: a scan opens whatever there is. A file that was in work when a worker
/// died is opened in a worker of its own from then on, and is refused once that one has died, too.
public final class Supervisor: Sendable {
  /// What the supervisor needs to know.
  public struct Options: Sendable {
    /// Starts another worker process.
    public var start: @Sendable () throws -> StartedWorker
    /// A worker process that was started before.
    public var first: StartedWorker?
    /// The path of a file that is named by a path or a URL.
    public var path: @Sendable (String) -> String = { $0 }
    /// Over how many workers assets are spread, with the main one.
    public var workers = 3
    /// The seconds that a worker with unanswered requests may read nothing before it is asked whether it reads, and
    /// those that it has for the answer before it is killed.
    public var patience = 10.0
    /// The seconds that requests of a closed object may take to end by themselves before they are cancelled.
    public var closingGrace = 0.3

    public init(start: @escaping @Sendable () throws -> StartedWorker) { self.start = start }
  }

  private struct State: Sendable {
    var first: StartedWorker?
    /// The worker of everything that can be combined.
    var main: Worker?
    /// All that run, the oldest first.
    var workers: [Worker] = []
    var places = Places()
    var suspects = SuspectFiles()
    /// The workers that have asked for pictures, by the numbers of their requests.
    var compositors: [Int: Worker] = [:]
    /// What a new worker has to be given before anything else, by the method.
    var introduction: [String: ArraySlice<UInt8>] = [:]
    var deaths = 0
    var isEnding = false
    var hadExports = false
    var lastInternal: UInt64 = 1 << 60
    weak var connection: Connection?
  }

  private let options: Options
  private let state: Mutex<State>
  /// Held while a worker is looked for and started, so that there is one.
  private let starting = Mutex(())
  /// Entered by each worker until it has ended.
  private let running = DispatchGroup()

  public init(_ options: Options) {
    self.options = options
    state = Mutex(State(first: options.first))
    if options.first != nil { _ = try? mainWorker() }
  }

  /// Sets where notifications go; before the connection is started.
  public func attach(_ connection: Connection) {
    state.withLock { $0.connection = connection }
  }

  // MARK: Routes

  /// A router that passes on whatever isn't for the supervisor itself.
  public func makeRouter() -> Router {
    var router = Router()
    router.onReader(Exit.self) { _, context in context.connection.stop(.exit) }
    router.forward(Initialize.method) { self.introduce($0) }
    router.forward(EngineSetLogLevel.method) { self.introduce($0) }
    router.forward(EngineStats.method) { self.mergeStats($0) }
    router.forward(HandleList.method, goesFirst: true) { self.mergeHandles($0) }
    router.forward(HandleClose.method, goesFirst: true) { self.closeHandle($0) }
    router.forward(Shutdown.method, goesFirst: true) { self.shutDown($0) }
    router.forward(BlobRelease.method, goesFirst: true) { self.broadcast($0) }
    router.forward(ResourceDidRead.method, goesFirst: true) { self.pass($0) }
    router.forward(VideoCompositionFinishFrame.method, goesFirst: true) { self.finishFrame($0) }
    router.forwardOthers { self.pass($0) }
    return router
  }

  /// Passes a call on to the worker in which its objects are.
  private func pass(_ call: ForwardedCall) {
    if call.method == AssetOpen.method, call.params?["library"] != nil { return locate(call) }
    let handles = HandleNames.of(call.params)
    let files = Set(HandleNames.files(in: call.params).map(options.path))
    while true {
      do throws(ErrorObject) {
        let (worker, inherited) = try route(call, handles, files)
        if send(call, to: worker, handles, files.union(inherited)) { return }
        // It has died since: now its objects are known to be gone.
      } catch {
        return call.isRequest ? call.fail(RPCError(error)) : call.end()
      }
    }
  }

  /// Opens an asset of an item of a library as that of a file: its worker is another one than the library's.
  private func locate(_ call: ForwardedCall) {
    let handles = HandleNames.of(call.params)
    let located = Worker.Pending(
      method: WorkerMessages.LocateItem.method, handles: handles, files: [], operation: nil
    ) { [self] rest in
      guard let found = WorkerMessage.result(of: rest, as: WorkerMessages.LocateItem.Result.self)
      else {
        return call.answer(rest, outcome: .error)
      }
      var members = [JSONValue.Member(key: "url", value: .string(found.url))]
      if let options = call.params?["options"] {
        members.append(JSONValue.Member(key: "options", value: options))
      }
      pass(call.with(params: .object(members)))
    } fail: {
      call.fail(RPCError($0))
    }
    while true {
      do throws(ErrorObject) {
        if try route(call, handles, []).0.ask(nextSerial(), call.paramsBytes, located) { return }
      } catch {
        return call.fail(RPCError(error))
      }
    }
  }

  /// The worker for a request, and the files of the objects that it names.
  private func route(
    _ call: ForwardedCall, _ handles: [String], _ files: Set<String>
  ) throws(ErrorObject) -> (Worker, Set<String>) {
    let (places, suspicions) = state.withLock { state in
      (
        handles.reduce(into: [String: Places.Place]()) { $0[$1] = state.places[$1] },
        state.suspects.isEmpty ? [] : files.map { ($0, state.suspects.suspicion(of: $0)) }
      )
    }
    for handle in handles {
      guard let death = places[handle]?.death else { continue }
      throw death.about(AnyHandle(rawValue: handle))
    }
    if let refused = suspicions.first(where: { $0.1 == .refused }) {
      throw refusal(of: refused.0)
    }
    let inherited = places.values.reduce(into: Set<String>()) { $0.formUnion($1.files) }
    let workers = places.values.compactMap(\.worker)
    guard let worker = workers.first else {
      if call.method == LibraryOpen.method { return (try self.worker(for: .libraries), []) }
      // One that the caller supplies can't be opened twice.
      guard call.method == AssetOpen.method, let file = files.first else {
        return (try mainWorker(), [])
      }
      let isSuspect = suspicions.contains { $0.1 == .suspect }
      return (isSuspect ? try self.worker(for: .file(file)) : try emptiestWorker(), [])
    }
    let isTogether = workers.allSatisfy { $0 === worker }
    if isTogether, worker.purpose != .any || !Self.isCombined(call.method) {
      return (worker, inherited)
    }
    if let file = workers.lazy.compactMap(\.file).first { throw separation(of: file) }
    let main = try mainWorker()
    for (handle, place) in places where place.worker !== main && place.copy !== main {
      guard let opening = place.opening else { throw difference(of: handle) }
      copy(handle, opening, to: main)
    }
    return (main, inherited)
  }

  /// Whether what a request makes can be combined with other objects.
  private static func isCombined(_ method: String) -> Bool {
    ["assetReader/", "assetWriter/", "composition/"].contains(where: method.hasPrefix)
  }

  /// Opens an asset in another worker, too, before that gets a request which names it.
  private func copy(_ handle: String, _ opening: ArraySlice<UInt8>, to worker: Worker) {
    state.withLock { $0.places.note(copyIn: worker, of: handle) }
    var params = JSONWriter()
    params.append(raw: #"{"handle":"\#(handle)","opening":"#)
    params.append(raw: opening)
    params.append(raw: "}")
    ask(worker, WorkerMessages.CopyAsset.method, params.payload)
  }

  private func send(
    _ call: ForwardedCall, to worker: Worker, _ handles: [String], _ files: Set<String>,
    onResult: (@Sendable () -> Void)? = nil, onDeath: (@Sendable () -> Void)? = nil
  ) -> Bool {
    guard call.isRequest else {
      worker.notify(call.method, call.paramsBytes)
      call.end()
      return true
    }
    let operation = operationRequest(call)
    let pending = Worker.Pending(
      method: call.method, handles: handles, files: files, operation: operation
    ) { [self] rest in
      let isResult = WorkerMessage.hasResult(rest)
      if isResult, operation != nil || Self.makesObjects(call.method) {
        let isFile = call.method == AssetOpen.method && !files.isEmpty
        let opening = isFile ? call.paramsBytes : nil
        let running = operation.map {
          Worker.Running(request: $0, files: files, afterReply: call.afterReply)
        }
        note(rest, in: worker, running, files: files, opening: opening)
      }
      if isResult { onResult?() }
      call.answer(rest, outcome: isResult ? .result : .error)
    } fail: {
      if let onDeath { onDeath() } else { call.fail(RPCError($0)) }
    }
    let serial = call.serial
    // The caller learns of the operation with the whole batch.
    let isHeld = operation != nil && call.isBatched
    if isHeld { worker.hold(serial) }
    guard worker.ask(serial, call.paramsBytes, pending) else { return false }
    if isHeld { call.afterReply { worker.release(serial) } }
    call.onCancel { worker.cancel(serial) }
    return true
  }

  /// Whether a result names new objects: of others, what looks like a handle is a text of a file.
  private static func makesObjects(_ method: String) -> Bool {
    let name = method.split(separator: "/").last ?? ""
    return ["open", "create", "assemble", "import", "copy", "fetch"].contains(name)
  }

  /// Notes the handles of a result before the caller has them.
  private func note(
    _ rest: ArraySlice<UInt8>, in worker: Worker, _ running: Worker.Running?, files: Set<String>,
    opening: ArraySlice<UInt8>?
  ) {
    // Leases are given back to all workers alike; an operation that is over has no handle any more.
    let handles = HandleNames.of(rest).filter { handle in
      switch HandleNames.kind(of: handle) {
      case .lease: false
      case .operation: running != nil
      default: true
      }
    }
    guard !handles.isEmpty else { return }
    if let running, let handle = handles.first, HandleNames.kind(of: handle) == .operation {
      worker.begin(handle, running)
    }
    state.withLock { state in
      state.places.add(handles, in: worker, files: files)
      if let opening, let handle = handles.first { state.places.note(opening, of: handle) }
    }
  }

  /// The request, where it is one that starts an operation which goes on after the answer.
  private func operationRequest(_ call: ForwardedCall) -> (any OperationRequest)? {
    guard let type = Self.operationTypes[call.method], let params = call.params,
      params["completion"]?.stringValue != WireCompletion.response.rawValue
    else { return nil }
    return try? JSONDecoding.decode(type, from: params)
  }

  private static let operationTypes = Dictionary(
    uniqueKeysWithValues: operationRequests.map { ($0.method, $0) })

  /// `initialize` and `engine/setLogLevel`: for the workers that run, and for those that come later.
  private func introduce(_ call: ForwardedCall) {
    let others = state.withLock { state in
      state.introduction[call.method] = call.paramsBytes
      return state.workers.filter { $0 !== state.main }
    }
    for worker in others { ask(worker, call.method, call.paramsBytes) }
    if call.method == Initialize.method { watchParent(call) }
    pass(call)
  }

  /// Ends the connection when the process that the caller named has ended.
  private func watchParent(_ call: ForwardedCall) {
    guard let pid = call.params?["processId"]?.integerValue.flatMap({ Int32(exactly: $0) }), pid > 0
    else { return }
    DispatchQueue(label: "engineSupervisor.parent").async { [weak self] in
      if ProcessInformation.waitForExit(of: pid) {
        self?.state.withLock { $0.connection }?.stop()
      }
    }
  }

  /// Asks a worker for something whose answer doesn't matter.
  private func ask(_ worker: Worker, _ method: String, _ params: ArraySlice<UInt8>) {
    _ = worker.ask(
      nextSerial(), params,
      Worker.Pending(
        method: method, handles: [], files: [], operation: nil, answer: { _ in }, fail: { _ in }))
  }

  /// A number for what no caller has asked.
  private func nextSerial() -> UInt64 {
    state.withLock { state in
      state.lastInternal += 1
      return state.lastInternal
    }
  }

  /// `shutdown`: for the workers that run, and for those that come later.
  private func shutDown(_ call: ForwardedCall) {
    state.withLock { $0.introduction[call.method] = call.paramsBytes }
    broadcast(call)
  }

  /// What concerns all workers alike; the answer is that of the worker of everything.
  private func broadcast(_ call: ForwardedCall) {
    let (main, workers) = state.withLock { ($0.main, $0.workers) }
    for worker in workers where worker !== main || !call.isRequest {
      if call.isRequest {
        ask(worker, call.method, call.paramsBytes)
      } else {
        worker.notify(call.method, call.paramsBytes)
      }
    }
    call.isRequest ? pass(call) : call.end()
  }

  /// The answer of a compositor goes to the worker that has asked for the picture.
  private func finishFrame(_ call: ForwardedCall) {
    let number = call.params?["request"]?.integerValue
    let worker = state.withLock { state in
      number.flatMap { state.compositors.removeValue(forKey: $0) }
    }
    guard let worker, send(call, to: worker, [], []) else { return pass(call) }
  }

  private func closeHandle(_ call: ForwardedCall) {
    guard let handle = call.params?["handle"]?.stringValue,
      let place = state.withLock({ $0.places[handle] })
    else { return pass(call) }
    if let copy = place.copy { ask(copy, HandleClose.method, call.paramsBytes) }
    let forgetDead: @Sendable () -> Void = {
      _ = self.state.withLock { $0.places.remove(handle) }
      call.answer(EmptyResult())
    }
    if let worker = place.worker,
      send(
        call, to: worker, [handle], place.files, onResult: { self.forget(handle, worker) },
        onDeath: forgetDead)
    {
      return
    }
    forgetDead()
  }

  /// Forgets a closed handle.
  private func forget(_ handle: String, _ worker: Worker) {
    let gone = state.withLock { $0.places.remove(handle) }
    worker.cancelRequests(of: gone)
    endIfUnused(worker)
  }

  /// Ends the worker of one file, or of libraries, once the caller has no handle of an object there.
  private func endIfUnused(_ worker: Worker) {
    let isUnused = state.withLock { state in
      guard worker.purpose != .any, !state.places.isUsed(worker) else { return false }
      // It has done its work: what it was suspected of was another file's fault.
      if let file = worker.file { state.suspects.clear(file) }
      return true
    }
    if isUnused { _ = worker.end() }
  }

  private func mergeStats(_ call: ForwardedCall) {
    askAll(call) { (results: [EngineStats.Result]) in
      var sum = results[0]
      for other in results.dropFirst() { sum.add(other) }
      sum.residentBytes += Int64(ProcessInformation.residentBytes)
      // Which workers there are is known here; what they have given up, to themselves.
      let (workers, deaths, copies) = self.state.withLock { state in
        (state.workers.map { Int($0.process.pid) }, state.deaths, state.places.copies)
      }
      if copies > 0 { sum.handles[HandleKind.asset.rawValue, default: copies] -= copies }
      sum.isolation?.workers = workers
      sum.isolation?.deaths = deaths
      return sum
    }
  }

  private func mergeHandles(_ call: ForwardedCall) {
    askAll(call) { (results: [HandleList.Result]) in
      let open = results.flatMap(\.handles)
      let (dead, places) = self.state.withLock { ($0.places.dead, $0.places) }
      let gone = dead.compactMap { handle -> WireHandleInfo? in
        HandleNames.kind(of: handle).map {
          WireHandleInfo(
            handle: AnyHandle(rawValue: handle), kind: $0, describes: "its worker process has died")
        }
      }
      var seen: Set<String> = []
      let all = (gone + open).filter { seen.insert($0.handle.rawValue).inserted }
      return HandleList.Result(
        handles: all.enumerated().sorted { left, right in
          let first = places[left.element.handle.rawValue]?.number ?? .max
          let second = places[right.element.handle.rawValue]?.number ?? .max
          return (first, left.offset) < (second, right.offset)
        }.map(\.element))
    }
  }

  private func askAll<Result: Decodable & Sendable>(
    _ call: ForwardedCall, merge: @escaping @Sendable ([Result]) -> any Encodable
  ) {
    do throws(ErrorObject) {
      _ = try mainWorker()
    } catch {
      return call.fail(RPCError(error))
    }
    let (workers, serials) = state.withLock { state in
      let serials = state.workers.indices.map { state.lastInternal + 1 + UInt64($0) }
      state.lastInternal += UInt64(serials.count)
      return (state.workers, serials)
    }
    let answer = MergedAnswer(of: workers.count, for: call, merge: merge) {
      self.askAll(call, merge: merge)
    }
    for (worker, serial) in zip(workers, serials) {
      let pending = Worker.Pending(
        method: call.method, handles: [], files: [], operation: nil,
        answer: { answer.take($0) }, fail: { _ in answer.take(nil) })
      if !worker.ask(serial, call.paramsBytes, pending) { answer.take(nil) }
    }
  }

  // MARK: Workers

  /// The worker of everything, started when there is none.
  private func mainWorker() throws(ErrorObject) -> Worker {
    try starting.withLock { (_) throws(ErrorObject) in
      if let worker = state.withLock({ $0.main }) { return worker }
      return try start(isMain: true)
    }
  }

  /// The worker with whose end the fewest objects are lost; a new one while there may be more.
  private func emptiestWorker() throws(ErrorObject) -> Worker {
    let main = try mainWorker()
    return try starting.withLock { (_) throws(ErrorObject) in
      let (found, count) = state.withLock { state in
        let workers = state.workers.filter { $0.purpose == .any && !$0.isEnding }
        let counts = workers.map { (worker: $0, objects: state.places.count(in: $0)) }
        return (counts.min { $0.objects < $1.objects }, workers.count)
      }
      if let found, found.objects == 0 || count >= options.workers { return found.worker }
      do {
        return try start()
      } catch {
        // It is safer alone, but not bound to be.
        return found?.worker ?? main
      }
    }
  }

  /// The worker of one file, or of libraries.
  private func worker(for purpose: Worker.Purpose) throws(ErrorObject) -> Worker {
    try starting.withLock { (_) throws(ErrorObject) in
      let found = state.withLock { $0.workers.first { $0.purpose == purpose && !$0.isEnding } }
      if let found { return found }
      return try start(purpose)
    }
  }

  /// While ``starting`` is locked.
  private func start(
    _ purpose: Worker.Purpose = .any, isMain: Bool = false
  ) throws(ErrorObject) -> Worker {
    let times = Worker.Times(
      patience: .milliseconds(Int(options.patience * 1000)),
      closingGrace: .milliseconds(Int(options.closingGrace * 1000)))
    let worker = Worker(try firstOrNew(), purpose, times)
    let introduction = state.withLock { state in
      if isMain { state.main = worker }
      state.workers.append(worker)
      return state.introduction
    }
    running.enter()
    DispatchQueue(label: "engineSupervisor.worker", qos: .userInitiated).async { [self] in
      let end = worker.read { take($0, from: worker) }
      bury(worker, end)
      running.leave()
    }
    // `initialize` isn't needed any more where `shutdown` came first.
    for (method, params) in introduction.sorted(by: { $0.key > $1.key }) {
      ask(worker, method, params)
    }
    return worker
  }

  private func firstOrNew() throws(ErrorObject) -> StartedWorker {
    if let first = state.withLock({ $0.first.take() }) { return first }
    do {
      return try options.start()
    } catch {
      var failure = ErrorObject(.workerDied, "No worker process can be started: \(error)")
      failure.data?.hint = "Close handles, or raise the limits of processes and open files."
      throw failure
    }
  }

  /// On the thread of the worker.
  private func take(_ message: WorkerMessage, from worker: Worker) {
    switch message {
    case .answer(let serial, let rest): worker.answered(serial)?.answer(rest)
    case .notification(let method, let params):
      note(method, params, from: worker)
      guard let connection = state.withLock({ $0.connection }) else { return }
      connection.awaitRoom()
      var text = JSONWriter()
      text.append(raw: #"{"jsonrpc":"2.0","method":""#)
      text.append(raw: method)
      text.append(raw: params)
      connection.relay(text)
    }
  }

  /// Notes what a notification reports of operations, and of pictures to be drawn.
  private func note(_ method: String, _ params: ArraySlice<UInt8>, from worker: Worker) {
    if method == ImageGeneratorDidGenerateImage.method {
      guard let operation = WorkerMessage.member("operation", of: params),
        let index = WorkerMessage.member("index", of: params).flatMap(Int.init),
        let result = WorkerMessage.member("result", of: params).flatMap(WireOutcome.init)
      else { return }
      worker.note(index, result, of: operation)
    } else if Self.terminals.contains(method) {
      guard let operation = WorkerMessage.member("operation", of: params) else { return }
      worker.ended(operation)
      _ = state.withLock { $0.places.remove(operation) }
      endIfUnused(worker)
    } else if method == VideoCompositionComposeFrame.method {
      guard let number = WorkerMessage.member("request", of: params).flatMap(Int.init) else {
        return
      }
      state.withLock { $0.compositors[number] = worker }
    }
  }

  private static let terminals = Set(operationRequests.map { terminalMethod($0) })

  private static func terminalMethod<Request: OperationRequest>(_ type: Request.Type) -> String {
    Request.Terminal.method
  }

  // MARK: Deaths

  /// Answers for a worker that has ended.
  private func bury(_ worker: Worker, _ end: ChildProcess.End) {
    let legacy = worker.close()
    let wasExpected = worker.isEnding || end == .exit(code: WorkerExit.overloaded)
    let inWork = (legacy.pending.map(\.files) + legacy.operations.values.map(\.files))
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    let death = ErrorObject(death: end, of: worker, files: inWork)
    let connection = state.withLock { state in
      state.workers.removeAll { $0 === worker }
      if state.main === worker { state.main = nil }
      if end == .exit(code: WorkerExit.unfinished) { state.hadExports = true }
      state.compositors = state.compositors.filter { $0.value !== worker }
      state.places.bury(worker, death)
      if !wasExpected {
        state.deaths += 1
        // What has hung was cancelled, and is in work no longer.
        if end != .exit(code: WorkerExit.hung) {
          for file in inWork { state.suspects.note(file, alone: inWork.count == 1) }
        }
      }
      return state.connection
    }
    for pending in legacy.pending {
      var error = death.during(pending.method)
      if let handle = pending.handles.first { error = error.about(AnyHandle(rawValue: handle)) }
      error.data?.path = pending.files.count == 1 ? pending.files.first : nil
      pending.fail(error)
    }
    for (operation, running) in legacy.operations.sorted(by: { $0.key < $1.key }) {
      _ = state.withLock { $0.places.remove(operation) }
      var error = death.during(type(of: running.request).method)
      error.data?.path = running.files.count == 1 ? running.files.first : nil
      let handle = OperationHandle(rawValue: operation)
      let end = running.request.end(of: handle, failedWith: error, reported: running.reported)
      running.afterReply { for notification in end { connection?.post(notification) } }
    }
    if end == .exit(code: WorkerExit.overloaded) { connection?.stop(.overloaded) }
  }

  private func refusal(of file: String) -> ErrorObject {
    var error = ErrorObject(
      .workerDied, "'\(file)' is refused: two worker processes have died while it was in work")
    error.data?.path = file
    error.data?.hint = "Leave it alone, or replace it: a file that has changed is tried again."
    return error
  }

  private func separation(of file: String?) -> ErrorObject {
    var error = ErrorObject(
      .operationNotAllowed,
      "'\(file ?? "")' is in a worker process of its own, apart from the other objects")
    error.data?.path = file
    error.data?.hint =
      "A worker process died while it was in work. Close its handles and open it again: if nothing "
      + "happened meanwhile, it comes to the others."
    return error
  }

  /// Of objects that can't be opened again elsewhere: cursors, of which no method takes two of different
  /// assets.
  private func difference(of handle: String) -> ErrorObject {
    var error = ErrorObject(.invalidSampleCursor, "'\(handle)' belongs to another asset")
    error.data?.hint = "Compare cursors of one track, made from the same asset."
    return error
  }

  // MARK: The end

  /// True when workers had exports that were not finished when they were asked to end: from `end(within:)`
  /// on, before they have ended. Those that `shutdown` has ended don't count.
  public var hadExports: Bool {
    state.withLock { $0.hadExports && $0.introduction[Shutdown.method] == nil }
  }

  /// Ends all workers, and returns when they have ended; those that take longer are killed.
  public func end(within seconds: Double) async {
    let workers = state.withLock { state in
      state.isEnding = true
      return state.workers
    }
    // The end cancels their exports: when they look, these may have ended.
    for worker in workers where worker.end() { state.withLock { $0.hadExports = true } }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "engineSupervisor.end").async { [running] in
        if running.wait(timeout: .now() + seconds) == .timedOut {
          for worker in workers { worker.process.send(9) }
          running.wait()
        }
        continuation.resume()
      }
    }
  }
}

/// The codes that a worker process ends with.
public enum WorkerExit {
  /// It had exports that were not finished.
  public static let unfinished: Int32 = 1
  /// It was sent more than was read of its answers.
  public static let overloaded: Int32 = 4
  /// Its work went on after it was cancelled, until its deadline.
  public static let hung: Int32 = 5
  /// The threads of a decoder in it waited for each other, for ever.
  public static let stalled: Int32 = 6
}

extension ErrorObject {
  /// Why everything in a worker fails.
  fileprivate init(death end: ChildProcess.End, of worker: Worker, files: Set<String>) {
    var signal: Int?
    var text: String
    switch end {
    case .signal(let number):
      (signal, text) = (Int(number), "was ended by \(ChildProcess.name(ofSignal: number))")
    case .exit(code: WorkerExit.hung):
      text = "reached its deadline: cancelled work in it went on"
    case .exit(code: WorkerExit.stalled):
      text = "was given up: a decoder in it took a packet and never came back"
    case .exit(let code): text = "ended by itself, with code \(code)"
    }
    if let file = files.first, files.count == 1 { text += " while '\(file)' was in work" }
    self.init(.workerDied, "The worker process \(text)")
    data?.signal = signal
    data?.path = files.count == 1 ? files.first : nil
  }

  /// The same error, of a request.
  fileprivate func during(_ method: String) -> ErrorObject {
    var copy = self
    copy.data?.stage = method.split(separator: "/").last.map(String.init)
    return copy
  }
}
