import Testing

@testable import MediaEngine

@Suite struct SampleDescriptionTests {
  private func descriptions(_ handler: String, _ table: [UInt8]) throws -> [SampleDescription] {
    let bytes = box("moov", mvhd(), trak(handler: handler, stsd: table))
    return try #require(try movie(bytes)?.tracks.first).sampleDescriptions
  }

  private func visual(_ format: String, depth: Int = 24, tableID: Int = -1, _ rest: [UInt8])
    -> [UInt8]
  {
    box(
      format, zeros(6) + be16(1), zeros(16), be16(1920) + be16(1080), zeros(14),
      [4] + code("Name") + zeros(27), be16(depth) + be16(tableID), rest)
  }

  private func sound(_ format: String, version: Int = 0, _ rest: [UInt8]) -> [UInt8] {
    box(
      format, zeros(6) + be16(1), be16(version), zeros(6), be16(2) + be16(16), zeros(4),
      be32(48000 << 16), rest)
  }

  @Test func video() throws {
    let entry = visual(
      "avc1",
      box("avcC", [1, 2, 3]) + box("pasp", be32(4) + be32(3))
        + box(
          "clap", be32(1900) + be32(1) + be32(2001) + be32(2),
          be32(-3) + be32(2) + be32(0) + be32(1))
        + box("colr", code("nclx") + be16(9) + be16(16) + be16(9) + [0x80])
        + box("colr", code("prof"), [1, 2]) + box("fiel", [2, 9]) + box("gama", be32(0x23333)))
    let found = try descriptions("vide", stsd(entry, visual("hvc1", zeros(4))))
    #expect(found.map(\.format) == ["avc1", "hvc1"])
    #expect(found[0].extensions.map(\.type).first == "avcC")
    #expect(found[0].extensions.first?.payload == [1, 2, 3])
    guard case .video(let video) = found[0].media, case .video(let plain) = found[1].media else {
      Issue.record("not video")
      return
    }
    #expect(video.width == 1920)
    #expect(video.height == 1080)
    #expect(video.compressorName == "Name")
    #expect(video.pixelAspect == .init(horizontalSpacing: 4, verticalSpacing: 3))
    #expect(
      video.cleanAperture
        == .init(
          width: .init(numerator: 1900, denominator: 1),
          height: .init(numerator: 2001, denominator: 2),
          horizontalOffset: .init(numerator: -3, denominator: 2),
          verticalOffset: .init(numerator: 0, denominator: 1)))
    #expect(video.color == .init(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
    #expect(video.colorProfile == [1, 2])
    #expect(video.fields == .init(count: 2, detail: 9))
    #expect(video.gamma.map { abs($0 - 2.2) < 0.001 } == true)
    #expect(plain.pixelAspect == nil)
    #expect(plain.cleanAperture == nil)
    #expect(plain.color == nil)
  }

  /// QuickTime's own colour box doesn't state the range; ratios with a zero are ignored.
  @Test func videoWithLess() throws {
    let entry = visual(
      "apcn",
      box("colr", code("nclc") + be16(1) + be16(1) + be16(1)) + box("pasp", be32(0) + be32(1))
        + box("clap", be32(1) + be32(0), zeros(24)))
    guard case .video(let video)? = try descriptions("vide", stsd(entry)).first?.media else {
      Issue.record("not video")
      return
    }
    #expect(video.color == .init(primaries: 1, transfer: 1, matrix: 1, isFullRange: nil))
    #expect(video.pixelAspect == nil)
    #expect(video.cleanAperture == nil)
  }

  /// Extensions follow a palette of the entry's own.
  @Test func videoWithAPalette() throws {
    let palette = be32(0) + be16(0) + be16(3) + zeros(32)
    let entry = visual("rle ", depth: 2, tableID: 0, palette + box("pasp", be32(2) + be32(1)))
    guard case .video(let video)? = try descriptions("vide", stsd(entry)).first?.media else {
      Issue.record("not video")
      return
    }
    #expect(video.pixelAspect == .init(horizontalSpacing: 2, verticalSpacing: 1))
  }

  @Test func audio() throws {
    let second =
      be32(72) + be(Float64(96000).bitPattern) + be32(6) + be32(0x7F00_0000) + be32(24) + zeros(12)
    let table = stsd(
      sound("mp4a", box("esds", [9])), sound("sowt", version: 1, zeros(16) + box("chan", [7])),
      sound("lpcm", version: 2, second + box("chan", [8])))
    let found = try descriptions("soun", table)
    #expect(found.map { $0.extensions.map(\.type) } == [["esds"], ["chan"], ["chan"]])
    let audio = found.compactMap {
      if case .audio(let audio) = $0.media { audio } else { nil }
    }
    #expect(
      audio == [
        .init(channels: 2, sampleRate: 48000),
        .init(channels: 2, sampleRate: 48000),
        .init(channels: 6, sampleRate: 96000),
      ])
  }

  /// In a table of ISO's version 1 an entry of version 1 is no longer, and its rate can be in a box.
  @Test func audioOfISOsSecondVersion() throws {
    let entry = sound("mp4a", version: 1, fullBox("srat", be32(192_000)) + box("esds"))
    let table = fullBox("stsd", version: 1, be32(1), entry)
    guard case .audio(let audio)? = try descriptions("soun", table).first?.media else {
      Issue.record("not audio")
      return
    }
    #expect(audio.sampleRate == 192_000)
  }

  @Test func timecode() throws {
    let entry = box(
      "tmcd", zeros(6) + be16(1), be32(0) + be32(1) + be32(30000) + be32(1001), [30, 0],
      box("name", be16(4) + be16(0) + code("A001")))
    guard case .timecode(let timecode)? = try descriptions("tmcd", stsd(entry)).first?.media else {
      Issue.record("no timecode")
      return
    }
    #expect(
      timecode
        == .init(
          flags: 1, timescale: 30000, frameDuration: 1001, numberOfFrames: 30))
  }

  @Test func protectedEntriesNameTheirFormat() throws {
    let entry = visual("encv", box("sinf", box("frma", code("avc1")), box("schm", zeros(12))))
    #expect(try descriptions("vide", stsd(entry)).first?.originalFormat == "avc1")
  }

  /// An entry too short for its fields is there, without them.
  @Test func shortEntries() throws {
    let found = try descriptions("vide", stsd(box("avc1", zeros(6) + be16(1), zeros(10))))
    #expect(found.map(\.format) == ["avc1"])
    guard case .other? = found.first?.media else {
      Issue.record("has fields")
      return
    }
    #expect(try descriptions("soun", stsd(box("mp4a"))).map(\.format) == ["mp4a"])
    #expect(try descriptions("soun", stsd(count: -1)).isEmpty)
  }
}
