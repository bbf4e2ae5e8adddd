// Metadata items as boxes: the reverse of MetadataReader, UserDataItems and MetadataList.

/// An item as a value of a metadata list: its type and bytes (QuickTime File Format, "Well-Known
/// Types").
struct MovieListItem {
  var type: UInt32
  var bytes: [UInt8]

  /// nil for a value that its iTunes key can't have.
  init?(_ item: MetadataItem) {
    if item.keySpace == "itsk" {
      guard BoxWriter.code(item.key) != nil else { return nil }
      if let implied = MovieListItem.implied(item) {
        guard let value = implied.value else { return nil }
        (type, bytes) = value
        return
      }
    }
    (type, bytes) = MovieListItem.plain(item)
  }

  /// Returns true if the values of an iTunes key are texts.
  static func isText(_ key: String) -> Bool {
    implied(MetadataItem(key: key, keySpace: "itsk", value: .string(""))) == nil
  }

  private struct Implied { var value: (UInt32, [UInt8])? }

  /// Returns the value for a key that always has one form; nil for other keys.
  private static func implied(_ item: MetadataItem) -> Implied? {
    func number(_ size: Int) -> Implied {
      guard let text = item.value.text, let number = Int64(text),
        size == 8 || (number >= -(1 << (size * 8 - 1)) && number < 1 << (size * 8))
      else { return Implied() }
      return Implied(value: (21, bigEndian(number, size: size)))
    }
    switch item.key {
    case "trkn", "disk":
      let parts = (item.value.text ?? "").split(separator: "/").map { UInt16($0) }
      guard let first = parts.first, let count = first, parts.count <= 2 else { return Implied() }
      let total: UInt16 = parts.count == 2 ? parts[1] ?? 0 : 0
      var writer = BoxWriter()
      for part in [0, count, total] { writer.integer(part) }
      if item.key == "trkn" { writer.integer(0 as UInt16) }
      return Implied(value: (0, writer.bytes))
    case "gnre":
      guard let text = item.value.text, let index = id3Genres.firstIndex(of: text) else {
        return Implied()
      }
      return Implied(value: (0, bigEndian(Int64(index + 1), size: 2)))
    case "cpil", "pgap", "pcst", "hdvd", "stik", "rtng", "akID": return number(1)
    case "tmpo": return number(2)
    case "tves", "tvsn", "sfID", "geID", "cnID", "atID", "cmID": return number(4)
    case "plID": return number(8)
    case "covr":
      guard case .data(let bytes, let mimeType) = item.value else { return Implied() }
      return Implied(value: (pictureType(mimeType) ?? 0, bytes))
    default: return nil
    }
  }

  private static func plain(_ item: MetadataItem) -> (UInt32, [UInt8]) {
    let name =
      item.dataType.hasPrefix(MetadataItem.dataTypePrefix)
      ? String(item.dataType.dropFirst(MetadataItem.dataTypePrefix.count)) : ""
    switch item.value {
    case .string(let text): return (1, Array(text.utf8))
    case .integer(let number):
      let (type, size) = integerTypes[name] ?? integerTypes[item.value.typeName] ?? (74, 8)
      return (type, bigEndian(number, size: size))
    case .number(let number):
      if name == "float32" { return (23, bigEndian(Float(number).bitPattern)) }
      return (24, bigEndian(number.bitPattern))
    case .data(let bytes, let mimeType):
      return (otherTypes[name] ?? pictureType(mimeType) ?? 0, bytes)
    }
  }

  private static func pictureType(_ mimeType: String) -> UInt32? {
    ["image/gif": 12, "image/jpeg": 13, "image/png": 14, "image/bmp": 27][mimeType]
  }

  private static func bigEndian(_ number: Int64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    var writer = BoxWriter()
    writer.integer(value)
    return writer.bytes
  }

  /// The `data` box, with the language and country of the item.
  func write(to writer: inout BoxWriter, of item: MetadataItem) {
    let language = PackedLanguage(tag: item.extendedLanguageTag)
    let parts = (item.extendedLanguageTag ?? item.locale ?? "").split {
      $0 == "-" || $0 == "_"
    }
    let country = parts.dropFirst().first { $0.count == 2 }.map(String.init)?.utf8.map { $0 }
    writer.box("data") { writer in
      writer.integer(type)
      writer.append(country ?? [0, 0])
      writer.integer(language == .undetermined ? 0 : language.rawValue)
      writer.append(bytes)
    }
  }
}

