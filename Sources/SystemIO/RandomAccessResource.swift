internal import Dispatch
internal import Synchronization

/// A resource whose bytes can be requested in any order: read in blocks, of which the last used
/// stay.
///
/// A sequential reader has more and more of the following blocks requested ahead; a reader that
/// jumps gets one block.
package final class RandomAccessResource: Resource {
  package let name: String
  /// The size in bytes.
  private let length: Int64
  private let timeout: Duration
  private let client: any ResourceClient

  /// The size of a block in bytes; blocks begin at multiples of it.
  package static let blockSize = 64 << 10
  /// The maximum number of blocks that are held: 16 MiB.
  package static let capacity = 256
  /// The maximum number of blocks that are requested ahead at a time: 1 MiB.
  package static let maximumWindow: Int64 = 16
  /// The maximum number of pending requests at which more are made ahead.
  package static let maximumRequests = 8

  private struct Block {
    let bytes: [UInt8]
    var lastUse: Int
  }

  private struct State {
    var requests: ResourceRequests
    var blocks: [Int64: Block] = [:]
    /// The requested blocks, with their requests.
    var loading: [Int64: Int] = [:]
    var readAhead = ReadAhead()
    var uses = 0
    var failure: SystemError?
  }
  private let state: Mutex<State>

  package init(name: String, length: Int64, timeout: Duration, client: any ResourceClient) {
    self.name = name
    self.length = length
    self.timeout = timeout
    self.client = client
    state = Mutex(State(requests: ResourceRequests(name: name)))
  }

  package var size: Int64 { length }
  package var isWaiting: Bool { state.withLock(\.requests.isWaiting) }

  package func prepare(interrupt: Interrupt) {}

  package func share(count: Int) throws(SystemError) -> ResourceMemory {
    try state.withLock { (state) throws(SystemError) in try state.requests.share(count: count) }
  }

  // MARK: Reading

  private enum Step {
    case done([UInt8])
    case wait(ResourceWaiter)
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < length, unsafe !buffer.isEmpty else { return 0 }
    let size = Int64(Self.blockSize)
    let bytes = try block(offset / size, interrupt: interrupt)
    let part = bytes[Int(offset % size)...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    return part.count
  }

  private func block(_ number: Int64, interrupt: Interrupt) throws(SystemError) -> [UInt8] {
    let deadline = timeout.deadline
    var isFirst = true
    while true {
      try interrupt.check(.read)
      let (step, requests) = try state.withLock {
        [isFirst] (state) throws(SystemError) -> (Step, [ResourceRequest]) in
        if let failure = state.failure { throw failure }
        let ahead = isFirst ? state.readAhead.step(to: number, of: blockCount) : nil
        if let bytes = use(number, &state) { return (.done(bytes), load(ahead, &state)) }
        var requests: [ResourceRequest] = []
        if state.loading[number] == nil {
          let end = ahead?.lowerBound == number + 1 ? ahead?.upperBound : nil
          requests = load(number..<(end ?? number + 1), &state, isNeeded: true)
        }
        if isFirst { requests += load(ahead, &state) }
        let waiter = ResourceWaiter()
        if let request = state.loading[number] { state.requests.wait(for: request, waiter) }
        return (.wait(waiter), requests)
      }
      isFirst = false
      guard requests.allSatisfy(client.ask) else {
        throw fail(.clientGone(name))
      }
      switch step {
      case .done(let bytes): return bytes
      case .wait(let waiter): try wait(waiter, until: deadline, interrupt)
      }
    }
  }

  private func wait(
    _ waiter: ResourceWaiter, until deadline: DispatchTime, _ interrupt: Interrupt
  ) throws(SystemError) {
    let end = client.wait(waiter, until: deadline, interrupt)
    if let failure = SystemError(end, name, after: timeout) {
      for number in giveUp(waiter) { client.cancel(number) }
      throw failure
    }
    if let failure = waiter.failure { throw failure }
  }

  /// Cancels the requests that only this waiter needs, and when no reader waits any more also those
  /// that were made ahead.
  private func giveUp(_ waiter: ResourceWaiter) -> [Int] {
    state.withLock { state in
      let mine = state.requests.pending.values.filter { entry in
        entry.waiters.contains { $0 === waiter }
      }
      state.requests.remove(waiter)
      let isIdle = state.requests.pending.values.allSatisfy(\.waiters.isEmpty)
      let numbers =
        isIdle
        ? Array(state.requests.pending.keys)
        : mine.map(\.request.number).filter {
          state.requests.pending[$0]?.waiters.isEmpty ?? false
        }
      return cancel(numbers, &state).map(\.request.number)
    }
  }

  private func cancel(_ numbers: [Int], _ state: inout State) -> [ResourceRequests.Pending] {
    let cancelled = state.requests.cancel(numbers)
    for entry in cancelled {
      for number in blocks(of: entry.request) { state.loading[number] = nil }
    }
    return cancelled
  }

  // MARK: Blocks

  private var blockCount: Int64 { (length - 1) / Int64(Self.blockSize) + 1 }

  private func blocks(of request: ResourceRequest) -> Range<Int64> {
    let size = Int64(Self.blockSize)
    return request.offset / size..<(request.offset + Int64(request.count) - 1) / size + 1
  }

  private func use(_ number: Int64, _ state: inout State) -> [UInt8]? {
    state.uses += 1
    state.blocks[number]?.lastUse = state.uses
    return state.blocks[number]?.bytes
  }

  /// Requests those of some blocks that are neither here nor requested, one request for each run of
  /// them.
  private func load(
    _ range: Range<Int64>?, _ state: inout State, isNeeded: Bool = false
  ) -> [ResourceRequest] {
    guard let range else { return [] }
    var requests: [ResourceRequest] = []
    var start = range.lowerBound
    for number in range.lowerBound...range.upperBound {
      let isWanted =
        number < range.upperBound && state.blocks[number] == nil && state.loading[number] == nil
      if isWanted { continue }
      let mayAsk = isNeeded || state.requests.pending.count < Self.maximumRequests
      if start < number, mayAsk {
        let offset = start * Int64(Self.blockSize)
        let end = min(length, number * Int64(Self.blockSize))
        let request = state.requests.make(offset: offset, count: Int(end - offset))
        for loaded in start..<number { state.loading[loaded] = request.number }
        requests.append(request)
      }
      start = number + 1
    }
    return requests
  }

  private func insert(_ bytes: [UInt8], of request: ResourceRequest, _ state: inout State) {
    for number in blocks(of: request) {
      let start = Int(number * Int64(Self.blockSize) - request.offset)
      state.uses += 1
      state.blocks[number] = Block(
        bytes: [UInt8](bytes[start...].prefix(Self.blockSize)), lastUse: state.uses)
    }
    while state.blocks.count > Self.capacity,
      let oldest = state.blocks.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      state.blocks[oldest.key] = nil
    }
  }

  // MARK: Answers

  package func take(_ answer: ResourceAnswer, to number: Int) throws(SystemError) {
    do throws(SystemError) {
      let woken = try state.withLock {
        (state) throws(SystemError) -> (waiters: [ResourceWaiter], failure: SystemError?) in
        if state.failure != nil { return ([], nil) }
        guard let answered = try state.requests.answer(answer, to: number) else { return ([], nil) }
        let request = answered.pending.request
        for block in blocks(of: request) { state.loading[block] = nil }
        var failure = answered.failure
        let end = request.offset + Int64(answered.bytes.count)
        let isWhole = answered.bytes.count == request.count && (!answered.isEnd || end == length)
        if failure == nil, !isWhole {
          failure = state.requests.wrong("its bytes end at \(end), and its length is \(length)")
        }
        if failure == nil { insert(answered.bytes, of: request, &state) }
        if failure?.code == .wrongAnswer { state.failure = failure }
        return (answered.pending.waiters, failure)
      }
      for waiter in woken.waiters { waiter.wake(woken.failure) }
      if let failure = woken.failure, failure.code == .wrongAnswer { throw failure }
    } catch {
      throw fail(error)
    }
  }

  package func end(_ failure: SystemError) { fail(failure) }

  /// Fails all reads from now on, for the first reason that there was.
  @discardableResult
  private func fail(_ failure: SystemError) -> SystemError {
    let (failure, cancelled) = state.withLock { state in
      let failure = state.failure ?? failure
      state.failure = failure
      state.blocks = [:]
      return (failure, cancel(Array(state.requests.pending.keys), &state))
    }
    for entry in cancelled {
      client.cancel(entry.request.number)
      for waiter in entry.waiters { waiter.wake(failure) }
    }
    return failure
  }
}

