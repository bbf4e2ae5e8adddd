public import MediaTime
import Synchronization
import SystemIO

/// Reads the samples of an asset's tracks (AVAssetReader). Outputs are fixed when it is created.
public final class AssetReader: Sendable {
  /// The progress of a reader (AVAssetReader.Status).
  public enum Status: String, Sendable {
    case unknown, reading, completed, failed, cancelled
  }

  /// The track and the format of one output.
  public struct OutputRequest: Sendable {
    /// The source of an output.
    public enum Track: Sendable {
      /// The track of that number.
      case trackID(Int32)
      /// The first enabled track of the type.
      case mediaType(MediaType)
      /// The first enabled track that the rule fits.
      case fitting(TrackSelection.Rule)
      /// All audio tracks, or those named, mixed; each named once (AVAssetReaderAudioMixOutput).
      case audioMix([Int32]?, by: PresentationSetting<AudioMix> = .asset)
      /// The frames that a video composition composes from all video tracks, or from those named
      /// (AVAssetReaderVideoCompositionOutput).
      case videoComposition(PresentationSetting<VideoComposition>, [Int32]?)
    }
    /// The source.
    public var track: Track
    /// The format of the samples.
    public var settings: OutputSettings
    /// True for an output that can be read again from other ranges.
    public var supportsRandomAccess: Bool

    public init(track: Track, settings: OutputSettings, supportsRandomAccess: Bool = false) {
      self.track = track
      self.settings = settings
      self.supportsRandomAccess = supportsRandomAccess
    }

    fileprivate var mixes: Bool { if case .audioMix = track { true } else { false } }

    /// Returns the volumes of the tracks of a mix; nil for 1 throughout.
    fileprivate func audioMix(
      of asset: any Asset, _ tracks: [AssetTrack]
    ) async throws(EngineError) -> AudioMix? {
      guard case .audioMix(_, by: let setting) = track else { return nil }
      try setting.requireNoProblems(with: tracks.lazy.map(\.info))
      let presentation = try await asset.media.content.loadPresentation(interrupt: Interrupt())
      return presentation.mixed(by: setting).audioMix
    }
  }

  public let asset: any Asset
  /// The range of the asset that is read, on its clock.
  public let timeRange: TimeRange
  /// The outputs, in the order of their requests.
  public let outputs: [AssetReaderOutput]
  private let shared: ReaderState

  /// Creates a reader with its outputs; samples are read after ``start()``.
  ///
  /// - Parameter compositor: draws the frames that video compositions leave to their caller.
  /// - Throws: `noSourceTrack` for a track the asset lacks, `unsupportedOutputSettings` for settings that don't fit the
  ///   track or this build, and the errors of loading the tracks.
  public init(
    asset: any Asset, timeRange: TimeRange = .all, outputs requests: [OutputRequest],
    compositor: (any VideoCompositing)? = nil
  ) async throws(EngineError) {
    guard timeRange.isValid, timeRange.start.isNumeric, !timeRange.isEmpty else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(timeRange.secondsDescription) is not one to read",
        advice: .giveRange)
    }
    guard !requests.isEmpty else {
      throw EngineError(
        .unsupportedOutputSettings, "A reader needs at least one output",
        advice: .requestOutput)
    }
    let tracks = try await asset.load(.tracks)
    var found: [[AssetTrack]] = []
    for request in requests {
      if case .videoComposition(let setting, let ids) = request.track {
        found.append([
          try await AssetReader.composedTrack(
            setting, of: ids, tracks, asset: asset, drawnBy: compositor)
        ])
      } else {
        found.append(try AssetReader.findAll(request.track, among: tracks, asset: asset))
      }
    }
    let shared = ReaderState(
      outputs: requests.count,
      sharing: SharedDemuxers(found.joined().lazy.map(\.info.timeline)),
      readsWindows: !asset.media.content.prefersPreciseTiming)
    var outputs: [AssetReaderOutput] = []
    for (position, (request, found)) in zip(requests, found).enumerated() {
      let mix = try await request.audioMix(of: asset, tracks)
      for track in found { try request.settings.validate(for: track, by: mix) }
      outputs.append(
        AssetReaderOutput(
          track: found[0], mixedTracks: request.mixes ? found : nil, audioMix: mix,
          settings: request.settings,
          supportsRandomAccess: request.supportsRandomAccess, timeRange: timeRange,
          state: shared, position: position))
    }
    self.asset = asset
    self.timeRange = timeRange
    self.shared = shared
    self.outputs = outputs
  }

  static func find(
    _ wanted: OutputRequest.Track, among tracks: [AssetTrack], asset: any Asset
  ) throws(EngineError) -> AssetTrack {
    let found: AssetTrack?
    let what: String
    switch wanted {
    case .trackID(let id):
      found = tracks.first { $0.trackID == id }
      what = "track \(id)"
    case .mediaType(let type):
      found = tracks.preferred(type)
      what = "\(type.rawValue) track"
    case .fitting(let rule):
      let fitting = tracks.filter { rule.fits($0.info) }
      found = fitting.first(where: \.isEnabled) ?? fitting.first
      what = "track \(rule)"
    case .audioMix(let ids, _):
      found = tracks.first { $0.mediaType == .audio && ids == nil }
      what = "audio track"
    case .videoComposition:
      found = tracks.preferred(.video)
      what = "video track"
    }
    guard let found else {
      let known = tracks.map(\.info.shortDescription)
      throw EngineError(
        .noSourceTrack, "'\(asset.path)' has no \(what)",
        advice: .chooseTrack(of: known),
        path: asset.path)
    }
    return found
  }

  /// Returns the track that a video composition composes from an asset's tracks.
  private static func composedTrack(
    _ setting: PresentationSetting<VideoComposition>, of ids: [Int32]?, _ tracks: [AssetTrack],
    asset: any Asset, drawnBy compositor: (any VideoCompositing)?
  ) async throws(EngineError) -> AssetTrack {
    for id in ids ?? [] { _ = try find(.trackID(id), among: tracks, asset: asset) }
    let source = asset.media.content
    var presentation = try await source.loadPresentation(interrupt: Interrupt())
    guard setting.resolved(own: presentation.videoComposition) != nil else {
      throw EngineError(
        .unsupportedOutputSettings, "'\(asset.path)' has no video composition of its own",
        advice: .giveVideoComposition)
    }
    if let ids {
      presentation.tracks.removeAll { $0.mediaType == .video && !ids.contains($0.trackID) }
    }
    let given = presentation
    let composed = try await WorkLimiter.shared.run(.interactive, interrupt: Interrupt()) {
      () throws(EngineError) in
      try source.presentation(
        given, composedBy: setting, drawnBy: compositor, interrupt: Interrupt())
    }
    guard let track = composed.tracks.first else {
      return try find(.mediaType(.video), among: tracks, asset: asset)
    }
    return AssetTrack(track, queues: LoadQueues())
  }

  /// Returns the tracks of a mix, or the one of another output.
  private static func findAll(
    _ wanted: OutputRequest.Track, among tracks: [AssetTrack], asset: any Asset
  ) throws(EngineError) -> [AssetTrack] {
    guard case .audioMix(let ids, _) = wanted else {
      return [try find(wanted, among: tracks, asset: asset)]
    }
    var found: [AssetTrack] = []
    for id in ids ?? [] { found.append(try find(.trackID(id), among: tracks, asset: asset)) }
    if found.isEmpty { found = tracks.filter { $0.mediaType == .audio } }
    return found.isEmpty ? [try find(wanted, among: tracks, asset: asset)] : found
  }

  /// Begins reading; called once.
  ///
  /// - Throws: `operationNotAllowed` for a reader that was started, cancelled or has ended.
  public func start() throws(EngineError) { try shared.start() }

  /// The status, and the error of a failed reader. Never waits.
  public var status: (status: Status, error: EngineError?) { shared.status }

  /// The samples that couldn't be decoded, in the ranges that have been read to their end. Never waits.
  public var damagedSamples: [DamagedSamples] { shared.damagedSamples }

  /// Ends reading: calls that wait for samples throw `operationCancelled` at once. Never waits.
  public func cancelReading() { shared.cancel() }
}

