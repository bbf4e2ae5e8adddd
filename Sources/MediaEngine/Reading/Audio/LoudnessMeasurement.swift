import LibAV
import MediaTime

/// Measures the loudness of audio in buffers of interleaved 32-bit floats, with silence in gaps
/// between them.
final class LoudnessMeasurement {
  private let range: TimeRange
  private let path: String
  private var meter: LoudnessMeter?
  /// Zero before the first buffer.
  private(set) var sampleRate = 0
  private(set) var layout = ChannelLayout.standard(channels: 1)
  /// The end of the measured audio.
  private var end: Time

  /// Audio that lasts longer is measured in memory of a fixed size.
  private static let maximumExactDuration = Time(value: 24 * 3600, timescale: 1)
  /// Seconds of silence after which nothing that is measured depends on how much more there is.
  private static let lastingSilence = 10

  /// - Parameters:
  ///   - range: the range to measure; for an infinite one no silence is added at its end.
  ///   - path: the source of the audio, for errors.
  init(of range: TimeRange, path: String) {
    (self.range, self.path, end) = (range, path, range.start)
  }

  /// The results, after ``finish()``; nil where there was no buffer.
  var result: LoudnessMeter? { meter }

  /// - Throws: `limitExceeded` for more than 64 channels.
  func take(_ buffer: SampleBuffer, _ audio: SampleBuffer.Audio) throws(EngineError) {
    if meter == nil { try begin(audio) }
    try addSilence(until: buffer.presentationTime)
    try mapErrors(.decode, path: path) { () throws(LibAVError) in
      try meter?.add(buffer.data.block, count: audio.frames)
    }
    end = max(end, buffer.presentationTime + buffer.duration)
  }

  /// Ends the measurement: audio that ends early is followed by silence.
  func finish() throws(EngineError) {
    if meter != nil { try addSilence(until: range.end) }
    try mapErrors(.decode, path: path) { () throws(LibAVError) in try meter?.finish() }
  }

  private func begin(_ audio: SampleBuffer.Audio) throws(EngineError) {
    sampleRate = audio.sampleRate
    layout = ChannelLayout(name: audio.channelLayout, channels: audio.channels)
    if !layout.isSpecified { layout = .standard(channels: audio.channels) }
    guard audio.channels <= LoudnessMeter.maximumChannels else {
      throw EngineError(
        .limitExceeded,
        "The loudness of \(audio.channels) channels can't be measured: "
          + "\(LoudnessMeter.maximumChannels) are the most",
        advice: .chooseTrack(of: []), path: path)
    }
    meter = try mapErrors(.decode, path: path) { () throws(LibAVError) in
      try LoudnessMeter(
        sampleRate: sampleRate, layout: layout,
        boundsMemory: range.duration > Self.maximumExactDuration)
    }
  }

  private func addSilence(until time: Time) throws(EngineError) {
    let rate = Int32(clamping: sampleRate)
    guard rate > 0, time.isNumeric, time > end else { return }
    let whole = Int(
      clamping: (time - end).ticks(in: TimeBase(1, rate), rounding: .halfAwayFromZero))
    // Of longer silence, only whole seconds are left out, so that the audio after it keeps its
    // alignment.
    let (seconds, rest) = whole.quotientAndRemainder(dividingBy: Int(rate))
    let count = min(seconds, Self.lastingSilence) * Int(rate) + rest
    try mapErrors(.decode, path: path) { () throws(LibAVError) in
      try meter?.addSilence(count: count)
    }
    end = time
  }
}