/// The blocks to request ahead: for each of a few readers that go through the source in order,
/// twice the number each time.
///
/// Only its position identifies a reader: a read at the last position of a reader, or within its
/// requested range, is one of that reader.
struct ReadAhead {
  private struct Reader {
    var block: Int64
    /// The end of the requested range.
    var end: Int64
    var window: Int64 = 1
  }

  private static let maximumReaders = 8
  /// The readers; the last one that has read is the last.
  private var readers: [Reader] = []

  /// Notes that a block is read; returns the blocks after it that are to be requested, if any.
  mutating func step(to block: Int64, of count: Int64) -> Range<Int64>? {
    guard let index = readers.lastIndex(where: { $0.block <= block && block <= $0.end }) else {
      readers.append(Reader(block: block, end: block + 1))
      if readers.count > Self.maximumReaders { readers.removeFirst() }
      return nil
    }
    var reader = readers.remove(at: index)
    defer { readers.append(reader) }
    guard block > reader.block else { return nil }
    reader.block = block
    guard reader.end - block <= reader.window / 2 else { return nil }
    reader.window = min(reader.window * 2, RandomAccessResource.maximumWindow)
    let start = max(reader.end, block + 1)
    reader.end = min(start + reader.window, count)
    return start < reader.end ? start..<reader.end : nil
  }
}
