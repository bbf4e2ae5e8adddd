import LibAV
import MediaTime

/// Where the samples of a track are: a stream of a source, and the asset's time zero on its clock.
struct TrackMedia: Sendable {
  let source: MediaSource
  let stream: StreamInfo
  /// The time on the container's clock that is the asset's zero.
  let origin: Time

  var path: String { source.path }

  func index(interrupt: Interrupt) throws(EngineError) -> SampleIndex {
    try source.index(ofStream: stream.index, interrupt: interrupt)
  }

  /// The index, after a look at the sync sample that decoding for `time` begins with: for those who
  /// decide by it what to copy.
  func index(forDecodingAt time: Int64, interrupt: Interrupt) throws(EngineError) -> SampleIndex {
    let index = try index(interrupt: interrupt)
    guard SyncSampleCheck(stream) != nil, !index.isEmpty else { return index }
    let point = index.randomAccessPoint(forPosition: index.position(at: time) ?? 0)
    guard point > 0 else { return index }
    var packets = try PacketReader(media: self, interrupt: interrupt)
    _ = try packets.seek(toRandomAccessPoint: point)
    return packets.index
  }

  /// A time stamp of the stream on the asset's clock.
  func time(_ ticks: Int64) -> Time { Time(ticks: ticks, in: stream.timeBase) - origin }

  /// A length of the stream's clock.
  func duration(_ ticks: Int64) -> Time { Time(ticks: ticks, in: stream.timeBase) }

  /// A time of the asset as a time stamp of the stream.
  func ticks(_ time: Time, rounding: RoundingMethod) -> Int64 {
    (time + origin).ticks(in: stream.timeBase, rounding: rounding)
  }
}
