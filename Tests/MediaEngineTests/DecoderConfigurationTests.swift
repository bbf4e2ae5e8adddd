import Testing

@testable import MediaEngine

@Suite struct DecoderConfigurationTests {
  private static let sps: [UInt8] = [0x67, 0x64, 0x00, 0x1e, 0xac]
  private static let pps: [UInt8] = [0x68, 0xee, 0x3c]
  private static let extensionSPS: [UInt8] = [0x6d, 1, 2]
  private static let avcC: [UInt8] =
    [1, 0x64, 0, 0x1e, 0xff, 0xe1, 0, 5] + sps + [1, 0, 3] + pps + [0xfd, 0xf8, 0xf8, 1, 0, 3]
    + extensionSPS

  private static let vps: [UInt8] = [0x40, 1, 9]
  private static let hevcSPS: [UInt8] = [0x42, 1, 7, 7]
  private static let hevcPPS: [UInt8] = [0x44, 1]
  private static let message: [UInt8] =
    // Two bytes of header, type 144, four bytes, the stop bit.
    [0x4e, 1, 144, 4, 0x03, 0xe8, 0x01, 0x90, 0x80]
  private static func array(_ type: UInt8, _ unit: [UInt8]) -> [UInt8] {
    [type, 0, 1, 0, UInt8(unit.count)] + unit
  }
  private static let hvcC: [UInt8] =
    [1, 2, 0, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 90, 0xf0, 0, 0xfc, 0xfd, 0xfa, 0xfa, 0, 0, 0x0f, 4]
    + array(0xa0, vps) + array(0xa1, hevcSPS) + array(0xa2, hevcPPS) + array(0xa7, message)

