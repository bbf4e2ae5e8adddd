import JSONRPC
import MediaTime

/// The contents of an OpenTimelineIO document: layers of parts, and the losses of the conversion to
/// them.
public struct ReadDocument: Sendable, Equatable {
  public var timeline: EditTimeline
  public var losses: [ConversionLoss]
  /// The `metadata.reelwire` of the timeline.
  public var ownMetadata: JSONValue?

  /// Reads `Timeline.1`, `Stack.1` or `Track.1`, with all nested compositions.
  ///
  /// - Throws: for a document of another kind, and for invalid numbers.
  public init(_ document: JSONValue) throws(DocumentError) {
    var reader = DocumentReader()
    timeline = try reader.timeline(document)
    losses = reader.losses
    ownMetadata = document["metadata"]?["reelwire"]
  }

  /// Reads the text of a document.
  public init(text: String) throws(DocumentError) {
    let document: JSONValue
    do throws(JSONSyntaxError) {
      document = try JSONValue(parsingNonFinite: Array(text.utf8))
    } catch {
      throw DocumentError(path: "", message: "\(error)")
    }
    try self.init(document)
  }
}

/// Resolves a document from the outside in. Each composable becomes layers that begin at zero.
struct DocumentReader {
  private(set) var losses: [ConversionLoss] = []
  /// The stacks and tracks in the tracks of the stack that is being read, by the kinds of these.
  private var siblings: [EditTimeline.Kind: [JSONValue]] = [:]
  private static let deepest = 64

  /// Layers with their own zero, and their total duration.
  private struct Content {
    var layers: [EditTimeline.Layer] = []
    var duration = Time.zero
  }

  private struct Transition {
    var inOffset, outOffset: Time
  }

  mutating func timeline(_ value: JSONValue) throws(DocumentError) -> EditTimeline {
    let name = value["name"]?.stringValue ?? ""
    guard schema(value) == "Timeline" else {
      let content = try content(value, kind: .video, "", 0)
      return EditTimeline(name: name, layers: content.layers)
    }
    listLosses(value, "", timeline: true)
    if let start = value["global_start_time"], start != .null {
      lose("/global_start_time", "global_start_time", "a composition begins at zero")
    }
    guard let tracks = value["tracks"] else {
      throw DocumentError(path: "/tracks", message: "a timeline has tracks")
    }
    return EditTimeline(name: name, layers: try content(tracks, kind: .video, "/tracks", 0).layers)
  }

  private func schema(_ value: JSONValue) -> String {
    String((value["OTIO_SCHEMA"]?.stringValue ?? "").prefix { $0 != "." })
  }

  private mutating func lose(_ path: String, _ what: String, _ reason: String) {
    losses.append(ConversionLoss(path: path, what: what, reason: reason))
  }

  private mutating func listLosses(_ value: JSONValue, _ path: String, timeline: Bool = false) {
    if case .array(let markers)? = value["markers"] {
      for (number, marker) in markers.enumerated() {
        lose(
          "\(path)/markers/\(number)", marker["OTIO_SCHEMA"]?.stringValue ?? "Marker", "left out")
      }
    }
    if case .object(let members)? = value["metadata"] {
      for member in members where member.key != "reelwire" {
        lose("\(path)/metadata/\(member.key)", "metadata \(member.key)", "left out")
      }
    }
  }

  // MARK: Composables

  private mutating func content(
    _ value: JSONValue, kind: EditTimeline.Kind, _ path: String, _ depth: Int
  ) throws(DocumentError) -> Content {
    guard depth < Self.deepest else {
      throw DocumentError(path: path, message: "nested more than \(Self.deepest) deep")
    }
    listLosses(value, path)
    switch schema(value) {
    case "Stack": return try stack(value, kind, path, depth)
    case "Track": return try track(value, path, depth)
    case "Clip": return try clip(value, kind, path)
    case "Gap":
      let range = try range(value["source_range"], "\(path)/source_range")
      listEffects(value, path)
      return Content(duration: range?.duration ?? .zero)
    default:
      let name = value["OTIO_SCHEMA"]?.stringValue ?? "something without OTIO_SCHEMA"
      lose(path, name, "this schema isn't known; a gap is in its place")
      let range = try range(value["source_range"], "\(path)/source_range")
      return Content(duration: range?.duration ?? .zero)
    }
  }

