import Testing

@testable import MediaEngine

@Suite struct MovieMetadataTests {
  private func items(_ parts: [UInt8]...) throws -> [MetadataItem] {
    try #require(try movie(box("moov", mvhd(), parts.flatMap(\.self)))).metadata
  }

  private func data(_ type: Int, _ bytes: [UInt8], country: Int = 0, language: Int = 0) -> [UInt8] {
    box("data", be32(type) + be16(country) + be16(language), bytes)
  }

  private func text(_ text: String, language: Int = 0x15C7) -> [UInt8] {
    be16(text.utf8.count) + be16(language) + [UInt8](text.utf8)
  }

  private func iTunes(_ list: [UInt8]...) -> [UInt8] {
    box("udta", fullBox("meta", hdlr("mdir"), box("ilst", list.flatMap(\.self))))
  }

  /// QuickTime's texts, several languages of each.
  @Test func internationalTexts() throws {
    let found = try items(
      box(
        "udta", box("©nam", text("A title"), text("Ein Titel", language: 0x10B5)),
        box("©nam", text("again")), box("©xyz", text("+27.5916+086.5640+8850/", language: 0x15C7)),
        be32(0)))
    #expect(
      found.map(\.identifier) == ["udta/©nam", "udta/©nam", "udta/©nam", "udta/©xyz"])
    #expect(
      found.map(\.value)
        == ["A title", "Ein Titel", "again", "+27.5916+086.5640+8850/"].map { .string($0) })
    #expect(found.map(\.extendedLanguageTag) == ["en", "de", "en", "en"])
    #expect(found.map(\.commonKey) == ["title", "title", "title", "location"])
    #expect(found.allSatisfy { $0.dataType == "com.apple.metadata.datatype.UTF-8" })
  }

  /// Texts of the classic Mac OS, UTF-16, and bytes that are neither.
  @Test(
    arguments: [
      (0, [0x8E, 0x41], "éA"), (0x7FFF, [0xA9], "©"), (2, [0x9F], "ü"),
      // Japanese, written in UTF-8 all the same.
      (11, [0xE3, 0x81, 0x82], "あ"), (0x55C4, [0xC3, 0xA9], "é"),
      (0x55C4, [0xFE, 0xFF, 0, 0x41], "A"),
      (0x55C4, [0xFF, 0xFE, 0x41, 0], "A"), (0x55C4, [0xFE, 0xFF, 0xD8, 0], "\u{FFFD}"),
      (0x55C4, [0x41, 0xFF, 0x42], "A\u{FFFD}B"), (0x55C4, [0x41, 0, 0x42], "A"),
    ] as [(Int, [UInt8], String)])
  func encodings(_ language: Int, _ bytes: [UInt8], _ expected: String) throws {
    let found = try items(
      box("udta", box("©cmt", be16(bytes.count) + be16(language) + bytes)))
    #expect(found.map(\.value) == [.string(expected)])
  }

  /// Text without length and language, and iTunes' form of a value.
  @Test func irregularTexts() throws {
    let found = try items(
      box("udta", box("©swr", code("Bare text")), box("©too", data(1, code("Lavf")))))
    #expect(found.map(\.value) == [.string("Bare text"), .string("Lavf")])
  }

  @Test func isoTexts() throws {
    func iso(_ type: String, _ bytes: [UInt8]) -> [UInt8] { fullBox(type, be16(0x10B5), bytes) }
    let found = try items(
      box(
        "udta", iso("titl", code("Titel\0")), iso("dscp", [0xFE, 0xFF, 0, 0x41, 0, 0]),
        iso("albm", code("Album\0") + [7]), fullBox("yrrc", be16(1999)),
        fullBox("rtng", code("MPAA") + code("PG  ") + be16(0x15C7) + code("PG\0")),
        fullBox("clsf", code("abcd") + be16(3) + be16(0x15C7) + code("x\0")),
        iso("kywd", [2, 2] + code("a\0") + [1] + code("b"))))
    #expect(
      found.map(\.identifier) == [
        "uiso/titl", "uiso/dscp", "uiso/albm", "uiso/yrrc", "uiso/rtng", "uiso/clsf", "uiso/kywd",
        "uiso/kywd",
      ])
    #expect(
      found.map { $0.value.text } == ["Titel", "A", "Album", "1999", "PG", "x", "a", "b"])
    #expect(found[0].extendedLanguageTag == "de")
    #expect(found[2].extraAttributes == ["trackNumber": "7"])
    #expect(found[3].value == .integer(1999))
    #expect(found[4].extraAttributes == ["entity": "MPAA", "criteria": "PG  "])
    #expect(found[5].extraAttributes == ["entity": "abcd", "table": "3"])
  }

  @Test func aPlace() throws {
    let longitude = Int32(-7.25 * 65536), latitude = Int32(47.5 * 65536)
    let loci = fullBox(
      "loci",
      be16(0x15C7) + code("Home\0") + [1] + be(longitude) + be(latitude) + be(Int32(0))
        + code("earth\0") + code("note\0"))
    let found = try #require(try items(box("udta", loci)).first)
    #expect(found.identifier == "uiso/loci")
    #expect(found.commonKey == "location")
    #expect(found.value == .string("+47.5000-007.2500/"))
    #expect(
      found.extraAttributes == ["name": "Home", "role": "1", "body": "earth", "notes": "note"])
  }

  @Test func iTunesItems() throws {
    let found = try items(
      iTunes(
        box("©nam", data(1, [UInt8]("Ünï".utf8))),
        box("©ART", data(1, code("A")), data(1, code("B"))),
        box("trkn", data(0, be16(0) + be16(3) + be16(12) + be16(0))),
        box("disk", data(0, be16(0) + be16(1) + be16(0))), box("gnre", data(0, be16(18))),
        box("cpil", data(21, [1])), box("tmpo", data(0, be16(-2))),
        box("plID", data(22, be(UInt64.max))),
        box("rate", data(23, be(Float(0.5).bitPattern))), box("©wrt", data(2, [0, 0x41]))))
    #expect(
      found.map(\.key) == [
        "©nam", "©ART", "©ART", "trkn", "disk", "gnre", "cpil", "tmpo", "plID", "rate", "©wrt",
      ])
    #expect(found.allSatisfy { $0.keySpace == "itsk" })
    #expect(
      found.map(\.value) == [
        .string("Ünï"), .string("A"), .string("B"), .string("3/12"), .string("1"), .string("Rock"),
        .integer(1), .integer(-2), .number(0x1p64), .number(0.5), .string("A"),
      ])
    #expect(found[6].dataType == "com.apple.metadata.datatype.int8")
    #expect(found[9].dataType == "com.apple.metadata.datatype.float32")
  }

  @Test func itemsWithNamesOfTheirOwn() throws {
    let item = box(
      "----", fullBox("mean", code("com.apple.iTunes")), fullBox("name", code("iTunSMPB")),
      data(1, code(" 00000000")))
    let found = try items(iTunes(item, box("----", data(1, code("nameless")))))
    #expect(found.map(\.identifier) == ["itlk/com.apple.iTunes.iTunSMPB"])
    #expect(found[0].value == .string(" 00000000"))
    #expect(found[0].extraAttributes == ["mean": "com.apple.iTunes", "name": "iTunSMPB"])
  }

  /// A picture's own first bytes count more than the type it is stored with.
  @Test func artwork() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0], png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    let found = try items(
      iTunes(box("covr", data(14, jpeg), data(14, png), data(13, [1, 2]), data(0, []))))
    #expect(
      found.map(\.value) == [
        .data(jpeg, mimeType: "image/jpeg"), .data(png, mimeType: "image/png"),
        .data([1, 2], mimeType: "image/jpeg"), .data([], mimeType: "application/octet-stream"),
      ])
    #expect(
      found.map(\.dataType)
        == ["JPEG", "PNG", "JPEG", "raw-data"].map {
          "com.apple.metadata.datatype.\($0)"
        })
    #expect(found.allSatisfy { $0.commonKey == "artwork" })
  }

  /// QuickTime's own metadata: keys with names, values with languages and countries. Its box has no
  /// version where ISO's has one.
  @Test(arguments: [true, false]) func namedKeys(_ isISO: Bool) throws {
    func entry(_ name: String, _ space: String = "mdta") -> [UInt8] { box(space, code(name)) }
    func value(_ index: Int, _ data: [UInt8]...) -> [UInt8] {
      be32(8 + data.flatMap(\.self).count) + be32(index) + data.flatMap(\.self)
    }
    let keys = fullBox(
      "keys", be32(3), entry("com.apple.quicktime.title"), entry("com.android.capture.fps"),
      entry("©nam", "udta"))
    let countries = fullBox("ctry", be32(1), be16(2) + code("CHLI"))
    let languages = fullBox("lang", be32(1), be16(2) + be16(0x10B5) + be16(0x1A41))
    let list = box(
      "ilst",
      value(
        1, data(1, code("One"), language: 0x15C7),
        data(1, code("Two"), country: 0x5553, language: 0x15C7),
        data(1, code("Three"), country: 1, language: 1)),
      value(2, data(23, be(Float(30).bitPattern))), value(3, data(1, code("Four"))),
      value(4, data(1, code("no key"))), value(0, data(1, code("no key"))))
    let children = hdlr("mdta") + keys + countries + languages + list
    let found = try items(isISO ? fullBox("meta", children) : box("meta", children))
    #expect(
      found.map(\.identifier) == [
        "mdta/com.apple.quicktime.title", "mdta/com.apple.quicktime.title",
        "mdta/com.apple.quicktime.title", "mdta/com.android.capture.fps", "udta/©nam",
      ])
    #expect(found.map(\.extendedLanguageTag) == ["en", "en-US", "de-CH", nil, nil])
    #expect(found.map(\.locale) == ["en", "en_US", "de_CH", nil, nil])
    #expect(found[2].extraAttributes == ["languages": "de,fr", "countries": "CH,LI"])
    #expect(found[3].value == .number(30))
    #expect(found.map(\.commonKey) == ["title", "title", "title", nil, "title"])
  }

  /// Items of the file, of the movie and of a track stay apart.
  @Test func whereItBelongs() throws {
    let udta = box(
      "udta", box("name", code("Left")), box("tagc", code("public.auxiliary-content")),
      fullBox("kind", code("urn:x\0main\0")))
    let bytes =
      box("moov", mvhd(), trak(udta), box("udta", box("©nam", text("Movie"))))
      + fullBox("meta", hdlr("mdir"), box("ilst", box("©cmt", data(1, code("File")))))
    let found = try #require(try movie(bytes))
    #expect(found.metadata.map(\.identifier) == ["udta/©nam", "itsk/©cmt"])
    let track = try #require(found.tracks.first)
    #expect(track.metadata.map(\.identifier) == ["udta/name"])
    #expect(track.taggedCharacteristics == ["public.auxiliary-content"])
    #expect(track.kinds == [.init(scheme: "urn:x", value: "main")])
  }

  /// Bytes of an unknown kind are kept as bytes.
  @Test func unknownUserData() throws {
    let found = try items(box("udta", box("Abcd", [1, 2, 3]), box("WLOC", zeros(4)), box("free")))
    #expect(found.map(\.identifier) == ["udta/Abcd", "udta/WLOC"])
    #expect(found[0].value == .data([1, 2, 3], mimeType: "application/octet-stream"))
    #expect(found[0].dataType == "com.apple.metadata.datatype.raw-data")
  }
}
