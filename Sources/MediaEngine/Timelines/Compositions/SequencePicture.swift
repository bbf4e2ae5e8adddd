import MediaTime

/// The visible part of a sequence: the order, positions and opacities of its layers.
struct SequencePicture {
  /// A visible layer over one range of time.
  private struct Layer {
    let purpose: SequenceTracks.Purpose
    let range: TimeRange
    var fit = VideoComposition.Fit.none
    var transform: [ValueRamp<AffineTransform>] = []
    var opacity: [ValueRamp<Double>] = []
  }

  let size: Size
  private let frameDuration: Time
  private let background: VideoComposition.Color
  private let subtitles: [VideoComposition.BurntSubtitles]
  private let textLayers: [VideoComposition.TextLayer]

  init(_ sequence: ClipSequence, _ layout: SequenceLayout) {
    let shown = layout.clips.compactMap { $0.facts?.video == nil ? nil : $0.facts }
    // Most encoders need even numbers.
    func even(_ length: Double) -> Double { max(2, (length / 2).rounded() * 2) }
    size =
      sequence.size
      ?? shown.lazy.compactMap(\.size).first.map {
        Size(width: even($0.width), height: even($0.height))
      } ?? Size(width: 1280, height: 720)
    frameDuration =
      sequence.frameDuration ?? SequencePicture.frameDuration(of: layout.clips)
      ?? Time(value: 1, timescale: 30)
    background = sequence.background
    (subtitles, textLayers) = (sequence.subtitles, sequence.textLayers)
  }

  /// Returns the frame duration of the first clip, or where that is shown slower, and none of the
  /// others needs that many pictures, a longer one: a frame that lasts longer is one picture.
  private static func frameDuration(of clips: [SequenceLayout.PlacedClip]) -> Time? {
    let videos = clips.compactMap { placed in
      placed.facts?.video == nil ? nil : placed.facts?.frameDuration.map { (placed.clip, $0) }
    }
    guard let own = videos.first?.1 else { return nil }
    let shown = videos.map { clip, duration in
      clip.speed.numerator < clip.speed.denominator ? clip.speed.shown(duration) : duration
    }
    return max(own, shown.filter(\.isNumeric).min() ?? own)
  }

  func videoComposition(_ layout: SequenceLayout, _ tracks: SequenceTracks) -> VideoComposition {
    let layers = layers(layout)
    var times: Set<Time> = [.zero, layout.end]
    for layer in layers { times.formUnion([layer.range.start, layer.range.end]) }
    let gaps = layout.clips.compactMap { placed in
      placed.clip.background.map { (range: placed.target, color: $0) }
    }
    for gap in gaps { times.formUnion([gap.range.start, gap.range.end]) }
    let sorted = times.sorted()
    let instructions = zip(sorted, sorted.dropFirst()).map { start, end in
      let range = TimeRange(start: start, end: end)
      let visible = layers.filter { $0.range.start <= start && $0.range.end >= end }
      return VideoComposition.Instruction(
        timeRange: range,
        backgroundColor: gaps.last { $0.range.contains(start) }?.color ?? background,
        layerInstructions: visible.compactMap { layer in
          guard let trackID = tracks.trackID(layer.purpose) else { return nil }
          return VideoComposition.LayerInstruction(
            trackID: trackID, transform: layer.transform.reaching(range, unset: .identity),
            opacity: layer.opacity.reaching(range, unset: 1), fit: layer.fit)
        })
    }
    var composition = VideoComposition(
      frameDuration: frameDuration, renderSize: size, instructions: instructions)
    composition.subtitles = subtitles
    composition.textLayers = layout.clips.compactMap(text) + textLayers
    return composition
  }

  /// Returns the text of a clip, which appears and disappears with the clip.
  private func text(of placed: SequenceLayout.PlacedClip) -> VideoComposition.TextLayer? {
    guard var text = placed.clip.text else { return nil }
    text.timeRange = placed.target
    text.fadeIn = max(text.fadeIn, placed.fadeIn)
    text.fadeOut = max(text.fadeOut, placed.fadeOut)
    return text
  }

  /// Returns the layers from the top down: overlays, then clips, of which the later one dissolves
  /// in over the earlier one.
  private func layers(_ layout: SequenceLayout) -> [Layer] {
    let overlays = layout.overlays.enumerated().map { layer(of: $1, number: $0) }
    let clips = layout.clips.indices.compactMap { layer(ofClip: $0, layout) }
    return overlays.reversed() + clips.reversed()
  }

  private func layer(of placed: SequenceLayout.PlacedOverlay, number: Int) -> Layer {
    let range = placed.mapping.target
    let frame = placed.overlay.frame
    let shown = placed.facts.size ?? Size(width: frame.width, height: frame.height)
    let transform = AffineTransform(
      a: frame.width / shown.width, b: 0, c: 0, d: frame.height / shown.height, tx: frame.x,
      ty: frame.y)
    let opacity = placed.overlay.opacity
    var entries: [ValueRamp<Double>] = []
    if placed.fadeIn > .zero {
      entries.append(
        .ramp(from: 0, to: opacity, over: TimeRange(start: range.start, duration: placed.fadeIn)))
    } else if opacity != 1 {
      entries.append(.value(opacity, at: range.start))
    }
    if placed.fadeOut > .zero {
      entries.append(
        .ramp(
          from: opacity, to: 0, over: TimeRange(start: range.end - placed.fadeOut, end: range.end)))
    }
    return Layer(
      purpose: .overlay(number), range: range, transform: [.value(transform, at: range.start)],
      opacity: entries)
  }

