import LibAV
import MediaTime
import SystemIO

/// The first pass of an export that brings audio to a loudness: it decodes and measures the audio that will be
/// encoded.
struct LoudnessPass {
  let export: ResolvedExport
  let interrupt: Interrupt
  /// Called with the part of it that is done, 0 to 1.
  let progress: (Double) -> Void

  /// A loudness that is this close to the target's, in LU, is the target's.
  private static let tolerance = 0.05
  /// More steps than any audio needs for its gain.
  private static let maximumSteps = 1000

  /// True if some audio is to be brought to a loudness.
  static func isNeeded(by export: ResolvedExport) -> Bool {
    export.tracks.contains { $0.encodedAudio?.encoding.loudness != nil }
  }

  /// - Throws: `operationCancelled`, `limitExceeded` for more than 64 channels, and the errors of decoding.
  func run() throws(EngineError) -> [AppliedLoudness] {
    let tracks = export.tracks.compactMap { track in
      track.encodedAudio?.encoding.loudness.map { (track: track, target: $0) }
    }
    var results: [AppliedLoudness] = []
    for (place, (track, target)) in tracks.enumerated() {
      results.append(
        try apply(target, to: track) { part in
          progress((Double(place) + part) / Double(tracks.count))
        })
    }
    return results
  }

  private func apply(
    _ target: LoudnessTarget, to track: ResolvedExport.Track, progress: (Double) -> Void
  ) throws(EngineError) -> AppliedLoudness {
    var result = AppliedLoudness(trackID: track.info.trackID, target: target, gain: 0)
    guard let measured = try measure(track, progress) else {
      result.deviation = Self.silent
      return result
    }
    result.sourceTruePeak = measured.truePeak
    result.sourceIntegratedLoudness = measured.integratedLoudness
    guard result.sourceIntegratedLoudness != nil else {
      result.deviation = measured.isTooShort ? Self.tooShort : Self.silent
      return result
    }
    result.gain = Self.gain(of: measured, for: target.integratedLoudness)
    var isLimited = false
    if let peak = result.sourceTruePeak, peak + result.gain > target.truePeak {
      (result.gain, isLimited) = (target.truePeak - peak, true)
    }
    result.encoderLevel = track.encodedAudio?.encoding.encoderLevel ?? 1
    result.integratedLoudness = measured.integratedLoudness(afterGain: result.gain)
    let missing = target.integratedLoudness - (result.integratedLoudness ?? -.infinity)
    if isLimited, missing.isFinite, missing > Self.tolerance {
      result.deviation =
        "its peaks would exceed \(target.truePeak.shown) dBTP, so it is \(missing.shown) LU quieter"
    } else if abs(missing) > Self.tolerance {
      result.deviation = "most of it is below -70 LUFS then, which doesn't count"
    }
    return result
  }

  private static let silent = "nothing of the audio is above -70 LUFS, so it is unchanged"
  private static let tooShort =
    "it is too short to measure, which takes 0.4 s of audio, so it is unchanged: "
    + "set its volume in place of a loudness"

  /// Returns the gain in dB after which the loudness is the target's.
  ///
  /// A gain moves more of the audio over the gates, or less, so the loudness changes otherwise than the
  /// gain. Each step corrects the gain by the rest, in one direction, until no more crosses a gate.
  private static func gain(of measured: LoudnessMeter, for target: Double) -> Double {
    var gain = 0.0
    for _ in 0..<maximumSteps {
      guard let loudness = measured.integratedLoudness(afterGain: gain) else { break }
      let rest = target - loudness
      guard rest != 0, measured.integratedLoudness(afterGain: gain + rest) != nil else { break }
      gain += rest
      if abs(rest) < 0.0001 { break }
    }
    return gain
  }

  private func measure(
    _ track: ResolvedExport.Track, _ progress: (Double) -> Void
  ) throws(EngineError) -> LoudnessMeter? {
    guard let (encoding, tracks) = track.encodedAudio else { return nil }
    var settings = AudioSettings(encoding.layout, timePitch: export.timePitch)
    (settings.sampleFormat, settings.isInterleaved) = (.f32, true)
    let (audio, range, _) = try export.audio(of: track, tracks, settings, interrupt: interrupt)
    defer { audio.stop() }
    let measurement = LoudnessMeasurement(of: range, path: track.info.timeline.format.path)
    let whole = export.trim.range
    while let buffer = try audio.nextBlocking() {
      if interrupt.isTriggered { throw .cancelled("The measurement of loudness") }
      guard case .audio(let samples) = buffer.content else { continue }
      try measurement.take(buffer, samples)
      let position = buffer.presentationTime + buffer.duration - whole.start
      if position.isNumeric, whole.duration > .zero, whole.duration.isNumeric {
        progress(min(1, position.seconds / whole.duration.seconds))
      }
    }
    if interrupt.isTriggered { throw .cancelled("The measurement of loudness") }
    try measurement.finish()
    return measurement.result
  }
}

extension AppliedLoudness {
  /// The factor of every sample before it is encoded.
  var factor: Double { (gain == 0 ? 1 : gain.factor) / encoderLevel }
}

extension Double {
  /// The factor of a gain in decibels.
  fileprivate var factor: Double { LoudnessMeter.factor(ofDecibels: self) }

  /// With one digit after the point.
  fileprivate var shown: String {
    let tenths = (self * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