  private mutating func stack(
    _ value: JSONValue, _ kind: EditTimeline.Kind, _ path: String, _ depth: Int
  ) throws(DocumentError) -> Content {
    var whole = Content()
    listEffects(value, path)
    let siblings = siblings
    defer { self.siblings = siblings }
    self.siblings = nestedByKind(value)
    for (number, child) in children(value).enumerated() {
      let content = try content(child, kind: kind, "\(path)/children/\(number)", depth + 1)
      whole.layers += content.layers
      whole.duration = max(whole.duration, content.duration)
    }
    return try trimmed(whole, by: value, path)
  }

  private mutating func track(
    _ value: JSONValue, _ path: String, _ depth: Int
  ) throws(DocumentError) -> Content {
    listEffects(value, path)
    let name = value["name"]?.stringValue ?? ""
    let text = value["kind"]?.stringValue ?? "Video"
    guard let kind = EditTimeline.Kind(rawValue: text) else {
      lose(path, "Track of kind \(text)", "only Video and Audio are read")
      return Content()
    }
    var whole = Content()
    let isEnabled = value["enabled"] != .bool(false)
    whole.layers = [EditTimeline.Layer(kind: kind, name: name, isEnabled: isEnabled)]
    var pending: Transition?
    for (number, child) in children(value).enumerated() {
      let path = "\(path)/children/\(number)"
      if schema(child) == "Transition" {
        pending = try transition(child, path)
        continue
      }
      let shown = siblings
      var content = try content(child, kind: kind, path, depth + 1)
      let start = whole.duration
      content.layers = content.layers.filter { layer in
        if !layer.isEnabled { lose(path, "Track \(layer.name)", "it is disabled; left out") }
        // Parts that a track of the other kind shows of the same stack are shown there.
        let isShownElsewhere =
          layer.kind != kind
          && shown[layer.kind, default: []].contains { $0.isSameStack(as: child) }
        return layer.isEnabled && !isShownElsewhere
      }
      for index in content.layers.indices { content.layers[index].shift(by: start) }
      if let transition = pending {
        apply(transition, to: &content, after: &whole, path)
        pending = nil
      }
      // Layers of a kind in their order; the first of the track's own is the track itself.
      var next: [EditTimeline.Kind: Int] = [:]
      for layer in content.layers {
        let places = whole.layers.indices.filter { whole.layers[$0].kind == layer.kind }
        let number = next[layer.kind, default: 0]
        next[layer.kind] = number + 1
        if number < places.count {
          whole.layers[places[number]].parts += layer.parts
        } else {
          var added = EditTimeline.Layer(kind: layer.kind, name: name, isEnabled: isEnabled)
          added.parts = layer.parts
          whole.layers.append(added)
        }
      }
      whole.duration = start + content.duration
    }
    if pending != nil {
      lose("\(path)/children", "Transition.1", "nothing follows it")
    }
    for index in whole.layers.indices { whole.layers[index].duration = whole.duration }
    return try trimmed(whole, by: value, path)
  }

  /// Returns the stacks and tracks in the tracks of a stack, by the kinds of these.
  private func nestedByKind(_ stack: JSONValue) -> [EditTimeline.Kind: [JSONValue]] {
    children(stack).reduce(into: [:]) { nested, track in
      guard schema(track) == "Track",
        let kind = EditTimeline.Kind(rawValue: track["kind"]?.stringValue ?? "Video")
      else { return }
      nested[kind, default: []] += children(track).filter {
        schema($0) == "Stack" || schema($0) == "Track"
      }
    }
  }

