import LibAV
import SystemIO

/// Decodes the frames of a video track that are shown at requested times.
final class DecodedTrack {
  private(set) var media: StoredTrack
  let lifetime: Interrupt
  private var reader: FrameReader
  /// The frame of the last request.
  private(set) var frame: Frame
  private var ahead: Frame
  private var hasAhead = false
  private var hasFrame = false
  /// The frame before ``frame``, of a track whose frames consist of fields.
  private var previous: Frame
  private var hasPrevious = false
  private let deinterlaces: Bool
  /// True where the decoder's threads share each frame.
  let sharesFrames: Bool
  /// True after a frame of two fields was decoded: the frames before and after a requested one are then decoded, too.
  private var hasFields = false
  /// The time of the last decoded frame that was dropped because it is earlier than the target.
  private var passedTime: Int64?
  private var isAtEnd = false
  /// True while no frame was skipped since decoding began at a random-access point.
  private var isWhole = true
  private var hasDecoded = false
  /// The samples at which to begin decoding, by the random-access points whose frames differ from the index.
  private var alternateOrigins: [Int: Int] = [:]
  /// The target for which ``frame`` was found.
  private var settled: (time: Int64, expected: Int64?)?
  /// The last target for which no frame could be decoded, with the error.
  private var refusal: (time: Int64, expected: Int64?, error: EngineError)?
  /// True if ``frame`` is the first undamaged frame of a track that begins without the references of its first samples.
  private var isFirstWhole = false
  /// The error of a track without any decodable sample.
  private var failure: EngineError?

  /// - Parameters:
  ///   - threads: of one decoder, 1 for a track that is decoded at the same time as others.
  ///   - sharesFrames: true for a few frames at a time.
  ///   - deinterlaces: true if ``withPicture(_:)`` makes progressive frames of frames of two fields.
  init(
    media: StoredTrack, lifetime: Interrupt, threads: Int, sharesFrames: Bool, deinterlaces: Bool
  ) throws(EngineError) {
    self.media = media
    self.lifetime = lifetime
    self.sharesFrames = sharesFrames
    reader = try FrameReader(
      media: media, interrupt: lifetime, threads: threads, sharesFrames: sharesFrames)
    frame = try mapErrors(.decode, Frame.init)
    ahead = try mapErrors(.decode, Frame.init)
    previous = try mapErrors(.decode, Frame.init)
    self.deinterlaces = deinterlaces
  }

  var index: SampleIndex { reader.index }

  /// False if ``frame`` is damaged or lacks references, and decoding from the start of the track would give another
  /// frame. After damage, frames are uncertain up to the next sync sample: a decoder's concealment depends on its
  /// threads and on its earlier input.
  ///
  /// The decoder marks all frames after a sync sample of H.264 that is neither an IDR picture nor a
  /// recovery point; the frame of that sample itself is right.
  var isFrameWhole: Bool {
    if isFirstWhole { return true }
    guard !reader.hasFoundDamage, !reader.hasMissedReferences || isOpenGroup else { return false }
    guard !isFromStart(reader.begin), frame.isCorrupt else { return true }
    return !frame.hasDecodeErrors && frame.pts == index.samples[reader.begin].pts
  }

  private var isOfSyncSample: Bool {
    guard let time = frame.pts, let position = index.position(at: time) else { return false }
    let sample = index.sample(atPosition: position)
    return sample.pts == time && sample.isSync
  }

  /// True if decoding began at an open group of pictures (later samples are shown before its first one), or at a
  /// sample that isn't a sync sample, as in a stream that was cut out of another one.
  private var isOpenGroup: Bool {
    guard index.samples.indices.contains(reader.begin), index.samples[reader.begin].isSync else {
      return true
    }
    let first = index.samples[reader.begin].pts
    return index.samples[reader.begin...].prefix(SampleIndex.maximumReordering + 1).contains {
      $0.pts < first
    }
  }

  /// True if ``frame`` is the target's frame, regardless of the part of the index that isn't known.
  func isCertain(_ target: DecodePlan.Target) -> Bool {
    isFrameWhole && target.expected != nil && isAtTarget(target)
      && (!isOfFields || hasPrevious || isFirst)
  }

  /// True where ``frame`` is deinterlaced into another frame.
  private var isOfFields: Bool {
    deinterlaces && media.stream.format.fieldOrder(of: frame) != .progressive
  }

  /// True if no frame comes before ``frame``.
  private var isFirst: Bool {
    guard let time = frame.pts, index.reachesStart else { return false }
    return index.position(at: time).map { $0 == 0 } ?? true
  }

