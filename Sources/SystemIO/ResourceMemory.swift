internal import CSystem
internal import Glibc
internal import Synchronization

/// Memory into which another process writes requested bytes, each answer at the offset of its
/// request.
///
/// Its size is sealed, so that it can't be cut short under a reader. Its bytes may change at any
/// time: they are copied, and only the copy is read.
@safe package final class ResourceMemory: Sendable {
  /// The path for other processes to open and map, for reading and writing.
  package let path: String
  /// The size in bytes.
  package let size: Int
  private let address: UInt
  private let descriptor: Int32
  private let free: Mutex<FreeRanges>

  init(size: Int) throws(SystemError) {
    func failure(_ operation: SystemError.Operation) -> SystemError {
      SystemError(errno: errno, operation: operation, subject: "shared memory")
    }
    let fd = unsafe rw_memfd_create("reelwire-resource")
    guard fd >= 0 else { throw failure(.create) }
    guard ftruncate(fd, size) == 0,
      let base = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, fd, 0),
      unsafe base != MAP_FAILED, rw_memfd_seal_size(fd) == 0
    else {
      let error = failure(.map)
      close(fd)
      throw error
    }
    address = UInt(bitPattern: base)
    self.size = size
    descriptor = fd
    path = "/proc/\(getpid())/fd/\(fd)"
    free = Mutex(FreeRanges(size: size))
  }

  deinit {
    if let base = unsafe UnsafeMutableRawPointer(bitPattern: address) { unsafe munmap(base, size) }
    close(descriptor)
  }

  /// Reserves a range and returns its offset; nil when there is no room.
  func reserve(_ count: Int) -> Int? { free.withLock { $0.allocate(count) } }

  func release(_ place: Int, _ count: Int) { free.withLock { $0.release(place, count) } }

  func copy(_ place: Int, _ count: Int) -> [UInt8] {
    guard let base = unsafe UnsafeRawPointer(bitPattern: address), count > 0 else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: base + place, count: count))
  }
}
