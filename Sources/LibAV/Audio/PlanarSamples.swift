internal import CLibAV
import SystemIO

// Samples of 32-bit floats with an array for each channel: the form for computation, between a
// decoder's frames and the blocks that are delivered.

extension Block {
  /// Appends the floats in a range of indices to `samples`.
  package func appendFloats(_ range: Range<Int>, to samples: inout [Float]) {
    precondition(range.lowerBound >= 0 && range.upperBound * MemoryLayout<Float>.stride <= count)
    let start = unsafe base.assumingMemoryBound(to: Float.self) + range.lowerBound
    unsafe samples.append(contentsOf: UnsafeBufferPointer(start: start, count: range.count))
  }
}

extension Frame {
  /// Returns a frame of the samples of `planes` in a range, one array for each channel.
  package static func planar(
    _ planes: [[Float]], _ range: Range<Int>, sampleRate: Int, channels: ChannelLayout
  ) throws(LibAVError) -> Frame {
    let layout = AudioLayout(format: .floatPlanar, sampleRate: sampleRate, channels: channels)
    let frame = try Frame.audio(layout: layout, count: max(1, range.count), valid: range.count)
    precondition(planes.count == channels.channels)
    for (number, plane) in planes.enumerated() {
      precondition(range.lowerBound >= 0 && range.upperBound <= plane.count)
      guard let target = unsafe frame.pointer.pointee.extended_data[number] else { continue }
      unsafe plane.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        let size = MemoryLayout<Float>.stride
        unsafe UnsafeMutableRawPointer(target).copyMemory(
          from: base + range.lowerBound * size, byteCount: range.count * size)
      }
    }
    return frame
  }
}
