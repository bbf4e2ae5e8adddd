import Foundation
import MediaEngine
import MediaTime
import Testing

@testable import MediaLibrary
@testable import SQLite

struct LibraryScanTests {
  @Test func aScanFindsWhatThereIs() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "2021/lake.mp4")
    try folder.write(try await Clips.tone.value, to: "tone.wav")
    try folder.write(try await Clips.photo.value, to: "2021/photo.png")
    try folder.write([1, 2, 3], to: "notes.txt")
    try folder.write([], to: "empty.mp4")
    try folder.write(Array("no media at all".utf8), to: "broken.mov")
    try folder.write(try await Clips.tone.value, to: ".hidden/tone.wav")
    let library = try await folder.library()
    let counts = try await library.scan()
    #expect(counts.seen == 5)
    #expect(counts.added == 5)
    #expect(counts.probed == 4)
    #expect(counts.unreadable == 2)
    #expect(try await Set(library.names()) == ["lake.mp4", "tone.wav", "photo.png"])
    let lake = try #require(try await library.only(LibraryQuery(mediaType: .video)))
    #expect(lake.path == folder.file("2021/lake.mp4"))
    #expect((lake.width, lake.height) == (64, 48))
    #expect(lake.duration == Time(value: 1, timescale: 1))
    #expect(lake.videoCodec == "h264")
    #expect(lake.frameRate == 25)
    #expect(lake.commonMetadata["title"] == "Évening Lake")
    #expect(lake.creationDate == 1_619_870_400_000_000)
    #expect(lake.state == .present)
    let tone = try #require(try await library.only(LibraryQuery(mediaType: .audio)))
    #expect((tone.audioCodec, tone.videoCodec, tone.width) == ("pcm_s16le", nil, nil))
    let photo = try #require(try await library.only(LibraryQuery(mediaType: .image)))
    #expect((photo.width, photo.height, photo.duration) == (32, 20, nil))
    let unreadable = LibraryPredicate.compare(key("state"), .isEqual(.text("unreadable")))
    let broken = try await library.fetch(LibraryQuery(predicate: unreadable))
    let errors = try await broken.items(in: 0..<9).map { $0.error?.name }
    #expect(errors.allSatisfy { $0 == "fileFormatNotRecognized" } && errors.count == 2)
  }

  @Test func aScanOfNothingNewOpensNothing() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "lake.mp4")
    try folder.write([], to: "empty.mp4")
    let library = try await folder.library()
    _ = try await library.scan()
    let token = try await library.status().changeToken
    let counts = try await library.scan()
    #expect(counts == LibraryScanCounts(seen: 2))
    #expect(try await library.status().changeToken == token)
  }

  @Test func renamesAndMovesKeepTheItem() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "a/lake.mp4")
    try folder.write(try await Clips.tone.value, to: "tone.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    let lake = try #require(try await library.only(LibraryQuery(mediaType: .video)))
    let tone = try #require(try await library.only(LibraryQuery(mediaType: .audio)))
    try folder.folder("b/c")
    try folder.move("a/lake.mp4", to: "b/c/sea.mp4")
    try folder.move("tone.wav", to: "b/sound.wav")
    let counts = try await library.scan()
    #expect((counts.moved, counts.added, counts.missing, counts.probed) == (2, 0, 0, 0))
    let moved = try #require(try await library.item(lake.identifier))
    #expect(moved.path == folder.file("b/c/sea.mp4"))
    #expect(moved.duration == lake.duration)
    #expect(try await library.item(tone.identifier)?.name == "sound.wav")
    #expect(try await library.names(LibraryQuery(predicate: .text("sea"))) == ["sea.mp4"])
    #expect(try await library.names(LibraryQuery(predicate: .text("evening"))) == ["sea.mp4"])
  }

  /// On another disk it is another file; its content shows that it is the same.
  @Test func aCopyWhoseOriginalIsGoneIsTheItem() async throws {
    let folder = try MediaFolder()
    let bytes = try await Clips.lake.value
    try folder.write(bytes, to: "lake.mp4")
    let library = try await folder.library()
    _ = try await library.scan()
    let lake = try #require(try await library.only())
    try folder.write(bytes, to: "copy.mp4")
    try folder.remove("lake.mp4")
    let counts = try await library.scan()
    #expect((counts.moved, counts.added) == (1, 0))
    #expect(try await library.only()?.identifier == lake.identifier)
    #expect(try await library.only()?.name == "copy.mp4")
    // One whose original is there is another item.
    try folder.write(bytes, to: "lake.mp4")
    #expect(try await library.scan().added == 1)
    #expect(try await library.fetch(LibraryQuery()).count == 2)
  }

  @Test func swappedNamesAreSwappedItems() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "a.mp4")
    try folder.write(try await Clips.tone.value, to: "b.mp4")
    let library = try await folder.library()
    _ = try await library.scan()
    try folder.move("a.mp4", to: "c")
    try folder.move("b.mp4", to: "a.mp4")
    try folder.move("c", to: "b.mp4")
    _ = try await library.scan()
    #expect(try await library.names(LibraryQuery(mediaType: .video)) == ["b.mp4"])
    #expect(try await library.names(LibraryQuery(mediaType: .audio)) == ["a.mp4"])
  }

  /// As touch -r and an editor that keeps the time of modification do.
  @Test func otherContentOfTheSameSizeAndTimeIsSeen() async throws {
    let folder = try MediaFolder()
    var bytes = try await Clips.tone.value
    try folder.write(bytes, to: "tone.wav")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("tone.wav"))
    let library = try await folder.library()
    _ = try await library.scan()
    bytes[bytes.count - 1] ^= 1
    let handle = try #require(FileHandle(forWritingAtPath: folder.file("tone.wav")))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: attributes[.modificationDate] as Any],
      ofItemAtPath: folder.file("tone.wav"))
    let counts = try await library.scan()
    #expect((counts.changed, counts.probed) == (1, 1))
  }

  @Test func whatIsGoneIsMissingAndMayComeBack() async throws {
    let folder = try MediaFolder()
    let bytes = try await Clips.lake.value
    try folder.write(bytes, to: "a/lake.mp4")
    try folder.write(try await Clips.tone.value, to: "tone.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    let lake = try #require(try await library.only(LibraryQuery(mediaType: .video)))
    try folder.remove("a")
    #expect(try await library.scan().missing == 1)
    #expect(try await library.names() == ["tone.wav"])
    #expect(try await library.item(lake.identifier)?.state == .missing)
    let missing = LibraryPredicate.compare(key("state"), .isEqual(.text("missing")))
    #expect(try await library.names(LibraryQuery(predicate: missing)) == ["lake.mp4"])
    try folder.write(bytes, to: "a/lake.mp4")
    _ = try await library.scan()
    #expect(try await library.item(lake.identifier)?.state == .present)
  }

  @Test func aFolderThatIsNotThereIsOfflineAndKeepsItsItems() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "lake.mp4")
    let library = try await folder.library()
    _ = try await library.scan()
    let lake = try #require(try await library.only())
    let away = folder.root + "/away"
    try FileManager.default.moveItem(atPath: folder.path, toPath: away)
    for isEmpty in [false, true] {
      if isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder.path, withIntermediateDirectories: true)
      }
      let counts = try await library.scan()
      #expect(counts.missing == 0)
      #expect(try await library.status().folders.map(\.state) == [.offline])
      #expect(try await library.only()?.state == .offline)
    }
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.moveItem(atPath: away, toPath: folder.path)
    #expect(try await library.scan() == LibraryScanCounts(seen: 1))
    #expect(try await library.status().folders.map(\.state) == [.online])
    #expect(try await library.only() == lake)
  }

  @Test func aPartOfAFolderCanBeScanned() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.tone.value, to: "a/1.wav")
    try folder.write(try await Clips.tone.value, to: "b/2.wav")
    let library = try await folder.library()
    #expect(try await library.scan(folder.file("a")).seen == 1)
    #expect(try await library.names() == ["1.wav"])
    _ = try await library.scan()
    try folder.remove("a/1.wav")
    try folder.remove("b/2.wav")
    #expect(try await library.scan(folder.file("b")).missing == 1)
    await #expect(throws: EngineError.self) { _ = try await library.scan("/nowhere") }
  }

  @Test func foldersLeftOutStayOut() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.tone.value, to: "a/1.wav")
    try folder.write(try await Clips.tone.value, to: "b/c/2.wav")
    let library = try await Library.open(database: folder.root + "/library.sqlite")
    try await library.addFolder(folder.path, excluding: ["b/c"])
    _ = try await library.scan()
    #expect(try await library.names() == ["1.wav"])
    await #expect(throws: EngineError.self) { try await library.addFolder(folder.file("a")) }
    try await library.removeFolder(folder.path)
    #expect(try await library.status().itemCount == 0)
  }

  /// A name is bytes, which needn't be text.
  @Test func namesThatAreNoTextCanBeOpened() async throws {
    let folder = try MediaFolder()
    let bytes = try await Clips.tone.value
    let path = Array((folder.path + "/").utf8) + [0xFF, 0x41] + Array(".wav".utf8)
    let file = try #require(fopen(path.map { CChar(bitPattern: $0) } + [0], "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let library = try await folder.library()
    _ = try await library.scan()
    let item = try #require(try await library.only())
    #expect(item.path.hasSuffix("/%FFA.wav") && item.path.hasPrefix("file:///"))
    let duration = try await URLAsset(url: item.path).load(.duration)
    #expect(duration == item.duration)
  }

  @Test func aFileThatEndedProcessesIsNotReadAgain() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.tone.value, to: "tone.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.database.write { (database) throws(DatabaseError) in
      try database.execute("UPDATE item SET probe_version = 0, attempts = 3")
    }
    #expect(try await library.scan().unreadable == 1)
    let all = LibraryPredicate.compare(key("error"), .exists(true))
    #expect(try await library.only(LibraryQuery(predicate: all))?.error?.name == "workerDied")
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() async throws {
    let folder = try MediaFolder()
    let path = folder.root + "/other.sqlite"
    var other = try Database(path: path, access: .write)
    try other.execute("CREATE TABLE theirs(a)")
    for content in [
      try Data(contentsOf: URL(fileURLWithPath: path)), Data("no database, but text".utf8),
    ] {
      try content.write(to: URL(fileURLWithPath: path))
      await #expect(throws: EngineError.self) { _ = try await Library.open(database: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }
  }
}
