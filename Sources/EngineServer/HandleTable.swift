import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// A handle of the table's objects, and the operations on them.
protocol ObjectHandle: HandleType {
  associatedtype Object: Sendable
  /// Returns one line on an object, for a list of open handles.
  static func describe(_ object: Object) -> String
  /// Stops the object's work for the caller, whose handle is gone.
  static func cancelWork(of object: Object)
  /// Returns the object of this kind for one of another kind; nil where there is none.
  static func object(for other: any Sendable) -> Object?
  /// Returns true while the object writes a file that isn't finished.
  static func isWritingFile(_ object: Object) -> Bool
}

extension ObjectHandle {
  static func object(for other: any Sendable) -> Object? { nil }
  static func isWritingFile(_ object: Object) -> Bool { false }
}

/// An object with an identity in the engine, which has one handle.
protocol NamedObject: Sendable {
  var identity: ObjectIdentifier { get }
}

extension NamedObject where Self: AnyObject {
  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// All of the caller's objects, by handle. Numbers are never used twice.
final class HandleTable: Sendable {
  private struct Entry: Sendable {
    let kind: HandleKind
    let object: any Sendable
    /// The handles of its parts, which are closed with it.
    var parts: Set<String>
    /// The handle that it is closed with.
    var owner: String?
    /// The number in order of creation.
    var number = 0
    let describe: @Sendable () -> String
    let cancelWork: @Sendable () -> Void
    let isWritingFile: @Sendable () -> Bool

    init<Handle: ObjectHandle>(
      _ object: Handle.Object, as handle: Handle.Type, parts: [String] = []
    ) {
      kind = Handle.kind
      self.object = object
      self.parts = Set(parts)
      describe = { Handle.describe(object) }
      cancelWork = { Handle.cancelWork(of: object) }
      isWritingFile = { Handle.isWritingFile(object) }
    }
  }

  /// The entries by their handles. Those that are looked at are counted: the evidence that the cost of a handle doesn't
  /// depend on the number of others.
  private struct Entries {
    private var storage: [String: Entry] = [:]
    private(set) var looks = 0

    subscript(handle: String) -> Entry? {
      mutating get {
        looks += 1
        return storage[handle]
      }
      _modify {
        looks += 1
        yield &storage[handle]
      }
    }

    /// All of them, each of which counts.
    var all: [String: Entry] {
      mutating get {
        looks += storage.count
        return storage
      }
    }
  }

  private struct State {
    var entries = Entries()
    var lastNumber = 0
    /// The handles of operations, by their owners.
    var operations: [String: Set<String>] = [:]
    /// The handles of objects with an identity in the engine.
    var names: [ObjectIdentifier: String] = [:]

    mutating func add<Handle: ObjectHandle>(
      _ handle: Handle, _ object: Handle.Object, parts: [String] = [], owner: String? = nil
    ) {
      var entry = Entry(object, as: Handle.self, parts: parts)
      lastNumber += 1
      (entry.number, entry.owner) = (lastNumber, owner)
      entries[handle.rawValue] = entry
      if let owner = (object as? Operation)?.owner {
        operations[owner, default: []].insert(handle.rawValue)
      }
      if let object = object as? any NamedObject { names[object.identity] = handle.rawValue }
      if let owner { entries[owner]?.parts.insert(handle.rawValue) }
    }

    mutating func remove(_ handle: String) -> Entry? {
      guard let entry = entries[handle].take() else { return nil }
      if let owner = (entry.object as? Operation)?.owner {
        operations[owner]?.remove(handle)
        if operations[owner]?.isEmpty == true { operations[owner] = nil }
      }
      if let object = entry.object as? any NamedObject { names[object.identity] = nil }
      if let owner = entry.owner { entries[owner]?.parts.remove(handle) }
      return entry
    }

    /// The entries in order of creation.
    var inOrder: [(handle: String, entry: Entry)] {
      mutating get {
        entries.all.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value) }
      }
    }

