internal import CSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Linux's facts of processes, and the heap of this one.
package enum ProcessInformation {
  /// The number of this process.
  package static var processID: Int { Int(getpid()) }

  /// This process's resident memory in bytes, 0 without /proc.
  package static var residentBytes: Int {
    let pages = memoryPages
    return pages.count > 1 ? pages[1] * Int(getpagesize()) : 0
  }

  /// The fields of `/proc/self/statm` (proc(5)): all pages, resident ones, resident ones that are
  /// shared …; empty without /proc.
  private static var memoryPages: [Int] {
    let fd = unsafe rw_open("/proc/self/statm", O_RDONLY | O_CLOEXEC, 0)
    guard fd >= 0 else { return [] }
    defer { close(fd) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(fd, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  }

  /// Makes the allocator return memory to the system, for a process that lives for days.
  ///
  /// Frames are large and come and go on many threads. glibc would raise its mmap threshold with
  /// the first one freed and hold the later ones in an arena a thread, where they fragment:
  /// resident memory grew threefold over a hundred files, and stays flat with these settings.
  package static func boundHeap() { rw_bound_heap(2, 16 << 20, 32 << 20) }

  /// Returns memory to the system that is free between allocations, once it has grown by 16 MiB.
  ///
  /// On its own the allocator returns only memory at the end of an arena. A decoder's frames lie
  /// between small allocations that outlive them, and the next decoder's frames don't always fit in
  /// the gaps: a thousand assets that were opened, inspected and closed one after the other left
  /// 240 MB of gaps.
  ///
  /// The check takes microseconds in a small heap, and milliseconds in one with many gaps, whose
  /// allocator is blocked meanwhile: it may take a fiftieth of the time. Calls that come too early
  /// lead to one check a second later: they are often the last ones, of readers that are closed
  /// together.
  package static func trimHeap() {
    let isChecked = heap.withLockIfAvailable { heap in
      let start = ContinuousClock.now
      guard start >= heap.nextLook else { return false }
      // Stacks and the program's own data are resident and not allocated either: counting starts at
      // the remainder after the last trim.
      let unused = unusedBytes
      heap.leastUnused = min(unused, heap.leastUnused)
      if unused > heap.leastUnused + (16 << 20) {
        rw_trim_heap()
        heap.leastUnused = unusedBytes
      }
      let end = ContinuousClock.now
      heap.nextLook = end + (end - start) * 50
      heapChecks.wrappingAdd(1, ordering: .relaxed)
      return true
    }
    if isChecked != true { trimHeapLater() }
  }

  /// Has the heap checked in a second, unless that is due already.
  private static func trimHeapLater() {
    guard !isHeapCheckDue.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) {
      isHeapCheckDue.store(false, ordering: .relaxed)
      trimHeap()
    }
  }

  private static let isHeapCheckDue = Atomic<Bool>(false)
  private static let heapChecks = Atomic<Int>(0)
  /// The number of checks of the heap.
  package static var heapCheckCount: Int { heapChecks.load(ordering: .relaxed) }
  /// True if the heap is going to be checked because a call came too early.
  package static var hasHeapCheckDue: Bool { isHeapCheckDue.load(ordering: .relaxed) }

  private static let heap = Mutex((leastUnused: Int.max, nextLook: ContinuousClock.now))

  /// Private memory that is resident and not allocated.
  private static var unusedBytes: Int {
    let pages = memoryPages
    guard pages.count > 2 else { return 0 }
    return (pages[1] - pages[2]) * Int(getpagesize()) - rw_heap_in_use()
  }

  /// Has all threads keep the nice value that the process was started with, if it isn't 0. It is called before there are others:
  /// Dispatch sets the values of its threads by their quality of service, wherever it may.
  package static func keepNiceness() {
    if getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) != 0 { rw_give_up_priorities() }
  }

  /// Waits until the process `pid` has ended, by a descriptor whose number no later process can
  /// inherit; returns false when it can't be watched.
  package static func waitForExit(of pid: Int32) -> Bool {
    let descriptor = rw_pidfd_open(pid)
    // A process that is gone already has ended.
    guard descriptor >= 0 else { return errno == ESRCH }
    defer { close(descriptor) }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&waiting, 1, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
