import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite struct FreeRangesTests {
  /// Allocations never overlap, and releasing all of them in any order leaves one range.
  @Test(arguments: 0..<20) func whatIsTakenIsDisjointAndComesBackWhole(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = 4096
    var free = FreeRanges(size: size)
    var taken: [Range<Int>] = []
    for _ in 0..<500 {
      if taken.isEmpty || Bool.random(using: &random) {
        let wanted = Int.random(in: 1...600, using: &random)
        if let offset = free.allocate(wanted) {
          let range = offset..<offset + wanted
          #expect(range.lowerBound >= 0 && range.upperBound <= size)
          #expect(!taken.contains { $0.overlaps(range) })
          taken.append(range)
        } else {
          // Refused only when no range is large enough.
          #expect(largestFree(besides: taken, size) < wanted)
        }
      } else {
        let range = taken.remove(at: Int.random(in: taken.indices, using: &random))
        free.release(range.lowerBound, range.count)
      }
      #expect(free.freeCount == size - taken.reduce(0) { $0 + $1.count })
    }
    for range in taken.shuffled(using: &random) { free.release(range.lowerBound, range.count) }
    #expect(free.ranges == [0..<size])
  }

  private func largestFree(besides taken: [Range<Int>], _ size: Int) -> Int {
    var largest = 0
    var end = 0
    for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      largest = max(largest, range.lowerBound - end)
      end = range.upperBound
    }
    return max(largest, size - end)
  }
}

@Suite struct SlabPoolTests {
  private func fill(_ block: Block, _ byte: UInt8) {
    block.mutableBytes.initializeMemory(as: UInt8.self, repeating: byte)
  }

  @Test func blocksAreAlignedAndReadableByTheirPath() throws {
    let pool = SlabPool(capacity: 1 << 20)
    var blocks: [Block] = []
    for index in 0..<20 {
      let block = try pool.allocate(count: 1000 + index * 37)
      fill(block, UInt8(index))
      blocks.append(block)
    }
    for (index, block) in blocks.enumerated() {
      let place = try #require(block.location)
      #expect(place.offset % 64 == 0)
      #expect(Int(bitPattern: block.base) % 64 == 0)
      let fd = open(place.path, O_RDONLY)
      try #require(fd >= 0)
      defer { close(fd) }
      var bytes = [UInt8](repeating: 255, count: block.count)
      #expect(pread(fd, &bytes, bytes.count, off_t(place.offset)) == bytes.count)
      #expect(bytes == [UInt8](repeating: UInt8(index), count: block.count))
    }
  }

  @Test func aSlabCanNeitherBeWrittenNorResizedByItsReader() throws {
    let pool = SlabPool(capacity: 1 << 20)
    let block = try pool.allocate(count: 4096)
    fill(block, 7)
    let path = try #require(block.location).path
    let fd = open(path, O_RDWR)
    if fd >= 0 {
      defer { close(fd) }
      var byte: UInt8 = 9
      #expect(write(fd, &byte, 1) < 0)
      #expect(ftruncate(fd, 0) < 0)
      #expect(ftruncate(fd, 1 << 24) < 0)
      #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
    }
    let first = block.withBytes { $0[0] }
    #expect(first == 7)
  }

  @Test func aSlabForOthersCanBeWrittenAndNotResized() throws {
    let pool = SlabPool(capacity: 1 << 20, isWritableByOthers: true)
    let block = try pool.allocate(count: 4096)
    fill(block, 7)
    let place = try #require(block.location)
    let fd = open(place.path, O_RDWR)
    try #require(fd >= 0)
    defer { close(fd) }
    var byte: UInt8 = 9
    #expect(pwrite(fd, &byte, 1, off_t(place.offset)) == 1)
    #expect(ftruncate(fd, 0) < 0)
    #expect(ftruncate(fd, 1 << 24) < 0)
    let first = block.withBytes { $0[0] }
    #expect(first == 9)
  }

  @Test func anExhaustedPoolSaysSoAndServesAgainAfterARelease() throws {
    let pool = SlabPool(capacity: 1 << 20)
    var held: [Block] = []
    var refusal: SystemError?
    while refusal == nil {
      do throws(SystemError) {
        held.append(try pool.allocate(count: 100_000))
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.code == .tryAgain)
    #expect(held.count == 10)
    #expect(pool.bytesInUse <= pool.capacity)
    held.removeFirst()
    held.append(try pool.allocate(count: 100_000))
    held = []
    #expect(pool.bytesInUse == 0)
    // All of it is one piece again.
    _ = try pool.allocate(count: (1 << 20) - 256)
  }

  @Test(arguments: [(1 << 20) + 1, Int.max, -1]) func aBlockThatCanNeverFitIsRefusedForGood(
    _ count: Int
  ) {
    let pool = SlabPool(capacity: 1 << 20)
    #expect {
      try pool.allocate(count: count)
    } throws: {
      ($0 as? SystemError)?.code == .outOfMemory
    }
    #expect(pool.bytesInUse == 0)
  }
}
