import Dispatch
import SystemIO

/// Bytes that the engine made: a picture, a sample, a piece of audio.
///
/// They live as long as there is a reference to them; in shared memory a lease is such a reference.
public struct DataBuffer: Sendable {
  let block: Block

  /// In bytes.
  public var count: Int { block.count }

  /// Lends the bytes to `body`.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block.withBytes(body)
  }

  /// Lends the bytes to be written, which only their one writer may ask for.
  public func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block.withMutableBytes(body)
  }

  /// Where another process finds the bytes; nil outside shared memory.
  public var sharedLocation: (path: String, offset: Int)? {
    block.location.map { ($0.path, $0.offset) }
  }

  /// Writes the bytes into a new file that appears when it is complete, on a queue of its own.
  ///
  /// - Throws: as ``writeBlocking(toNewFile:configuration:)``.
  public func write(
    toNewFile path: String, configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) {
    try await DataDelivery().write(self, toNewFile: path, configuration: configuration)
  }

  /// Writes the bytes into a new file that appears when it is complete. Blocks until the device has them.
  ///
  /// - Throws: `fileAlreadyExists`, `diskFull`, `contentIsUnavailable` for a missing folder,
  ///   `pathNotAllowed` outside the roots.
  @discardableResult
  public func writeBlocking(
    toNewFile path: String, configuration: EngineConfiguration = EngineConfiguration()
  ) throws(EngineError) -> WrittenFile {
    try mapErrors(.write, path: path) { () throws(SystemError) in
      let file = try OutputFile(path: path, roots: configuration.roots)
      try withBytes { bytes throws(SystemError) in
        try unsafe file.write(bytes.bytes, at: 0)
      }
      try file.commit()
      return WrittenFile(file: OutputFile.Committed(file))
    }
  }
}

/// A file that was written as one of several that belong together.
public struct WrittenFile: Sendable {
  fileprivate let file: OutputFile.Committed

  /// Removes the file, unless something else has taken its place.
  public func remove() { file.remove() }
}

extension DataBuffer {
  /// A copy at `destination`; the caller has a slot of the limiter.
  func copy(to destination: Destination) throws(EngineError) -> DataBuffer {
    try mapErrors(.convert) { () throws(SystemError) in
      try withBytes { bytes throws(SystemError) in
        DataBuffer(
          block: try unsafe destination.allocator.copy(bytes.bytes))
      }
    }
  }
}

/// Copies bytes or writes a file on a queue of its own: neither belongs on the cooperative pool.
private actor DataDelivery: QueueActor {
  /// How many files are written at once: a thread is held while a device is waited for.
  private static let writers = WorkLimiter(slots: 16)

  package nonisolated let queue = WorkQueue("delivery")

  func write(
    _ data: DataBuffer, toNewFile path: String, configuration: EngineConfiguration
  ) async throws(EngineError) {
    try await Self.writers.enter(interrupt: Interrupt())
    defer { Self.writers.leave() }
    try data.writeBlocking(toNewFile: path, configuration: configuration)
  }

  func allocate(
    _ count: Int, at destination: Destination, interrupt: Interrupt
  ) async throws(EngineError) -> DataBuffer {
    let block = try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try mapErrors(.convert) { () throws(SystemError) in
        try destination.allocator.allocate(count: count)
      }
    }
    return DataBuffer(block: block)
  }

  func copy(
    _ bytes: [UInt8], to destination: Destination, interrupt: Interrupt
  ) async throws(EngineError) -> DataBuffer {
    let block = try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try mapErrors(.convert) { () throws(SystemError) in
        try unsafe destination.allocator.copy(bytes.span.bytes)
      }
    }
    return DataBuffer(block: block)
  }
}

extension DataBuffer {
  /// Bytes to be written to, with whatever was in that memory before.
  ///
  /// - Throws: `leasesExhausted`, `outOfMemory`, and `operationCancelled` when the task is cancelled.
  package static func allocate(
    count: Int, at destination: Destination
  ) async throws(EngineError) -> DataBuffer {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await DataDelivery().allocate(count, at: destination, interrupt: interrupt)
    }
  }

  /// A copy of bytes where a caller wants them.
  ///
  /// - Throws: `leasesExhausted`, `outOfMemory`, and `operationCancelled` when the task is cancelled.
  public static func copy(
    _ bytes: [UInt8], to destination: Destination
  ) async throws(EngineError) -> DataBuffer {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await DataDelivery().copy(bytes, to: destination, interrupt: interrupt)
    }
  }
}

/// Memory that other processes can map, in blocks whose size is sealed.
public final class SharedMemory: Sendable {
  let pool: SlabPool

  /// - Parameters:
  ///   - capacity: the most it may take, in bytes.
  ///   - isWritableByOthers: whether other processes may write to it.
  public init(capacity: Int, isWritableByOthers: Bool = false) {
    pool = SlabPool(capacity: capacity, isWritableByOthers: isWritableByOthers)
  }

  /// In bytes.
  public var capacity: Int { pool.capacity }
  /// Bytes in use.
  public var bytesInUse: Int { pool.bytesInUse }
}

/// Where the engine puts the bytes of a result.
public enum Destination: Sendable {
  /// The process's own memory.
  case heap
  /// Waits for room at most so long, nil for ever; then `leasesExhausted`.
  case shared(SharedMemory, timeout: Duration?)

  var allocator: any BlockAllocator {
    switch self {
    case .heap: HeapAllocator()
    case .shared(let memory, _): memory.pool
    }
  }

  /// Runs `body` in a slot of the ``WorkLimiter``, and again after a release whenever there is no room.
  ///
  /// Waiting takes no slot and no thread: what the caller needs before it can release still runs.
  func work<Result: ~Copyable>(
    _ priority: WorkLimiter.Priority, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation, _ body: () throws(EngineError) -> Result
  ) async throws(EngineError) -> Result {
    guard case .shared(let memory, let timeout) = self else {
      return try await WorkLimiter.shared.run(priority, interrupt: interrupt, body)
    }
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      let releases = memory.pool.releaseCount
      do throws(EngineError) {
        return try await WorkLimiter.shared.run(priority, interrupt: interrupt, body)
      } catch {
        let isLate = deadline.map { ContinuousClock.now >= $0 } ?? false
        guard error.code == .leasesExhausted, !isLate else { throw error }
        await memory.release(after: releases, until: deadline, interrupt: interrupt)
        // A request that was cancelled meanwhile must not take what the next one is to get.
        if interrupt.isTriggered { throw .cancelled("Waiting for shared memory") }
      }
    }
  }
}

extension SharedMemory {
  /// Suspends until a block has come back since `count` were, the deadline, or the interrupt.
  fileprivate func release(
    after count: Int, until deadline: ContinuousClock.Instant?, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let release = Signal<Bool>()
    let waiting = pool.whenReleased(after: count) { release.fire(true) }
    defer { pool.endWaiting(waiting) }
    let timer = deadline.map { deadline in
      Task {
        try? await Task.sleep(until: deadline)
        release.fire(false)
      }
    }
    _ = await release.wait(orUntil: interrupt)
    timer?.cancel()
  }
}
