import LibAV

/// The bit rates of encoded tracks at which a file has at most a number of bytes.
///
/// Audio has at most half of what its tracks and the video have together, at most its usual rate, and at least
/// 32 kbit/s (16 of each channel from the third one on; 32 of each channel in Vorbis). Where the lowest rates are too
/// high as well, they leave out the least.
struct FittingRates: Equatable {
  /// The rate of the video, in bits per second; nil where none is encoded.
  private(set) var video: Int64?
  /// The rate of each track of audio, in bits per second; nil where it stays.
  private(set) var audio: Int64?
  private let lowestAudio: Int64

  /// A lower rate shows nothing.
  private static let lowestVideo = 20_000.0

  /// Nil where all rates are determined by the caller or the codecs.
  ///
  /// - Parameters:
  ///   - settings: those of the caller.
  ///   - copiesAudio: true where audio is encoded to be joined only, at rates of its own.
  ///   - bytes: the room for video, in addition to audio at its present rate; negative where that takes all.
  ///   - duration: in seconds.
  init?(
    of tracks: [ExportPlan.Treatment], settings: ExportSettings, copiesAudio: Bool, bytes: Double,
    duration: Double
  ) {
    var videos: [VideoEncoding] = []
    var audios: [AudioEncoderConfiguration] = []
    for track in tracks {
      switch track {
      case .video(let encoding): videos.append(encoding)
      case .audio(let encoding), .mixed(let encoding, of: _): audios.append(encoding)
      case .copied, .joined, .mixedInto, .text, .dropped: continue
      }
    }
    let hasVideo =
      videos.count == 1 && videos[0].codec.encoders.first?.takesBitRate == true
      && settings.videoSettings?.rate == nil
    guard hasVideo || videos.isEmpty else { return nil }
    let rates = audios.compactMap(\.bitRate)
    let hasAudio =
      !rates.isEmpty && rates.count == audios.count && !copiesAudio
      && settings.audioSettings?.bitRate == nil
    let lowest = audios.map(\.lowestBitRate).max() ?? 0
    lowestAudio = lowest
    var room = bytes * 8 / duration
    if hasAudio {
      let count = Double(rates.count)
      room += Double(rates.reduce(0, +))
      let share = (hasVideo ? room / 2 : room) / count
      let usual = Double(rates.max() ?? 0)
      let rate = max(Double(lowest), min(usual, share))
      if rate < usual || !hasVideo { audio = Int64(rate) }
      room -= min(rate, usual) * count
    }
    guard hasVideo else {
      if audio == nil { return nil }
      return
    }
    video = Int64(max(Self.lowestVideo, min(room, 1e9)))
  }

  /// Returns lower rates; audio next to video keeps its own.
  func scaled(by share: Double) -> FittingRates {
    var rates = self
    if let video {
      rates.video = Int64(max(Self.lowestVideo, Double(video) * share))
    } else if let audio {
      rates.audio = max(lowestAudio, Int64(Double(audio) * share))
    }
    return rates
  }
}

extension AudioEncoderConfiguration {
  /// The lowest bit rate that a limit of the file's length may lead to.
  fileprivate var lowestBitRate: Int64 {
    let channels = Int64(layout.channels.channels)
    return codecName == "vorbis" ? 32_000 * channels : 16_000 * max(2, channels)
  }
}
