import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports

/// The properties of numbered images that are read as a video, as options.
struct ImageSequenceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of numbered pictures in a second: 24, 29.97 or 30000/1001; 25 when absent.",
      discussion: """
        They are named as in 'frame%04d.png' or 'frames/*.png', or, with this option, by their folder or the first of \
        them.
        """))
  var rate: FrameRateArgument?

  @Option(
    parsing: .unconditional, help: "The number of the first picture; else the lowest that is there."
  )
  var startNumber: Int?

  @Option(
    parsing: .unconditional, help: "The number of the last picture; else the highest that is there."
  )
  var endNumber: Int?

  @Option(
    help: "For a number without a picture: error, or hold, which shows the one before longer.")
  var missing: WireMissingFramePolicy?

  func validate() throws {
    if let startNumber, startNumber < 0 { throw ValidationError("--start-number counts from 0") }
    if let endNumber, endNumber < startNumber ?? 0 {
      throw ValidationError("--end-number has to be --start-number or later")
    }
  }

  private var isGiven: Bool {
    rate != nil || startNumber != nil || endNumber != nil || missing != nil
  }

  /// The sequence that a name of the command line stands for; nil for one file.
  func sequence(_ name: String) -> WireImageSequence? {
    guard isGiven || Self.isPattern(name) else { return nil }
    return WireImageSequence(
      frameRate: rate?.rate, startNumber: startNumber, endNumber: endNumber,
      missingFramePolicy: missing)
  }

  /// The sequence that a pattern of names stands for, with the usual properties; nil for other names.
  static func ofPattern(_ name: String) -> WireImageSequence? {
    isPattern(name) ? WireImageSequence() : nil
  }

  /// True for a pattern of names, unless a file has that very name.
  static func isPattern(_ name: String) -> Bool {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.contains("://"),
      last.contains(where: { "*?[".contains($0) }) || String(last).hasNumber
    else { return false }
    return !LocalFile.exists(name)
  }
}

extension WireMissingFramePolicy: ExpressibleByArgument {}
