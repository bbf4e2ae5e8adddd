import LibAV
import SystemIO

/// Audio at another speed and pitch: resampled as if it had been recorded at another rate.
///
/// The ratio of the two rates is exact as long as its terms fit the resampler, else the nearest one that
/// does. A range that begins later is begun with the filter as it is there in a linear read.
final class Varispeed: TimeStretcher {
  private let rates: StretchRatio
  private let channels: ChannelLayout
  private var converter: AudioConverter
  private var isFlushing = false
  /// Samples where both rates are the same: nothing is converted, and there is no resampler that
  /// could hold anything.
  private var unchanged: [[Float]] = []

  let input: Range<Int64>
  let firstOutput: Int64
  private(set) var maximumHeld = 0

  /// The resampler counts in 2³⁰ parts of a sample, and its filter has 2¹⁰ phases.
  private static let maximumTerm: Int64 = 1 << 20
  private static let blockSize = 4096

  init(_ request: StretchRequest, _ ratio: StretchRatio) throws(EngineError) {
    rates = ratio.resampled(from: request.sourceRate, to: request.rate)
      .approximated(limit: Self.maximumTerm)
    channels = request.channels
    converter = AudioConverter(
      output: AudioLayout(
        format: .floatPlanar, sampleRate: Int(rates.denominator), channels: request.channels))
    let resampling = Resampling(from: Int(rates.numerator), to: Int(rates.denominator))
    let first = resampling.start(for: request.wanted.lowerBound, notBefore: 0)
    firstOutput = resampling.output(for: first)
    let last = rates.source(of: request.wanted.upperBound) + resampling.reach
    input = first..<max(first, min(request.sourceCount, last))
  }

  func append(_ planes: [[Float]]) throws(EngineError) {
    let count = planes.first?.count ?? 0
    maximumHeld = max(maximumHeld, count)
    guard rates.numerator != rates.denominator else {
      unchanged = planes
      return
    }
    try mapErrors(.convert) { () throws(LibAVError) in
      let frame = try Frame.planar(
        planes, 0..<count, sampleRate: Int(rates.numerator), channels: channels)
      // No room in the output: the resampler holds the samples until they are asked for.
      var none = try AudioBlock(layout: converter.output, capacity: 0, allocator: HeapAllocator())
      try converter.convert(frame, 0..<count, into: &none)
    }
  }

  func finish() { isFlushing = true }

  func next(into planes: inout [[Float]]) throws(EngineError) -> Int {
    guard rates.numerator != rates.denominator else {
      for channel in unchanged.indices { planes[channel] += unchanged[channel] }
      defer { unchanged = [] }
      return unchanged.first?.count ?? 0
    }
    let (block, count) = try mapErrors(.convert) {
      () throws(LibAVError) -> (Block, Int) in
      var block = try AudioBlock(
        layout: converter.output, capacity: Self.blockSize, allocator: HeapAllocator())
      if isFlushing {
        try converter.flush(into: &block)
      } else {
        try converter.drain(into: &block)
      }
      let count = block.count
      return (block.finish(), count)
    }
    for channel in planes.indices {
      block.appendFloats(channel * count..<(channel + 1) * count, to: &planes[channel])
    }
    return count
  }
}
