import LibAV
import MediaTime
import SystemIO

/// Where a movie or another media file is written, and what bounds the work.
struct MovieDestination {
  /// Without a name until ``MovieWriter/commit(willCommit:)``.
  let file: OutputFile
  let fileType: FileType
  /// Puts a movie's index in front of its media.
  var isIndexFirst = false
  /// The longest time between two fragments of a movie, each of which can be played whatever becomes of the next;
  /// nil for a movie without. The file has its name then from the start.
  var fragmentInterval: Time?
  /// How long the file may become, in bytes; 0 for any length. A ``MovieWriter`` writes what it is given:
  /// what gives it packets keeps to this.
  var maximumLength: Int64 = 0
  let interrupt: Interrupt
  /// Called with how much of the current step is done, 0 to 1.
  var progress: (Double) -> Void = { _ in }

  var path: String { file.path }
}
