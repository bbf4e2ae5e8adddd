import LibAV
import MediaTime
import SystemIO

/// Where a movie or another media file is written, and what bounds the work.
struct MovieDestination {
  enum Target {
    /// Without a name until ``MovieWriter/commit(willCommit:)``.
    case file(OutputFile)
    /// A movie that has its name from the start, is in fragments while it is written, and without at its end.
    case hybrid(HybridMovie)
    /// A movie in segments, which is no file.
    case segments(SegmentBuffer)
    /// A movie of which nothing is written: its streams show what encoders are to make for it.
    case nothing(UnwrittenOutput)

    var output: any MuxerOutput {
      switch self {
      case .file(let file): file
      case .hybrid(let movie): movie
      case .segments(let segments): segments
      case .nothing(let nothing): nothing
      }
    }
  }

  var target: Target
  let fileType: FileType
  /// Puts a movie's index in front of its media.
  var isIndexFirst = false
  /// The longest time between two fragments of a movie, each of which can be played whatever becomes of the next;
  /// nil for a movie without. The file has its name then from the start.
  var fragmentInterval: Time?
  /// True where the caller ends each interval (``MovieWriter/endInterval()``).
  var endsIntervals = false
  /// True for a file that has its name from the start.
  var isNamed = false
  /// How long the file may become, in bytes; 0 for any length. A ``MovieWriter`` writes what it is given:
  /// what gives it packets keeps to this.
  var maximumLength: Int64 = 0
  /// By how much everything is presented later than its packets state.
  var offset = Time.zero
  let interrupt: Interrupt
  /// Called with how much of the current step is done, 0 to 1.
  var progress: (Double) -> Void = { _ in }

  var path: String { target.output.path }
  /// Nil for a movie in segments, and for one that isn't written.
  var file: OutputFile? {
    switch target {
    case .file(let file): file
    case .hybrid(let movie): movie.file
    case .segments, .nothing: nil
    }
  }
  /// Nil but for a movie of which the fragments become one.
  var hybrid: HybridMovie? { if case .hybrid(let movie) = target { movie } else { nil } }
  /// True when what is written is of use before the end.
  var isFragmented: Bool { fragmentInterval != nil || file == nil }
}

/// What takes bytes and retains none of them.
final class UnwrittenOutput: MuxerOutput {
  let path: String
  let size: Int64 = 0

  /// - Parameter path: of the file in whose place it is, for errors.
  init(path: String) { self.path = path }

  func write(_ bytes: RawSpan, at offset: Int64) {}
}
