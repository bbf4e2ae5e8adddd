/// Arguments in the commands that messages advise.
enum ShellWord {
  /// Returns an argument as a shell takes it.
  static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._-/%,:+@=".contains($0) }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
