import ArgumentParser
import EngineProtocol

/// The loudness of a new file's audio, as options.
struct LoudnessOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The loudness of the audio, by ITU-R BS.1770: -16 for podcasts, -23 for broadcasts. It is measured first, \
      and its dynamics stay.
      """, valueName: "LUFS"))
  var loudness: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The greatest true peak with --loudness, which wins over it; -1 unless it is stated.",
      valueName: "dBTP"))
  var truePeak: Double?

  func validate() throws {
    if truePeak != nil, loudness == nil {
      throw ValidationError("--true-peak is the limit of --loudness, which is missing")
    }
  }

  /// Nil where no option is set.
  var target: WireLoudnessTarget? {
    loudness.map { WireLoudnessTarget(integratedLoudness: $0, truePeak: truePeak) }
  }
}
