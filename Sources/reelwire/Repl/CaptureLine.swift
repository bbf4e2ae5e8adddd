import EngineProtocol
import JSONRPC

/// A line about the devices of this machine.
enum CaptureLine: Sendable, Equatable {
  /// The devices of a kind; all that media comes from where it is nil.
  case devices(Kind?)
  case record(String, from: [String])

  /// A kind of devices.
  enum Kind: String, CaseIterable {
    case camera, microphone, screen
    /// Devices that play audio.
    case output

    /// Nil for devices from which nothing is recorded.
    var mediaType: WireCaptureMediaType? {
      switch self {
      case .camera: .video
      case .microphone: .audio
      case .screen: .screen
      case .output: nil
      }
    }
  }

  /// The names, with their arguments and their effects.
  private static let pages: KeyValuePairs = [
    "devices": (
      "[KIND]", "lists devices: of camera, microphone, screen or output, or all but output"
    ),
    "record": (
      "FILE DEVICE…",
      "records devices into a new file: their IDs, or camera, microphone and screen; 'stop' ends it"
    ),
  ]

  static func page(_ name: String) -> String? {
    pages.first { $0.key == name }.map { "\($0.key) \($0.value.0)\n  It \($0.value.1).\n" }
  }

  /// Nil for a line about something else.
  ///
  /// - Parameter last: the value of `_`.
  init?(_ words: [String], last: JSONValue?) throws {
    guard let name = words.first, let page = Self.pages.first(where: { $0.key == name }) else {
      return nil
    }
    let usage = CommandError.usage(
      "'\(words.joined(separator: " "))' isn't how '\(name)' is used",
      hint: "Usage: \(name) \(page.value.0). It \(page.value.1).")
    let values = try words.dropFirst().map { word in
      guard word.hasPrefix("_.") else { return word }
      guard let text = try RequestSyntax.member(word, of: last).stringValue else { throw usage }
      return text
    }
    switch (name, values.first) {
    case ("devices", nil): self = .devices(nil)
    case ("devices", let text?):
      guard values.count == 1, let kind = Kind(rawValue: text) else { throw usage }
      self = .devices(kind)
    case ("record", let file?):
      guard values.count > 1 else { throw usage }
      self = .record(file, from: Array(values.dropFirst()))
    default: throw usage
    }
  }
}