/// Types 21 and 22 have up to four bytes, and are the ones that all readers support. libavformat
/// reads eight bytes as "0" (mov.c, mov_read_udta_string).
private let integerTypes: [String: (UInt32, Int)] = [
  "int8": (21, 1), "int16": (21, 2), "int32": (21, 4), "int64": (74, 8),
  "uint8": (22, 1), "uint16": (22, 2), "uint32": (22, 4), "uint64": (78, 8),
]

private let otherTypes: [String: UInt32] = [
  "point-float32": 70, "dimensions-float32": 71, "rect-float32": 72,
  "affine-transform-float64": 79,
]

/// An item as a box of user data (QuickTime File Format, "User Data Atoms"; 3GPP TS 26.244, clause 8).
struct MovieUserDataItem {
  enum Form {
    /// A text, of which there can be several in other languages.
    case text([UInt8])
    /// A box of its own.
    case payload([UInt8])
  }
  var form: Form

  /// nil for an item that has no such form.
  init?(_ item: MetadataItem) {
    guard BoxWriter.code(item.key) != nil else { return nil }
    if item.keySpace == "uiso" {
      guard let payload = MovieUserDataItem.isoPayload(item) else { return nil }
      form = .payload(payload)
    } else if item.key.hasPrefix("©") {
      guard let text = item.value.text, text.utf8.count <= 0xFFFF else { return nil }
      form = .text(Array(text.utf8))
    } else if case .data(let bytes, _) = item.value {
      form = .payload(bytes)
    } else if let text = item.value.text {
      form = .payload(Array(text.utf8))
    } else {
      return nil
    }
  }

  private static func isoPayload(_ item: MetadataItem) -> [UInt8]? {
    guard let text = item.value.text else {
      if case .data(let bytes, _) = item.value { return bytes }
      return nil
    }
    let language = PackedLanguage(tag: item.extendedLanguageTag).rawValue
    let attributes = item.extraAttributes
    var writer = BoxWriter()
    if item.key == "date" {
      writer.append(text.utf8)
      return writer.bytes
    }
    writer.integer(0 as UInt32)
    switch item.key {
    case "titl", "dscp", "cprt", "perf", "auth", "gnre", "albm", "coll", "ades":
      writer.integer(language)
      writer.terminated(text)
      if item.key == "albm", let number = attributes["trackNumber"].flatMap({ UInt8($0) }) {
        writer.integer(number)
      }
    case "yrrc":
      guard let year = UInt16(text) else { return nil }
      writer.integer(year)
    case "rtng", "clsf":
      guard let entity = attributes["entity"].flatMap(BoxWriter.code) else { return nil }
      writer.append(entity)
      if item.key == "rtng" {
        guard let criteria = attributes["criteria"].flatMap(BoxWriter.code) else { return nil }
        writer.append(criteria)
      } else {
        guard let table = attributes["table"].flatMap({ UInt16($0) }) else { return nil }
        writer.integer(table)
      }
      writer.integer(language)
      writer.terminated(text)
    case "kywd":
      guard text.utf8.count < 255 else { return nil }
      writer.integer(language)
      writer.integer(1 as UInt8)
      writer.integer(UInt8(text.utf8.count + 1))
      writer.terminated(text)
    case "loci":
      guard let place = ISO6709(text) else { return nil }
      writer.integer(language)
      writer.terminated(attributes["name"] ?? "")
      writer.integer(attributes["role"].flatMap { UInt8($0) } ?? 0)
      for coordinate in [place.longitude, place.latitude, place.altitude] {
        writer.integer(Int32((coordinate * 65536).rounded()))
      }
      writer.terminated(attributes["body"] ?? "")
      writer.terminated(attributes["notes"] ?? "")
    default: return nil
    }
    return writer.bytes
  }
}

/// A location on Earth in ISO 6709's form with decimal degrees: "+48.8584+002.2945+35/".
package struct ISO6709: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double
  /// The altitude, in metres.
  var altitude = 0.0

  package init?(_ text: String) {
    var numbers: [Double] = []
    var rest = text.prefix { $0 != "/" }
    while let sign = rest.first, sign == "+" || sign == "-" {
      let digits = rest.dropFirst().prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits) else { return nil }
      numbers.append(sign == "-" ? -number : number)
      rest = rest.dropFirst(digits.count + 1)
    }
    // The remainder names a coordinate reference system.
    guard rest.isEmpty || rest.hasPrefix("CRS"), (2...3).contains(numbers.count),
      abs(numbers[0]) <= 90, abs(numbers[1]) <= 180
    else { return nil }
    latitude = numbers[0]
    longitude = numbers[1]
    if numbers.count == 3 {
      guard abs(numbers[2]) < 32768 else { return nil }
      altitude = numbers[2]
    }
  }
}

