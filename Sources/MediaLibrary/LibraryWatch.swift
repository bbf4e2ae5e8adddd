import MediaEngine
import SQLite
import Synchronization
import SystemIO

/// The intervals of watching a library.
public struct LibraryWatchTimes: Sendable {
  /// The time without events in a folder before it is scanned.
  public var delay = Duration.milliseconds(500)
  /// The interval between scans of folders whose file system reports nothing.
  public var interval = Duration.seconds(300)
  public init() {}
}

/// A watch that updates a library while it is open: the kernel reports the folders with changes,
/// and these are scanned once they are quiet.
///
/// A folder whose file system reports nothing (networks, FUSE), or for which the kernel has no more
/// watches, is scanned periodically instead. A folder that couldn't be read is scanned again, ever
/// more rarely.
final class LibraryWatch: Sendable {
  struct Configuration: Sendable {
    /// The time without events before a folder is scanned.
    var quiet = LibraryWatchTimes().delay
    /// The interval between scans of folders that report nothing, and the maximum between scans of
    /// folders that couldn't be read.
    var interval = LibraryWatchTimes().interval
    /// Checks if the kernel reports the changes of a folder.
    var reportsEvents: @Sendable ([UInt8]) -> Bool = { FileSystem.reportsEvents($0) }
  }

  /// The folder that may have changed.
  enum Place: Sendable {
    /// A folder of the library, or all.
    case folder(Int64?)
    /// A directory below one, without its subdirectories.
    case directory(of: Int64, path: [UInt8])
  }

  private struct State {
    /// The watch of each folder of the library.
    var means: [Int64: LibraryFolderStatus.Watch] = [:]
    /// The folders that weren't there the last time: they are polled until they come back.
    var absent: Set<Int64> = []
    /// The folder, and the path below it, of each watched directory: by the numbers of directories.
    var places: [Int: (folder: Int64, path: [UInt8], followsLinks: Bool)] = [:]
    /// The directories to be scanned.
    var dirty: Set<Int> = []
    /// Those of them that are gone, and have no place after that.
    var gone: Set<Int> = []
    var hasOverflowed = false
    var isWaiting = false
    var isEnded = false
    /// The directories that have been scanned and couldn't be read completely.
    var unread: Set<Int> = []
    /// The delay before those are scanned again, if it isn't ``Configuration/quiet``.
    var pause: Duration?
  }

  private let watcher: FolderWatcher
  private let state = Mutex(State())
  private let configuration: Configuration
  /// Scans places; returns false if not everything there could be read.
  private let update: @Sendable ([Place]) async -> Bool

  init(
    _ configuration: Configuration, update: @escaping @Sendable ([Place]) async -> Bool
  ) throws(SystemError) {
    watcher = try FolderWatcher()
    self.configuration = configuration
    self.update = update
    try BlockingThread.start { [weak self, watcher] in
      while let events = watcher.events() { self?.take(events) }
    }
    Task.detached { [weak self] in
      while true {
        try? await Task.sleep(for: configuration.interval)
        guard let self, !self.state.withLock(\.isEnded) else { return }
        await self.poll()
      }
    }
  }

  deinit { watcher.end() }

  func end() {
    state.withLock { $0.isEnded = true }
    watcher.end()
  }

  func means(of folder: Int64) -> LibraryFolderStatus.Watch? { state.withLock { $0.means[folder] } }

  // MARK: Watched directories

