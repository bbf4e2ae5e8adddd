import LibAV
import MediaTime

/// Reads windows of a track's index, each from the sync sample before a time until it is certain
/// which sample is shown then.
///
/// libavformat's seek is a hint: only the samples that are found at its destination count. Where
/// these leave a doubt there is no window, and the whole file has to be read.
struct IndexWindowReader: ~Copyable {
  private let stream: StreamInfo
  private let access: DemuxerTraits.RandomAccess
  private let source: MediaSource
  private var open: OpenDemuxer
  private var packet: Packet
  /// The latest presentation time of all that was read.
  private var latestTime: Int64?

  /// The maximum number of samples that are read beyond those of a request, up to the next sync
  /// sample: the next request is often for the following samples.
  private static let maximumExcess = 300
  /// The number of positions at which a file without a table is probed, to see whether its time
  /// stamps ascend.
  private static let probeCount: Int64 = 16
  /// The distance of the first attempt before the wanted time where no table leads to a sync
  /// sample, in seconds; it doubles with each attempt.
  private static let firstDistance: Int64 = 2
  /// The number of packets of audio after a seek of bisection that may be pieces of samples, or have the times of
  /// others.
  private static let packetsInDoubt = 64

  init(
    _ stream: StreamInfo, _ access: DemuxerTraits.RandomAccess, of source: MediaSource,
    _ open: consuming OpenDemuxer
  ) throws(LibAVError) {
    self.stream = stream
    self.access = access
    self.source = source
    packet = try Packet()
    self.open = open
    self.open.demuxer.select(streams: [stream.index])
  }

  consuming func finish() -> OpenDemuxer { open }

  /// Returns the window that answers a request.
  mutating func window(_ request: SampleIndex.WindowRequest) throws(LibAVError) -> Outcome {
    let start = stream.startTime ?? 0
    let second = stream.ticks(perSeconds: 1)
    var distance =
      access == .bisection ? stream.ticks(perSeconds: IndexWindowReader.firstDistance) : 0
    // No demuxer finds a time that lies far after the end.
    let end = stream.duration.map { start.addingReportingOverflow($0).partialValue } ?? .max
    var time = min(request.time, max(start, end))
    while true {
      let (place, overflow) = time.subtractingReportingOverflow(distance)
      guard !overflow, place > start else { return .late }
      guard try seek(to: place) else { return .doubt }
      let outcome = try collect(request)
      guard case .late = outcome else { return outcome }
      // Where the header doesn't state the end, this is it.
      if let latestTime { time = min(time, latestTime) }
      let doubled = max(second, distance).multipliedReportingOverflow(by: 2)
      guard !doubled.overflow else { return .late }
      distance = doubled.partialValue
    }
  }

  /// Returns true if a request is for the start of the track, and the demuxer is there.
  func beginsAtStart(_ request: SampleIndex.WindowRequest) -> Bool {
    open.isAtStart && request.time <= stream.startTime ?? 0
  }

  /// Reads the window for a request near the start of the track, where the demuxer is.
  mutating func firstWindow(_ request: SampleIndex.WindowRequest) throws(LibAVError) -> Outcome {
    try collect(request)
  }

  enum Outcome {
    case window(SampleIndex)
    /// The packets after a seek begin too late: the first packet of the file has to be the first.
    case late
    /// The whole file has to be read.
    case doubt
  }

