import Dispatch
import EngineProtocol
import JSONRPC
import Synchronization
internal import SystemIO

/// The relay of answers and notifications from the workers to the caller.
extension Supervisor {
  /// Passes a message of a worker on, on the thread that reads that worker; never waits for the caller.
  ///
  /// Answers are few, for requests are set aside while too many are unwritten. A notification uses
  /// credit of its worker until the caller's connection has written it (``Worker/passedOn(_:)``),
  /// so that the pending notifications of each worker are bounded.
  func take(_ message: WorkerMessage, from worker: Worker) {
    switch message.kind {
    case .answer(let serial, let rest): worker.answer(serial, rest)
    case .notification(WorkerMessages.OpenOutput.method, let params):
      // The params without the end of the message.
      openOutput(params.dropLast())
    case .notification(let method, let params):
      note(method, params, from: worker)
      let count = message.bytes.count
      guard let connection = state.withLock({ $0.connection }), worker.admits(count) else { return }
      var text = JSONWriter()
      text.append(raw: message.bytes)
      // A key belongs to the worker that has chosen it.
      let key = message.coalescingKey.map { "\(worker.process.pid) \($0)" }
      connection.relay(text, coalescing: key) { worker.passedOn(count) }
    }
  }

  /// Has the process of devices play a ring; starting it takes longer than a reading thread may.
  private func openOutput(_ params: ArraySlice<UInt8>) {
    DispatchQueue.global().async { [self] in
      do throws(ErrorObject) {
        try worker(for: .devices).notify(WorkerMessages.OpenOutput.method, params)
      } catch {
        options.rings?.markAllGone()
      }
    }
  }

  /// Registers the operations that a notification reports, and the frames that it requests.
  private func note(_ method: String, _ params: ArraySlice<UInt8>, from worker: Worker) {
    switch state.withLock({ $0.reports[method] }) {
    case .item:
      let values = WorkerMessage.members(["operation", "index", "result"], of: params)
      guard let operation = values["operation"], let index = values["index"].flatMap(Int.init),
        let result = values["result"].flatMap(WireOutcome.init)
      else { return }
      worker.note(index, result, of: operation)
    case .end:
      guard let operation = WorkerMessage.members(["operation"], of: params)["operation"] else {
        return
      }
      worker.ended(operation)
      _ = state.withLock { $0.locations.remove(operation) }
      endIfUnused(worker)
    case nil:
      guard method == VideoCompositionComposeFrame.method else { return }
      let number = WorkerMessage.members(["request"], of: params)["request"]
      guard let number = number.flatMap(Int.init) else { return }
      state.withLock { $0.compositors[number] = worker }
    }
  }

  /// Registers the operation that an answer has begun, before the caller has it.
  func noteOperation(
    of rest: ArraySlice<UInt8>, _ running: Worker.Running, in worker: Worker
  ) {
    guard let started = WorkerMessage.result(of: rest, as: StartedOperation.self) else { return }
    let handle = started.operation.rawValue
    worker.begin(handle, running)
    state.withLock { $0.locations.add([(handle, .operation)], in: worker, files: running.files) }
  }

  /// Registers the new objects of a result, before the caller has them.
  func noteObjects(
    of rest: ArraySlice<UInt8>, _ facts: MethodFacts, _ call: ForwardedCall, _ files: Set<String>,
    in worker: Worker
  ) {
    let objects = facts.objects(in: WorkerMessage.resultText(of: rest))
    guard let first = objects.first else { return }
    let isFile = facts.placement == .spread && !files.isEmpty
    let opening =
      isFile ? try? JSONDecoding.decode(AssetOpen.self, from: call.params ?? .null) : nil
    let owner = facts.objectsAreParts ? facts.handles(in: call.params).first : nil
    state.withLock { state in
      state.locations.add(objects, in: worker, files: files, ownedBy: owner)
      if let opening { state.locations.note(opening, of: first.handle) }
    }
  }
}

/// The answer that has begun an operation.
private struct StartedOperation: Decodable {
  let operation: OperationHandle
}

/// The notifications that report items and ends of the operations that were begun, by their methods.
struct OperationReports: Sendable {
  enum Kind: Sendable { case item, end }

  private var kinds: [String: Kind] = [:]

  subscript(method: String) -> Kind? { kinds[method] }

  /// Adds those of a request that begins an operation.
  mutating func add<Request: OperationRequest>(_: Request) {
    kinds[Request.Terminal.method] = .end
    if let item = Request.itemNotification { kinds[item.method] = .item }
  }
}
