internal import CLibAV

/// A cyclic redundancy check.
package enum Checksum {
  /// Returns the CRC with polynomial 0x07, initially 0, as in the headers of FLAC's frames.
  package static func crc8(_ bytes: some Collection<UInt8>) -> UInt8 {
    UInt8(truncatingIfNeeded: crc(AV_CRC_8_ATM, Array(bytes)))
  }

  /// Returns the CRC with polynomial 0x8005, initially 0, as at the end of FLAC's frames.
  package static func crc16(_ bytes: some Collection<UInt8>) -> UInt16 {
    // Tables with the most significant bit first give a result whose bytes are swapped (crc.h).
    UInt16(truncatingIfNeeded: crc(AV_CRC_16_ANSI, Array(bytes))).byteSwapped
  }

  /// Returns the CRC with polynomial 0x04c11db7, initially 0, as in the pages of Ogg.
  package static func crc32(_ bytes: some Collection<UInt8>) -> UInt32 {
    // As with 16 bits.
    crc(AV_CRC_32_IEEE, Array(bytes)).byteSwapped
  }

  private static func crc(_ table: AVCRCId, _ bytes: [UInt8]) -> UInt32 {
    unsafe av_crc(av_crc_get_table(table), 0, bytes, bytes.count)
  }
}

/// A hash of 128 bits that distinguishes contents (MurmurHash3, A. Appleby); it doesn't protect
/// against forgery.
@safe package struct Fingerprint: ~Copyable {
  private let hash: OpaquePointer

  package init() throws(LibAVError) {
    guard let hash = unsafe av_murmur3_alloc() else { throw outOfMemory("hash") }
    unsafe av_murmur3_init(hash)
    unsafe self.hash = hash
  }

  deinit { unsafe av_free(UnsafeMutableRawPointer(hash)) }

  package func add(_ bytes: [UInt8]) { unsafe av_murmur3_update(hash, bytes, bytes.count) }

  package func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    unsafe av_murmur3_final(hash, &bytes)
    return bytes
  }
}

/// A hash of 256 bits (FIPS 180-4).
@safe package struct SHA256: ~Copyable {
  private let hash: OpaquePointer

  package init() throws(LibAVError) {
    guard let hash = unsafe av_sha_alloc() else { throw outOfMemory("hash") }
    unsafe av_sha_init(hash, 256)
    unsafe self.hash = hash
  }

  deinit { unsafe av_free(UnsafeMutableRawPointer(hash)) }

  package func add(_ bytes: [UInt8]) { unsafe av_sha_update(hash, bytes, bytes.count) }

  package func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    unsafe av_sha_final(hash, &bytes)
    return bytes
  }

  /// Returns the hash of these bytes, in hexadecimal.
  package static func text(of bytes: [UInt8]) throws(LibAVError) -> String {
    let hash = try SHA256()
    hash.add(bytes)
    return hash.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Returns bytes as text (RFC 4648, section 4).
package func base64(_ bytes: [UInt8]) -> String {
  let size = (bytes.count + 2) / 3 * 4 + 1
  return unsafe String(unsafeUninitializedCapacity: size) { buffer in
    unsafe buffer.withMemoryRebound(to: CChar.self) { text in
      guard
        unsafe av_base64_encode(
          text.baseAddress, Int32(clamping: text.count), bytes, Int32(clamping: bytes.count)) != nil
      else { return 0 }
      return size - 1
    }
  }
}
