import LibAV
import MediaTime

/// The timecodes that an export's tracks begin with.
struct ExportTimecodes {
  /// The asset's tracks.
  let tracks: [TrackInfo]
  /// The start of the export in the asset.
  let start: Time
  /// The durations of frames that are encoded with one length, by the numbers of their tracks.
  var frameDurations: [Int32: Time] = [:]

  /// A timecode that is stated for a time of a track.
  private struct Moment {
    let text: String
    let time: Time
    /// The rate at which it counts.
    let rate: Rational
  }

  /// The timecode of the first frame of a video track; nil where there is none, and where it can't be known.
  func text(of info: TrackInfo) -> String? {
    guard let moment = moments(of: info).first else { return nil }
    guard let count = TimecodeCount(moment.text, framesPerSecond: moment.rate) else {
      return moment.time == .zero ? moment.text : nil
    }
    return count.advanced(by: moment.time).text(framesPerSecond: rate(of: info))
  }

  /// A timecode of the whole asset, at the start of the export; nil where its rate isn't known.
  func text(ofAsset text: String) -> String? {
    guard start != .zero else { return text }
    guard let info = tracks.preferred(.video),
      let count = TimecodeCount(text, framesPerSecond: rate(of: info))
    else { return nil }
    return count.advanced(by: start).text(framesPerSecond: rate(of: info))
  }

  /// True for a text that is a timecode at the rate of a track.
  func counts(_ text: String, of info: TrackInfo) -> Bool {
    TimecodeCount(text, framesPerSecond: rate(of: info)) != nil
  }

  /// The reason why a timecode of a track isn't in the file that begins with another one; nil where none is lost.
  func loss(of info: TrackInfo) -> String? {
    let moments = moments(of: info)
    guard info.settings != nil else {
      return moments.first != nil && text(of: info) == nil ? "its frame rate isn't known" : nil
    }
    guard let first = moments.first,
      let begin = TimecodeCount(first.text, framesPerSecond: first.rate)
    else { return Self.isStated(in: info) ? "only a part that isn't the first one has it" : nil }
    let goesOn = zip(moments, parts(of: info)).allSatisfy { moment, part in
      guard let count = TimecodeCount(moment.text, framesPerSecond: moment.rate) else {
        return false
      }
      let passed = part.mapping.target.start - max(start, parts(of: info)[0].mapping.target.start)
      let expected = begin.advanced(by: first.time + max(.zero, passed))
      return count.advanced(by: moment.time).text(framesPerSecond: first.rate)
        == expected.text(framesPerSecond: first.rate)
    }
    return goesOn && moments.count == parts(of: info).count
      ? nil : "it continues that of the first part, and those of other parts are lost"
  }

  private static func isStated(in info: TrackInfo) -> Bool {
    info.timeline.partFormats.contains { $0.stream?.timecode != nil }
  }

  /// The parts of a composition's track that are shown from the start on.
  private func parts(of info: TrackInfo) -> [TrackTimeline.Part] {
    info.timeline.parts.filter { part in
      guard !part.isEmpty, !part.isIdentity else { return false }
      return part.mapping.target.end > start
    }
  }

  /// The timecodes of a track: of a file's one, at the start; of a composition's one for each part that begins with
  /// one.
  private func moments(of info: TrackInfo) -> [Moment] {
    guard info.settings != nil else {
      guard let text = info.stream?.timecode else { return [] }
      return [Moment(text: text, time: start, rate: rate(ofTimecodeOf: info))]
    }
    let parts = parts(of: info)
    var moments: [Moment] = []
    for part in parts {
      guard let stream = part.source?.format.stream, let text = stream.timecode else {
        if moments.isEmpty { return [] }
        continue
      }
      let shown = max(start, part.mapping.target.start)
      // The time before the first part counts, too.
      let early = moments.isEmpty ? shown - start : .zero
      moments.append(
        Moment(
          text: text, time: part.assetTime(shown) - early, rate: stream.format.frameRate))
    }
    return moments
  }

  /// The rate at which the file's frames are counted.
  private func rate(of info: TrackInfo) -> Rational {
    if let duration = frameDurations[info.trackID], let rate = Rational(framesOf: duration) {
      return rate
    }
    return info.format.frameRate
  }

  /// The rate of the timecode track, which may count other frames than the track has.
  private func rate(ofTimecodeOf info: TrackInfo) -> Rational {
    let numbers = info.associatedTrackIDs(.timecode)
    guard let track = tracks.first(where: { numbers.contains($0.trackID) }),
      let duration = track.formatDescription.timecode?.frameDuration,
      let rate = Rational(framesOf: duration)
    else { return info.format.frameRate }
    return rate
  }
}

extension MediaFormat {
  /// The rate in frames a second; not positive where it isn't known.
  fileprivate var frameRate: Rational {
    nominalFrameDuration.isNumeric
      ? Rational(framesOf: nominalFrameDuration) ?? averageFrameRate : averageFrameRate
  }
}
