// The common keys for the keys of each key space (AVMetadataKey's common keys).

extension MetadataItem {
  /// Returns the common key for a key; nil if it has none.
  package static func commonKey(of key: String, in space: String) -> String? {
    switch space {
    // Common keys that a caller passes as keys.
    case "common": key
    case "itsk": iTunesCommonKeys[key]
    case "udta": userDataCommonKeys[key]
    case "uiso": isoCommonKeys[key]
    case "id3": id3CommonKeys[key]
    case "riff": riffCommonKeys[key]
    case "asf": asfCommonKeys[key] ?? freeCommonKeys[key.lowercased()]
    case "mdta": namedCommonKey(key)
    case "mvhd": key == "creation_time" ? "creationDate" : nil
    case "itlk", "ftyp", "mdhd", "hdlr", "stsd", "tmcd", "tkhd": nil
    case "matroska":
      ["WritingApp": "software", "DateUTC": "creationDate"][key]
        ?? freeCommonKeys[key.lowercased()]
    // Names that people write: "TITLE", "Title", "title".
    default: freeCommonKeys[key.lowercased()]
    }
  }

  private static func namedCommonKey(_ key: String) -> String? {
    for prefix in ["com.apple.quicktime.", "com.android."] where key.hasPrefix(prefix) {
      let name = key.dropFirst(prefix.count).lowercased()
      return quickTimeCommonKeys[name] ?? (prefix == "com.android." ? nil : freeCommonKeys[name])
    }
    return freeCommonKeys[key.lowercased()]
  }
}

private let iTunesCommonKeys = [
  "©nam": "title", "©ART": "artist", "©alb": "albumName", "©wrt": "creator", "©aut": "author",
  "auth": "author", "©cmt": "description", "desc": "description", "ldes": "description",
  "sdes": "description", "©des": "description", "cprt": "copyrights", "©cpy": "copyrights",
  "©day": "creationDate", "©gen": "type", "gnre": "type", "©too": "software", "©swr": "software",
  "covr": "artwork", "©pub": "publisher", "©prf": "contributor", "©mak": "make", "©mod": "model",
  "©xyz": "location", "keyw": "subject",
]

private let userDataCommonKeys = [
  "©nam": "title", "name": "title", "titl": "title", "©ART": "artist", "©art": "artist",
  "©alb": "albumName", "©aut": "author", "auth": "author", "©wrt": "creator",
  "©des": "description", "©cmt": "description", "©com": "creator", "©inf": "description",
  "©cpy": "copyrights", "cprt": "copyrights", "©day": "creationDate", "date": "creationDate",
  "©gen": "type", "©fmt": "format", "©src": "source", "©mak": "make", "©mod": "model",
  "©swr": "software", "©too": "software", "©xyz": "location", "©pub": "publisher",
  "©prf": "contributor", "©key": "subject",
]

private let isoCommonKeys = [
  "titl": "title", "auth": "author", "perf": "artist", "albm": "albumName", "dscp": "description",
  "cprt": "copyrights", "gnre": "type", "yrrc": "creationDate", "date": "creationDate",
  "loci": "location", "kywd": "subject", "thmb": "artwork", "ades": "accessibilityDescription",
]

private let quickTimeCommonKeys = [
  "displayname": "title", "information": "description", "creationdate": "creationDate",
  "location.iso6709": "location", "software": "software", "keywords": "subject",
  "originalsource": "source", "manufacturer": "make", "model": "model", "year": "creationDate",
  "accessibility.description": "accessibilityDescription", "originalformat": "format",
]

private let id3CommonKeys = [
  "TIT2": "title", "TPE1": "artist", "TPE3": "contributor", "TALB": "albumName",
  "TCOM": "creator", "TEXT": "author", "COMM": "description", "TIT3": "description",
  "TDRC": "creationDate", "TYER": "creationDate", "TDRL": "creationDate", "TCON": "type",
  "TSSE": "software", "TCOP": "copyrights", "TPUB": "publisher", "TLAN": "language",
  "APIC": "artwork", "TSRC": "identifier", "UFID": "identifier", "TFLT": "format",
]

private let riffCommonKeys = [
  "INAM": "title", "IART": "artist", "IPRD": "albumName", "ICMT": "description",
  "ISBJ": "subject", "ICOP": "copyrights", "ICRD": "creationDate", "IGNR": "type",
  "ILNG": "language", "ISFT": "software", "ISRC": "source", "IMUS": "creator", "IWRI": "author",
  "IKEY": "subject",
]

private let asfCommonKeys = [
  "Title": "title", "Author": "artist", "Description": "description", "Copyright": "copyrights",
  "WM/AlbumTitle": "albumName", "WM/Composer": "creator", "WM/Genre": "type",
  "WM/Publisher": "publisher", "WM/Year": "creationDate", "WM/Language": "language",
  "WM/EncodingSettings": "software", "WM/Tool": "software", "WM/Picture": "artwork",
  "WM/Writer": "author",
]

/// Readable names, in lower case: Vorbis comments, Matroska's and APE's tags, libav's own, Exif's.
private let freeCommonKeys = [
  "title": "title", "artist": "artist", "author": "author", "album": "albumName",
  "albumname": "albumName", "composer": "creator", "creator": "creator",
  "comment": "description", "description": "description", "synopsis": "description",
  "summary": "description", "imagedescription": "description", "copyright": "copyrights",
  "copyrights": "copyrights", "date": "creationDate", "year": "creationDate",
  "date_recorded": "creationDate", "date_released": "creationDate", "datetime": "creationDate",
  "datetimeoriginal": "creationDate", "origination_date": "creationDate",
  "creation_time": "creationDate", "creationdate": "creationDate", "genre": "type",
  "type": "type", "encoder": "software", "software": "software", "encoding_tool": "software",
  "writing_app": "software", "make": "make", "model": "model", "location": "location",
  "recording_location": "location", "language": "language", "publisher": "publisher",
  "label": "publisher", "performer": "contributor", "lead_performer": "artist",
  "contributor": "contributor", "subject": "subject", "keywords": "subject",
  "format": "format", "source": "source", "relation": "relation", "isrc": "identifier",
  "identifier": "identifier", "artwork": "artwork", "metadata_block_picture": "artwork",
  "coverart": "artwork", "cover art (front)": "artwork",
]
