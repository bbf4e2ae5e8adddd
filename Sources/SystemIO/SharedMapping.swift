internal import Glibc

/// Memory that several threads or processes use at the same time, by atomic operations only; unmapped with its owner.
@safe final class SharedMapping: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  let size: Int

  /// - Parameter descriptor: the file that is mapped; nil for memory of this process.
  init(size: Int, descriptor: Int32? = nil, subject: String) throws(SystemError) {
    let flags = descriptor == nil ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED
    guard
      let base = unsafe mmap(
        nil, size, PROT_READ | PROT_WRITE, flags, descriptor ?? -1, 0),
      unsafe base != MAP_FAILED
    else { throw SystemError(errno: errno, operation: .map, subject: subject) }
    unsafe self.base = base
    self.size = size
  }

  deinit { unsafe munmap(base, size) }

  /// The memory, valid as long as this object.
  @unsafe var pointer: UnsafeMutableRawPointer { unsafe base }
}
