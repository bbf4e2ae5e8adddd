import Foundation
import MediaEngine
import TestSupport

@testable import MediaLibrary

/// A folder of media for a test, with a library next to it; gone when the test has ended.
final class MediaFolder: Sendable {
  let path: String
  let root: String

  init() throws {
    root = NSTemporaryDirectory() + "library-\(UUID().uuidString)"
    path = root + "/media"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func file(_ name: String) -> String { path + "/" + name }

  func folder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: file(name), withIntermediateDirectories: true)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try folder(String(name.split(separator: "/").dropLast().joined(separator: "/")))
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: file(name), toPath: file(other))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  func library() async throws -> Library {
    let library = try await Library.open(database: root + "/library.sqlite")
    try await library.addFolder(path)
    return library
  }
}

/// Small media files, each made once.
enum Clips {
  static let tone = Task { try await made("tone.wav", ["-f", "lavfi", "-i", "sine=d=0.5"]) }
  static let lake = Task {
    try await made(
      "lake.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-metadata", "title=Évening Lake",
        "-metadata",
        "artist=Ann", "-metadata", "genre=Nature", "-metadata",
        "creation_time=2021-05-01T12:00:00Z",
      ])
  }
  static let photo = Task {
    try await made("photo.png", ["-f", "lavfi", "-i", "testsrc2=s=32x20", "-frames:v", "1"])
  }

  private static func made(_ name: String, _ arguments: [String]) async throws -> [UInt8] {
    let path = NSTemporaryDirectory() + UUID().uuidString + "-" + name
    try await succeed(["ffmpeg", "-v", "error", "-y"] + arguments + [path])
    defer { try? FileManager.default.removeItem(atPath: path) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension Library {
  /// The names of the items of a query, in their order.
  func names(_ query: LibraryQuery = LibraryQuery()) async throws -> [String] {
    let result = try await fetch(query)
    return try await result.items(in: 0..<result.count).map(\.name)
  }

  func only(_ query: LibraryQuery = LibraryQuery()) async throws -> LibraryItem? {
    let result = try await fetch(query)
    return try await result.items(in: 0..<1).first
  }
}

func key(_ name: String) -> LibraryKey {
  guard let key = LibraryKey(name) else { preconditionFailure("there is no key \(name)") }
  return key
}
