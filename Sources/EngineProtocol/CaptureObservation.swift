import JSONRPC

/// Begins to report devices that come, go or change, as ``CaptureDidChangeDevices``, or ends it.
///
/// All changes after the answer are reported; for a copy of the list, observe first, and list then. It concerns the
/// devices that ``CaptureDevices`` lists as inputs: synthetic ones, and those for which there is a permission. Should
/// the process of devices die, the next one continues, without what changed meanwhile.
public struct CaptureObserveDevices: EngineRequest {
  public static let method = "capture/observeDevices"
  public static let placement = Placement.devices
  public typealias Result = EmptyResult

  /// False to end it.
  public var isObserving: Bool

  /// Makes the value from its members.
  public init(isObserving: Bool) {
    self.isObserving = isObserving
  }
}

/// Reports how the devices of this machine have changed since they were reported last.
public struct CaptureDidChangeDevices: NotificationType {
  public static let method = "capture/didChangeDevices"

  /// The devices that weren't there.
  public var added: [WireCaptureDevice]
  /// The `uniqueID`s of those that are gone.
  public var removed: [String]
  /// The devices that are another default, are used or not, or have other formats than before.
  public var changed: [WireCaptureDevice]

  package init(
    added: [WireCaptureDevice], removed: [String], changed: [WireCaptureDevice]
  ) {
    self.added = added
    self.removed = removed
    self.changed = changed
  }
}
