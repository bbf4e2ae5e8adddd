// `ilst`: QuickTime File Format, "Metadata Item List Atom", and its use by iTunes.

/// The values of a metadata item list.
struct MetadataList {
  var countries: LocaleList
  var languages: LocaleList

  /// The maximum number of values of one item, which has one for each language or image.
  private static let valueLimit = 1000

  /// Returns the values of an item with a named key.
  func items(_ key: MetadataKey, _ payload: ByteView) -> [MetadataItem] {
    let boxes = payload.boxes.prefix(MetadataList.valueLimit)
    // An item can have a name in addition to its key.
    let name = boxes.first { $0.type == "name" }?.payload.slice(from: 4).text
    return boxes.filter { $0.type == "data" }.compactMap { box in
      item(key.name, key.space, box.payload, name.map { ["name": $0] } ?? [:])
    }
  }

  /// Returns the values of an iTunes item.
  func items(_ type: String, _ payload: ByteView) -> [MetadataItem] {
    let boxes = payload.boxes.prefix(MetadataList.valueLimit)
    let data = boxes.filter { $0.type == "data" }
    guard type == "----" else {
      return data.compactMap { item(type, "itsk", $0.payload, [:]) }
    }
    let mean = boxes.first { $0.type == "mean" }?.payload.slice(from: 4).text ?? ""
    guard let name = boxes.first(where: { $0.type == "name" })?.payload.slice(from: 4).text
    else { return [] }
    return data.compactMap {
      item("\(mean).\(name)", "itlk", $0.payload, ["mean": mean, "name": name])
    }
  }

  private func item(
    _ key: String, _ space: String, _ payload: ByteView, _ attributes: [String: String]
  ) -> MetadataItem? {
    guard let type = payload.uint32(at: 0), let country = payload.uint16(at: 4),
      let language = payload.uint16(at: 6)
    else { return nil }
    let bytes = payload.slice(from: 8)
    var item =
      MetadataList.impliedValue(of: key, in: space, type: type, bytes)
      .map { MetadataItem(key: key, keySpace: space, value: $0) }
      ?? MetadataList.item(key, space, type: type, bytes)
    item.commonKey = MetadataItem.commonKey(of: key, in: space)
    item.extraAttributes = attributes
    setLocale(&item, languages.codes(language), countries.codes(country))
    return item
  }

  private func setLocale(_ item: inout MetadataItem, _ languages: [String], _ countries: [String]) {
    let country = countries.first.map { "-\($0)" } ?? ""
    item.extendedLanguageTag = languages.first.map { $0 + country }
    if let language = languages.first {
      item.locale = "\(language)\(country)".replacingHyphens
    } else if let country = countries.first {
      item.locale = "_\(country)"
    }
    // One value for several languages: the first is used, and the others become an attribute.
    if languages.count > 1 { item.extraAttributes["languages"] = languages.joined(separator: ",") }
    if countries.count > 1 { item.extraAttributes["countries"] = countries.joined(separator: ",") }
  }

  /// Returns a value whose form follows from its key: its type field is 0.
  private static func impliedValue(
    of key: String, in space: String, type: UInt32, _ bytes: ByteView
  ) -> MetadataItem.Value? {
    guard space == "itsk" else { return nil }
    switch key {
    case "trkn", "disk":
      // AVFoundation returns the bytes; programs show the text.
      guard let number = bytes.uint16(at: 2), type == 0 || type == 21 else { return nil }
      let total = bytes.uint16(at: 4) ?? 0
      return .string(total > 0 ? "\(number)/\(total)" : "\(number)")
    case "gnre":
      // The count begins at 1 here.
      guard let number = bytes.uint16(at: 0), number > 0, number <= id3Genres.count else {
        return nil
      }
      return .string(id3Genres[Int(number) - 1])
    case "covr":
      return .data(bytes.bytes, mimeType: bytes.imageType ?? imageTypes[type] ?? rawDataType)
    default:
      guard type == 0, integerKeys.contains(key), let value = bytes.signedInteger else {
        return nil
      }
      return .integer(value)
    }
  }

