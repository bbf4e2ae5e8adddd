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
      [[0x67, 100, 0, 40, 0x42], [0x68, 0x5f]], to: record, codec: "h264")
    #expect(
      joined == [1, 100, 0, 40, 0xff, 0xe2, 0, 4, 0x67, 100, 0, 30, 0, 5, 0x67, 100, 0, 40, 0x42]
        + [2, 0, 2, 0x68, 0xce, 0, 2, 0x68, 0x5f, 0xfd, 0xf8, 0xf8, 0])
    let sets = ParameterSets(codec: "h264", extradata: joined ?? [])
    #expect(sets?.units.count == 4)
    #expect(ConfigurationJoin.adding([[0x67]], to: [1, 2, 3], codec: "h264") == nil)
    #expect(ConfigurationJoin.adding([[0x67]], to: [], codec: "hevc") == nil)
  }

  @Test func aBrokenLinkIsSaidByTheTypeAlone() {
    #expect(NALUnitTypes.breakingLink([21 << 1, 1, 0xaf]) == [18 << 1, 1, 0xaf])
    #expect(NALUnitTypes.breakingLink([1 << 1, 1, 0xaf]) == [1 << 1, 1, 0xaf])
    #expect(NALUnitTypes.entry([[0x09], [0x65]], codec: "h264") == (true, false))
    #expect(NALUnitTypes.entry([[0x06], [0x41]], codec: "h264") == (false, false))
    #expect(NALUnitTypes.entry([[35 << 1], [21 << 1]], codec: "hevc") == (true, true))
    #expect(NALUnitTypes.entry([[1 << 1]], codec: "hevc") == (false, false))
  }

  /// Bytes of any kind are refused or changed, and never a trap.
  @Test func hostileParameterSetsAreRefused() {
    var generator = SystemRandomNumberGenerator()
    for type: UInt8 in [32, 33, 34, 1, 19] {
      for _ in 0..<300 {
        let unit =
          [type << 1, 1]
          + (0..<Int.random(in: 0..<60)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        _ = HEVCRenumbering([unit, unit, unit], as: 15)
        _ = ConfigurationJoin.numbersOfH264([unit])
        _ = ConfigurationJoin.adding([unit], to: unit, codec: "hevc")
        _ = ConfigurationJoin.adding([unit], to: unit, codec: "h264")
      }
    }
  }
}
