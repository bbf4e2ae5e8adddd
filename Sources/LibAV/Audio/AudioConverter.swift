internal import CLibAV

/// A converter of sample format, rate and channels (libswresample).
///
/// A change of the input's own format empties the resampler and sets it up anew.
@safe package struct AudioConverter: ~Copyable {
  package let output: AudioLayout
  private(set) var input: AudioLayout?
  private(set) var context: OpaquePointer?
  /// True if samples are added or left out; then equal formats are not copied.
  private var isCompensating = false

  package init(output: AudioLayout) { self.output = output }

  deinit {
    var context = unsafe self.context
    unsafe swr_free(&context)
  }

  mutating func prepare(for layout: AudioLayout) throws(LibAVError) {
    guard layout != input else { return }
    guard layout.sampleRate > 0, layout.channels.channels > 0 else {
      throw LibAVError(
        .invalidData, operation: "convert audio", subject: "",
        detail: "the stream has no sample rate or no channels")
    }
    unsafe swr_free(&context)
    input = nil
    let result = unsafe output.channels.withLayout { target in
      unsafe layout.channels.withLayout { source in
        unsafe swr_alloc_set_opts2(
          &context, &target, output.format.format, Int32(clamping: output.sampleRate), &source,
          layout.format.format, Int32(clamping: layout.sampleRate), 0, nil)
      }
    }
    try check(result, "set up resampler", "")
    // Fewer channels are within full scale in each sample format: libswresample limits the sum of integers alone.
    let object = unsafe context.map { unsafe UnsafeMutableRawPointer($0) }
    try check(unsafe av_opt_set_double(object, "rematrix_maxval", 1, 0), "set up resampler", "")
    try check(setMatrix(for: layout.channels), "set up resampler", "")
    try check(unsafe swr_init(context), "set up resampler", "")
    input = layout
  }

  /// Keeps surround channels that the output has at the back instead of the sides, or at the sides instead of the
  /// back: libswresample's own matrix adds some of them to the back centre.
  private func setMatrix(for source: ChannelLayout) -> Int32 {
    guard let places = output.channels.otherPlaces(of: source) else { return 0 }
    var matrix = [Double](repeating: 0, count: output.channels.channels * source.channels)
    for (channel, place) in places.enumerated() { matrix[place * source.channels + channel] = 1 }
    return unsafe matrix.withUnsafeBufferPointer {
      unsafe swr_set_matrix(context, $0.baseAddress, Int32(source.channels))
    }
  }
}

extension AudioConverter {
  /// Makes more output samples of the following input than its rate asks for, or fewer.
  ///
  /// - Parameters:
  ///   - count: the number of output samples that are added; negative for samples that are left out.
  ///   - distance: the number of output samples over which they are spread.
  ///   - layout: the layout of the input.
  package mutating func compensate(
    _ count: Int, over distance: Int, of layout: AudioLayout
  ) throws(LibAVError) {
    try prepare(for: layout)
    try check(
      unsafe swr_set_compensation(
        context, Int32(clamping: count), Int32(clamping: distance)), "resample", "")
    isCompensating = true
  }

  /// The number of output samples that the input so far is still to produce.
  package var delay: Int64 {
    guard unsafe context != nil else { return 0 }
    return unsafe swr_get_delay(context, Int64(output.sampleRate))
  }

  /// Converts samples of a frame directly into a block.
  ///
  /// At an unchanged rate the block needs room for all of them; otherwise the samples that don't
  /// fit stay here until ``drain(into:)``.
  package mutating func convert(
    _ frame: borrowing Frame, _ range: Range<Int>, into block: inout AudioBlock
  ) throws(LibAVError) {
    let source = frame.audioLayout
    guard isCompensating || !source.isStored(like: output) else {
      return block.append(frame, range)
    }
    try prepare(for: source)
    let planes = source.format.isPlanar ? source.channels.channels : 1
    let size =
      source.format.bytesPerSample * (source.format.isPlanar ? 1 : source.channels.channels)
    let room = Int32(clamping: block.room)
    let (context, data) = unsafe (self.context, frame.pointer.pointee.extended_data)
    try unsafe block.fill { target in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planes) {
        pointers -> Int32 in
        guard let start = pointers.baseAddress else { return 0 }
        for plane in 0..<planes {
          let samples = unsafe data?[plane].map { unsafe $0 + range.lowerBound * size }
          unsafe (start + plane).initialize(to: samples.map { unsafe UnsafePointer($0) })
        }
        return unsafe rw_resample(context, target, room, start, Int32(clamping: range.count))
      }
    }
  }

  /// Writes converted samples that didn't fit before.
  package mutating func drain(into block: inout AudioBlock) throws(LibAVError) {
    guard unsafe context != nil, block.room > 0, let input else { return }
    let planes = max(1, input.channels.channels)
    let room = Int32(clamping: block.room)
    let context = unsafe self.context
    try unsafe block.fill { target in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planes) {
        pointers -> Int32 in
        unsafe pointers.initialize(repeating: nil)
        return unsafe rw_resample(context, target, room, pointers.baseAddress, 0)
      }
    }
  }

  /// Writes the samples that the resampler still holds, after the last frame; none once it is
  /// empty.
  package mutating func flush(into block: inout AudioBlock) throws(LibAVError) {
    guard unsafe context != nil, block.room > 0 else { return }
    let room = Int32(clamping: block.room)
    let context = unsafe self.context
    try unsafe block.fill { target in unsafe rw_resample(context, target, room, nil, 0) }
  }
}
