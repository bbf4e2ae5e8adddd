import LibAV
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Headers that lie or stop short: nothing traps, and nothing costs more than the bytes that are there.
@Suite struct HostileMovieTests {
  /// A header with a bit of everything.
  private static let header: [UInt8] = {
    let sound = box(
      "mp4a", zeros(6) + be16(1), zeros(8) + be16(2) + be16(16) + zeros(4) + be32(48000 << 16),
      box("esds", [1, 2, 3]))
    let list = fullBox("elst", be32(1), be32(600) + be32(-1) + be32(0x10000))
    let data = box("data", be32(1) + be32(0x15C7), code("text"))
    let keys = fullBox("keys", be32(1), box("mdta", code("com.example.key")))
    let named = box("ilst", be32(8 + data.count) + be32(1) + data)
    let user = box(
      "udta", box("©nam", be16(2) + be16(0) + code("ab")),
      fullBox("loci", be16(0x15C7) + code("a\0") + zeros(13) + code("b\0c\0")),
      fullBox("meta", hdlr("mdir"), box("ilst", box("©cmt", data), box("covr", data))))
    let sub = box("edts", list) + box("tref", box("chap", be32(2))) + user
    return box("ftyp", code("isom"), be32(0), code("mp42"))
      + box(
        "moov", mvhd(), trak(sub, stsd: stsd(sound), media: fullBox("elng", code("de\0"))), user,
        box("meta", hdlr("mdta"), keys, named), box("mvex", fullBox("mehd", be32(1))))
      + box("moof") + box("mdat", zeros(8))
  }()

  @Test func everyPrefixIsRead() throws {
    let whole = try #require(try movie(Self.header))
    #expect(whole.tracks.count == 1)
    #expect(whole.metadata.count == 5)
    #expect(whole.containsFragments)
    var items = 0
    for length in Self.header.indices {
      let part = try movie(Array(Self.header[..<length]))
      #expect((part?.tracks.count ?? 0) <= 1)
      // Nothing that was there goes away again when more of the file comes.
      #expect((part?.metadata.count ?? 0) >= items, "\(length) bytes")
      items = part?.metadata.count ?? 0
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func flippedBits(_ round: UInt64) throws {
    let seed = UInt64.random(in: 0...UInt64.max) ^ round
    var generator = SeededGenerator(seed: seed)
    for turn in 0..<1000 {
      var bytes = Self.header
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      let found = try movie(bytes)
      let ends = (found?.mediaData ?? []).map(\.upperBound)
      #expect(ends.allSatisfy { $0 <= Int64(bytes.count) }, "seed \(seed), turn \(turn)")
    }
  }

  /// A box within a box within a box …: only the places where a box belongs are looked at.
  @Test func nesting() throws {
    var bytes: [UInt8] = []
    for _ in 0..<2000 { bytes = box("moov", mvhd(), box("trak", box("udta", box("meta", bytes)))) }
    #expect(try movie(bytes)?.tracks.count == 1)
  }

  @Test func countsOfFourThousandMillion() throws {
    let tables =
      box("edts", fullBox("elst", be32(-1))) + box("tref", box("chap"))
    let keys = box("meta", hdlr("mdta"), fullBox("keys", be32(-1)), fullBox("ctry", be32(-1)))
    let movie = try #require(
      try movie(box("moov", mvhd(), trak(tables, stsd: stsd(count: -1)), keys)))
    #expect(movie.tracks.first?.edits.isEmpty == true)
    #expect(movie.tracks.first?.sampleDescriptions.isEmpty == true)
    #expect(movie.metadata.isEmpty)
  }

  /// A payload that claims gigabytes is cut where the file ends, and no byte is requested beyond.
  @Test func boxesBeyondTheFile() throws {
    let udta =
      be32(0x7FFF_FFFF) + code("udta") + be32(0x7FFF_FFF0) + code("©nam") + be16(1) + be16(0)
    let moov = be32(0x7FFF_FFFF) + code("moov") + mvhd() + udta + code("x")
    #expect(try movie(moov)?.metadata.map(\.value) == [.string("x")])
    let long = be32(1) + code("moov") + be(UInt64(Int64.max)) + mvhd()
    #expect(try movie(long)?.timescale == 600)
  }

  /// The file is shorter than it states: the missing part is absent.
  @Test func aFileThatShrinks() throws {
    let source = BytesSource(box("moov", mvhd()) + be32(0), claimedSize: 1 << 40)
    #expect(try Movie.read(source, interrupt: Interrupt())?.timescale == 600)
  }

  /// Too much to read is left out; the rest is there.
  @Test func tooLargeToRead() throws {
    let large = box("©cmt", be16(1) + be16(0) + code("x"), zeros(17 << 20))
    let small = box("©nam", be16(1) + be16(0) + code("y"))
    let found = try #require(try movie(box("moov", mvhd(), box("udta", large, small), trak())))
    #expect(found.metadata.map(\.key) == ["©nam"])
    #expect(found.tracks.count == 1)
  }

  @Test func tooManyOfEach() throws {
    let texts = (0..<20_000).flatMap { _ in box("©nam", be16(1) + be16(0) + code("x")) }
    let tracks = (0..<6000).flatMap { _ in box("trak") }
    let found = try #require(try movie(box("moov", mvhd(), box("udta", texts), tracks)))
    #expect(found.metadata.count == 10_000)
    #expect(found.tracks.count == 4096)
  }

  /// Sample tables and media are stepped over, however large.
  @Test func whatIsNotRead() throws {
    let table = stsd() + box("stsz", zeros(4 << 20)) + box("stco", zeros(4 << 20))
    let source = CountingSource(
      BytesSource(
        box("mdat", zeros(8 << 20))
          + box("moov", mvhd(), trak(stsd: table), box("free", zeros(1 << 20)))))
    let found = try #require(try Movie.read(source, interrupt: Interrupt()))
    #expect(found.tracks.count == 1)
    #expect(source.bytesRead < 100_000)
  }
}
