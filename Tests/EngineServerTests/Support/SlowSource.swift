import Dispatch
import LibAV
import Synchronization
import SystemIO

/// A file whose bytes come when a test releases them: reads wait at a gate, or fail.
///
/// A read that waits knows nothing of interrupts, like one of a file system that hangs.
final class SlowSource: ByteSource {
  private typealias Watcher = CheckedContinuation<Void, Never>

  private struct State {
    var isOpen = true
    var isFailing = false
    /// The number of reads that are let through before it closes; nil when it doesn't.
    var remaining: Int?
    var waiting: [DispatchSemaphore] = []
    var watchers: [Watcher] = []
    var opens = 0
  }

  private let file: InputFile
  private let state = Mutex(State())
  let name: String

  /// - Parameter isOpen: false stops reads until ``open()``.
  init(path: String, isOpen: Bool) throws {
    file = try InputFile(path: path)
    name = path
    state.withLock { $0.isOpen = isOpen }
  }

  /// The source that an engine opens in place of a file.
  var opener: @Sendable (String) throws(SystemError) -> any ByteSource {
    { [self] (path) throws(SystemError) in
      guard path == name else { return try InputFile(path: path) }
      state.withLock { $0.opens += 1 }
      return self
    }
  }

  /// The number of times that it was opened.
  var opens: Int { state.withLock(\.opens) }

  /// Lets the reads continue.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      state.remaining = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    for semaphore in waiting { semaphore.signal() }
  }

  func close() { state.withLock { $0.isOpen = false } }

  /// Closes once `count` reads have come through.
  func close(after count: Int) { state.withLock { $0.remaining = count } }

  /// From now on every read is an I/O error.
  func fail() { state.withLock { $0.isFailing = true } }

  /// Returns when a read waits at the gate.
  func someoneWaits() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.waiting.isEmpty { state.watchers.append(continuation) }
        return !state.waiting.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  var size: Int64 {
    get throws(SystemError) { try file.size }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let (ticket, watchers) = state.withLock { state -> (DispatchSemaphore?, [Watcher]) in
      if let remaining = state.remaining {
        state.remaining = remaining - 1
        if remaining == 0 { (state.remaining, state.isOpen) = (nil, false) }
      }
      guard !state.isOpen else { return (nil, []) }
      let semaphore = DispatchSemaphore(value: 0)
      state.waiting.append(semaphore)
      defer { state.watchers = [] }
      return (semaphore, state.watchers)
    }
    for watcher in watchers { watcher.resume() }
    ticket?.wait()
    if state.withLock(\.isFailing) {
      throw SystemError(.inputOutput, operation: .read, subject: name)
    }
    return try unsafe file.read(into: buffer, at: offset, interrupt: interrupt)
  }
}
