internal import Glibc

/// A dedicated thread for work that waits a lot: Dispatch's threads are few, and shared with all
/// work that never waits.
package enum BlockingThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread, which ends with it.
  ///
  /// - Throws: errno's code when the system has no room for another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, run, work.toOpaque())
    guard result == 0 else {
      unsafe work.release()
      throw SystemError(errno: result, operation: .start, subject: "a thread")
    }
    pthread_detach(thread)
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    argument in
    if let argument = unsafe argument {
      unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    }
    return nil
  }
}
