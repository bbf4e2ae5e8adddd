import EngineProtocol

/// The loudness of a track before and after an export, as a line.
package enum LoudnessReport {
  /// `track 2: -23.1 LUFS becomes -16.0 LUFS, peaks -2.4 dBTP, by 7.1 dB`.
  package static func line(_ applied: WireAppliedLoudness) -> String {
    var parts: [String] = []
    if let before = applied.sourceIntegratedLoudness, let after = applied.integratedLoudness {
      parts.append("\(number(before)) LUFS becomes \(number(after)) LUFS")
      parts.append("by \(number(applied.gain)) dB")
    }
    if let peak = applied.truePeak { parts.append("peaks at \(number(peak)) dBTP") }
    if let deviation = applied.deviation { parts.append(deviation) }
    return "track \(applied.trackID), loudness: " + parts.joined(separator: ", ")
  }

  /// With one digit after the point.
  package static func number(_ value: Double) -> String { Formatting.number(value, places: 1) }
}
