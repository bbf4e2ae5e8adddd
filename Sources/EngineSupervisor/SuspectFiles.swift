internal import SystemIO

/// The files that were in work when a worker ended unexpectedly.
struct SuspectFiles: Sendable {
  enum Suspicion: Sendable { case none, suspect, refused }

  private struct Entry: Sendable {
    var version: FileVersion?
    var isRefused: Bool
  }

  private var entries: [String: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// Returns the suspicion against the present version of a file; none once it was written to or
  /// replaced.
  mutating func suspicion(of path: String) -> Suspicion {
    guard let entry = entries[path] else { return .none }
    guard entry.version == FileVersion(path: path) else {
      entries[path] = nil
      return .none
    }
    return entry.isRefused ? .refused : .suspect
  }

  /// Notes that a worker ended unexpectedly with a file in work.
  ///
  /// - Parameter alone: true if nothing else can have been the reason.
  mutating func note(_ path: String, alone: Bool) {
    let isSecond = entries[path] != nil
    entries[path] = Entry(version: FileVersion(path: path), isRefused: isSecond && alone)
  }

  /// Clears a file: a worker that had no other file has done its work on it.
  mutating func clear(_ path: String) {
    if entries[path]?.isRefused == false { entries[path] = nil }
  }
}
