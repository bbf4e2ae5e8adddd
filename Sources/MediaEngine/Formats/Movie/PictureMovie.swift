import LibAV
import SystemIO

// ISO/IEC 23008-12, 6.6.2.3 (grids); ISO/IEC 23008-12, B.2.3 and AV1 Image File Format, 2.2 (configurations).

/// A HEIF file as a movie of one sample, which libavformat reads in every version: the image, or
/// the tiles that it consists of, one after the other.
///
/// Every byte of the file remains at its offset. libavformat skips all of it as one box. A header
/// follows it, and a copy of the tiles if they aren't contiguous.
struct PictureMovie {
  let source: PiecedSource
  /// The grid of tiles; nil for an image of one piece.
  private(set) var tiles: TileGrid?

  /// The maximum number of tiles: 64 × 64, above that of real images.
  private static let tileLimit = 4096
  /// The box of each codec's configuration, by the type of its items.
  private static let configurations = ["hvc1": "hvcC", "av01": "av1C"]
  /// The brands of files that are images.
  private static let brands: Set = [
    "avif", "heic", "heim", "heis", "heix", "j2ki", "jpeg", "mif1", "mif2", "miaf", "avci",
  ]

  /// - Returns: nil for a file that isn't HEIF, and for one with a movie in addition to the image.
  /// - Throws: `formatUnsupported` for an image of another kind, `fileFailedToParse` for one that
  ///   its boxes don't describe, `limitExceeded`.
  init?(
    _ items: ItemBoxes, in file: BoxFile, of source: any ByteSource
  ) throws(EngineError) {
    guard !items.hasMovie else { return nil }
    let path = source.name
    let type = items.primary.flatMap { items.types[$0] }
    let isRead = type == "grid" || Self.configurations[type ?? ""] != nil
    guard isRead || items.handler == "pict" || Self.brands.contains(items.majorBrand) else {
      return nil
    }
    if let type, !isRead {
      throw EngineError(
        .formatUnsupported, "'\(path)' holds a picture of the kind '\(type)', which isn't read",
        advice: .convertImage,
        path: path, stage: .open)
    }
    do throws(PictureError) {
      guard let primary = items.primary, type != nil else {
        throw .damage("no item of a known kind is the primary one")
      }
      let made = try Self.make(items, primary, in: file)
      tiles = made.tiles
      self.source = PiecedSource(source, made.pieces)
    } catch {
      switch error {
      case .reading(let error):
        try mapErrors(.open, path: path) { () throws(SystemError) in throw error }
        return nil
      case .damage(let message):
        throw EngineError(
          .fileFailedToParse, "The picture of '\(path)' can't be put together: \(message)",
          advice: .getImageAgain,
          path: path, stage: .open)
      case .size(let width, let height):
        throw EngineError(
          .limitExceeded, "The picture of '\(path)' has \(width) × \(height) pixels",
          advice: .keepWithinPixels(Int(Library.limits.pixels)), path: path, stage: .open)
      }
    }
  }

  private enum PictureError: Error {
    case reading(SystemError)
    case damage(String)
    case size(Int, Int)
  }