  private func children(_ value: JSONValue) -> [JSONValue] {
    guard case .array(let children)? = value["children"] else { return [] }
    return children
  }

  /// Applies a transition, which shows more of both neighbours, and moves neither.
  private mutating func apply(
    _ transition: Transition, to next: inout Content, after whole: inout Content, _ path: String
  ) {
    let cut = whole.duration
    let overlap = transition.inOffset + transition.outOffset
    guard overlap > .zero, next.layers.count == 1, next.layers[0].kind == whole.layers[0].kind,
      let last = whole.layers[0].parts.last,
      let first = next.layers[0].parts.first, last.target.end == cut, first.target.start == cut,
      let before = last.extended(atEndBy: transition.outOffset),
      let after = first.extended(atStartBy: transition.inOffset),
      before.target.start <= after.target.start, before.target.end <= after.target.end
    else {
      lose(path, "Transition.1", "its neighbours have nothing for it; there is a cut")
      return
    }
    whole.layers[0].parts[whole.layers[0].parts.count - 1] = before
    next.layers[0].parts[0] = after
    next.layers[0].parts[0].dissolve = overlap
  }

  private mutating func transition(
    _ value: JSONValue, _ path: String
  ) throws(DocumentError) -> Transition? {
    listLosses(value, path)
    let type = value["transition_type"]?.stringValue ?? ""
    guard type == "SMPTE_Dissolve" else {
      lose(path, "Transition.1 \(type)", "only SMPTE_Dissolve is read; there is a cut")
      return nil
    }
    return Transition(
      inOffset: try time(value["in_offset"], "\(path)/in_offset") ?? .zero,
      outOffset: try time(value["out_offset"], "\(path)/out_offset") ?? .zero)
  }

  // MARK: Clips

  private mutating func clip(
    _ value: JSONValue, _ kind: EditTimeline.Kind, _ path: String
  ) throws(DocumentError) -> Content {
    let (media, mediaPath) = reference(value, path)
    let available = try range(media?["available_range"], "\(mediaPath)/available_range")
    let wanted = try range(value["source_range"], "\(path)/source_range") ?? available
    guard let wanted else {
      lose(path, "Clip", "it has neither source_range nor available_range, so no duration")
      return Content()
    }
    let gap = Content(duration: wanted.duration)
    guard value["enabled"] != .bool(false) else {
      lose(path, "Clip", "it is disabled; a gap is in its place")
      return gap
    }
    let images = try media.flatMap { (media) throws(DocumentError) in
      try numberedImages(media, available, mediaPath)
    }
    guard let media, images != nil || schema(media) == "ExternalReference",
      let url = media[images == nil ? "target_url" : "target_url_base"]?.stringValue
    else {
      let name = media?["OTIO_SCHEMA"]?.stringValue ?? "no media reference"
      lose(
        mediaPath, name,
        "only ExternalReference and ImageSequenceReference are read; a gap is in its place")
      return gap
    }
    // The available range may begin at a timecode; the file's own clock begins at zero.
    let start = wanted.start - (available?.start ?? .zero)
    let (scalar, isReversed, isFrozen) = try effects(value, path)
    guard start >= .zero, wanted.duration > .zero else {
      lose(
        "\(path)/source_range", "Clip", "it is outside the available_range; a gap is in its place")
      return gap
    }
    let source =
      isFrozen
      ? Time.zero : wanted.duration.multiplied(byRatio: scalar.numerator, scalar.denominator)
    let part = EditTimeline.Part(
      name: value["name"]?.stringValue ?? "", url: url, images: images,
      source: TimeRange(start: start, duration: source),
      target: TimeRange(start: .zero, duration: wanted.duration), isFrozen: isFrozen,
      isReversed: isReversed && !isFrozen)
    return Content(
      layers: [EditTimeline.Layer(kind: kind, parts: [part])], duration: wanted.duration)
  }

