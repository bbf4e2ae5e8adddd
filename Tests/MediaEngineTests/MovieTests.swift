import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

func movie(_ bytes: [UInt8]) throws -> Movie? {
  try Movie.read(BytesSource(bytes), interrupt: Interrupt())
}

@Suite struct MovieTests {
  @Test func theHeader() throws {
    let bytes =
      box("ftyp", code("qt  "), be32(0x200), code("qt  mp42"), zeros(4))
      + box("moov", mvhd(timescale: 90000, duration: 45045, created: 3_786_825_600))
    let movie = try #require(try movie(bytes))
    #expect(movie.timescale == 90000)
    #expect(movie.duration == Time(value: 45045, timescale: 90000))
    #expect(movie.preferredRate == 1)
    #expect(movie.preferredVolume == 1)
    #expect(movie.tracks.isEmpty)
    #expect(!movie.canContainFragments)
  }

  /// Fields of 64 bits, and the three ways of knowing no duration.
  @Test func longHeadersAndUnknownDurations() throws {
    func header(_ timescale: Int, _ duration: UInt64) -> [UInt8] {
      fullBox(
        "mvhd", version: 1, be(UInt64(1)) + be(UInt64(2)) + be32(timescale) + be(duration),
        be32(0x8000) + be16(0x80), zeros(70))
    }
    let long = try #require(try movie(box("moov", header(1000, 1 << 40))))
    #expect(long.duration == Time(value: 1 << 40, timescale: 1000))
    #expect(long.preferredRate == 0.5)
    #expect(long.preferredVolume == 0.5)
    #expect(try movie(box("moov", header(1000, .max)))?.duration == nil)
    #expect(try movie(box("moov", header(0, 5)))?.duration == nil)
    #expect(try movie(box("moov", header(-1, 5)))?.timescale == 0)
    #expect(try movie(box("moov", mvhd(duration: 0xFFFF_FFFF)))?.duration == nil)
  }

  @Test func aTracksHeaders() throws {
    let bytes = box(
      "moov", mvhd(),
      box(
        "trak", tkhd(id: 7, flags: 2, group: 3, width: 640, height: 360),
        box(
          "mdia", mdhd(timescale: 30000, duration: 0xFFFF_FFFF, language: 0x1CB2),
          hdlr("vide", name: code("Core Media Video\0")), fullBox("elng", code("de-CH\0")))),
      trak(id: 8))
    let tracks = try #require(try movie(bytes)).tracks
    #expect(tracks.map(\.id) == [7, 8])
    let track = tracks[0]
    #expect(!track.isEnabled)
    #expect(track.alternateGroup == 3)
    #expect(track.volume == 0.5)
    #expect(track.timescale == 30000)
    #expect(track.duration == nil)
    // "ger" in the file: the codes that libraries use are not the terminologists'.
    #expect(track.languageCode == "deu")
    #expect(track.extendedLanguageTag == "de-CH")
    #expect(track.handler == "vide")
    #expect(tracks[1].isEnabled)
    #expect(tracks[1].duration == 96000)
    #expect(tracks[1].languageCode == "eng")
  }

  /// Codes below 0x400 are the classic Mac OS', and two mean nothing.
  @Test(
    arguments: [
      (0, "eng"), (2, "deu"), (11, "jpn"), (33, "zho"), (94, "epo"), (128, "cym"), (0x7FFF, nil),
      (0x55C4, nil), (0x3FF, nil), (0x1A41, "fra"), (0x0403, nil),
    ] as [(Int, String?)])
  func languages(_ packed: Int, _ language: String?) throws {
    let bytes = box("moov", box("trak", box("mdia", mdhd(language: packed))))
    #expect(try movie(bytes)?.tracks.first?.languageCode == language)
  }

