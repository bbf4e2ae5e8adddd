import Foundation
import Synchronization
import Testing

@testable import SystemIO

/// Resources whose bytes a script supplies.
struct ResourceTests {
  /// Answers as a test specifies, on a thread of its own, or not at all.
  private final class Script: ResourceClient {
    struct State {
      var requests: [ResourceRequest] = []
      var cancelled: [Int] = []
      weak var resource: (any Resource)?
      var waits = 0
    }
    let state = Mutex(State())
    private let requested = DispatchSemaphore(value: 0)
    let answer: @Sendable (ResourceRequest) -> ResourceAnswer?

    init(_ answer: @escaping @Sendable (ResourceRequest) -> ResourceAnswer?) {
      self.answer = answer
    }

    func ask(_ request: ResourceRequest) -> Bool {
      let resource = state.withLock { state in
        state.requests.append(request)
        return state.resource
      }
      requested.signal()
      guard let answer = answer(request) else { return true }
      Thread.detachNewThread { try? resource?.take(answer, to: request.number) }
      return true
    }

    func cancel(_ request: Int) { state.withLock { $0.cancelled.append(request) } }
    func willWait() { state.withLock { $0.waits += 1 } }
    func didWait() {}

    var requests: [ResourceRequest] { state.withLock(\.requests) }
    var cancelled: [Int] { state.withLock(\.cancelled) }

    /// Returns once `count` requests have been made.
    func requests(_ count: Int) -> [ResourceRequest] {
      while requests.count < count { requested.wait() }
      return requests
    }
  }

