import EngineClient
import EngineProtocol

/// A kind of devices that `doctor` looks for.
struct DeviceCheck {
  /// The kind in the JSON of a finding.
  var subject: String
  var request: CaptureDevices
  /// The use of the devices, for a finding.
  var ability: String
  /// The failure without them, for a finding.
  var inability: String
  /// The advice where there are none.
  var hint: String

  static let all: [DeviceCheck] = [
    DeviceCheck(
      subject: "microphone", request: CaptureDevices(mediaType: .audio),
      ability: "microphones can be recorded", inability: "no microphone can be recorded",
      hint: "It needs libpulse.so.0 and a server: PulseAudio, or PipeWire with pipewire-pulse; "
        + "PULSE_SERVER names one that is elsewhere."),
    DeviceCheck(
      subject: "screen", request: CaptureDevices(mediaType: .screen),
      ability: "screens can be recorded", inability: "no screen can be recorded",
      hint: "It needs libxcb.so.1 and an X server, which DISPLAY names; "
        + "screens of Wayland can't be captured."),
    DeviceCheck(
      subject: "camera", request: CaptureDevices(mediaType: .video),
      ability: "cameras can be recorded", inability: "no camera can be recorded",
      hint:
        "It needs a camera at /dev/video*, and the right to read it, which is often the group 'video'."
    ),
    DeviceCheck(
      subject: "audioOutput", request: CaptureDevices(direction: .output),
      ability: "audio can be played", inability: "no audio can be played",
      hint:
        "It needs libpulse.so.0 and a server, as microphones do. Without, players run silently, and "
        + "'reelwire play --audio-file' writes the audio to a file."),
  ]

  /// The devices that can be used here, and the reasons why others can't be.
  func findings(_ client: EngineClient) async throws -> [Finding] {
    let found = try await client.call(request)
    let devices = found.devices.filter { $0.transport != .synthetic }
    let reasons = found.unavailable.map(\.reason)
    var findings: [Finding] = []
    if devices.isEmpty {
      let reason = reasons.isEmpty ? "there is none" : reasons.joined(separator: "; ")
      findings.append(.missing("\(inability): \(reason)", hint: hint))
    } else {
      findings.append(.good("\(ability): \(Self.list(devices))"))
      findings += reasons.map { .missing($0, hint: hint) }
    }
    return findings.map { finding in
      var finding = finding
      finding.subject = subject
      return finding
    }
  }

  private static func list(_ devices: [WireCaptureDevice]) -> String {
    let shown = 3
    var names = devices.prefix(shown).map { $0.uniqueID + ($0.isDefault ? " (default)" : "") }
    if devices.count > shown { names.append("and \(devices.count - shown) more") }
    return names.joined(separator: ", ")
  }
}
