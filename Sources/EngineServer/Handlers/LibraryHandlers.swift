import EngineProtocol
import JSONRPC
import MediaEngine
import MediaLibrary
import MediaTime
import Synchronization

extension LibraryHandle: ObjectHandle {
  static func describe(_ library: OpenLibrary) -> String { library.library.path }
  static func cancelWork(of library: OpenLibrary) { library.close() }
}

extension Engine {
  /// Registers the handlers of `library/*`.
  func registerLibraries(in router: inout EngineRouter) {
    serve(LibraryOpen.self, openLibrary, in: &router)
    serve(LibraryAddFolder.self, addLibraryFolder, in: &router)
    serve(LibraryRemoveFolder.self, removeLibraryFolder, in: &router)
    serve(LibraryScan.self, scanLibrary, in: &router)
    serve(LibraryCancelScan.self, cancelLibraryScan, in: &router)
    serve(EngineProtocol.LibraryStatus.self, libraryStatus, in: &router)
    serve(LibraryFetch.self, fetchFromLibrary, in: &router)
    serve(LibraryCollections.self, libraryCollections, in: &router)
    serve(LibraryChanges.self, libraryChanges, in: &router)
    serve(LibraryDuplicates.self, findDuplicates, in: &router)
  }

  @Sendable func openLibrary(
    _ request: LibraryOpen, _ context: RequestContext
  ) async throws -> LibraryOpen.Result {
    let folders = request.folders ?? []
    for (index, folder) in folders.enumerated() {
      try requirePath(folder.path, at: "/folders/\(index)/path")
    }
    let path = try request.database ?? Library.usualDatabase(of: folders.map(\.path))
    try requirePath(path, at: "/database")
    let library = try await libraries.library(path, configuration)
    for folder in folders {
      try await library.addFolder(
        folder.path, excluding: folder.excluded ?? [],
        followsSymbolicLinks: folder.followsSymbolicLinks)
    }
    let status = try await library.status()
    let watches = request.watch ?? true ? try await watch(library) : false
    try context.settle()
    let open = handles.add { (handle: LibraryHandle) in
      OpenLibrary(
        library, handle: handle, connection: context.connection, changeToken: status.changeToken,
        watches: watches, interval: options.watch.delay)
    }
    return LibraryOpen.Result(
      library: open.handle, itemCount: status.itemCount, database: library.path)
  }

  /// Returns false where another process updates the library: its changes are found here, too.
  private func watch(_ library: Library) async throws(EngineError) -> Bool {
    do {
      try await library.startWatching(options.watch)
      return true
    } catch {
      guard error.code == .operationNotAllowed else { throw error }
      return false
    }
  }

  private func requirePath(_ path: String, at place: String) throws(RPCError) {
    guard path.isEmpty || path.utf8.contains(0) else { return }
    throw .invalidParams(
      path: place, expected: "a path", got: path.isEmpty ? "no character" : "a NUL character")
  }

  @Sendable func addLibraryFolder(
    _ request: LibraryAddFolder, _ context: RequestContext
  ) async throws -> EmptyResult {
    let library = try handles.find(request.library).library
    try requirePath(request.path, at: "/path")
    try await mapErrors(request.library) { () throws(EngineError) in
      try await library.addFolder(
        request.path, excluding: request.excluded,
        followsSymbolicLinks: request.followsSymbolicLinks)
    }
    return EmptyResult()
  }

  @Sendable func removeLibraryFolder(
    _ request: LibraryRemoveFolder, _ context: RequestContext
  ) async throws -> EmptyResult {
    let library = try handles.find(request.library).library
    try await mapErrors(request.library) { () throws(EngineError) in
      try await library.removeFolder(request.path)
    }
    return EmptyResult()
  }

  @Sendable func libraryStatus(
    _ request: EngineProtocol.LibraryStatus, _ context: RequestContext
  ) async throws -> EngineProtocol.LibraryStatus.Result {
    let library = try handles.find(request.library).library
    let status = try await mapErrors(request.library) { () throws(EngineError) in
      try await library.status()
    }
    return EngineProtocol.LibraryStatus.Result(
      database: library.path, folders: status.folders.map(WireLibraryFolderStatus.init),
      itemCount: status.itemCount, changeToken: status.changeToken)
  }

  // MARK: Scans

  @Sendable func scanLibrary(
    _ request: LibraryScan, _ context: RequestContext
  ) async throws -> LibraryScan.Result {
    let open = try handles.find(request.library)
    return try await perform(
      LibraryScan.self, request.completion, context, owner: request.library.rawValue
    ) { operation in
      open.begin(operation)
      defer { open.end(operation) }
      return await self.scan(open.library, request, operation)
    }
  }

