import LibAV
import Testing

@testable import MediaEngine

@Suite struct MetadataTagTests {
  private static let movie = "mov,mp4,m4a,3gp,3g2,mj2"

  private func keySpace(_ formatName: String) -> String {
    DemuxerTraits(formatName: formatName).metadataKeySpace
  }

  /// The items of libav's flat names in each container.
  @Test(
    arguments: [
      (movie, "title", "itsk/©nam", "title"), (movie, "artist", "itsk/©ART", "artist"),
      (movie, "encoder", "itsk/©too", "software"), (movie, "track", "itsk/trkn", nil),
      (movie, "com.apple.quicktime.title", "mdta/com.apple.quicktime.title", "title"),
      (
        movie, "com.apple.quicktime.creationdate", "mdta/com.apple.quicktime.creationdate",
        "creationDate"
      ),
      (movie, "com.android.version", "mdta/com.android.version", nil),
      (movie, "anything", "mdta/anything", nil), (movie, "location", "udta/©xyz", "location"),
      (movie, "location-eng", "uiso/loci", "location"),
      (movie, "creation_time", "mvhd/creation_time", "creationDate"),
      (movie, "handler_name", "hdlr/handler_name", nil), (movie, "timecode", "tmcd/timecode", nil),
      (movie, "major_brand", "ftyp/major_brand", nil),
      ("mp3", "major_brand", "ftyp/major_brand", nil),
      ("matroska,webm", "COMPATIBLE_BRANDS", "ftyp/compatible_brands", nil),
      ("mp3", "title", "id3/TIT2", "title"), ("mp3", "date", "id3/TDRC", "creationDate"),
      ("mp3", "TBPM", "id3/TBPM", nil), ("mp3", "comment", "id3/COMM", "description"),
      ("mp3", "replaygain_track_gain", "id3/TXXX", nil), ("mp3", "lyrics-eng", "id3/USLT", nil),
      ("mp3", "id3v2_priv.WM/MediaClass", "id3/PRIV", nil),
      ("flac", "TITLE", "vorbis/TITLE", "title"), ("flac", "Title", "vorbis/TITLE", "title"),
      ("ogg", "track", "vorbis/TRACKNUMBER", nil),
      ("ogg", "comment", "vorbis/DESCRIPTION", "description"),
      ("ogg", "COMMENT", "vorbis/COMMENT", "description"),
      ("ogg", "album_artist", "vorbis/ALBUMARTIST", nil),
      ("matroska,webm", "title", "matroska/TITLE", "title"),
      ("matroska,webm", "encoder", "matroska/WritingApp", "software"),
      ("matroska,webm", "ENCODER", "matroska/ENCODER", "software"),
      ("matroska,webm", "DATE_RELEASED", "matroska/DATE_RELEASED", "creationDate"),
      ("matroska,webm", "creation_time", "matroska/DateUTC", "creationDate"),
      ("wav", "title", "riff/INAM", "title"), ("avi", "encoder", "riff/ISFT", "software"),
      ("wav", "ISBJ", "riff/ISBJ", "subject"), ("wav", "originator", "bext/originator", nil),
      ("asf", "album", "asf/WM/AlbumTitle", "albumName"), ("asf", "title", "asf/Title", "title"),
      ("asf", "IsVBR", "asf/IsVBR", nil), ("wv", "Artist", "ape/Artist", "artist"),
      ("aiff", "title", "id3/TIT2", "title"), ("caf", "comments", "caaf/comments", nil),
      ("flv", "encoder", "flv/encoder", "software"),
      ("gif", "comment", "gif/comment", "description"),
    ] as [(String, String, String, String?)])
  func origins(_ format: String, _ name: String, _ identifier: String, _ common: String?) {
    let item = MetadataItem(Tag(key: name, value: "x"), keySpace: keySpace(format))
    #expect(item.identifier == identifier)
    #expect(item.commonKey == common)
    #expect(item.value == .string("x"))
  }

  /// By any way in, libav's own name comes out again.
  @Test(arguments: [
    (movie, "title"), (movie, "album_artist"), (movie, "track"), (movie, "location"),
    (movie, "com.apple.quicktime.title"), (movie, "anything"), ("mp3", "title"),
    ("mp3", "replaygain_track_gain"), ("mp3", "id3v2_priv.WM/MediaClass"), ("mp3", "TBPM"),
    ("mp3", "lyrics"), ("ogg", "track"), ("ogg", "title"), ("matroska,webm", "encoder"),
    ("matroska,webm", "creation_time"), ("wav", "title"), ("wav", "encoded_by"), ("asf", "album"),
    ("asf", "service_name"), ("flv", "encoder"), ("wv", "Artist"),
  ])
  func roundTrips(_ format: String, _ name: String) {
    let item = MetadataItem(Tag(key: name, value: "x"), keySpace: keySpace(format))
    #expect(MetadataItem.libavKey(of: item) == name)
  }

