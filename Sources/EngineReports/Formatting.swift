import EngineProtocol
import MediaTime

/// Numbers for a person. They are rounded; `--json` prints exact ones.
package enum Formatting {
  /// `5 s`, `3:25.2`, `1:02:03.5`.
  package static func duration(_ time: Time) -> String {
    guard time.isNumeric else { return time.isPositiveInfinity ? "endless" : "unknown duration" }
    let seconds = time.seconds
    if abs(seconds) < 60 { return "\(number(seconds, places: 3)) s" }
    return clock(seconds, places: 1)
  }

  /// `0:05.000`, `1:02:03.500`.
  package static func position(_ time: Time) -> String {
    guard time.isNumeric else { return time.description }
    return clock(time.seconds, places: 3, isPadded: true)
  }

  /// Hours, minutes and seconds.
  package static func clock(_ seconds: Double, places: Int, isPadded: Bool = false) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "?" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let units = Int((abs(seconds) * Double(scale)).rounded())
    let (whole, part) = (units / scale, units % scale)
    var text = twoDigits(whole % 60)
    if part > 0 || isPadded && places > 0 {
      let digits = String(String(part + scale).dropFirst())
      text += "." + (isPadded ? digits : trimmed(digits))
    }
    let minutes = whole / 60
    let front = minutes >= 60 ? "\(minutes / 60):\(twoDigits(minutes % 60))" : "\(minutes)"
    return (seconds < 0 ? "-" : "") + "\(front):\(text)"
  }

  /// At most `places` decimal places, without zeros at the end.
  package static func number(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let units = Int((abs(value) * scale).rounded())
    let (whole, part) = units.quotientAndRemainder(dividingBy: Int(scale))
    let digits = trimmed(String(String(part + Int(scale)).dropFirst()))
    return (value < 0 && units > 0 ? "-" : "")
      + (digits.isEmpty ? "\(whole)" : "\(whole).\(digits)")
  }

  /// `812 bytes`, `14.2 kB`, `3.1 MB`.
  package static func size(_ bytes: Int64) -> String {
    bytes < 1000 ? "\(bytes) bytes" : scaled(Double(bytes), "B")
  }

  /// `128 kbit/s`, `4.1 Mbit/s`.
  package static func bitRate(_ rate: Double) -> String { scaled(rate, "bit/s") }

  private static func scaled(_ value: Double, _ unit: String) -> String {
    var (value, prefixes) = (value, ["", "k", "M", "G", "T"][...])
    while value >= 999.5, prefixes.count > 1 {
      value /= 1000
      prefixes = prefixes.dropFirst()
    }
    return
      "\(number(value, places: value < 10 ? 2 : value < 100 ? 1 : 0)) \(prefixes.first ?? "")\(unit)"
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func trimmed(_ digits: String) -> String {
    var digits = digits[...]
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    return String(digits)
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The extension of a file's name, in lower case; nil when there is none.
  package static func fileExtension(_ path: String) -> String? {
    let parts = name(of: path).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.last.map { $0.lowercased() } : nil
  }

  /// The last component of a path without its extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return name }
    return String(name[..<point])
  }
}
