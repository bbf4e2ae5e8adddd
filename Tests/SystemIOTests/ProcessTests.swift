import Foundation
import Glibc
import Testing

@testable import SystemIO

@Suite struct ProcessTests {
  @Test func theEndOfAProcessIsAwaited() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cat")
    let input = Pipe()
    process.standardInput = input
    try process.run()
    let pid = process.processIdentifier
    let ended = DispatchSemaphore(value: 0)
    try BlockingThread.start {
      #expect(ProcessInformation.waitForExit(of: pid))
      ended.signal()
    }
    #expect(ended.wait(timeout: .now()) == .timedOut)
    try input.fileHandleForWriting.close()
    ended.wait()
    process.waitUntilExit()
    // One that is gone has ended.
    #expect(ProcessInformation.waitForExit(of: pid))
  }

  @Test func theMemoryOfThisProcessIsKnown() {
    #expect(ProcessInformation.residentBytes > 1 << 20)
    ProcessInformation.trimHeap()
  }
}
