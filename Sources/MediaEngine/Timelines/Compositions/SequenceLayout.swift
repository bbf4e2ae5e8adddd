import MediaTime

/// The time and place of each part of a sequence, and all that is wrong with it.
///
/// A clip begins where the previous one ends, or earlier by the duration of that one's transition
/// to it.
struct SequenceLayout {
  struct PlacedClip {
    let clip: ClipSequence.Clip
    /// Nil for a gap.
    let facts: ClipSequence.SourceFacts?
    /// The part of the source that is shown; invalid for a gap.
    let source: TimeRange
    let target: TimeRange
    /// 0 or 1: clips that overlap are in different tracks.
    let lane: Int
    /// The transitions from the previous clip and to the next one; nil for a cut.
    let entrance, exit: ClipSequence.Transition?
    let clock: SequenceClock

    /// Returns the part of a track that is shown, and when; nil when there is none.
    private func piece(of track: ClipSequence.SourceFacts.Track?) -> SequencePace.Piece? {
      guard let track else { return nil }
      if facts?.isStill == true {
        return .init(mapping: TimeMapping(source: track.timeRange, target: target))
      }
      if clip.freeze != nil { return .init(mapping: TimeMapping(source: source, target: target)) }
      return pace.piece(of: track, in: source, at: target)
    }

    private var pace: SequencePace { SequencePace(clip.speed, clip.speedRamp, clock) }

    /// The durations of the transitions; 0 for a cut.
    var fadeIn: Time { entrance?.duration ?? .zero }
    var fadeOut: Time { exit?.duration ?? .zero }
    /// The ranges of the transitions; empty for a cut.
    var entranceRange: TimeRange { TimeRange(start: target.start, duration: fadeIn) }
    var exitRange: TimeRange { TimeRange(start: target.end - fadeOut, end: target.end) }

    var videoPiece: SequencePace.Piece? { piece(of: facts?.video) }
    var audioPiece: SequencePace.Piece? {
      clip.volume > 0 && clip.freeze == nil ? piece(of: facts?.audio) : nil
    }
    /// Until the next clip begins, so that a track has the subtitles of all clips.
    var subtitlePiece: SequencePace.Piece? {
      guard clip.showsSubtitles,
        var piece = piece(of: facts?.subtitles)
      else { return nil }
      let (shown, end) = (piece.mapping, target.end - fadeOut)
      guard shown.target.start < end else { return nil }
      if shown.target.end > end {
        let cut = clock.settled(end.mapped(from: shown.target, to: shown.source))
        piece.mapping = TimeMapping(
          source: TimeRange(start: shown.source.start, end: cut),
          target: TimeRange(start: shown.target.start, end: end))
      }
      return piece
    }
    var video: TimeMapping? { videoPiece?.mapping }
    var audio: TimeMapping? { audioPiece?.mapping }
    var playback: SegmentPlayback {
      if clip.freeze != nil { return facts?.isStill == true ? .forward : .freeze }
      return pace.playback
    }
  }

  struct PlacedOverlay {
    let overlay: ClipSequence.Overlay
    let facts: ClipSequence.SourceFacts
    let trackID: Int32
    let piece: SequencePace.Piece
    /// Its audio, and the number of its track; nil where it isn't heard.
    let audio: (trackID: Int32, piece: SequencePace.Piece)?
    let playback: SegmentPlayback
    let fadeIn, fadeOut: Time
  }

  struct PlacedAudio {
    let audio: ClipSequence.Accompaniment
    let trackID: Int32
    /// From where on it would be heard, up to its end.
    let target: TimeRange
    let mappings: [TimeMapping]
    let fadeIn, fadeOut: Time
  }

  let clips: [PlacedClip]
  let overlays: [PlacedOverlay]
  let audio: [PlacedAudio]
  /// The end of the clips, and of the whole sequence.
  let end: Time

  /// - Throws: all that is wrong with the sequence.
  init(
    _ sequence: ClipSequence, _ sources: [ClipSequence.Location: ClipSequence.SourceFacts],
    _ clock: SequenceClock
  ) throws(EngineError) {
    var check = SequenceCheck(sources: sources, clock: clock)
    check.check(sequence)
    let clips = check.place(sequence.clips)
    let end = clips.last?.target.end ?? .zero
    if check.problems.isEmpty, !end.isNumeric {
      check.require(false, "/clips", "a duration that a time can be", end.exactDescription)
    }
    self.clips = clips
    self.end = end
    overlays = check.place(sequence.overlays, before: end)
    audio = check.place(sequence.audio, before: end)
    guard check.problems.isEmpty else {
      throw EngineError(check.problems, of: "A sequence of clips")
    }
  }
}

/// The time base of a sequence.
///
/// Times are exact. Where that isn't possible, because they have no common timescale, all are made whole numbers
/// of ``Time/flickTimescale`` first.
struct SequenceClock {
  let isExact: Bool

  /// Converts a time of the sequence or of a source.
  func given(_ time: Time, rounding: RoundingMethod = .halfAwayFromZero) -> Time {
    guard time.isNumeric else { return time }
    let time = isExact ? time : time.converted(toTimescale: Time.flickTimescale, rounding: rounding)
    return Time(value: time.value, timescale: time.timescale).reduced
  }

  /// Converts a time that was computed by a division.
  func settled(_ time: Time) -> Time { isExact ? time : given(time) }

  /// Converts a track's range, never to more than the track covers.
  func given(_ track: ClipSequence.SourceFacts.Track) -> ClipSequence.SourceFacts.Track {
    let range = track.timeRange
    return .init(
      trackID: track.trackID,
      timeRange: TimeRange(
        start: given(range.start, rounding: .towardPositiveInfinity),
        end: given(range.end, rounding: .towardNegativeInfinity)))
  }
}
