import Dispatch
import LibAV

/// Bytes that the engine made: a picture, a sample, a piece of sound.
///
/// They live as long as anybody holds them; in shared memory that hold is what a lease is.
public struct MediaData: Sendable {
  let block: Block

  /// In bytes.
  public var count: Int { block.count }

  /// Lends the bytes to `body`.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block.withBytes(body)
  }

  /// Where another process finds the bytes; nil outside shared memory.
  public var sharedLocation: (path: String, offset: Int)? {
    block.location.map { ($0.path, $0.offset) }
  }

  /// Writes the bytes into a new file that appears when it is complete.
  ///
  /// - Throws: `fileAlreadyExists`, `diskFull`, `contentIsUnavailable` for a missing folder,
  ///   `pathNotAllowed` outside the roots.
  public func write(
    toNewFile path: String, configuration: EngineConfiguration = EngineConfiguration()
  ) throws(EngineError) {
    try naming(.write, path: path) { () throws(LibAVError) in
      let file = try OutputFile(path: path, roots: configuration.roots)
      try withBytes { bytes throws(LibAVError) in
        try unsafe file.write(bytes.bytes, at: 0)
      }
      try file.commit()
    }
  }
}

extension MediaData {
  private static let copying = DispatchQueue(label: "reelwire.copy")

  /// A copy of bytes where a caller wants them.
  ///
  /// - Throws: `leasesExhausted`, `outOfMemory`, and `operationCancelled` after the ticket's end.
  public static func copy(
    _ bytes: [UInt8], to destination: Destination, ticket: LoadTicket
  ) async throws(EngineError) -> MediaData {
    let interrupt = Interrupt()
    ticket.whenCancelled { interrupt.trigger() }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<MediaData, EngineError>, Never>) in
      copying.async {
        do throws(EngineError) {
          let block = try destination.work(.interactive, interrupt: interrupt) {
            () throws(EngineError) in
            try naming(.convert) { () throws(LibAVError) in
              try unsafe LibAV.copy(
                bytes.span.bytes, to: destination.allocator, interrupt: interrupt)
            }
          }
          continuation.resume(returning: .success(MediaData(block: block)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

/// Memory that other processes can map, in sealed blocks.
public final class SharedMemory: Sendable {
  let pool: SlabPool

  /// - Parameter capacity: the most it may take, in bytes.
  public init(capacity: Int) { pool = SlabPool(capacity: capacity) }

  public var capacity: Int { pool.capacity }
  /// Bytes that somebody holds.
  public var bytesInUse: Int { pool.bytesInUse }
}

/// Where the engine puts the bytes of a result.
public enum Destination: Sendable {
  case heap
  /// Waits for room at most so long, nil for ever; then `leasesExhausted`.
  case shared(SharedMemory, timeout: Duration?)

  var allocator: any BlockAllocator {
    switch self {
    case .heap: HeapAllocator()
    case .shared(let memory, _): memory.pool
    }
  }

  /// Runs `body` in a place of the gate, and again after a release whenever it finds no room.
  ///
  /// Waiting keeps no place: what the caller needs before it can release still gets done.
  func work<Result: ~Copyable>(
    _ priority: WorkGate.Priority, interrupt: Interrupt, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard case .shared(let memory, let timeout) = self else {
      return try WorkGate.shared.run(priority, interrupt: interrupt, body)
    }
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      do throws(EngineError) {
        return try WorkGate.shared.run(priority, interrupt: interrupt, body)
      } catch {
        let isLate = deadline.map { ContinuousClock.now >= $0 } ?? false
        guard error.code == .leasesExhausted, !isLate else { throw error }
        // A request that was cancelled meanwhile must not take what the next one is to get.
        if interrupt.isTriggered || Task.isCancelled {
          throw .cancelled("Waiting for shared memory")
        }
        memory.pool.waitForRelease(until: deadline)
      }
    }
  }
}
