import Foundation
import SystemIO
import TestSupport
import Testing

@testable import MediaLibrary

@Suite(
  .enabled(
    if: FileSystem.reportsEvents(Array(NSTemporaryDirectory().utf8)),
    "the file system reports no events"))
struct LibraryWatchTests {
  /// Waits until the library has these items.
  private func expect(_ names: Set<String>, in library: Library) async throws {
    try await eventually("the library has \(names)") { try await Set(library.names()) == names }
  }

  @Test func whatHappensIsNoticed() async throws {
    let folder = try MediaFolder()
    let tone = try await Clips.tone.value
    try folder.write(tone, to: "a/1.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.startWatching()
    defer { library.stopWatching() }
    try folder.write(tone, to: "a/2.wav")
    try await expect(["1.wav", "2.wav"], in: library)
    // A folder that is new, and one in it.
    try folder.write(tone, to: "b/c/3.wav")
    try await expect(["1.wav", "2.wav", "3.wav"], in: library)
    try folder.write(tone, to: "b/c/4.wav")
    try await expect(["1.wav", "2.wav", "3.wav", "4.wav"], in: library)
    try folder.move("a/1.wav", to: "b/5.wav")
    try await expect(["5.wav", "2.wav", "3.wav", "4.wav"], in: library)
    try folder.remove("b/c")
    try await expect(["5.wav", "2.wav"], in: library)
    try folder.move("a", to: "d")
    try await eventually("it is found in its new folder") {
      try await path(of: "2.wav", in: library) == folder.file("d/2.wav")
    }
  }

  /// A network's folder, whose changes aren't reported.
  @Test func whatIsNotReportedIsLookedFor() async throws {
    let folder = try MediaFolder()
    let tone = try await Clips.tone.value
    try folder.write(tone, to: "a/b/1.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.startWatching(
      as: LibraryWatch.Configuration(interval: .milliseconds(100), reportsEvents: { _ in false }))
    defer { library.stopWatching() }
    #expect(try await library.status().folders.map(\.watch) == [.polling])
    try folder.write(tone, to: "a/b/2.wav")
    try await expect(["1.wav", "2.wav"], in: library)
    try folder.remove("a/b/1.wav")
    try folder.write(tone, to: "c/3.wav")
    try await expect(["2.wav", "3.wav"], in: library)
  }

  /// A folder of the library that is deleted, and made again.
  @Test func aFolderThatIsDeletedIsOfflineAndMayComeBack() async throws {
    let folder = try MediaFolder()
    let tone = try await Clips.tone.value
    try folder.write(tone, to: "1.wav")
    try folder.write(tone, to: "a/2.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.startWatching(
      as: LibraryWatch.Configuration(quiet: .milliseconds(50), interval: .milliseconds(200)))
    defer { library.stopWatching() }
    try FileManager.default.removeItem(atPath: folder.path)
    try await eventually("it is offline") {
      try await library.status().folders.map(\.state) == [.offline]
    }
    try folder.write(tone, to: "3.wav")
    try await expect(["3.wav"], in: library)
    try await eventually("it is online") {
      try await library.status().folders.map(\.state) == [.online]
    }
    try await eventually("it is watched again") {
      try await library.status().folders.map(\.watch) == [.events]
    }
    try folder.write(tone, to: "4.wav")
    try await expect(["3.wav", "4.wav"], in: library)
  }

  private func path(of name: String, in library: Library) async throws -> String? {
    let query = LibraryQuery(predicate: .compare(key("name"), .isEqual(.text(name))))
    return try await library.only(query)?.path
  }

  /// A file that grows for a while is read when it is whole.
  @Test func aFileThatIsBeingWrittenSettles() async throws {
    let folder = try MediaFolder()
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.startWatching()
    defer { library.stopWatching() }
    let bytes = try await Clips.lake.value
    try folder.write([], to: "lake.mp4")
    let handle = try #require(FileHandle(forWritingAtPath: folder.file("lake.mp4")))
    for start in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 10)) {
      try handle.write(contentsOf: Data(bytes[start..<min(bytes.count, start + bytes.count / 10)]))
      try await pause(.milliseconds(150))
    }
    try handle.close()
    // A look in between may find that a part of it is media.
    try await eventually("it is read whole") {
      try await library.only()?.fileSize == Int64(bytes.count)
    }
    try await expect(["lake.mp4"], in: library)
    let item = try #require(try await library.only())
    #expect(item.fileSize == Int64(bytes.count) && item.error == nil)
  }

  /// A file that is still being written at each attempt to read it, and then no more: its writer
  /// keeps it open, so that no event reports that it is whole.
  @Test func whatCouldNotBeReadIsLookedAtAgain() async throws {
    let folder = try MediaFolder()
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.startWatching()
    defer { library.stopWatching() }
    try folder.write(try await Clips.tone.value, to: "1.wav")
    let handle = try #require(FileHandle(forWritingAtPath: folder.file("1.wav")))
    let writer = Thread {
      _ = try? handle.seekToEnd()
      for _ in 0..<3000 {
        try? handle.write(contentsOf: Data([0]))
        pauseThread(.milliseconds(1))
      }
      try? handle.close()
    }
    writer.start()
    try await expect(["1.wav"], in: library)
  }

  @Test func oneProcessKeepsALibraryUpToDate() async throws {
    let folder = try MediaFolder()
    let library = try await folder.library()
    _ = try await library.scan()
    let other = try await Library.open(database: library.path)
    await #expect(throws: (any Error).self) { _ = try await other.scan() }
    #expect(try await other.names().isEmpty)
  }
}
