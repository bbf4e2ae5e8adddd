/// The choice of a setting for reading an asset: an ``AudioMix`` or a ``VideoComposition``.
public enum PresentationSetting<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The asset's own, which a composition may have.
  case asset
  /// No setting, even if the asset has one.
  case none
  case custom(Value)

  /// - Parameter own: the asset's own setting.
  func resolved(own: Value?) -> Value? {
    switch self {
    case .asset: own
    case .none: nil
    case .custom(let value): value
    }
  }
}
