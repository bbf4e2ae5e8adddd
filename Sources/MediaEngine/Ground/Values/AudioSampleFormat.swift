/// The sample formats of decoded audio.
public enum AudioSampleFormat: String, Sendable, Hashable, CaseIterable {
  /// Unsigned, with 8 bits.
  case u8
  /// Signed, with 16 and with 32 bits.
  case s16, s32
  /// IEEE 754, with 32 and with 64 bits; full scale is ±1.
  case f32, f64

  /// FFmpeg's name of the packed format.
  var packedName: String {
    switch self {
    case .u8: "u8"
    case .s16: "s16"
    case .s32: "s32"
    case .f32: "flt"
    case .f64: "dbl"
    }
  }

  /// Creates the format of that name, including FFmpeg's packed ones.
  init?(_ name: String) {
    guard let format = Self.allCases.first(where: { [$0.rawValue, $0.packedName].contains(name) })
    else { return nil }
    self = format
  }
}
