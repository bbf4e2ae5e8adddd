internal import CLibAV

/// A resampler of interleaved 32-bit floats (libswresample).
@safe final class FloatResampler {
  private let channels: Int
  private let source: AudioLayout
  private var converter: AudioConverter

  init(channels: Int, from sourceRate: Int, to rate: Int) {
    self.channels = channels
    let layout = ChannelLayout.standard(channels: channels)
    source = AudioLayout(format: .float, sampleRate: sourceRate, channels: layout)
    converter = AudioConverter(
      output: AudioLayout(format: .float, sampleRate: rate, channels: layout))
  }

  /// Returns the output that these samples and those before them allow.
  func resample(_ samples: [Float]) throws(LibAVError) -> [Float] {
    try converter.prepare(for: source)
    return try convert(samples, isLast: false)
  }

  /// Returns the samples that the resampler still holds; nothing may be added after it.
  func finish() throws(LibAVError) -> [Float] {
    converter.input == nil ? [] : try convert([], isLast: true)
  }

  private func convert(_ samples: [Float], isLast: Bool) throws(LibAVError) -> [Float] {
    let context = unsafe converter.context
    let count = Int32(clamping: samples.count / channels)
    let room = max(0, unsafe swr_get_out_samples(context, count))
    var status: Int32 = 0
    let converted = unsafe [Float](unsafeUninitializedCapacity: Int(room) * channels) {
      target, used in
      status = unsafe samples.withUnsafeBytes { source in
        var input = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var output = unsafe target.baseAddress.map {
          unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)
        }
        return unsafe isLast
          ? rw_resample(context, &output, room, nil, 0)
          : rw_resample(context, &output, room, &input, count)
      }
      used = Int(max(0, status)) * channels
    }
    try check(status, "resample", "")
    return converted
  }
}
