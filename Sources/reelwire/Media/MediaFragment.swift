import EngineProtocol
import MediaTime
import Terminal

/// A file, or a part of one: `film.mp4#t=1,3.5`.
///
/// It is the temporal dimension of the W3C's Media Fragments URI 1.0 (https://www.w3.org/TR/media-frags/), in
/// Normal Play Time; its times have all forms of this command line. A part that ends after the end of the file ends
/// there.
struct MediaFragment {
  /// The argument, as it is on the command line.
  let argument: String
  /// The file, stdin or URL that is opened.
  let name: String
  /// Nil for the whole.
  let timeRange: WireTimeRange?

  init(_ argument: String) throws {
    self.argument = argument
    guard !LocalFile.exists(argument), let mark = argument.lastIndex(of: "#"),
      argument[mark...].hasPrefix("#t=")
    else {
      (name, timeRange) = (argument, nil)
      return
    }
    name = String(argument[..<mark])
    var text = argument[mark...].dropFirst(3)
    if text.hasPrefix("npt:") { text = text.dropFirst(4) }
    let times = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let begin = Self.time(times[0], orElse: .zero),
      let end = Self.time(times.count > 1 ? times[1] : "", orElse: .positiveInfinity),
      text != "", text != ",", begin < end
    else {
      throw CommandError.usage(
        "'\(text)' of '\(argument.printable)' is no part of a file",
        hint: "Write #t=START,END; times are \(TimeArgument.forms).")
    }
    timeRange = WireTimeRange(TimeRange(start: begin, duration: end - begin))
  }

  private static func time(_ text: Substring, orElse missing: Time) -> Time? {
    if text.isEmpty { return missing }
    guard let time = TimeArgument(argument: String(text))?.wire.time, time.isNumeric,
      time >= .zero
    else { return nil }
    return time
  }
}
