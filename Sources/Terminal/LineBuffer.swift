/// A line of text and a cursor in it.
package struct LineBuffer: Sendable, Equatable {
  private var characters: [Character] = []
  /// The position in characters, from 0 to their number.
  package private(set) var cursor = 0
  /// The text that was cut out last.
  private var cut = ""

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }
  package var beforeCursor: String { String(characters[..<cursor]) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Replaces the line; the cursor goes to its end.
  package mutating func set(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  /// Inserts text at the cursor: an accent joins the letter before it.
  package mutating func insert(_ text: String) {
    let before = Array(String(characters[..<cursor]) + text)
    characters.replaceSubrange(..<cursor, with: before)
    cursor = before.count
  }

  /// Replaces the last characters before the cursor.
  package mutating func replace(last count: Int, with text: String) {
    remove(max(0, cursor - count)..<cursor)
    insert(text)
  }

  package mutating func move(by count: Int) {
    cursor = min(max(0, cursor + count), characters.count)
  }

  package mutating func moveToStart() { cursor = 0 }
  package mutating func moveToEnd() { cursor = characters.count }
  package mutating func moveToWordStart() { cursor = wordStart }
  package mutating func moveToWordEnd() { cursor = wordEnd }

  package mutating func deleteBefore() { if cursor > 0 { remove(cursor - 1..<cursor) } }
  package mutating func deleteAfter() {
    if cursor < characters.count { remove(cursor..<cursor + 1) }
  }

  package mutating func cutToStart() { take(0..<cursor) }
  package mutating func cutToEnd() { take(cursor..<characters.count) }
  package mutating func cutWordBefore() { take(wordStart..<cursor) }
  package mutating func cutWordAfter() { take(cursor..<wordEnd) }

  /// Cuts the text between the last space and the cursor.
  package mutating func cutBlankWordBefore() {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    take(start..<cursor)
  }

  /// Inserts the text that was cut out last.
  package mutating func paste() { insert(cut) }

  /// Exchanges the two characters around the cursor.
  package mutating func transpose() {
    guard characters.count > 1, cursor > 0 else { return }
    if cursor == characters.count { cursor -= 1 }
    characters.swapAt(cursor - 1, cursor)
    cursor += 1
  }

  private mutating func take(_ range: Range<Int>) {
    if !range.isEmpty { cut = String(characters[range]) }
    remove(range)
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, !characters[place - 1].isPartOfWord { place -= 1 }
    while place > 0, characters[place - 1].isPartOfWord { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, !characters[place].isPartOfWord { place += 1 }
    while place < characters.count, characters[place].isPartOfWord { place += 1 }
    return place
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
