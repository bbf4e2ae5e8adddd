import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The search for scene changes, by pictures that are made here.
struct SceneDetectorTests {
  /// A picture of some squares that depend on the number of its scene, moved to the right.
  private func picture(
    scene: Int, moved: Int = 0, mixedWith other: Int? = nil, weight: Double = 0,
    brightness: Int = 0
  ) throws -> SmallPicture {
    let (width, height) = (SmallPicture.width, SmallPicture.height)
    let block = try HeapAllocator().allocate(count: width * height)
    block.withMutableBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          var value = sample(scene, x - moved, y)
          if let other { value += (sample(other, x - moved, y) - value) * weight }
          bytes[y * width + x] = UInt8(clamping: Int(value) + brightness)
        }
      }
    }
    return SmallPicture(block)
  }

  private static let black = -1

  private func sample(_ scene: Int, _ x: Int, _ y: Int) -> Double {
    if scene == Self.black { return 0 }
    var generator = SeededGenerator(
      seed: UInt64(bitPattern: Int64(scene * 7919 + (x + 640) / 6 * 31 + y / 6 * 1009)))
    return Double(UInt8.random(in: 40...200, using: &generator))
  }

  /// The frames, at 25 a second, that begin scenes.
  private func changes(
    _ pictures: [SmallPicture], sensitivity: Double = 0.5,
    minimumDuration: Time = Time(value: 1, timescale: 2)
  ) -> [Int] {
    var detector = SceneDetector(sensitivity: sensitivity, minimumDuration: minimumDuration)
    for (number, picture) in pictures.enumerated() {
      detector.add(picture, at: Time(value: Int64(number), timescale: 25))
    }
    return detector.finish().map { Int($0.time.converted(toTimescale: 25).value) }
  }

  private func still(_ scene: Int, _ count: Int) throws -> [SmallPicture] {
    try (0..<count).map { _ in try picture(scene: scene) }
  }

  @Test func cutsAreFound() throws {
    let moving = try (0..<40).map { try picture(scene: 3, moved: $0 * 2) }
    #expect(changes(try still(1, 30) + still(2, 20) + moving) == [30, 50])
    // The first and the last frame that a change can be at.
    #expect(changes(try still(1, 1) + still(2, 20)) == [1])
    #expect(changes(try still(1, 20) + still(2, 1)) == [20])
    #expect(changes([]) == [])
    #expect(changes(try still(1, 1)) == [])
  }

  @Test func motionIsNone() throws {
    #expect(changes(try (0..<60).map { try picture(scene: 1, moved: $0 * 3) }) == [])
    // Motion that begins and ends at once, and of which each picture is shown three times.
    let repeated = try (0..<90).map { try picture(scene: 1, moved: $0 / 3 * 3) }
    #expect(changes(try still(1, 20) + repeated) == [])
  }

  @Test(arguments: [1, 2, 4, 8]) func flashesAreNone(_ length: Int) throws {
    let flash = try (0..<length).map { _ in try picture(scene: 9, brightness: 120) }
    #expect(changes(try still(1, 30) + flash + still(1, 30)) == [])
    // A scene that is longer than a flash may be.
    #expect(changes(try still(1, 30) + still(2, 15) + still(1, 30)) == [30, 45])
  }

  @Test(arguments: [6, 12, 25]) func dissolvesAreOne(_ length: Int) throws {
    let dissolve = try (1...length).map {
      try picture(scene: 1, mixedWith: 2, weight: Double($0) / Double(length + 1))
    }
    let found = changes(try still(1, 30) + dissolve + still(2, 30))
    // The middle, where it is long enough to be one.
    #expect(found.count == 1 && abs((found.first ?? 0) - (30 + length / 2)) <= 2, "\(found)")
  }

  /// A scene that becomes black, and another one that comes of it; and one that comes back.
  @Test func fadesThroughBlackAreOne() throws {
    func faded(_ scene: Int, _ weights: [Double]) throws -> [SmallPicture] {
      try weights.map { try picture(scene: scene, mixedWith: Self.black, weight: $0) }
    }
    let (out, back) = ((0...20).map { Double($0) / 20 }, (0...20).map { 1 - Double($0) / 20 })
    let through = try still(1, 20) + faded(1, out) + faded(2, back) + still(2, 20)
    let found = changes(through)
    #expect(found.count == 1 && (41...45).contains(found.first ?? 0), "\(found)")
    #expect(changes(try still(1, 20) + faded(1, out) + faded(1, back) + still(1, 20)) == [])
    #expect(changes(try faded(1, back) + still(1, 20)) == [])
    // In few steps, at the start and at the end.
    let steps = [1, 0.75, 0.5, 0.25, 0]
    #expect(changes(try faded(1, steps) + still(1, 20)) == [])
    #expect(changes(try still(1, 20) + faded(1, steps.reversed())) == [])
    // All at once is a cut.
    #expect(changes(try faded(1, [1, 1, 1]) + still(1, 20)) == [3])
  }

  @Test func brightnessIsNone() throws {
    let rising = try (0..<40).map { try picture(scene: 1, brightness: $0 * 2 - 40) }
    #expect(changes(rising) == [])
    let switched = try still(1, 20) + (0..<20).map { _ in try picture(scene: 1, brightness: 40) }
    #expect(changes(switched) == [])
  }

  @Test func scenesHaveALeastDuration() throws {
    let short = try still(1, 30) + still(2, 6) + still(3, 30)
    #expect(changes(short).count == 1)
    #expect(changes(short, minimumDuration: .zero) == [30, 36])
  }

  @Test func memoryIsBounded() throws {
    var detector = SceneDetector(sensitivity: 1, minimumDuration: .zero)
    let pictures = try [picture(scene: 1), picture(scene: 2)]
    for number in 0..<1000 {
      detector.add(pictures[number & 1], at: Time(value: Int64(number), timescale: 1000))
      #expect(detector.waitingCount < 400)
    }
  }
}
