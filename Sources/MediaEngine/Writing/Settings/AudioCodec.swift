import LibAV

/// A codec that exports encode audio with, by FFmpeg's name; ``available`` has those of this build.
public struct AudioCodec: Sendable, Hashable {
  /// FFmpeg's name of the codec, as settings have it; "pcm" for linear samples as deep as the source's.
  public let name: String
  /// Its usual name, for messages.
  let title: String
  /// FFmpeg's names, the best first.
  fileprivate let knownEncoders: [String]
  /// The maximum number of channels that the encoder takes.
  let maximumChannels: Int
  /// The bit rates in bits per second; nil without loss.
  var bitRates: ClosedRange<Int64>?
  /// The bit rate of mono and stereo.
  var usualBitRate: Int64 = 0
  /// The entry of a container's list that allows it.
  let containerName: String
  /// The size of a file, as a part of its size without compression.
  var compression = 1.0

  private init(
    _ name: String, _ title: String, _ encoders: [String], channels: Int,
    bitRates: ClosedRange<Int64>? = nil, usual: Int64 = 0, containerName: String? = nil,
    compression: Double = 1
  ) {
    self.name = name
    self.title = title
    knownEncoders = encoders
    maximumChannels = channels
    self.bitRates = bitRates
    usualBitRate = usual
    self.containerName = containerName ?? name
    self.compression = compression
  }

  public static func == (left: AudioCodec, right: AudioCodec) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The codec called `name`, in any case.
  public init?(_ name: String) {
    let name = name.lowercased()
    guard let found = AudioCodec.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Every codec, in the order of lists.
  static let all: [AudioCodec] = [aac, opus, mp3, vorbis, flac, alac, linearPCM] + linearFormats
  /// The names of those that this build encodes.
  public static var available: [String] { all.filter { $0.encoder != nil }.map(\.name) }

  /// This build's encoder, the best it has.
  var encoder: String? { knownEncoders.first(where: Encoder.isAvailable) }
  /// Linear samples, whose format is the source's where `encoder` isn't the format itself.
  var isLinear: Bool { containerName == AudioCodec.linearPCM.name }

  /// The bit rates that the encoder takes, in bits per second; nil where there are none to choose.
  func bitRates(of layout: AudioLayout) -> ClosedRange<Int64>? {
    self == .vorbis ? VorbisRates.range(of: layout) : bitRates
  }

  static let aac = AudioCodec(
    "aac", "AAC", ["libfdk_aac", "aac"], channels: 6, bitRates: 8_000...1_152_000, usual: 192_000)
  static let opus = AudioCodec(
    "opus", "Opus", ["libopus"], channels: 8, bitRates: 6_000...2_048_000, usual: 128_000)
  static let mp3 = AudioCodec(
    "mp3", "MP3", ["libmp3lame"], channels: 2, bitRates: 8_000...320_000, usual: 192_000)
  static let vorbis = AudioCodec(
    "vorbis", "Vorbis", ["libvorbis"], channels: 8, bitRates: 32_000...2_000_000, usual: 160_000)
  /// FLAC and ALAC halve most music.
  static let flac = AudioCodec("flac", "FLAC", ["flac"], channels: 8, compression: 0.55)
  static let alac = AudioCodec("alac", "ALAC", ["alac"], channels: 8, compression: 0.55)
  static let linearPCM = AudioCodec("pcm", "LPCM", ["pcm_s16le"], channels: 64)

  private static let linearFormats = ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"].map {
    AudioCodec($0, $0, [$0], channels: 64, containerName: linearPCM.name)
  }
}
