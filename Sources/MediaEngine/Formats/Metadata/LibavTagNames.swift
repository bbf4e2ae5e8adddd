// libavformat's names of the keys of containers, from its demuxers and muxers. Of several names for
// one key, or keys for one name, the first is used.

/// libav's names and a container's corresponding keys.
struct TagNames: Sendable {
  private var keys: [String: String] = [:]
  private var names: [String: String] = [:]

  init(_ pairs: KeyValuePairs<String, String>) {
    for (name, key) in pairs {
      keys[name] = keys[name] ?? key
      names[key] = names[key] ?? name
    }
  }

  /// Returns the container's key of one of libav's names, in any case.
  func key(ofName name: String) -> String? { keys[name.lowercased()] }
  func name(ofKey key: String) -> String? { names[key] }

  /// The tables of the key spaces that have one.
  static let ofKeySpace: [String: TagNames] = [
    "itsk": movie, "udta": movie, "uiso": iso, "id3": id3, "vorbis": vorbis,
    "matroska": matroska, "riff": riff, "asf": asf, "ape": ape, "common": common,
    "mvhd": header,
  ]

  static let movie = TagNames([
    "title": "©nam", "artist": "©ART", "album_artist": "aART", "album": "©alb",
    "composer": "©wrt", "comment": "©cmt", "date": "©day", "genre": "©gen", "genre": "gnre",
    "encoder": "©too", "encoder": "©swr", "encoder": "©enc", "copyright": "cprt",
    "copyright": "©cpy", "description": "desc", "description": "©des", "synopsis": "ldes",
    "lyrics": "©lyr", "grouping": "©grp", "track": "trkn", "track": "©trk", "disc": "disk",
    "show": "tvsh", "episode_id": "tven", "network": "tvnn", "episode_sort": "tves",
    "season_number": "tvsn", "sort_name": "sonm", "sort_artist": "soar", "sort_album": "soal",
    "sort_album_artist": "soaa", "sort_composer": "soco", "sort_show": "sosn",
    "media_type": "stik", "hd_video": "hdvd", "gapless_playback": "pgap", "compilation": "cpil",
    "podcast": "pcst", "category": "catg", "keywords": "keyw", "keywords": "©key",
    "keywords": "kywd", "purchase_date": "purd", "account_id": "apID", "account_type": "akID",
    "episode_uid": "egid", "rating": "rtng", "author": "©aut", "make": "©mak", "model": "©mod",
    "location": "©xyz", "performers": "©prf", "producer": "©prd", "director": "©dir",
    "subtitle": "©st3", "disclaimer": "©dis", "chapter": "©chp", "edit_date": "©ed1",
    "original_format": "©fmt", "host_computer": "©hst", "comment": "©inf",
    "original_artist": "©ope", "playback_requirements": "©req", "original_source": "©src",
    "url": "©url", "warning": "©wrn", "publisher": "©pub", "composer": "©com",
    "artist": "©art", "title": "name", "title": "titl", "author": "auth", "date": "date",
  ])

  static let iso = TagNames([
    "title": "titl", "artist": "perf", "author": "auth", "album": "albm", "comment": "dscp",
    "copyright": "cprt", "genre": "gnre", "date": "yrrc", "date": "date", "location": "loci",
    "keywords": "kywd", "rating": "rtng",
  ])

  static let id3 = TagNames([
    "title": "TIT2", "artist": "TPE1", "album_artist": "TPE2", "album": "TALB",
    "composer": "TCOM", "comment": "COMM", "date": "TDRC", "date": "TDRL", "date": "TYER",
    "genre": "TCON", "encoder": "TSSE", "copyright": "TCOP", "publisher": "TPUB",
    "track": "TRCK", "disc": "TPOS", "language": "TLAN", "lyrics": "USLT", "encoded_by": "TENC",
    "performer": "TPE3", "compilation": "TCMP", "creation_time": "TDEN", "grouping": "TIT1",
    "album-sort": "TSOA", "artist-sort": "TSOP", "title-sort": "TSOT",
  ])

  static let vorbis = TagNames([
    "title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "album_artist": "ALBUMARTIST",
    "track": "TRACKNUMBER", "disc": "DISCNUMBER", "comment": "DESCRIPTION", "date": "DATE",
    "genre": "GENRE", "encoder": "ENCODER", "composer": "COMPOSER", "copyright": "COPYRIGHT",
  ])

  /// Title, time and program are fields of the segment; the others are tags.
  static let matroska = TagNames([
    "title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "performer": "LEAD_PERFORMER",
    "track": "PART_NUMBER", "encoder": "WritingApp", "creation_time": "DateUTC",
    "date": "DATE", "genre": "GENRE", "comment": "COMMENT", "composer": "COMPOSER",
    "copyright": "COPYRIGHT", "description": "DESCRIPTION", "encoder": "ENCODER",
  ])

  static let riff = TagNames([
    "title": "INAM", "artist": "IART", "album": "IPRD", "comment": "ICMT", "copyright": "ICOP",
    "date": "ICRD", "genre": "IGNR", "language": "ILNG", "track": "IPRT", "track": "ITRK",
    "encoder": "ISFT", "timecode": "ISMP", "encoded_by": "ITCH",
  ])

  /// The keys that differ in more than their case.
  static let ape = TagNames(["album_artist": "Album Artist", "date": "Year"])

  static let asf = TagNames([
    "title": "Title", "artist": "Author", "author": "Author", "album": "WM/AlbumTitle",
    "album_artist": "WM/AlbumArtist", "comment": "Description", "copyright": "Copyright",
    "composer": "WM/Composer", "encoded_by": "WM/EncodedBy", "encoder": "WM/EncodingSettings",
    "encoder": "WM/Tool", "genre": "WM/Genre", "language": "WM/Language",
    "filename": "WM/OriginalFilename", "disc": "WM/PartOfSet", "publisher": "WM/Publisher",
    "track": "WM/TrackNumber", "service_provider": "WM/MediaStationCallSign",
    "service_name": "WM/MediaStationName",
  ])

  /// Common keys as keys of their own, as callers write them.
  static let common = TagNames([
    "album": "albumName", "date": "creationDate", "copyright": "copyrights",
    "encoder": "software", "genre": "type", "composer": "creator", "performer": "contributor",
  ])

  /// The time of the movie header.
  static let header = TagNames(["creation_time": "creation_time"])
}
