import EngineProtocol
import JSONRPC
import Synchronization

/// The answers of all workers to one request, as the one that the caller gets.
final class MergedAnswer<Result: Decodable & Sendable>: Sendable {
  private struct State: Sendable {
    var missing: Int
    var results: [Result] = []
    var error: ArraySlice<UInt8>?
  }
  private let state: Mutex<State>
  private let call: ForwardedCall
  private let merge: @Sendable ([Result]) -> any Encodable
  private let repeated: @Sendable () -> Void

  /// - Parameter repeated: asks anew, where all workers have died meanwhile.
  init(
    of count: Int, for call: ForwardedCall, merge: @escaping @Sendable ([Result]) -> any Encodable,
    repeated: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(missing: count))
    self.call = call
    self.merge = merge
    self.repeated = repeated
  }

  /// Takes the answer of one worker; nil of one that has died.
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
  /// Adds what another worker holds and has done.
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
  }
}