  /// Returns the names of an `ImageSequenceReference`; nil for other references.
  private mutating func numberedImages(
    _ media: JSONValue, _ available: TimeRange?, _ path: String
  ) throws(DocumentError) -> NumberedImages? {
    guard schema(media) == "ImageSequenceReference" else { return nil }
    func whole(_ name: String, else usual: Int) throws(DocumentError) -> Int {
      guard let value = media[name] else { return usual }
      let stated = try self.number(value, "\(path)/\(name)")
      guard let number = Int(exactly: stated) else {
        throw DocumentError(path: "\(path)/\(name)", message: "\(stated) is no whole number")
      }
      return number
    }
    let stated = try number(media["rate"], "\(path)/rate")
    guard let fraction = RationalTime.fraction(stated), fraction.numerator > 0,
      let above = Int32(exactly: fraction.numerator),
      let below = Int32(exactly: fraction.denominator)
    else { throw DocumentError(path: "\(path)/rate", message: "\(stated) is no rate above 0") }
    let rate = Rate(above, over: below)
    let step = try whole("frame_step", else: 1)
    guard step > 0 else {
      throw DocumentError(path: "\(path)/frame_step", message: "\(step) isn't above 0")
    }
    let policy = media["missing_frame_policy"]?.stringValue ?? "error"
    if policy == "black" {
      lose("\(path)/missing_frame_policy", policy, "a missing picture is an error")
    }
    let frames = available.map { rate.value(of: $0.duration) }
    return NumberedImages(
      prefix: media["name_prefix"]?.stringValue ?? "",
      suffix: media["name_suffix"]?.stringValue ?? "",
      padding: try whole("frame_zero_padding", else: 0),
      startFrame: try whole("start_frame", else: 1),
      count: frames.flatMap { Int(exactly: ($0 / Double(step)).rounded()) }, step: step, rate: rate,
      holdsMissing: policy == "hold")
  }

  /// Returns the reference of a clip; of Clip.2 the active one of several.
  private func reference(_ value: JSONValue, _ path: String) -> (JSONValue?, String) {
    if let media = value["media_reference"] { return (media, "\(path)/media_reference") }
    let key = value["active_media_reference_key"]?.stringValue ?? "DEFAULT_MEDIA"
    return (value["media_references"]?[key], "\(path)/media_references/\(key)")
  }

  private mutating func effects(
    _ value: JSONValue, _ path: String
  ) throws(DocumentError) -> (scalar: Rate, isReversed: Bool, isFrozen: Bool) {
    var scalar = Rate(1)
    var (isReversed, isFrozen) = (false, false)
    guard case .array(let effects)? = value["effects"] else { return (scalar, false, false) }
    for (index, effect) in effects.enumerated() {
      let path = "\(path)/effects/\(index)"
      switch schema(effect) {
      case "FreezeFrame": isFrozen = true
      case "LinearTimeWarp":
        let factor = try number(effect["time_scalar"], "\(path)/time_scalar")
        if factor == 0 {
          isFrozen = true
          continue
        }
        guard let rate = Rate(scalar: abs(factor)) else {
          lose(
            path, "LinearTimeWarp.1",
            "\(factor) is no speed that can be shown; it is shown at its own rate")
          continue
        }
        scalar = rate
        if factor < 0 { isReversed.toggle() }
      default:
        lose(path, effect["OTIO_SCHEMA"]?.stringValue ?? "Effect", "left out")
      }
    }
    return (scalar, isReversed, isFrozen)
  }

  private mutating func listEffects(_ value: JSONValue, _ path: String) {
    guard case .array(let effects)? = value["effects"] else { return }
    for (number, effect) in effects.enumerated() {
      lose(
        "\(path)/effects/\(number)", effect["OTIO_SCHEMA"]?.stringValue ?? "Effect",
        "only clips have effects here")
    }
  }

  // MARK: Times

