internal import CLibAV
import SystemIO

/// Frames of audio samples.
extension Frame {
  package var audioLayout: AudioLayout {
    AudioLayout(format: sampleFormat, sampleRate: sampleRate, channels: channelLayout)
  }

  /// Returns a frame with room for `count` samples per channel, of which `valid` count as filled.
  static func audio(layout: AudioLayout, count: Int, valid: Int) throws(LibAVError) -> Frame {
    let frame = try Frame()
    unsafe frame.pointer.pointee.format = layout.format.rawValue
    unsafe frame.pointer.pointee.sample_rate = Int32(clamping: layout.sampleRate)
    unsafe frame.pointer.pointee.nb_samples = Int32(clamping: count)
    let copied = unsafe layout.channels.withLayout { source in
      unsafe av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &source)
    }
    try check(copied, "allocate", "audio")
    try check(unsafe av_frame_get_buffer(frame.pointer, 0), "allocate", "audio")
    unsafe frame.pointer.pointee.nb_samples = Int32(clamping: valid)
    return frame
  }

  /// Returns a frame of `count` samples of silence.
  package static func silence(_ layout: AudioLayout, count: Int) throws(LibAVError) -> Frame {
    var frame = try Frame.audio(layout: layout, count: count, valid: count)
    frame.silence()
    return frame
  }

  /// Replaces all samples by silence.
  package mutating func silence() {
    unsafe av_samples_set_silence(
      pointer.pointee.extended_data, 0, Int32(clamping: sampleCount),
      Int32(clamping: channelCount), sampleFormat.format)
  }

  /// Adds samples of a block, times a factor, to those from `place` on; both are interleaved and
  /// have this frame's format, which is floating point.
  package mutating func add(
    _ block: Block, from first: Int, count: Int, at place: Int, gain: LinearGain = .unity
  ) {
    let channels = channelCount
    guard let data = unsafe pointer.pointee.extended_data[0] else { return }
    let size = sampleFormat.bytesPerSample * channels
    precondition(first >= 0 && place >= 0 && count >= 0 && place + count <= sampleCount)
    precondition((first + count) * size <= block.count)
    let (target, source) = unsafe (
      UnsafeMutableRawPointer(data) + place * size, block.base + first * size
    )
    if sampleFormat.bytesPerSample == 8 {
      unsafe add(target.assumingMemoryBound(to: Double.self), source, count, channels, gain)
    } else {
      unsafe add(target.assumingMemoryBound(to: Float.self), source, count, channels, gain)
    }
  }

  private func add<Sample: BinaryFloatingPoint>(
    _ target: UnsafeMutablePointer<Sample>, _ source: UnsafeMutableRawPointer, _ count: Int,
    _ channels: Int, _ gain: LinearGain
  ) {
    let source = unsafe source.assumingMemoryBound(to: Sample.self)
    if gain.isUnity {
      for index in 0..<count * channels { unsafe target[index] += source[index] }
      return
    }
    unsafe update(target, count, channels, gain) { (sample, index, factor) in
      // Rounded once.
      sample = Sample(Double(sample) + Double(unsafe source[index]) * factor)
    }
  }

  /// Multiplies the samples of a range by a factor; they are interleaved and floating point.
  package mutating func scale(from first: Int, count: Int, by gain: LinearGain) {
    guard !gain.isUnity, let data = unsafe pointer.pointee.extended_data[0] else { return }
    precondition(first >= 0 && count >= 0 && first + count <= sampleCount)
    let channels = channelCount
    let samples =
      unsafe UnsafeMutableRawPointer(data)
      + first * sampleFormat.bytesPerSample * channels
    if sampleFormat.bytesPerSample == 8 {
      unsafe update(samples.assumingMemoryBound(to: Double.self), count, channels, gain) {
        (sample, _, factor) in sample *= factor
      }
    } else {
      unsafe update(samples.assumingMemoryBound(to: Float.self), count, channels, gain) {
        (sample, _, factor) in sample = Float(Double(sample) * factor)
      }
    }
  }

  /// Calls `body` with each sample, its index and its factor.
  @inline(__always)
  private func update<Sample>(
    _ samples: UnsafeMutablePointer<Sample>, _ count: Int, _ channels: Int, _ gain: LinearGain,
    _ body: (inout Sample, Int, Double) -> Void
  ) {
    if gain.isConstant {
      // A loop of its own, of which the compiler makes vector code.
      let factor = gain[0]
      for index in 0..<count * channels { body(&(unsafe samples[index]), index, factor) }
      return
    }
    for place in 0..<count {
      let factor = gain[place]
      for index in place * channels..<(place + 1) * channels {
        body(&(unsafe samples[index]), index, factor)
      }
    }
  }

  /// Multiplies every sample. Integer samples beyond the range of their format are clipped;
  /// floating-point samples are not.
  package mutating func amplify(by factor: Double) {
    let isPlanar = sampleFormat.isPlanar
    let count = isPlanar ? sampleCount : sampleCount * channelCount
    for plane in 0..<(isPlanar ? channelCount : 1) {
      guard let data = unsafe pointer.pointee.extended_data[plane] else { continue }
      let samples = UnsafeMutableRawPointer(data)
      switch sampleFormat.packed.format {
      case AV_SAMPLE_FMT_U8:
        // Silence is in the middle.
        for index in 0..<count {
          let sample = (Double(unsafe data[index]) - 128) * factor
          unsafe data[index] = UInt8(min(max(sample.rounded() + 128, 0), 255))
        }
      case AV_SAMPLE_FMT_S16:
        unsafe amplify(samples.assumingMemoryBound(to: Int16.self), count, factor)
      case AV_SAMPLE_FMT_S32:
        unsafe amplify(samples.assumingMemoryBound(to: Int32.self), count, factor)
      case AV_SAMPLE_FMT_FLT:
        unsafe scale(samples.assumingMemoryBound(to: Float.self), count, Float(factor))
      case AV_SAMPLE_FMT_DBL:
        unsafe scale(samples.assumingMemoryBound(to: Double.self), count, factor)
      default: preconditionFailure("no encoder takes such samples")
      }
    }
  }

  private func amplify<Sample: FixedWidthInteger>(
    _ samples: UnsafeMutablePointer<Sample>, _ count: Int, _ factor: Double
  ) {
    let (lowest, highest) = (Double(Sample.min), Double(Sample.max))
    for index in 0..<count {
      let sample = (Double(unsafe samples[index]) * factor).rounded()
      unsafe samples[index] = Sample(min(max(sample, lowest), highest))
    }
  }

  private func scale<Sample: BinaryFloatingPoint>(
    _ samples: UnsafeMutablePointer<Sample>, _ count: Int, _ factor: Sample
  ) {
    for index in 0..<count { unsafe samples[index] *= factor }
  }

  /// Removes audio samples at both ends.
  package mutating func cutSamples(front: Int, back: Int) throws(LibAVError) {
    let front = min(max(0, front), sampleCount)
    let left = sampleCount - front - min(max(0, back), sampleCount - front)
    if front > 0 {
      try check(unsafe av_frame_make_writable(pointer), "cut", "audio")
      let data = unsafe pointer.pointee.extended_data
      try check(
        unsafe av_samples_copy(
          data, data, 0, Int32(clamping: front), Int32(clamping: left),
          Int32(clamping: channelCount), sampleFormat.format), "cut", "audio")
    }
    unsafe pointer.pointee.nb_samples = Int32(clamping: left)
  }
}
