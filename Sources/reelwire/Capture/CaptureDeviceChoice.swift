import EngineClient
import EngineProtocol
import EngineReports

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

  /// The destination of a player's audio. One that isn't there is refused: the player would continue without audio.
  func output(_ name: String) async throws -> WireAudioDevice {
    let found = try await client.call(CaptureDevices(direction: .output))
    let names = found.devices.map(\.uniqueID)
    if names.contains(name) { return .server(name) }
    if name == "default", !names.isEmpty { return .serverDefault }
    guard found.unavailable.isEmpty else {
      let reasons = found.unavailable.map(\.reason).joined(separator: "; ")
      throw CommandError(
        "Audio can't be played on '\(name)': \(reasons)",
        hint: ShellPhrasings.phrasing(of: "startAudioServer"))
    }
    guard !names.isEmpty else {
      throw CommandError(
        "There is no audio output '\(name)': the audio server has none",
        hint: "--audio-file writes the audio to a file instead.")
    }
    let isWithoutTransport = names.contains("pulse:\(name)")
    let meant = isWithoutTransport ? "pulse:\(name)" : closest(to: name, among: names)
    let question = meant.map { "Did you mean '\($0)'? " } ?? ""
    let few = names.prefix(Self.namedOutputs).joined(separator: ", ")
    let others = names.count > Self.namedOutputs ? ", and others, which '\(listing)' names" : ""
    throw CommandError(
      "There is no audio output '\(name)'", hint: "\(question)There are: \(few)\(others).")
  }

  /// The maximum number of outputs in an error.
  private static let namedOutputs = 8
}