  private func trimmed(
    _ content: Content, by value: JSONValue, _ path: String
  ) throws(DocumentError) -> Content {
    guard let range = try range(value["source_range"], "\(path)/source_range") else {
      return content
    }
    var content = content
    for index in content.layers.indices {
      content.layers[index].parts = content.layers[index].parts.compactMap { $0.trimmed(to: range) }
      content.layers[index].shift(by: -range.start)
      content.layers[index].duration = range.duration
    }
    content.duration = range.duration
    return content
  }

  private func range(_ value: JSONValue?, _ path: String) throws(DocumentError) -> TimeRange? {
    guard let value, value != .null else { return nil }
    guard let start = try time(value["start_time"], "\(path)/start_time"),
      let duration = try time(value["duration"], "\(path)/duration"), duration >= .zero
    else {
      throw DocumentError(path: path, message: "no range with start_time and duration")
    }
    return TimeRange(start: start, duration: duration)
  }

  private func time(_ value: JSONValue?, _ path: String) throws(DocumentError) -> Time? {
    guard let value, value != .null else { return nil }
    let count = try number(value["value"], "\(path)/value")
    let rate = try number(value["rate"], "\(path)/rate")
    guard let time = RationalTime.time(value: count, rate: rate) else {
      throw DocumentError(path: path, message: "\(count) at \(rate) is no time")
    }
    return time
  }

  private func number(_ value: JSONValue?, _ path: String) throws(DocumentError) -> Double {
    guard case .number(let token)? = value, let number = Double(token), number.isFinite else {
      // It also writes them as strings and as an object.
      throw DocumentError(
        path: path, message: "expected a finite number, got \(value?.description ?? "nothing")")
    }
    return number
  }
}

extension EditTimeline.Layer {
  mutating func shift(by time: Time) {
    for index in parts.indices {
      parts[index].target.start = (parts[index].target.start + time).reduced
    }
  }
}

extension EditTimeline.Part {
  /// Returns the part of it in a range of its own clock; nil if that is empty.
  func trimmed(to range: TimeRange) -> EditTimeline.Part? {
    let shared = target.intersection(range)
    guard shared.isValid, !shared.isEmpty else { return nil }
    var part = self
    part.target = shared
    if !isFrozen {
      let (start, end) = (
        shared.start.mapped(from: target, to: source), shared.end.mapped(from: target, to: source)
      )
      let pivot = source.start + source.end
      part.source =
        isReversed
        ? TimeRange(start: pivot - end, end: pivot - start) : TimeRange(start: start, end: end)
    }
    let begun = shared.start - target.start
    part.dissolve = max(.zero, dissolve - begun)
    return part
  }

  /// Returns the part with a later end; nil when a reversed one hasn't that much of its source.
  func extended(atEndBy time: Time) -> EditTimeline.Part? {
    var part = self
    part.target.duration = target.duration + time
    guard !isFrozen else { return part }
    let more = time.mappedDuration(from: target, to: source)
    return part.lengthenSource(by: more, atItsStart: isReversed) ? part : nil
  }

  /// Returns the part with an earlier start; nil when the source hasn't that much before it.
  func extended(atStartBy time: Time) -> EditTimeline.Part? {
    var part = self
    part.target = TimeRange(start: target.start - time, end: target.end)
    guard !isFrozen else { return part }
    let more = time.mappedDuration(from: target, to: source)
    return part.lengthenSource(by: more, atItsStart: !isReversed) ? part : nil
  }

  /// - Returns: false where there is nothing before the source.
  private mutating func lengthenSource(by more: Time, atItsStart: Bool) -> Bool {
    if atItsStart, source.start < more { return false }
    source =
      atItsStart
      ? TimeRange(start: source.start - more, end: source.end)
      : TimeRange(start: source.start, duration: source.duration + more)
    return true
  }
}

extension JSONValue {
  /// Returns true if this is the same composition, as the tracks of both kinds show it.
  fileprivate func isSameStack(as other: JSONValue) -> Bool {
    if let name = self["name"]?.stringValue, !name.isEmpty {
      return other["name"]?.stringValue == name
    }
    return self["children"] == other["children"]
  }
}
