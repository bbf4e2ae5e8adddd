/// Dates in metadata, in the many forms that people and programs write them.
public enum DateText {
  /// Returns the microseconds since 1970 (UTC) of a date of any precision: "2021", "2021-05",
  /// "2021-05-01", "2021:05:01 12:30:05", "2021-05-01T12:30:05.25+02:00". A date without a zone is
  /// UTC.
  public static func microseconds(_ text: String) -> Int64? {
    var reader = Reader(text)
    guard let year = reader.number(4), year > 0 else { return nil }
    var (month, day): (Int64, Int64) = (1, 1)
    if reader.skip("-:/."), let number = reader.number(2) {
      month = number
      if reader.skip("-:/."), let number = reader.number(2) { day = number }
    }
    // "0000-00-00" and a month alone, "2021-00": the date is unknown.
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    var seconds = days(year, month, day) * 86_400
    var micro: Int64 = 0
    if reader.skip("T "), let hour = reader.number(2), reader.skip(":"),
      let minute = reader.number(2)
    {
      guard hour < 24, minute < 60 else { return nil }
      seconds += hour * 3600 + minute * 60
      if reader.skip(":"), let number = reader.number(2), number <= 60 {
        seconds += number
        if reader.skip(".,") { micro = reader.fraction() }
      }
      seconds -= reader.zone()
    }
    return seconds * 1_000_000 + micro
  }

  /// Returns the microseconds of a month, "2021-05".
  static func month(_ text: String) -> ClosedRange<Int64>? {
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 2, (1...12).contains(parts[1]) else { return nil }
    let next = parts[1] == 12 ? (parts[0] + 1, 1) : (parts[0], parts[1] + 1)
    let day: Int64 = 86_400 * 1_000_000
    return days(parts[0], parts[1], 1) * day...days(next.0, next.1, 1) * day - 1
  }

  /// Returns the days since 1970-01-01 of a day of the Gregorian calendar (H. Hinnant,
  /// "chrono-compatible low-level date algorithms").
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns a date as "2021-05-01T12:30:05Z", with the decimals of the seconds that it needs.
  public static func text(_ microseconds: Int64) -> String {
    let day: Int64 = 86_400 * 1_000_000
    let days = (microseconds >= 0 ? microseconds : microseconds - day + 1) / day
    var rest = microseconds - days * day
    func take(_ unit: Int64, _ count: Int) -> String {
      defer { rest %= unit }
      let digits = String(rest / unit)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let time = "\(take(3_600_000_000, 2)):\(take(60_000_000, 2)):\(take(1_000_000, 2))"
    var fraction = rest == 0 ? "" : "." + take(1, 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(date(days))T\(time)\(fraction)Z"
  }

  /// Returns the date of a number of days: the reverse of ``days(_:_:_:)``, by the same source.
  private static func date(_ days: Int64) -> String {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let numbers = [
      yearOfEra + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1,
    ]
    return zip(numbers, [4, 2, 2]).map { number, count in
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }.joined(separator: "-")
  }

  private struct Reader {
    private var rest: Substring

    init(_ text: String) { rest = text.drop { $0 == " " }[...] }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int64? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
        return nil
      }
      rest = rest.dropFirst(count)
      return Int64(digits)
    }

    /// Skips one of these characters; returns false if there is none.
    mutating func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Reads the digits after a point, in millionths.
    mutating func fraction() -> Int64 {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      return Int64(String(digits.prefix(6)).padding(6)) ?? 0
    }

    /// Reads a zone and returns its offset from UTC in seconds, positive to the east.
    mutating func zone() -> Int64 {
      guard let sign = rest.first, sign == "+" || sign == "-" else { return 0 }
      rest = rest.dropFirst()
      guard let hours = number(2) else { return 0 }
      _ = skip(":")
      let seconds = hours * 3600 + (number(2) ?? 0) * 60
      return sign == "-" ? -seconds : seconds
    }
  }
}

extension String {
  /// Returns the text with zeros at the end, up to a length.
  fileprivate func padding(_ length: Int) -> String {
    self + String(repeating: "0", count: max(0, length - count))
  }
}
