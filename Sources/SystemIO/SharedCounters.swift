internal import CSystem
internal import Glibc

/// Counters that several processes share, so that no number is issued twice.
package final class SharedCounters: Sendable {
  /// The descriptor with which another process opens them.
  package let descriptor: Int32
  private let count: Int
  private let memory: SharedMapping

  /// - Parameters:
  ///   - count: the number of counters; all begin at zero.
  ///   - descriptor: the descriptor of the process that made them, in a process that it has started;
  ///     this object then owns it.
  package init(count: Int, descriptor: Int32? = nil) throws(SystemError) {
    let size = count * 8
    let file = unsafe descriptor ?? rw_memfd_create("reelwire-counters")
    func failure(_ operation: SystemError.Operation) -> SystemError {
      SystemError(errno: errno, operation: operation, subject: "\(size) bytes of shared memory")
    }
    guard file >= 0 else { throw failure(.make) }
    if descriptor == nil, ftruncate(file, off_t(size)) != 0 {
      defer { close(file) }
      throw failure(.make)
    }
    do throws(SystemError) {
      memory = try SharedMapping(
        size: size, descriptor: file, subject: "\(size) bytes of shared memory")
    } catch {
      close(file)
      throw error
    }
    (self.descriptor, self.count) = (file, count)
  }

  deinit { close(descriptor) }

  /// Increments a counter and returns its number.
  package func next(_ index: Int) -> Int {
    precondition(index < count)
    return Int(unsafe rw_shared_increment(memory.pointer + index * 8))
  }

  /// Returns the last number of a counter; 0 before the first.
  package func last(_ index: Int) -> Int {
    precondition(index < count)
    return Int(unsafe rw_shared_load(memory.pointer + index * 8))
  }
}
