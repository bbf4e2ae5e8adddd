internal import CSystem
internal import Glibc
private import Synchronization

/// A watcher that reports the folders with changes (inotify(7)).
package final class FolderWatcher: Sendable {
  package enum Event: Sendable, Hashable {
    /// Something was made, written, renamed or removed in the folder.
    case changed(folder: Int)
    /// The folder itself has gone, and its watch with it.
    case gone(folder: Int)
    /// More events than the queue holds: some were dropped.
    case overflow
  }

  private let descriptor: Int32
  /// The event that ends the reading thread.
  private let wake: Int32
  private struct State {
    /// The numbers of folders, by the kernel's numbers of their watches.
    var folders: [Int32: Int] = [:]
    var watches: [Int: Int32] = [:]
    var isEnded = false
  }
  private let state = Mutex(State())

  /// - Throws: errno's code if the system has no room for another one.
  package init() throws(SystemError) {
    let opened = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard opened >= 0 else {
      throw SystemError(errno: errno, operation: .watch, subject: "folders")
    }
    let end = rw_open_signal()
    guard end >= 0 else {
      let number = errno
      close(opened)
      throw SystemError(errno: number, operation: .watch, subject: "folders")
    }
    (descriptor, wake) = (opened, end)
  }

  deinit {
    close(descriptor)
    close(wake)
  }

  /// Reports the changes of a folder from now on, under a number of the caller's.
  ///
  /// - Throws: `ENOSPC` at the maximum number of watches of a user.
  package func watch(_ path: [UInt8], as number: Int) throws(SystemError) {
    let mask =
      UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
      | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK) | UInt32(IN_DONT_FOLLOW)
    // Under the lock, since the first event may be there before this returns.
    let failure = state.withLock { state -> Int32 in
      let watch = unsafe inotify_add_watch(descriptor, Roots.name(path), mask)
      guard watch >= 0 else { return errno }
      // A renamed folder has the same watch as before.
      if let old = state.folders.updateValue(number, forKey: watch), old != number {
        state.watches[old] = nil
      }
      state.watches[number] = watch
      return 0
    }
    guard failure == 0 else {
      throw SystemError(
        errno: failure, operation: .watch, subject: String(decoding: path, as: UTF8.self))
    }
  }

  /// Ends the watch of a folder.
  package func unwatch(_ number: Int) {
    let watch = state.withLock { state in
      let watch = state.watches.removeValue(forKey: number)
      if let watch { state.folders[watch] = nil }
      return watch
    }
    if let watch { _ = inotify_rm_watch(descriptor, watch) }
  }

  /// Ends ``events()``.
  package func end() {
    state.withLock { $0.isEnded = true }
    rw_signal(wake)
  }

  /// Waits for the next events; returns nil once the watcher has ended.
  package func events() -> [Event]? {
    while true {
      var ends = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&ends, 2, -1)
      if state.withLock(\.isEnded) { return nil }
      let found = readEvents()
      if !found.isEmpty { return found }
    }
  }

  private func readEvents() -> [Event] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return [] }
    var found: [Event] = []
    var position = 0
    let size = MemoryLayout<inotify_event>.size
    while position + size <= count {
      let event = unsafe buffer.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
      }
      position += size + Int(event.len)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        found.append(.overflow)
        continue
      }
      let isGone = event.mask & UInt32(IN_IGNORED) != 0
      let folder = state.withLock { state in
        let folder = state.folders[event.wd]
        if isGone, let folder {
          state.folders[event.wd] = nil
          state.watches[folder] = nil
        }
        return folder
      }
      guard let folder else { continue }
      found.append(isGone ? .gone(folder: folder) : .changed(folder: folder))
    }
    var seen: Set<Event> = []
    return found.filter { seen.insert($0).inserted }
  }
}

/// The properties of the file system of a folder.
package enum FileSystem {
  /// Returns false for file systems whose files may be changed from elsewhere, which the kernel
  /// can't report (statfs(2)).
  package static func reportsEvents(_ path: [UInt8]) -> Bool {
    let kind = unsafe rw_file_system(Roots.name(path))
    return kind >= 0 && !remote.contains(UInt32(truncatingIfNeeded: kind))
  }

  /// Returns true if there is something at a path, also at the end of links.
  package static func isThere(_ path: [UInt8]) -> Bool {
    unsafe rw_file_system(Roots.name(path)) >= 0
  }

  /// NFS, SMB in three versions, FUSE, 9P, AFS, Ceph, Coda, VirtualBox' and VMware's shares.
  private static let remote: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
    0x7375_7245, 0x786F_4256, 0xBACB_ACBC,
  ]
}
