import Glibc
import SystemIO

/// A character set of text, and the way in which it was determined.
struct CharacterSet: Sendable, Hashable {
  /// The label in the WHATWG Encoding Standard: "windows-1252", "shift_jis".
  let name: String
  /// True if it is the most likely set for the characters, and isn't stated anywhere.
  var isGuess = false

  static let utf8 = CharacterSet(name: "utf-8")

  /// Returns a character set that is stated.
  ///
  /// - Parameter name: in IANA's list or the C library's, in any case.
  /// - Throws: `incorrectlyConfigured` for one that the C library has no table of.
  static func named(_ name: String) throws(EngineError) -> CharacterSet {
    let label = name.lowercased()
    if ["utf-8", "utf8"].contains(label) { return .utf8 }
    guard CharacterDecoder(systemNames[label] ?? label) != nil else {
      throw EngineError(
        .incorrectlyConfigured, "'\(name)' is no character set that is known here",
        advice: .nameCharacterSet)
    }
    return CharacterSet(name: label)
  }

  /// True if characters have two or four bytes each: such text can't be read without the character
  /// set.
  var isWide: Bool { ["utf-16", "utf-32", "ucs-2", "ucs-4"].contains { name.hasPrefix($0) } }

  /// Returns text as Unicode; nil if it has bytes that are invalid in the character set.
  func decode(_ bytes: some Collection<UInt8>) -> String? {
    if self == .utf8 { return String(validating: bytes, as: UTF8.self) }
    if name == Self.damagedUTF8.name { return String(decoding: bytes, as: UTF8.self) }
    guard var decoder = CharacterDecoder(Self.systemNames[name] ?? name) else { return nil }
    return decoder.decode(bytes)
  }

  /// Returns the number of the first line that has invalid bytes, from 1 on; nil if the lines are valid.
  func firstInvalidLine(of bytes: [UInt8]) -> Int? {
    let width = isWide ? (["utf-32", "ucs-4"].contains { name.hasPrefix($0) } ? 4 : 2) : 1
    var (line, start) = (1, 0)
    for place in stride(from: 0, to: bytes.count, by: width) {
      let end = min(place + width, bytes.count)
      let isLast = end == bytes.count
      // A line feed of either byte order.
      let isEnd =
        bytes[place..<end].reduce(0) { $0 + Int($1) } == 10 && bytes[place..<end].contains(10)
      guard isEnd || isLast else { continue }
      if decode(bytes[start..<end]) == nil { return line }
      (line, start) = (line + 1, end)
    }
    return nil
  }

  /// UTF-8 with a few invalid bytes, which are shown as U+FFFD.
  static let damagedUTF8 = CharacterSet(name: "damaged utf-8", isGuess: true)

  /// Names of the C library that differ, or whose own table by that name is smaller than the one
  /// that programs write.
  private static let systemNames = [
    "shift_jis": "CP932", "euc-kr": "CP949", "windows-874": "CP874",
  ]
}

/// Guesses the character set of text that isn't UTF-8.
///
/// Tries all known languages and their character sets. The letters of a language count for a set, by their frequency
/// in the language. Signs, capitals after small letters, adjacent letters of two scripts and forms of letters that
/// are in the wrong place count against it. Of equally likely sets, the earlier
/// one in the list is used.
struct CharacterSetGuess {
  /// - Parameter lines: the lines of the text that have bytes beyond ASCII.
  /// - Returns: nil if the bytes aren't plausible in any set.
  static func characterSet(of lines: [UInt8]) -> CharacterSet? {
    guard !isMostlyUTF8(lines) else { return .damagedUTF8 }
    var best: (name: String, score: Double)?
    for alphabet in Alphabet.all {
      guard let text = CharacterSet(name: alphabet.characterSet).decode(lines) else { continue }
      let scalars = Array(text.unicodeScalars)
      let plausibility = alphabet.score(of: scalars)
      guard plausibility >= threshold else { continue }
      // Two bytes make a frequent character by chance more seldom than one.
      let evidence = scalars.count < lines.count ? 0.2 : 0
      let score = plausibility + evidence + alphabet.likelihood(of: scalars)
      if best.map({ score > $0.score + 0.001 }) ?? true { best = (alphabet.characterSet, score) }
    }
    return best.map { CharacterSet(name: $0.name, isGuess: true) }
  }

  /// The minimum average score of a character.
  private static let threshold = 0.4

  /// Returns true if only few bytes of text are invalid UTF-8, which other sets don't resemble by
  /// chance.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    var (right, wrong) = (0, 0)
    for scalar in text.unicodeScalars where scalar.value >= 0x80 {
      if scalar.value == 0xFFFD { wrong += 1 } else { right += 1 }
    }
    return right > 4 * wrong
  }
}

/// The letters of a language, and a character set that it is written in.
struct Alphabet {
  let characterSet: String
  /// The letters that count: of Latin, those beyond ASCII; of scripts with many characters, the frequent ones.
  private let letters: Set<Unicode.Scalar>
  /// The logarithms of the letters' frequencies; empty for scripts with many characters.
  private let frequencies: [Unicode.Scalar: Double]
  /// The script's other letters; empty for Latin, where a language has no others.
  private let script: [ClosedRange<UInt32>]
  /// The forms of letters that have no letter after them.
  private let finals: Set<Unicode.Scalar>
  /// The forms of letters that have another form where no letter is after them.
  private let medials: Set<Unicode.Scalar>

  /// - Parameter frequent: the frequent characters of a script with many.
  init(
    _ characterSet: String, frequent: String, script: [ClosedRange<UInt32>]
  ) {
    self.characterSet = characterSet
    letters = Set(frequent.unicodeScalars)
    frequencies = [:]
    self.script = script
    (finals, medials) = ([], [])
  }

