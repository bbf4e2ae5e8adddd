internal import Dispatch
internal import Synchronization

/// Bytes of a client, which are requested piece by piece (AVAssetResourceLoader).
package protocol Resource: ByteSource {
  /// Accepts the answer to a request.
  ///
  /// An answer to a request that was cancelled is ignored; it only frees its range of the memory.
  ///
  /// - Throws: `wrongAnswer`, which all later reads throw as well: a client whose answer can't be
  ///   right gets no further request.
  func take(_ answer: ResourceAnswer, to request: Int) throws(SystemError)
  /// Creates memory that both processes map, into which the client may put bytes.
  ///
  /// - Throws: `exists` the second time, and the errors of making it.
  func share(count: Int) throws(SystemError) -> ResourceMemory
  /// Fails all reads from now on, and cancels all requests.
  func end(_ failure: SystemError)
  /// True while a thread waits for an answer.
  var isWaiting: Bool { get }
  /// Returns when ``ByteSource/size`` is known; everything else may only be called then.
  func prepare(interrupt: Interrupt) throws(SystemError)
}

/// The owner of a resource's bytes. Called on any thread, and must not block.
package protocol ResourceClient: AnyObject, Sendable {
  /// Requests bytes; returns false when no answer will ever come.
  func ask(_ request: ResourceRequest) -> Bool
  /// Reports that the answer isn't needed any more.
  func cancel(_ request: Int)
  /// Reports that a thread is about to wait for an answer; it continues after ``didWait()``.
  func willWait()
  func didWait()
}

extension ResourceClient {
  /// Blocks the calling thread until an answer comes.
  func wait(
    _ waiter: ResourceWaiter, until deadline: DispatchTime, _ interrupt: Interrupt
  ) -> ResourceWaiter.End {
    willWait()
    defer { didWait() }
    return waiter.wait(until: deadline, interrupt: interrupt)
  }
}

extension SystemError {
  /// Returns the error for a client that will never answer.
  static func clientGone(_ name: String) -> SystemError {
    SystemError(.ended, operation: .read, subject: name, detail: "the client is gone")
  }

  /// Creates the error for a wait that has ended without an answer; nil if there is one.
  init?(_ end: ResourceWaiter.End, _ name: String, after timeout: Duration) {
    switch end {
    case .woken: return nil
    case .interrupted: self.init(.interrupted, operation: .read, subject: name)
    case .timedOut:
      self.init(
        .timedOut, operation: .read, subject: name,
        detail: "no answer has come within \(timeout)")
    }
  }
}

/// A request for bytes.
package struct ResourceRequest: Sendable, Equatable {
  package var number: Int
  package var offset: Int64
  package var count: Int
  /// The offset in the shared memory for the answer; nil if there is no room, or no such memory.
  package var place: Int?
}

/// The answer to a request.
package enum ResourceAnswer: Sendable {
  /// - Parameter isEnd: true if no bytes follow.
  case bytes([UInt8], isEnd: Bool)
  /// A number of bytes of the shared memory, at the offset of the request.
  case shared(count: Int, isEnd: Bool)
  /// The reason for which there are none.
  case failure(String)
}

/// The counts of requests since the process started.
package struct ResourceCounters: Sendable, Equatable {
  package var requests = 0
  package var bytesRequested = 0
  package var bytesReceived = 0

  private static let requestCount = Atomic<Int>(0)
  private static let requested = Atomic<Int>(0)
  private static let received = Atomic<Int>(0)

  static func countRequest(_ size: Int) {
    requestCount.wrappingAdd(1, ordering: .relaxed)
    requested.wrappingAdd(size, ordering: .relaxed)
  }
  static func countAnswer(_ size: Int) { received.wrappingAdd(size, ordering: .relaxed) }

  package static var now: ResourceCounters {
    ResourceCounters(
      requests: requestCount.load(ordering: .relaxed),
      bytesRequested: requested.load(ordering: .relaxed),
      bytesReceived: received.load(ordering: .relaxed))
  }
}

/// The requests of one resource: the pending ones, and those whose answer isn't wanted any more.
///
/// A value, which its resource has under its lock.
struct ResourceRequests {
  struct Pending {
    let request: ResourceRequest
    var waiters: [ResourceWaiter] = []
  }

  /// The bytes of an answer, with the request that they are for.
  struct Answered {
    let pending: Pending
    /// The reason for which there are none, or none that can be right (`wrongAnswer`).
    var failure: SystemError?
    var bytes: [UInt8] = []
    var isEnd = false
  }

  /// The maximum number of cancelled requests that are remembered; an answer to an older one is
  /// ignored.
  private static let memoryOfCancelled = 4096

