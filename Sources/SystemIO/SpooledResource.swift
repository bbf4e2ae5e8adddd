internal import CSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A resource whose bytes come in order only: they are written to a file without a name, as far as
/// they are read.
///
/// One request is pending at a time. The readers write the file; the client that answers never
/// waits for a disk.
package final class SpooledResource: Resource {
  package let name: String
  /// The size in bytes, if it was stated.
  private let length: Int64?
  /// The maximum size of the file in bytes.
  private let limit: Int64
  private let timeout: Duration
  private let client: any ResourceClient

  /// The number of bytes of a request.
  package static let requestSize = 1 << 20

  private struct State {
    var requests: ResourceRequests
    /// The number of bytes in the file.
    var spooled: Int64 = 0
    /// The bytes that have arrived and are not in the file.
    var chunk: [UInt8] = []
    var isWriting = false
    /// True if nothing follows the chunk.
    var isAtEnd = false
    var waiters: [ResourceWaiter] = []
    var file: Int32?
    var failure: SystemError?

    var isWhole: Bool { isAtEnd && chunk.isEmpty && !isWriting }

    mutating func takeWaiters() -> [ResourceWaiter] {
      defer { waiters = [] }
      return waiters
    }
  }
  private let state: Mutex<State>

  package init(
    name: String, length: Int64?, limit: Int64, timeout: Duration, client: any ResourceClient
  ) {
    self.name = name
    self.length = length
    self.limit = limit
    self.timeout = timeout
    self.client = client
    state = Mutex(State(requests: ResourceRequests(name: name)))
  }

  deinit {
    if let file = state.withLock(\.file) { close(file) }
  }

  package var size: Int64 { length ?? state.withLock(\.spooled) }
  package var isWaiting: Bool { state.withLock { !$0.waiters.isEmpty } }

  package func share(count: Int) throws(SystemError) -> ResourceMemory {
    try state.withLock { (state) throws(SystemError) in try state.requests.share(count: count) }
  }

  package func prepare(interrupt: Interrupt) throws(SystemError) {
    if length == nil { _ = try spool(beyond: .max, interrupt: interrupt) }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < length ?? .max, unsafe !buffer.isEmpty else { return 0 }
    guard let (file, end) = try spool(beyond: offset, interrupt: interrupt), end > offset else {
      return 0
    }
    let wanted = Int(min(Int64(buffer.count), end - offset))
    while true {
      let count = unsafe pread(file, buffer.baseAddress, wanted, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .read, subject: name)
      }
    }
  }

  // MARK: Spooling

  private enum Step {
    case done(Int32, Int64)
    case write([UInt8], ResourceRequest?)
    case wait(ResourceWaiter, ResourceRequest?)
    case end
  }

  /// Continues until the file reaches beyond `offset`, or is complete.
  ///
  /// - Returns: the file and its length; nil if there are no bytes at all.
  private func spool(
    beyond offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> (Int32, Int64)? {
    var deadline = timeout.deadline
    while true {
      try interrupt.check(.read)
      switch try nextStep(beyond: offset) {
      case .end: return nil
      case .done(let file, let end): return (file, end)
      case .write(let bytes, let request):
        try ask(request)
        try write(bytes)
        deadline = timeout.deadline
      case .wait(let waiter, let request):
        try ask(request)
        try wait(waiter, until: deadline, interrupt)
        deadline = timeout.deadline
      }
    }
  }

  private func nextStep(beyond offset: Int64) throws(SystemError) -> Step {
    try state.withLock { (state) throws(SystemError) -> Step in
      if let failure = state.failure { throw failure }
      if let file = state.file, state.spooled > offset || state.isWhole {
        return .done(file, state.spooled)
      }
      if state.isWhole { return .end }
      if !state.chunk.isEmpty, !state.isWriting {
        let bytes = state.chunk
        state.chunk = []
        state.isWriting = true
        let next = state.spooled + Int64(bytes.count)
        return .write(bytes, nextRequest(at: next, &state))
      }
      let waiter = ResourceWaiter()
      state.waiters.append(waiter)
      let mayAsk = state.chunk.isEmpty && !state.isWriting
      return .wait(waiter, mayAsk ? nextRequest(at: state.spooled, &state) : nil)
    }
  }

  private func nextRequest(at offset: Int64, _ state: inout State) -> ResourceRequest? {
    guard state.requests.pending.isEmpty, !state.isAtEnd else { return nil }
    let room = length.map { $0 - offset } ?? .max
    return state.requests.make(offset: offset, count: Int(min(Int64(Self.requestSize), room)))
  }

  private func ask(_ request: ResourceRequest?) throws(SystemError) {
    guard let request, !client.ask(request) else { return }
    throw fail(.clientGone(name))
  }

  private func wait(
    _ waiter: ResourceWaiter, until deadline: DispatchTime, _ interrupt: Interrupt
  ) throws(SystemError) {
    let end = client.wait(waiter, until: deadline, interrupt)
    state.withLock { $0.waiters.removeAll { $0 === waiter } }
    // The request stays: the client can't go back to bytes that were requested.
    if let failure = SystemError(end, name, after: timeout) ?? waiter.failure { throw failure }
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    let (known, offset) = state.withLock { ($0.file, $0.spooled) }
    do throws(SystemError) {
      guard Int64(bytes.count) <= limit - offset else {
        throw SystemError(
          .overLimit, operation: .spool, subject: name,
          detail: "it comes in order only, and has more than the \(limit) bytes that are put into "
            + "a temporary file")
      }
      let file = if let known { known } else { try UnnamedFile.make() }
      state.withLock { $0.file = file }
      try UnnamedFile.write(bytes, to: file, at: offset)
    } catch {
      throw fail(error)
    }
    let waiters = state.withLock { state in
      state.spooled += Int64(bytes.count)
      state.isWriting = false
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.wake() }
  }

  // MARK: Answers

  package func take(_ answer: ResourceAnswer, to number: Int) throws(SystemError) {
    do throws(SystemError) {
      let (waiters, failure) = try state.withLock {
        (state) throws(SystemError) -> ([ResourceWaiter], SystemError?) in
        if state.failure != nil { return ([], nil) }
        guard let answered = try state.requests.answer(answer, to: number) else { return ([], nil) }
        if let failure = answered.failure {
          if failure.code == .wrongAnswer { state.failure = failure }
          return (state.takeWaiters(), failure)
        }
        let end = answered.pending.request.offset + Int64(answered.bytes.count)
        let isEnd = answered.isEnd || end == length
        if !isEnd, answered.bytes.isEmpty {
          throw state.requests.wrong(
            "read \(number) was answered with no bytes, and not as the end")
        }
        if isEnd, let length, end != length {
          throw state.requests.wrong("its bytes end at \(end), and its length is \(length)")
        }
        state.chunk = answered.bytes
        state.isAtEnd = isEnd
        return (state.takeWaiters(), nil)
      }
      for waiter in waiters { waiter.wake(failure) }
      if let failure, failure.code == .wrongAnswer { throw failure }
    } catch {
      throw fail(error)
    }
  }

  package func end(_ failure: SystemError) { fail(failure) }

  /// Fails all reads from now on, for the first reason that there was.
  @discardableResult
  private func fail(_ failure: SystemError) -> SystemError {
    let (failure, cancelled, waiters) = state.withLock { state in
      let failure = state.failure ?? failure
      state.failure = failure
      let cancelled = state.requests.cancel(Array(state.requests.pending.keys))
      return (failure, cancelled, state.takeWaiters())
    }
    for entry in cancelled { client.cancel(entry.request.number) }
    for waiter in waiters { waiter.wake(failure) }
    return failure
  }
}

/// A file that never has a name, and is gone with its descriptor.
private enum UnnamedFile {
  /// Makes the file in `TMPDIR`, or else in /tmp.
  static func make() throws(SystemError) -> Int32 {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let path = folder.isEmpty ? "/tmp" : folder
    func failure() -> SystemError {
      SystemError(errno: errno, operation: .createFileIn, subject: path)
    }
    let directory = unsafe rw_open_folder(path)
    guard directory >= 0 else { throw failure() }
    defer { close(directory) }
    let file = rw_open_unnamed(directory, 0o600)
    if file >= 0 { return file }
    // A file system that doesn't support that: the name is removed at once.
    let name = "reelwire-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let named = unsafe rw_openat(directory, name, flags, 0o600)
    guard named >= 0 else { throw failure() }
    unsafe unlinkat(directory, name, 0)
    return named
  }

  static func write(_ bytes: [UInt8], to file: Int32, at offset: Int64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset + Int64(done)))
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw SystemError(errno: errno, operation: .write, subject: "a temporary file")
      }
    }
  }
}
