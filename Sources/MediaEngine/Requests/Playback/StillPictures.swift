import MediaTime
import Synchronization
import SystemIO

/// The pictures of an output while time stands, made as the image generator makes images: no more is decoded than the
/// wanted frame needs.
struct StillPictures {
  let decoder: ImageDecoder
  /// The interrupt of the decoder's demuxer, which stays open from one picture to the next. An interrupted request
  /// triggers it, so that a read that is in progress ends; the next picture is made by another decoder then.
  let lifetime: Interrupt
  /// The version of the item's pictures.
  let version: Int
  /// The picture that was made last, not yet returned.
  var last: OutputPicture?
}

/// The presentation of an item as an asset, with the item's settings applied.
private struct ItemPresentation: PresentationSource {
  let presented: Presentation
  let content: any PresentationSource

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation { presented }
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation {
    presented
  }
  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    try content.preciseDuration(interrupt: interrupt)
  }
  // The index is there when an item is ready.
  var prefersPreciseTiming: Bool { true }
  var configuration: EngineConfiguration { content.configuration }
  var files: [String] { content.files }
  var isWaitingForBytes: Bool { content.isWaitingForBytes }
}

extension PlayerRunner {
  /// The number of outputs with such a decoder, which has the file open.
  var stillCount: Int { stills.count }

  /// Returns the picture of a place; nil where nothing is shown.
  func still(
    of output: VideoOutput, _ facts: ItemFacts, _ place: ItemPlace, interrupt: Interrupt
  ) async throws(EngineError) -> OutputPicture? {
    guard let start = place.frameStart, let end = place.frameEnd else { return nil }
    let key = ObjectIdentifier(output)
    if let known = stills[key], known.version == facts.version, !known.lifetime.isTriggered {
      if let last = known.last, last.itemTimeForDisplay == start { return last }
    } else {
      let content = ItemPresentation(
        presented: facts.presentation, content: output.item.asset.media.content)
      let decoder = ImageDecoder(asset: content, configuration: output.drawing, size: output.size)
      stills[key] = StillPictures(
        decoder: decoder, lifetime: Interrupt(parent: lifetime), version: facts.version)
    }
    guard let (decoder, open) = stills[key].map({ ($0.decoder, $0.lifetime) }) else { return nil }
    let ending = interrupt.whenTriggered { open.trigger() }
    defer { ending.end() }
    let settings = output.configuration
    let image = ImageOutput(
      format: settings.format, quality: settings.quality, destination: settings.destination)
    let made = Mutex<Result<GeneratedImage, EngineError>?>(nil)
    do throws(EngineError) {
      try await decoder.run(
        [.shown(at: start)], output: image, interrupt: Interrupt(parent: open)
      ) { _, result in
        made.withLock { $0 = result }
      }
    } catch {
      // Another request of the same output may have ended the decoder.
      guard error.isCancellation, open.isTriggered, !interrupt.isTriggered, !lifetime.isTriggered
      else { throw error }
      return try await still(of: output, facts, place, interrupt: interrupt)
    }
    guard let result = made.withLock({ $0 }) else { return nil }
    let found = try result.get()
    let picture = OutputPicture(
      image: found, itemTimeForDisplay: start, duration: max(.zero, end - start),
      sampleIndex: place.sampleIndex)
    if stills[key]?.version == facts.version { stills[key]?.last = picture }
    // Time may run by now, and the output or its item may be gone.
    if !player.isPaused || output.isClosed || player.currentItem !== output.item {
      stills[key] = nil
    }
    return picture
  }

  /// Answers a request for a picture while time stands.
  func copyStill(
    of output: VideoOutput, _ facts: ItemFacts, at time: Time, onlyIfNew: Bool,
    _ given: OutputAnswer
  ) async throws(EngineError) -> OutputAnswer {
    var answer = given
    let interrupt = lifetime
    let place = try await WorkLimiter.shared.run(player.priority, interrupt: interrupt) {
      () throws(EngineError) in
      try facts.place(at: time, before: .zero, after: .zero, interrupt: interrupt)
    }
    guard let start = place.frameStart else {
      answer.reason = OutputAnswer.Reason.none
      return answer
    }
    let taken = VideoOutput.Taken(
      revision: answer.revision, version: facts.version, start: start,
      sampleIndex: place.sampleIndex)
    answer = try await give(taken, by: output, onlyIfNew: onlyIfNew, answer) {
      (runner) async throws(EngineError) in
      try await runner.still(of: output, facts, place, interrupt: interrupt)
    }
    // The caller owns the picture now.
    if answer.picture != nil { stills[ObjectIdentifier(output)]?.last = nil }
    return answer
  }
}
