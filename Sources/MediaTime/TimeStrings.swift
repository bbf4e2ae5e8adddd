extension Time: CustomStringConvertible {
  /// CMTimeCopyDescription's form: `{3/600 = 0.005}`, `{1/3 = 0.333, rounded}`, `{+INFINITY}`.
  ///
  /// The seconds have three places. An epoch that isn't 0 follows as `, epoch = 2`.
  public var description: String {
    guard isNumeric else {
      if isPositiveInfinity { return "{+INFINITY}" }
      if isNegativeInfinity { return "{-INFINITY}" }
      return isIndefinite ? "{INDEFINITE}" : "{INVALID}"
    }
    let (whole, places) = decimal
    let sign = value < 0 ? "-" : ""
    let rounded = hasBeenRounded ? ", rounded" : ""
    let epochs = epoch == 0 ? "" : ", epoch = \(epoch)"
    return "{\(value)/\(timescale) = \(sign)\(whole).\(places)\(rounded)\(epochs)}"
  }

  /// The time for people, in seconds with at most three places: `3.967 s`, `20 s`.
  ///
  /// A time that is no number has its name on the wire: `+infinity`, `-infinity`, `indefinite`,
  /// `invalid`.
  public var secondsDescription: String {
    guard isNumeric else {
      if isPositiveInfinity { return "+infinity" }
      if isNegativeInfinity { return "-infinity" }
      return isIndefinite ? "indefinite" : "invalid"
    }
    var (whole, places) = decimal
    while places.last == "0" { places.removeLast() }
    let sign = value < 0 && !(whole == 0 && places.isEmpty) ? "-" : ""
    return "\(sign)\(whole)\(places.isEmpty ? "" : ".")\(places) s"
  }

  /// The exact time for people: ``secondsDescription`` if three places are exact, else the
  /// fraction, `1/3 s`.
  public var exactDescription: String {
    let isExact = !isNumeric || (Int128(value) * 1000) % Int128(timescale) == 0
    return isExact ? secondsDescription : "\(value)/\(timescale) s"
  }

  /// The absolute number of seconds: the whole seconds, and three decimal places.
  private var decimal: (whole: UInt128, places: String) {
    let (whole, part) = fraction.thousandths.quotientAndRemainder(dividingBy: 1000)
    return (whole, String(String(part + 1000).dropFirst()))
  }

  /// Parses a time in any of its string forms on the wire.
  ///
  /// These are `"3.5"`, `"1001/30000"`, `"00:01:00.500"`, `"01:30"`, `"+infinity"`, `"-infinity"`,
  /// `"indefinite"` and `"invalid"`.
  /// Each numeric form may begin with a sign. Digits are required on both sides of a point;
  /// exponents and spaces are not accepted. In hours:minutes:seconds or minutes:seconds every field
  /// but the first has two digits below 60. A fraction retains its timescale where it fits. Decimal
  /// places are exact, in lowest terms; those that no time holds are rounded to the nearest
  /// nanosecond and marked as rounded. Nil when the text has another form, when a denominator is 0,
  /// or when the number is beyond 2^63 seconds.
  public init?(string: String) {
    switch string {
    case "+infinity": self = .positiveInfinity
    case "-infinity": self = .negativeInfinity
    case "indefinite": self = .indefinite
    case "invalid": self = .invalid
    default:
      var text = Substring(string)
      let isNegative = text.first == "-"
      if isNegative || text.first == "+" { text.removeFirst() }
      let time =
        text.contains("/")
        ? Time.parseRatio(text, isNegative: isNegative)
        : Time.parseSeconds(text, isNegative: isNegative)
      guard let time, time.isNumeric else { return nil }
      self = time
    }
  }

  private static func parseRatio(_ text: Substring, isNegative: Bool) -> Time? {
    let fields = text.split(separator: "/", omittingEmptySubsequences: false)
    guard fields.count == 2, let numerator = digits(fields[0]), let scale = digits(fields[1]),
      scale > 0
    else { return nil }
    let signed = Int128(numerator)
    return Fraction(isNegative ? -signed : signed, over: Int128(scale))
      .nearestTime(preferring: Int64(clamping: scale), isRounded: false, epoch: 0)
  }

  private static func parseSeconds(_ text: Substring, isNegative: Bool) -> Time? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let whole = clock(first) else { return nil }
    var (part, scale, isExact) = (UInt128(0), UInt128(1), true)
    if parts.count == 2 {
      guard !parts[1].isEmpty else { return nil }
      for character in parts[1].utf8 {
        guard let digit = digit(character) else { return nil }
        // Eighteen places decide the nanosecond; beyond them only exactness is at stake.
        if scale < 1_000_000_000_000_000_000 {
          part = part * 10 + digit
          scale *= 10
        } else if digit != 0 {
          isExact = false
        }
      }
    }
    guard whole <= UInt128(Int64.min.magnitude) else { return nil }
    let numerator = Int128(whole * scale + part)
    let exact = Fraction(isNegative ? -numerator : numerator, over: Int128(scale))
    let time = exact.nearestTime(preferring: 0, isRounded: false, epoch: 0)
    if isExact && !time.hasBeenRounded { return time }
    return exact.time(timescale: 1_000_000_000, isRounded: true, epoch: 0).reduced
  }

  /// Returns the whole seconds of `s`, `m:ss` or `h:mm:ss`.
  private static func clock(_ text: Substring) -> UInt128? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3, let first = fields.first, var total = digits(first) else { return nil }
    for field in fields.dropFirst() {
      guard field.utf8.count == 2, let number = digits(field), number < 60 else { return nil }
      total = total * 60 + number
    }
    return total
  }

  /// Returns a number of at least one ASCII digit below 2^64.
  private static func digits(_ text: Substring) -> UInt128? {
    guard !text.isEmpty else { return nil }
    var number = UInt128(0)
    for character in text.utf8 {
      guard let digit = digit(character) else { return nil }
      number = number * 10 + digit
      guard number <= UInt128(UInt64.max) else { return nil }
    }
    return number
  }

  private static func digit(_ character: UInt8) -> UInt128? {
    guard character >= 0x30, character <= 0x39 else { return nil }
    return UInt128(character - 0x30)
  }
}

/// A time's fields under the keys of CMTimeCopyAsDictionary.
public struct TimeDictionary: Sendable, Hashable, Codable {
  /// The number of ticks.
  public var value: Int64
  /// Ticks a second.
  public var timescale: Int32
  /// The time line that the value belongs to.
  public var epoch: Int64
  /// CMTimeFlags' bits.
  public var flags: UInt32

  /// Makes a dictionary from any fields; `Time.init(dictionary:)` puts them in order.
  public init(value: Int64, timescale: Int32, epoch: Int64, flags: UInt32) {
    self.value = value
    self.timescale = timescale
    self.epoch = epoch
    self.flags = flags
  }
}

extension Time {
  /// CMTimeCopyAsDictionary: the fields as they are.
  public var dictionary: TimeDictionary {
    TimeDictionary(value: value, timescale: timescale, epoch: epoch, flags: flags.rawValue)
  }

  /// CMTimeMakeFromDictionary: a time from its fields, by the rules of
  /// `init(value:timescale:flags:epoch:)`.
  public init(dictionary: TimeDictionary) {
    self.init(
      value: dictionary.value, timescale: dictionary.timescale,
      flags: Flags(rawValue: dictionary.flags), epoch: dictionary.epoch)
  }
}
