import TestSupport
import Testing

@testable import MediaEngine

@Suite struct NALUnitTests {
  @Test func samplesAreTakenApartAndPutTogether() throws {
    let units: [[UInt8]] = [[0x65, 1, 2], [0x41, 9]]
    #expect(NALFraming.annexB.join(units) == [0, 0, 0, 1, 0x65, 1, 2, 0, 0, 0, 1, 0x41, 9])
    #expect(NALFraming.lengths(2).join(units) == [0, 3, 0x65, 1, 2, 0, 2, 0x41, 9])
    for framing in [NALFraming.annexB, .lengths(1), .lengths(2), .lengths(4)] {
      #expect(framing.split(try #require(framing.join(units))) == units)
    }
    #expect(NALFraming.lengths(4).split([0, 0, 0, 9, 1]) == nil)
    #expect(NALFraming.lengths(2).split([0]) == nil)
    #expect(NALFraming.lengths(1).join([[UInt8](repeating: 1, count: 256)]) == nil)
  }

  @Test func startCodesAreKeptOutAndLetIn() {
    let payload: [UInt8] = [0x42, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 4]
    let unit = withEmulationPrevention(payload)
    #expect(unit == [0x42, 0, 0, 3, 0, 0, 3, 1, 0, 0, 3, 3, 0, 0, 4])
    #expect(withoutEmulationPrevention(unit) == payload)
  }

  @Test func numbersAreWrittenAsTheyAreRead() {
    var writer = BitWriter()
    for number: UInt32 in [0, 1, 2, 15, 255, 70000] { writer.writeUE(number) }
    writer.align()
    var reader = BitReader(writer.bytes)
    for number: UInt32 in [0, 1, 2, 15, 255, 70000] { #expect(reader.readUE() == number) }
  }

  @Test func parameterSetsLieSideBySide() throws {
    let record: [UInt8] =
      [1, 100, 0, 30, 0xff, 0xe1, 0, 4, 0x67, 100, 0, 30, 1, 0, 2, 0x68, 0xce]
      + [0xfd, 0xf8, 0xf8, 0]
    let joined = ConfigurationJoin.adding(
      [[0x67, 100, 0, 40, 0x42], [0x68, 0x5f]], to: record, .h264)
    #expect(
      joined == [1, 100, 0, 40, 0xff, 0xe2, 0, 4, 0x67, 100, 0, 30, 0, 5, 0x67, 100, 0, 40, 0x42]
        + [2, 0, 2, 0x68, 0xce, 0, 2, 0x68, 0x5f, 0xfd, 0xf8, 0xf8, 0])
    let sets = ParameterSets(.h264, extradata: joined ?? [])
    #expect(sets?.units.count == 4)
    #expect(ConfigurationJoin.adding([[0x67]], to: [1, 2, 3], .h264) == nil)
    #expect(ConfigurationJoin.adding([[0x67]], to: [], .hevc) == nil)
  }

  @Test func aBrokenLinkIsSaidByTheTypeAlone() {
    #expect(NALUnitTypes.brokenLinkAccess([21 << 1, 1, 0xaf]) == [18 << 1, 1, 0xaf])
    #expect(NALUnitTypes.brokenLinkAccess([1 << 1, 1, 0xaf]) == [1 << 1, 1, 0xaf])
    #expect(NALUnitTypes.entry([[0x09], [0x65]], .h264) == (true, false))
    #expect(NALUnitTypes.entry([[0x06], [0x41]], .h264) == (false, false))
    #expect(NALUnitTypes.entry([[35 << 1], [21 << 1]], .hevc) == (true, true))
    #expect(NALUnitTypes.entry([[1 << 1]], .hevc) == (false, false))
  }

  /// The sets of x264 and x265 for pictures of 64 by 48.
  private static let x264 = bytes("6764000aacd9447b011000000300100000030320f1225960")
  private static let x265 = [
    bytes("40010c01ffff01600000030090000003000003001eba0240"),
    bytes("42010101600000030090000003000003001ea02083165bab932bc05a020000030002000003003210"),
    bytes("4401c173c089"),
  ]

  private static func bytes(_ text: String) -> [UInt8] {
    var rest = text[...]
    var bytes: [UInt8] = []
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test func theDepthOfReorderingIsReadAndChanged() throws {
    let sequence = try #require(H264Reordering(Self.x264))
    #expect(sequence.depth == 2)
    #expect(sequence.buffering == 4)
    for depth: UInt32 in [0, 1, 4, 16] {
      let set = try #require(sequence.setting(depth: depth))
      let changed = try #require(H264Reordering(set))
      #expect(changed.depth == depth)
      #expect(changed.buffering == max(4, depth))
      #expect(changed.setting(depth: 2)?.count == sequence.setting(depth: 2)?.count)
    }
    #expect(sequence.setting(depth: 2) == Self.x264)
    #expect(H264Reordering([0x68, 1, 2, 3, 4, 5]) == nil)
    #expect(H264Reordering(Array(Self.x264.prefix(12))) == nil)
  }

  /// There and back again, nothing else has changed.
  @Test func numbersOfHEVCAreChanged() throws {
    let there = try #require(HEVCRenumbering(Self.x265, as: 15))
    #expect(there.parameterSets[0][2] >> 4 == 15)
    #expect(there.parameterSets[2] != Self.x265[2])
    let back = try #require(HEVCRenumbering(there.parameterSets, as: 0))
    #expect(back.parameterSets == Self.x265)
    // An IDR slice and a P slice; their data moves by whole bytes only.
    for slice in [
      Self.bytes("2801af1d80bf8a7e9db8953eceff"),
      Self.bytes("0201d0097e20eca9c8452f927bad894c46d1"),
    ] {
      let changed = try #require(there.renumber(slice))
      #expect(changed != slice)
      #expect(changed.suffix(8) == slice.suffix(8))
      #expect(back.renumber(changed) == slice)
    }
    #expect(there.renumber([39 << 1, 1, 5, 0]) == [39 << 1, 1, 5, 0])
    #expect(HEVCRenumbering(Array(Self.x265.prefix(2)), as: 1) == nil)
  }

  @Test func recoveryPointsTellHowLongTheyTake() {
    let point = Self.bytes("0606020b4480")
    let slice: [UInt8] = [0x41, 1]
    #expect(RecoveryPoints.pictures(toRecoverIn: [point, slice]) == 21)
    #expect(
      RecoveryPoints.pictures(toRecoverIn: [[0x06, 5, 2, 1, 2] + point.dropFirst(), slice]) == 21)
    #expect(RecoveryPoints.pictures(toRecoverIn: [slice, point]) == 0)
    #expect(RecoveryPoints.pictures(toRecoverIn: [[0x06, 0xff, 0xff], [0x06], []]) == 0)
  }

  /// Bytes of any kind are refused or changed, and never a trap.
  @Test func hostileParameterSetsAreRefused() {
    var generator = SeededGenerator(seed: 5)
    for type: UInt8 in [32, 33, 34, 1, 19] {
      for _ in 0..<300 {
        let unit =
          [type << 1, 1]
          + (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
        _ = HEVCRenumbering([unit, unit, unit], as: 15)
        _ = ConfigurationJoin.numbersOfH264([unit])
        _ = H264Reordering([0x67] + unit)
        _ = RecoveryPoints.pictures(toRecoverIn: [[0x06] + unit])
        _ = HEVCRenumbering(NALUnitTests.x265, as: 15)?.renumber(unit)
        _ = ConfigurationJoin.adding([unit], to: unit, .hevc)
        _ = ConfigurationJoin.adding([unit], to: unit, .h264)
      }
    }
  }
}
