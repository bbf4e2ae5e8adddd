import LibAV
import SystemIO

extension StoredTrack {
  /// Returns true if packets have all times that a file needs. Otherwise times come from the index,
  /// in which no picture is decoded after it is shown.
  func hasTimesInPackets(interrupt: Interrupt) throws(EngineError) -> Bool {
    guard try mayLackTimes(interrupt: interrupt) else { return true }
    let index = try index(interrupt: interrupt)
    return !index.hasRestoredTimes && index.hasOrderlyDecodeTimes
  }

  /// Checks that presentation times are known, without which a file can't be written. Called before
  /// pictures are copied.
  ///
  /// - Throws: `operationNotSupportedForAsset`.
  func requireOrder(interrupt: Interrupt) throws(EngineError) {
    guard try mayLackTimes(interrupt: interrupt) else { return }
    let index = try index(interrupt: interrupt)
    guard !index.isReliable, !index.isEmpty else { return }
    throw EngineError(
      .operationNotSupportedForAsset,
      "The \(stream.parameters.codecName) of '\(path)' can't be copied: neither the container nor the "
        + "pictures show in which order and when they are shown",
      advice: .encodeDecodedPictures,
      path: path, stage: .index)
  }

  private func mayLackTimes(interrupt: Interrupt) throws(EngineError) -> Bool {
    guard stream.mayReorder else { return false }
    return try source.open(interrupt: interrupt).demuxer.mayLackTimes(of: stream)
  }
}

extension DemuxerTraits {
  /// Returns true if samples of a stream may lack a presentation time, or have a decode time after
  /// it.
  fileprivate func mayLackTimes(of stream: StreamInfo) -> Bool {
    guessesPresentationTimes || statedTimes == .some || hasMovieHeader
      // Tracks for Video for Windows: a block's time isn't the presentation time of its picture.
      || randomAccess == .cues && stream.parameters.codecTag != 0
  }
}
