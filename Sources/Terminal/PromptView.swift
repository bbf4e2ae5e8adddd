/// A prompt and the line after it, as escape sequences that draw and erase them.
///
/// It may take several rows. The terminal is never queried: the position of its cursor follows from
/// the text that was drawn.
package struct PromptView: Sendable {
  package var columns: Int
  /// The row of the cursor, from the first row that is drawn; nil when nothing is.
  private var cursorRow: Int?

  package init(columns: Int) { self.columns = columns }

  package var isShown: Bool { cursorRow != nil }

  /// Erases the drawn rows; the cursor is at their beginning.
  package mutating func erase() -> String {
    guard let row = cursorRow else { return "" }
    cursorRow = nil
    return up(row) + "\r\u{1B}[J"
  }

  /// Draws the prompt and the line, in place of those drawn before.
  ///
  /// - Parameters:
  ///   - prompt: the text without any escape sequence.
  ///   - style: converts the prompt to the text that is written.
  package mutating func draw(
    prompt: String, style: (String) -> String = { $0 }, line: String, cursor: Int
  ) -> String {
    var text = erase()
    var layout = Layout(columns: max(2, columns))
    layout.add(prompt)
    text += style(prompt.printable)
    var rest = ""
    var place = layout
    for (index, character) in line.enumerated() {
      if index == cursor { place = layout }
      let (wraps, shown) = layout.add(character)
      rest += (wraps ? "\r\n" : "") + shown
    }
    if cursor >= line.count { place = layout }
    // After the last column of a full row, the cursor is in the next row.
    if layout.isFull {
      rest += "\r\n"
      layout.wrap()
    }
    if place.isFull { place.wrap() }
    cursorRow = place.row
    return text + rest + up(layout.row - place.row) + "\r" + right(place.column)
  }

  /// Leaves the drawn rows where they are, and moves to a new line below them.
  package mutating func leave(prompt: String, line: String) -> String {
    guard let row = cursorRow else { return "" }
    cursorRow = nil
    var layout = Layout(columns: max(2, columns))
    layout.add(prompt)
    for character in line { layout.add(character) }
    if layout.isFull { layout.wrap() }
    let down = layout.row - row
    return (down > 0 ? "\u{1B}[\(down)B" : "") + "\r\n"
  }

  private func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  private func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }

  private struct Layout {
    var columns: Int
    var row = 0
    var column = 0

    var isFull: Bool { column >= columns }

    mutating func wrap() {
      row += 1
      column = 0
    }

    mutating func add(_ text: String) {
      for character in text { add(character) }
    }

    /// Adds a character; returns true if it begins a new row, and its printable form.
    @discardableResult
    mutating func add(_ character: Character) -> (wraps: Bool, shown: String) {
      let shown = String(character).printable
      let width = shown.displayWidth
      let wraps = column + width > columns
      if wraps { wrap() }
      column += width
      return (wraps, shown)
    }
  }
}