  private func scan(
    _ library: Library, _ request: LibraryScan, _ operation: Operation
  ) async -> LibraryDidScan {
    let latest = Mutex(LibraryScanCounts())
    let lastReport = Mutex(ContinuousClock.now)
    var end = LibraryDidScan(
      operation: operation.handle, library: request.library, result: .succeeded,
      counts: WireLibraryScanCounts(LibraryScanCounts()))
    do throws(EngineError) {
      let counts = try await library.scan(request.folder) { counts, place in
        latest.withLock { $0 = counts }
        let isNews = lastReport.withLock { last in
          guard .now - last > .milliseconds(100) else { return false }
          last = .now
          return true
        }
        guard isNews else { return }
        operation.post(
          LibraryDidProgressScan(
            operation: operation.handle, library: request.library,
            counts: WireLibraryScanCounts(counts), folder: place))
      }
      end.counts = WireLibraryScanCounts(counts)
      if !counts.links.isEmpty {
        end.links = counts.links.map { WireLibraryLink(path: $0.path, message: $0.message) }
      }
      end.errors = try await unreadableItems(of: library, in: request.folder)
    } catch {
      end.counts = WireLibraryScanCounts(latest.withLock(\.self))
      end.result = error.isCancellation ? .cancelled : .failed
      end.error = ErrorObject(error).about(request.library)
    }
    return end
  }

  /// Returns the first hundred items that can't be read.
  private func unreadableItems(
    of library: Library, in folder: String?
  ) async throws(EngineError) -> [WireLibraryItem] {
    guard let state = LibraryKey("state"), let place = LibraryKey("folder") else { return [] }
    var conditions: [LibraryPredicate] = [.compare(state, .isEqual(.text("unreadable")))]
    if let folder {
      let path = String(decoding: FileLocation(folder).absolutePathBytes, as: UTF8.self)
      conditions.append(
        .any([
          .compare(place, .isEqual(.text(path))), .compare(place, .beginsWith(path + "/")),
        ]))
    }
    let found = try await library.fetch(LibraryQuery(predicate: .all(conditions), limit: 100))
    return try await found.items(in: 0..<found.count).map {
      WireLibraryItem($0, keys: [.url, .error])
    }
  }

  @Sendable func cancelLibraryScan(
    _ request: LibraryCancelScan, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.library).cancelScans()
    return EmptyResult()
  }

  // MARK: Queries

  @Sendable func fetchFromLibrary(
    _ request: LibraryFetch, _ context: RequestContext
  ) async throws -> LibraryFetch.Result {
    let open = try handles.find(request.library)
    var rules = LibraryQueryRules()
    let query = try rules.query(request)
    let result = try await mapErrors(request.library) { () throws(EngineError) in
      try await open.library.fetch(query)
    }
    try context.settle()
    let observed = ObservedResult(result, of: open)
    let handle: FetchResultHandle = handles.add(observed)
    if request.observe ?? false { open.observe(observed, handle) }
    return LibraryFetch.Result(
      fetchResult: handle, count: result.count, changeToken: result.changeToken)
  }

  @Sendable func libraryCollections(
    _ request: LibraryCollections, _ context: RequestContext
  ) async throws -> LibraryCollections.Result {
    let library = try handles.find(request.library).library
    let collections = try await mapErrors(request.library) { () throws(EngineError) in
      try await library.collections(LibraryCollection.Kind(request.type))
    }
    return LibraryCollections.Result(collections: collections.map(WireLibraryCollection.init))
  }

  @Sendable func libraryChanges(
    _ request: LibraryChanges, _ context: RequestContext
  ) async throws -> LibraryChanges.Result {
    let library = try handles.find(request.library).library
    let found = try await mapErrors(request.library) { () throws(EngineError) in
      try await library.changes(since: request.since)
    }
    guard let found else {
      throw ErrorObject(
        .changeTokenExpired, "The changes since \(request.since) are not known any more"
      ).about(request.library)
    }
    return LibraryChanges.Result(
      changes: found.changes.map(WireLibraryChange.init), changeToken: found.changeToken)
  }

  // MARK: Duplicates

  @Sendable func findDuplicates(
    _ request: LibraryDuplicates, _ context: RequestContext
  ) async throws -> LibraryDuplicates.Result {
    let library = try handles.find(request.library).library
    return try await perform(
      LibraryDuplicates.self, request.completion, context, owner: request.library.rawValue
    ) { operation in
      var end = LibraryDidFindDuplicates(
        operation: operation.handle, library: request.library, result: .succeeded)
      do throws(EngineError) {
        let groups = try await library.duplicates { progress in
          operation.post(
            LibraryDidProgressDuplicates(
              operation: operation.handle, library: request.library, progress: progress))
        }
        end.groups = groups.map { group in group.map { WireLibraryItem($0) } }
      } catch {
        end.result = error.isCancellation ? .cancelled : .failed
        end.error = ErrorObject(error).about(request.library)
      }
      return end
    }
  }
}

extension LibraryDidScan: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

extension LibraryDidFindDuplicates: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}
