import EngineClient
import EngineProtocol
import Terminal

/// The devices of this machine, as a command lists them.
struct DeviceListing {
  private let found: CaptureDevices.Result

  /// - Parameter direction: nil for the devices that are recorded.
  init(_ client: EngineClient, _ direction: WireDeviceDirection? = nil) async throws {
    found = try await client.call(CaptureDevices(direction: direction))
  }

  /// Prints a line for each device, and complains of the kinds that can't be had.
  func print(_ console: Console, asJSON: Bool) throws {
    if asJSON { return try console.print(found) }
    for device in found.devices {
      let media = device.mediaTypes.map(\.rawValue).joined(separator: ", ")
      let isDefault = device.isDefault ? "  (default)" : ""
      try console.print(
        "\(device.uniqueID.printable)  \(device.localizedName.printable)  \(media)\(isDefault)")
    }
    for kind in found.unavailable {
      console.complain("\(kind.transport.rawValue): \(kind.reason.printable)")
    }
  }
}
