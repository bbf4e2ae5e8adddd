internal import CPixels
import SystemIO

/// A small grey frame for comparison with others, to find the scene changes of a film.
package struct SmallPicture: Sendable {
  package static let width = RW_SMALL_WIDTH
  package static let height = RW_SMALL_HEIGHT
  private static let count = width * height
  /// The contrast that is added to that of frames, so that noise in flat ones is no difference.
  private static let leastContrast = 10.0

  private let block: Block
  private let mean: Double
  /// The standard deviation of the samples.
  package let contrast: Double

  /// - Parameter block: ``width`` times ``height`` samples of 8 bits.
  package init(_ block: Block) {
    precondition(block.count >= Self.count)
    self.block = block
    let sum = block.withBytes { samples in
      var sum = 0
      for place in 0..<Self.count { sum += Int(samples[place]) }
      return sum
    }
    mean = Double(sum) / Double(Self.count)
    let squares = unsafe Double(rw_small_product(block.samples, block.samples))
    contrast = max(0, squares / Double(Self.count) - mean * mean).squareRoot()
  }

  /// Returns the difference of the frames, from 0 to 1, when each part of one may have moved a
  /// little in the other, and one may be brighter.
  ///
  /// The difference is measured by the contrast of the frames, so that dark scenes count as bright
  /// ones do.
  package func difference(from other: SmallPicture) -> Double {
    // Frames without contrast differ in brightness only.
    let flatness = max(0, 1 - min(contrast, other.contrast) / Self.leastContrast)
    let shift = Int32((other.mean - mean).rounded())
    var difference = blockDifference(from: other, brighter: shift)
    if shift != 0, flatness > 0 {
      let plain = blockDifference(from: other, brighter: 0)
      difference += flatness * max(0, plain - difference)
    }
    return min(1, difference / ((contrast + other.contrast) / 2 + Self.leastContrast))
  }

  /// Returns the mean difference of the samples, each block from the most similar one nearby.
  private func blockDifference(from other: SmallPicture, brighter shift: Int32) -> Double {
    let sum = unsafe rw_small_block_difference(block.samples, other.block.samples, shift)
    return Double(sum) / Double(Self.count)
  }

  /// Returns the correlation of the frames, -1 to 1: 1 for those that differ in brightness and
  /// contrast alone. 0 if one has no contrast.
  package func correlation(with other: SmallPicture) -> Double {
    guard contrast > 2, other.contrast > 2 else { return 0 }
    let product = unsafe Double(rw_small_product(block.samples, other.block.samples))
    return (product / Double(Self.count) - mean * other.mean) / (contrast * other.contrast)
  }

  /// Returns the mean of the absolute differences of the samples.
  package func distance(from other: SmallPicture) -> Double {
    distance(fromMixOf: other, and: other, weight: 0)
  }

  /// Returns the same distance from the mix of two frames.
  ///
  /// - Parameter weight: the weight of the second one, 0 to 1.
  package func distance(
    fromMixOf first: SmallPicture, and second: SmallPicture, weight: Double
  ) -> Double {
    let weight = Int32((min(1, max(0, weight)) * 128).rounded())
    let sum = unsafe rw_small_distance(
      block.samples, first.block.samples, second.block.samples, weight)
    return Double(sum) / Double(Self.count)
  }
}

extension Block {
  fileprivate var samples: UnsafePointer<UInt8> {
    unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
  }
}
