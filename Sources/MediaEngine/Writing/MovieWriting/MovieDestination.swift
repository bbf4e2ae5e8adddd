import LibAV
import MediaTime
import SystemIO

/// The target of a movie or another media file, and the limits of the work.
struct MovieDestination {
  enum Target {
    /// A file without a name until ``MovieWriter/commit(willCommit:)``.
    case file(OutputFile)
    /// A movie that has its name from the start. It is in fragments while it is written, and has
    /// none at its end.
    case hybrid(HybridMovie)
    /// A movie in segments, which is no file.
    case segments(SegmentBuffer)
    /// A movie that isn't written. Its streams show the formats that encoders have to produce for
    /// it.
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
  /// Writes a movie's index before its media.
  var isIndexFirst = false
  /// The maximum time between two fragments of a movie, each of which can be played even if the
  /// next one fails; nil for a movie without fragments. With fragments, the file has its name from
  /// the start.
  var fragmentInterval: Time?
  /// True if the caller ends each interval (``MovieWriter/endInterval()``).
  var endsIntervals = false
  /// True for a file that has its name from the start.
  var isNamed = false
  /// The maximum length of the file in bytes; 0 for no limit. The sender of the packets enforces
  /// it: a ``MovieWriter`` writes every packet.
  var maximumLength: Int64 = 0
  /// The distance by which everything is presented later than its packets state.
  var offset = Time.zero
  /// The end of the last frame, which may last longer in its packet; nil for no limit.
  var end: Time?
  let interrupt: Interrupt
  /// Called with the completed fraction of the current step, 0 to 1.
  var progress: (Double) -> Void = { _ in }

  var path: String { target.output.path }
  /// The file; nil for a movie in segments, and for one that isn't written.
  var file: OutputFile? {
    switch target {
    case .file(let file): file
    case .hybrid(let movie): movie.file
    case .segments, .nothing: nil
    }
  }
  /// The movie whose fragments are merged at the end; nil for other targets.
  var hybrid: HybridMovie? { if case .hybrid(let movie) = target { movie } else { nil } }
  /// True if the output can be used before the end.
  var isFragmented: Bool { fragmentInterval != nil || file == nil }
}

/// An output that discards all bytes.
final class UnwrittenOutput: MuxerOutput {
  let path: String
  let size: Int64 = 0

  /// - Parameter path: the path of the file that it replaces, for errors.
  init(path: String) { self.path = path }

  func write(_ bytes: RawSpan, at offset: Int64) {}
}
