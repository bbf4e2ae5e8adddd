import LibAV
import SystemIO

// Exif 2.32 (CIPA DC-008), 4.5 and 4.6; TIFF 6.0, section 2.

/// The orientation that the Exif of an image states.
enum Exif {
  /// The orientations for the values from 1 to 8 (4.6.4, tag 0x0112): the sides at which the stored
  /// image's top and left are shown.
  private static let orientations: [Orientation] = [
    .up, .mirrored, .rotated180, .mirroredRotated180, .mirroredRotated270, .rotated90,
    .mirroredRotated90, .rotated270,
  ]
  private static let orientationTag = 0x0112
  /// A prefix in JPEG, which some programs write before Exif in other formats, too.
  private static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

  /// Returns the orientation that the first directory of a TIFF structure states; nil if there is
  /// none, or the structure is damaged. Directories after the first are those of thumbnails.
  static func orientation(
    in range: Range<Int64>, of file: BoxFile
  ) throws(SystemError) -> Orientation? {
    var range = range
    let start = try file.peek(at: range.lowerBound, count: min(14, range.count))
    if start.hasPrefix(prefix) {
      range = range.lowerBound + Int64(prefix.count)..<range.upperBound
    }
    let header = try file.peek(at: range.lowerBound, count: min(8, range.count))
    let isLittle: Bool
    switch header.bytes.prefix(4) {
    case [0x49, 0x49, 42, 0]: isLittle = true
    case [0x4D, 0x4D, 0, 42]: isLittle = false
    default: return nil
    }
    func number(_ bytes: ByteView, at offset: Int, size: Int) -> Int? {
      guard let value = bytes.unsigned(at: offset, size: size) else { return nil }
      let ordered = isLittle ? value.byteSwapped >> UInt64(64 - 8 * size) : value
      return Int(exactly: ordered)
    }
    guard let offset = number(header, at: 4, size: 4), offset <= range.count - 2 else { return nil }
    let directory = range.lowerBound + Int64(offset)
    guard let stated = number(try file.peek(at: directory, count: 2), at: 0, size: 2) else {
      return nil
    }
    let count = min(stated, (range.count - offset - 2) / 12)
    let entries = ByteView(try file.read(at: directory + 2, count: count * 12))
    for entry in (0..<count).map({ entries.slice(from: $0 * 12, count: 12) })
    where number(entry, at: 0, size: 2) == orientationTag {
      // A single value of 8, 16 or 32 bits.
      guard let type = number(entry, at: 2, size: 2), let size = [1: 1, 3: 2, 4: 4][type],
        number(entry, at: 4, size: 4) == 1, let value = number(entry, at: 8, size: size),
        value >= 1, value <= orientations.count
      else { return nil }
      return orientations[value - 1]
    }
    return nil
  }

  /// Returns the orientation of an image whose format has Exif in a segment or chunk of its own;
  /// nil for others.
  static func orientation(ofPictureIn file: BoxFile) throws(SystemError) -> Orientation? {
    let start = try file.peek(at: 0, count: 16)
    let range: Range<Int64>?
    if start.hasPrefix([0xFF, 0xD8, 0xFF]) {
      range = try segment(ofJPEG: file)
    } else if start.hasPrefix([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      range = try chunk(ofPNG: file)
    } else if start.fourCC(at: 0) == "RIFF", start.fourCC(at: 8) == "WEBP" {
      range = try chunk(ofWebP: file)
    } else if start.hasPrefix([0x49, 0x49, 42, 0]) || start.hasPrefix([0x4D, 0x4D, 0, 42]) {
      // A TIFF file is itself the structure.
      range = 0..<file.size
    } else {
      return nil
    }
    guard let range else { return nil }
    return try orientation(in: range, of: file)
  }

  /// Above the number before any relevant chunk: a PNG's chunks are typically 8 KiB of pixels.
  private static let chunkLimit = 100_000

  /// Returns the first Exif among the segments before the image (ITU-T T.81, B.1.1.3).
  private static func segment(ofJPEG file: BoxFile) throws(SystemError) -> Range<Int64>? {
    var offset: Int64 = 2
    for _ in 0..<chunkLimit {
      try file.check()
      let header = try file.peek(at: offset, count: 10)
      guard header[0] == 0xFF, let marker = header[1] else { return nil }
      switch marker {
      // Fill bytes.
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      // The image data, or the end of the file.
      case 0xD9, 0xDA: return nil
      default:
        guard let length = header.uint16(at: 2), length >= 2 else { return nil }
        let end = min(offset + 2 + Int64(length), file.size)
        if marker == 0xE1, header.slice(from: 4).hasPrefix(prefix) { return offset + 4..<end }
        offset = end
      }
    }
    return nil
  }

  /// Returns `eXIf`, which may come before the pixels or after them (PNG, third edition, 11.3.3.3).
  private static func chunk(ofPNG file: BoxFile) throws(SystemError) -> Range<Int64>? {
    var offset: Int64 = 8
    for _ in 0..<chunkLimit {
      try file.check()
      let header = ByteView(try file.read(at: offset, count: 8))
      guard let length = header.uint32(at: 0), let type = header.fourCC(at: 4) else { return nil }
      let payload = offset + 8..<min(offset + 8 + Int64(length), file.size)
      if type == "eXIf" { return payload }
      if type == "IEND" { return nil }
      // A checksum follows each chunk.
      offset = payload.upperBound + 4
    }
    return nil
  }

  /// Returns `EXIF`, which comes after the image (WebP Container Specification, "Metadata").
  private static func chunk(ofWebP file: BoxFile) throws(SystemError) -> Range<Int64>? {
    var offset: Int64 = 12
    for _ in 0..<chunkLimit {
      try file.check()
      let header = ByteView(try file.read(at: offset, count: 8))
      guard let type = header.fourCC(at: 0), let bytes = header.uint32(at: 4) else { return nil }
      let length = Int64(bytes.byteSwapped)
      if type == "EXIF" { return offset + 8..<min(offset + 8 + length, file.size) }
      // Each chunk begins at an even offset.
      offset += 8 + length + length % 2
    }
    return nil
  }
}