  private static let block = Int64(RandomAccessResource.blockSize)
  private static let data: [UInt8] = (0..<(40 * 65536 + 1000)).map {
    UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9)
  }

  private func bytes(_ request: ResourceRequest) -> ResourceAnswer {
    let start = Int(request.offset)
    let end = min(Self.data.count, start + request.count)
    return .bytes(Array(Self.data[start..<end]), isEnd: end == Self.data.count)
  }

  private func randomAccess(
    timeout: Duration = .seconds(3600), length: Int64 = Int64(data.count),
    _ answer: @escaping @Sendable (ResourceRequest) -> ResourceAnswer?
  ) -> (RandomAccessResource, Script) {
    let script = Script(answer)
    let resource = RandomAccessResource(
      name: "r", length: length, timeout: timeout, client: script)
    script.state.withLock { $0.resource = resource }
    return (resource, script)
  }

  private func spooled(
    length: Int64? = nil, limit: Int64 = 1 << 30, timeout: Duration = .seconds(3600),
    _ answer: @escaping @Sendable (ResourceRequest) -> ResourceAnswer?
  ) -> (SpooledResource, Script) {
    let script = Script(answer)
    let resource = SpooledResource(
      name: "r", length: length, limit: limit, timeout: timeout, client: script)
    script.state.withLock { $0.resource = resource }
    return (resource, script)
  }

  private func read(_ resource: some Resource, _ range: Range<Int>) throws -> [UInt8] {
    try resource.bytes(at: Int64(range.lowerBound), count: range.count, interrupt: Interrupt())
  }

  private func code(_ body: () throws -> some Sendable) -> SystemError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? SystemError)?.code
    }
  }

  /// Runs blocking work on a thread of its own: the tests' are few.
  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> Task<Value, any Error> {
    Task {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
      }
    }
  }

  // MARK: The requested bytes

  @Test(arguments: [0..<10, 65530..<65540, 0..<data.count, data.count - 5..<data.count + 50])
  func theBytesAreThose(_ range: Range<Int>) throws {
    let (resource, _) = randomAccess { bytes($0) }
    #expect(try read(resource, range) == Array(Self.data[range.clamped(to: 0..<Self.data.count)]))
    let (stream, _) = spooled { bytes($0) }
    try stream.prepare(interrupt: Interrupt())
    #expect(stream.size == Int64(Self.data.count))
    #expect(try read(stream, range) == Array(Self.data[range.clamped(to: 0..<Self.data.count)]))
  }

  /// A jump gets a block, however often; nothing is requested twice.
  @Test func whoJumpsGetsOneBlock() throws {
    let (resource, script) = randomAccess { bytes($0) }
    for place in [30, 5, 20, 30, 5] {
      _ = try read(resource, place * 65536 + 10..<place * 65536 + 20)
    }
    #expect(script.requests.map(\.offset) == [30, 5, 20].map { $0 * Self.block })
    #expect(script.requests.allSatisfy { $0.count == 65536 })
  }

  /// In order, more and more bytes are requested ahead, and every byte once.
  @Test func readingAheadGrows() throws {
    let (resource, script) = randomAccess { bytes($0) }
    _ = try read(resource, 0..<Self.data.count)
    let requests = script.requests
    #expect(requests.reduce(0) { $0 + $1.count } == Self.data.count)
    #expect(requests.first?.count == 65536)
    #expect(requests.map(\.count).max() ?? 0 >= 8 * 65536)
    #expect(requests.allSatisfy { $0.count <= 17 * 65536 })
  }

  /// A reader of three blocks in order has caused no more requests than for as much again and a
  /// bit.
  @Test func littleIsAskedForInVain() throws {
    let (resource, script) = randomAccess { bytes($0) }
    _ = try read(resource, 0..<3 * 65536)
    #expect(script.requests.reduce(0) { $0 + $1.count } <= 8 * 65536)
  }

  @Test func twoReadersShareARequest() async throws {
    let gate = DispatchSemaphore(value: 0)
    let (resource, script) = randomAccess { request in
      gate.wait()
      gate.signal()
      return bytes(request)
    }
    let readers = (0..<2).map { _ in
      onThread { try read(resource, 100..<200) }
    }
    // The first waits inside of its request, and the second for its answer.
    while script.state.withLock(\.waits) < 1 { await Task.yield() }
    gate.signal()
    for reader in readers { #expect(try await reader.value == Array(Self.data[100..<200])) }
    #expect(script.requests.count == 1)
  }

  /// Of any amount that is read, no more than a bound is held: the blocks that were read first are
  /// requested again.
  @Test func theCacheIsBounded() throws {
    let length = Int64(RandomAccessResource.capacity + 10) * Self.block
    let (resource, script) = randomAccess(length: length) { request in
      .bytes([UInt8](repeating: 1, count: request.count), isEnd: false)
    }
    for block in 0..<length / Self.block {
      _ = try read(resource, Int(block * Self.block)..<Int(block * Self.block) + 1)
    }
    let before = script.requests.count
    _ = try read(resource, 0..<1)
    #expect(script.requests.count > before)
  }

  // MARK: Answers that aren't right

  @Test func anErrorFailsItsReadersAndNothingElse() throws {
    let first = Atomic<Bool>(true)
    let (resource, _) = randomAccess { request in
      first.exchange(false, ordering: .relaxed) ? .failure("no such object") : bytes(request)
    }
    do {
      _ = try read(resource, 0..<10)
      Issue.record("it was read")
    } catch let error as SystemError {
      #expect(error.code == .remoteFailure)
      #expect(error.detail == "no such object")
    }
    #expect(try read(resource, 0..<10) == Array(Self.data[..<10]))
  }

  @Test func wrongAnswersFailAllReads() throws {
    let answers: [@Sendable (ResourceRequest) -> ResourceAnswer] = [
      { .bytes([UInt8](repeating: 0, count: $0.count + 1), isEnd: false) },
      { .bytes([UInt8](repeating: 0, count: $0.count - 1), isEnd: false) },
      { .bytes([UInt8](repeating: 0, count: $0.count), isEnd: true) },
      { _ in .bytes([], isEnd: true) },
      { _ in .shared(count: 5, isEnd: false) },
    ]
    for answer in answers {
      let (resource, script) = randomAccess(answer)
      #expect(code { try read(resource, 0..<10) } == .wrongAnswer)
      #expect(code { try read(resource, 0..<10) } == .wrongAnswer)
      #expect(script.requests.count == 1)
    }
  }

  @Test func aSecondAnswerAndOneToNothingAreWrong() throws {
    for number in [1, 7, 0, -1] {
      let (resource, _) = randomAccess { bytes($0) }
      _ = try read(resource, 0..<10)
      #expect(code { try resource.take(.bytes([], isEnd: false), to: number) } == .wrongAnswer)
      #expect(code { try read(resource, 0..<10) } == .wrongAnswer)
    }
  }

  @Test func noAnswerIsATimeout() throws {
    let (resource, script) = randomAccess(timeout: .milliseconds(20)) { _ in nil }
    #expect(code { try read(resource, 0..<10) } == .timedOut)
    #expect(script.cancelled == [1])
    // Too late: it is ignored, once.
    try resource.take(.bytes([1], isEnd: false), to: 1)
    #expect(code { try resource.take(.bytes([1], isEnd: false), to: 1) } == .wrongAnswer)
    let (stream, _) = spooled(timeout: .milliseconds(20)) { _ in nil }
    #expect(code { try stream.prepare(interrupt: Interrupt()) } == .timedOut)
  }

  @Test func anInterruptEndsTheWaiting() async throws {
    let (resource, script) = randomAccess { _ in nil }
    let interrupt = Interrupt()
    let reader = onThread {
      code { try resource.bytes(at: 0, count: 10, interrupt: interrupt) }
    }
    while script.requests.isEmpty { await Task.yield() }
    interrupt.trigger()
    #expect(try await reader.value == .interrupted)
    #expect(script.cancelled == [1])
  }

  @Test func theEndFailsWhoWaits() async throws {
    for isRandom in [true, false] {
      let (resource, script): (any Resource, Script) =
        isRandom ? randomAccess { _ in nil } : spooled { _ in nil }
      let reader = onThread {
        code { try resource.bytes(at: 0, count: 10, interrupt: Interrupt()) }
      }
      while script.requests.isEmpty { await Task.yield() }
      resource.end(SystemError(.ended, operation: .read, subject: "r"))
      #expect(try await reader.value == .ended)
      #expect(script.cancelled == [1])
      try resource.take(.bytes([1], isEnd: false), to: 1)
    }
  }

  // MARK: In order

  /// Each request begins where the bytes of the one before ended, and only as much comes as is needed.
  @Test func inOrderWhatIsNeeded() throws {
    let (resource, script) = spooled(length: Int64(Self.data.count)) { request in
      let start = Int(request.offset)
      let part = Self.data[start...].prefix(min(request.count, 100_000))
      return .bytes(Array(part), isEnd: part.endIndex == Self.data.count)
    }
    #expect(try read(resource, 150_000..<150_010) == Array(Self.data[150_000..<150_010]))
    let first = script.requests
    #expect(first.count <= 3)
    for (number, request) in first.enumerated() { #expect(request.offset == number * 100_000) }
    #expect(try read(resource, 0..<Self.data.count) == Self.data)
  }

  @Test func aStreamHasALimit() throws {
    let (resource, _) = spooled(limit: 2_000_000) { bytes($0) }
    #expect(code { try resource.prepare(interrupt: Interrupt()) } == .overLimit)
  }

  @Test func aStreamThatEndsEarlyIsWrong() throws {
    let length = Self.data.count + 1
    let (resource, _) = spooled(length: Int64(length)) { bytes($0) }
    #expect(code { try read(resource, 0..<length) } == .wrongAnswer)
  }

  // MARK: Shared memory

  @Test func answersInSharedMemory() throws {
    let box = Mutex<ResourceMemory?>(nil)
    let (resource, script) = randomAccess { request in
      guard let memory = box.withLock(\.self), let place = request.place else {
        return bytes(request)
      }
      let file = FileHandle(forUpdatingAtPath: memory.path)
      let part = Self.data[Int(request.offset)...].prefix(request.count)
      try? file?.seek(toOffset: UInt64(place))
      try? file?.write(contentsOf: Data(part))
      return .shared(count: part.count, isEnd: false)
    }
    let memory = try resource.share(count: 300_000)
    box.withLock { $0 = memory }
    #expect(code { try resource.share(count: 300_000).size } == .exists)
    #expect(try read(resource, 0..<Self.data.count) == Self.data)
    let placed = script.requests.compactMap(\.place)
    #expect(placed.count >= 2 && placed.count < script.requests.count)
    // All of the memory was released.
    #expect(memory.reserve(300_000) == 0)
  }
}
