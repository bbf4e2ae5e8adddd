import JSONRPC

/// Starts or stops reports of devices that appear, disappear or change, as ``CaptureDidChangeDevices``.
///
/// All changes after the answer are reported; for a copy of the list, observe first, then list. It concerns the
/// devices that ``CaptureDevices`` lists as inputs: synthetic ones, and those for which there is a permission. If
/// the process of devices dies, the next one continues, without the changes in between.
public struct CaptureObserveDevices: EngineRequest {
  public static let method = "capture/observeDevices"
  public static let placement = Placement.devices
  public typealias Result = EmptyResult

  /// False to stop them.
  public var isObserving: Bool

  /// Makes the value from its members.
  public init(isObserving: Bool) {
    self.isObserving = isObserving
  }
}

/// Reports the changes of the devices of this machine since the last report.
public struct CaptureDidChangeDevices: NotificationType {
  public static let method = "capture/didChangeDevices"

  /// The devices that have appeared.
  public var added: [WireCaptureDevice]
  /// The `uniqueID`s of the devices that are gone.
  public var removed: [String]
  /// The devices that became or ceased to be the default, became used or unused, or have other formats than before.
  public var changed: [WireCaptureDevice]

  package init(
    added: [WireCaptureDevice], removed: [String], changed: [WireCaptureDevice]
  ) {
    self.added = added
    self.removed = removed
    self.changed = changed
  }
}