  private static func make(
    _ items: ItemBoxes, _ primary: UInt64, in file: BoxFile
  ) throws(PictureError) -> (pieces: [PiecedSource.Piece], tiles: TileGrid?) {
    let isGrid = items.types[primary] == "grid"
    let coded = isGrid ? items.items("dimg", from: primary) : [primary]
    guard let first = coded.first, coded.count <= tileLimit else {
      throw .damage(coded.isEmpty ? "its grid has no tiles" : "its grid has \(coded.count) tiles")
    }
    let type = items.types[first] ?? ""
    guard let name = configurations[type], coded.allSatisfy({ items.types[$0] == type }) else {
      throw .damage("its tiles aren't all HEVC or all AV1")
    }
    let places = items.extents(of: Set(coded), isWhole: true)
    let properties = items.properties(of: Set(coded + [primary]))
    func payloads(_ name: String, _ item: UInt64) throws(PictureError) -> [ByteView] {
      var found: [ByteView] = []
      for box in properties[item] ?? [] where box.type == name {
        do throws(SystemError) {
          if let payload = try items.load(box) { found.append(payload) }
        } catch {
          throw .reading(error)
        }
      }
      return found
    }
    func payload(_ name: String, _ item: UInt64) throws(PictureError) -> ByteView? {
      try payloads(name, item).first
    }
    var ranges: [Range<Int64>] = []
    var sizes: [Int] = []
    // Most tiles share their properties.
    var known: Set<Int64> = []
    guard let configuration = try payload(name, first) else {
      throw .damage("it has no '\(name)'")
    }
    for item in coded {
      guard let extents = places[item] else {
        throw .damage("the place of item \(item) isn't stated, or lies outside the file")
      }
      ranges += extents
      sizes.append(extents.reduce(0) { $0 + $1.count })
      let place = properties[item]?.first { $0.type == name }?.payload.lowerBound
      if let place, known.insert(place).inserted, try payload(name, item) != configuration {
        throw .damage("its tiles have several configurations")
      }
      if place == nil { throw .damage("tile \(item) has no '\(name)'") }
    }
    guard sizes.reduce(0, +) < 1 << 30, sizes.allSatisfy({ $0 > 0 }) else {
      throw .damage("the sizes of its items are out of range")
    }
    var grid: TileGrid?
    if isGrid {
      do throws(SystemError) {
        grid = try tileGrid(items, primary, sizes, in: file)
      } catch {
        throw .reading(error)
      }
      guard let grid, grid.width > 0, grid.height > 0, grid.columns * grid.rows == sizes.count
      else { throw .damage("its grid and the number of its tiles, \(sizes.count), don't agree") }
      guard Int64(grid.width) * Int64(grid.height) <= Library.limits.pixels else {
        throw .size(grid.width, grid.height)
      }
    }
    var boxes: [(String, ByteView)] = [(name, configuration)]
    for property in ["colr", "pasp", "clli", "mdcv"] {
      var found = try payloads(property, primary)
      if found.isEmpty { found = try payloads(property, first) }
      boxes += found.map { (property, $0) }
    }
    let size = try payload("ispe", first)
    let movie = MovieOfPictures(
      type: type, width: size?.uint32(at: 4) ?? 0, height: size?.uint32(at: 8) ?? 0, boxes: boxes,
      sizes: [UInt32(clamping: sizes.reduce(0, +))])
    return (pieces(ranges, movie, fileSize: file.size), grid)
  }

  private static func tileGrid(
    _ items: ItemBoxes, _ item: UInt64, _ sizes: [Int], in file: BoxFile
  ) throws(SystemError) -> TileGrid? {
    guard let place = items.extents(of: [item], isWhole: true)[item]?.first else { return nil }
    let bytes = try file.peek(at: place.lowerBound, count: min(12, place.count))
    guard let flags = bytes.uint8(at: 1), let rows = bytes.uint8(at: 2),
      let columns = bytes.uint8(at: 3)
    else { return nil }
    let length = flags & 1 == 0 ? 2 : 4
    guard let width = bytes.unsigned(at: 4, size: length),
      let height = bytes.unsigned(at: 4 + length, size: length)
    else { return nil }
    return TileGrid(
      columns: Int(columns) + 1, rows: Int(rows) + 1, width: Int(width), height: Int(height),
      sizes: sizes)
  }

  // MARK: The movie

  private static func pieces(
    _ ranges: [Range<Int64>], _ movie: MovieOfPictures, fileSize: Int64
  ) -> [PiecedSource.Piece] {
    // A box as long as the file, with a size of 64 bits.
    var skipped = BoxWriter()
    skipped.integer(1 as UInt32)
    skipped.code("free")
    skipped.integer(UInt64(clamping: fileSize))
    let header = Int64(skipped.bytes.count)
    var pieces: [PiecedSource.Piece] = [.bytes(skipped.bytes), .range(header..<fileSize)]
    let total = ranges.reduce(0) { $0 + Int64($1.count) }
    var place = ranges.first?.lowerBound ?? 0
    let isContiguous = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
    if !isContiguous || place < header {
      var data = BoxWriter()
      data.integer(1 as UInt32)
      data.code("mdat")
      data.integer(UInt64(clamping: total + 16))
      place = fileSize + Int64(data.bytes.count)
      pieces.append(.bytes(data.bytes))
      pieces += ranges.map { .range($0) }
    }
    return pieces + [.bytes(movie.header([place]))]
  }
}
