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
/// Tries all known character sets. Letters of a language's alphabet count for a set. Signs,
/// capitals after small letters and adjacent letters of two scripts count against it. Of equally
/// likely sets, the earlier one in the list is used.
struct CharacterSetGuess {
  /// - Parameter lines: the lines of the text that have bytes beyond ASCII.
  /// - Returns: nil if the bytes aren't plausible in any set.
  static func characterSet(of lines: [UInt8]) -> CharacterSet? {
    guard !isMostlyUTF8(lines) else { return .damagedUTF8 }
    var best: (name: String, score: Double)?
    for alphabet in Alphabet.all {
      guard let text = CharacterSet(name: alphabet.characterSet).decode(lines) else { continue }
      let score = alphabet.score(of: Array(text.unicodeScalars))
      if score >= threshold, score > (best?.score ?? 0) + 0.001 {
        best = (alphabet.characterSet, score)
      }
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
  /// The frequent letters; for scripts without capitals and with few letters, all.
  private let frequent: Set<Unicode.Scalar>
  /// The script's other letters; empty for Latin, where a language has no others.
  private let script: [ClosedRange<UInt32>]

  private init(
    _ characterSet: String, _ frequent: String, script: [ClosedRange<UInt32>] = []
  ) {
    self.characterSet = characterSet
    self.frequent = Set(frequent.unicodeScalars)
    self.script = script
  }

  private static let cyrillic: [ClosedRange<UInt32>] = [0x400...0x45F, 0x490...0x491]
  private static let ideographs: [ClosedRange<UInt32>] = [0x4E00...0x9FFF]
  private static let simplified =
    "的一是不了我你在有他这个们来到说好么就那要会也没吗什看去她对过吧想得能下自上为人大和知道时可以"
  private static let traditional =
    "的一是不了我你在有他這個們來到說好麼就那要會也沒嗎什看去她對過吧想得能下自上為人大和知道時可以"
  private static let kana =
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    + "がぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょ"
    + "アイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤユヨラリルレロワン"
    + "ガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョー"

  static let all: [Alphabet] = [
    // German, French, Spanish and Catalan, Portuguese, Italian, Nordic languages, Dutch, Icelandic.
    Alphabet("windows-1252", "äöüßÄÖÜ"), Alphabet("windows-1252", "éèêëàâçîïôùûüœæÿÉÈÊÀÂÇÎÔŒ"),
    Alphabet("windows-1252", "áéíóúñüàèòçïÁÉÍÓÚÑ"),
    Alphabet("windows-1252", "ãõáéíóúâêôçàüÁÉÃÕÂÊÔÇÀ"),
    Alphabet("windows-1252", "àèéìòùÀÈÉÌÒÙ"), Alphabet("windows-1252", "åäöæøéüÅÄÖÆØÉ"),
    Alphabet("windows-1252", "äöüßéèêëàâçîôùûÄÖÜÉÈÀÇ"),
    Alphabet("windows-1252", "éëïöüèáíó"), Alphabet("windows-1252", "áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ"),
    // Polish, Czech and Slovak, Hungarian, Romanian, Croatian and Slovene.
    Alphabet("windows-1250", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
    Alphabet("windows-1250", "áčďéěíňóřšťúůýžľĺŕäôÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
    Alphabet("windows-1250", "áéíóöőúüűÁÉÍÓÖŐÚÜŰ"), Alphabet("windows-1250", "ăâîşţĂÂÎŞŢ"),
    Alphabet("windows-1250", "čćđšžČĆĐŠŽ"),
    Alphabet("windows-1254", "çğıöşüâîûÇĞİÖŞÜ"),
    Alphabet("windows-1257", "ąčęėįšųūžāēģīķļņõäöüĄČĘĖĮŠŲŪŽĀĒĢĪĶĻŅÕÄÖÜ"),
    Alphabet("windows-1251", "оеаинтсрвл", script: cyrillic),
    Alphabet("koi8-r", "оеаинтсрвл", script: cyrillic),
    Alphabet("ibm866", "оеаинтсрвл", script: cyrillic),
    Alphabet("windows-1253", "αοιετσςνηυρπκμλάίόήέύώ", script: [0x386...0x3CE]),
    Alphabet("windows-1255", "יוהלאתבשמר", script: [0x5D0...0x5EA]),
    Alphabet("windows-1256", "اليمنوتربدعهسكفقحجىأة", script: [0x621...0x652]),
    Alphabet("windows-874", "กานรอมยเงลวทสดตบคปหแจ่้ัีิุไโใะ", script: [0xE01...0xE4E]),
    Alphabet("shift_jis", kana, script: ideographs),
    Alphabet("euc-jp", kana, script: ideographs),
    Alphabet("gb18030", simplified, script: ideographs),
    Alphabet("big5", traditional, script: ideographs),
    Alphabet(
      "euc-kr", "이다는을가고에의하지나어아사니리도시기그있한서자로은들해게요라인만대네야무거내보너일여",
      script: [0xAC00...0xD7A3]),
  ]

  /// Returns the average score of a text's characters beyond ASCII: 1 for letters of this language
  /// only.
  func score(of text: [Unicode.Scalar]) -> Double {
    var (sum, count) = (0.0, 0)
    for place in text.indices where text[place].value >= 0x80 {
      count += 1
      let previous = place > 0 ? text[place - 1] : " "
      let next = place + 1 < text.count ? text[place + 1] : " "
      sum += score(of: text[place], after: previous, before: next)
    }
    return count > 0 ? sum / Double(count) : 0
  }

  private func score(
    of character: Unicode.Scalar, after previous: Unicode.Scalar, before next: Unicode.Scalar
  ) -> Double {
    // Controls stand for bytes that are invalid in the set.
    if character.value < 0xA0 { return -2 }
    if Self.punctuation.contains(character) {
      let opens = character == "¿" || character == "¡"
      return opens && isLetter(previous) ? -1 : 0.6
    }
    let isFrequent = frequent.contains(character)
    guard isFrequent || script.contains(where: { $0.contains(character.value) }) else {
      return -0.7
    }
    var score = isFrequent ? 1 : 0.3
    if script.isEmpty {
      for other in [previous, next] where other.value >= 0xC0 && isLetter(other) { score -= 0.25 }
    } else {
      for other in [previous, next] where other.value < 0x80 && isLetter(other) { score -= 0.75 }
    }
    if character.properties.isUppercase, previous.properties.isLowercase { score -= 1 }
    return score
  }

  private func isLetter(_ character: Unicode.Scalar) -> Bool { character.properties.isAlphabetic }

  private static let punctuation = Set(
    "\u{a0}’‘‚“”„…–—«»‹›¿¡°€£§©®·•ªº♪№、。，！？：；「」『』（）～　・".unicodeScalars)
}
