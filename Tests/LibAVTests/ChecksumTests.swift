import Testing

@testable import LibAV

/// Checksums and text forms of bytes, by published values.
@Suite struct ChecksumTests {
  /// CRC-8/SMBUS and CRC-16/UMTS of the catalogue of parametrised CRC algorithms, of "123456789".
  @Test func checksumsAreThoseOfFLAC() {
    let digits = Array("123456789".utf8)
    #expect(Checksum.crc8(digits) == 0xF4)
    #expect(Checksum.crc16(digits) == 0xFEE8)
    #expect(Checksum.crc8([]) == 0)
    #expect(Checksum.crc16(digits[..<0]) == 0)
  }

  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]) func base64IsThatOfTheStandard(_ text: String, _ expected: String) {
    #expect(base64(Array(text.utf8)) == expected)
  }
}
