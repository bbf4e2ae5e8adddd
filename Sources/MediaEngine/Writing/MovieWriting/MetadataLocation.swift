// The locations of metadata items in a movie's header.

/// A location for metadata in a movie, which determines the form of an item.
enum MetadataLocation: Hashable, Sendable {
  /// User data of QuickTime and 3GPP (`udta`).
  case userData
  /// The list of iTunes (`udta`/`meta`, handler `mdir`).
  case list
  /// A list with names as keys (`meta`, handler `mdta`).
  case named
}

/// Assigns each item to the location that players of the file read, and all other items to the
/// named list.
///
/// An item that comes from a movie stays in its own location. Common texts are the exception: they
/// move between iTunes' list, which players of MP4 read, and user data, which players of QuickTime
/// read.
struct MetadataLocator {
  let isQuickTime: Bool
  /// True for a track's metadata: a track has no list of iTunes.
  let isTrack: Bool
  private(set) var placed: [MetadataLocation: [MetadataItem]] = [:]

  init(_ items: [MetadataItem], isQuickTime: Bool, isTrack: Bool = false) {
    self.isQuickTime = isQuickTime
    self.isTrack = isTrack
    // An item isn't moved to a location that already has its counterpart.
    let own = Set(items.map(\.identifier))
    for item in items {
      let (place, written) = place(item, beside: own)
      placed[place, default: []].append(written)
    }
  }

  private func place(
    _ item: MetadataItem, beside own: Set<String>
  ) -> (MetadataLocation, MetadataItem) {
    switch item.keySpace {
    case "mdta": return (.named, item)
    case "itsk" where !isTrack:
      if let key = isQuickTime ? userDataKey(of: item, beside: own) : nil {
        return (.userData, item.renamed(key, in: "udta"))
      }
      return MovieListItem(item) == nil ? (.named, named(item)) : (.list, item)
    case "itlk" where !isTrack: return (.list, item)
    case "udta", "uiso":
      if item.keySpace == "udta", !isQuickTime, !isTrack, let key = listKey(of: item, beside: own) {
        return (.list, item.renamed(key, in: "itsk"))
      }
      return MovieUserDataItem(item) == nil ? (.named, named(item)) : (.userData, item)
    default: return translated(item, beside: own)
    }
  }

  /// Converts an item of another container, or one with a common key.
  private func translated(
    _ item: MetadataItem, beside own: Set<String>
  ) -> (MetadataLocation, MetadataItem) {
    if !isTrack {
      let userData = userDataKey(of: item, beside: own).map { item.renamed($0, in: "udta") }
      let list = listKey(of: item, beside: own).map { item.renamed($0, in: "itsk") }
      if isQuickTime, let userData, MovieUserDataItem(userData) != nil {
        return (.userData, userData)
      }
      if let list, MovieListItem(list) != nil { return (.list, list.storedAsText) }
      if let userData, MovieUserDataItem(userData) != nil { return (.userData, userData) }
    }
    return (.named, named(item))
  }

  private func userDataKey(of item: MetadataItem, beside own: Set<String>) -> String? {
    guard item.value.text != nil, let key = userDataKeys[MetadataItem.libavKey(of: item)],
      !own.contains("udta/\(key)")
    else { return nil }
    return key
  }

  private func listKey(of item: MetadataItem, beside own: Set<String>) -> String? {
    if item.commonKey == "artwork", item.isData { return "covr" }
    // User data is more precise for locations, and for texts in one of several languages.
    guard item.value.text != nil, item.extendedLanguageTag == nil,
      let key = listKeys[MetadataItem.libavKey(of: item)], !own.contains("itsk/\(key)")
    else { return nil }
    return key
  }

  private func named(_ item: MetadataItem) -> MetadataItem {
    let name = MetadataItem.libavKey(of: item)
    let lower = name.lowercased()
    // Matroska writes its names in capitals.
    let isApples = name != lower && lower.hasPrefix("com.apple.quicktime.")
    return item.renamed(isApples ? appleNames[lower] ?? lower : name, in: "mdta")
  }
}

extension MetadataItem {
  /// The item with its value as a string, unless its iTunes key implies another form.
  fileprivate var storedAsText: MetadataItem {
    guard MovieListItem.isText(key), let text = value.text else { return self }
    var item = self
    item.value = .string(text)
    return item
  }

  fileprivate func renamed(_ key: String, in space: String) -> MetadataItem {
    var item = self
    item.key = key
    item.keySpace = space
    return item
  }
}

private let appleNames = [
  "com.apple.quicktime.location.iso6709": "com.apple.quicktime.location.ISO6709",
  "com.apple.quicktime.originatingsignature": "com.apple.quicktime.OriginatingSignature",
]

/// Names of QuickTime's user data by libav's names. libavformat's demuxer maps them to the same
/// names (mov.c, `mov_read_udta_string`).
private let userDataKeys = [
  "title": "©nam", "artist": "©ART", "album": "©alb", "comment": "©cmt", "date": "©day",
  "genre": "©gen", "copyright": "©cpy", "make": "©mak", "model": "©mod", "encoder": "©swr",
  "location": "©xyz", "composer": "©wrt", "performers": "©prf", "producer": "©prd",
  "director": "©dir", "original_source": "©src", "original_format": "©fmt",
  "host_computer": "©hst", "disclaimer": "©dis", "warning": "©wrn", "edit_date": "©ed1",
]

/// Keys of iTunes by libav's names. libavformat's demuxer maps them to the same names.
private let listKeys = [
  "title": "©nam", "artist": "©ART", "album_artist": "aART", "album": "©alb", "composer": "©wrt",
  "comment": "©cmt", "date": "©day", "genre": "©gen", "encoder": "©too", "copyright": "cprt",
  "description": "desc", "synopsis": "ldes", "lyrics": "©lyr", "grouping": "©grp",
  "show": "tvsh", "episode_id": "tven", "network": "tvnn", "keywords": "keyw",
  "category": "catg", "purchase_date": "purd", "account_id": "apID", "sort_name": "sonm",
  "sort_artist": "soar", "sort_album": "soal", "sort_album_artist": "soaa",
  "sort_composer": "soco", "sort_show": "sosn", "track": "trkn", "disc": "disk",
  "compilation": "cpil", "podcast": "pcst", "rating": "rtng", "media_type": "stik",
  "episode_sort": "tves", "season_number": "tvsn", "hd_video": "hdvd", "gapless_playback": "pgap",
  "account_type": "akID", "tempo": "tmpo", "tbpm": "tmpo",
]
