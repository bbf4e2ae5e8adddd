import SystemIO

/// The lengths that the header of a WAVE file states, updated while the file grows.
///
/// libavformat's muxer reserves space at the beginning for lengths that don't fit into 32 bits
/// (RF64; EBU Tech 3306), and writes all lengths at the end.
struct WaveLengths {
  /// The offset of the chunk for 64-bit lengths.
  private var longLengths: Int64?
  /// The offset of the samples.
  private var start: Int64?
  /// The bytes of a sample of all channels.
  private var sampleSize: Int64 = 1

  private static let unknown: UInt32 = .max

  /// - Parameter file: with the header.
  init(_ file: OutputFile) throws(SystemError) {
    let head = ByteView(try file.read(Int(min(1 << 16, file.size)), at: 0))
    guard ["RIFF", "RF64"].contains(head.fourCC(at: 0)), head.fourCC(at: 8) == "WAVE" else {
      return
    }
    var offset = 12
    while let type = head.fourCC(at: offset), let size = Self.length(head, at: offset + 4) {
      switch type {
      case "JUNK" where size == 28, "ds64" where size == 28: longLengths = Int64(offset)
      case "fmt ":
        if let low = head[offset + 20], let high = head[offset + 21] {
          sampleSize = max(1, Int64(low) | Int64(high) << 8)
        }
      case "data":
        start = Int64(offset) + 8
        return
      default: break
      }
      offset += 8 + size + size % 2
    }
  }

  private static func length(_ head: ByteView, at offset: Int) -> Int? {
    guard offset + 4 <= head.count else { return nil }
    return (0..<4).reduce(0) { $0 | Int(head[offset + $1] ?? 0) << (8 * $1) }
  }

  /// Updates the lengths of a file that ends with samples.
  func write(to file: OutputFile) throws(SystemError) {
    guard let start else { return }
    let (all, samples) = (file.size - 8, file.size - start)
    guard all > 0, samples >= 0 else { return }
    if let short = UInt32(exactly: all) {
      try file.write(Self.bytes(UInt32(clamping: samples))[...], at: start - 4)
      return try file.write(Self.bytes(short)[...], at: 4)
    }
    guard let longLengths else { return }
    var chunk = Array("ds64".utf8) + Self.bytes(28 as UInt32)
    for length in [all, samples, samples / sampleSize] { chunk += Self.bytes(length) }
    chunk += Self.bytes(0 as UInt32)
    try file.write(chunk[...], at: longLengths)
    try file.write(Self.bytes(Self.unknown)[...], at: start - 4)
    try file.write((Array("RF64".utf8) + Self.bytes(Self.unknown))[...], at: 0)
  }

  /// Returns the bytes in little-endian order.
  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
