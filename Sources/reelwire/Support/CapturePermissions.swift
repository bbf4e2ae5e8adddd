import ArgumentParser
import EngineServer
import MediaEngine

/// The uses of devices that a caller is authorized for: names with commas between, or `all`.
struct CapturePermissions: ExpressibleByArgument {
  let permissions: Set<CaptureDevice.Permission>

  init?(argument: String) {
    guard argument != "all" else {
      permissions = Set(CaptureDevice.Permission.allCases)
      return
    }
    var found: Set<CaptureDevice.Permission> = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let permission = CaptureDevice.Permission(rawValue: String(name)) else { return nil }
      found.insert(permission)
    }
    permissions = found
  }
}

extension Engine.Options {
  /// Lets a command use the devices of this machine: the user who types it wants that.
  mutating func allowCapture() {
    capturePermissions = Set(CaptureDevice.Permission.allCases)
    captureHardware = MachineDevices()
  }
}
