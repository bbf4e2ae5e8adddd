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
      request.initialTime = WireTime(range.start)
      if range.end.isNumeric { request.forwardPlaybackEndTime = WireTime(range.end) }
    }
    let item = try await client.call(request).playerItem
    return PlayedFile(name: names[index], number: index + 1, asset: asset, item: item)
  }

  /// Gives back what a file has taken.
  func close(_ file: PlayedFile) async throws {
    _ = try await client.call(HandleClose(handle: AnyHandle(file.item)))
    _ = try await client.call(HandleClose(handle: AnyHandle(file.asset)))
  }
}
