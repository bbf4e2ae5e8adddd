internal import CLibAV

/// Colour as ITU-T H.273 code points, which libav's numbers are.
package struct ColorDescription: Hashable, Sendable {
  package var primaries: Int32
  package var transfer: Int32
  package var matrix: Int32
  /// 0 unspecified, 1 limited, 2 full.
  package var range: Int32
  package var chromaLocation: Int32

  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
    range: AVColorRange, chromaLocation: AVChromaLocation
  ) {
    self.primaries = Int32(bitPattern: primaries.rawValue)
    self.transfer = Int32(bitPattern: transfer.rawValue)
    self.matrix = Int32(bitPattern: matrix.rawValue)
    self.range = Int32(bitPattern: range.rawValue)
    self.chromaLocation = Int32(bitPattern: chromaLocation.rawValue)
  }

  /// What pictures are in whose tones have been mapped.
  package mutating func setToBT709() {
    (primaries, transfer, matrix, range) = (1, 1, 1, 1)
  }

  package static let unspecifiedCode: Int32 = 2
  package static let pq: Int32 = 16
  package static let hlg: Int32 = 18

  /// libav's names, nil where unspecified: "bt709", "smpte2084", "bt2020nc", "tv".
  package var primariesName: String? {
    unsafe named(primaries) {
      unsafe av_color_primaries_name(AVColorPrimaries(UInt32(bitPattern: $0)))
    }
  }
  package var transferName: String? {
    unsafe named(transfer) {
      unsafe av_color_transfer_name(AVColorTransferCharacteristic(UInt32(bitPattern: $0)))
    }
  }
  package var matrixName: String? {
    unsafe named(matrix) { unsafe av_color_space_name(AVColorSpace(UInt32(bitPattern: $0))) }
  }
  package var chromaLocationName: String? {
    guard chromaLocation > 0 else { return nil }
    return unsafe string(
      av_chroma_location_name(AVChromaLocation(UInt32(bitPattern: chromaLocation))))
  }
  package var isFullRange: Bool? { range == 0 ? nil : range == 2 }

  private func named(
    _ value: Int32, _ name: (Int32) -> UnsafePointer<CChar>?
  ) -> String? {
    value == ColorDescription.unspecifiedCode ? nil : unsafe string(name(value))
  }
}
