public import JSONRPC
import MediaTime

extension EditTimeline {
  /// Returns its document, with schemas that every version of OpenTimelineIO reads.
  ///
  /// Times are whole frames or samples of a rate for each layer: the first of the usual ones at
  /// which all of its times are whole, else the nearest of `rate`. A timeline that is read from the
  /// document is written as the same document.
  ///
  /// - Parameters:
  ///   - rate: of video layers that no usual rate fits.
  ///   - ownMetadata: the `metadata.reelwire` of the timeline.
  public func document(rate: Rate, ownMetadata: JSONValue? = nil) -> JSONValue {
    .object([
      member("OTIO_SCHEMA", "Timeline.1"),
      member("metadata", ownMetadata.map { .object([member("reelwire", $0)]) } ?? .object([])),
      member("name", .string(name)), member("global_start_time", nil),
      member(
        "tracks",
        .object(
          composable("Stack.1", name: "tracks", sourceRange: nil) + [
            member("children", .array(layers.map { track($0, rate) }))
          ])),
    ])
  }

  private func track(_ layer: Layer, _ rate: Rate) -> JSONValue {
    let rate = rateOfTimes(of: layer, preferring: layer.kind == .video ? rate : Rate(48000))
    var children: [JSONValue] = []
    var end = 0.0
    for part in layer.parts {
      // Where a part ends is rounded, not how long it is: errors don't add up.
      let (first, last) = (rate.value(of: part.target.start), rate.value(of: part.target.end))
      if first > end { children.append(gap(first - end, rate)) }
      children.append(clip(part, frames: last - first, rate))
      end = last
    }
    let last = rate.value(of: layer.duration)
    if last > end { children.append(gap(last - end, rate)) }
    return .object(
      composable("Track.1", name: layer.name, sourceRange: nil, isEnabled: layer.isEnabled) + [
        member("kind", .string(layer.kind.rawValue)), member("children", .array(children)),
      ])
  }

  private func rateOfTimes(of layer: Layer, preferring preferred: Rate) -> Rate {
    let usual = layer.kind == .video ? Rate.ofVideo : Rate.ofAudio
    // A rate that isn't read as itself would change all times.
    let own = [preferred, Rate(preferred.numerator)].filter(\.isReadAsWritten)
    let rates = own.filter { $0 == preferred } + usual + own
    let times =
      layer.parts.flatMap { [$0.source.start, $0.target.start, $0.target.end] } + [layer.duration]
    if let exact = rates.first(where: { times.allSatisfy($0.holds) }) { return exact }
    let nearest =
      (own + [Rate(90000)]).first { rate in
        times.allSatisfy(rate.counts)
          && layer.parts.allSatisfy {
            rate.value(of: $0.target.start) < rate.value(of: $0.target.end)
          }
      } ?? Rate(1000)
    // The times as a reader of the document gets them may be whole at an earlier rate of the list.
    let rounded = times.map { time in
      RationalTime.time(value: nearest.value(of: time), rate: nearest.double) ?? time
    }
    return rates.first { rounded.allSatisfy($0.holds) } ?? nearest
  }

  private func gap(_ frames: Double, _ rate: Rate) -> JSONValue {
    .object(composable("Gap.1", name: "", sourceRange: range(0, frames, rate)))
  }

  private func clip(_ part: Part, frames: Double, _ rate: Rate) -> JSONValue {
    var effects: [JSONValue] = []
    if part.isFrozen || part.source.duration == .zero {
      effects = [effect("FreezeFrame.1", scalar: 0)]
    } else if part.source.duration != part.target.duration || part.isReversed {
      let shown = RationalTime.time(value: frames, rate: rate.double) ?? part.target.duration
      let speed = scalar(of: part, shown)
      effects = [effect("LinearTimeWarp.1", scalar: part.isReversed ? -speed : speed)]
    }
    let start = rate.value(of: part.source.start)
    let reference = media(of: part)
    return .object(
      composable(
        "Clip.1", name: part.name, sourceRange: range(start, frames, rate), effects: effects) + [
          member("media_reference", reference)
        ])
  }

  private func media(of part: Part) -> JSONValue {
    if let images = part.images { return sequence(images, part.url) }
    return file(part.url)
  }

  private func file(_ url: String) -> JSONValue {
    .object([
      member("OTIO_SCHEMA", "ExternalReference.1"), member("metadata", .object([])),
      member("name", ""), member("available_range", nil), member("target_url", .string(url)),
    ])
  }

  private func sequence(_ images: NumberedImages, _ folder: String) -> JSONValue {
    let available = images.count.map { range(0, Double($0 * images.step), images.rate) }
    return .object([
      member("OTIO_SCHEMA", "ImageSequenceReference.1"), member("metadata", .object([])),
      member("name", ""), member("available_range", available),
      member("target_url_base", .string(folder)), member("name_prefix", .string(images.prefix)),
      member("name_suffix", .string(images.suffix)),
      member("start_frame", .integer(images.startFrame)),
      member("frame_step", .integer(images.step)),
      member("rate", .double(images.rate.double)),
      member("frame_zero_padding", .integer(images.padding)),
      member("missing_frame_policy", .string(images.holdsMissing ? "hold" : "error")),
    ])
  }

