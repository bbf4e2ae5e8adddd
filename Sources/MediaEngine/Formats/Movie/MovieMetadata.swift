import SystemIO

// Metadata of movies: QuickTime File Format, "User Data Atoms" and "Metadata"; ISO/IEC 14496-12,
// 8.10; 3GPP TS 26.244, clause 8.

/// Reads the user data and metadata boxes of a movie or of one of its tracks.
struct MetadataReader {
  let file: BoxFile
  let isTrack: Bool

  struct UserData {
    var items: [MetadataItem] = []
    var taggedCharacteristics: [String] = []
    var kinds: [MovieTrack.Kind] = []
  }

  /// Returns the contents of a user data box (`udta`), including metadata boxes within it.
  func userData(_ udta: FileBox) throws(SystemError) -> UserData {
    var result = UserData()
    try file.forEachBox(in: udta.payload, zeroEnds: true) { (box) throws(SystemError) in
      if box.type == "meta" {
        result.items += try meta(box)
        return true
      }
      guard !structuralUserData.contains(box.type), let payload = try file.load(box) else {
        return true
      }
      switch box.type {
      case "tagc":
        let text = payload.text
        if isTrack, !text.isEmpty, result.taggedCharacteristics.count < 1000 {
          result.taggedCharacteristics.append(text)
        }
      case "kind":
        let scheme = payload.terminatedText(at: 4)
        let value = payload.terminatedText(at: 4 + scheme.size).text
        if isTrack, result.kinds.count < 1000 {
          result.kinds.append(.init(scheme: scheme.text, value: value))
        }
      default: result.items += file.admit(UserDataItems.items(box.type, payload))
      }
      return true
    }
    return result
  }

  /// Returns the items of a metadata box (`meta`), of iTunes' kind or with keys of their own.
  func meta(_ box: FileBox) throws(SystemError) -> [MetadataItem] {
    var children = box.payload
    let start = try file.peek(at: children.lowerBound, count: 8)
    // ISO's box has a version, QuickTime's begins with the first child.
    if start.fourCC(at: 4) != "hdlr", start.uint32(at: 0) == 0 {
      children = min(children.lowerBound + 4, children.upperBound)..<children.upperBound
    }
    var handler: String?
    var keys: [MetadataKey] = []
    var countries = LocaleList.countries
    var languages = LocaleList.languages
    var lists: [FileBox] = []
    try file.forEachBox(in: children) { (child) throws(SystemError) in
      switch child.type {
      case "hdlr": handler = try file.load(child, limit: 65536)?.fourCC(at: 8)
      case "keys": if let payload = try file.load(child) { keys = MetadataKey.table(payload) }
      case "ctry":
        if let payload = try file.load(child, limit: 65536) { countries.read(payload) }
      case "lang":
        if let payload = try file.load(child, limit: 65536) { languages.read(payload) }
      case "ilst": lists.append(child)
      default: break
      }
      return true
    }
    let hasKeys = handler == "mdta" || (handler != "mdir" && !keys.isEmpty)
    let list = MetadataList(countries: countries, languages: languages)
    var items: [MetadataItem] = []
    for box in lists {
      try file.forEachBox(in: box.payload) { (child) throws(SystemError) in
        guard child.type != "free", child.type != "skip" else { return true }
        if hasKeys {
          // The type is a number: the index of the value's key.
          let number = child.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
          guard number >= 1, number <= keys.count, let payload = try file.load(child) else {
            return true
          }
          items += file.admit(list.items(keys[number - 1], payload))
        } else if let payload = try file.load(child) {
          items += file.admit(list.items(child.type, payload))
        }
        return true
      }
    }
    return items
  }
}

/// User data that describes structure or playback, or that is read elsewhere.
private let structuralUserData: Set = [
  "hnti", "hinf", "hinv", "ludt", "tsel", "strk", "ctab", "free", "skip", "wide", "chpl", "cvru",
]

/// A key of a metadata item that has a name instead of a four-character code.
struct MetadataKey {
  var space: String
  var name: String

  /// Returns the entries of a `keys` box.
  static func table(_ payload: ByteView) -> [MetadataKey] {
    guard let count = payload.uint32(at: 4) else { return [] }
    return payload.slice(from: 8).boxes.prefix(Int(min(count, 65536))).map {
      // In QuickTime's user data a key is four bytes, which may include ©.
      let fourCC = $0.type == "mdta" || $0.payload.count != 4 ? nil : $0.payload.fourCC(at: 0)
      return MetadataKey(space: $0.type, name: fourCC ?? $0.payload.text)
    }
  }
}

/// Lists of countries or of languages that values refer to by index (`ctry`, `lang`).
struct LocaleList {
  /// Converts a packed code to BCP 47.
  private let code: @Sendable (UInt16) -> String?
  private var lists: [[String]] = []

  static let countries = LocaleList { packed in
    let bytes = [UInt8(packed >> 8), UInt8(packed & 255)]
    guard bytes.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self).uppercased()
  }
  static let languages = LocaleList { PackedLanguage(rawValue: $0).tag }

  private init(_ code: @escaping @Sendable (UInt16) -> String?) { self.code = code }

  mutating func read(_ payload: ByteView) {
    guard let count = payload.uint32(at: 4) else { return }
    lists = []
    var offset = 8
    // Indexes above 255 can't be referred to.
    while lists.count < min(Int(count), 255), let length = payload.uint16(at: offset) {
      let packed = (0..<Int(length)).compactMap { payload.uint16(at: offset + 2 + 2 * $0) }
      lists.append(packed.compactMap(code))
      offset += 2 + 2 * Int(length)
    }
  }

  /// Returns the codes that a value's indicator stands for: none, a list, or its own code.
  func codes(_ indicator: UInt16) -> [String] {
    switch indicator {
    case 0: []
    case 1...255: Int(indicator) <= lists.count ? lists[Int(indicator) - 1] : []
    default: [code(indicator)].compactMap(\.self)
    }
  }
}
