/// The sample formats that decoded audio can be had in.
public enum AudioSampleFormat: String, Sendable, Hashable, CaseIterable {
  /// Unsigned, of 8 bits.
  case u8
  /// Signed, of 16 and of 32 bits.
  case s16, s32
  /// IEEE 754, of 32 and of 64 bits; full scale is ±1.
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

  /// The format of that name, FFmpeg's packed ones included.
  init?(_ name: String) {
    guard let format = Self.allCases.first(where: { [$0.rawValue, $0.packedName].contains(name) })
    else { return nil }
    self = format
  }
}
