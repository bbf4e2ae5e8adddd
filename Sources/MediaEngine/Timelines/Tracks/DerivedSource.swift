import LibAV
import SystemIO

/// A source that presents the samples of another one otherwise: backward, one of them, or at a changing speed.
///
/// It has neither an index nor stored samples, so that it is decoded wherever it is used.
protocol DerivedSource: TrackSource {
  var base: any TrackSource { get }
}

extension DerivedSource {
  var format: TrackFormat { base.format }
  var stored: StoredTrack? { nil }
  var timing: SampleTiming { .exact }
  var isPlayedForward: Bool { false }
  var isProtected: Bool { base.isProtected }
  var salvages: Bool { base.salvages }

  func requireUnprotected() throws(EngineError) { try base.requireUnprotected() }

  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {
    try await base.prepare(interrupt: interrupt, isolation: isolation)
  }
}