/// The common state of a reader and its outputs.
final class ReaderState: Sendable {
  private struct State {
    var status = AssetReader.Status.unknown
    var error: EngineError?
    var damaged: [DamagedSamples] = []
    var unfinished: Set<Int>
  }

  let interrupt = Interrupt()
  private let state: Mutex<State>

  /// The demuxers of the outputs' tracks.
  let sharing: SharedDemuxers
  /// True where windows of indexes serve that are needed for a range only.
  let readsWindows: Bool

  init(outputs: Int, sharing: SharedDemuxers, readsWindows: Bool) {
    state = Mutex(State(unfinished: Set(0..<outputs)))
    self.sharing = sharing
    self.readsWindows = readsWindows
  }

  var status: (AssetReader.Status, EngineError?) {
    state.withLock { ($0.status, $0.error) }
  }

  func start() throws(EngineError) {
    let before = state.withLock { state in
      let before = state.status
      if before == .unknown { state.status = .reading }
      return before
    }
    guard before == .unknown else {
      throw EngineError(
        .operationNotAllowed, "The reader can't be started: it is \(before.rawValue)",
        advice: .createReaderForPass)
    }
  }

  /// - Throws: the error that prevents a pull from being served.
  func checkReading() throws(EngineError) {
    switch status {
    case (.reading, _), (.completed, _): return
    case (.unknown, _):
      throw EngineError(
        .operationNotAllowed, "The reader has not been started", advice: .startReader)
    case (.cancelled, _): throw Self.cancellation
    case (.failed, let error):
      throw error ?? EngineError(.unknown, "The reader failed")
    }
  }

  func add(_ damage: DamagedSamples) { state.withLock { $0.damaged.append(damage) } }
  var damagedSamples: [DamagedSamples] { state.withLock(\.damaged) }

  func finish(output: Int) {
    state.withLock { state in
      state.unfinished.remove(output)
      if state.unfinished.isEmpty, state.status == .reading { state.status = .completed }
    }
  }

  func fail(_ error: EngineError) {
    state.withLock { state in
      guard state.status == .reading else { return }
      state.status = .failed
      state.error = error
    }
  }

  private static let cancellation = EngineError.cancelled(
    "The reader", advice: .makeReader)

  func cancel() {
    interrupt.trigger()
    state.withLock { state in
      guard state.status == .reading || state.status == .unknown else { return }
      state.status = .cancelled
      state.error = Self.cancellation
    }
  }
}
