import MediaTime
import Synchronization
import SystemIO

/// The pictures of an output while time stands, made as the image generator makes images: no more is decoded than the
/// wanted frame needs.
struct StillPictures {
  let decoder: ImageDecoder
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
  /// Returns the picture of a place; nil where nothing is shown.
  func still(
    of output: VideoOutput, _ facts: ItemFacts, _ place: ItemPlace, interrupt: Interrupt
  ) async throws(EngineError) -> OutputPicture? {
    guard let start = place.frameStart, let end = place.frameEnd else { return nil }
    let key = ObjectIdentifier(output)
    if let known = stills[key], known.version == facts.version {
      if let last = known.last, last.itemTimeForDisplay == start { return last }
    } else {
      let content = ItemPresentation(
        presented: facts.presentation, content: output.item.asset.media.content)
      let decoder = ImageDecoder(asset: content, configuration: output.drawing, size: output.size)
      stills[key] = StillPictures(decoder: decoder, version: facts.version)
    }
    guard let decoder = stills[key]?.decoder else { return nil }
    let settings = output.configuration
    let image = ImageOutput(
      format: settings.format, quality: settings.quality, destination: settings.destination)
    let made = Mutex<Result<GeneratedImage, EngineError>?>(nil)
    try await decoder.run([.shown(at: start)], output: image, interrupt: interrupt) { _, result in
      made.withLock { $0 = result }
    }
    guard let result = made.withLock({ $0 }) else { return nil }
    let found = try result.get()
    let picture = OutputPicture(
      image: found, itemTimeForDisplay: start, duration: max(.zero, end - start),
      sampleIndex: place.sampleIndex)
    stills[key]?.last = picture
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
