internal import CLibAV
internal import Synchronization

/// A histogram of the colours of frames: of five bits a component, with the sums of the values in
/// each bin.
package struct ColorHistogram: Sendable {
  fileprivate struct Bin {
    var count: UInt64 = 0
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
  }
  fileprivate var bins = [Bin](repeating: Bin(), count: 1 << 15)

  package init() {}

  /// Counts the opaque pixels of a frame in rgba.
  package mutating func count(_ frame: borrowing Frame) {
    let surface = PictureSurface(frame)
    guard surface.format == .rgba, let base = unsafe surface.planes[0] else { return }
    for y in 0..<surface.height {
      let row = unsafe base + y * Int(surface.strides[0])
      for x in 0..<surface.width {
        let pixel = unsafe row + x * 4
        guard unsafe pixel[3] >= 128 else { continue }
        let (r, g, b) = unsafe (pixel[0], pixel[1], pixel[2])
        let place = Int(r >> 3) << 10 | Int(g >> 3) << 5 | Int(b >> 3)
        bins[place].count += 1
        bins[place].red += UInt64(r)
        bins[place].green += UInt64(g)
        bins[place].blue += UInt64(b)
      }
    }
  }
}

/// A palette of up to 255 colours for all of a clip's, and one that is transparent, as GIF needs
/// them.
///
/// The colours are cut where they vary most (P. Heckbert, "Color Image Quantization for Frame
/// Buffer Display", 1982, by variance as in X. Wu's refinement). A colour between two of them is
/// dithered by a fixed pattern (Bayer): it stays in its place from frame to frame, and so
/// compresses.
package final class Palette: Sendable {
  package struct Color: Hashable, Sendable {
    package var red, green, blue: UInt8
    package init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  static let transparent: UInt8 = 255
  package let colors: [Color]
  private let cells = Mutex(Cells())
  private let pattern: [Int]

  package init(_ histogram: ColorHistogram, count: Int = 255) {
    colors = Palette.cut(histogram, into: min(max(2, count), 255))
    pattern = Palette.bayer(spread: Palette.spread(colors))
  }

  // MARK: Choosing the colours

  private struct Box {
    var members: [Member]
    /// The sum of squared distances from the mean along the worst axis, and that axis.
    var variance: Double
    var axis: Int
    var mean: [Double]

    init(_ members: [Member]) {
      self.members = members
      let total = members.reduce(0) { $0 + $1.weight }
      mean = [0, 0, 0]
      (variance, axis) = (0, 0)
      for component in 0..<3 {
        let sum = members.reduce(0) { $0 + $1.weight * $1.color[component] }
        let squares = members.reduce(0) {
          $0 + $1.weight * $1.color[component] * $1.color[component]
        }
        mean[component] = sum / max(1, total)
        let spread = squares - sum * sum / max(1, total)
        if spread > variance, members.count > 1 { (variance, axis) = (spread, component) }
      }
    }
  }

  private struct Member {
    var weight: Double
    var color: [Double]
  }

  private static func cut(_ histogram: ColorHistogram, into count: Int) -> [Color] {
    let members = histogram.bins.filter { $0.count > 0 }.map { bin in
      let weight = Double(bin.count)
      return Member(
        weight: weight,
        color: [Double(bin.red), Double(bin.green), Double(bin.blue)].map { $0 / weight })
    }
    var boxes = [Box(members)]
    while boxes.count < count,
      let worst = boxes.indices.max(by: { boxes[$0].variance < boxes[$1].variance }),
      boxes[worst].variance > 0
    {
      let box = boxes[worst]
      let low = box.members.filter { $0.color[box.axis] <= box.mean[box.axis] }
      let high = box.members.filter { $0.color[box.axis] > box.mean[box.axis] }
      guard !low.isEmpty, !high.isEmpty else {
        boxes[worst].variance = 0
        continue
      }
      boxes[worst] = Box(low)
      boxes.append(Box(high))
    }
    return boxes.map { box in
      func level(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
      return Color(red: level(box.mean[0]), green: level(box.mean[1]), blue: level(box.mean[2]))
    }
  }

  // MARK: Using them

  /// Returns about half of the distance of neighbouring colours: the more colours, the less is
  /// dithered.
  private static func spread(_ colors: [Color]) -> Int {
    guard colors.count > 1 else { return 0 }
    let distances = colors.map { color in
      colors.lazy.filter { $0 != color }.map { Palette.distance($0, color) }.min() ?? 0
    }
    let mean = distances.reduce(0.0) { $0 + Double($1).squareRoot() } / Double(colors.count)
    return min(48, Int(mean.rounded()))
  }

  private static func distance(_ a: Color, _ b: Color) -> Int {
    let (r, g, b) = (
      Int(a.red) - Int(b.red), Int(a.green) - Int(b.green), Int(a.blue) - Int(b.blue)
    )
    return r * r + g * g + b * b
  }

  /// Returns the eight by eight pattern, from -spread/2 to spread/2.
  private static func bayer(spread: Int) -> [Int] {
    (0..<64).map { place in
      let (x, y) = (place & 7, place >> 3)
      var value = 0
      for bit in 0..<3 {
        value |= ((x ^ y) >> bit & 1) << (5 - 2 * bit)
        value |= (y >> bit & 1) << (4 - 2 * bit)
      }
      return (value * 2 - 63) * spread / 128
    }
  }

  /// Returns the value that is added to the components of a pixel.
  func shift(x: Int, y: Int) -> Int { pattern[(y & 7) << 3 | x & 7] }

  /// The colours that can be the nearest to values in each cell of the cube, by six bits a
  /// component.
  ///
  /// The nearest colour depends on the value alone, never on those looked up before it: frames come
  /// from several threads, in any order.
  private struct Cells {
    /// The place in `candidates` at which a cell's palette indexes begin, after their number; 0 if
    /// none has been looked for yet.
    var starts = [UInt32](repeating: 0, count: 1 << 18)
    var candidates: [UInt8] = [0]
  }

  private func index(_ red: Int, _ green: Int, _ blue: Int, _ cells: inout Cells) -> UInt8 {
    let cell = (red >> 2) << 12 | (green >> 2) << 6 | blue >> 2
    if cells.starts[cell] == 0 {
      cells.starts[cell] = UInt32(cells.candidates.count)
      let found = candidates(red & ~3, green & ~3, blue & ~3)
      cells.candidates.append(UInt8(found.count))
      cells.candidates.append(contentsOf: found)
    }
    let start = Int(cells.starts[cell])
    let count = Int(cells.candidates[start])
    guard count > 1 else { return count == 0 ? 0 : cells.candidates[start + 1] }
    var (found, least) = (UInt8(0), Int.max)
    for place in start + 1...start + count {
      let candidate = cells.candidates[place]
      let color = colors[Int(candidate)]
      let (r, g, b) = (red - Int(color.red), green - Int(color.green), blue - Int(color.blue))
      let distance = r * r + g * g + b * b
      if distance < least { (found, least) = (candidate, distance) }
    }
    return found
  }

  /// Returns all colours but those that another one is nearer than, anywhere in the cell that
  /// begins there.
  private func candidates(_ red: Int, _ green: Int, _ blue: Int) -> [UInt8] {
    /// Returns the squared distances from the nearest and the farthest of four neighbouring levels.
    func distances(_ level: UInt8, from first: Int) -> (minimum: Int, maximum: Int) {
      let (below, above) = (first - Int(level), Int(level) - (first + 3))
      let (minimum, maximum) = (max(0, below, above), max(-below, -above))
      return (minimum * minimum, maximum * maximum)
    }
    let bounds = colors.map { color in
      let r = distances(color.red, from: red)
      let g = distances(color.green, from: green)
      let b = distances(color.blue, from: blue)
      return (
        minimum: r.minimum + g.minimum + b.minimum, maximum: r.maximum + g.maximum + b.maximum
      )
    }
    let limit = bounds.lazy.map(\.maximum).min() ?? 0
    return bounds.indices.filter { bounds[$0].minimum <= limit }.map(UInt8.init)
  }

  /// Returns a frame of indexes with this palette, from one in rgba; half transparent counts as
  /// opaque.
  package func frame(from source: borrowing Frame) throws(LibAVError) -> Frame {
    let result = try Frame()
    unsafe result.pointer.pointee.width = source.pointer.pointee.width
    unsafe result.pointer.pointee.height = source.pointer.pointee.height
    unsafe result.pointer.pointee.format = AV_PIX_FMT_PAL8.rawValue
    try check(unsafe av_frame_get_buffer(result.pointer, 0), "allocate", "picture")
    try check(unsafe av_frame_copy_props(result.pointer, source.pointer), "copy", "picture")
    let (from, to) = (PictureSurface(source), PictureSurface(result))
    guard from.format == .rgba, let pixels = unsafe from.planes[0],
      let indexes = unsafe to.planes[0], let table = unsafe to.planes[1]
    else {
      throw LibAVError(
        .invalidArgument, operation: "choose colours", subject: "picture", log: [])
    }
    unsafe write(table)
    // One frame at a time: each finds the colours that earlier ones have looked up.
    cells.withLock { cells in
      unsafe map(pixels, from, to: indexes, to, &cells)
    }
    return result
  }

  private func map(
    _ pixels: UnsafeMutablePointer<UInt8>, _ from: PictureSurface,
    to indexes: UnsafeMutablePointer<UInt8>, _ to: PictureSurface, _ cells: inout Cells
  ) {
    for y in 0..<from.height {
      let row = unsafe pixels + y * Int(from.strides[0])
      let target = unsafe indexes + y * Int(to.strides[0])
      for x in 0..<from.width {
        let pixel = unsafe row + x * 4
        guard unsafe pixel[3] >= 128 else {
          unsafe target[x] = Palette.transparent
          continue
        }
        let shift = shift(x: x, y: y)
        func level(_ value: UInt8) -> Int { min(255, max(0, Int(value) + shift)) }
        unsafe target[x] = index(
          level(pixel[0]), level(pixel[1]), level(pixel[2]), &cells)
      }
    }
  }

  /// Writes alpha, red, green and blue as one number of 32 bits each, in libav's form of palettes.
  private func write(_ table: UnsafeMutablePointer<UInt8>) {
    for place in 0..<256 {
      var entry: UInt32 = 0
      if place < colors.count {
        let color = colors[place]
        entry =
          0xff << 24 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
      } else if place < Int(Palette.transparent) {
        entry = 0xff << 24
      }
      unsafe UnsafeMutableRawPointer(table).storeBytes(
        of: entry, toByteOffset: place * 4, as: UInt32.self)
    }
  }
}
