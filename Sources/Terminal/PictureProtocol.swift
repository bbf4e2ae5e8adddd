/// The ways in which terminals show images.
package enum PictureProtocol: String, CaseIterable, Sendable {
  /// Kitty's graphics protocol, which Ghostty and Konsole have too.
  case kitty
  /// iTerm2's inline images, which WezTerm and mintty have too.
  case iterm
  /// DEC's sixels.
  case sixel
  /// Characters of which the upper half has one colour and the lower half another.
  case blocks

  /// Returns the protocol that the terminal of the environment can be expected to support.
  ///
  /// Terminals could be queried, but one that doesn't know the query may show it, or answer late.
  /// Within tmux and screen only characters come through.
  package static func detected(
    _ variable: (String) -> String? = Terminal.variable
  ) -> PictureProtocol {
    let term = variable("TERM") ?? ""
    if variable("TMUX") != nil || term.hasPrefix("tmux") || term.hasPrefix("screen") {
      return .blocks
    }
    switch variable("TERM_PROGRAM") {
    case "iTerm.app", "WezTerm", "mintty": return .iterm
    case "ghostty": return .kitty
    default: break
    }
    if variable("LC_TERMINAL") == "iTerm2" { return .iterm }
    if variable("KITTY_WINDOW_ID") != nil || term.contains("kitty") || term.contains("ghostty")
      || variable("KONSOLE_VERSION") != nil
    {
      return .kitty
    }
    let sixelTerminals = ["sixel", "mlterm", "foot", "yaft", "contour"]
    return sixelTerminals.contains(where: term.contains) ? .sixel : .blocks
  }
}

/// An image with pixels of three bytes: red, green, blue.
package struct PixelPicture: Sendable {
  package var width: Int
  package var height: Int
  package var bytesPerRow: Int
  package var bytes: [UInt8]

  /// Creates an image; nil when there are fewer bytes than the size requires.
  package init?(width: Int, height: Int, bytesPerRow: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, bytesPerRow >= width * 3,
      bytes.count >= bytesPerRow * (height - 1) + width * 3
    else { return nil }
    (self.width, self.height, self.bytesPerRow, self.bytes) = (width, height, bytesPerRow, bytes)
  }

  struct Pixel: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
  }

  func pixel(_ x: Int, _ y: Int) -> Pixel {
    let place = y * bytesPerRow + x * 3
    return Pixel(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
  }

  /// The rows without the padding between them.
  var packed: [UInt8] {
    if bytesPerRow == width * 3 { return Array(bytes[..<(width * height * 3)]) }
    return (0..<height).flatMap { bytes[($0 * bytesPerRow)..<($0 * bytesPerRow + width * 3)] }
  }
}

extension PictureProtocol {
  /// Returns the maximum size in pixels that fits into an area of characters.
  package func pixels(columns: Int, rows: Int) -> (width: Int, height: Int) {
    switch self {
    // A character is about twice as high as wide.
    case .blocks: (columns, rows * 2)
    case .kitty, .iterm, .sixel: (columns * 8, rows * 16)
    }
  }

  /// Returns the sequence that shows an image at the cursor, and leaves the cursor at the beginning
  /// of the row below.
  ///
  /// - Parameters:
  ///   - trueColor: true if the terminal has more than 256 colours.
  ///   - number: the number of the image, which replaces one with the same number if the terminal
  ///     stores images.
  package func sequence(
    _ picture: PixelPicture, trueColor: Bool, number: Int? = nil
  ) -> String {
    switch self {
    case .kitty: kitty(picture, number: number)
    case .iterm: iterm(picture)
    case .sixel: sixel(picture)
    case .blocks: blocks(picture, trueColor: trueColor)
    }
  }

  /// Returns the sequence that removes an image that has a number; empty if clearing the screen
  /// does.
  package func removal(ofPicture number: Int) -> String {
    self == .kitty ? "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" : ""
  }