  @Test(arguments: [
    ("itsk", "©nam", "title"), ("itsk", "gnre", "genre"), ("itsk", "©too", "encoder"),
    ("udta", "©nam", "title"), ("udta", "©xyz", "location"), ("udta", "©swr", "encoder"),
    ("uiso", "titl", "title"), ("uiso", "perf", "artist"), ("uiso", "loci", "location"),
    ("mdta", "com.apple.quicktime.title", "com.apple.quicktime.title"),
    ("itlk", "com.apple.iTunes.iTunSMPB", "iTunSMPB"), ("id3", "TIT2", "title"),
    ("id3", "TYER", "date"), ("common", "title", "title"), ("common", "albumName", "album"),
    ("common", "creationDate", "date"), ("common", "software", "encoder"), ("nut", "x", "x"),
  ])
  func libavsNames(_ space: String, _ key: String, _ name: String) {
    let item = MetadataItem(key: key, keySpace: space, value: .string(""))
    #expect(MetadataItem.libavKey(of: item) == name)
  }

  /// A movie may state the same in several places and languages; libav has one place for each name.
  @Test func tagsOfSeveralItems() {
    func item(_ space: String, _ key: String, _ text: String, _ language: String? = nil)
      -> MetadataItem
    {
      MetadataItem(key: key, keySpace: space, extendedLanguageTag: language, value: .string(text))
    }
    let tags = MetadataItem.libavTags(of: [
      item("udta", "©nam", "A", "en"), item("itsk", "©nam", "A"),
      item("uiso", "titl", "B", "de-CH"),
      item("itsk", "©ART", "One"), item("itsk", "©ART", "Two"), item("ftyp", "major_brand", "qt"),
      MetadataItem(key: "tmpo", keySpace: "itsk", value: .integer(120)),
      MetadataItem(key: "fps", keySpace: "mdta", value: .number(29.5)),
      MetadataItem(key: "covr", keySpace: "itsk", value: .data([1], mimeType: "image/png")),
    ])
    #expect(
      tags == [
        Tag(key: "title", value: "A"), Tag(key: "title-deu", value: "B"),
        Tag(key: "artist", value: "One;Two"), Tag(key: "tmpo", value: "120"),
        Tag(key: "fps", value: "29.5"),
      ])
  }

  /// Nothing that libav knows is lost, and nothing is there twice.
  @Test func merging() {
    let own = [
      MetadataItem(key: "©nam", keySpace: "udta", value: .string("Title")),
      MetadataItem(key: "com.android.capture.fps", keySpace: "mdta", value: .number(240)),
      MetadataItem(key: "stik", keySpace: "itsk", value: .integer(6)),
      MetadataItem(key: "loci", keySpace: "uiso", value: .string("+01.0000+002.0000/")),
      MetadataItem(key: "©nam", keySpace: "udta", value: .string("Title")),
      MetadataItem(key: "long", keySpace: "mdta", value: .integer(1 << 40)),
      MetadataItem(key: "rtng", keySpace: "uiso", value: .string("PG")),
    ]
    let merged = MetadataItem.merged(
      own,
      with: [
        Tag(key: "major_brand", value: "qt  "), Tag(key: "title", value: "Title"),
        Tag(key: "title-eng", value: "Title"), Tag(key: "artist", value: "Somebody"),
        Tag(key: "com.android.capture.fps", value: "240.000000"),
        Tag(key: "media_type", value: "6"),
        Tag(key: "location-eng", value: "+01.0000+002.0000/earth"),
        Tag(key: "copyright", value: ""),
        Tag(key: "author", value: "Somebody"), Tag(key: "author-eng", value: "Somebody"),
        Tag(key: "encoder", value: "Compressor"), Tag(key: "long", value: "0"),
        Tag(key: "rating", value: "77"),
      ], keySpace: "itsk", elsewhere: ["Compressor"])
    #expect(merged.prefix(7) == own[...])
    #expect(
      merged.dropFirst(7).map(\.identifier) == ["ftyp/major_brand", "itsk/©ART", "itsk/©aut"])
  }
}

@Suite struct MetadataFilterTests {
  private func item(
    _ space: String, _ key: String, _ language: String? = nil,
    value: MetadataItem.Value = .string("")
  ) -> MetadataItem {
    MetadataItem(
      key: key, keySpace: space, commonKey: MetadataItem.commonKey(of: key, in: space),
      extendedLanguageTag: language, value: value)
  }

