import Terminal

/// The failures of several files of a command: a line for each file, and each advice once.
struct FileFailures {
  private var failures: [(file: String, error: CommandError)] = []

  /// Adds the failure of a file; of several of one file the first counts.
  mutating func add(_ file: String, _ error: CommandError) {
    guard !failures.contains(where: { $0.file == file }) else { return }
    failures.append((file, error))
  }

  var isEmpty: Bool { failures.isEmpty }

  /// One error for all; nil without any, and that of a single file as it is.
  ///
  /// - Parameter message: its first line, for the number of the files.
  func error(_ message: (Int) -> String) -> CommandError? {
    guard failures.count > 1 else { return failures.first?.error }
    let hints = failures.compactMap(\.error.hint)
    let several = Set(hints)
    return CommandError(
      message(failures.count), hint: several.count == 1 ? hints.first : nil,
      details: failures.map(Self.line))
  }

  /// `film.mp4: No such file or directory`.
  private static func line(_ file: String, _ error: CommandError) -> String {
    let name = FileArguments.shown(file)
    let text = ([error.message] + error.details).joined(separator: "; ")
    return text.contains(name) ? text : "\(name): \(text)"
  }
}
