import EngineProtocol
import JSONRPC
import Synchronization
internal import SystemIO

/// The merging of all workers' answers into one.
extension Supervisor {
  func mergeStats(_ call: ForwardedCall) {
    askAll(call) { (results: [EngineStats.Result]) in
      var sum = results[0]
      for other in results.dropFirst() { sum.add(other) }
      sum.residentBytes += Int64(ProcessInformation.residentBytes)
      // The supervisor knows the workers; their confinement comes from the workers themselves.
      let (workers, deaths, copies) = self.state.withLock { state in
        (state.workers.map { Int($0.process.pid) }, state.deaths, state.locations.copies)
      }
      if copies > 0 { sum.handles[HandleKind.asset.rawValue, default: copies] -= copies }
      sum.isolation?.workers = workers
      sum.isolation?.deaths = deaths
      return sum
    }
  }

  func mergeHandles(_ call: ForwardedCall) {
    askAll(call) { (results: [HandleList.Result]) in
      let open = results.flatMap(\.handles)
      let locations = self.state.withLock { $0.locations }
      let gone = locations.terminated.map { handle, location in
        WireHandleInfo(
          handle: AnyHandle(rawValue: handle), kind: location.kind,
          describes: "its worker process has died")
      }
      var seen: Set<String> = []
      let all = (gone + open).filter { seen.insert($0.handle.rawValue).inserted }
      return HandleList.Result(
        handles: all.enumerated().sorted { left, right in
          let first = locations[left.element.handle.rawValue]?.number ?? .max
          let second = locations[right.element.handle.rawValue]?.number ?? .max
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
        method: call.method, answer: { answer.take($0) }, fail: { _ in answer.take(nil) })
      if !worker.ask(serial, call.paramsBytes, pending) { answer.take(nil) }
    }
  }
}

/// The answers of all workers to one request, as the one answer for the caller.
private final class MergedAnswer<Result: Decodable & Sendable>: Sendable {
  private struct State: Sendable {
    var missing: Int
    var results: [Result] = []
    var error: ArraySlice<UInt8>?
  }
  private let state: Mutex<State>
  private let call: ForwardedCall
  private let merge: @Sendable ([Result]) -> any Encodable
  private let repeated: @Sendable () -> Void

  /// - Parameter repeated: asks again, if all workers have ended meanwhile.
  init(
    of count: Int, for call: ForwardedCall, merge: @escaping @Sendable ([Result]) -> any Encodable,
    repeated: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(missing: count))
    self.call = call
    self.merge = merge
    self.repeated = repeated
  }

  /// Accepts the answer of one worker; nil of one that has ended.
  func take(_ rest: ArraySlice<UInt8>?) {
    let result = rest.flatMap { WorkerMessage.result(of: $0, as: Result.self) }
    let ended = state.withLock { state -> State? in
      if let result { state.results.append(result) } else if let rest { state.error = rest }
      state.missing -= 1
      return state.missing == 0 ? state : nil
    }
    guard let ended else { return }
    if !ended.results.isEmpty {
      call.answer(merge(ended.results))
    } else if let error = ended.error {
      call.answer(error, outcome: .error)
    } else {
      repeated()
    }
  }
}

extension EngineStats.Result {
  /// Adds the objects and the counts of another worker.
  mutating func add(_ other: Self) {
    handles.merge(other.handles, uniquingKeysWith: +)
    operations += other.operations
    residentBytes += other.residentBytes
    leases += other.leases
    leasedBytes += other.leasedBytes
    framesDecoded += other.framesDecoded
    seeks += other.seeks
    bytesRead += other.bytesRead
    packetsRead += other.packetsRead
    resourceReads += other.resourceReads
    resourceBytesRequested += other.resourceBytesRequested
    resourceBytesReceived += other.resourceBytesReceived
    conversions.merge(other.conversions, uniquingKeysWith: +)
    composedPictures.merge(other.composedPictures, uniquingKeysWith: +)
    players += other.players
  }
}
