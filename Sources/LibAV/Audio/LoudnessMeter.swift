internal import CEBUR128
internal import Glibc
import SystemIO

/// A meter of the loudness of audio by ITU-R BS.1770-4 and EBU R 128 (libebur128), in one pass over
/// its samples.
///
/// The recommendation states its filters for 48 kHz. Those that libebur128 derives for low rates
/// have another frequency response, so that audio below 44.1 kHz is resampled to 48 kHz first.
@safe package final class LoudnessMeter {
  /// The maximum number of channels that libebur128 measures.
  package static let maximumChannels = 64

  private static let referenceRate = 48_000
  private static let lowestExactRate = 44_100

  private let state: UnsafeMutablePointer<ebur128_state>
  private let channels: Int
  /// The resampler to 48 kHz; nil if samples are measured at their own rate.
  private var resampler: FloatResampler?
  /// The maximum magnitude of the samples so far.
  private var greatestSample: Float = 0
  /// The number of samples in a tenth of a second, the step of the measurement.
  private let stepLength: Int
  /// The number of samples of each channel in the step that isn't complete.
  private var partial = 0
  /// The power of the last 3 seconds, step by step.
  private var powers: [Double] = []
  private var next = 0
  private var maximumMomentaryPower: Double?
  private var maximumShortTermPower: Double?
  private var range = LoudnessRange()
  private var blocks = BlockPowers()
  private var samples: [Float] = []

  private static let momentarySteps = 4
  private static let shortTermSteps = 30
  /// The maximum number of samples that the library receives at once.
  private static let blockLength = 4096

  /// - Parameters:
  ///   - layout: the channels, at most ``maximumChannels``.
  ///   - boundsMemory: true for audio of days: loudness is then counted in steps of 0.1 LU, in memory
  ///     of a fixed size. Otherwise 32 bytes are needed for each tenth of a second.
  package init(sampleRate: Int, layout: ChannelLayout, boundsMemory: Bool) throws(LibAVError) {
    var modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    if boundsMemory { modes |= EBUR128_MODE_HISTOGRAM.rawValue }
    channels = max(1, layout.channels)
    let isSlow = sampleRate < Self.lowestExactRate
    let rate = isSlow ? Self.referenceRate : sampleRate
    if isSlow {
      resampler = FloatResampler(channels: channels, from: sampleRate, to: Self.referenceRate)
    }
    guard
      let state = unsafe ebur128_init(
        UInt32(clamping: channels), UInt(clamping: rate), Int32(bitPattern: modes))
    else {
      throw LibAVError(
        .outOfMemory, operation: "measure the loudness of",
        subject: "\(channels) channels at \(sampleRate) Hz")
    }
    unsafe self.state = state
    // As the library rounds it.
    stepLength = max(1, (rate + 5) / 10)
    for (number, kind) in layout.loudnessChannels.enumerated() {
      unsafe ebur128_set_channel(state, UInt32(clamping: number), Int32(bitPattern: kind.rawValue))
    }
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = unsafe self.state
    unsafe ebur128_destroy(&state)
  }

  /// Adds `count` samples of each channel, which lie interleaved as 32-bit floats at the start of a
  /// block.
  ///
  /// A sample that is no finite number counts as 0.
  package func add(_ block: Block, count: Int) throws(LibAVError) {
    precondition(count >= 0 && count * channels * MemoryLayout<Float>.stride <= block.count)
    var first = 0
    while first < count {
      let length = min(count - first, Self.blockLength)
      samples.removeAll(keepingCapacity: true)
      block.appendFloats(first * channels..<(first + length) * channels, to: &samples)
      for place in samples.indices {
        if samples[place].isFinite {
          greatestSample = max(greatestSample, abs(samples[place]))
        } else {
          samples[place] = 0
        }
      }
      try measure(samples)
      first += length
    }
  }

  /// Adds `count` samples of silence in each channel.
  package func addSilence(count: Int) throws(LibAVError) {
    var rest = count
    while rest > 0 {
      let length = min(rest, Self.blockLength)
      try measure(Array(repeating: 0, count: length * channels))
      rest -= length
    }
  }

  /// Ends the measurement: results are complete after it, and nothing may be added.
  package func finish() throws(LibAVError) {
    if let rest = try resampler?.finish() { try add(rest) }
  }

  private func measure(_ samples: [Float]) throws(LibAVError) {
    if let resampled = try resampler?.resample(samples) {
      try add(resampled)
    } else {
      try add(samples)
    }
  }

  private func add(_ samples: [Float]) throws(LibAVError) {
    let count = samples.count / channels
    var first = 0
    while first < count {
      let length = min(count - first, stepLength - partial)
      let result = unsafe samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return Int32(0) }
        return unsafe ebur128_add_frames_float(state, start + first * channels, length)
      }
      guard result == EBUR128_SUCCESS.rawValue else {
        throw LibAVError(.outOfMemory, operation: "measure the loudness of", subject: "audio")
      }
      first += length
      partial += length
      if partial == stepLength { endStep() }
    }
  }

  private func endStep() {
    partial = 0
    let loudness = unsafe measured { unsafe ebur128_loudness_window($0, 100, &$1) }
    let power = loudness.map(Self.power(ofLoudness:)) ?? 0
    if powers.count < Self.shortTermSteps {
      powers.append(power)
    } else {
      powers[next] = power
    }
    next = (next + 1) % Self.shortTermSteps
    if powers.count >= Self.momentarySteps {
      let sum = (1...Self.momentarySteps).reduce(0.0) { sum, distance in
        sum + powers[(next - distance + Self.shortTermSteps) % Self.shortTermSteps]
      }
      let mean = sum / Double(Self.momentarySteps)
      maximumMomentaryPower = max(maximumMomentaryPower ?? 0, mean)
      if let loudness = Self.loudness(ofPower: mean) { blocks.add(loudness: loudness, power: mean) }
    }
    if powers.count == Self.shortTermSteps {
      let mean = powers.reduce(0, +) / Double(Self.shortTermSteps)
      maximumShortTermPower = max(maximumShortTermPower ?? 0, mean)
      if let loudness = Self.loudness(ofPower: mean) { range.add(loudness: loudness, power: mean) }
    }
  }

  /// Returns the factor of samples for a gain in decibels.
  package static func factor(ofDecibels gain: Double) -> Double { pow(10, gain / 20) }

  /// Returns the power that the library states as loudness.
  private static func power(ofLoudness loudness: Double) -> Double {
    pow(10, (loudness + 0.691) / 10)
  }

  private static func loudness(ofPower power: Double?) -> Double? {
    guard let power, power > 0 else { return nil }
    return 10 * log10(power) - 0.691
  }

  /// The integrated loudness in LUFS, gated; nil where nothing is above the gate.
  package var integratedLoudness: Double? {
    unsafe measured { unsafe ebur128_loudness_global($0, &$1) }
  }

  /// Returns the integrated loudness after a gain, in LUFS; nil where nothing is above the gate then.
  ///
  /// - Parameter gain: in dB.
  package func integratedLoudness(afterGain gain: Double) -> Double? {
    let power = blocks.gatedPower(afterGain: gain) { Self.loudness(ofPower: $0) }
    return Self.loudness(ofPower: power).map { $0 + gain }
  }

  /// True without a whole block of 0.4 seconds, the least that has a loudness.
  package var isTooShort: Bool { maximumMomentaryPower == nil }

  /// The loudness range in LU; nil without 3 seconds above -70 LUFS.
  package var loudnessRange: Double? {
    Self.loudness(ofPower: range.meanPower).map { range.range(mean: $0) }
  }

  /// The maximum loudness of 0.4 seconds, in LUFS.
  package var maximumMomentaryLoudness: Double? { Self.loudness(ofPower: maximumMomentaryPower) }

  /// The maximum loudness of 3 seconds, in LUFS.
  package var maximumShortTermLoudness: Double? { Self.loudness(ofPower: maximumShortTermPower) }

  /// The sample peak of all channels, in dBFS; nil for digital silence.
  package var samplePeak: Double? {
    greatestSample > 0 ? 20 * log10(Double(greatestSample)) : nil
  }

  /// The true peak of all channels, in dBTP; nil for digital silence.
  package var truePeak: Double? {
    var peak = 0.0
    for channel in 0..<UInt32(clamping: channels) {
      var value = 0.0
      if unsafe ebur128_true_peak(state, channel, &value) == EBUR128_SUCCESS.rawValue {
        peak = max(peak, value)
      }
    }
    return peak > 0 ? 20 * log10(peak) : nil
  }

  private func measured(
    _ measure: (UnsafeMutablePointer<ebur128_state>, inout Double) -> Int32
  ) -> Double? {
    var value = 0.0
    let result = unsafe measure(state, &value)
    return result == EBUR128_SUCCESS.rawValue && value.isFinite ? value : nil
  }
}

extension ChannelLayout {
  /// The weights of the channels, by the positions of their speakers (ITU-R BS.1770-4, tables 3 and
  /// 4).
  fileprivate var loudnessChannels: [channel] {
    let labels = self.labels ?? ChannelLayout.standard(channels: channels).labels
    guard let labels, labels.count == channels else {
      return Array(repeating: EBUR128_LEFT, count: channels)
    }
    // With both pairs, those at the sides are at 90°, and those at the back at 135° and more.
    let hasSides = labels.contains("SL") || labels.contains("SR")
    return labels.map { label in
      switch label {
      case "LFE", "LFE2": EBUR128_UNUSED
      case "FR", "DR": EBUR128_RIGHT
      case "FC": EBUR128_CENTER
      case "SL": EBUR128_LEFT_SURROUND
      case "SR": EBUR128_RIGHT_SURROUND
      case "BL": hasSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
      case "BR": hasSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
      case "BC": EBUR128_Mp180
      case "WL", "SDL": EBUR128_Mp060
      case "WR", "SDR": EBUR128_Mm060
      default: EBUR128_LEFT
      }
    }
  }
}
