/// A property of an asset or of one of its tracks whose value is loaded on demand (AVAsyncProperty).
///
///     let (duration, tracks) = try await asset.load(.duration, .tracks)
///     let size = try await tracks[0].load(.naturalSize)
///
/// A property is loaded once; later loads return the same value. A failure is retained, too: a file
/// that has been mended meanwhile takes a new asset. A cancelled property is loaded anew.
public struct AssetProperty<Root, Value: Sendable>: Sendable {
  public typealias Status = AssetPropertyStatus<Value>

  /// AVFoundation's name of the property, for example "duration".
  public let name: String
  let find: @Sendable (Root) -> LoadableValue<Value>

  init(_ name: String, _ find: @escaping @Sendable (Root) -> LoadableValue<Value>) {
    self.name = name
    self.find = find
  }
}

/// The loading status of a property (AVAsyncProperty.Status).
public enum AssetPropertyStatus<Value: Sendable>: Sendable {
  case notYetLoaded
  case loading
  case loaded(Value)
  case failed(EngineError)
  /// By ``Asset/cancelLoading()``, or because the tasks that loaded it were cancelled.
  case cancelled
}

/// A property without its value's type, for the bridge, which loads the properties that its caller
/// has named (AVPartialAsyncProperty).
package struct PartialAssetProperty<Root>: Sendable {
  package let name: String
  let begin: @Sendable (Root) -> LoadRequest

  package init<Value>(_ property: AssetProperty<Root, Value>) {
    name = property.name
    begin = { property.find($0).begin() }
  }

  /// Loads properties of one object, each to its own end: their status has the results.
  ///
  /// They are marked as loading before the first suspension. Returns when all have ended, and early when
  /// the task is cancelled.
  package static func load(_ properties: [PartialAssetProperty], of root: Root) async {
    await properties.map { $0.begin(root) }.ended()
  }
}

extension AssetProperty {
  /// Begins to load the property: it counts as loading once this has returned.
  func begin(_ root: Root) -> PropertyLoad<Value> {
    let value = find(root)
    return PropertyLoad(value: value, request: value.begin())
  }
}

/// A property that is being loaded.
struct PropertyLoad<Value: Sendable>: Sendable {
  let value: LoadableValue<Value>
  let request: LoadRequest

  /// Returns the value or throws the failure, once its request has ended.
  ///
  /// - Parameter what: the property and its owner, for messages.
  func get(_ what: @autoclosure () -> String) throws(EngineError) -> Value {
    switch value.status {
    case .loaded(let value): return value
    case .failed(let error): throw error
    case .notYetLoaded, .loading, .cancelled: throw .cancelled("Loading \(what())")
    }
  }
}
