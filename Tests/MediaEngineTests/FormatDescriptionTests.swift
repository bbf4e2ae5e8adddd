import LibAV
import MediaTime
import Testing

@testable import MediaEngine

@Suite struct FormatDescriptionTests {
  // MARK: - Audio

  /// Signalled before, signalled after, not signalled; with parametric stereo; short frames.
  @Test func audioSpecificConfigs() throws {
    let plain = try #require(AudioSpecificConfig([0x12, 0x10]))
    #expect((plain.objectType, plain.sampleRate) == (2, 44100))
    #expect((plain.extendedSampleRate, plain.hasParametricStereo) == (nil, false))
    #expect(try #require(AudioSpecificConfig([0x12, 0x14])).hasShortFrames)

    for bytes: [UInt8] in [[0x2b, 0x92, 0x08, 0x00], [0x13, 0x90, 0x56, 0xe5, 0xa0]] {
      let config = try #require(AudioSpecificConfig(bytes))
      #expect((config.objectType, config.sampleRate) == (2, 22050))
      #expect((config.extendedSampleRate, config.hasParametricStereo) == (44100, false))
    }
    let parametric: [[UInt8]] = [
      [0xeb, 0x8a, 0x08, 0x00], [0x13, 0x88, 0x56, 0xe5, 0xa5, 0x48, 0x80],
    ]
    for bytes in parametric {
      let config = try #require(AudioSpecificConfig(bytes))
      #expect((config.extendedSampleRate, config.hasParametricStereo) == (44100, true))
      // Cut off anywhere, it is refused or has fewer fields.
      for length in bytes.indices { _ = AudioSpecificConfig(Array(bytes[..<length])) }
    }
    #expect(AudioSpecificConfig([]) == nil)
    #expect(AudioSpecificConfig([0xff, 0xff, 0xff, 0xff]) == nil)
  }

  @Test func layersOfHighEfficiencyAAC() {
    let announced = AudioSpecificConfig([0x2b, 0x92, 0x08, 0x00])
    // Announced, FFmpeg's probe having decoded or not; found by decoding, with a config and without.
    for (profile, rate, config) in [
      ("HE-AAC", 44100, announced), (nil, 22050, announced),
      ("HE-AAC", 44100, AudioSpecificConfig([0x13, 0x90])), ("HE-AAC", 44100, nil),
    ] {
      let layers = AACLayers(profile: profile, sampleRate: rate, config: config)
      #expect(layers.formatID == "aach")
      #expect((layers.sampleRate, layers.framesPerPacket) == (44100, 2048))
      #expect(
        layers.list(channels: 2) == [
          FormatDescription.Layer(
            formatID: "aach", sampleRate: 44100, channelsPerFrame: 2, framesPerPacket: 2048),
          FormatDescription.Layer(
            formatID: "aac ", sampleRate: 22050, channelsPerFrame: 2, framesPerPacket: 1024),
        ])
    }
    let stereo = AACLayers(
      profile: nil, sampleRate: 44100, config: AudioSpecificConfig([0xeb, 0x8a, 0x08, 0x00]))
    #expect(stereo.formatID == "aacp")
    #expect(stereo.list(channels: 2).map(\.formatID) == ["aacp", "aach", "aac "])
    #expect(stereo.list(channels: 2).map(\.channelsPerFrame) == [2, 1, 1])

