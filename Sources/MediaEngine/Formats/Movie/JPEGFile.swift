import Glibc
import SystemIO

/// The structure of a JPEG file (ISO/IEC 10918-1, B.1 and B.2).
///
/// libavformat searches a file of JPEG for the end of its picture, once to probe it and once for each reading, byte by
/// byte: 8 ms each for a photo of 5 MB. Where the file is one picture, a packet has all of it without a search.
enum JPEGFile {
  /// The limit of a file that is read whole, in bytes.
  private static let limit: Int64 = 64 << 20

  /// Returns true if the file is a single picture, from its first byte to the last one that matters. False where
  /// that isn't certain, and for other formats.
  static func isOnePicture(_ file: BoxFile) throws(SystemError) -> Bool {
    guard file.size >= 4, file.size <= limit,
      try file.peek(at: 0, count: 3).hasPrefix([0xFF, 0xD8, 0xFF])
    else { return false }
    let bytes = try file.read(at: 0, count: Int(file.size))
    return unsafe bytes.withUnsafeBufferPointer { unsafe isOnePicture($0) }
  }

  private static func isOnePicture(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let end = unsafe endOfPicture(bytes) else { return false }
    // The bytes after the picture may hold another one, which libavformat finds by its start.
    var place = end
    while let start = unsafe nextMarker(in: bytes, from: place) {
      if start + 2 < bytes.count, unsafe bytes[start + 1] == 0xD8,
        unsafe bytes[start + 2] == 0xFF
      {
        return false
      }
      place = start + 1
    }
    return true
  }

  /// Returns the place after the `EOI` of the first picture; nil if it isn't plain.
  private static func endOfPicture(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = 2
    while place + 1 < bytes.count {
      guard unsafe bytes[place] == 0xFF else { return nil }
      let marker = unsafe bytes[place + 1]
      if marker == 0xD9 { return place + 2 }
      // Those without a length have no place between segments.
      guard marker >= 0xC0, marker < 0xD0 || marker > 0xD9, marker < 0xFF,
        place + 3 < bytes.count
      else { return nil }
      let length = unsafe Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2 else { return nil }
      place += 2 + length
      guard marker == 0xDA else { continue }
      guard let next = unsafe endOfScan(bytes, from: place) else { return nil }
      place = next
    }
    return nil
  }

  /// Returns the place of the marker after coded data, in which a byte of 255 is followed by 0 or is a restart.
  private static func endOfScan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    while let found = unsafe nextMarker(in: bytes, from: place), found + 1 < bytes.count {
      let marker = unsafe bytes[found + 1]
      if marker != 0, !(0xD0...0xD7).contains(marker) { return marker == 0xFF ? nil : found }
      place = found + 2
    }
    return nil
  }

  private static func nextMarker(
    in bytes: UnsafeBufferPointer<UInt8>, from place: Int
  ) -> Int? {
    guard place < bytes.count, let base = bytes.baseAddress,
      let found = unsafe memchr(base + place, 0xFF, bytes.count - place)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
