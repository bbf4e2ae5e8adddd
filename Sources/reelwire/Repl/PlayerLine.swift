import JSONRPC
import MediaTime

/// A line about the conversation's player.
enum PlayerLine: Sendable, Equatable {
  /// Files and handles to play; none to continue.
  case play([String])
  case pause
  case seek(Time)
  case step(Int)
  case rate(Double)
  case volume(Double)
  case next
  case stop

  /// The names, with their arguments and their effects.
  static let pages: KeyValuePairs = [
    "play": ("[FILE…]", "plays files one after the other, or continues after 'pause'"),
    "pause": ("", "stops the time; the place stays"),
    "seek": ("TIME", "goes exactly to a time: \(TimeArgument.forms)"),
    "step": ("[COUNT]", "pauses, and moves by frames; below 0 backward"),
    "rate": ("RATE", "plays so fast from now on; below 0 backward, above 2 silent, 0 pauses"),
    "volume": ("VOLUME", "sets the volume, from 0 to 1"),
    "next": ("", "continues with the next file"),
    "stop": ("", "ends a recording, else playing, and closes the played files"),
  ]

  static func page(_ name: String) -> String? {
    pages.first { $0.key == name }.map { "\(usage($0))\n  It \($0.value.1).\n" }
  }

  private static func usage(_ page: (key: String, value: (String, String))) -> String {
    page.value.0.isEmpty ? page.key : "\(page.key) \(page.value.0)"
  }

  /// Nil for a line about something else.
  ///
  /// - Parameter last: the value of `_`.
  init?(_ words: [String], last: JSONValue?) throws {
    guard let name = words.first, let page = Self.pages.first(where: { $0.key == name }) else {
      return nil
    }
    let values = words.dropFirst()
    let usage = CommandError.usage(
      "'\(words.joined(separator: " "))' isn't how '\(name)' is used",
      hint: "Usage: \(Self.usage(page)). It \(page.value.1).")
    guard name == "play" || values.count <= (page.value.0.isEmpty ? 0 : 1) else { throw usage }
    switch (name, values.first) {
    case ("play", _):
      self = .play(
        try values.map { word in
          guard word.hasPrefix("_.") else { return word }
          guard let text = try RequestSyntax.member(word, of: last).stringValue else { throw usage }
          return text
        })
    case ("pause", _): self = .pause
    case ("next", _): self = .next
    case ("stop", _): self = .stop
    case ("step", nil): self = .step(1)
    case ("step", let text?):
      guard let count = Int(text) else { throw usage }
      self = .step(count)
    case ("seek", let text?):
      guard let time = Time(string: text) else { throw usage }
      self = .seek(time)
    case ("rate", let text?):
      guard let rate = Double(text) else { throw usage }
      self = .rate(rate)
    case ("volume", let text?):
      guard let volume = Double(text) else { throw usage }
      self = .volume(volume)
    default: throw usage
    }
  }
}