  /// Returns the speed of a part with which the same length of the source is read again: of the
  /// nearest ones that with the fewest decimals.
  ///
  /// - Parameter shown: how long it is in the document.
  private func scalar(of part: Part, _ shown: Time) -> Double {
    let ratio = part.source.duration.seconds / part.target.duration.seconds
    // Of a part that was rounded to frames, the speed stays and not the length.
    let exact =
      shown == part.target.duration
      ? Rate.scalars(near: ratio).first { shown.multiplied(by: $0) == part.source.duration } : nil
    if let exact { return exact.double }
    guard let nearest = Rate(scalar: ratio), let read = shown.multiplied(by: nearest) else {
      return ratio
    }
    let scalars = Rate.scalars(near: read.seconds / shown.seconds)
    return (scalars.first { shown.multiplied(by: $0) == read } ?? nearest).double
  }

  private func effect(_ schema: JSONValue, scalar: Double) -> JSONValue {
    let name: JSONValue = scalar == 0 ? "FreezeFrame" : "LinearTimeWarp"
    return .object([
      member("OTIO_SCHEMA", schema), member("metadata", .object([])), member("name", ""),
      member("effect_name", name), member("time_scalar", .double(scalar)),
    ])
  }

  private func composable(
    _ schema: JSONValue, name: String, sourceRange: JSONValue?, isEnabled: Bool = true,
    effects: [JSONValue] = []
  ) -> [JSONValue.Member] {
    [
      member("OTIO_SCHEMA", schema), member("metadata", .object([])), member("name", .string(name)),
      member("source_range", sourceRange), member("effects", .array(effects)),
      member("markers", .array([])), member("enabled", .bool(isEnabled)),
    ]
  }

  private func range(_ start: Double, _ duration: Double, _ rate: Rate) -> JSONValue {
    .object([
      member("OTIO_SCHEMA", "TimeRange.1"), member("duration", time(duration, rate)),
      member("start_time", time(start, rate)),
    ])
  }

  private func time(_ value: Double, _ rate: Rate) -> JSONValue {
    .object([
      member("OTIO_SCHEMA", "RationalTime.1"), member("rate", .double(rate.double)),
      member("value", .double(value)),
    ])
  }

  private func member(_ key: String, _ value: JSONValue?) -> JSONValue.Member {
    JSONValue.Member(key: key, value: value ?? .null)
  }
}

extension Rate {
  static let ofVideo: [Rate] = [
    Rate(24), Rate(25), Rate(30), Rate(24000, over: 1001), Rate(30000, over: 1001), Rate(50),
    Rate(60), Rate(60000, over: 1001), Rate(600), Rate(1000), Rate(90000),
  ]
  static let ofAudio: [Rate] = [Rate(44100), Rate(32000), Rate(96000), Rate(90000)]

  /// True if it is written as a number that is read as the same rate.
  var isReadAsWritten: Bool {
    guard numerator > 0, denominator > 0, let read = RationalTime.fraction(double) else {
      return false
    }
    return Int128(read.numerator) * Int128(denominator) == Int128(numerator)
      * Int128(read.denominator)
  }

  /// Speeds near one, those with few decimals first, as they are read.
  fileprivate static func scalars(near ratio: Double) -> [Rate] {
    guard ratio.isFinite else { return [] }
    var scalars: [Rate] = []
    var scale = 1.0
    while scale <= 1e9, ratio * scale <= Double(Int32.max) {
      let nearest = (ratio * scale).rounded()
      // A speed that was read with the maximum number of decimals may be rounded to either side.
      for number in [nearest, nearest - 1, nearest + 1] {
        if let rate = Rate(scalar: number / scale) { scalars.append(rate) }
      }
      scale *= 10
    }
    return scalars
  }

  /// Returns true if the number of frames of a time is within the limit of the reader.
  func counts(_ time: Time) -> Bool { value(of: time).magnitude < 1e15 }

  /// Returns true if a time is a whole number of frames.
  func holds(_ time: Time) -> Bool {
    guard time.isNumeric, counts(time) else { return false }
    let frames = Int128(time.value) * Int128(numerator)
    return frames % (Int128(time.timescale) * Int128(denominator)) == 0
  }
}

extension Time {
  /// Returns the length of the source of a part that is shown at a speed; nil if that is no valid
  /// time.
  fileprivate func multiplied(by speed: Rate) -> Time? {
    let product = multiplied(byRatio: speed.numerator, speed.denominator)
    return product.isNumeric ? product : nil
  }
}
