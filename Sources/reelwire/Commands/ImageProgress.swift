import EngineClient
import EngineProtocol
import MediaTime
import Synchronization

/// The progress of the images of a whole clip.
final class ImageProgress: Sendable {
  private let state: Mutex<(progress: Progress, count: Int)>
  /// The number of all images.
  private let total: Int

  init(_ console: Console, total: Int) {
    state = Mutex((Progress(console), 0))
    self.total = max(1, total)
  }

  /// Counts an image, or a frame without one.
  func advance() {
    state.withLock {
      $0.count += 1
      $0.progress.show(min(1, Double($0.count) / Double(total)))
    }
  }

  /// Removes the line.
  func clear() { state.withLock { $0.progress.clear() } }
}

extension Image {
  /// More samples than any track has: a step by this number leads to an end.
  private static let far = Int(Int32.max)

  /// The progress of the images of the whole clip; nil where none is shown, or their number isn't known.
  func progress(
    of asset: AssetHandle, from start: Time, _ client: EngineClient, _ console: Console
  ) async throws -> ImageProgress? {
    guard console.progressForm != nil else { return nil }
    let video = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    guard let track = video.first(where: \.isEnabled) ?? video.first else { return nil }
    if let step = fps?.duration(of: 1), step > .zero {
      let loaded = try await client.finish(
        TrackLoadValues(
          asset: asset, trackID: track.trackID, keys: [.timeRange], completion: .response))
      guard let range = loaded.values.timeRange?.value?.range, range.end.isNumeric else {
        return nil
      }
      let count = (range.end - start).seconds / step.seconds
      return ImageProgress(console, total: Int(min(count.rounded(.up), 1e9)))
    }
    let cursor = try await client.call(
      SampleCursorCreate(asset: asset, trackID: track.trackID, position: .first)
    ).sampleCursor
    var last = SampleCursorStep(sampleCursor: cursor, count: Self.far, order: .presentation)
    _ = try await client.call(last)
    last.count = -Self.far
    let count = 1 - (try await client.call(last).stepped)
    _ = try await client.call(HandleClose(handle: AnyHandle(cursor)))
    let step = every ?? 1
    return ImageProgress(console, total: (count + step - 1) / step)
  }
}
