import Synchronization

/// The synthetic devices of an engine, some of which may be unplugged by the scripts of inputs.
///
/// A device that its script has unplugged is back when the script replugs it, or when its session starts again,
/// releases the device or is closed.
package final class SyntheticPlugs: Sendable {
  private struct State {
    var unplugged: Set<String> = []
    var changed: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The devices that are plugged in.
  package var devices: [CaptureDevice] {
    let unplugged = state.withLock(\.unplugged)
    return SyntheticDevice.devices.filter { !unplugged.contains($0.uniqueID) }
  }

  /// Reports each change.
  ///
  /// - Parameter changed: called by the thread that makes a change, under a session's lock; nil for no reports.
  package func observe(_ changed: (@Sendable () -> Void)?) {
    state.withLock { $0.changed = changed }
  }

  func plug(_ devices: some Sequence<String>) { change { $0.subtract(devices) } }

  func unplug(_ device: String) { change { $0.insert(device) } }

  private func change(_ body: (inout Set<String>) -> Void) {
    let changed = state.withLock { state -> (@Sendable () -> Void)? in
      let before = state.unplugged
      body(&state.unplugged)
      return before == state.unplugged ? nil : state.changed
    }
    changed?()
  }
}
