import LibAV
import MediaTime

extension MediaSource {
  /// True when the header's duration is missing or an estimate.
  func durationNeedsScan(_ container: Container) -> Bool {
    let estimating = [
      "mp3", "aac", "ac3", "eac3", "mpegts", "mpeg", "mpegvideo", "h264", "hevc", "m4v", "amr",
      "amrnb", "amrwb", "dts", "dtshd", "truehd", "obu", "flv", "dv",
    ]
    return container.duration == nil || container.durationIsEstimate
      || estimating.contains(container.formatName)
  }

  /// The asset's duration: what the header says, or with `precise`, and where it says nothing, the
  /// end of the last sample by the index.
  func duration(precise: Bool, interrupt: Interrupt) throws(EngineError) -> Time {
    let container = try open(interrupt: interrupt)
    let needsScan = durationNeedsScan(container)
    if let stated = container.duration, !(precise && needsScan) {
      return exactDuration(stated, container)
    }
    var end = Time.zero
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard !stream.disposition.contains(.attachedPicture) else { continue }
      let index = try index(ofStream: stream.index, interrupt: interrupt)
      guard let last = index.end else { continue }
      end = max(end, Time(ticks: last, in: stream.timeBase) - container.origin)
    }
    return end
  }

  /// The exact time behind libav's microseconds: that of a track or of the movie header's clock,
  /// where one of them rounds to the same number.
  private func exactDuration(_ microseconds: Int64, _ container: Container) -> Time {
    let stated = Time(value: microseconds, timescale: 1_000_000)
    func matches(_ time: Time) -> Bool {
      time.converted(toTimescale: 1_000_000).value == microseconds
        || time.converted(toTimescale: 1_000_000, rounding: .towardZero).value == microseconds
    }
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard let ticks = stream.duration else { continue }
      let duration = Time(ticks: ticks, in: stream.timeBase)
      let start = Time(ticks: stream.startTime ?? 0, in: stream.timeBase) - container.origin
      if let exact = [duration, start + duration].first(where: matches) { return exact }
    }
    for timescale: Int32 in [600, 1000] {
      let candidate = stated.converted(toTimescale: timescale)
      if matches(candidate) { return candidate.withoutRounding }
    }
    return stated
  }

  /// When a track begins and how long it lasts, on the asset's clock.
  func timeRange(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> TimeRange {
    let container = try open(interrupt: interrupt)
    if let start = stream.startTime, let duration = stream.duration {
      return TimeRange(
        start: max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin),
        duration: Time(ticks: duration, in: stream.timeBase))
    }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    guard let start = index.start, let end = index.end else {
      // Not one sample is there, as in a file that is cut short: what the header says.
      let stated = stream.duration.map { Time(ticks: $0, in: stream.timeBase) }
      return TimeRange(start: .zero, duration: stated ?? .zero)
    }
    return TimeRange(
      start: max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin),
      end: Time(ticks: end, in: stream.timeBase) - container.origin)
  }

  /// In bits per second: the container's figure, else the samples' size over their time.
  func dataRate(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> Double {
    if stream.parameters.bitRate > 0 { return Double(stream.parameters.bitRate) }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    let seconds = try timeRange(of: stream, interrupt: interrupt).duration.seconds
    let bytes = index.samples.reduce(0.0) { $0 + Double($1.size) }
    return seconds > 0 ? bytes * 8 / seconds : 0
  }
}

extension Time {
  /// The same number, no longer marked as rounded: for a value found by looking for it.
  var withoutRounding: Time { Time(value: value, timescale: timescale) }
}
