extension Encoder {
  /// The bit rates of LAME's table of presets, in kbit/s.
  private static let lameRates = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
  ]

  /// Returns the factor by which an encoder multiplies all samples.
  ///
  /// LAME makes room for the peaks that its loss adds: below 256 kbit/s the audio comes out quieter (`abr_switch_map` in
  /// its presets.c, of the nearest rate).
  ///
  /// - Parameter bitRate: in bits per second; nil for the encoder's own.
  package static func level(of encoder: String, bitRate: Int64?) -> Double {
    guard encoder == "libmp3lame", let bitRate else { return 1 }
    let nearest = lameRates.min { one, other in
      let (first, second) = (abs(Int64(one) * 1000 - bitRate), abs(Int64(other) * 1000 - bitRate))
      return first == second ? one > other : first < second
    }
    switch nearest ?? 320 {
    case ...160: return 0.95
    case 192: return 0.97
    case 224: return 0.98
    default: return 1
    }
  }
}
