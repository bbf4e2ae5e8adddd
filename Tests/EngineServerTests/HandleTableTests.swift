import EngineProtocol
import JSONRPC
import TestSupport
import Testing

@testable import EngineServer

/// The cost of a handle, counted in entries of the table, whatever else is open.
struct HandleTableTests {
  private struct Thing: HandleType, ObjectHandle {
    typealias Object = Int
    static let kind = HandleKind.asset
    let rawValue: String
    static func describe(_ object: Int) -> String { "\(object)" }
    static func cancelWork(of object: Int) {}
  }

  private struct Part: HandleType, ObjectHandle {
    typealias Object = String
    static let kind = HandleKind.output
    let rawValue: String
    static func describe(_ object: String) -> String { object }
    static func cancelWork(of object: String) {}
  }

  private static func table() throws -> HandleTable {
    HandleTable(numbers: try #require(HandleNumbers()))
  }

  /// Of objects with a part and an operation each.
  @Test func closingOneLooksAtItsOwnEntries() throws {
    let pipe = try #require(DescriptorChannel.pipe())
    let connection = Connection(
      channel: DescriptorChannel(input: pipe.read, output: pipe.write, closing: true),
      router: Router())
    var costs: [Int] = []
    for count in [10, 5000] {
      let table = try Self.table()
      let things: [Thing] = (0..<count).map { table.add($0) }
      var parts: [Part] = []
      for thing in things {
        parts.append(try table.add("part", partOf: thing))
        _ = table.add { (handle: OperationHandle) in
          Operation(
            handle: handle, method: "asset/loadValues", owner: thing.rawValue,
            connection: connection)
        }
      }
      let before = table.looks
      for (thing, part) in zip(things, parts) {
        #expect(try table.find(thing) >= 0)
        #expect(try Set(table.close(AnyHandle(thing))) == [thing.rawValue, part.rawValue])
      }
      costs.append((table.looks - before) / count)
      #expect(table.counts == ["operation": count])
    }
    #expect(costs[0] == costs[1] && costs[0] < 10, "\(costs)")
  }

  /// The parts of one object are added and closed one by one.
  @Test func partsOfOneObjectCostTheSame() throws {
    var costs: [Int] = []
    for count in [10, 5000] {
      let table = try Self.table()
      let thing: Thing = table.add(0)
      let parts: [Part] = try (0..<count).map { _ in try table.add("part", partOf: thing) }
      for part in parts { #expect(try table.close(AnyHandle(part)) == [part.rawValue]) }
      costs.append(table.looks / count)
      #expect(try table.close(AnyHandle(thing)) == [thing.rawValue])
    }
    #expect(costs[0] == costs[1] && costs[0] < 10, "\(costs)")
  }

  /// A list looks at each entry once.
  @Test func aListLooksAtEachEntryOnce() throws {
    let table = try Self.table()
    let things: [Thing] = (0..<100).map { table.add($0) }
    let before = table.looks
    #expect(table.list().map(\.handle.rawValue) == things.map(\.rawValue))
    #expect(table.looks - before == 100)
  }
}
