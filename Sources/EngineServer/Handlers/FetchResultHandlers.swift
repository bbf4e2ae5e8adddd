import EngineProtocol
import JSONRPC
import MediaEngine
import MediaLibrary

extension FetchResultHandle: ObjectHandle {
  static func describe(_ result: ObservedResult) -> String { "\(result.current.count) items" }
  static func cancelWork(of result: ObservedResult) { result.stopObserving() }
}

extension Engine {
  /// Registers the handlers of `fetchResult/*` and `libraryItem/*`.
  func registerFetchResults(in router: inout EngineRouter) {
    serve(FetchResultItems.self, fetchedItems, in: &router)
    serve(FetchResultIndex.self, fetchedIndex, in: &router)
    serve(FetchResultCount.self, fetchedCount, in: &router)
    serve(LibraryItemValues.self, libraryItemValues, in: &router)
    serve(LibraryItemThumbnail.self, libraryItemThumbnail, in: &router)
  }

  @Sendable func fetchedItems(
    _ request: FetchResultItems, _ context: RequestContext
  ) async throws -> FetchResultItems.Result {
    let result = try handles.find(request.fetchResult).current
    let (start, count) = (request.start ?? 0, request.count ?? 100)
    try requireNumber(start, in: 0...Int.max / 2, "start")
    try requireNumber(count, in: 1...500, "count")
    let items = try await mapErrors(request.fetchResult) { () throws(EngineError) in
      try await result.items(in: start..<start + count)
    }
    let keys = request.keys.map(Set.init)
    return FetchResultItems.Result(items: items.map { WireLibraryItem($0, keys: keys) })
  }

  private func requireNumber(
    _ number: Int, in range: ClosedRange<Int>, _ name: String
  ) throws(RPCError) {
    guard !range.contains(number) else { return }
    let bound = range.upperBound == Int.max / 2 ? "0 or more" : "a number from 1 to 500"
    throw .invalidParams(path: "/\(name)", expected: bound, got: "\(number)")
  }

  @Sendable func fetchedIndex(
    _ request: FetchResultIndex, _ context: RequestContext
  ) async throws -> FetchResultIndex.Result {
    let result = try handles.find(request.fetchResult).current
    let index = try await mapErrors(request.fetchResult) { () throws(EngineError) in
      try await result.index(of: request.item)
    }
    return FetchResultIndex.Result(index: index)
  }

  @Sendable func fetchedCount(
    _ request: FetchResultCount, _ context: RequestContext
  ) async throws -> FetchResultCount.Result {
    let result = try handles.find(request.fetchResult).current
    var rules = LibraryQueryRules()
    guard let key = rules.key(request.by, at: "/by") else {
      throw RPCError.invalidParams(rules.problems)
    }
    let counts = try await mapErrors(request.fetchResult) { () throws(EngineError) in
      try await result.counts(by: key)
    }
    return FetchResultCount.Result(
      counts: counts.map { WireLibraryCount(value: $0.value, count: $0.count) })
  }

  // MARK: Items

  @Sendable func libraryItemValues(
    _ request: LibraryItemValues, _ context: RequestContext
  ) async throws -> LibraryItemValues.Result {
    let library = try handles.find(request.library).library
    let wanted = request.keys.map(Set.init)
    return try await mapErrors(request.library) { () throws(EngineError) in
      guard let item = try await library.item(request.item) else {
        throw EngineError.unknownItem(request.item)
      }
      var values: [String: [String]] = [:]
      for (key, text) in try await library.metadata(of: request.item)
      where wanted?.contains(key) ?? true {
        values[key, default: []].append(text)
      }
      return LibraryItemValues.Result(item: WireLibraryItem(item), values: values)
    }
  }

  @Sendable func libraryItemThumbnail(
    _ request: LibraryItemThumbnail, _ context: RequestContext
  ) async throws -> LibraryItemThumbnail.Result {
    let library = try handles.find(request.library).library
    let width = request.width ?? 256
    guard (16...2048).contains(width) else {
      throw RPCError.invalidParams(
        path: "/width", expected: "a number from 16 to 2048", got: "\(width)")
    }
    let delivery = Delivery(
      request.delivery, engine: self, owner: request.library.rawValue, answering: context)
    _ = try imageFormat(.jpeg, for: request.delivery)
    return try await mapErrors(request.library) { () throws(EngineError) in
      let thumbnail = try await library.thumbnail(
        of: request.item, width: width, destination: delivery.destination())
      return LibraryItemThumbnail.Result(
        image: WireImage(
          width: thumbnail.width, height: thumbnail.height, format: .jpeg,
          blob: try await delivery.blob(thumbnail.data, mimeType: "image/jpeg", index: 0)),
        isCached: thumbnail.isCached)
    }
  }
}