  @Test func formats() {
    let items = [
      item("udta", "©nam"), item("itlk", "com.apple.iTunes.x"), item("itsk", "©nam"),
      item("mdta", "x"), item("uiso", "titl"), item("id3", "TIT2"), item("vorbis", "TITLE"),
      item("matroska", "TITLE"), item("udta", "©ART"), item("nut", "x"),
    ]
    #expect(
      availableMetadataFormats(of: items) == [
        "com.apple.quicktime.udta", "com.apple.itunes", "com.apple.quicktime.mdta", "org.mp4ra",
        "org.id3", "org.xiph.vorbis-comment", "org.matroska", "unknown.nut",
      ])
    #expect(items.filtered(byFormat: "com.apple.itunes").map(\.keySpace) == ["itlk", "itsk"])
    #expect(availableMetadataFormats(of: []).isEmpty)
  }

  @Test func keys() {
    let items = [
      item("udta", "©nam"), item("itsk", "©nam"), item("itsk", "©ART"), item("itsk", "aART"),
    ]
    #expect(items.filtered(byIdentifier: "itsk/©nam").count == 1)
    #expect(items.filtered(byKey: "©nam", keySpace: nil).map(\.keySpace) == ["udta", "itsk"])
    #expect(items.filtered(byKey: nil, keySpace: "itsk").count == 3)
    #expect(items.filtered(byKey: "©nam", keySpace: "id3").isEmpty)
    #expect(items.filtered(byCommonKey: "artist").map(\.key) == ["©ART"])
  }

  @Test(
    arguments: [
      (["en"], ["en", "en-US", "EN-gb"]), (["en-US"], ["en-US", "en"]),
      (["de", "en"], ["de-CH", "de", "en", "en-US", "EN-gb"]),
      (["de-CH", "en-US"], ["de-CH", "de", "en-US", "en"]),
      (["e"], []), ([], []), (["fr", "zh"], ["zh-Hant-TW"]), (["zh-Hant"], ["zh-Hant-TW"]),
      (["zh-Hans"], []), ([""], []),
    ] as [([String], [String])])
  func languages(_ preferred: [String], _ expected: [String]) {
    let items = ["en", "de-CH", "en-US", nil, "de", "EN-gb", "zh-Hant-TW"].map {
      item("udta", "©nam", $0)
    }
    let found = items.filteredAndSorted(accordingToPreferredLanguages: preferred)
    #expect(found.compactMap(\.extendedLanguageTag) == expected)
  }

  @Test func sharing() {
    let bytes = MetadataItem.Value.data([1], mimeType: "application/octet-stream")
    let picture = MetadataItem.Value.data([1], mimeType: "image/png")
    let kept = [
      item("itsk", "©nam"), item("itsk", "covr", value: picture), item("udta", "©mak"),
      item("id3", "TIT2"), item("mdta", "com.apple.quicktime.creationdate"),
    ]
    let dropped = [
      item("udta", "©xyz"), item("uiso", "loci"),
      item("mdta", "com.apple.quicktime.location.ISO6709"),
      item("mdta", "com.apple.quicktime.location.accuracy.horizontal"), item("itsk", "apID"),
      item("itsk", "ownr"), item("itsk", "purd"), item("id3", "PRIV"),
      item("udta", "GPMF", value: bytes),
      item("udta", "XMP_"), item("vorbis", "LOCATION"), item("exif", "GPSLatitude"),
    ]
    #expect((kept + dropped).filteredForSharing == kept)
  }
}

@Suite struct LanguageTests {
  @Test(
    arguments: [
      ("eng", "en"), ("ger", "de"), ("deu", "de"), ("sqi", "sq"), ("gsw", "gsw"), ("und", nil),
      ("en", "en"),
      ("english", nil),
    ] as [(String, String?)])
  func tags(_ code: String, _ tag: String?) { #expect(bcp47(ofISO639: code) == tag) }

  @Test(
    arguments: [
      ("en-US", "eng"), ("de", "deu"), ("zh-Hant", "zho"), ("gsw", "gsw"), ("", nil),
    ] as [(String, String?)])
  func codes(_ tag: String, _ code: String?) { #expect(iso639(ofTag: tag) == code) }

  @Test(
    arguments: [
      (0, "en"), (19, "zh-Hant"), (33, "zh-Hans"), (0x15C7, "en"), (0x1CB2, "de"), (0x55C4, nil),
      (0x7FFF, nil),
    ] as [(UInt16, String?)])
  func packed(_ value: UInt16, _ tag: String?) {
    #expect(PackedLanguage(rawValue: value).tag == tag)
  }
}
