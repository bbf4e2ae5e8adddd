/// The files that a sequence of images is made of, by their names in one folder.
struct ImageSequencePattern: Sendable {
  enum Names: Sendable, Hashable {
    /// `frame%04d.png`: a number between two pieces of text, with zeros to a width.
    case numbered(prefix: [UInt8], width: Int, suffix: [UInt8])
    /// A pattern of the shell: `*`, `?` and `[a-z]`.
    case matching([UInt8])
    /// All pictures of the folder.
    case all
  }

  /// Without a slash at its end, unless it is the root; `.` where none is named.
  var folder: [UInt8]
  var names: Names
  /// The number in the name of the one picture that represents all.
  var startNumber: Int?

  private static let slash = UInt8(ascii: "/")
  private static let percent = UInt8(ascii: "%")

  /// - Returns: nil for a name with a `%` that is no number's place, or with several.
  init?(_ path: [UInt8], isFolder: Bool) {
    let place = path.lastIndex(of: ImageSequencePattern.slash)
    let name = place.map { Array(path[($0 + 1)...]) } ?? path
    let above = place.map { Array(path[..<max($0, 1)]) } ?? Array(".".utf8)
    if isFolder {
      (folder, names) = (path, .all)
      return
    }
    folder = above
    if name.contains(ImageSequencePattern.percent) {
      guard let parts = ImageSequencePattern.parts(of: name) else { return nil }
      names = parts
    } else if name.contains(where: { "*?[".utf8.contains($0) }) {
      names = .matching(name)
    } else {
      // The last digits before the extension.
      let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
      guard let last = name[..<dot].lastIndex(where: ImageSequencePattern.isDigit) else {
        return nil
      }
      let start = name[..<last].lastIndex { !ImageSequencePattern.isDigit($0) }.map { $0 + 1 } ?? 0
      let digits = name[start...last]
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      // Without zeros in front, the numbers that follow may have more digits.
      let width = digits.first == UInt8(ascii: "0") ? digits.count : 0
      names = .numbered(
        prefix: Array(name[..<start]), width: width, suffix: Array(name[(last + 1)...]))
      startNumber = number
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the parts of a name with one `%d`, `%4d` or `%04d`; `%%` is a percent sign.
  private static func parts(of name: [UInt8]) -> Names? {
    var pieces: [[UInt8]] = [[]]
    var width = 0
    var index = 0
    while index < name.count {
      guard name[index] == percent else {
        pieces[pieces.count - 1].append(name[index])
        index += 1
        continue
      }
      let digits = name[(index + 1)...].prefix(while: isDigit)
      let end = index + 1 + digits.count
      guard end < name.count else { return nil }
      if name[end] == percent, digits.isEmpty {
        pieces[pieces.count - 1].append(percent)
      } else if name[end] == UInt8(ascii: "d"), pieces.count == 1, digits.count < 3 {
        width = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        pieces.append([])
      } else {
        return nil
      }
      index = end + 1
    }
    return pieces.count == 2
      ? .numbered(prefix: pieces[0], width: width, suffix: pieces[1]) : nil
  }

  /// Returns the name of a picture.
  static func name(_ number: Int, _ prefix: [UInt8], _ width: Int, _ suffix: [UInt8]) -> [UInt8] {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return prefix + Array((zeros + digits).utf8) + suffix
  }

  /// Returns the number in a name; nil for a name that the pattern doesn't make.
  static func number(in name: [UInt8], _ prefix: [UInt8], _ width: Int, _ suffix: [UInt8]) -> Int? {
    guard name.count > prefix.count + suffix.count, name.starts(with: prefix),
      name.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    let digits = name[prefix.count..<(name.count - suffix.count)]
    guard digits.allSatisfy(isDigit), let number = Int(String(decoding: digits, as: UTF8.self)),
      self.name(number, prefix, width, suffix) == name
    else { return nil }
    return number
  }

  /// The path with a place for the number; nil where names have none, or aren't text.
  var numberedPath: String? {
    guard case .numbered(let prefix, let width, let suffix) = names else { return nil }
    let place = Array((width > 0 ? "%0\(width)d" : "%d").utf8)
    func escaped(_ bytes: [UInt8]) -> [UInt8] {
      bytes.flatMap { $0 == ImageSequencePattern.percent ? [$0, $0] : [$0] }
    }
    let name = escaped(prefix) + place + escaped(suffix)
    return String(validating: path(of: name), as: UTF8.self)
  }

  func path(of name: [UInt8]) -> [UInt8] {
    if folder == Array(".".utf8) { return name }
    return folder.last == ImageSequencePattern.slash
      ? folder + name : folder + [ImageSequencePattern.slash] + name
  }

  /// Returns true for a name that the shell pattern matches.
  static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    // Where to try again, one byte later, after the last star.
    var (rest, left) = (name, pattern)
    var retry: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while true {
      if left.first == UInt8(ascii: "*") {
        left = left.dropFirst()
        retry = (rest, left)
      } else if let byte = rest.first, let after = step(byte, left) {
        (rest, left) = (rest.dropFirst(), after)
      } else if rest.isEmpty, left.isEmpty {
        return true
      } else {
        guard let last = retry, !last.name.isEmpty else { return false }
        (rest, left) = (last.name.dropFirst(), last.pattern)
        retry = (rest, left)
      }
    }
  }

  /// Returns the pattern after the part that a byte fits; nil where it doesn't.
  private static func step(_ byte: UInt8, _ pattern: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = pattern.first else { return nil }
    if first == UInt8(ascii: "?") { return pattern.dropFirst() }
    guard first == UInt8(ascii: "["),
      let end = pattern.dropFirst(2).firstIndex(of: UInt8(ascii: "]"))
    else { return first == byte ? pattern.dropFirst() : nil }
    var set = pattern[(pattern.startIndex + 1)..<end]
    let isNegated = set.first == UInt8(ascii: "!") || set.first == UInt8(ascii: "^")
    if isNegated { set = set.dropFirst() }
    var isIn = false
    while let low = set.popFirst() {
      if set.first == UInt8(ascii: "-"), set.count > 1, let high = set.dropFirst().first {
        isIn = isIn || (low <= byte && byte <= high)
        set = set.dropFirst(2)
      } else {
        isIn = isIn || low == byte
      }
    }
    return isIn != isNegated ? pattern[(end + 1)...] : nil
  }

  /// Compares names with the numbers in them as numbers: `a2` comes before `a10`.
  static func isOrdered(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var (a, b) = (left[...], right[...])
    while let x = a.first, let y = b.first {
      if isDigit(x), isDigit(y) {
        let (m, n) = (a.prefix(while: isDigit), b.prefix(while: isDigit))
        let zero = UInt8(ascii: "0")
        let (i, j) = (m.drop { $0 == zero }, n.drop { $0 == zero })
        if i.count != j.count { return i.count < j.count }
        if !i.elementsEqual(j) { return i.lexicographicallyPrecedes(j) }
        (a, b) = (a.dropFirst(m.count), b.dropFirst(n.count))
      } else if x != y {
        return x < y
      } else {
        (a, b) = (a.dropFirst(), b.dropFirst())
      }
    }
    if a.isEmpty != b.isEmpty { return a.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }
}

extension ImageSequence {
  /// A pattern such as `frames/frame%04d.png` in its parts.
  package struct Pattern: Sendable, Hashable {
    /// With a slash at its end; empty where none is named.
    package var folder: String
    package var prefix: String
    /// The minimum number of digits.
    package var width: Int
    package var suffix: String

    package init(folder: String, prefix: String, width: Int, suffix: String) {
      self.folder = folder
      self.prefix = prefix
      self.width = width
      self.suffix = suffix
    }

    /// - Returns: nil for a path whose last part has no place for a number.
    package init?(_ path: String) {
      let place = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      guard let pattern = ImageSequencePattern(Array(path[place...].utf8), isFolder: false),
        pattern.startNumber == nil,
        case .numbered(let prefix, let width, let suffix) = pattern.names
      else { return nil }
      folder = String(path[..<place])
      self.prefix = String(decoding: prefix, as: UTF8.self)
      self.width = width
      self.suffix = String(decoding: suffix, as: UTF8.self)
    }

    package var path: String {
      func escaped(_ text: String) -> String {
        String(decoding: text.utf8.flatMap { $0 == 0x25 ? [$0, $0] : [$0] }, as: UTF8.self)
      }
      return folder + escaped(prefix) + (width > 0 ? "%0\(width)d" : "%d") + escaped(suffix)
    }
  }
}