  @Test func parameterSetsOfAVC() throws {
    let sets = try #require(ParameterSets(.h264, extradata: Self.avcC))
    #expect(sets.headerLength == 4)
    #expect(sets.units.map(\.bytes) == [Self.sps, Self.pps, Self.extensionSPS])
    #expect(sets.units.map(\.isParameterSet) == [true, true, true])
    // Without the extensions of the high profiles, which some writers forget.
    let short = Array(Self.avcC.dropLast(3 + 6))
    #expect(
      ParameterSets(.h264, extradata: short)?.units.map(\.bytes) == [Self.sps, Self.pps])
  }

  @Test func parameterSetsOfHEVC() throws {
    let sets = try #require(ParameterSets(.hevc, extradata: Self.hvcC))
    #expect(sets.headerLength == 4)
    #expect(
      sets.units.filter(\.isParameterSet).map(\.bytes) == [Self.vps, Self.hevcSPS, Self.hevcPPS])
    #expect(sets.units.filter(\.isHEVCMessage).map(\.bytes) == [Self.message])
  }

  @Test func parameterSetsBetweenStartCodes() throws {
    let stream: [UInt8] =
      [0, 0, 0, 1] + Self.sps + [0, 0, 0, 1] + Self.pps + [0, 0, 1, 0x06, 5, 0]
    let sets = try #require(ParameterSets(.h264, extradata: stream))
    #expect(sets.headerLength == nil)
    #expect(sets.units.map(\.bytes) == [Self.sps, Self.pps, [0x06, 5]])
    #expect(sets.units.map(\.isParameterSet) == [true, true, false])
    #expect(boxes(codec: "h264", extradata: stream, bitRate: 0).isEmpty)
  }

  @Test func otherCodecsHaveNone() {
    #expect(CodecTraits("av1").nalSyntax == nil)
    #expect(ParameterSets(.h264, extradata: []) == nil)
  }

  /// Records that are cut off anywhere, or whose every byte is wrong in turn, are refused or read
  /// within their bounds.
  @Test(arguments: [(.h264, avcC), (.hevc, hvcC)] as [(NALSyntax, [UInt8])])
  func brokenRecordsStayInBounds(_ syntax: NALSyntax, _ record: [UInt8]) {
    let whole = ParameterSets(syntax, extradata: record)?.units.count ?? 0
    for length in record.indices {
      let cut = ParameterSets(syntax, extradata: Array(record[..<length]))
      #expect(cut?.units.count ?? 0 <= whole)
    }
    for position in record.indices {
      for value: UInt8 in [0, 1, 0x7f, 0xff] {
        var bytes = record
        bytes[position] = value
        let read = ParameterSets(syntax, extradata: bytes)?.units ?? []
        #expect(read.reduce(0) { $0 + $1.bytes.count } <= bytes.count)
        _ = SupplementalInformation(units: read)
      }
    }
  }

  @Test func countsAreBounded() {
    // 255 arrays of 65535 empty units.
    let arrays = [UInt8](repeating: 0xff, count: 3) + [UInt8](repeating: 0, count: 200_000)
    let record = Array(Self.hvcC[..<22]) + [255] + arrays
    #expect(ParameterSets(.hevc, extradata: record)?.units.count ?? 0 <= 512)
    // More units than any stream has.
    var many = Array(Self.hvcC[..<22]) + [1, 0xa1, 0x03, 0xe8]
    for _ in 0..<1000 { many += [0, 1, 0x42] }
    #expect(ParameterSets(.hevc, extradata: many) == nil)
  }

  @Test func messagesTellTheLight() throws {
    let display: [UInt8] = [
      0x4e, 1, 137, 24, 0x33, 0xc2, 0x86, 0xc4, 0x1d, 0x4c, 0x0b, 0xb8, 0x84, 0xd0, 0x3e, 0x80,
      0x3d, 0x13, 0x40, 0x42, 0x00, 0x98, 0x96, 0x80,
      // 50 is 0x32, after three zeros: an emulation prevention byte stands between.
      0x00, 0x00, 0x03, 0x00, 0x32, 0x80,
    ]
    let ambient: [UInt8] = [0x4e, 1, 148, 8, 0, 0x2f, 0xee, 0x8c, 0x3d, 0x13, 0x40, 0x42, 0x80]
    let units = [display, Self.message, ambient].map {
      ParameterSets.Unit(bytes: $0, isParameterSet: false, isHEVCMessage: true)
    }
    let information = SupplementalInformation(units: units)
    let volume = try #require(information.masteringDisplayColorVolume)
    #expect(volume.green == FormatDescription.Chromaticity(x: 0.265, y: 0.69))
    #expect(volume.blue == FormatDescription.Chromaticity(x: 0.15, y: 0.06))
    #expect(volume.red == FormatDescription.Chromaticity(x: 0.68, y: 0.32))
    #expect(volume.whitePoint == FormatDescription.Chromaticity(x: 0.3127, y: 0.329))
    #expect(volume.maximumLuminance == 1000)
    #expect(volume.minimumLuminance == 0.005)
    #expect(
      information.contentLightLevel
        == FormatDescription.ContentLightLevel(maxCLL: 1000, maxFALL: 400))
    #expect(
      information.ambientViewingEnvironment
        == FormatDescription.AmbientViewingEnvironment(
          illuminance: 314.126, light: FormatDescription.Chromaticity(x: 0.3127, y: 0.329)))
    let short = ParameterSets.Unit(
      bytes: Array(Self.message.dropLast(3)), isParameterSet: false, isHEVCMessage: true)
    #expect(SupplementalInformation(units: [short]).contentLightLevel == nil)
  }

  @Test func boxesHoldTheConfiguration() throws {
    #expect(boxes(codec: "h264", extradata: Self.avcC, bitRate: 0) == ["avcC": Self.avcC])
    #expect(boxes(codec: "hevc", extradata: Self.hvcC, bitRate: 0) == ["hvcC": Self.hvcC])
    #expect(boxes(codec: "aac", extradata: [], bitRate: 0).isEmpty)
    let esds = try #require(
      boxes(codec: "aac", extradata: [0x12, 0x10], bitRate: 128_000)["esds"])
    #expect(
      esds == [
        0, 0, 0, 0, 3, 0x80, 0x80, 0x80, 34, 0, 0, 0, 4, 0x80, 0x80, 0x80, 20, 0x40, 0x15, 0, 0, 0,
        0, 0, 0, 0, 0, 0x01, 0xf4, 0x00, 5, 0x80, 0x80, 0x80, 2, 0x12, 0x10, 6, 0x80, 0x80, 0x80,
        1, 2,
      ])
    let head: [UInt8] =
      Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0xff, 0xfe, 0]
    #expect(
      boxes(codec: "opus", extradata: head, bitRate: 0)
        == ["dOps": [0, 2, 0x01, 0x38, 0, 0, 0xbb, 0x80, 0xfe, 0xff, 0]])
    #expect(boxes(codec: "opus", extradata: Array(head.dropLast()), bitRate: 0).isEmpty)
  }
}
