import Dispatch
import SystemIO

/// Bytes that the engine made: an image, a sample, a block of audio.
///
/// They live as long as a reference to them exists; in shared memory, a lease is such a reference.
public struct DataBuffer: Sendable {
  let block: Block

  /// The number of bytes.
  public var count: Int { block.count }

  /// Calls `body` with the bytes.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block.withBytes(body)
  }

  /// Calls `body` with the bytes for writing. Only their single writer may call it.
  public func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block.withMutableBytes(body)
  }

  /// The location of the bytes for another process; nil outside of shared memory.
  public var sharedLocation: (path: String, offset: Int)? {
    block.location.map { ($0.path, $0.offset) }
  }

  /// Writes the bytes into a new file that appears when it is complete, on a queue of its own.
  ///
  /// - Throws: the errors of ``writeBlocking(toNewFile:configuration:)``.
  public func write(
    toNewFile path: String, configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) {
    try await DataDelivery().write(self, toNewFile: path, configuration: configuration)
  }

  /// Writes the bytes into a new file that appears when it is complete. Blocks until they are on
  /// the device.
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

  /// Removes the file, unless another one has replaced it.
  public func remove() { file.remove() }
}

extension DataBuffer {
  /// Copies the bytes to `destination`; the caller has a slot of the limiter.
  func copy(to destination: Destination) throws(EngineError) -> DataBuffer {
    try mapErrors(.convert) { () throws(SystemError) in
      try withBytes { bytes throws(SystemError) in
        DataBuffer(
          block: try unsafe destination.allocator.copy(bytes.bytes))
      }
    }
  }
}

/// Copies bytes or writes a file on a queue of its own: neither may run on the cooperative pool.
private actor DataDelivery: QueueActor {
  /// The limit of files that are written at once: a thread is blocked while it waits for a device.
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
  /// Allocates bytes for writing. Their initial contents are arbitrary.
  ///
  /// - Throws: `leasesExhausted`, `outOfMemory`, and `operationCancelled` when the task is cancelled.
  package static func allocate(
    count: Int, at destination: Destination
  ) async throws(EngineError) -> DataBuffer {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await DataDelivery().allocate(count, at: destination, interrupt: interrupt)
    }
  }

  /// Copies bytes to a destination.
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
  ///   - capacity: the maximum size, in bytes.
  ///   - isWritableByOthers: true if other processes may write to it.
  public init(capacity: Int, isWritableByOthers: Bool = false) {
    pool = SlabPool(capacity: capacity, isWritableByOthers: isWritableByOthers)
  }

  /// The maximum size, in bytes.
  public var capacity: Int { pool.capacity }
  /// Bytes in use.
  public var bytesInUse: Int { pool.bytesInUse }
}

/// The destination of a result's bytes.
public enum Destination: Sendable {
  /// The process's own memory.
  case heap
  /// Waits for space for the timeout at most, nil for no limit; then throws `leasesExhausted`.
  case shared(SharedMemory, timeout: Duration?)

  var allocator: any BlockAllocator {
    switch self {
    case .heap: HeapAllocator()
    case .shared(let memory, _): memory.pool
    }
  }

  /// Runs `body` in a slot of the ``WorkLimiter``, and again after a release if there is no space.
  ///
  /// Waiting uses no slot and no thread: work that the caller needs before it can release still
  /// runs.
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
        // A request that was cancelled in the meantime must not use the space that the next one is
        // waiting for.
        if interrupt.isTriggered { throw .cancelled("Waiting for shared memory") }
      }
    }
  }
}

extension SharedMemory {
  /// Suspends until the number of returned blocks exceeds `count`, the deadline, or the interrupt.
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
