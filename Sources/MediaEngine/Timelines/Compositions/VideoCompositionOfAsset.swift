import LibAV
import MediaTime
import SystemIO

extension VideoComposition {
  /// Creates one that shows the video tracks of an asset unchanged, the first on top
  /// (`videoCompositionWithPropertiesOfAsset:`).
  ///
  /// A single video track determines the times of the pictures. ``frameDuration`` is that of the
  /// highest rate, and 1/30 s where none is known. Pictures have the size of a composition; of
  /// another asset the one that encloses all of its tracks, turned as they are shown. There is an
  /// instruction between any two times at which tracks begin or end to show something.
  ///
  /// - Parameter backgroundColor: of every instruction.
  /// - Throws: the errors of opening the asset; `operationNotSupportedForAsset` for one without an
  ///   end.
  public init(
    propertiesOf asset: any Asset, backgroundColor: Color = .black
  ) async throws(EngineError) {
    let (tracks, canvas) = try await ShownVideoTrack.load(asset)
    let size =
      canvas.map { Size(width: Double($0.width), height: Double($0.height)) }
      ?? Size(
        width: tracks.map(\.shownSize.width).max() ?? 0,
        height: tracks.map(\.shownSize.height).max() ?? 0)
    self.init(
      frameDuration: tracks.map(\.frameDuration).filter(\.isNumeric).min()
        ?? Time(value: 1, timescale: 30),
      sourceTrackIDForFrameTiming: tracks.count == 1 ? tracks[0].trackID : nil, renderSize: size,
      instructions: Self.instructions(
        tracks, backgroundColor: backgroundColor, fit: canvas == nil ? .none : .contain))
  }

  private static func instructions(
    _ tracks: [ShownVideoTrack], backgroundColor: Color, fit: Fit
  ) -> [Instruction] {
    let ranges = tracks.flatMap { $0.isShown ? $0.ranges : [] }
    let times = Set([.zero] + ranges.flatMap { [$0.start, $0.end] }).sorted()
    return zip(times, times.dropFirst()).map { start, end in
      let range = TimeRange(start: start, end: end)
      let shown = tracks.filter { $0.isShown && $0.ranges.contains { $0.contains(start) } }
      return Instruction(
        timeRange: range, backgroundColor: backgroundColor,
        layerInstructions: shown.map { track in
          LayerInstruction(
            trackID: track.trackID,
            transform: track.transform == .identity ? [] : [.value(track.transform, at: start)],
            fit: fit)
        })
    }
  }
}

/// The facts about a video track that a video composition needs.
private struct ShownVideoTrack {
  let trackID: Int32
  /// True if it is enabled, or the first of tracks of which none is.
  let isShown: Bool
  /// The ranges with pictures, in ascending order and no two of them adjacent.
  let ranges: [TimeRange]
  /// Of its rate; invalid where it isn't known.
  let frameDuration: Time
  /// Turns pictures so that they begin at the origin.
  let transform: AffineTransform
  /// Of the turned pictures.
  let shownSize: Size

  /// Loads the video tracks of an asset, and their canvas.
  static func load(
    _ asset: any Asset
  ) async throws(EngineError) -> (tracks: [Self], canvas: Canvas?) {
    try await withTaskInterrupt(parent: nil) { (interrupt) async throws(EngineError) in
      let input = try await CompositionInput.load(asset, interrupt: interrupt)
      let presentation = try await asset.media.content.loadPresentation(interrupt: interrupt)
      let shown = presentation.tracks.shown(.video).map(\.trackID)
      var tracks: [Self] = []
      for info in presentation.tracks where info.mediaType == .video {
        let found = input.tracks.first { $0.trackID == info.trackID }
        tracks.append(
          Self(
            info, isShown: shown.contains(info.trackID), segments: found?.segments,
            frameDuration: try await info.timeline.preparedFrameDuration(interrupt: interrupt)))
      }
      return (tracks, presentation.canvas)
    }
  }

  private init(
    _ info: TrackInfo, isShown: Bool, segments: SegmentList<CompositionSource>?,
    frameDuration: Time
  ) {
    trackID = info.trackID
    self.isShown = isShown
    self.frameDuration = frameDuration
    ranges = (segments?.segments ?? []).reduce(into: []) { ranges, segment in
      let target = segment.mapping.target
      guard !segment.isEmpty, !target.isEmpty else { return }
      if let last = ranges.last, last.end == target.start {
        ranges[ranges.count - 1] = TimeRange(start: last.start, end: target.end)
      } else {
        ranges.append(target)
      }
    }
    let turned = info.preferredTransform.bounds(of: info.naturalSize)
    var transform = info.preferredTransform
    // Adding 0 makes a negative zero positive.
    transform.tx = transform.tx - turned.x + 0
    transform.ty = transform.ty - turned.y + 0
    self.transform = transform
    shownSize = Size(width: turned.width.rounded(.up), height: turned.height.rounded(.up))
  }
}

extension AffineTransform {
  /// Returns the rectangle that encloses a picture of that size at the origin, transformed.
  func bounds(of size: Size) -> Rectangle {
    let corners = [
      (0, 0), (size.width, 0), (0, size.height), (size.width, size.height),
    ].map { (x: a * $0 + c * $1 + tx, y: b * $0 + d * $1 + ty) }
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension TrackTimeline {
  /// Returns a frame's duration as ``nominalFrameDuration(interrupt:)``. Suspends while tracks are indexed.
  fileprivate func preparedFrameDuration(interrupt: Interrupt) async throws(EngineError) -> Time {
    for part in parts {
      if let stored = part.source?.stored, stored.countsFrames {
        try await stored.prepareIndex(interrupt: interrupt)
      }
    }
    return try nominalFrameDuration(interrupt: interrupt)
  }
}
