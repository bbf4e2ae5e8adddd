import SystemIO

/// A character set of text, and how it is known.
struct CharacterSet: Sendable, Hashable {
  /// By the labels of the web (WHATWG Encoding Standard): "windows-1252", "shift_jis".
  let name: String
  /// The characters show which one it most likely is, and nothing states it.
  var isGuess = false

  static let utf8 = CharacterSet(name: "utf-8")

  /// A character set that is stated.
  ///
  /// - Parameter name: by IANA's list or the C library's, in any case.
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

  /// True for one whose characters have two or four bytes each: nothing can be read of such text without it.
  var isWide: Bool { ["utf-16", "utf-32", "ucs-2", "ucs-4"].contains { name.hasPrefix($0) } }

  /// Text as Unicode; nil where it has bytes that are none of the character set.
  func decode(_ bytes: some Collection<UInt8>) -> String? {
    if self == .utf8 { return String(validating: bytes, as: UTF8.self) }
    if name == Self.damagedUTF8.name { return String(decoding: bytes, as: UTF8.self) }
    guard var decoder = CharacterDecoder(Self.systemNames[name] ?? name) else { return nil }
    return decoder.decode(bytes)
  }

  /// UTF-8 with a few bytes that are none, which are shown as U+FFFD.
  static let damagedUTF8 = CharacterSet(name: "damaged utf-8", isGuess: true)

  /// Where the C library has another name, or a table by that name that is smaller than what programs write.
  private static let systemNames = [
    "shift_jis": "CP932", "euc-kr": "CP949", "windows-874": "CP874",
  ]
}

/// Guesses the character set of text that isn't UTF-8.
///
/// All that is known of is tried. Letters of a language's alphabet count for a set; signs, capitals after small
/// letters and letters of two scripts side by side count against it. Of sets that are as likely as each other, the
/// earlier one of the list is taken.
struct CharacterSetGuess {
  /// - Parameter lines: of the text, those that have bytes beyond ASCII.
  /// - Returns: nil where no set makes sense of the bytes.
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

  /// The average that a character has to count for.
  private static let threshold = 0.4

  /// True if only few bytes of text are none of UTF-8, which other sets don't resemble by chance.
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
  /// The letters that are frequent; of scripts without capitals and of few letters, all.
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
    // German, French, Spanish and Catalan, Portuguese, Italian, of the north, Dutch, Icelandic.
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

  /// How well a text fits, by the average of its characters beyond ASCII: 1 for one of this language's letters only.
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
    // Controls stand for bytes that are none of the set.
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
