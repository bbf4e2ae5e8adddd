import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// The facts of a file that tools need before they ask for a part of it.
struct MediaFacts: Sendable {
  var duration: Time?
  var video: WireTrack?
  var audio: WireTrack?
  var subtitles: [WireTrack]
  /// The time in which the video is shown.
  var videoRange: TimeRange?
  var frameRate: Double?

  var rules: TimeRules { TimeRules(duration: duration, frameRate: frameRate) }

  static func load(_ asset: AssetHandle, _ engine: EngineSession) async throws -> MediaFacts {
    let values: AssetDidLoadValues = try await engine.finish(
      AssetLoadValues(asset: asset, keys: [.tracks, .duration], completion: .response))
    if let error = values.values.tracks?.error { throw RPCError(error) }
    let tracks = values.values.tracks?.value ?? []
    func first(_ type: WireMediaType) -> WireTrack? {
      let all = tracks.filter { $0.mediaType == type }
      return all.first(where: \.isEnabled) ?? all.first
    }
    var facts = MediaFacts(
      duration: values.values.duration?.value?.time, video: first(.video), audio: first(.audio),
      subtitles: tracks.filter { [.subtitle, .text, .closedCaption].contains($0.mediaType) })
    guard let video = facts.video else { return facts }
    let loaded = try await loadTrack(video, of: asset, engine)
    facts.videoRange = loaded.timeRange?.value?.range
    facts.frameRate = loaded.nominalFrameRate?.value
    return facts
  }

  private static func loadTrack(
    _ track: WireTrack, of asset: AssetHandle, _ engine: EngineSession
  ) async throws -> WireTrackValues {
    let loaded: TrackDidLoadValues = try await engine.finish(
      TrackLoadValues(
        asset: asset, trackID: track.trackID, keys: [.timeRange, .nominalFrameRate],
        completion: .response))
    return loaded.values
  }

  func requireVideo(_ path: String) throws {
    guard video == nil else { return }
    throw ToolFailure(
      "'\(path)' has no video",
      hint: audio == nil
        ? "probe lists its tracks." : "view_waveform and listen are for its audio.")
  }

  func requireAudio(_ path: String) throws {
    guard audio == nil else { return }
    throw ToolFailure(
      "'\(path)' has no audio",
      hint: video == nil
        ? "probe lists its tracks." : "view_sheet and view_frames are for its video.")
  }
}

/// Exact times in results.
enum ExactTime {
  /// `1001/30000`, or `4`: a time that can be passed on as it is.
  static func text(_ time: Time) -> String {
    guard time.isNumeric else { return time.secondsDescription }
    let reduced = time.reduced
    return reduced.timescale == 1
      ? "\(reduced.value)" : "\(reduced.value)/\(reduced.timescale)"
  }

  /// The members `time` and `seconds`, or with a prefix.
  static func members(_ time: Time, _ name: String = "time") -> [JSONValue.Member] {
    [
      .init(key: name, value: .string(text(time))),
      .init(
        key: name == "time" ? "seconds" : "\(name)Seconds",
        value: time.isNumeric ? .double(time.seconds) : .null),
    ]
  }

  /// `12.345 s (1234/100)`.
  static func shown(_ time: Time) -> String {
    time.isNumeric ? "\(Formatting.position(time)) (\(text(time)) s)" : time.secondsDescription
  }
}
