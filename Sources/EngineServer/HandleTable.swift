import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// A handle whose objects the table holds, and what is done with them.
protocol ObjectHandle: HandleType {
  associatedtype Object: Sendable
  /// One line for a person who wonders what is open.
  static func describe(_ object: Object) -> String
  /// Stops what the object does for the caller, whose handle is gone.
  static func cancelWork(of object: Object)
  /// What an object of another kind is where this kind is wanted; nil where it is nothing.
  static func object(for other: any Sendable) -> Object?
  /// True while it writes a file that isn't finished.
  static func isWritingFile(_ object: Object) -> Bool
}

extension ObjectHandle {
  static func object(for other: any Sendable) -> Object? { nil }
  static func isWritingFile(_ object: Object) -> Bool { false }
}

/// An object that the engine names by itself, and that has one handle.
protocol NamedObject: Sendable {
  var identity: ObjectIdentifier { get }
}

extension NamedObject where Self: AnyObject {
  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Every object that the caller holds, by handle. Numbers are never used twice.
final class HandleTable: Sendable {
  private struct Entry: Sendable {
    let kind: HandleKind
    let object: any Sendable
    /// The handles of its parts, which are closed with it.
    var parts: Set<String>
    /// The handle that it is closed with.
    var owner: String?
    /// In the order in which they were made.
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

  private struct State {
    var entries: [String: Entry] = [:]
    var lastNumber = 0
    /// The handles of operations, by those that own them.
    var operations: [String: Set<String>] = [:]
    /// The handles of objects that the engine names.
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
      guard let entry = entries.removeValue(forKey: handle) else { return nil }
      if let owner = (entry.object as? Operation)?.owner {
        operations[owner]?.remove(handle)
        if operations[owner]?.isEmpty == true { operations[owner] = nil }
      }
      if let object = entry.object as? any NamedObject { names[object.identity] = nil }
      if let owner = entry.owner { entries[owner]?.parts.remove(handle) }
      return entry
    }

    /// In the order in which they were made.
    var inOrder: [(handle: String, entry: Entry)] {
      entries.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value) }
    }

    func operations(ownedBy owner: String) -> [Operation] {
      (operations[owner] ?? []).compactMap { entries[$0] }.sorted { $0.number < $1.number }
        .compactMap { $0.object as? Operation }
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

  /// Adds an object under a handle that was made elsewhere.
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
  /// - Throws: `unknownHandle` where that one has been closed; the object is for the caller to end then.
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

  /// Adds an object under a handle that was made elsewhere, to be closed with another one.
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

  /// The object of a handle: `unknownHandle` when there is none, `wrongHandleKind` when it is of
  /// another kind.
  func find<Handle: ObjectHandle>(_ handle: Handle) throws(RPCError) -> Handle.Object {
    guard let entry = state.withLock({ $0.entries[handle.rawValue] }) else {
      throw unknownHandle(handle.rawValue)
    }
    if entry.kind == Handle.kind, let object = entry.object as? Handle.Object { return object }
    guard let object = Handle.object(for: entry.object) else { throw wrongKind(handle) }
    return object
  }

  /// The object that a handle names if it is of that kind.
  func object<Handle: ObjectHandle>(of handle: String, as kind: Handle.Type) -> Handle.Object? {
    state.withLock { $0.entries[handle]?.object as? Handle.Object }
  }

  /// The handle of an object that the engine names; nil once it is closed.
  func handle<Handle: HandleType>(of object: some NamedObject, as kind: Handle.Type) -> Handle? {
    state.withLock { $0.names[object.identity] }.map { Handle(rawValue: $0) }
  }

  /// The object that has the identity of another one, of which the engine knows only that.
  func object<Handle: ObjectHandle>(
    named identity: ObjectIdentifier, as kind: Handle.Type
  ) -> Handle.Object? {
    state.withLock { state in
      state.names[identity].flatMap { state.entries[$0]?.object as? Handle.Object }
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

  /// The players that are open, in the order in which they were made.
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
    let entries = state.withLock(\.inOrder)
    // Not under the lock: an object is looked at under its own, under which it may ask for handles.
    return entries.map { handle, entry in
      WireHandleInfo(
        handle: AnyHandle(rawValue: handle), kind: entry.kind, describes: entry.describe())
    }
  }

  /// How many handles of each kind there are.
  var counts: [String: Int] {
    state.withLock { state in
      state.entries.values.reduce(into: [:]) { $0[$1.kind.rawValue, default: 0] += 1 }
    }
  }

  /// Drops the caller's hold and stops the work that the object does for it.
  ///
  /// - Returns: the handles that are gone: a reader takes its outputs along.
  func close(_ handle: AnyHandle) throws(RPCError) -> [String] {
    let (entry, gone, work) = state.withLock { state -> (Entry?, [String], [Operation]) in
      guard let entry = state.remove(handle.rawValue) else { return (nil, [], []) }
      let gone = [handle.rawValue] + entry.parts.filter { state.remove($0) != nil }
      return (entry, gone, state.operations(ownedBy: handle.rawValue))
    }
    guard let entry else { throw unknownHandle(handle.rawValue) }
    entry.cancelWork()
    for operation in work { operation.cancel() }
    return gone
  }

  /// Takes a finished operation out of the list.
  func remove(_ operation: Operation) {
    _ = state.withLock { $0.remove(operation.handle.rawValue) }
  }

  /// Stops all work and forgets everything.
  func closeAll() {
    let entries = state.withLock { state in
      defer { state = State() }
      return Array(state.entries.values)
    }
    for entry in entries { entry.cancelWork() }
  }

  /// True while an export is running, or a file is being written.
  var hasUnfinishedExports: Bool {
    state.withLock { Array($0.entries.values) }.contains { $0.isWritingFile() }
  }
}
