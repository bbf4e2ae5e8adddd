import EngineProtocol

/// The workers that hold the objects of the caller's handles.
struct HandleLocations: Sendable {
  /// One handle's object.
  struct Location: Sendable {
    let kind: HandleKind
    /// The object's worker; nil once it has ended.
    var worker: Worker?
    /// The paths of the files that it was made from.
    let files: Set<String>
    /// The object's number in the order of creation, over all workers.
    let number: Int
    /// The error that answers every request for the object once its worker has ended.
    var terminationError: ErrorObject?
    /// The request that an asset of a file was opened with, and can be opened with in another
    /// worker.
    var opening: AssetOpen?
    /// Another worker in which the asset is open under the same handle, to be combined with the
    /// objects there.
    var copy: Worker?
    /// The handle with which it is closed.
    var owner: String?
  }

  private var locations: [String: Location] = [:]
  /// The handles that are closed with another one.
  private var parts: [String: Set<String>] = [:]
  /// The number of locations in a worker.
  private var counts: [ObjectIdentifier: Int] = [:]
  private var last = 0

  subscript(handle: String) -> Location? { locations[handle] }

  /// Adds the new objects of one result; those after the first belong to it.
  ///
  /// - Parameter owner: the handle that all of them belong to instead.
  mutating func add(
    _ objects: [(handle: String, kind: HandleKind)], in worker: Worker, files: Set<String>,
    ownedBy owner: String? = nil
  ) {
    let first = objects.first?.handle
    for (handle, kind) in objects {
      last += 1
      var location = Location(kind: kind, worker: worker, files: files, number: last)
      location.owner = owner ?? (handle == first ? nil : first)
      if let owner = location.owner { parts[owner, default: []].insert(handle) }
      locations[handle] = location
      counts[ObjectIdentifier(worker), default: 0] += 1
    }
  }

  /// Stores the request that opened an asset.
  mutating func note(_ opening: AssetOpen, of handle: String) {
    locations[handle]?.opening = opening
  }

  /// Stores the other worker in which an asset is open; nil for none.
  mutating func note(copyIn worker: Worker?, of handle: String) {
    locations[handle]?.copy = worker
  }

  /// Removes a handle and those of its parts, and returns all of them.
  @discardableResult
  mutating func remove(_ handle: String) -> [String] {
    let gone = [handle] + (parts.removeValue(forKey: handle) ?? [])
    for each in gone {
      guard let location = locations.removeValue(forKey: each) else { continue }
      if let owner = location.owner { parts[owner]?.remove(each) }
      if let worker = location.worker { counts[ObjectIdentifier(worker), default: 0] -= 1 }
    }
    return gone
  }

  /// Marks the objects of a worker that has ended.
  mutating func markTerminated(_ worker: Worker, _ terminationError: ErrorObject) {
    for (handle, location) in locations where location.worker === worker {
      locations[handle]?.terminationError = terminationError
      locations[handle]?.worker = nil
      locations[handle]?.opening = nil
    }
    for (handle, location) in locations where location.copy === worker {
      locations[handle]?.copy = nil
    }
    counts[ObjectIdentifier(worker)] = nil
  }

  /// Returns true while the caller has a handle of an object in the worker.
  func isUsed(_ worker: Worker) -> Bool { count(in: worker) > 0 }

  /// Returns the number of handles of objects that would be lost with the worker.
  func count(in worker: Worker) -> Int { counts[ObjectIdentifier(worker), default: 0] }

  /// The number of assets that are open twice.
  var copies: Int { locations.values.count { $0.copy != nil } }

  /// Returns the handles of objects in the worker, in the order in which they were made.
  func handles(in worker: Worker) -> [(handle: String, kind: HandleKind)] {
    locations.filter { $0.value.worker === worker }.sorted { $0.value.number < $1.value.number }
      .map { ($0.key, $0.value.kind) }
  }

  /// The handles whose workers have ended, in the order in which they were made.
  var terminated: [(handle: String, location: Location)] {
    locations.filter { $0.value.terminationError != nil }.sorted {
      $0.value.number < $1.value.number
    }
    .map { ($0.key, $0.value) }
  }
}
