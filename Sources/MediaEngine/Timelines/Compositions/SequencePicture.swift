import MediaTime

/// The visible part of a sequence: the order, positions and opacities of its layers.
struct SequencePicture {
  /// A visible layer over one range of time.
  private struct Layer {
    let purpose: SequenceTracks.Purpose
    let range: TimeRange
    var fit = VideoComposition.Fit.none
    /// After it has been fitted.
    var transform: [ValueRamp<AffineTransform>] = []
    var opacity: [ValueRamp<Double>] = []
    /// The transform while it is cropped, with the fit: one that is stated would be that of the cropped part.
    var croppedTransform: [ValueRamp<AffineTransform>] = []
    var crop: [ValueRamp<Rectangle>] = []
    /// All of its frame.
    var whole = Rectangle(x: 0, y: 0, width: 0, height: 0)
  }

  let size: Size
  let frameDuration: Time
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
      abs(clip.speed.numerator) < clip.speed.denominator ? clip.speed.shown(duration) : duration
    }
    return max(own, shown.filter(\.isNumeric).min() ?? own)
  }

  func videoComposition(_ layout: SequenceLayout, _ tracks: SequenceTracks) -> VideoComposition {
    let layers = layers(layout)
    let backgrounds = backgrounds(layout)
    var times: Set<Time> = [.zero, layout.end]
    for range in layers.map(\.range) + backgrounds.map(\.range) {
      times.formUnion([range.start, range.end])
    }
    // A fit and a crop are those of an instruction.
    for clip in layout.clips { times.formUnion([clip.entranceRange.end, clip.exitRange.start]) }
    let sorted = times.sorted()
    let instructions = zip(sorted, sorted.dropFirst()).map { start, end in
      let range = TimeRange(start: start, end: end)
      let visible = layers.filter { $0.range.start <= start && $0.range.end >= end }
      return VideoComposition.Instruction(
        timeRange: range,
        backgroundColor: backgrounds.last { $0.range.contains(start) }?.color ?? background,
        layerInstructions: visible.compactMap { layer in
          guard let trackID = tracks.trackID(layer.purpose) else { return nil }
          let crop = layer.crop.reaching(range, unset: layer.whole)
          let isCropped = !crop.isEmpty && crop != [.value(layer.whole, at: start)]
          let transform = isCropped ? layer.croppedTransform : layer.transform
          return VideoComposition.LayerInstruction(
            trackID: trackID, transform: transform.reaching(range, unset: .identity),
            opacity: layer.opacity.reaching(range, unset: 1),
            cropRectangle: isCropped ? crop : [], fit: isCropped ? .none : layer.fit)
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

  /// Returns the layers from the top down: overlays, then clips, of which the later one appears
  /// over the earlier one.
  private func layers(_ layout: SequenceLayout) -> [Layer] {
    let overlays = layout.overlays.enumerated().map { layer(of: $1, number: $0) }
    let clips = layout.clips.indices.compactMap { layer(ofClip: $0, layout) }
    return overlays.reversed() + clips.reversed()
  }

  private func layer(of placed: SequenceLayout.PlacedOverlay, number: Int) -> Layer {
    let range = placed.piece.mapping.target
    let frame = placed.overlay.frame
    let shown = placed.facts.size ?? Size(width: frame.width, height: frame.height)
    let transform = placed.overlay.fit.transform(of: Rectangle(of: shown), in: frame)
    var layer = Layer(
      purpose: .overlay(number), range: range, transform: [.value(transform, at: range.start)],
      opacity: placed.course(of: placed.overlay.opacity))
    let placedFrame = transform.bounds(of: shown)
    if !frame.contains(placedFrame) {
      layer.croppedTransform = layer.transform
      let part = transform.part(seenIn: frame.clipped(to: placedFrame))
      layer.crop = [.value(part, at: range.start)]
    }
    return layer
  }

  private func layer(ofClip number: Int, _ layout: SequenceLayout) -> Layer? {
    let placed = layout.clips[number]
    guard let range = placed.video?.target else { return nil }
    var layer = Layer(purpose: .clipVideo(placed.lane), range: range)
    let next = placed.exit == nil ? nil : layout.clips[number + 1]
    let isCovered = next.map { self.isCovered(placed, by: $0) } ?? false
    let motion = SequenceMotion(placed, in: size, isCovered: isCovered)
    layer.opacity = motion.opacity
    guard let shown = placed.facts?.size else {
      layer.fit = placed.clip.fit
      return layer
    }
    layer.whole = Rectangle(of: shown)
    let placement: ValueRamp<AffineTransform>
    if let zoom = placed.clip.zoom {
      placement = .ramp(from: showing(zoom.from), to: showing(zoom.to), over: placed.target)
      layer.transform = motion.transform(placement)
    } else {
      layer.fit = placed.clip.fit
      placement = .value(placed.clip.fit.transform(of: layer.whole, in: picture), at: range.start)
      layer.transform = motion.transform(.value(.identity, at: range.start))
    }
    layer.crop = motion.crop(of: layer.whole, placement, frameDuration)
    if !layer.crop.isEmpty { layer.croppedTransform = motion.transform(placement, isStated: true) }
    return layer
  }

  /// The area of the picture.
  private var picture: Rectangle { Rectangle(of: size) }

  /// Returns the colours that aren't the sequence's own: those of gaps, and of dips.
  private func backgrounds(
    _ layout: SequenceLayout
  ) -> [(range: TimeRange, color: VideoComposition.Color)] {
    var found = layout.clips.compactMap { placed in
      placed.clip.background.map { (range: placed.target, color: $0) }
    }
    for (clip, next) in zip(layout.clips, layout.clips.dropFirst()) {
      guard case .dip(let color) = clip.exit?.kind else { continue }
      let range = clip.exitRange
      let middle = clip.middleOfExit
      found.append((range, color))
      // A gap is nothing but its background, which turns into the colour.
      let halves = [
        (clip, TimeRange(start: range.start, end: middle), isRising: true),
        (next, TimeRange(start: middle, end: range.end), isRising: false),
      ]
      for (gap, half, isRising) in halves where gap.video == nil {
        let own = gap.clip.background ?? background
        let times = half.frameTimes(frameDuration)
        for (start, end) in zip(times, times.dropFirst()) {
          let share = half.fraction(elapsedAt: start) ?? 1
          let mixed = own.mixed(with: color, share: isRising ? share : 1 - share)
          found.append((TimeRange(start: start, end: end), mixed))
        }
      }
    }
    return found
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
    fit.transform(of: Rectangle(of: shown), in: picture).bounds(of: shown).clipped(to: size)
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
    clipped(to: Rectangle(of: size))
  }

  fileprivate func clipped(to other: Rectangle) -> Rectangle {
    let (left, top) = (max(other.x, x), max(other.y, y))
    return Rectangle(
      x: left, y: top, width: max(0, min(other.x + other.width, x + width) - left),
      height: max(0, min(other.y + other.height, y + height) - top))
  }

  /// Compares up to a thousandth of a pixel, the error of scaling equal shapes.
  func contains(_ other: Rectangle) -> Bool {
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
