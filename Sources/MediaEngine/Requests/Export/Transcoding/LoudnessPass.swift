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

  /// Audio quieter than this, in LUFS, is measured again as loud as it will be: the absolute gate, at -70 LUFS,
  /// leaves out parts of it that will be above the gate.
  private static let quiet = -58.0
  /// A loudness that is this close to the target's, in LU, is the target's.
  private static let tolerance = 0.05

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
    var measured = try measure(track, amplifiedBy: 0, progress)
    result.sourceTruePeak = measured?.truePeak
    guard var loudness = measured?.integratedLoudness else {
      result.deviation = "nothing of the audio is above -70 LUFS, so it is unchanged"
      return result
    }
    if loudness < Self.quiet {
      let gain = target.integratedLoudness - loudness
      measured = try measure(track, amplifiedBy: gain, progress)
      loudness = measured?.integratedLoudness.map { $0 - gain } ?? loudness
    }
    result.sourceIntegratedLoudness = loudness
    result.gain = target.integratedLoudness - loudness
    if let peak = result.sourceTruePeak, peak + result.gain > target.truePeak {
      result.gain = target.truePeak - peak
      let missing = target.integratedLoudness - loudness - result.gain
      if missing > Self.tolerance {
        result.deviation =
          "its peaks would exceed \(target.truePeak.shown) dBTP, so it is \(missing.shown) LU quieter"
      }
    }
    return result
  }

  /// - Parameter gain: in dB.
  private func measure(
    _ track: ResolvedExport.Track, amplifiedBy gain: Double, _ progress: (Double) -> Void
  ) throws(EngineError) -> LoudnessMeter? {
    guard let (encoding, tracks) = track.encodedAudio else { return nil }
    var settings = AudioSettings(encoding.layout, timePitch: export.timePitch)
    (settings.sampleFormat, settings.isInterleaved) = (.f32, true)
    settings.gain = gain == 0 ? 1 : gain.factor
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
  /// The factor of every sample.
  var factor: Double { gain == 0 ? 1 : gain.factor }
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
