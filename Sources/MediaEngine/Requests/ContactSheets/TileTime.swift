import MediaTime

/// The time of a frame, drawn into the lower left corner of its tile.
struct TileTime {
  /// A part of the sheet, in pixels.
  typealias Rectangle = (x: Int, y: Int, width: Int, height: Int)

  /// The columns and rows of a glyph's dots.
  private static let glyph = (columns: 5, rows: 7)

  private let text: [Character]
  private let cell: (width: Int, height: Int)
  /// The pixels of a dot, in width and height.
  private let dot: Int

  /// - Returns: nil for a time that isn't a number, and where the cell is too small for it.
  init?(_ time: Time, of cell: (width: Int, height: Int)) {
    guard time.isNumeric else { return nil }
    self.init(text: Self.text(of: time), of: cell)
  }

  private init?(text: String, of cell: (width: Int, height: Int)) {
    self.text = Array(text)
    self.cell = cell
    // One dot between glyphs, and one around them all.
    let columns = self.text.count * (Self.glyph.columns + 1) + 1
    let rows = Self.glyph.rows + 2
    guard cell.width >= columns, cell.height >= rows else { return nil }
    // Half of the width or a fifth of the height, whichever is less.
    dot = max(1, min(cell.width / (2 * columns), cell.height / (5 * rows)))
  }

  /// Returns minutes, seconds and thousandths, rounded, with hours from one on: "0:12.345", "1:02:03.000".
  static func text(of time: Time) -> String {
    func padded(_ number: UInt64, _ digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let value = time.converted(toTimescale: 1000).value
    let milliseconds = value.magnitude
    let seconds = milliseconds / 1000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (value < 0 ? "-" : "")
      + (hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)")
      + ":" + padded(seconds % 60, 2) + "." + padded(milliseconds % 1000, 3)
  }

  /// Calls `fill` with each rectangle in order, and with true for a white one.
  ///
  /// - Parameters:
  ///   - x: The left edge of the cell.
  ///   - y: Its upper edge.
  func draw(x: Int, y: Int, fill: (Rectangle, _ isWhite: Bool) -> Void) {
    let height = (Self.glyph.rows + 2) * dot
    let top = y + cell.height - height
    let width = (text.count * (Self.glyph.columns + 1) + 1) * dot
    fill((x, top, width, height), false)
    for (index, character) in text.enumerated() {
      let left = x + (index * (Self.glyph.columns + 1) + 1) * dot
      for (row, dots) in Self.dots(of: character).enumerated() {
        for column in 0..<Self.glyph.columns {
          guard dots >> (Self.glyph.columns - 1 - column) & 1 == 1 else { continue }
          fill((left + column * dot, top + (row + 1) * dot, dot, dot), true)
        }
      }
    }
  }

  /// Returns the rows of a glyph from the top; the leftmost dot is the highest of five bits.
  private static func dots(of character: Character) -> [UInt8] {
    switch character {
    case "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]
    case "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]
    case "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]
    case "3": [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110]
    case "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]
    case "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]
    case "6": [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]
    case "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]
    case "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]
    case "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110]
    case ":": [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000]
    case ".": [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100]
    default: [0b00000, 0b00000, 0b00000, 0b01110, 0b00000, 0b00000, 0b00000]
    }
  }
}
