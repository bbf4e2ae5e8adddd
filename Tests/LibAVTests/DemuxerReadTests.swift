import Foundation
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import LibAV

/// A file in memory that counts its reads, and does something at one of them.
private final class TestSource: ByteSource {
  let name = "test"
  let bytes: [UInt8]
  private let reads = Atomic<Int>(0)
  private let atRead: @Sendable (Int) throws(SystemError) -> Void

  init(_ bytes: [UInt8], atRead: @escaping @Sendable (Int) throws(SystemError) -> Void) {
    self.bytes = bytes
    self.atRead = atRead
  }

  var size: Int64 { get throws(SystemError) { Int64(bytes.count) } }
  var readCount: Int { reads.load(ordering: .relaxed) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    try atRead(reads.wrappingAdd(1, ordering: .relaxed).newValue)
    let start = min(bytes.count, Int(offset))
    let part = bytes[start..<min(bytes.count, start + buffer.count)]
    buffer.copyBytes(from: part)
    return part.count
  }
}

@Suite struct DemuxerReadTests {
  /// Two seconds of H.264 and AAC: the index at the end, in front, and Matroska.
  private static func clip(_ name: String, _ options: [String]) throws -> [UInt8] {
    let path = NSTemporaryDirectory() + "reelwire-interrupt-\(getpid())-\(name)"
    let command =
      ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x240:d=2"]
      + ["-f", "lavfi", "-i", "sine=d=2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
      + options + [path]
    _ = try output(of: command)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func readAll(_ source: TestSource, _ interrupt: Interrupt) throws(LibAVError)
    -> Int
  {
    var demuxer = try Demuxer(source: source, interrupt: interrupt)
    var packet = try Packet()
    var count = 0
    while try demuxer.read(into: &packet) { count += 1 }
    return count
  }

  /// Interrupted at whichever read, it ends as interrupted: not as a broken file, nor as a short one.
  @Test(arguments: [
    ("end.mp4", [String]()), ("front.mp4", ["-movflags", "+faststart"]), ("a.mkv", []),
  ])
  func anInterruptIsNoBrokenFile(_ name: String, _ options: [String]) throws {
    let bytes = try Self.clip(name, options)
    let whole = TestSource(bytes) { (_) throws(SystemError) in }
    let packets = try Self.readAll(whole, Interrupt())
    try #require(packets > 100 && whole.readCount >= 3)
    for stop in 1...whole.readCount {
      let interrupt = Interrupt()
      let source = TestSource(bytes) { (count) throws(SystemError) in
        if count == stop { interrupt.trigger() }
      }
      var code: LibAVError.Code?
      do throws(LibAVError) { _ = try Self.readAll(source, interrupt) } catch { code = error.code }
      #expect(code == .interrupted, "at read \(stop) of \(whole.readCount)")
    }
  }

  /// A read error is reported as such, anywhere in the file: not as the end of the file.
  @Test(arguments: [("end.mp4", [String]()), ("a.mkv", [])]) func aReadErrorIsNoEndOfFile(
    _ name: String, _ options: [String]
  ) throws {
    let bytes = try Self.clip("error-\(name)", options)
    let whole = TestSource(bytes) { (_) throws(SystemError) in }
    _ = try Self.readAll(whole, Interrupt())
    for stop in 1...whole.readCount {
      let source = TestSource(bytes) { (count) throws(SystemError) in
        if count >= stop {
          throw SystemError(.inputOutput, operation: .read, subject: "test")
        }
      }
      var code: LibAVError.Code?
      do throws(LibAVError) { _ = try Self.readAll(source, Interrupt()) } catch {
        code = error.code
      }
      #expect(code == .inputOutput, "at read \(stop) of \(whole.readCount)")
    }
  }
}
