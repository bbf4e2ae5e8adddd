// Languages in the forms of containers and of BCP 47.

/// Returns the BCP 47 tag of an ISO 639-2 code, nil for "und" and other texts.
func bcp47(ofISO639 code: String) -> String? {
  guard code.count == 3, code != "und" else { return code.count == 2 ? code : nil }
  return twoLetterCodes[terminologicalCodes[code] ?? code] ?? code
}

/// Returns the ISO 639-2/T code of a container's language, nil if it states none.
func iso639T(of code: String) -> String? {
  let lower = code.lowercased()
  guard !lower.isEmpty, lower != "und" else { return nil }
  if let terminological = terminologicalCodes[lower] { return terminological }
  if lower.count == 2 { return twoLetterCodes.first { $0.value == lower }?.key ?? lower }
  return lower
}

/// Returns the ISO 639-2/T code of a BCP 47 tag's language, nil if the tag has none.
func iso639(ofTag tag: String) -> String? {
  tag.split(separator: "-").first.flatMap { iso639T(of: String($0)) }
}

/// Returns true if a BCP 47 tag matches a wanted language: one of the two begins with all parts of
/// the other, in any case. "en-US" matches "en", and "en" is accepted for "en-US"; "en-GB" isn't.
public func languageTag(_ tag: String, matches wanted: String) -> Bool {
  languageDistance(of: tag, from: wanted) != nil
}

/// Returns the distance of a tag from a language: 0 for one that is the language or a part of it,
/// more for one that is more general; nil if they have nothing in common.
func languageDistance(of tag: String, from language: String) -> Int? {
  let tag = tag.lowercased().split(separator: "-")
  let language = language.lowercased().split(separator: "-")
  guard !language.isEmpty, !tag.isEmpty else { return nil }
  if tag.starts(with: language) { return 0 }
  return language.starts(with: tag) ? min(language.count - tag.count, 999) : nil
}

/// A language in the 16 bits of a movie's boxes.
struct PackedLanguage: Hashable, Sendable {
  /// Either a language code of the classic Mac OS, below 0x400, or three letters of five bits each,
  /// counted from 0x60 (ISO/IEC 14496-12, `mdhd`).
  var rawValue: UInt16

  /// QuickTime's "unspecified", whose text is Mac OS Roman.
  static let unspecified = PackedLanguage(rawValue: 0x7FFF)
  /// "und".
  static let undetermined = PackedLanguage(rawValue: 0x55C4)

  var isMacintosh: Bool { rawValue < 0x400 }

  /// The ISO 639-2/T code; nil for an unspecified or undetermined language, and for values that
  /// aren't languages.
  var iso639T: String? {
    if isMacintosh {
      return macintoshLanguages[Int(rawValue)]
    }
    guard self != .unspecified else { return nil }
    var code = ""
    for shift in [10, 5, 0] {
      let letter = UInt8(truncatingIfNeeded: (rawValue >> shift) & 31) + 0x60
      guard (0x61...0x7A).contains(letter) else { return nil }
      code.unicodeScalars.append(Unicode.Scalar(letter))
    }
    return MediaEngine.iso639T(of: code)
  }

  /// BCP 47.
  var tag: String? {
    switch rawValue {
    case 19: "zh-Hant"
    case 33: "zh-Hans"
    default: iso639T.flatMap(bcp47(ofISO639:))
    }
  }
}

/// ISO 639-2/B codes that differ from their /T ones.
private let terminologicalCodes = [
  "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld",
  "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri",
  "may": "msa", "per": "fas", "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
]

