import ArgumentParser
import EngineProtocol

/// The joins of parts that are copied one after the other, as options.
struct JoinOptions: ParsableArguments {
  @Option(
    help: """
      The treatment of lossy audio of several parts: encoded once, exact to the sample, or copied, each \
      part at most half a packet early or late.
      """)
  var audio: WireAudioJoin?

  @Flag(
    help: """
      Copy H.264 and HEVC whose parameter sets contradict each other, with those of each part before its \
      sync samples; some players of hardware don't read that.
      """)
  var inBand = false

  func validate(preset: String?) throws {
    guard audio != nil || inBand, !NewFileOptions.isPassthrough(preset) else { return }
    throw ValidationError("--audio and --in-band are about copies, and this encodes")
  }

  /// Nil where no option is set.
  var joins: WireJoins? {
    guard audio != nil || inBand else { return nil }
    return WireJoins(audio: audio, video: inBand ? .inBand : nil)
  }
}

extension WireAudioJoin: ExpressibleByArgument {}
