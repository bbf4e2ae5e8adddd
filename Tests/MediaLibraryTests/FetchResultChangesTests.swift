import TestSupport
import Testing

@testable import MediaLibrary

struct FetchResultChangesTests {
  /// Applied to the old list, changes result in the new one.
  private func apply(_ changes: FetchResultChanges, to old: [Int64], _ new: [Int64]) -> [Int64] {
    var list = old
    for index in changes.removed.reversed() { list.remove(at: index) }
    for index in changes.inserted { list.insert(new[index], at: index) }
    for move in changes.moves { list.insert(list.remove(at: move.from), at: move.to) }
    return list
  }

  @Test func randomEditsAreRepeated() {
    var generator = SeededGenerator(seed: 5)
    var old: [Int64] = []
    var next: Int64 = 0
    for _ in 0..<500 {
      var new = old
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        switch Int.random(in: 0...3, using: &generator) {
        case 0 where !new.isEmpty:
          new.remove(at: Int.random(in: new.indices, using: &generator))
        case 1 where !new.isEmpty:
          let item = new.remove(at: Int.random(in: new.indices, using: &generator))
          new.insert(item, at: Int.random(in: 0...new.count, using: &generator))
        default:
          next += 1
          new.insert(next, at: Int.random(in: 0...new.count, using: &generator))
        }
      }
      let touched = Set(new.filter { _ in Int.random(in: 0...9, using: &generator) == 0 })
      let changes = FetchResultChanges(from: old, to: new, touched: touched)
      #expect(changes.hasIncrementalChanges)
      #expect(apply(changes, to: old, new) == new)
      #expect(changes.changed.allSatisfy { touched.contains(new[$0]) && old.contains(new[$0]) })
      old = new
    }
  }

  @Test func aMovedItemIsOneMove() {
    let changes = FetchResultChanges(from: [1, 2, 3, 4, 5], to: [2, 3, 4, 5, 1], touched: [])
    #expect(changes.moves == [.init(from: 0, to: 4)])
    #expect(changes.removed.isEmpty && changes.inserted.isEmpty)
    #expect(FetchResultChanges(from: [1, 2], to: [1, 2], touched: []).isEmpty)
  }

  @Test func anotherOrderOfAllIsNotTold() {
    let old = (0..<2000).map(Int64.init)
    let changes = FetchResultChanges(from: old, to: old.reversed(), touched: [])
    #expect(!changes.hasIncrementalChanges && changes.moves.isEmpty)
  }
}
