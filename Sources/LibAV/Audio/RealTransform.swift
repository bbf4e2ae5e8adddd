internal import CLibAV

/// The Fourier transform of real samples, and its inverse (libavutil/tx.h).
@safe package struct RealTransform: ~Copyable {
  /// The number of samples; a power of two.
  package let size: Int
  private let forward: Direction
  private let inverse: Direction
  /// The samples, aligned as libavutil's vector code needs them.
  private let samples: UnsafeMutablePointer<Float>
  private let spectrum: UnsafeMutablePointer<SIMD2<Float>>

  /// One of libavutil's contexts.
  @safe private struct Direction: ~Copyable {
    private let context: OpaquePointer?
    private let function: av_tx_fn?

    init(isInverse: Bool, size: Int) throws(LibAVError) {
      var context: OpaquePointer?
      var function: av_tx_fn?
      // libavutil doesn't normalize the inverse.
      var scale: Float = isInverse ? 1 / Float(size) : 1
      let result = unsafe av_tx_init(
        &context, &function, AV_TX_FLOAT_RDFT, isInverse ? 1 : 0, Int32(clamping: size), &scale, 0)
      unsafe self.context = context
      unsafe self.function = function
      try check(result, "set up", "Fourier transform")
    }

    deinit {
      var context = unsafe self.context
      unsafe av_tx_uninit(&context)
    }

    func run(
      _ target: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, stride: Int
    ) {
      unsafe function?(context, target, source, stride)
    }
  }

  package init(size: Int) throws(LibAVError) {
    precondition(size >= 16 && size & (size - 1) == 0)
    let forward = try Direction(isInverse: false, size: size)
    let inverse = try Direction(isInverse: true, size: size)
    self.size = size
    self.forward = forward
    self.inverse = inverse
    // Room for one more bin, and for the bytes that vector code reads past the end.
    let bytes = (size + 32) * MemoryLayout<Float>.stride
    unsafe samples = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: size + 32)
    unsafe spectrum = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .initializeMemory(as: SIMD2<Float>.self, repeating: .zero, count: size / 2 + 16)
  }

  deinit {
    unsafe samples.deallocate()
    unsafe spectrum.deallocate()
  }

  /// Computes the bins of ``size`` samples, from 0 Hz to half the sample rate: `size / 2 + 1`
  /// complex numbers.
  package mutating func transform(_ source: [Float], into bins: inout [SIMD2<Float>]) {
    precondition(source.count == size && bins.count == size / 2 + 1)
    unsafe source.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe samples.update(from: base, count: size)
    }
    unsafe forward.run(spectrum, samples, stride: MemoryLayout<Float>.stride)
    for bin in bins.indices { unsafe bins[bin] = spectrum[bin] }
  }

  /// Computes the samples that have these bins.
  package mutating func invert(_ bins: [SIMD2<Float>], into target: inout [Float]) {
    precondition(target.count == size && bins.count == size / 2 + 1)
    for bin in bins.indices { unsafe spectrum[bin] = bins[bin] }
    unsafe inverse.run(samples, spectrum, stride: MemoryLayout<SIMD2<Float>>.stride)
    for place in target.indices { unsafe target[place] = samples[place] }
  }
}
