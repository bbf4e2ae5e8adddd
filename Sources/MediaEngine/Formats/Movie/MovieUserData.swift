// `udta`: QuickTime's texts and those of ISO and 3GPP.

/// A text in one language (QuickTime File Format, "User Data Text Strings").
struct InternationalText {
  var language: PackedLanguage
  var text: String

  /// Returns the texts of a `©` box, one for each language; nil if its bytes have another form.
  static func list(_ payload: ByteView) -> [InternationalText]? {
    var result: [InternationalText] = []
    var offset = 0
    while result.count < 1000, let size = payload.uint16(at: offset),
      let code = payload.uint16(at: offset + 2)
    {
      let start = offset + 4
      guard Int(size) <= payload.count - start else { break }
      // Some programs pad with zeros.
      if size == 0, !result.isEmpty { break }
      let language = PackedLanguage(rawValue: code)
      let text = payload.slice(from: start, count: Int(size)).text(in: language)
      result.append(InternationalText(language: language, text: text))
      offset = start + Int(size)
    }
    return result.isEmpty ? nil : result
  }
}

/// The items of a user data box.
enum UserDataItems {
  static func items(_ type: String, _ payload: ByteView) -> [MetadataItem] {
    if type.hasPrefix("©") { return texts(type, payload) }
    if isoTexts.contains(type), payload.uint32(at: 0) == 0, payload.count >= 6 {
      return [isoText(type, payload)]
    }
    switch type {
    case "yrrc":
      guard let year = payload.uint16(at: 4) else { return [] }
      return [item(type, "uiso", .integer(Int64(year)))]
    case "rtng", "clsf": return [rating(type, payload)].compactMap(\.self)
    case "kywd": return keywords(payload)
    case "loci": return [location(payload)].compactMap(\.self)
    case "name", "date", "XMP_", "cprt", "auth", "titl":
      let text = payload.text
      return text.isEmpty ? [] : [item(type, type == "date" ? "uiso" : "udta", .string(text))]
    default:
      return payload.count == 0 ? [] : [item(type, "udta", payload.rawValue)]
    }
  }

  private static func item(
    _ key: String, _ space: String, _ value: MetadataItem.Value, _ language: PackedLanguage? = nil
  ) -> MetadataItem {
    MetadataItem(
      key: key, keySpace: space, commonKey: MetadataItem.commonKey(of: key, in: space),
      extendedLanguageTag: language?.tag, value: value)
  }

  private static func texts(_ type: String, _ payload: ByteView) -> [MetadataItem] {
    // Some programs store the values of iTunes items here.
    if let data = payload.boxes.first(where: { $0.type == "data" })?.payload,
      payload.uint32(at: 0).map({ Int($0) <= payload.count }) ?? false
    {
      return [item(type, "udta", .string(data.slice(from: 8).text))]
    }
    // Others store the bare text.
    guard let texts = InternationalText.list(payload) else {
      let text = payload.text
      return text.isEmpty ? [] : [item(type, "udta", .string(text))]
    }
    return texts.map { item(type, "udta", .string($0.text), $0.language) }
  }

  /// Returns the item of a version, a language and a text, and for an album's title an optional
  /// track number.
  private static func isoText(_ type: String, _ payload: ByteView) -> MetadataItem {
    let language = PackedLanguage(rawValue: payload.uint16(at: 4) ?? 0)
    let (size, text) = payload.terminatedText(at: 6)
    var result = item(type, "uiso", .string(text), language)
    if type == "albm", let number = payload.uint8(at: 6 + size) {
      result.extraAttributes["trackNumber"] = "\(number)"
    }
    return result
  }

  /// Returns the item of a rating or a classification: the rating entity, the criterion or table,
  /// and the text.
  private static func rating(_ type: String, _ payload: ByteView) -> MetadataItem? {
    let isRating = type == "rtng"
    let start = isRating ? 14 : 12
    guard let entity = payload.fourCC(at: 4), payload.count >= start else { return nil }
    let language = PackedLanguage(rawValue: payload.uint16(at: isRating ? 12 : 10) ?? 0)
    var result = item(
      type, "uiso", .string(payload.terminatedText(at: start).text), language)
    result.extraAttributes["entity"] = entity
    if isRating {
      result.extraAttributes["criteria"] = payload.fourCC(at: 8)
    } else {
      result.extraAttributes["table"] = payload.uint16(at: 8).map { "\($0)" }
    }
    return result
  }

  private static func keywords(_ payload: ByteView) -> [MetadataItem] {
    guard let code = payload.uint16(at: 4), let count = payload.uint8(at: 6) else { return [] }
    var offset = 7
    var result: [MetadataItem] = []
    for _ in 0..<count {
      guard let size = payload.uint8(at: offset) else { break }
      let text = payload.slice(from: offset + 1, count: Int(size)).text
      result.append(item("kywd", "uiso", .string(text), PackedLanguage(rawValue: code)))
      offset += 1 + Int(size)
    }
    return result
  }

  /// Returns the item of a location, in the form of ISO 6709; its name and the other fields are
  /// extra attributes.
  private static func location(_ payload: ByteView) -> MetadataItem? {
    guard let code = payload.uint16(at: 4) else { return nil }
    let (size, name) = payload.terminatedText(at: 6)
    let start = 6 + size
    guard let role = payload.uint8(at: start), let longitude = payload.int32(at: start + 1),
      let latitude = payload.int32(at: start + 5), let altitude = payload.int32(at: start + 9)
    else { return nil }
    var text = degrees(latitude, width: 2) + degrees(longitude, width: 3)
    if altitude != 0 {
      let height = degrees(altitude, width: 1)
      text += height.hasSuffix(".0000") ? String(height.dropLast(5)) : height
    }
    var result = item("loci", "uiso", .string(text + "/"), PackedLanguage(rawValue: code))
    let body = payload.terminatedText(at: start + 13)
    let notes = payload.terminatedText(at: start + 13 + body.size)
    let attributes = ["name": name, "body": body.text, "notes": notes.text]
    result.extraAttributes = attributes.filter { !$0.value.isEmpty }
    result.extraAttributes["role"] = "\(role)"
    return result
  }

  /// Returns a 16.16 number with a sign and four decimals, the precision of 16 bits.
  private static func degrees(_ value: Int32, width: Int) -> String {
    let magnitude = Int64(value.magnitude) * 10_000
    let units = (magnitude + 32768) / 65536
    let (whole, decimals) = (units / 10_000, units % 10_000)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return (value < 0 ? "-" : "+") + padded(whole, width) + "." + padded(decimals, 4)
  }
}

private let isoTexts: Set = [
  "titl", "dscp", "cprt", "perf", "auth", "gnre", "albm", "coll", "ades", "thmb",
]