    let plain = AACLayers(
      profile: "LC", sampleRate: 44100, config: AudioSpecificConfig([0x12, 0x10]))
    #expect((plain.formatID, plain.framesPerPacket) == ("aac ", 1024))
    #expect(plain.list(channels: 2).isEmpty)
    let short = AACLayers(
      profile: "LC", sampleRate: 44100, config: AudioSpecificConfig([0x12, 0x14]))
    #expect(short.framesPerPacket == 960)
    #expect(AACLayers(profile: "LD", sampleRate: 48000, config: nil).formatID == "aacl")
    #expect(AACLayers(profile: "ELD", sampleRate: 48000, config: nil).framesPerPacket == 512)
    #expect(AACLayers(profile: nil, sampleRate: 0, config: nil).formatID == "aac ")
  }

  /// Core Audio's flags: 1 float, 2 big endian, 4 signed, 8 packed, 16 aligned high, 32 apart.
  @Test(arguments: [
    ("pcm_u8", 8, 1, 8, 8), ("pcm_s8", 8, 1, 8, 12), ("pcm_s16le", 16, 2, 16, 12),
    ("pcm_s16be", 16, 2, 16, 14), ("pcm_s24le", 24, 3, 24, 12), ("pcm_s24le", 20, 3, 20, 20),
    ("pcm_f32be", 32, 4, 32, 11), ("pcm_f64le", 0, 8, 64, 9),
    ("pcm_s16le_planar", 16, 2, 16, 44), ("pcm_u16be", 16, 2, 16, 10),
  ])
  func linearPCM(_ codec: String, _ coded: Int, _ bytes: Int, _ bits: Int, _ flags: UInt32) throws {
    let format = try #require(LinearPCM(codec: codec, codedBits: coded))
    #expect((format.bytes, format.validBits, format.flags) == (bytes, bits, flags))
    #expect(format.isPlanar == codec.hasSuffix("_planar"))
  }

  @Test(arguments: ["pcm_alaw", "pcm_bluray", "pcm_dvd", "pcm_s24daud", "pcm_vidc", "pcm_", "aac"])
  func otherThanLinearPCM(_ codec: String) {
    #expect(LinearPCM(codec: codec, codedBits: 16) == nil)
  }

  // MARK: - Pictures

  private func video(
    _ width: Double, _ height: Double, spacing: Rational? = nil,
    aperture: FormatDescription.CleanAperture? = nil
  ) -> FormatDescription.Video {
    FormatDescription.Video(
      dimensions: Size(width: width, height: height), spacing: spacing, cleanAperture: aperture,
      color: FormatDescription.Color(), hdr: FormatDescription.HDR(), parameterSets: [])
  }

  @Test func presentationDimensions() {
    let aperture = FormatDescription.CleanAperture(
      width: .init(704), height: .init(576), horizontalOffset: .init(-1, 2))
    let format = video(720, 576, spacing: Rational(59, 54), aperture: aperture)
    func size(_ ratio: Bool, _ clean: Bool) -> Size {
      format.presentationDimensions(usePixelAspectRatio: ratio, useCleanAperture: clean)
    }
    #expect(size(false, false) == Size(width: 720, height: 576))
    #expect(size(false, true) == Size(width: 704, height: 576))
    // 786.67 and 769.19.
    #expect(size(true, false) == Size(width: 787, height: 576))
    #expect(size(true, true) == Size(width: 769, height: 576))
    #expect(format.presentationDimensions == size(true, true))
    // Halves go away from zero; nothing gets thinner than a pixel; no picture stays none.
    #expect(video(3, 2, spacing: Rational(1, 2)).presentationDimensions.width == 2)
    #expect(video(5, 2, spacing: Rational(1, 2)).presentationDimensions.width == 3)
    #expect(video(1, 9, spacing: Rational(1, 1000)).presentationDimensions.width == 1)
    #expect(video(0, 0, spacing: Rational(2, 1)).presentationDimensions == .zero)
  }

  @Test func cleanApertures() {
    let aperture = FormatDescription.CleanAperture(
      width: .init(704), height: .init(1140, 2), horizontalOffset: .init(2),
      verticalOffset: .init(-1))
    let size = Size(width: 720, height: 576)
    #expect(aperture.rectangle(in: size) == (10, 2, 704, 570))
    #expect(aperture.isValid(in: size))
    #expect(!aperture.isValid(in: Size(width: 704, height: 576)))
    let box = SampleDescription.CleanAperture(
      width: .init(numerator: 704, denominator: 1), height: .init(numerator: 1140, denominator: 2),
      horizontalOffset: .init(numerator: 2, denominator: 1),
      verticalOffset: .init(numerator: -1, denominator: 1))
    #expect(FormatDescription.CleanAperture(box) == aperture)
    let broken = FormatDescription.CleanAperture(width: .init(704, 0), height: .init(-1))
    #expect(!broken.isValid(in: size))
  }

  // MARK: - Timecode

  @Test func timecodeDescriptions() throws {
    let bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0x75, 0x30, 0, 0, 0x03, 0xe9, 30, 0]
    let format = try #require(FormatDescription.Timecode(fields: bytes))
    #expect(format.frameDuration == Time(value: 1001, timescale: 30000))
    #expect(format.frameQuanta == 30)
    #expect(format.flags == [.dropFrame, .twentyFourHourMaximum])
    #expect(FormatDescription.Timecode(fields: Array(bytes[..<16])) == nil)
    var noScale = bytes
    noScale.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    #expect(FormatDescription.Timecode(fields: noScale) == nil)
    noScale.replaceSubrange(8..<12, with: [0xff, 0xff, 0xff, 0xff])
    #expect(FormatDescription.Timecode(fields: noScale) == nil)
  }
}
