import SystemIO

/// A small grey picture that others are compared with, to find where the scenes of a film change.
package struct SmallPicture: Sendable {
  package static let width = 64
  package static let height = 36
  /// Blocks that are looked for in the other picture.
  private static let blockWidth = 8
  private static let blockHeight = 6
  /// How far motion may carry a block from one picture to the next.
  private static let reach = (x: 4, y: 3)
  /// The contrast that two flat pictures are taken to have.
  private static let leastContrast = 10.0

  private let block: Block
  /// The standard deviation of the samples.
  private let contrast: Double

  /// - Parameter block: ``width`` times ``height`` samples of 8 bits.
  package init(_ block: Block) {
    precondition(block.count >= Self.width * Self.height)
    self.block = block
    var (sum, squares) = (0, 0)
    block.withBytes { samples in
      for place in 0..<Self.width * Self.height {
        let sample = Int(samples[place])
        sum += sample
        squares += sample * sample
      }
    }
    let count = Double(Self.width * Self.height)
    let mean = Double(sum) / count
    contrast = max(0, Double(squares) / count - mean * mean).squareRoot()
  }

  /// How much the pictures differ, from 0 to 1, when each part of one may have moved a little in the other.
  ///
  /// The difference is measured by the contrast of the pictures, so that dark scenes count as bright ones do.
  package func difference(from other: SmallPicture) -> Double {
    var sum = 0
    for y in stride(from: 0, to: Self.height, by: Self.blockHeight) {
      for x in stride(from: 0, to: Self.width, by: Self.blockWidth) {
        sum += leastDifference(from: other, x: x, y: y)
      }
    }
    let mean = Double(sum) / Double(Self.width * Self.height)
    return min(1, mean / ((contrast + other.contrast) / 2 + Self.leastContrast))
  }

  /// The sum of the differences of a block's samples from those of the most similar block nearby.
  private func leastDifference(from other: SmallPicture, x: Int, y: Int) -> Int {
    var least = sum(of: other, x, y, x, y)
    // As much as noise makes.
    guard least > Self.blockWidth * Self.blockHeight else { return least }
    for otherY in max(0, y - Self.reach.y)...min(Self.height - Self.blockHeight, y + Self.reach.y) {
      for otherX in max(0, x - Self.reach.x)...min(Self.width - Self.blockWidth, x + Self.reach.x) {
        least = min(least, sum(of: other, x, y, otherX, otherY))
      }
    }
    return least
  }

  private func sum(
    of other: SmallPicture, _ x: Int, _ y: Int, _ otherX: Int, _ otherY: Int
  ) -> Int {
    typealias Row = SIMD8<UInt8>
    var sums = SIMD8<UInt16>()
    for row in 0..<Self.blockHeight {
      let mine = unsafe block.base.loadUnaligned(
        fromByteOffset: (y + row) * Self.width + x, as: Row.self)
      let theirs = unsafe other.block.base.loadUnaligned(
        fromByteOffset: (otherY + row) * Self.width + otherX, as: Row.self)
      let isGreater = mine .> theirs
      let difference = (mine &- theirs).replacing(with: theirs &- mine, where: .!isGreater)
      sums &+= SIMD8<UInt16>(truncatingIfNeeded: difference)
    }
    return Int(sums.wrappedSum())
  }
}