  private mutating func collect(
    _ request: SampleIndex.WindowRequest
  ) throws(LibAVError) -> Outcome {
    var builder = SampleIndex.Builder()
    builder.reachesStart = open.isAtStart
    builder.reachesEnd = false
    open.isAtStart = false
    // The number of samples after the wanted times, and the number at which the index is examined
    // again.
    var (behind, due) = (0, max(SampleIndex.maximumReordering + 1, request.margin))
    let end = request.end ?? request.time
    var doubtful = builder.reachesStart ? 0 : packetsInDoubt
    while true {
      guard try readNext() else {
        if open.demuxer.damage != nil { return .doubt }
        builder.reachesEnd = true
        return outcome(SampleIndex(builder), request)
      }
      guard let pts = packet.pts else { return .doubt }
      latestTime = max(latestTime ?? pts, pts)
      if builder.samples.isEmpty, !builder.reachesStart {
        // A range from the first sample on is read from the start of the file, as by all of the index.
        let isFirst = request.end != nil && stream.startTime.map { pts <= $0 } ?? false
        if pts > request.time || isFirst { return .late }
        doubtful -= 1
        if doubtful >= 0 || !packet.isKey { continue }
      }
      builder.append(packet)
      guard pts > end else { continue }
      behind += 1
      guard behind >= due else { continue }
      let index = SampleIndex(builder)
      if index.isDiscontinuous { return .doubt }
      let isLongEnough =
        request.end != nil || index.hasSyncSample(after: request.time)
        || behind >= IndexWindowReader.maximumExcess
      if isLongEnough, index.answers(request) { return .window(index) }
      if !index.reachesStart, !index.hasEarlierSamples(before: request) { return .late }
      due += max(SampleIndex.maximumReordering, due / 2)
    }
  }

  private var packetsInDoubt: Int {
    access == .bisection && stream.kind == .audio ? IndexWindowReader.packetsInDoubt : 0
  }

  private func outcome(_ index: SampleIndex, _ request: SampleIndex.WindowRequest) -> Outcome {
    if index.isEmpty, !index.reachesStart { return .late }
    if index.isEmpty || index.isDiscontinuous || !index.isReliable { return .doubt }
    if index.answers(request) { return .window(index) }
    return index.reachesStart ? .doubt : .late
  }

  private mutating func readNext() throws(LibAVError) -> Bool {
    while try open.demuxer.read(into: &packet) {
      if packet.streamIndex == stream.index { return true }
    }
    return false
  }

  /// Seeks to a time; false where libavformat can't get there.
  private mutating func seek(to time: Int64) throws(LibAVError) -> Bool {
    open.isAtStart = false
    do throws(LibAVError) {
      try source.seek(&open.demuxer, in: stream.index, to: time)
      return true
    } catch {
      if error.endsWork { throw error }
      return false
    }
  }

  /// Returns the method by which samples in the middle of the file are found; nil where time stamps
  /// don't ascend all through it, as far as a few probes can show.
  mutating func entryPoint(_ clusters: ClusterSearch) throws(LibAVError) -> IndexWindows.EntryPoint?
  {
    switch access {
    case .none: return nil
    case .cues:
      // They are read by a seek. Some entries are of samples that probing has read.
      let entries =
        try seek(to: stream.startTime ?? 0)
        ? open.demuxer.indexEntries(ofStream: stream.index) : []
      guard let last = entries.last, last.position > clusters.size / 2 else {
        return try asLibAVError(clusters.timesAscend()) ? .clusters : nil
      }
      let isAscending = zip(entries, entries.dropFirst()).allSatisfy {
        $0.time < $1.time && $0.position < $1.position
      }
      return isAscending ? .demuxer : nil
    case .bisection:
      var latest = Int64.min
      for probe in 0..<IndexWindowReader.probeCount {
        open.isAtStart = false
        do throws(LibAVError) {
          try open.demuxer.seek(toByte: clusters.size / IndexWindowReader.probeCount * probe)
        } catch {
          if error.endsWork { throw error }
          return nil
        }
        guard try readNext(), let time = packet.dts ?? packet.pts, time > latest else { return nil }
        latest = time
      }
      return .demuxer
    }
  }
}

extension StreamInfo {
  fileprivate func ticks(perSeconds seconds: Int64) -> Int64 {
    max(1, Time(value: seconds, timescale: 1).ticks(in: timeBase, rounding: .towardZero))
  }
}