  /// Returns a value by its type (QuickTime File Format, "Well-Known Types").
  private static func item(
    _ key: String, _ space: String, type: UInt32, _ bytes: ByteView
  ) -> MetadataItem {
    let value: MetadataItem.Value
    switch type {
    case 1, 4: value = .string(bytes.text)
    case 2, 5: value = .string(bytes.utf16Text(bigEndian: true))
    case 12, 13, 14, 27:
      value = .data(bytes.bytes, mimeType: bytes.imageType ?? imageTypes[type] ?? rawDataType)
    case 21, 65, 66, 67, 74: value = bytes.signedInteger.map { .integer($0) } ?? bytes.rawValue
    case 22, 75, 76, 77, 78: value = bytes.unsignedInteger ?? bytes.rawValue
    case 23:
      value =
        bytes.uint32(at: 0).map { .number(Double(Float(bitPattern: $0))) } ?? bytes.rawValue
    case 24: value = bytes.uint64(at: 0).map { .number(Double(bitPattern: $0)) } ?? bytes.rawValue
    default: value = bytes.rawValue
    }
    var item = MetadataItem(key: key, keySpace: space, value: value)
    if let name = typeName(type, size: bytes.count) { item.dataType = name }
    return item
  }

  /// Returns Core Media's name of a well-known type, if it doesn't follow from the value alone.
  private static func typeName(_ type: UInt32, size: Int) -> String? {
    let names: [UInt32: String] = [
      23: "float32", 24: "float64", 65: "int8", 66: "int16", 67: "int32", 74: "int64", 75: "uint8",
      76: "uint16", 77: "uint32", 78: "uint64", 70: "point-float32", 71: "dimensions-float32",
      72: "rect-float32", 79: "affine-transform-float64",
    ]
    if let name = names[type] { return MetadataItem.dataTypePrefix + name }
    guard type == 21 || type == 22, let bits = [1: 8, 2: 16, 4: 32, 8: 64][size] else { return nil }
    return MetadataItem.dataTypePrefix + (type == 21 ? "int" : "uint") + "\(bits)"
  }
}

private let rawDataType = "application/octet-stream"

private let imageTypes: [UInt32: String] = [
  12: "image/gif", 13: "image/jpeg", 14: "image/png", 27: "image/bmp",
]

/// iTunes keys with numbers, which older files don't mark as such.
private let integerKeys: Set = [
  "cpil", "pgap", "pcst", "tmpo", "stik", "hdvd", "rtng", "akID", "geID", "sfID", "cnID", "atID",
  "plID", "cmID", "tves", "tvsn", "shwm", "©mvi", "©mvc",
]

extension ByteView {
  /// The type of an image by its first bytes.
  var imageType: String? {
    if hasPrefix([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if hasPrefix([0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if hasPrefix([0x47, 0x49, 0x46, 0x38]) { return "image/gif" }
    if hasPrefix([0x42, 0x4D]) { return "image/bmp" }
    if hasPrefix([0x52, 0x49, 0x46, 0x46]), fourCC(at: 8) == "WEBP" { return "image/webp" }
    return nil
  }

  /// 1 to 8 bytes as a number; nil for other sizes.
  fileprivate var signedInteger: Int64? {
    guard (1...8).contains(count), let first = self[0] else { return nil }
    return bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  /// 1 to 8 bytes as a number, which may be too large for an exact one.
  fileprivate var unsignedInteger: MetadataItem.Value? {
    guard (1...8).contains(count) else { return nil }
    let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
  }

  var rawValue: MetadataItem.Value { .data(bytes, mimeType: imageType ?? rawDataType) }
}

extension String {
  fileprivate var replacingHyphens: String { String(map { $0 == "-" ? "_" : $0 }) }
}