  private func layer(ofClip number: Int, _ layout: SequenceLayout) -> Layer? {
    let placed = layout.clips[number]
    guard let range = placed.video?.target else { return nil }
    var layer = Layer(purpose: .clipVideo(placed.lane), range: range)
    if let zoom = placed.clip.zoom, placed.facts?.size != nil {
      layer.transform = [
        .ramp(from: showing(zoom.from), to: showing(zoom.to), over: placed.target)
      ]
    } else {
      layer.fit = placed.clip.fit
    }
    let target = placed.target
    if placed.fadeIn > .zero {
      layer.opacity.append(
        .ramp(from: 0, to: 1, over: TimeRange(start: target.start, duration: placed.fadeIn)))
    }
    if placed.fadeOut > .zero, !isCovered(placed, by: layout.clips[number + 1]) {
      layer.opacity.append(
        .ramp(
          from: 1, to: 0, over: TimeRange(start: target.end - placed.fadeOut, end: target.end)))
    }
    return layer
  }

  /// Returns true when the next clip, once that is opaque, covers all of a clip: then the next
  /// one's ramp is a dissolve already. Otherwise both have one.
  private func isCovered(
    _ clip: SequenceLayout.PlacedClip, by next: SequenceLayout.PlacedClip
  ) -> Bool {
    guard let video = next.video, video.target.start == next.target.start,
      video.target.end >= clip.target.end
    else { return false }
    return frames(of: next).allSatisfy { cover in frames(of: clip).allSatisfy(cover.contains) }
  }

  /// Returns the rectangles of a clip's frames in the picture, at first and at last.
  private func frames(of placed: SequenceLayout.PlacedClip) -> [Rectangle] {
    guard let shown = placed.facts?.size else { return [] }
    guard let zoom = placed.clip.zoom else { return [frame(shown, placed.clip.fit)] }
    return [zoom.from, zoom.to].map { part in
      let transform = showing(part)
      return Rectangle(
        x: transform.tx, y: transform.ty, width: shown.width * transform.a,
        height: shown.height * transform.d
      ).clipped(to: size)
    }
  }

  private func frame(_ shown: Size, _ fit: VideoComposition.Fit) -> Rectangle {
    let (x, y) = (size.width / shown.width, size.height / shown.height)
    let scale: Double
    switch fit {
    case .none:
      return Rectangle(x: 0, y: 0, width: shown.width, height: shown.height).clipped(to: size)
    case .fill: return Rectangle(x: 0, y: 0, width: size.width, height: size.height)
    case .contain: scale = min(x, y)
    case .cover: scale = max(x, y)
    }
    return Rectangle(
      x: (size.width - shown.width * scale) / 2, y: (size.height - shown.height * scale) / 2,
      width: shown.width * scale, height: shown.height * scale
    ).clipped(to: size)
  }

  /// Returns the transform that shows a part of a frame as large as the picture allows, centred.
  private func showing(_ part: Rectangle) -> AffineTransform {
    let scale = min(size.width / part.width, size.height / part.height)
    return AffineTransform(
      a: scale, b: 0, c: 0, d: scale, tx: (size.width - part.width * scale) / 2 - part.x * scale,
      ty: (size.height - part.height * scale) / 2 - part.y * scale)
  }
}

extension Rectangle {
  fileprivate func clipped(to size: Size) -> Rectangle {
    let (left, top) = (max(0, x), max(0, y))
    return Rectangle(
      x: left, y: top, width: max(0, min(size.width, x + width) - left),
      height: max(0, min(size.height, y + height) - top))
  }

  /// Compares up to a thousandth of a pixel, the error of scaling equal shapes.
  fileprivate func contains(_ other: Rectangle) -> Bool {
    let slack = 0.001
    return x <= other.x + slack && y <= other.y + slack
      && x + width >= other.x + other.width - slack
      && y + height >= other.y + other.height - slack
  }
}

extension Array {
  /// Returns the entries that determine a range; none where the value is `unset`, which holds
  /// without any.
  fileprivate func reaching<Value>(
    _ range: TimeRange, unset: Value
  ) -> [ValueRamp<Value>] where Element == ValueRamp<Value> {
    let begun = filter { $0.start < range.end }
    let within = begun.filter { $0.end > range.start || $0.start >= range.start }
    // A value counts as its own end, so the value at the start is the last entry before the others.
    guard let last = begun.last(where: { $0.end <= range.start && $0.start < range.start }),
      within.first?.start != range.start, let value = last.values.last, value != unset
    else { return within }
    return [.value(value, at: range.start)] + within
  }
}
