import LibAV

extension CodecParameters {
  /// Packets of audio can be cut anywhere without loss.
  var isDivisible: Bool {
    isPCM || codecName == "flac" && [16, 24].contains(bitsPerRawSample)
  }

  /// Packets are nothing but samples in a row.
  var isPCM: Bool { bytesPerSample != nil }

  /// The encoder of the boundary frames of a smart trim, by FFmpeg's name; nil where there is none.
  var smartTrimEncoder: String? { CodecTraits(codecName).nalSyntax?.boundaryEncoder }
}

extension NALSyntax {
  /// FFmpeg's name of the encoder of the edges of smart cuts.
  var boundaryEncoder: String {
    switch self {
    case .h264: "libx264"
    case .hevc: "libx265"
    }
  }
}
