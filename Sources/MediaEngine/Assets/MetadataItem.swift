import LibAV
public import MediaTime

/// One piece of metadata (AVMetadataItem).
public struct MetadataItem: Sendable, Hashable {
  /// What an item says.
  public enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case data([UInt8], mimeType: String)
  }

  /// What the container calls it: "©nam", "com.apple.quicktime.title", "TIT2".
  ///
  /// An item of iTunes' with a name of its own (`----`) has the domain and the name with a dot between
  /// them: "com.apple.iTunes.iTunSMPB".
  public var key: String
  /// Whose key it is: "itsk" and "itlk" (iTunes, short and long keys), "mdta", "udta", "uiso", "id3",
  /// "vorbis" and the others of ``MetadataFormat``.
  public var keySpace: String
  /// What it means in any container: "title", "artist", "artwork" …
  public var commonKey: String?
  /// BCP 47.
  public var extendedLanguageTag: String?
  /// The language and the country, or one of them: "de", "en_US", "_US".
  public var locale: String?
  /// When it begins to hold, of an item of timed metadata.
  public var time: Time?
  /// How long it holds, of an item of timed metadata.
  public var duration: Time?
  /// Core Media's name of the value's type: "com.apple.metadata.datatype.UTF-8".
  public var dataType: String
  /// The value. Track and disc numbers of iTunes are text, "3/12", and its numbered genres their names.
  public var value: Value
  /// What else the container says of it: "mean" and "name" of iTunes' long keys, "info" for what an ID3
  /// frame describes itself as, "name", "role", "body" and "notes" of a place …
  public var extraAttributes: [String: String]

  public init(
    key: String, keySpace: String, commonKey: String? = nil, extendedLanguageTag: String? = nil,
    value: Value, dataType: String? = nil, extraAttributes: [String: String] = [:]
  ) {
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.extendedLanguageTag = extendedLanguageTag
    locale = extendedLanguageTag.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    self.value = value
    self.dataType = dataType ?? value.dataType
    self.extraAttributes = extraAttributes
  }

  /// `keySpace/key`.
  public var identifier: String { "\(keySpace)/\(key)" }

  static let dataTypePrefix = "com.apple.metadata.datatype."
}

extension MetadataItem.Value {
  /// Core Media's name of the type that the value alone tells.
  var dataType: String {
    let name =
      switch self {
      case .string: "UTF-8"
      case .integer: "int64"
      case .number: "float64"
      case .data(_, "image/jpeg"): "JPEG"
      case .data(_, "image/png"): "PNG"
      case .data(_, "image/gif"): "GIF"
      case .data(_, "image/bmp"): "BMP"
      case .data: "raw-data"
      }
    return MetadataItem.dataTypePrefix + name
  }

  /// The value as text; nil for bytes.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number):
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .data: nil
    }
  }
}

extension MetadataItem {
  /// A tag as libav names it, under the name its container has for it.
  init(_ tag: Tag, formatName: String) {
    let (name, language) = MetadataItem.splitLanguage(tag.key)
    let lower = name.lowercased()
    let space = MetadataItem.keySpace(formatName: formatName, key: name)
    let table = space == "itsk" ? iTunesKeys : (space == "id3" ? id3Keys : [:])
    self.init(
      key: table[lower] ?? name, keySpace: space, commonKey: commonKeys[lower],
      extendedLanguageTag: language, value: .string(tag.value))
  }

  /// An attached picture.
  init(artwork bytes: [UInt8], codec: String, formatName: String) {
    let mimeType = codec == "mjpeg" ? "image/jpeg" : "image/\(codec)"
    let space = MetadataItem.keySpace(formatName: formatName, key: "artwork")
    let key = ["itsk": "covr", "id3": "APIC"][space] ?? "artwork"
    self.init(
      key: key, keySpace: space, commonKey: "artwork",
      value: .data(bytes, mimeType: mimeType))
  }

  /// The name libav writes an item under: its own for the keys it knows, else the key as it is.
  static func libavKey(of item: MetadataItem) -> String {
    let table = item.keySpace == "itsk" ? iTunesKeys : (item.keySpace == "id3" ? id3Keys : [:])
    if let known = table.first(where: { $0.value == item.key })?.key { return known }
    let names = [
      "albumName": "album", "creationDate": "date", "copyrights": "copyright",
      "software": "encoder", "type": "genre", "creator": "composer",
    ]
    return item.keySpace == "common" ? names[item.key] ?? item.key : item.key
  }

  private static func keySpace(formatName: String, key: String) -> String {
    if key.hasPrefix("com.apple.") || key.hasPrefix("com.android.") { return "mdta" }
    if formatName.hasPrefix("mov,") { return "itsk" }
    if formatName == "mp3" || formatName == "aac" || formatName == "aiff" { return "id3" }
    if formatName == "ogg" || formatName == "flac" { return "vorbis" }
    return formatName.split(separator: ",").first.map(String.init) ?? formatName
  }

  /// libav appends the language of a text in another language than the first: "title-eng".
  private static func splitLanguage(_ key: String) -> (String, String?) {
    let parts = key.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let language = parts.last, language.count == 3,
      language.allSatisfy({ $0.isASCII && $0.isLowercase }), let name = parts.first
    else { return (key, nil) }
    return (String(name), bcp47(ofISO639: String(language)))
  }
}

private let commonKeys = [
  "title": "title", "artist": "artist", "author": "author", "album": "albumName",
  "composer": "creator", "comment": "description", "description": "description",
  "synopsis": "description", "copyright": "copyrights", "date": "creationDate",
  "creation_time": "creationDate", "genre": "type", "encoder": "software", "make": "make",
  "model": "model", "location": "location", "language": "language", "publisher": "publisher",
  "com.apple.quicktime.make": "make", "com.apple.quicktime.model": "model",
  "com.apple.quicktime.software": "software", "com.apple.quicktime.creationdate": "creationDate",
  "com.apple.quicktime.location.iso6709": "location", "com.apple.quicktime.title": "title",
  "com.apple.quicktime.artwork": "artwork", "com.apple.quicktime.author": "author",
  "performer": "contributor", "subject": "subject",
]

private let iTunesKeys = [
  "title": "©nam", "artist": "©ART", "album_artist": "aART", "album": "©alb", "composer": "©wrt",
  "comment": "©cmt", "date": "©day", "genre": "©gen", "encoder": "©too", "copyright": "cprt",
  "description": "desc", "synopsis": "ldes", "lyrics": "©lyr", "grouping": "©grp", "track": "trkn",
  "disc": "disk", "show": "tvsh", "episode_id": "tven", "network": "tvnn", "sort_name": "sonm",
]

private let id3Keys = [
  "title": "TIT2", "artist": "TPE1", "album_artist": "TPE2", "album": "TALB", "composer": "TCOM",
  "comment": "COMM", "date": "TDRC", "genre": "TCON", "encoder": "TSSE", "copyright": "TCOP",
  "publisher": "TPUB", "track": "TRCK", "disc": "TPOS", "language": "TLAN", "lyrics": "USLT",
  "encoded_by": "TENC", "performer": "TPE3",
]
