import EngineProtocol
import SystemIO

/// The numbers of handles, which are shared by engines of several processes: none is used twice.
public final class HandleNumbers: Sendable {
  private let counters: SharedCounters

  /// Creates numbers, or continues those of another process.
  ///
  /// - Parameter descriptor: the descriptor of another process's numbers; nil for new ones. This takes ownership.
  /// - Returns: nil where the system has no memory to share.
  public init?(descriptor: Int32? = nil) {
    // One after the last kind is for the composition requests to the client.
    guard
      let counters = try? SharedCounters(
        count: HandleKind.allCases.count + 1, descriptor: descriptor)
    else { return nil }
    self.counters = counters
  }

  /// The descriptor with which another process shares the numbers.
  public var descriptor: Int32 { counters.descriptor }

  func next(_ kind: HandleKind) -> Int { counters.next(index(kind)) }

  func nextHandle<Handle: HandleType>(_ type: Handle.Type) -> Handle {
    Handle(rawValue: "\(Handle.kind.rawValue):\(next(Handle.kind))")
  }

  func nextCompositionRequest() -> Int { counters.next(HandleKind.allCases.count) }

  var lastCompositionRequest: Int { counters.last(HandleKind.allCases.count) }

  private func index(_ kind: HandleKind) -> Int { HandleKind.allCases.firstIndex(of: kind) ?? 0 }
}
