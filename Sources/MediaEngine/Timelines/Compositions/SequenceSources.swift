import MediaTime
import SystemIO

extension ClipSequence.SourceFacts {
  /// Loads the required facts about an asset: its first tracks of video, of audio and of subtitles.
  ///
  /// - Throws: the errors of opening it, and those of inserting parts of it into a composition.
  public static func load(_ asset: any Asset) async throws(EngineError) -> Self {
    let input = try await withTaskInterrupt(parent: nil) { (interrupt) async throws(EngineError) in
      try await CompositionInput.load(asset, interrupt: interrupt)
    }
    func first(_ type: MediaType) -> CompositionInput.Track? {
      input.tracks.first { $0.mediaType == type && !$0.timeRange.isEmpty }
    }
    var facts = Self(statedEnd: input.statedEnd)
    if let video = first(.video) {
      facts.video = Track(trackID: video.trackID, timeRange: video.timeRange)
      facts.size = video.segments.segments.lazy.compactMap(\.source).first?.shownSize
      facts.isStill = video.held != nil
    }
    facts.audio = first(.audio).map { Track(trackID: $0.trackID, timeRange: $0.timeRange) }
    if let subtitles = first(.subtitle) ?? first(.text) {
      facts.subtitles = Track(trackID: subtitles.trackID, timeRange: subtitles.timeRange)
      facts.subtitleType = subtitles.mediaType
    }
    if let video = facts.video, !facts.isStill {
      let track = try await asset.load(.tracks).first { $0.trackID == video.trackID }
      let duration = try await track?.load(.minFrameDuration) ?? .invalid
      // Of a track without a constant rate the shortest frame is no interval for all of them.
      if duration.isNumeric, duration >= Time(value: 1, timescale: 240) {
        facts.frameDuration = duration
      }
    }
    return facts
  }
}
