import LibAV

/// One piece of metadata (AVMetadataItem).
public struct MetadataItem: Sendable, Hashable {
  public enum Value: Sendable, Hashable {
    case string(String)
    case data([UInt8], mimeType: String)
  }

  public var key: String
  /// "itsk", "udta", "mdta", "id3", "vorbis", or the container's own.
  public var keySpace: String
  /// What it means in any container: "title", "artist", "artwork" …
  public var commonKey: String?
  /// BCP 47.
  public var extendedLanguageTag: String?
  public var value: Value

  public init(
    key: String, keySpace: String, commonKey: String? = nil, extendedLanguageTag: String? = nil,
    value: Value
  ) {
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.extendedLanguageTag = extendedLanguageTag
    self.value = value
  }

  /// `keySpace/key`.
  public var identifier: String { "\(keySpace)/\(key)" }
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

/// The BCP 47 tag of an ISO 639-2 code, nil for "und" and what isn't one.
func bcp47(ofISO639 code: String) -> String? {
  guard code.count == 3, code != "und" else { return code.count == 2 ? code : nil }
  return twoLetterCodes[code] ?? code
}

/// The ISO 639-2/T code of a language as a container writes it, nil where it says nothing.
func iso639T(of code: String) -> String? {
  let lower = code.lowercased()
  guard !lower.isEmpty, lower != "und" else { return nil }
  if let terminological = terminologicalCodes[lower] { return terminological }
  if lower.count == 2 { return twoLetterCodes.first { $0.value == lower }?.key ?? lower }
  return lower
}

/// ISO 639-2/B codes that differ from their /T ones.
private let terminologicalCodes = [
  "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld",
  "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri",
  "may": "msa", "per": "fas", "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
]

/// ISO 639-1 codes of the languages that have one, by ISO 639-2/T.
private let twoLetterCodes = [
  "afr": "af", "ara": "ar", "bel": "be", "ben": "bn", "bul": "bg", "cat": "ca", "ces": "cs",
  "cym": "cy", "dan": "da", "deu": "de", "ell": "el", "eng": "en", "epo": "eo", "est": "et",
  "eus": "eu", "fas": "fa", "fin": "fi", "fra": "fr", "gle": "ga", "glg": "gl", "guj": "gu",
  "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "hye": "hy", "ind": "id", "isl": "is",
  "ita": "it", "jpn": "ja", "kat": "ka", "kaz": "kk", "kor": "ko", "lat": "la", "lav": "lv",
  "lit": "lt", "mkd": "mk", "mon": "mn", "msa": "ms", "nld": "nl", "nno": "nn", "nob": "nb",
  "nor": "no", "pol": "pl", "por": "pt", "ron": "ro", "rus": "ru", "slk": "sk", "slv": "sl",
  "spa": "es", "sqi": "sq", "srp": "sr", "swe": "sv", "tam": "ta", "tel": "te", "tha": "th",
  "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi", "zho": "zh",
]
