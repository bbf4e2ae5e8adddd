import EngineProtocol
import SystemIO

/// The numbers of handles, which engines of several processes give out together: none is used twice.
public final class HandleNumbers: Sendable {
  private let counters: SharedCounters

  /// - Parameter descriptor: that of another process's numbers, to go on with; this takes it over.
  /// - Returns: nil where the system has no memory to share.
  public init?(descriptor: Int32? = nil) {
    // One behind the last kind is for the pictures that the client draws.
    guard
      let counters = try? SharedCounters(
        count: HandleKind.allCases.count + 1, descriptor: descriptor)
    else { return nil }
    self.counters = counters
  }

  /// What another process makes its numbers with.
  public var descriptor: Int32 { counters.descriptor }

  func next(_ kind: HandleKind) -> Int { counters.next(index(kind)) }

  func nextHandle<Handle: HandleType>(_ type: Handle.Type) -> Handle {
    Handle(rawValue: "\(Handle.kind.rawValue):\(next(Handle.kind))")
  }

  func nextCompositionRequest() -> Int { counters.next(HandleKind.allCases.count) }

  var lastCompositionRequest: Int { counters.last(HandleKind.allCases.count) }

  private func index(_ kind: HandleKind) -> Int { HandleKind.allCases.firstIndex(of: kind) ?? 0 }
}
