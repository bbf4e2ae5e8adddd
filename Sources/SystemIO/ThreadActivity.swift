internal import CSystem
internal import Glibc

/// The kernel's facts of this process's threads: their processor time, and those that wait.
package enum ThreadActivity {
  /// The number of the calling thread.
  package static var current: Int32 { rw_thread_number() }

  /// The numbers of all threads; empty without /proc.
  package static var all: Set<Int32> {
    guard let folder = unsafe opendir("/proc/self/task") else { return [] }
    defer { unsafe closedir(folder) }
    var numbers: Set<Int32> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name) { numbers.insert(number) }
    }
    return numbers
  }

  /// The processor time of the process in nanoseconds.
  package static var processTime: UInt64 { time(CLOCK_PROCESS_CPUTIME_ID) }

  /// Returns the processor time of a thread in nanoseconds, 0 for one that has ended.
  package static func time(of thread: Int32) -> UInt64 { time(rw_clock_of_thread(thread)) }

  /// Returns true when a thread waits for another one, or has ended: it neither runs, nor could if
  /// a processor were free, nor waits for a disk. True as well if that is unknown.
  package static func isWaiting(_ thread: Int32) -> Bool {
    let fd = unsafe rw_open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC, 0)
    guard fd >= 0 else { return true }
    defer { close(fd) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(fd, &bytes, bytes.count)
    // The state follows the name, which is in parentheses and may have some itself (proc(5)).
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
    else { return true }
    return ![UInt8(ascii: "R"), UInt8(ascii: "D")].contains(bytes[end + 2])
  }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
