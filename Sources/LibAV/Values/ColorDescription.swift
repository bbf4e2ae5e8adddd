internal import CLibAV

/// Colour as ITU-T H.273 code points, which libav's numbers are.
package struct ColorDescription: Hashable, Sendable {
  package var primaries: Int32
  package var transfer: Int32
  package var matrix: Int32
  /// The range: 0 unspecified, 1 limited, 2 full.
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

  /// Creates a description of H.273's code points.
  package init(
    primaries: Int32, transfer: Int32, matrix: Int32, isFullRange: Bool?, chromaLocation: Int32 = 0
  ) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    range = isFullRange.map { $0 ? 2 : 1 } ?? 0
    self.chromaLocation = chromaLocation
  }

  /// Creates a description of libav's names; nil if libav has no such name.
  package init?(primaries: String, transfer: String, matrix: String) {
    let codes = unsafe (
      av_color_primaries_from_name(primaries), av_color_transfer_from_name(transfer),
      av_color_space_from_name(matrix)
    )
    guard codes.0 >= 0, codes.1 >= 0, codes.2 >= 0 else { return nil }
    self.init(primaries: codes.0, transfer: codes.1, matrix: codes.2, isFullRange: nil)
  }

  /// The code points in libav's types.
  var codes:
    (
      primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
      range: AVColorRange, chromaLocation: AVChromaLocation
    )
  {
    (
      AVColorPrimaries(UInt32(bitPattern: primaries)),
      AVColorTransferCharacteristic(UInt32(bitPattern: transfer)),
      AVColorSpace(UInt32(bitPattern: matrix)), AVColorRange(UInt32(bitPattern: range)),
      AVChromaLocation(UInt32(bitPattern: chromaLocation))
    )
  }

  /// Sets BT.709, the colours of frames whose tones have been mapped.
  package mutating func setToBT709() {
    (primaries, transfer, matrix, range) = (1, 1, 1, 1)
  }

  package static let unspecifiedCode: Int32 = 2
  /// The matrix of RGB (H.273, table 4).
  package static let identity: Int32 = 0
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
