import Foundation
import Glibc
import Testing

@testable import SystemIO

@Suite final class InputFileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "reelwire-input-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func make(_ bytes: [UInt8]) throws -> String {
    let path = "\(folder)/file"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: [(0, 10), (3, 4), (8, 5), (10, 1), (90, 3), (0, 0)])
  func bytesAreThoseOfTheFile(_ offset: Int, _ count: Int) throws {
    let bytes = [UInt8](0..<10)
    let file = try InputFile(path: try make(bytes))
    #expect(try file.size == 10)
    let expected = Array(bytes.dropFirst(offset).prefix(count))
    #expect(try file.bytes(at: Int64(offset), count: count, interrupt: Interrupt()) == expected)
    let window = SourceWindow(file, 2..<8)
    #expect(try window.size == 6)
    #expect(
      try window.bytes(at: Int64(offset), count: count, interrupt: Interrupt())
        == Array(bytes[2..<8].dropFirst(offset).prefix(count)))
  }

  /// A file that grows may be read; one that becomes shorter is damaged, at any place.
  @Test func aFileThatBecomesShorterIsAnError() throws {
    let path = try make([UInt8](0..<10))
    let file = try InputFile(path: path)
    #expect(truncate(path, 20) == 0)
    #expect(try file.size == 20)
    #expect(truncate(path, 4) == 0)
    #expect { try file.size } throws: { ($0 as? SystemError)?.code == .inputOutput }
    #expect { try file.bytes(at: 0, count: 10, interrupt: Interrupt()) } throws: {
      ($0 as? SystemError)?.code == .inputOutput
    }
  }

  @Test func whatIsNoRegularFileIsRefused() throws {
    #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
    let cases: [(String, SystemError.Code, String?)] = [
      (folder, .isDirectory, "it is a folder"),
      ("\(folder)/fifo", .invalidArgument, "it is not a regular file but a FIFO"),
      ("/dev/null", .invalidArgument, "it is not a regular file but a character device"),
      ("\(folder)/missing", .noEntry, nil),
      ("", .noEntry, "the path is empty or holds a NUL byte"),
      ("\(folder)/a\0b", .noEntry, "the path is empty or holds a NUL byte"),
    ]
    for (path, code, detail) in cases {
      let error = #expect(throws: SystemError.self) { try InputFile(path: path) }
      #expect(error?.code == code, "\(path)")
      #expect(error?.detail == detail, "\(path)")
      #expect(error?.subject == path)
    }
  }

  @Test func onlyRegularFilesBelowTheRootsAreOpened() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/root/sub", withIntermediateDirectories: true)
    for name in ["root/a", "b"] {
      try "x".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/root/link", withDestinationPath: "\(folder)/b")
    #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
    let root = "\(folder)/root"
    let cases: [(String, [String], SystemError.Code?)] = [
      ("root/a", [], nil), ("root/a", [root], nil), ("root/link", [], nil),
      ("root/link", [root], .crossesRoot), ("b", [root], .crossesRoot),
      ("root/../b", [root], .crossesRoot), ("root/sub", [], .isDirectory),
      ("root/none", [root], .noEntry), ("fifo", [], .invalidArgument),
    ]
    for (name, roots, code) in cases {
      var found: SystemError.Code?
      do throws(SystemError) {
        _ = try InputFile(path: "\(folder)/\(name)", roots: roots)
      } catch {
        found = error.code
      }
      #expect(found == code, "\(name) below \(roots)")
    }
  }
}
