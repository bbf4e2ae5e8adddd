import EngineClient
import EngineProtocol

/// The devices that a command line names.
struct CaptureDeviceChoice {
  private let client: EngineClient
  private let listing: String

  /// - Parameter listing: the command that names the devices.
  init(_ client: EngineClient, listing: String = "reelwire record --list") {
    (self.client, self.listing) = (client, listing)
  }

  /// The ID of a device; that of the default one of its kind where it is `default`.
  func id(_ name: String, _ kind: WireCaptureMediaType) async throws -> String {
    guard name == "default" else { return name }
    let found = try await client.call(CaptureDevices(mediaType: kind))
    let devices = found.devices.filter { $0.transport != .synthetic }
    if let device = devices.first(where: \.isDefault) ?? devices.first { return device.uniqueID }
    let what =
      switch kind {
      case .video: "camera"
      case .audio: "microphone"
      case .screen: "screen"
      }
    let reasons = found.unavailable.map(\.reason).joined(separator: "; ")
    throw CommandError(
      "There is no \(what)",
      hint: reasons.isEmpty ? "'\(listing)' names the devices." : reasons)
  }
}
