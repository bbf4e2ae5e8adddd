import EngineReports
import Glibc
import MediaEngine
import SystemIO

/// The rules for paths that a model writes, and the search for names close to one that leads nowhere.
struct PathRules: Sendable {
  let roots: [String]
  /// The folder that relative paths begin at.
  let base: String
  private let home: String?

  init(roots: [String]) {
    let absolute = roots.map(Self.absolute)
    self.roots = absolute
    base = absolute.first ?? Self.absolute(".")
    home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
  }

  private static func absolute(_ path: String) -> String {
    String(decoding: FileLocation(path).absolutePathBytes, as: UTF8.self)
  }

  /// The absolute path of a file or a folder.
  func resolve(_ text: String, _ name: String) throws -> String {
    let trimmed = Self.unquoted(text.trimmed)
    guard !trimmed.isEmpty else {
      throw ToolFailure("'\(name)' is empty", hint: "Give the path of a file.")
    }
    guard !trimmed.utf8.contains(0) else {
      throw ToolFailure(
        "'\(name)' has a character NUL, which no name of a file can have",
        hint: "Give the path without it.")
    }
    if let scheme = Self.scheme(trimmed), scheme != "file" {
      throw ToolFailure(
        "'\(name)' is a \(scheme) address, and only files can be opened",
        hint: "Download it first, and give the path of the file.")
    }
    // A backslash before a space is a shell's.
    let isForeign = !trimmed.contains("/") && trimmed.replacing("\\ ", with: "").contains("\\")
    if isForeign || trimmed.dropFirst().hasPrefix(":\\") {
      throw ToolFailure(
        "'\(name)' is no path of this system: '\(trimmed)'",
        hint: "Separate folders by '/'\(base.isEmpty ? "" : "; relative paths begin at \(base)").")
    }
    let location = FileLocation(trimmed)
    guard location.bytes == nil else {
      // Not UTF-8: only a URL can have it.
      return trimmed
    }
    return anchored(expanded(location.path))
  }

  private func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }

  /// A relative path begins at the first root that has it, else at the first of all.
  private func anchored(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return Self.absolute(path) }
    let candidates = (roots.isEmpty ? [base] : roots).map { Self.absolute("\($0)/\(path)") }
    return candidates.first(where: hasFile) ?? candidates.first ?? path
  }

  private static func unquoted(_ text: String) -> String {
    for quote in ["\"", "'", "`"] where text.count > 2 {
      if text.hasPrefix(quote), text.hasSuffix(quote) {
        return String(text.dropFirst().dropLast()).trimmed
      }
    }
    return text
  }

  private static func scheme(_ text: String) -> String? {
    guard let range = text.firstRange(of: "://") else {
      return text.lowercased().hasPrefix("file:") ? "file" : nil
    }
    let scheme = text[..<range.lowerBound]
    guard !scheme.isEmpty, scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
    else { return nil }
    return scheme.lowercased()
  }

  /// True if there is a file, as far as the roots reach: nothing is learned of files outside of them.
  func hasFile(_ path: String) -> Bool {
    guard let slash = path.lastIndex(of: "/") else { return false }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let reader = try? FolderReader(path: Array(folder.utf8), below: roots)
    return reader?.facts(of: Array(path[path.index(after: slash)...].utf8)) != nil
  }

  // MARK: Close names

  /// The advice about a path that leads to no file: names in the same folder, as far as the roots reach. Nil where
  /// there is something of that name.
  func advice(for path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    guard let entries = list(folder) else {
      return "There is no folder '\(folder)'. list_media lists the existing ones."
    }
    if let known = entries.first(where: { $0.name == Array(name.utf8) }) {
      return known.kind == .folder ? "It is a folder: list_media lists the files in it." : nil
    }
    let unescaped = name.replacing("\\", with: "")
    let names = entries.filter { $0.kind != .folder }.map {
      String(decoding: $0.name, as: UTF8.self)
    }
    let same = names.filter { Self.stem($0) == Self.stem(unescaped) }
    let close = same + [closest(to: unescaped, among: names)].compactMap { $0 }
    var seen: Set<String> = []
    let found = close.filter { seen.insert($0).inserted }.prefix(3)
    guard !found.isEmpty else {
      // Those of the same type first.
      let type = Formatting.fileExtension(unescaped)
      let shown = names.filter { !$0.hasPrefix(".") }.sorted()
      let some =
        (shown.filter { Formatting.fileExtension($0) == type }
        + shown.filter { Formatting.fileExtension($0) != type }).prefix(5)
      return some.isEmpty
        ? "There are no files in '\(folder)'."
        : "In '\(folder)' there are: \(some.joined(separator: ", "))\(names.count > 5 ? " …" : "")"
    }
    let paths = found.map { "'\(folder == "/" ? "" : folder)/\($0)'" }
    return "Did you mean \(paths.joined(separator: " or "))?"
  }

  private static func stem(_ name: String) -> String { Formatting.stem(of: name).lowercased() }

  private func list(_ folder: String) -> [FolderReader.Entry]? {
    guard let reader = try? FolderReader(path: Array(folder.utf8), below: roots) else { return nil }
    guard let entries = try? reader.entries(interrupt: Interrupt()) else { return nil }
    return Array(entries.prefix(20_000))
  }
}

/// URLs of files.
enum FileURL {
  static func text(of path: String) -> String {
    "file://" + escaped(path)
  }

  /// All but letters, digits, `-._~` and `/` as escapes (RFC 3986).
  static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return path.utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~/".contains(character) {
        text.append(character)
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// `%41` becomes `A`.
  static func unescaped(_ text: some StringProtocol) -> String {
    FileLocation("file:///" + String(text)).path.dropFirst().description
  }
}
