import Foundation
import Glibc
import Testing

@testable import SystemIO

@Suite final class OutputFileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "reelwire-output-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func write(_ text: String, to file: OutputFile) throws {
    let bytes = [UInt8](text.utf8)
    try file.write(bytes.span.bytes, at: 0)
  }

  @Test func itAppearsWhenItIsComplete() throws {
    let file = try OutputFile(path: "\(folder)/a.txt")
    try write("whole", to: file)
    #expect(try !names.contains("a.txt"))
    #expect(file.size == 5)
    try file.commit()
    #expect(try names == ["a.txt"])
    #expect(try String(contentsOfFile: "\(folder)/a.txt", encoding: .utf8) == "whole")
  }

  @Test func itLeavesNothingWithoutACommit() throws {
    do {
      let file = try OutputFile(path: "\(folder)/a.txt")
      try write("half", to: file)
    }
    #expect(try names == [])
    let file = try OutputFile(path: "\(folder)/b.txt")
    try write("half", to: file)
    file.discard()
    #expect(try names == [])
  }

  /// The name's owner, a file, a folder, a link to nothing, keeps it.
  @Test(arguments: ["file", "folder", "link"]) func itReplacesNothing(_ kind: String) throws {
    let path = "\(folder)/a"
    func occupy() throws {
      switch kind {
      case "file": try "there".write(toFile: path, atomically: false, encoding: .utf8)
      case "folder":
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
      default:
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "\(folder)/elsewhere")
      }
    }
    // The name is taken while we write.
    let late = try OutputFile(path: path)
    try write("new", to: late)
    try occupy()
    #expect { try late.commit() } throws: { ($0 as? SystemError)?.code == .exists }
    late.discard()
    #expect { try OutputFile(path: path) } throws: { ($0 as? SystemError)?.code == .exists }
    #expect(try names == ["a"])
    if kind == "file" { #expect(try String(contentsOfFile: path, encoding: .utf8) == "there") }
  }

  @Test(arguments: [
    ("missing/a.txt", SystemError.Code.noEntry), ("", .isDirectory), (".", .isDirectory),
    ("..", .isDirectory), ("a\u{0}b", .isDirectory), ("file.txt/a.txt", .errno(ENOTDIR)),
  ])
  func aPathThatCanHoldNoFileIsRefused(_ name: String, _ code: SystemError.Code) throws {
    try "x".write(toFile: "\(folder)/file.txt", atomically: false, encoding: .utf8)
    #expect {
      try OutputFile(path: "\(self.folder)/\(name)")
    } throws: {
      ($0 as? SystemError)?.code == code
    }
    #expect(try names == ["file.txt"])
  }

  @Test func rootsBindOutputsToo() throws {
    let outside = "\(folder)/outside"
    let inside = "\(folder)/inside"
    for path in [outside, inside] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(inside)/link", withDestinationPath: outside)
    for path in ["\(outside)/a", "\(inside)/../outside/a", "\(inside)/link/a", "\(inside)x/a"] {
      #expect {
        try OutputFile(path: path, roots: [inside])
      } throws: {
        ($0 as? SystemError)?.code == .crossesRoot
      }
    }
    try OutputFile(path: "\(inside)/a", roots: [inside]).commit()
    #expect(FileManager.default.fileExists(atPath: "\(inside)/a"))
  }
}

extension OutputFileTests {
  /// A file's own name is removed, and no other's.
  @Test func onlyTheFileItselfIsUnpublished() throws {
    let file = try OutputFile(path: "\(folder)/a.txt")
    try write("mine", to: file)
    try file.commit()
    try FileManager.default.removeItem(atPath: "\(folder)/a.txt")
    try "theirs".write(toFile: "\(folder)/a.txt", atomically: false, encoding: .utf8)
    file.unpublish()
    #expect(try names == ["a.txt"])
    let other = try OutputFile(path: "\(folder)/b.txt")
    try other.commit()
    other.unpublish()
    #expect(try names == ["a.txt"])
  }
}

extension OutputFileTests {
  private func writeLargely(to file: OutputFile) throws {
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    for part in 0..<4 { try file.write(bytes.span.bytes, at: Int64(part) << 20) }
  }

