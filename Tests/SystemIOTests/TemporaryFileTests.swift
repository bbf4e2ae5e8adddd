import Foundation
import Glibc
import Testing

@testable import SystemIO

@Suite final class TemporaryFileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "reelwire-stale-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A temporary file that has no writer any more is removed: not one whose lock is held, nor one
  /// that only looks similar.
  @Test func staleFilesAreRemovedAndNoOthers() throws {
    let suffix = ".reelwire-partial"
    let stale = [".a.mp4.x\(suffix)", ".\(suffix)"]
    let written = ".b.mp4.x\(suffix)"
    let others = ["c\(suffix)", ".d", "e.mp4"]
    for name in stale + [written] + others {
      try "x".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    try FileManager.default.createDirectory(
      atPath: "\(folder)/.f\(suffix)", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/.g\(suffix)", withDestinationPath: "\(folder)/e.mp4")
    let writer = open("\(folder)/\(written)", O_RDWR)
    try #require(writer >= 0 && flock(writer, LOCK_EX) == 0)
    defer { close(writer) }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder)
    TemporaryFile.removeStale(in: try OutputFolder(path: folder, below: []))
    let after = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(before).subtracting(after) == Set(stale))
    // With its writer, the lock goes.
    flock(writer, LOCK_UN)
    let file = try OutputFile(path: "\(folder)/h.mp4", removesStale: true)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(written)"))
    try file.commit()
  }
}
