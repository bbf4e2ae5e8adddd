import EngineProtocol
import Glibc
import JSONRPC

/// The completions of a line.
struct Completer {
  struct Candidate: Equatable {
    /// The text in place of the part that is completed.
    var text: String
    /// The text after it when it is the only one: a space, `=`, or nothing.
    var end: String
  }

  /// The candidates for a line up to the cursor, and the number of its characters that they replace.
  struct Completion {
    var candidates: [Candidate] = []
    var replaced = 0
  }

  var catalog: MethodCatalog
  var handles: [WireHandleInfo]
  var last: JSONValue?

  static let localCommands = ["help", "exit"] + PlayerLine.pages.map(\.key)

  func complete(_ line: String) -> Completion {
    let split = ReplWords(line)
    let word = String(line.dropFirst(split.lastStart))
    let earlier = word.isEmpty ? split.words[...] : split.words.dropLast()
    guard let method = earlier.first else {
      if word.hasPrefix("_") { return members(word) }
      return matching(word, catalog.methods.map(\.name) + Self.localCommands, end: " ")
    }
    if method == "help" {
      return matching(word, catalog.methods.map(\.name) + PlayerLine.pages.map(\.key), end: " ")
    }
    if method == "play" { return word.hasPrefix("_") ? members(word) : files(word) }
    guard let method = catalog.method(method) else { return Completion() }
    if word.hasPrefix("@") { return files(String(word.dropFirst())) }
    guard let equals = word.firstIndex(of: "=") else {
      return parameters(word, of: method, given: earlier.dropFirst().map { $0 })
    }
    let isJSON = word[..<equals].hasSuffix(":")
    let name = String(word[..<equals]).replacing(":", with: "")
    let value = String(word[word.index(after: equals)...])
    if value.hasPrefix("@") { return files(String(value.dropFirst())) }
    guard let parameter = method.parameter(name) else { return Completion() }
    return isJSON ? listElement(value, parameter) : self.value(value, parameter)
  }

  private func matching(_ start: String, _ names: [String], end: String) -> Completion {
    let found = names.filter { $0.hasPrefix(start) }
    return Completion(
      candidates: found.map { Candidate(text: $0, end: end) }, replaced: start.count)
  }

  // MARK: Parameters and their values

  private func parameters(
    _ start: String, of method: MethodCatalog.Method, given: [String]
  ) -> Completion {
    let names = Set(given.map { $0.prefix { $0 != "=" && $0 != ":" && $0 != "." } })
    var candidates = method.parameters
      .filter { $0.name.hasPrefix(start) && !names.contains($0.name[...]) }
      .map { Candidate(text: $0.name + (catalog.takesText($0.schema) ? "=" : ":="), end: "") }
    if method.takesCompletion, "--wait".hasPrefix(start), !given.contains("--wait"),
      start.hasPrefix("-")
    {
      candidates.append(Candidate(text: "--wait", end: " "))
    }
    return Completion(candidates: candidates, replaced: start.count)
  }

  private func value(_ start: String, _ parameter: MethodCatalog.Parameter) -> Completion {
    if start.hasPrefix("_") { return members(start) }
    if MethodCatalog.referredName(parameter.schema) == "AnyHandle" {
      return matching(start, handles.map(\.handle.rawValue), end: " ")
    }
    let kinds = catalog.handleKinds(parameter.schema)
    if !kinds.isEmpty {
      let named = handles.filter { kinds.contains($0.kind) }.map(\.handle.rawValue)
      return matching(start, named, end: " ")
    }
    let words = catalog.words(parameter.schema)
    if !words.isEmpty { return matching(start, words, end: " ") }
    let takesFile = ["url", "outputURL", "path"].contains(parameter.name)
    return takesFile ? files(start) : Completion()
  }

  /// The element that is being written in a list of strings.
  private func listElement(_ value: String, _ parameter: MethodCatalog.Parameter) -> Completion {
    guard let items = catalog.resolved(parameter.schema)["items"] else {
      return matching(
        value, catalog.words(parameter.schema).isEmpty ? ["true", "false"] : [], end: " ")
    }
    let words = catalog.words(items)
    guard !words.isEmpty else { return Completion() }
    if value.isEmpty { return Completion(candidates: [Candidate(text: "[\"", end: "")]) }
    let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
    guard value.hasPrefix("["), parts.count % 2 == 0, let start = parts.last else {
      return Completion()
    }
    let used = Set(parts.enumerated().filter { $0.offset % 2 == 1 }.dropLast().map(\.element))
    return matching(String(start), words.filter { !used.contains($0[...]) }, end: "\"")
  }

  /// The members of the last result.
  private func members(_ start: String) -> Completion {
    guard let point = start.lastIndex(of: ".") else {
      return Completion(candidates: [Candidate(text: "_.", end: "")], replaced: start.count)
    }
    let name = String(start[start.index(after: point)...])
    guard let value = try? RequestSyntax.member(String(start[..<point]), of: last) else {
      return Completion()
    }
    switch value {
    case .object(let members): return matching(name, members.map(\.key), end: "")
    case .array(let elements): return matching(name, elements.indices.map(String.init), end: "")
    default: return Completion()
    }
  }

  // MARK: Files

  private func files(_ start: String) -> Completion {
    let folderEnd = start.lastIndex(of: "/").map { start.index(after: $0) } ?? start.startIndex
    let folder = String(start[..<folderEnd])
    let name = String(start[folderEnd...])
    let entries = Self.entries(of: folder.isEmpty ? "." : folder)
      .filter { $0.name.hasPrefix(name) && (name.hasPrefix(".") || !$0.name.hasPrefix(".")) }
    return Completion(
      candidates: entries.map { entry in
        let text = entry.name.reduce(into: "") { text, character in
          text += " '\"\\".contains(character) ? "\\\(character)" : String(character)
        }
        return Candidate(text: entry.isFolder ? text + "/" : text, end: entry.isFolder ? "" : " ")
      }, replaced: name.count)
  }

  private static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [(name: String, isFolder: Bool)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      let isFolder =
        unsafe stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      found.append((name, isFolder))
    }
    return found.sorted { $0.name < $1.name }
  }
}