  /// A folder of temporary files of its own, on another file system where there is one.
  private func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : folder
    let path = "\(parent)/reelwire-output-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test func itIsCopiedFromAnotherFileSystem() throws {
    try withTemporaryFolder { temporary in
      let file = try OutputFile(path: "\(folder)/a", temporaryFolder: temporary)
      try writeLargely(to: file)
      #expect(try names == [])
      var parts: [Double] = []
      try file.commit { parts.append($0) }
      #expect(parts == parts.sorted() && parts.last == (file.isOnOtherFileSystem ? 1 : nil))
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/a")).count == 4 << 20)
      file.unpublish()
      #expect(try names == [])
    }
  }

  /// The copying ends when it is interrupted, and by a callback that may refuse before the file
  /// gets its name.
  @Test(arguments: ["interrupt", "will"]) func aCommitThatIsStoppedLeavesNothing(_ way: String)
    throws
  {
    try withTemporaryFolder { temporary in
      let interrupt = Interrupt()
      let file = try OutputFile(path: "\(folder)/a", temporaryFolder: temporary)
      try writeLargely(to: file)
      if way == "interrupt", !file.isOnOtherFileSystem { return }
      #expect {
        try file.commit(interrupt: interrupt) { part in
          if way == "interrupt", part > 0.4 { interrupt.trigger() }
        } willCommit: { () throws(SystemError) in
          if way == "will" {
            throw SystemError(.interrupted, operation: .name, subject: "")
          }
        }
      } throws: { ($0 as? SystemError)?.code == .interrupted }
      file.discard()
      #expect(try names == [])
      // The name is free for another.
      try OutputFile(path: "\(folder)/a").commit()
      try FileManager.default.removeItem(atPath: "\(folder)/a")
    }
  }

  @Test func aNameIsClaimedOnce() throws {
    let first = try OutputFile(path: "\(folder)/a")
    #expect {
      try OutputFile(path: "\(self.folder)/../\((self.folder as NSString).lastPathComponent)/a")
    } throws: { ($0 as? SystemError)?.code == .exists }
    let other = try OutputFile(path: "\(folder)/b")
    first.discard()
    let second = try OutputFile(path: "\(folder)/a")
    try second.commit()
    try other.commit()
    #expect(try names == ["a", "b"])
  }

  /// Discarding frees the room, though another descriptor still holds the file.
  @Test func whatIsDiscardedIsEmpty() throws {
    let file = try OutputFile(path: "\(folder)/a")
    try writeLargely(to: file)
    try file.truncate(to: 3 << 20)
    #expect(file.size == 3 << 20)
    file.discard()
    #expect(file.size == 0)
    #expect { try file.commit() } throws: { $0 is SystemError }
    #expect(try names == [])
  }

  // MARK: Replacing

  /// The one file that is named is replaced, with its permissions, when the new one is complete.
  @Test func itReplacesTheFileThatItIsGiven() throws {
    let path = "\(folder)/a"
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(chmod(path, 0o604) == 0)
    let input = try InputFile(path: path)
    let file = try OutputFile(path: path, replacing: input.identity)
    try write("new", to: file)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o604)
    #expect(try names == ["a"])
    // An open descriptor still reads it.
    #expect(try input.bytes(at: 0, count: 9, interrupt: Interrupt()) == Array("old".utf8))
  }

  @Test func withoutACommitTheFileStays() throws {
    let path = "\(folder)/a"
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let file = try OutputFile(path: path, replacing: try InputFile(path: path).identity)
    try write("half", to: file)
    file.discard()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try names == ["a"])
  }

  /// Another file, a link, or nothing: a name that isn't the file that was read is not replaced.
  @Test(arguments: ["file", "link", "nothing"], [true, false])
  func anotherFileStays(_ kind: String, _ isEarly: Bool) throws {
    let path = "\(folder)/a"
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let input = try InputFile(path: path)
    func swap() throws {
      try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/moved")
      switch kind {
      case "file": try "other".write(toFile: path, atomically: false, encoding: .utf8)
      case "link":
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "\(folder)/moved")
      default: break
      }
    }
    if isEarly { try swap() }
    let error = #expect(throws: SystemError.self) {
      let file = try OutputFile(path: path, replacing: input.identity)
      try write("new", to: file)
      if !isEarly { try swap() }
      try file.commit()
    }
    #expect(error?.code == .exists)
    #expect(try String(contentsOfFile: "\(folder)/moved", encoding: .utf8) == "old")
    #expect(try names == (kind == "nothing" ? ["moved"] : ["a", "moved"]))
    if kind == "file" {
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }
  }
}