  private let name: String
  private var last = 0
  private(set) var pending: [Int: Pending] = [:]
  /// The requests that were cancelled and not answered; an answer may be on its way, and be written
  /// to the request's range.
  private var cancelled: [Int: ResourceRequest] = [:]
  private(set) var memory: ResourceMemory?

  init(name: String) { self.name = name }

  mutating func make(offset: Int64, count: Int) -> ResourceRequest {
    last += 1
    let request = ResourceRequest(
      number: last, offset: offset, count: count, place: memory?.reserve(count))
    pending[last] = Pending(request: request)
    ResourceCounters.countRequest(count)
    return request
  }

  /// True while a thread waits for an answer.
  var isWaiting: Bool { pending.values.contains { !$0.waiters.isEmpty } }

  mutating func wait(for request: Int, _ waiter: ResourceWaiter) {
    pending[request]?.waiters.append(waiter)
  }

  /// Removes a thread that doesn't wait any more.
  mutating func remove(_ waiter: ResourceWaiter) {
    for number in pending.keys { pending[number]?.waiters.removeAll { $0 === waiter } }
  }

  /// Removes pending requests, and returns them with the threads that wait for them.
  mutating func cancel(_ numbers: some Sequence<Int>) -> [Pending] {
    let given = numbers.compactMap { pending.removeValue(forKey: $0) }
    for entry in given { cancelled[entry.request.number] = entry.request }
    if cancelled.count > Self.memoryOfCancelled {
      cancelled = cancelled.filter { $0.key > last - Self.memoryOfCancelled }
    }
    return given
  }

  /// Accepts an answer; returns nil for one that isn't wanted any more.
  ///
  /// - Throws: `wrongAnswer` for one that belongs to no request.
  mutating func answer(
    _ answer: ResourceAnswer, to number: Int
  ) throws(SystemError) -> Answered? {
    if let request = cancelled.removeValue(forKey: number) {
      if let place = request.place { memory?.release(place, request.count) }
      return nil
    }
    guard let entry = pending.removeValue(forKey: number) else {
      if number > 0, number <= last - Self.memoryOfCancelled { return nil }
      throw wrong(
        number > 0 && number <= last
          ? "read \(number) was answered twice" : "there was no read \(number)")
    }
    let request = entry.request
    defer { if let place = request.place { memory?.release(place, request.count) } }
    func wrongCount(_ count: Int) -> SystemError? {
      (0...request.count).contains(count)
        ? nil : wrong("read \(number) of \(request.count) bytes was answered with \(count)")
    }
    var answered = Answered(pending: entry)
    switch answer {
    case .failure(let reason):
      answered.failure = SystemError(
        .remoteFailure, operation: .read, subject: name, detail: reason)
    case .bytes(let bytes, let isEnd):
      answered.failure = wrongCount(bytes.count)
      (answered.bytes, answered.isEnd) = (bytes, isEnd)
    case .shared(let count, let isEnd):
      if let memory, let place = request.place {
        answered.failure = wrongCount(count)
        if answered.failure == nil { answered.bytes = memory.copy(place, count) }
      } else {
        answered.failure = wrong("read \(number) had no place in shared memory to be answered in")
      }
      answered.isEnd = isEnd
    }
    if answered.failure == nil { ResourceCounters.countAnswer(answered.bytes.count) }
    return answered
  }

  mutating func share(count: Int) throws(SystemError) -> ResourceMemory {
    guard memory == nil else {
      throw SystemError(
        .exists, operation: .share, subject: name, detail: "it has shared memory already")
    }
    let made = try ResourceMemory(size: count)
    memory = made
    return made
  }

  func wrong(_ detail: String) -> SystemError {
    SystemError(.wrongAnswer, operation: .read, subject: name, detail: detail)
  }
}

/// One thread that waits for an answer.
final class ResourceWaiter: Sendable {
  enum End { case woken, timedOut, interrupted }

  private let semaphore = DispatchSemaphore(value: 0)
  private let reason = Mutex<SystemError?>(nil)

  /// The reason for which the answer won't come.
  var failure: SystemError? { reason.withLock { $0 } }

  func wake(_ failure: SystemError? = nil) {
    if let failure { reason.withLock { $0 = failure } }
    semaphore.signal()
  }

  func wait(until deadline: DispatchTime, interrupt: Interrupt) -> End {
    let observation = interrupt.whenTriggered { self.semaphore.signal() }
    defer { observation.end() }
    let result = semaphore.wait(timeout: deadline)
    if interrupt.isTriggered { return .interrupted }
    return result == .success ? .woken : .timedOut
  }
}

extension Duration {
  /// The deadline after this duration from now on.
  var deadline: DispatchTime {
    let nanoseconds = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !nanoseconds.overflow else { return .distantFuture }
    return .now()
      + .nanoseconds(Int(nanoseconds.partialValue + components.attoseconds / 1_000_000_000))
  }
}
