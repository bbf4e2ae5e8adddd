public import JSONRPC

/// A request of the engine, with the facts about it that are needed outside of its handler.
///
/// They are for the code that passes messages on to worker processes, and for the generator of the clients. A
/// request that starts work is an ``OperationRequest`` as well.
public protocol EngineRequest: RequestType {
  /// The worker processes that serve it.
  static var placement: Placement { get }
  /// The kinds of the new objects that its result names: one kind, and those of its parts, which are closed with it.
  static var objects: [HandleKind] { get }
  /// True if the new objects are parts of the first object that it names, and are closed with it.
  static var objectsAreParts: Bool { get }
  /// True if a file is written, and unfinished until the work has ended.
  static var writesFile: Bool { get }
  /// The members of its messages that name objects and files.
  static var members: MessageMembers { get }
}

extension EngineRequest {
  public static var placement: Placement { .ofHandles }
  public static var objects: [HandleKind] { [] }
  public static var objectsAreParts: Bool { false }
  public static var writesFile: Bool { false }
  public static var members: MessageMembers { .declared(for: method) }
}

/// The worker processes that serve a request.
///
/// One whose objects are all in a process of libraries, or of one file, is served there in any case.
public enum Placement: Sendable, Equatable {
  /// The process of the objects that it names: the main one where they are in several, or it names none.
  case ofHandles
  /// The main process: objects that are made there can be combined with the other objects.
  case main
  /// The process with the fewest objects, for a file that it opens.
  case spread
  /// The process of libraries.
  case library
  /// The process of devices, which opens no media.
  case devices
  /// All processes. With `isRemembered`, those that are started later get it as well, before anything else.
  case all(isRemembered: Bool)
}

/// The places in a request's messages of the values that are needed outside of its handler.
///
/// A path is the names of members with slashes between them; `*` is each element of an array, and each
/// member of a dictionary.
public struct MessageMembers: Sendable, Equatable {
  /// The handles in the params.
  public var handles: [String] = []
  /// The paths and URLs, in the params, of files that are read.
  public var files: [String] = []
  /// The handles of new objects in the result: for each of ``EngineRequest/objects`` a member, whose value is a
  /// handle or an array of them.
  public var objects: [String] = []

  /// Creates the places; those that are left out are empty.
  public init(handles: [String] = [], files: [String] = [], objects: [String] = []) {
    self.handles = handles
    self.files = files
    self.objects = objects
  }

  /// Returns the places of a method, as they are generated from its types.
  package static func declared(for method: String) -> MessageMembers {
    generated[method] ?? MessageMembers()
  }
}