  /// Calls `use` with ``frame``, or with the progressive frame that deinterlacing makes of it.
  func withPicture<Result>(
    _ use: (borrowing Frame) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard isOfFields else { return try use(frame) }
    let picture: Frame? = try mapErrors(.convert, path: media.path) { () throws(LibAVError) in
      let neighbours = FieldNeighbours(
        previous: hasPrevious ? Handoff(try previous.reference()) : nil,
        current: Handoff(try frame.reference()),
        next: hasAhead ? Handoff(try ahead.reference()) : nil)
      let order = neighbours.order(media.stream.format)
      guard order != .progressive else { return nil }
      return try neighbours.picture(FieldInterpolation(order: order))
    }
    switch consume picture {
    case .some(let picture): return try use(picture)
    case .none: return try use(frame)
    }
  }

  /// Decodes the frames around ``frame``, if it is of two fields.
  private func decodeNeighbours(
    of target: DecodePlan.Target, from planned: Int, _ interrupt: Interrupt
  ) throws(EngineError) {
    guard isOfFields else { return }
    hasFields = true
    if !hasPrevious, !isFirst {
      forgetFrame()
      passedTime = nil
      try find(target, from: planned, interrupt)
    }
    guard !hasAhead, !isAtEnd else { return }
    hasAhead = try reader.next(into: &ahead)
    isAtEnd = !hasAhead
  }

  /// The position of the first sample that is decoded for a target: one before it, where frames are of two fields.
  private func firstPosition(for target: DecodePlan.Target) -> Int? {
    guard hasFields, index.isReliable, let position = index.position(at: target.time) else {
      return nil
    }
    return max(0, position - media.stream.format.samplesBeforeInterlaced)
  }

  /// Continues with another part of the track's index.
  func use(_ media: StoredTrack) throws(EngineError) {
    guard !media.hasSameIndex(as: self.media) else { return }
    let first = index.samples.indices.contains(reader.begin) ? index.samples[reader.begin] : nil
    self.media = media
    try reader.use(media)
    (alternateOrigins, settled, refusal, failure) = ([:], nil, nil, nil)
    let place = first.flatMap { first in
      index.decodeIndex(pts: first.pts, dts: first.dts, position: first.position)
    }
    reader.begin = place ?? 0
    // Where decoding has begun isn't known any more: it begins anew.
    if place == nil {
      (hasFrame, hasAhead, isAtEnd, passedTime) = (false, false, false, nil)
      hasPrevious = false
    }
  }

  /// The presentation time of ``frame``, in ticks.
  var currentTime: Int64? { hasFrame ? frame.pts : nil }

  /// Decodes until ``frame`` is the one shown at the target's time.
  ///
  /// The first frame that is decoded from a random-access point must not be later than the target, and must have its
  /// references (it may lack them after a recovery point, ITU-T H.264 D.2.8). Otherwise decoding begins at an earlier
  /// point. The distance doubles with each step, so that a damaged file costs no more than one pass or two. A frame that
  /// is still damaged after three steps is returned as it is. The last point is stored, and used for other frames of
  /// the same region.
  func decode(
    _ target: DecodePlan.Target, from planned: Int, interrupt: Interrupt
  ) throws(EngineError) {
    if let failure { throw failure }
    isFirstWhole = false
    if let refusal, refusal.time == target.time, refusal.expected == target.expected {
      throw refusal.error
    }
    if hasFrame, let settled, settled == (target.time, target.expected) { return }
    settled = nil
    do throws(EngineError) {
      try find(target, from: planned, interrupt)
      try decodeNeighbours(of: target, from: planned, interrupt)
    } catch {
      let isUndecodable = error.stage == .decode && !error.isCancellation
      if isUndecodable { refusal = (target.time, target.expected, error) }
      if isUndecodable, reader.begin == 0, reader.isDrained, !hasDecoded { failure = error }
      throw error
    }
    settled = (target.time, target.expected)
  }

  private func find(
    _ target: DecodePlan.Target, from planned: Int, _ interrupt: Interrupt
  ) throws(EngineError) {
    // A sync sample of the plan may have turned out since to be none.
    let first = firstPosition(for: target)
    let planned = first.map { index.randomAccessPoint(forPosition: $0) } ?? planned
    let isPoint = !index.samples.indices.contains(planned) || index.samples[planned].isSync
    let origin = isPoint ? planned : index.randomAccessPoint(forSample: planned)
    let start = alternateOrigins[origin] ?? origin
    let isAlternate = alternateOrigins[origin] != nil
    let earliest = first.map { index.sample(atPosition: $0).pts } ?? target.expected
    var hint = SeekHint(skipsBefore: isAlternate ? nil : earliest)
    // Decoding continues from the current frame, unless the target lies before it or its region is yet to come.
    if reader.leads(
      from: currentTime ?? passedTime, to: target.time, ratherThanFrom: start,
      isThere: isAtTarget(target))
    {
      let isFound = try advance(to: target, hint, interrupt)
      if isFound, isReached(target) && isUsable(from: start) || isAlternate && isWhole { return }
    }
    // A sync sample needs nothing that follows, unless that is its second field.
    if !isAlternate, first == nil, index.samples.indices.contains(start),
      index.samples[start].pts == target.expected, !media.stream.format.mayStoreFields
    {
      hint.last = target.expected
    }
    var wanted: Int? = start
    var step = 1
    while let planned = wanted {
      let point = try restart(at: planned)
      if try advance(to: target, hint, interrupt), isReached(target), isUsable(from: point) {
        return
      }
      if hint.skipsBefore != nil, !isReached(target) {
        // Not every frame had the time that the file states: once more, with all of them.
        hint = SeekHint()
        continue
      }
      alternateOrigins[origin] = point
      if hasFrame, isAlternate || isUsable(from: point) || step > 4 { return }
      wanted = randomAccessPoint(before: point, step)
      step *= 2
    }
    if !hasFrame, hasAhead, target.expected == nil {
      // Without presentation times in the file the index can begin before the first frame does.
      swap(&frame, &ahead)
      (hasFrame, hasAhead) = (true, false)
    }
    if hasFrame { return }
    throw .nothingDecoded(
      of: media, "for the wanted time", refusal: reader.refusal)
  }

