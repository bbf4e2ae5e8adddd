import EngineProtocol

/// The workers that hold the objects of the caller's handles.
struct Places: Sendable {
  /// One handle's object.
  struct Place: Sendable {
    let kind: HandleKind
    /// The object's worker; nil once it has ended.
    var worker: Worker?
    /// The paths of the files that it was made from.
    let files: Set<String>
    /// The object's number in the order of creation, over all workers.
    let number: Int
    /// The error that answers every request for the object once its worker has ended.
    var death: ErrorObject?
    /// The request that an asset of a file was opened with, and can be opened with in another
    /// worker.
    var opening: AssetOpen?
    /// Another worker in which the asset is open under the same handle, to be combined with the
    /// objects there.
    var copy: Worker?
    /// The handle with which it is closed.
    var owner: String?
  }

  private var places: [String: Place] = [:]
  /// The handles that are closed with another one.
  private var parts: [String: Set<String>] = [:]
  /// The number of places in a worker.
  private var counts: [ObjectIdentifier: Int] = [:]
  private var last = 0

  subscript(handle: String) -> Place? { places[handle] }

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
      var place = Place(kind: kind, worker: worker, files: files, number: last)
      place.owner = owner ?? (handle == first ? nil : first)
      if let owner = place.owner { parts[owner, default: []].insert(handle) }
      places[handle] = place
      counts[ObjectIdentifier(worker), default: 0] += 1
    }
  }

  /// Stores the request that opened an asset.
  mutating func note(_ opening: AssetOpen, of handle: String) {
    places[handle]?.opening = opening
  }

  /// Stores the other worker in which an asset is open; nil for none.
  mutating func note(copyIn worker: Worker?, of handle: String) {
    places[handle]?.copy = worker
  }

  /// Removes a handle and those of its parts, and returns all of them.
  @discardableResult
  mutating func remove(_ handle: String) -> [String] {
    let gone = [handle] + (parts.removeValue(forKey: handle) ?? [])
    for each in gone {
      guard let place = places.removeValue(forKey: each) else { continue }
      if let owner = place.owner { parts[owner]?.remove(each) }
      if let worker = place.worker { counts[ObjectIdentifier(worker), default: 0] -= 1 }
    }
    return gone
  }

  /// Marks the objects of a worker that has ended.
  mutating func bury(_ worker: Worker, _ death: ErrorObject) {
    for (handle, place) in places where place.worker === worker {
      places[handle]?.death = death
      places[handle]?.worker = nil
      places[handle]?.opening = nil
    }
    for (handle, place) in places where place.copy === worker { places[handle]?.copy = nil }
    counts[ObjectIdentifier(worker)] = nil
  }

  /// Returns true while the caller has a handle of an object in the worker.
  func isUsed(_ worker: Worker) -> Bool { count(in: worker) > 0 }

  /// Returns the number of handles of objects that would be lost with the worker.
  func count(in worker: Worker) -> Int { counts[ObjectIdentifier(worker), default: 0] }

  /// The number of assets that are open twice.
  var copies: Int { places.values.count { $0.copy != nil } }

  /// Returns the handles of objects in the worker, in the order in which they were made.
  func handles(in worker: Worker) -> [(handle: String, kind: HandleKind)] {
    places.filter { $0.value.worker === worker }.sorted { $0.value.number < $1.value.number }
      .map { ($0.key, $0.value.kind) }
  }

  /// The handles whose workers have ended, in the order in which they were made.
  var dead: [(handle: String, place: Place)] {
    places.filter { $0.value.death != nil }.sorted { $0.value.number < $1.value.number }
      .map { ($0.key, $0.value) }
  }
}