/// The boxes that hold a movie's or a track's items.
struct MovieItemBoxes: Sendable {
  /// The contents of `udta`.
  private(set) var userData: [UInt8] = []
  /// A `meta` box next to `udta`; empty without items for it.
  private(set) var meta: [UInt8] = []

  init(_ items: [MetadataItem], isQuickTime: Bool, isTrack: Bool = false) {
    let placed = MetadataLocator(items, isQuickTime: isQuickTime, isTrack: isTrack).placed
    var writer = BoxWriter()
    MovieItemBoxes.writeUserData(placed[.userData] ?? [], to: &writer)
    if let list = placed[.list] { MovieItemBoxes.writeList(list, to: &writer) }
    userData = writer.bytes
    if let named = placed[.named] {
      var writer = BoxWriter()
      MovieItemBoxes.writeNamed(named, isQuickTime: isQuickTime, to: &writer)
      meta = writer.bytes
    }
  }

  private static func writeUserData(_ items: [MetadataItem], to writer: inout BoxWriter) {
    let alike = Dictionary(grouping: items, by: \.identifier)
    var done: Set<String> = []
    for item in items {
      guard let form = MovieUserDataItem(item)?.form, let code = BoxWriter.code(item.key) else {
        continue
      }
      switch form {
      case .payload(let bytes): writer.box(code) { $0.append(bytes) }
      case .text:
        guard done.insert(item.key).inserted else { continue }
        writer.box(code) { writer in
          for same in alike[item.identifier] ?? [] {
            guard case .text(let text)? = MovieUserDataItem(same)?.form else { continue }
            writer.integer(UInt16(clamping: text.count))
            writer.integer(PackedLanguage(tag: same.extendedLanguageTag).rawValue)
            writer.append(text)
          }
        }
      }
    }
  }

  private static func handler(_ type: String, vendor: String, to writer: inout BoxWriter) {
    writer.fullBox("hdlr") { writer in
      writer.integer(0 as UInt32)
      writer.code(type)
      writer.code(vendor)
      writer.append([UInt8](repeating: 0, count: 9))
    }
  }

  private static func writeList(_ items: [MetadataItem], to writer: inout BoxWriter) {
    writer.fullBox("meta") { writer in
      handler("mdir", vendor: "appl", to: &writer)
      writer.box("ilst") { writer in
        let values = Dictionary(grouping: items, by: \.identifier)
        var done: Set<String> = []
        for item in items {
          guard done.insert(item.identifier).inserted else { continue }
          let isLong = item.keySpace == "itlk"
          writer.box(isLong ? "----" : item.key) { writer in
            if isLong {
              let domain = item.extraAttributes["mean"] ?? "com.apple.iTunes"
              let name = item.extraAttributes["name"] ?? MetadataItem.libavKey(of: item)
              writer.fullBox("mean") { $0.append(domain.utf8) }
              writer.fullBox("name") { $0.append(name.utf8) }
            }
            for value in values[item.identifier] ?? [] {
              MovieListItem(value)?.write(to: &writer, of: value)
            }
          }
        }
      }
    }
  }

  private static func writeNamed(
    _ items: [MetadataItem], isQuickTime: Bool, to writer: inout BoxWriter
  ) {
    var keys: [String] = []
    var numbers: [String: UInt32] = [:]
    for item in items where numbers[item.key] == nil {
      keys.append(item.key)
      numbers[item.key] = UInt32(clamping: keys.count)
    }
    writer.box("meta") { writer in
      // ISO's box has a version, QuickTime's has none.
      if !isQuickTime { writer.integer(0 as UInt32) }
      handler("mdta", vendor: "\0\0\0\0", to: &writer)
      writer.fullBox("keys") { writer in
        writer.integer(UInt32(clamping: keys.count))
        for key in keys { writer.box("mdta") { $0.append(key.utf8) } }
      }
      writer.box("ilst") { writer in
        for item in items {
          var number = BoxWriter()
          number.integer(numbers[item.key] ?? 0)
          writer.box(number.bytes) { writer in
            MovieListItem(item)?.write(to: &writer, of: item)
          }
        }
      }
    }
  }
}
