internal import CLibAV

/// How a picture is made of fields.
package enum FieldOrder: Sendable { case progressive, topFirst, bottomFirst }

extension Frame {
  package var fieldOrder: FieldOrder {
    switch unsafe rw_frame_fields(pointer) {
    case 1: .topFirst
    case 2: .bottomFirst
    default: .progressive
    }
  }

  /// How much this picture differs from another: the mean of the squared differences over the square of
  /// the largest number, of the plane where that is most. 0 for equal pictures, nil where they can't be
  /// compared: of other sizes or formats, or not of whole bytes or words.
  package func difference(from other: borrowing Frame) -> Double? {
    let (mine, theirs) = (PictureSurface(self), PictureSurface(other))
    guard mine.width == theirs.width, mine.height == theirs.height, mine.format == theirs.format,
      let layout = try? PictureLayout(
        width: mine.width, height: mine.height, format: mine.format)
    else { return nil }
    let bits = mine.format.bitsPerComponent
    guard bits >= 8, bits <= 16 else { return nil }
    var worst = 0.0
    for (index, plane) in layout.planes.enumerated() {
      guard let left = unsafe mine.planes[index], let right = unsafe theirs.planes[index] else {
        return nil
      }
      var sum: UInt64 = 0
      for row in 0..<plane.height {
        let a = unsafe UnsafeRawPointer(left) + row * Int(mine.strides[index])
        let b = unsafe UnsafeRawPointer(right) + row * Int(theirs.strides[index])
        sum &+= unsafe squares(a, b, bytes: plane.bytesPerRow, isWide: bits > 8)
      }
      let count = plane.bytesPerRow * plane.height / (bits > 8 ? 2 : 1)
      let largest = Double((1 << bits) - 1)
      if count > 0 { worst = max(worst, Double(sum) / Double(count) / (largest * largest)) }
    }
    return worst
  }
}

/// The sum of the squared differences of two rows.
@unsafe private func squares(
  _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, bytes: Int, isWide: Bool
) -> UInt64 {
  // Most rows that are compared are equal.
  if unsafe memcmp(a, b, bytes) == 0 { return 0 }
  var sum: UInt64 = 0
  if isWide {
    for offset in stride(from: 0, to: bytes & ~1, by: 2) {
      let left = unsafe Int64(a.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
      let right = unsafe Int64(b.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
      sum &+= UInt64((left - right) * (left - right))
    }
  } else {
    for offset in 0..<bytes {
      let left = unsafe Int64(a.load(fromByteOffset: offset, as: UInt8.self))
      let right = unsafe Int64(b.load(fromByteOffset: offset, as: UInt8.self))
      sum &+= UInt64((left - right) * (left - right))
    }
  }
  return sum
}

extension Encoder {
  /// Parameter sets for the container's header, where the encoder was told to put them there.
  package var extradata: [UInt8] {
    unsafe context.pointee.extradata.map {
      unsafe Array(
        UnsafeBufferPointer(start: $0, count: Int(context.pointee.extradata_size)))
    } ?? []
  }
}

extension CodecParameters {
  /// The same parameters with another configuration of the decoder, and perhaps another encoder delay.
  package func replacing(
    extradata: [UInt8], initialPadding: Int? = nil, reorderDepth: Int? = nil
  ) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    guard
      let memory = unsafe av_mallocz(extradata.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw outOfMemory("parameters") }
    unsafe memory.copyMemory(from: extradata, byteCount: extradata.count)
    unsafe av_freep(&copy.pointer.pointee.extradata)
    unsafe copy.pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe copy.pointer.pointee.extradata_size = Int32(clamping: extradata.count)
    if let reorderDepth {
      unsafe copy.pointer.pointee.video_delay = Int32(clamping: reorderDepth)
    }
    if let initialPadding {
      unsafe copy.pointer.pointee.initial_padding = Int32(clamping: initialPadding)
    }
    return copy
  }
}

extension Frame {
  /// Leaves out samples of sound at both ends.
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