  /// Returns the sequence of https://sw.kovidgoyal.net/kitty/graphics-protocol/: RGB in chunks of
  /// at most 4096 characters.
  private func kitty(_ picture: PixelPicture, number: Int?) -> String {
    var rest = Base64.encode(picture.packed)[...]
    var keys = "a=T,f=24,q=2,s=\(picture.width),v=\(picture.height),"
    if let number { keys += "i=\(number),p=1," }
    var text = ""
    repeat {
      let chunk = rest.prefix(4096)
      rest = rest.dropFirst(4096)
      text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);"
      text += String(decoding: chunk, as: UTF8.self) + "\u{1B}\\"
      keys = ""
    } while !rest.isEmpty
    return text + "\r\n"
  }

  /// Returns the sequence of https://iterm2.com/documentation-images.html: a file, here a BMP,
  /// which needs no compression.
  private func iterm(_ picture: PixelPicture) -> String {
    let file = picture.bitmapFile
    let text = String(decoding: Base64.encode(file), as: UTF8.self)
    return "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(picture.width)px:\(text)\u{07}\r\n"
  }

  /// Returns sixels: six rows of pixels at a time, in a cube of 6 × 6 × 6 colours.
  private func sixel(_ picture: PixelPicture) -> String {
    func level(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
    var text = "\u{1B}Pq\"1;1;\(picture.width);\(picture.height)"
    for color in 0..<216 {
      text += "#\(color);2;\(color / 36 * 20);\(color / 6 % 6 * 20);\(color % 6 * 20)"
    }
    for top in stride(from: 0, to: picture.height, by: 6) {
      var bands: [Int: [UInt8]] = [:]
      for y in top..<min(top + 6, picture.height) {
        for x in 0..<picture.width {
          let pixel = picture.pixel(x, y)
          let color = level(pixel.red) * 36 + level(pixel.green) * 6 + level(pixel.blue)
          bands[color, default: [UInt8](repeating: 0, count: picture.width)][x] |= 1 << (y - top)
        }
      }
      for (color, bits) in bands.sorted(by: { $0.key < $1.key }) {
        text += "#\(color)" + Self.runs(bits) + "$"
      }
      text += "-"
    }
    return text + "\u{1B}\\\r\n"
  }

  private static func runs(_ bits: [UInt8]) -> String {
    var text = ""
    var start = 0
    while start < bits.count {
      let end = bits[start...].firstIndex { $0 != bits[start] } ?? bits.count
      let sign = String(UnicodeScalar(bits[start] + 63))
      text +=
        end - start > 3 ? "!\(end - start)\(sign)" : String(repeating: sign, count: end - start)
      start = end
    }
    return text
  }

  private func blocks(_ picture: PixelPicture, trueColor: Bool) -> String {
    func code(_ pixel: PixelPicture.Pixel) -> String {
      if trueColor { return "2;\(pixel.red);\(pixel.green);\(pixel.blue)" }
      func level(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
      return "5;\(16 + level(pixel.red) * 36 + level(pixel.green) * 6 + level(pixel.blue))"
    }
    var text = ""
    for y in stride(from: 0, to: picture.height, by: 2) {
      for x in 0..<picture.width {
        text += "\u{1B}[38;\(code(picture.pixel(x, y)))"
        if y + 1 < picture.height { text += ";48;\(code(picture.pixel(x, y + 1)))" }
        text += "m▀"
      }
      text += "\u{1B}[0m\r\n"
    }
    return text
  }
}

extension PixelPicture {
  /// The image as a BMP file of 24 bits.
  var bitmapFile: [UInt8] {
    let stride = (width * 3 + 3) / 4 * 4
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("BM".utf8) + little(54 + stride * height, 4) + little(0, 4) + little(54, 4)
    file += little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2)
    file += little(0, 4) + little(stride * height, 4) + little(2835, 4) + little(2835, 4)
    file += little(0, 8)
    for y in (0..<height).reversed() {
      for x in 0..<width {
        let pixel = pixel(x, y)
        file += [pixel.blue, pixel.green, pixel.red]
      }
      file += [UInt8](repeating: 0, count: stride - width * 3)
    }
    return file
  }
}

/// RFC 4648's base64, with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= 8 * UInt32(3 - group.count)
      for place in 0..<4 {
        text.append(
          place <= group.count
            ? alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
