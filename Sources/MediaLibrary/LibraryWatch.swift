import MediaEngine
import SQLite
import Synchronization
import SystemIO

/// The times of what keeps a library up to date.
public struct LibraryWatchTimes: Sendable {
  /// How long nothing has to happen in a folder before it is looked at.
  public var delay = Duration.milliseconds(500)
  /// Between scans of folders whose file system reports nothing.
  public var interval = Duration.seconds(300)
  public init() {}
}

/// Keeps a library up to date while it is open: the kernel reports in which folders something has happened, and
/// these are looked at once it is quiet there.
///
/// A folder whose file system reports nothing (networks, FUSE), or for which the kernel has no more watches, is
/// scanned from time to time instead. What couldn't be read when it was looked at is looked at again, ever more rarely.
final class LibraryWatch: Sendable {
  struct Configuration: Sendable {
    /// How long nothing has to happen before a folder is looked at.
    var quiet = LibraryWatchTimes().delay
    /// Between scans of folders that report nothing, and at most between looks at what can't be read.
    var interval = LibraryWatchTimes().interval
    /// Whether the kernel reports what happens in a folder.
    var reportsEvents: @Sendable ([UInt8]) -> Bool = { FileSystem.reportsEvents($0) }
  }

  /// What something may have happened in.
  enum Place: Sendable {
    /// A folder of the library, or all.
    case folder(Int64?)
    /// A directory below one, without those that are below it.
    case directory(of: Int64, path: [UInt8])
  }

  private struct State {
    /// Of each folder of the library.
    var means: [Int64: LibraryFolderStatus.Watch] = [:]
    /// The folder, and the path below it, of each that is watched: by the numbers of directories.
    var places: [Int: (folder: Int64, path: [UInt8])] = [:]
    /// What is to be looked at.
    var dirty: Set<Int> = []
    var hasOverflowed = false
    var isWaiting = false
    var isEnded = false
    /// What has been looked at and couldn't be read to the end.
    var unread: Set<Int> = []
    /// How long until that is looked at again, if it isn't ``Configuration/quiet``.
    var pause: Duration?
  }

  private let watcher: FolderWatcher
  private let state = Mutex(State())
  private let configuration: Configuration
  /// Looks at some places; false where not all that is there could be read.
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

  // MARK: What is watched

  /// Watches the directories of a folder, those that are not watched already.
  ///
  /// - Parameter looksAgain: whether those that are new are looked at once more: what happened in them after they were
  ///   listed, and before they were watched, has had no event.
  func watch(
    _ folder: LibraryFolder, _ directories: [(id: Int64, path: [UInt8])], looksAgain: Bool
  ) {
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
      state.withLock { $0.places[number] = (folder.id, directory.path) }
      do {
        try watcher.watch(joinedPath(folder.path, directory.path), as: number)
      } catch {
        state.withLock { state in
          state.places[number] = nil
          // One that is gone has no need of it.
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

  // MARK: What happens

  private func take(_ events: [FolderWatcher.Event]) {
    expectLook { state in
      for event in events {
        switch event {
        case .changed(let number): state.dirty.insert(number)
        case .gone(let number): state.places[number] = nil
        case .overflow: state.hasOverflowed = true
        }
      }
    }
  }

  /// Looks, once it is quiet, at what `note` notes.
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

  /// What was still written to, or couldn't be opened because too much was, may have no further event.
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
