import EngineProtocol
import JSONRPC
import MediaEngine
import MediaLibrary
import Synchronization

/// An open library of the caller, with its observed results.
final class OpenLibrary: Sendable {
  let library: Library
  let handle: LibraryHandle
  private let connection: Connection
  private let watches: Bool

  private struct State {
    var observer: Int?
    var results: [FetchResultHandle: ObservedResult] = [:]
    var scans: [OperationHandle: Operation] = [:]
    /// The token of the changes that were reported.
    var changeToken: Int64 = 0
    /// True while a report is being made, or is scheduled.
    var isWaiting = false
    /// True where the library has changed since the last look.
    var hasChanged = false
    var isClosed = false
  }
  private let state = Mutex(State())

  /// The time between two reports of changes.
  private let interval: Duration

  /// - Parameters:
  ///   - watches: true for a library that is watched for the caller, which ends with this object.
  ///   - interval: the time between two reports of changes.
  init(
    _ library: Library, handle: LibraryHandle, connection: Connection, changeToken: Int64,
    watches: Bool, interval: Duration
  ) {
    self.library = library
    self.watches = watches
    self.interval = interval
    self.handle = handle
    self.connection = connection
    state.withLock { $0.changeToken = changeToken }
    let observer = library.addObserver { [weak self] in self?.expectChange() }
    state.withLock { $0.observer = observer }
  }

  deinit { close() }

  /// Ends all work for the caller.
  func close() {
    let (isFirst, observer, scans) = state.withLock { state in
      defer { state.isClosed = true }
      state.results = [:]
      return (!state.isClosed, state.observer.take(), Array(state.scans.values))
    }
    if isFirst, watches { library.stopWatching() }
    if let observer { library.removeObserver(observer) }
    for scan in scans { scan.cancel() }
  }

  // MARK: Scans

  func begin(_ scan: Operation) { state.withLock { $0.scans[scan.handle] = scan } }

  func end(_ scan: Operation) { state.withLock { $0.scans[scan.handle] = nil } }

  func cancelScans() {
    for scan in state.withLock({ Array($0.scans.values) }) { scan.cancel() }
  }

  // MARK: Changes

  /// Begins to report the changes of a result.
  func observe(_ result: ObservedResult, _ handle: FetchResultHandle) {
    state.withLock { $0.results[handle] = result }
  }

  func stopObserving(_ result: ObservedResult) {
    state.withLock { state in
      state.results = state.results.filter { $0.value !== result }
    }
  }

  /// Looks for changes a little later, because more may follow.
  private func expectChange() {
    let mustWait = state.withLock { state in
      guard !state.isWaiting, !state.isClosed else {
        state.hasChanged = true
        return false
      }
      state.isWaiting = true
      return true
    }
    if mustWait { reportLater() }
  }

  private func reportLater() {
    Task { [weak self, interval] in
      try? await Task.sleep(for: interval)
      await self?.report()
      self?.reportAgain()
    }
  }

  /// Makes one report after the other: each has the changes since the last one.
  private func reportAgain() {
    let mustWait = state.withLock { state in
      state.isWaiting = state.hasChanged && !state.isClosed
      return state.isWaiting
    }
    if mustWait { reportLater() }
  }

  private func report() async {
    let (results, last) = state.withLock { state in
      state.hasChanged = false
      return (state.results, state.changeToken)
    }
    guard let token = try? await library.changeToken(), token != last else { return }
    var changes: [WireFetchResultChanges] = []
    for (handle, result) in results.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let found = try? await result.update(), !found.changes.isEmpty else { continue }
      changes.append(WireFetchResultChanges(found.changes, of: handle, count: found.count))
    }
    let isNews = state.withLock { state in
      guard !state.isClosed else { return false }
      state.changeToken = token
      return true
    }
    guard isNews else { return }
    connection.post(
      LibraryDidChange(library: handle, changeToken: token, fetchResults: changes))
  }
}

/// The items of a fetch, which change where they are observed.
final class ObservedResult: Sendable {
  private let result: Mutex<FetchResult>
  private let library: OpenLibrary

  init(_ result: FetchResult, of library: OpenLibrary) {
    self.result = Mutex(result)
    self.library = library
  }

  var current: FetchResult { result.withLock(\.self) }

  func stopObserving() { library.stopObserving(self) }

  /// Runs the query again, and returns the changes since the last time.
  func update() async throws(EngineError) -> (changes: FetchResultChanges, count: Int) {
    let (next, changes) = try await current.updated()
    result.withLock { $0 = next }
    return (changes, next.count)
  }
}

/// The libraries of an engine: a database is opened once, for any number of handles.
final class OpenLibraries: Sendable {
  private struct Entry: Sendable { weak var library: Library? }
  private let entries = Mutex<[String: Entry]>([:])

  func library(
    _ path: String, _ configuration: EngineConfiguration
  ) async throws(EngineError) -> Library {
    if let known = entries.withLock({ $0[path]?.library }) { return known }
    let library = try await Library.open(database: path, configuration: configuration)
    return entries.withLock { entries in
      // Another request may have opened it meanwhile.
      if let known = entries[library.path]?.library { return known }
      entries = entries.filter { $0.value.library != nil }
      entries[library.path] = Entry(library: library)
      return library
    }
  }
}
