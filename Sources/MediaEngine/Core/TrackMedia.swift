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

  /// Makes the index, if nobody has: ``index(interrupt:)`` takes no time afterwards.
  func prepareIndex(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    try await source.prepareIndexes(interrupt: interrupt)
  }

  /// Why samples are missing before `end`; nil where none are, and before the index is known.
  func damage(before end: Time) -> EngineError? {
    source.damage(ofStream: stream, origin: origin, before: end)
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
