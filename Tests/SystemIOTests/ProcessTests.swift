import Dispatch
import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite struct ProcessTests {
  @Test func theEndOfAProcessIsAwaited() throws {
    let (process, input) = try spawnLock.withLock { _ in
      let input = try pipe()
      defer { close(input.read) }
      return (try Child(["cat"], files: [(input.read, 0)]), input.write)
    }
    let pid = process.pid
    let ended = DispatchSemaphore(value: 0)
    try BlockingThread.start {
      #expect(ProcessInformation.waitForExit(of: pid))
      ended.signal()
    }
    #expect(ended.wait(timeout: .now()) == .timedOut)
    close(input)
    ended.wait()
    process.end()
    // One that is gone has ended.
    #expect(ProcessInformation.waitForExit(of: pid))
  }

  @Test func theMemoryOfThisProcessIsKnown() {
    #expect(ProcessInformation.residentBytes > 1 << 20)
    ProcessInformation.trimHeap()
  }
}