    mutating func operations(ownedBy owner: String) -> [Operation] {
      var found: [Entry] = []
      for handle in operations[owner] ?? [] {
        if let entry = entries[handle] { found.append(entry) }
      }
      return found.sorted { $0.number < $1.number }.compactMap { $0.object as? Operation }
    }
  }

  private let state = Mutex(State())
  private let numbers: HandleNumbers

  init(numbers: HandleNumbers) { self.numbers = numbers }

  // MARK: Making

  func add<Handle: ObjectHandle>(_ object: Handle.Object) -> Handle {
    state.withLock { state in
      let handle = numbers.nextHandle(Handle.self)
      state.add(handle, object)
      return handle
    }
  }

  /// Adds an object under a handle from another process.
  func add<Handle: ObjectHandle>(_ handle: Handle, _ object: Handle.Object) {
    state.withLock { $0.add(handle, object) }
  }

  /// Adds an object that has to know its own handle.
  func add<Handle: ObjectHandle>(making make: (Handle) -> Handle.Object) -> Handle.Object {
    state.withLock { state in
      let handle = numbers.nextHandle(Handle.self)
      let object = make(handle)
      state.add(handle, object)
      return object
    }
  }

  /// Adds an object that is closed with another one.
  ///
  /// - Throws: `unknownHandle` where that one has been closed; the caller has to end the object then.
  func add<Handle: ObjectHandle>(
    _ object: Handle.Object, partOf owner: some HandleType
  ) throws(RPCError) -> Handle {
    let handle = state.withLock { state -> Handle? in
      guard state.entries[owner.rawValue] != nil else { return nil }
      let handle = numbers.nextHandle(Handle.self)
      state.add(handle, object, owner: owner.rawValue)
      return handle
    }
    guard let handle else { throw unknownHandle(owner.rawValue) }
    return handle
  }

  /// Adds an object under a handle from another process, to be closed with another one.
  ///
  /// - Throws: `unknownHandle` where that one has been closed.
  func add<Handle: ObjectHandle>(
    _ handle: Handle, _ object: Handle.Object, partOf owner: some HandleType
  ) throws(RPCError) {
    let isOpen = state.withLock { state in
      guard state.entries[owner.rawValue] != nil else { return false }
      state.add(handle, object, owner: owner.rawValue)
      return true
    }
    if !isOpen { throw unknownHandle(owner.rawValue) }
  }

  /// Adds an object with its parts, which are numbered within it: `output:4/1` belongs to
  /// `assetReader:4`.
  func add<Handle: ObjectHandle, Part: ObjectHandle>(
    _ object: Handle.Object, parts: (Handle) -> [Part.Object]
  ) -> (Handle, [Part]) {
    state.withLock { state in
      let number = numbers.next(Handle.kind)
      let handle = Handle(rawValue: "\(Handle.kind.rawValue):\(number)")
      let objects = parts(handle)
      let handles = objects.indices.map {
        Part(rawValue: "\(Part.kind.rawValue):\(number)/\($0 + 1)")
      }
      state.add(handle, object, parts: handles.map(\.rawValue))
      for (handle, object) in zip(handles, objects) { state.add(handle, object) }
      return (handle, handles)
    }
  }

  /// Adds an object along with another one that has a handle of its own and is closed with it.
  func add<Handle: ObjectHandle, Other: ObjectHandle>(
    making make: (Other) -> (Handle.Object, Other.Object)
  ) -> (Handle, Other) {
    state.withLock { state in
      let (handle, other) = (numbers.nextHandle(Handle.self), numbers.nextHandle(Other.self))
      let (object, otherObject) = make(other)
      state.add(handle, object, parts: [other.rawValue])
      state.add(other, otherObject)
      return (handle, other)
    }
  }

  // MARK: Finding

  /// Returns the object of a handle: `unknownHandle` where there is none, `wrongHandleKind` where it is of another
  /// kind.
  func find<Handle: ObjectHandle>(_ handle: Handle) throws(RPCError) -> Handle.Object {
    guard let entry = state.withLock({ $0.entries[handle.rawValue] }) else {
      throw unknownHandle(handle.rawValue)
    }
    if entry.kind == Handle.kind, let object = entry.object as? Handle.Object { return object }
    guard let object = Handle.object(for: entry.object) else { throw wrongKind(handle) }
    return object
  }

  /// Returns the object of a handle if it is of that kind.
  func object<Handle: ObjectHandle>(of handle: String, as kind: Handle.Type) -> Handle.Object? {
    state.withLock { $0.entries[handle]?.object as? Handle.Object }
  }

  /// Returns the handle of an object with an identity in the engine; nil once it is closed.
  func handle<Handle: HandleType>(of object: some NamedObject, as kind: Handle.Type) -> Handle? {
    state.withLock { $0.names[object.identity] }.map { Handle(rawValue: $0) }
  }

  /// Returns the object of an identity in the engine, where only that is known.
  func object<Handle: ObjectHandle>(
    named identity: ObjectIdentifier, as kind: Handle.Type
  ) -> Handle.Object? {
    state.withLock { state in
      guard let handle = state.names[identity] else { return nil }
      return state.entries[handle]?.object as? Handle.Object
    }
  }

  /// The handles of assets that are open, by the assets.
  var assets: [ObjectIdentifier: AssetHandle] {
    state.withLock { state in
      state.inOrder.reduce(into: [:]) { found, each in
        guard let asset = each.entry.object as? any Asset else { return }
        found[ObjectIdentifier(asset)] = AssetHandle(rawValue: each.handle)
      }
    }
  }

  /// The open players, in order of creation.
  var players: [(handle: PlayerHandle, player: OpenPlayer)] {
    state.withLock { state in
      state.inOrder.compactMap { handle, entry in
        (entry.object as? OpenPlayer).map { (PlayerHandle(rawValue: handle), $0) }
      }
    }
  }

  func contains(_ handle: String) -> Bool { state.withLock { $0.entries[handle] != nil } }

  private func unknownHandle(_ handle: String) -> RPCError {
    var object = ErrorObject(.unknownHandle, "There is no handle '\(handle)'")
    object.data?.handle = AnyHandle(rawValue: handle)
    return RPCError(object)
  }

  private func wrongKind<Handle: HandleType>(_ handle: Handle) -> RPCError {
    var object = ErrorObject(
      .wrongHandleKind, "'\(handle.rawValue)' is no \(Handle.kind.rawValue)")
    object.data?.handle = AnyHandle(handle)
    return RPCError(object)
  }

  // MARK: Listing and closing

  func list() -> [WireHandleInfo] {
    let entries = state.withLock { $0.inOrder }
    // Outside of the lock: an object is described under its own lock, under which it may request handles.
    return entries.map { handle, entry in
      WireHandleInfo(
        handle: AnyHandle(rawValue: handle), kind: entry.kind, describes: entry.describe())
    }
  }

  /// The number of entries that have been looked at, each as often as it was.
  var looks: Int { state.withLock { $0.entries.looks } }

  /// The number of handles of each kind.
  var counts: [String: Int] {
    state.withLock { state in
      state.entries.all.values.reduce(into: [:]) { $0[$1.kind.rawValue, default: 0] += 1 }
    }
  }

  /// Removes the caller's handle and stops the object's work for it.
  ///
  /// - Returns: the closed handles: those of a reader's outputs are closed with it.
  func close(_ handle: AnyHandle) throws(RPCError) -> [String] {
    let (entry, gone, work) = state.withLock { state -> (Entry?, [String], [Operation]) in
      guard let entry = state.remove(handle.rawValue) else { return (nil, [], []) }
      var gone = [handle.rawValue]
      for part in entry.parts where state.remove(part) != nil { gone.append(part) }
      return (entry, gone, state.operations(ownedBy: handle.rawValue))
    }
    guard let entry else { throw unknownHandle(handle.rawValue) }
    entry.cancelWork()
    for operation in work { operation.cancel() }
    return gone
  }

  /// Removes a finished operation from the list.
  func remove(_ operation: Operation) {
    _ = state.withLock { $0.remove(operation.handle.rawValue) }
  }

  /// Stops all work and removes all entries.
  func closeAll() {
    let entries = state.withLock { state in
      defer { state = State() }
      return Array(state.entries.all.values)
    }
    for entry in entries { entry.cancelWork() }
  }

  /// True while an export is running, or a file is being written.
  var hasUnfinishedExports: Bool {
    state.withLock { Array($0.entries.all.values) }.contains { $0.isWritingFile() }
  }
}
