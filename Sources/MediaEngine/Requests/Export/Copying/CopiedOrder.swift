import LibAV
import SystemIO

extension StoredTrack {
  /// True where a packet as it is read has all times that a file is written with; else they come from the
  /// index, in which no picture is decoded after it is shown.
  func hasTimesInPackets(interrupt: Interrupt) throws(EngineError) -> Bool {
    guard try mayLackTimes(interrupt: interrupt) else { return true }
    let index = try index(interrupt: interrupt)
    return !index.hasRestoredTimes && index.hasOrderlyDecodeTimes
  }

  /// Called before pictures are copied: a file can't be written without knowing when they are shown.
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
  /// Whether samples of a stream may come without a presentation time, or with a decode time after it.
  fileprivate func mayLackTimes(of stream: StreamInfo) -> Bool {
    guessesPresentationTimes || statedTimes == .some || hasMovieHeader
      // Tracks for Video for Windows: a block's time isn't when its picture is shown.
      || randomAccess == .cues && stream.parameters.codecTag != 0
  }
}
