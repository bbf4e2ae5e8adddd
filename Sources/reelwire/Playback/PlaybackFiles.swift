import EngineClient
import EngineProtocol
import MediaTime

/// A file as an item of a player.
struct PlayedFile: Sendable {
  var name: String
  /// Its place among the files, from 1.
  var number: Int
  var asset: AssetHandle
  var item: PlayerItemHandle
  /// Nil until it is known.
  var duration: Time?
}

/// The files that a command line names, of which items are made.
struct PlaybackFiles: Sendable {
  let names: [String]
  /// The part of each that is played; nil for all of it.
  let range: TimeRange?
  private let client: EngineClient

  init(_ names: [String], range: TimeRange?, _ client: EngineClient) {
    (self.names, self.range, self.client) = (names, range, client)
  }

  func open(_ index: Int) async throws -> PlayedFile {
    let asset = try await client.open(names[index])
    var request = PlayerItemCreate(asset: asset)
    if let range {
      try await check(range.start, isIn: asset, names[index])
      request.initialTime = WireTime(range.start)
      if range.end.isNumeric { request.forwardPlaybackEndTime = WireTime(range.end) }
    }
    let item = try await client.call(request).playerItem
    return PlayedFile(name: names[index], number: index + 1, asset: asset, item: item)
  }

  /// A start that isn't in the file would play nothing. A length that isn't known is left to playing.
  private func check(_ start: Time, isIn asset: AssetHandle, _ name: String) async throws {
    guard start > .zero else { return }
    let loaded = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
    guard let duration = loaded.values.duration?.value?.time, duration.isNumeric,
      start >= duration
    else { return }
    _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
    throw CommandError(
      "'\(name)' has ended before \(start.secondsDescription): it lasts \(duration.secondsDescription)",
      hint: "Give an earlier --start.")
  }

  /// Gives back what a file has taken.
  func close(_ file: PlayedFile) async throws {
    _ = try await client.call(HandleClose(handle: AnyHandle(file.item)))
    _ = try await client.call(HandleClose(handle: AnyHandle(file.asset)))
  }
}
