internal import CLibAV

/// A grid of tiles of one size that make up an image; each tile is coded separately, row after row
/// (ISO/IEC 23008-12, 6.6.2.3). The rightmost and lowest may reach beyond the image.
package struct TileGrid: Sendable, Hashable {
  package var columns: Int
  package var rows: Int
  /// The width of the image in pixels.
  package var width: Int
  package var height: Int
  /// The sizes of the tiles in bytes; the tiles lie one after the other in the sample.
  package var sizes: [Int]

  package init(columns: Int, rows: Int, width: Int, height: Int, sizes: [Int]) {
    (self.columns, self.rows, self.width, self.height) = (columns, rows, width, height)
    self.sizes = sizes
  }
}

/// A decoder of the tiles of a sample, one after the other, into one frame.
@safe final class TileDecoder {
  private let grid: TileGrid
  /// The context of ``Decoder``, which frees it.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  private var whole: Frame?
  /// The size of each tile, in pixels.
  private var tileSize = (width: 0, height: 0)
  private(set) var isDrained = false

  init(_ grid: TileGrid, _ context: UnsafeMutablePointer<AVCodecContext>, name: String) {
    self.grid = grid
    unsafe self.context = context
    self.name = name
  }

  /// - Throws: `invalidData` where a tile can't be decoded, or differs in size or format from the
  ///   first: there is no frame then.
  func send(_ packet: borrowing Packet) throws(LibAVError) {
    guard packet.size == grid.sizes.reduce(0, +), grid.sizes.count == grid.columns * grid.rows
    else { throw damage("the sample isn't its tiles") }
    var offset = 0
    var picture = try Frame()
    for (number, size) in grid.sizes.enumerated() {
      let tile = try decode(packet.bytes(at: offset, count: size), tile: number)
      offset += size
      if number == 0 { try allocate(&picture, like: tile) }
      try copy(tile, number, into: picture)
    }
    picture.setPTS(packet.pts)
    whole = consume picture
  }

  func drain() { isDrained = true }

  func receive(into frame: inout Frame) -> Decoder.Output {
    guard let picture = whole.take() else { return isDrained ? .endOfStream : .needsInput }
    frame = picture
    return .frame
  }

  func flush() {
    whole = nil
    isDrained = false
  }

  /// Decodes a tile. A tile is a stream of one frame: its decoder is emptied after it.
  private func decode(_ bytes: [UInt8], tile: Int) throws(LibAVError) -> Frame {
    let packet = try Packet(bytes)
    guard let frame = try unsafe Decoder.onlyFrame(of: packet, by: context, name) else {
      throw damage("tile \(tile) holds no picture")
    }
    return frame
  }

  private func allocate(
    _ picture: inout Frame, like tile: borrowing Frame
  ) throws(LibAVError) {
    let (across, down) = tile.pixelFormat.chromaShift
    let covers =
      tile.width * grid.columns >= grid.width && tile.height * grid.rows >= grid.height
      && tile.width * (grid.columns - 1) < grid.width
      && tile.height * (grid.rows - 1) < grid.height
    // Tiles can't share a chroma sample.
    let fits =
      (grid.columns == 1 || tile.width % (1 << across) == 0)
      && (grid.rows == 1 || tile.height % (1 << down) == 0)
    guard covers, fits else {
      throw damage(
        "\(grid.columns) × \(grid.rows) tiles of \(tile.width) × \(tile.height) pixels don't make a picture "
          + "of \(grid.width) × \(grid.height)")
    }
    tileSize = (tile.width, tile.height)
    unsafe picture.pointer.pointee.format = tile.pixelFormat.rawValue
    unsafe picture.pointer.pointee.width = Int32(clamping: grid.width)
    unsafe picture.pointer.pointee.height = Int32(clamping: grid.height)
    try check(unsafe av_frame_get_buffer(picture.pointer, 0), "allocate", name)
    try check(unsafe av_frame_copy_props(picture.pointer, tile.pointer), "copy", name)
  }

  private func copy(
    _ tile: borrowing Frame, _ number: Int, into picture: borrowing Frame
  ) throws(LibAVError) {
    let source = unsafe tile.pointer
    let target = unsafe picture.pointer
    guard unsafe source.pointee.format == target.pointee.format,
      (tile.width, tile.height) == tileSize
    else { throw damage("tile \(number) has another format or size than the first") }
    let (x, y) = (number % grid.columns * tile.width, number / grid.columns * tile.height)
    let width = min(tile.width, grid.width - x)
    let height = min(tile.height, grid.height - y)
    let isCopied = unsafe rw_copy_tile(
      target, Int32(clamping: x), Int32(clamping: y), source, Int32(clamping: width),
      Int32(clamping: height))
    guard isCopied else {
      throw LibAVError(
        .notImplemented, operation: "decode", subject: name,
        detail: "tiles of \(tile.pixelFormat.name ?? "that format") can't be put together")
    }
  }

  private func damage(_ detail: String) -> LibAVError {
    LibAVError(.invalidData, operation: "decode", subject: name, detail: detail)
  }
}