  @Test func edits() throws {
    let short = fullBox(
      "elst", be32(3), be32(600) + be32(-1) + be32(0x10000),
      be32(1200) + be32(1024) + be32(0x10000), be32(300) + be32(0) + be32(0))
    let long = fullBox(
      "elst", version: 1, be32(1), be(UInt64(1 << 33)) + be(Int64(1 << 34)) + be32(0x20000))
    let bytes = box(
      "moov", mvhd(), trak(id: 1, box("edts", short)), trak(id: 2, box("edts", long)))
    let tracks = try #require(try movie(bytes)).tracks
    #expect(
      tracks[0].edits == [
        .init(duration: 600, mediaTime: -1, rate: 1),
        .init(duration: 1200, mediaTime: 1024, rate: 1),
        .init(duration: 300, mediaTime: 0, rate: 0),
      ])
    #expect(tracks[0].edits.map(\.isEmpty) == [true, false, false])
    #expect(tracks[1].edits == [.init(duration: 1 << 33, mediaTime: 1 << 34, rate: 2)])
  }

  /// More entries than there are bytes: those that are there count.
  @Test func editsBeyondTheBox() throws {
    let list = fullBox("elst", be32(-1), be32(600) + be32(0) + be32(0x10000), be32(600) + be32(0))
    let bytes = box("moov", mvhd(), trak(box("edts", list)))
    #expect(
      try movie(bytes)?.tracks.first?.edits == [.init(duration: 600, mediaTime: 0, rate: 1)])
  }

  @Test func references() throws {
    let tref = box(
      "tref", box("chap", be32(3)), box("tmcd", be32(4) + be32(0) + be32(5)), box("sbtl"))
    let bytes = box("moov", mvhd(), trak(tref))
    #expect(try movie(bytes)?.tracks.first?.references == ["chap": [3], "tmcd": [4, 5]])
  }

  @Test func dataElsewhere() throws {
    func isSelfContained(flags: Int) throws -> Bool? {
      let dref = fullBox("dref", be32(1), fullBox("alis", flags: flags))
      return try movie(
        box("moov", box("trak", box("mdia", box("minf", box("dinf", dref))))))?.tracks.first?
        .isSelfContained
    }
    #expect(try isSelfContained(flags: 1) == true)
    #expect(try isSelfContained(flags: 0) == false)
  }

  @Test func fragmentsAndMediaData() throws {
    let mvex = box("mvex", fullBox("mehd", be32(3000)), fullBox("trex", zeros(20)))
    let header = box("moov", mvex, mvhd(timescale: 1000))
    let plain = try #require(try movie(header))
    #expect(plain.canContainFragments)
    #expect(!plain.containsFragments)
    #expect(plain.overallDurationHint == Time(value: 3, timescale: 1))
    #expect(plain.mediaData.isEmpty)

    let start = Int64(header.count)
    let bytes = header + box("moof") + box("mdat", zeros(5)) + box("moof") + be32(0) + code("mdat")
    let fragmented = try #require(try movie(bytes + zeros(9)))
    #expect(fragmented.containsFragments)
    #expect(fragmented.mediaData == [start + 16..<start + 21, start + 37..<start + 46])
    // Fragments that the header doesn't allow are none.
    #expect(try movie(box("moov", mvhd()) + box("moof"))?.containsFragments == false)
  }

  /// A box of 64 bits, and one that is longer than the file.
  @Test func sizes() throws {
    let moov = box("moov", mvhd())
    let long = be32(1) + code("mdat") + be(UInt64(20)) + zeros(4) + moov
    #expect(try movie(long)?.mediaData == [16..<20])
    let cut = moov + be32(1) + code("mdat") + be(UInt64.max) + zeros(4)
    let start = Int64(moov.count) + 16
    #expect(try movie(cut)?.mediaData == [start..<start + 4])
  }

  @Test func whatIsNoMovie() throws {
    #expect(try movie([]) == nil)
    #expect(try movie(box("ftyp", code("isom"), be32(0))) == nil)
    #expect(try movie(box("moov")) == nil)
    #expect(try movie(box("moov", box("cmov", zeros(40)))) == nil)
    #expect(try movie([UInt8]("RIFF....WAVEfmt ".utf8)) == nil)
  }

  @Test func readingIsInterrupted() throws {
    let interrupt = Interrupt()
    interrupt.trigger()
    #expect {
      try Movie.read(BytesSource(box("moov", mvhd())), interrupt: interrupt)
    } throws: {
      ($0 as? EngineError)?.code == .operationCancelled
    }
  }

  @Test func aFailureToReadIsThrown() throws {
    final class Broken: ByteSource {
      let name = "/broken"
      var size: Int64 {
        get throws(SystemError) { 1000 }
      }
      func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
      ) throws(SystemError) -> Int {
        throw SystemError(.inputOutput, operation: .read, subject: name)
      }
    }
    #expect {
      try Movie.read(Broken(), interrupt: Interrupt())
    } throws: {
      ($0 as? EngineError)?.underlying?.code == "EIO"
    }
  }
}
