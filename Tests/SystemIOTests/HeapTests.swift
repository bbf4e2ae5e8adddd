import SystemIO
import TestSupport
import Testing

struct HeapTests {
  /// The memory of readers that are closed together is returned after the last of them.
  @Test func aCallThatComesTooEarlyLeadsToACheck() async throws {
    while !ProcessInformation.hasHeapCheckDue { ProcessInformation.trimHeap() }
    let before = ProcessInformation.heapCheckCount
    try await eventually("the heap is checked") { ProcessInformation.heapCheckCount > before }
  }
}
