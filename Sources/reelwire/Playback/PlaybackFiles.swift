import EngineClient
import EngineProtocol
import MediaTime
import Terminal

/// A file as an item of a player.
struct PlayedFile: Sendable {
  var name: String
  /// Its place among the files, from 1.
  var number: Int
  var asset: AssetHandle
  var item: PlayerItemHandle
  /// The time at which it ends before its own end; nil where it doesn't.
  var end: Time?
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
    var end: Time?
    if let range {
      let duration = try await duration(of: asset, after: range.start, names[index])
      request.initialTime = WireTime(range.start)
      // Past its own end an item would continue in silence.
      if range.end.isNumeric, duration.map({ range.end < $0 }) ?? true {
        request.forwardPlaybackEndTime = WireTime(range.end)
        end = range.end
      }
    }
    let item = try await client.call(request).playerItem
    return PlayedFile(name: names[index], number: index + 1, asset: asset, item: item, end: end)
  }

  /// The duration of a file, nil where that isn't known; a start that isn't in it would play nothing.
  private func duration(
    of asset: AssetHandle, after start: Time, _ name: String
  ) async throws -> Time? {
    let loaded = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
    guard let duration = loaded.values.duration?.value?.time, duration.isNumeric else { return nil }
    guard start == .zero || start < duration else {
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      throw CommandError(
        "'\(name)' has ended before \(start.secondsDescription): it lasts \(duration.secondsDescription)",
        hint: "Give an earlier --start.")
    }
    return duration
  }

  /// Returns a line for each track of which something couldn't be decoded.
  func damage(of file: PlayedFile) async throws -> [String] {
    let state = try await client.call(PlayerItemState(playerItem: file.item))
    return (state.dropped ?? []).map { "left out of '\(file.name)': \($0.reason)".printable }
  }

  /// Closes the handles of a file.
  func close(_ file: PlayedFile) async throws {
    _ = try await client.call(HandleClose(handle: AnyHandle(file.item)))
    _ = try await client.call(HandleClose(handle: AnyHandle(file.asset)))
  }
}