  /// Watches those directories of a folder that are not watched already.
  ///
  /// - Parameter looksAgain: true to scan new directories once more: changes in them after they
  ///   were listed, and before they were watched, had no event.
  func watch(
    _ folder: LibraryFolder, _ directories: [(id: Int64, path: [UInt8])], looksAgain: Bool
  ) {
    if !FileSystem.isThere(folder.path) {
      state.withLock { ($0.means[folder.id], _) = (.polling, $0.absent.insert(folder.id)) }
      return
    }
    // Another folder may have come in its place: all of it is watched anew.
    if state.withLock({ $0.absent.remove(folder.id) }) != nil { forget(folder.id) }
    let known = state.withLock { state in
      if state.means[folder.id] == nil {
        state.means[folder.id] =
          configuration.reportsEvents(folder.path) ? .events : .polling
      }
      return state
    }
    guard known.means[folder.id] == .events else { return }
    var added: Set<Int> = []
    defer { if looksAgain, !added.isEmpty { expectLook { $0.dirty.formUnion(added) } } }
    for directory in directories {
      let number = Int(directory.id)
      if known.places[number]?.path == directory.path { continue }
      added.insert(number)
      state.withLock { $0.places[number] = (folder.id, directory.path, folder.followsLinks) }
      do {
        // The folder that a link leads to, which is no link.
        let end: [UInt8] = folder.followsLinks ? [0x2E] : []
        try watcher.watch(joinedPath(folder.path, directory.path, end), as: number)
      } catch {
        state.withLock { state in
          state.places[number] = nil
          // A directory that is gone needs no watch.
          if error.code != .noEntry { state.means[folder.id] = .polling }
        }
      }
    }
  }

  func forget(_ folder: Int64) {
    let numbers = state.withLock { state in
      state.means[folder] = nil
      let numbers = state.places.filter { $0.value.folder == folder }.map(\.key)
      for number in numbers { state.places[number] = nil }
      return numbers
    }
    for number in numbers { watcher.unwatch(number) }
  }

  // MARK: Events

  private func take(_ events: [FolderWatcher.Event]) {
    expectLook { state in
      for event in events {
        switch event {
        case .changed(let number): state.dirty.insert(number)
        case .gone(let number):
          // No other directory reports a folder of the library, or one that a link led to.
          if let place = state.places[number], place.path.isEmpty || place.followsLinks {
            state.gone.insert(number)
            state.dirty.insert(number)
          } else {
            state.places[number] = nil
          }
        case .overflow: state.hasOverflowed = true
        }
      }
    }
  }

  /// Scans the directories that `note` marks, once they are quiet.
  private func expectLook(_ note: (inout State) -> Void) {
    let mustWait = state.withLock { state in
      note(&state)
      guard !state.isWaiting, !state.dirty.isEmpty || state.hasOverflowed else { return false }
      state.isWaiting = true
      return true
    }
    guard mustWait else { return }
    Task { [weak self, configuration] in
      try? await Task.sleep(for: configuration.quiet)
      await self?.look()
    }
  }

  private func look() async {
    let (places, numbers) = state.withLock { state in
      defer { (state.dirty, state.hasOverflowed, state.isWaiting) = ([], false, false) }
      defer {
        for number in state.gone { state.places[number] = nil }
        state.gone = []
      }
      if state.hasOverflowed { return ([Place.folder(nil)], Set(state.places.keys)) }
      let places = state.dirty.compactMap { state.places[$0] }
      return (places.map { .directory(of: $0.folder, path: $0.path) }, state.dirty)
    }
    if await update(places) {
      state.withLock { if $0.unread.isEmpty { $0.pause = nil } }
    } else {
      lookAgain(at: numbers)
    }
  }

  /// Scans directories again later: a file that was still written to, or couldn't be opened because
  /// too many were open, may cause no further event.
  private func lookAgain(at numbers: Set<Int>) {
    let pause: Duration? = state.withLock { state in
      let isExpected = !state.unread.isEmpty
      state.unread.formUnion(numbers)
      if isExpected || numbers.isEmpty { return nil }
      let pause = state.pause ?? configuration.quiet
      state.pause = min(pause * 2, configuration.interval)
      return pause
    }
    guard let pause else { return }
    Task { [weak self] in
      try? await Task.sleep(for: pause)
      self?.expectLook { state in
        state.dirty.formUnion(state.unread)
        state.unread = []
      }
    }
  }

  private func poll() async {
    let folders = state.withLock { state in
      state.isEnded ? [] : state.means.filter { $0.value == .polling }.map(\.key)
    }
    if !folders.isEmpty { _ = await update(folders.map { .folder($0) }) }
  }
}