  /// Decodes the first frame of the track that isn't damaged: a stream that was cut out of another one
  /// begins with frames whose references are missing.
  ///
  /// - Parameter target: the first sample that is shown.
  func decodeFirst(
    _ target: DecodePlan.Target, from start: Int, interrupt: Interrupt
  ) throws(EngineError) {
    do throws(EngineError) {
      try decode(target, from: start, interrupt: interrupt)
      if !frame.isCorrupt {
        isFirstWhole = isOfSyncSample
        return
      }
    } catch {
      if error.code != .undecodableMediaData { throw error }
    }
    _ = try restart(at: start)
    settled = nil
    for _ in 0..<Self.damagedFramesAtStart {
      if interrupt.isTriggered { throw .cancelled("The image") }
      guard try reader.next(into: &ahead) else { break }
      guard !ahead.isCorrupt, let time = ahead.pts, time >= target.time else { continue }
      swap(&frame, &ahead)
      hasFrame = true
      isFirstWhole = true
      return
    }
    // None is whole: the first one is shown as it is, as any other damaged frame.
    try decode(target, from: start, interrupt: interrupt)
  }

  /// The maximum number of frames at the start of a stream that can't be decoded: more than groups usually have.
  private static let damagedFramesAtStart = 600

  private func restart(at point: Int) throws(EngineError) -> Int {
    isAtEnd = false
    forgetFrame()
    ahead.clear()
    hasAhead = false
    hasPrevious = false
    passedTime = nil
    isWhole = true
    return try reader.seek(to: point)
  }

  /// Frames are large: none is retained that can't be the result, so that the decoder has its memory.
  private func forgetFrame() {
    frame.clear()
    hasFrame = false
  }

  private func isAtTarget(_ target: DecodePlan.Target) -> Bool {
    hasFrame && frame.pts == target.expected
  }

  /// False where the index knows which frame it should have been, and it is another.
  private func isReached(_ target: DecodePlan.Target) -> Bool {
    target.expected == nil || isAtTarget(target)
  }

  /// The random-access point `count` points before `point`, or the start of the track; nil at the start.
  private func randomAccessPoint(before point: Int, _ count: Int) -> Int? {
    guard point > 0 else { return nil }
    var earlier = point
    for _ in 0..<count where earlier > 0 {
      earlier = reader.index.randomAccessPoint(before: earlier) ?? 0
    }
    return earlier
  }

  /// A frame decoded without its references can't be trusted, unless there is no earlier start.
  private func isUsable(from start: Int) -> Bool { isFromStart(start) || !frame.isCorrupt }

  private func isFromStart(_ start: Int) -> Bool { start == 0 && index.reachesStart }

  /// Moves on to the last frame that is not after the target; false when there is none.
  private func advance(
    to target: DecodePlan.Target, _ hint: SeekHint, _ interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    while true {
      if interrupt.isTriggered { throw .cancelled("The image") }
      if hasFrame {
        if let expected = target.expected, frame.pts == expected { return true }
        if hasAhead, let next = ahead.pts, next > target.time { return true }
        if let limit = hint.skipsBefore, let time = frame.pts, time < limit {
          passedTime = time
          forgetFrame()
          hasPrevious = false
        }
      }
      if !hasAhead {
        if isAtEnd { return hasFrame }
        if hint.skipsBefore != nil { isWhole = false }
        guard try reader.next(into: &ahead, hint: hint) else {
          isAtEnd = true
          continue
        }
        (hasAhead, hasDecoded) = (true, true)
      }
      if let next = ahead.pts, next > target.time, !hasFrame { return false }
      if let next = ahead.pts, next > target.time { return true }
      if deinterlaces, hasFrame {
        swap(&previous, &frame)
        hasPrevious = true
      }
      swap(&frame, &ahead)
      (hasFrame, hasAhead) = (true, false)
    }
  }
}
