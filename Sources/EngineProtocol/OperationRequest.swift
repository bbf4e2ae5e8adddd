import JSONRPC

/// A request that starts an operation, whose end can be reported by a process that knows that the work can't
/// continue.
///
/// Only such a request can start work (`Engine.perform`), so that none is without its end.
package protocol OperationRequest: EngineRequest
where Result: OperationAnswer, Result.Completion == Terminal {
  /// The last notification of the operation.
  associatedtype Terminal: NotificationType

  /// The notification of one item, of an operation that reports item by item.
  static var itemNotification: (any NotificationType.Type)? { get }
  /// The moment of the answer.
  var completion: WireCompletion? { get }

  /// Returns the notifications that are still to be sent for an operation whose work has ended with that error.
  ///
  /// - Parameter reported: the items that have been reported, for operations that report item by item.
  /// - Returns: notifications in their order, of which a ``Terminal`` is the last.
  func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType]
}

extension OperationRequest {
  package static var itemNotification: (any NotificationType.Type)? { nil }
}

/// The items of an operation that have been reported, each by a notification of its own.
package struct ReportedItems: Sendable, Equatable {
  package var indices: Set<Int> = []
  package var succeeded = 0
  package var failed = 0
  package var cancelled = 0

  package init() {}

  package mutating func add(_ index: Int, _ result: WireOutcome) {
    indices.insert(index)
    switch result {
    case .succeeded: succeeded += 1
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    }
  }
}

/// The states of keys of which none could be loaded.
func failedValues<Values: Decodable>(_ keys: [String], _ error: ErrorObject) -> Values? {
  var members: [JSONValue.Member] = []
  for key in Set(keys) {
    let state = WireKeyState<Bool>(status: .failed, error: error.about(key: key))
    guard let text = try? JSONEncoding.encode(state), let value = try? JSONValue(parsing: text)
    else { continue }
    members.append(JSONValue.Member(key: key, value: value))
  }
  return try? JSONDecoding.decode(Values.self, from: .object(members))
}