/// ISO 639-1 codes of the languages that have one, by ISO 639-2/T.
private let twoLetterCodes = [
  "aar": "aa", "abk": "ab", "afr": "af", "aka": "ak", "amh": "am", "ara": "ar", "arg": "an",
  "asm": "as", "ava": "av", "ave": "ae", "aym": "ay", "aze": "az", "bak": "ba", "bam": "bm",
  "bel": "be", "ben": "bn", "bis": "bi", "bod": "bo", "bos": "bs", "bre": "br", "bul": "bg",
  "cat": "ca", "ces": "cs", "cha": "ch", "che": "ce", "chu": "cu", "chv": "cv", "cor": "kw",
  "cos": "co", "cre": "cr", "cym": "cy", "dan": "da", "deu": "de", "div": "dv", "dzo": "dz",
  "ell": "el", "eng": "en", "epo": "eo", "est": "et", "eus": "eu", "ewe": "ee", "fao": "fo",
  "fas": "fa", "fij": "fj", "fin": "fi", "fra": "fr", "fry": "fy", "ful": "ff", "gla": "gd",
  "gle": "ga", "glg": "gl", "glv": "gv", "grn": "gn", "guj": "gu", "hat": "ht", "hau": "ha",
  "heb": "he", "her": "hz", "hin": "hi", "hmo": "ho", "hrv": "hr", "hun": "hu", "hye": "hy",
  "ibo": "ig", "ido": "io", "iii": "ii", "iku": "iu", "ile": "ie", "ina": "ia", "ind": "id",
  "ipk": "ik", "isl": "is", "ita": "it", "jav": "jv", "jpn": "ja", "kal": "kl", "kan": "kn",
  "kas": "ks", "kat": "ka", "kau": "kr", "kaz": "kk", "khm": "km", "kik": "ki", "kin": "rw",
  "kir": "ky", "kom": "kv", "kon": "kg", "kor": "ko", "kua": "kj", "kur": "ku", "lao": "lo",
  "lat": "la", "lav": "lv", "lim": "li", "lin": "ln", "lit": "lt", "ltz": "lb", "lub": "lu",
  "lug": "lg", "mah": "mh", "mal": "ml", "mar": "mr", "mkd": "mk", "mlg": "mg", "mlt": "mt",
  "mon": "mn", "mri": "mi", "msa": "ms", "mya": "my", "nau": "na", "nav": "nv", "nbl": "nr",
  "nde": "nd", "ndo": "ng", "nep": "ne", "nld": "nl", "nno": "nn", "nob": "nb", "nor": "no",
  "nya": "ny", "oci": "oc", "oji": "oj", "ori": "or", "orm": "om", "oss": "os", "pan": "pa",
  "pli": "pi", "pol": "pl", "por": "pt", "pus": "ps", "que": "qu", "roh": "rm", "ron": "ro",
  "run": "rn", "rus": "ru", "sag": "sg", "san": "sa", "sin": "si", "slk": "sk", "slv": "sl",
  "sme": "se", "smo": "sm", "sna": "sn", "snd": "sd", "som": "so", "sot": "st", "spa": "es",
  "sqi": "sq", "srd": "sc", "srp": "sr", "ssw": "ss", "sun": "su", "swa": "sw", "swe": "sv",
  "tah": "ty", "tam": "ta", "tat": "tt", "tel": "te", "tgk": "tg", "tgl": "tl", "tha": "th",
  "tir": "ti", "ton": "to", "tsn": "tn", "tso": "ts", "tuk": "tk", "tur": "tr", "twi": "tw",
  "uig": "ug", "ukr": "uk", "urd": "ur", "uzb": "uz", "ven": "ve", "vie": "vi", "vol": "vo",
  "wln": "wa", "wol": "wo", "xho": "xh", "yid": "yi", "yor": "yo", "zha": "za", "zho": "zh",
  "zul": "zu",
]

/// ISO 639-2/T by the language codes of the classic Mac OS (QuickTime File Format, "Language Code
/// Values").
private let macintoshLanguages: [Int: String] = {
  let first = [
    "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara",
    "fin", "ell", "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol",
    "hun", "est", "lav", "sme", "fao", "fas", "rus", "zho", "nld", "gle", "sqi", "ron", "ces",
    "slk", "slv", "yid", "srp", "mkd", "bul", "ukr", "bel", "uzb", "kaz", "aze", "aze", "hye",
    "kat", "ron", "kir", "tgk", "tuk", "mon", "mon", "pus", "kur", "kas", "snd", "bod", "nep",
    "san", "mar", "ben", "asm", "guj", "pan", "ori", "mal", "kan", "tam", "tel", "sin", "mya",
    "khm", "lao", "vie", "ind", "tgl", "msa", "msa", "amh", "tir", "orm", "som", "swa", "kin",
    "run", "nya", "mlg", "epo",
  ]
  let second = [
    "cym", "eus", "cat", "lat", "que", "grn", "aym", "tat", "uig", "dzo", "jav", "sun", "glg",
    "afr", "bre", "iku", "gla", "glv", "gle", "ton", "ell", "kal", "aze",
  ]
  var result: [Int: String] = [:]
  for (code, language) in first.enumerated() { result[code] = language }
  for (code, language) in second.enumerated() { result[128 + code] = language }
  return result
}()

/// Returns the ISO 639-2/B code of a /T one: "ger" of "deu"; they are usually the same.
func iso639B(of code: String) -> String {
  terminologicalCodes.first { $0.value == code }?.key ?? code
}