  /// - Parameters:
  ///   - order: the small letters in the order of their frequency.
  ///   - script: empty for Latin.
  init(
    _ characterSet: String, _ order: String, script: [ClosedRange<UInt32>] = [],
    finals: String = "", medials: String = ""
  ) {
    self.characterSet = characterSet
    self.script = script
    (self.finals, self.medials) = (Set(finals.unicodeScalars), Set(medials.unicodeScalars))
    let scalars = Array(order.unicodeScalars)
    // Latin languages differ in the number of letters beyond ASCII; other scripts are compared as they are.
    let usual = script.isEmpty ? 30 : Double(scalars.count)
    frequencies = Alphabet.frequencies(inOrder: scalars, relativeTo: 1 / usual)
    letters = Set(
      order.unicodeScalars.filter { $0.value >= 0x80 }.flatMap { letter in
        [letter] + letter.properties.uppercaseMapping.unicodeScalars
      })
  }

  /// Returns the frequencies of letters by the law of Gusein-Zade, which follows from the order alone: the letter at place
  /// r of n has ln((n + 1) / r) / n. They are logarithms to the base 2 of multiples of `unit`.
  private static func frequencies(
    inOrder order: [Unicode.Scalar], relativeTo unit: Double
  ) -> [Unicode.Scalar: Double] {
    let count = Double(order.count)
    var frequencies: [Unicode.Scalar: Double] = [:]
    for (place, letter) in order.enumerated() {
      let frequency = log((count + 1) / Double(place + 1)) / count
      frequencies[letter] = max(rare, log2(frequency / unit))
    }
    return frequencies
  }

  /// The frequency of letters that a language has in foreign names only.
  private static let rare = -3.0

  /// Returns the average score of a text's characters beyond ASCII: about 1 for letters of this language only.
  func score(of text: [Unicode.Scalar]) -> Double {
    var (sum, count) = (0.0, 0)
    for place in text.indices where text[place].value >= 0x80 {
      count += 1
      let previous = place > 0 ? text[place - 1] : " "
      let next = place + 1 < text.count ? text[place + 1] : " "
      sum += score(of: text[place], after: previous, before: next)
    }
    guard count > 0 else { return 0 }
    return sum / Double(count)
  }

  /// Returns the average frequency of all letters of a text in a Latin alphabet, scaled for a score: ASCII differs between
  /// languages, too. 0 for other scripts.
  func likelihood(of text: [Unicode.Scalar]) -> Double {
    guard script.isEmpty else { return 0 }
    var (sum, count) = (0.0, 0)
    for character in text where isLetter(character) {
      count += 1
      sum += frequency(of: character) ?? Self.rare
    }
    return count > 0 ? sum / Double(count) / 2 - 0.1 : 0
  }

  private func frequency(of character: Unicode.Scalar) -> Double? {
    frequencies[character.properties.lowercaseMapping.unicodeScalars.first ?? character]
  }

  private func score(
    of character: Unicode.Scalar, after previous: Unicode.Scalar, before next: Unicode.Scalar
  ) -> Double {
    // Controls stand for bytes that are invalid in the set.
    if character.value < 0xA0 { return -2 }
    if Self.punctuation.contains(character) {
      let opens = "¿¡«‹„".unicodeScalars.contains(character)
      // The same bytes are letters in another set.
      let isWithin =
        "©®§°«»".unicodeScalars.contains(character) && isLetter(previous) && isLetter(next)
      return isWithin || opens && isLetter(previous) ? -1 : 0.6
    }
    let isKnown = letters.contains(character)
    guard isKnown || script.contains(where: { $0.contains(character.value) }) else {
      return -0.7
    }
    var score = isKnown ? 1 : 0.3
    if script.isEmpty {
      for other in [previous, next] where other.value >= 0xC0 && isLetter(other) { score -= 0.25 }
    } else {
      for other in [previous, next] where other.value < 0x80 && isLetter(other) { score -= 0.75 }
      if !frequencies.isEmpty {
        score += (isKnown ? -0.3 : 0.4) + 0.3 * (frequency(of: character) ?? Self.rare)
        // A text of small letters in one set of Cyrillic is one of capitals in another.
        if character.properties.isUppercase { score -= 0.3 }
      }
    }
    if character.properties.isUppercase, previous.properties.isLowercase { score -= 1 }
    if Self.isMisplacedThai(character, after: previous, before: next) { score -= 1.5 }
    if finals.contains(character), isLetter(next) { score -= 1 }
    if medials.contains(character), isLetter(previous), !isLetter(next) { score -= 1 }
    return score
  }

  /// True for a Thai vowel or mark above or below no consonant, and for a vowel that is written before a consonant and
  /// isn't (The Unicode Standard, 16.1).
  private static func isMisplacedThai(
    _ character: Unicode.Scalar, after previous: Unicode.Scalar, before next: Unicode.Scalar
  ) -> Bool {
    func isConsonant(_ other: Unicode.Scalar) -> Bool { (0xE01...0xE2E).contains(other.value) }
    func isMark(_ other: Unicode.Scalar) -> Bool {
      switch other.value {
      case 0xE31, 0xE34...0xE3A, 0xE47...0xE4E: true
      default: false
      }
    }
    if isMark(character) { return !isConsonant(previous) && !isMark(previous) }
    return (0xE40...0xE44).contains(character.value) && !isConsonant(next)
  }

  private func isLetter(_ character: Unicode.Scalar) -> Bool { character.properties.isAlphabetic }

  private static let punctuation = Set(
    "\u{a0}’‘‚“”„…–—«»‹›¿¡°€£§©®·•ªº♪№、。，！？：；「」『』（）～　・".unicodeScalars)
}
