import LibAV
import MediaTime
import Synchronization
import SystemIO

/// One input of a writer, which becomes a track of its file (AVAssetWriterInput).
public final class AssetWriterInput: Sendable {
  public let mediaType: MediaType
  /// Its place among the writer's inputs.
  public let index: Int
  let configuration: AssetWriterConfiguration.Input
  let queue: PushedSamples
  private let writer: WriterState
  /// The latest time that was appended.
  private let lastTime = Mutex<Time?>(nil)
  /// The latest time at which a sample that was appended is presented.
  private let latest = Mutex<Time?>(nil)
  private let order = ArrivalOrder()
  /// Calls wait here for each other.
  private let line = WorkLimiter(slots: 1)

  /// What waits at most to be encoded or copied, in bytes: of what is made for the writer, and of what is recorded.
  private static let capacity = 16 << 20
  private static let realTimeCapacity = 64 << 20
  /// How long a call without a limit waits for another input to get samples.
  private static let patience = Duration.seconds(5)

  init(_ configuration: AssetWriterConfiguration.Input, index: Int, of writer: WriterState) {
    self.configuration = configuration
    self.index = index
    self.writer = writer
    mediaType = configuration.mediaType
    queue = PushedSamples(
      capacity: configuration.expectsMediaDataInRealTime
        ? Self.realTimeCapacity : Self.capacity)
  }

  /// A turn among those who get samples ready for this input, in the order in which they come.
  package func arrive() -> ArrivalOrder.Turn { order.arrive() }

  /// The latest time at which a sample that was appended is presented; nil before the first.
  var latestTime: Time? { latest.withLock(\.self) }

  /// How many samples it has taken.
  public var appended: Int { queue.appended }

  /// Whether a sample is taken without waiting (AVAssetWriterInput.isReadyForMoreMediaData).
  public var isReadyForMoreMediaData: Bool { writer.isTaking && queue.isReady }

  /// The place of the input that has to get samples before this one can; nil while none has to.
  public var waitsFor: Int? { queue.isReady ? nil : writer.inputHoldingBack(index) }

  /// What became of samples that were to be appended.
  public struct Appended: Sendable {
    /// How many were taken, from the first on.
    public var count: Int
    public var isReadyForMoreMediaData: Bool
    /// The place of the input that has to get samples first.
    public var waitsFor: Int?
  }

  /// Appends samples, in the order of calls, and waits until the input has taken them.
  ///
  /// - Parameters:
  ///   - waits: false takes what there is room for.
  ///   - timeout: how long it waits; nil for as long as the writer is at work, and a few seconds where it is
  ///     another input that has to get samples first.
  ///   - taking: called with the place of each sample that was taken.
  /// - Throws: `operationNotAllowed` out of a session, `unsupportedOutputSettings` for a sample that can't be
  ///   one of this input's, of which then none is taken, `operationCancelled`, and what the writer has
  ///   failed of.
  @discardableResult
  public func append(
    _ samples: [SampleBuffer], waits: Bool = true, timeout: Duration? = nil,
    taking: @Sendable (Int) -> Void = { _ in }
  ) async throws(EngineError) -> Appended {
    try await withTaskInterrupt(parent: writer.interrupt) { interrupt throws(EngineError) in
      do throws(EngineError) {
        try await line.enter(interrupt: interrupt)
      } catch {
        try writer.requireTaking("append to", self)
        throw error
      }
      defer { line.leave() }
      try writer.requireTaking("append to", self)
      try check(samples)
      let deadline = timeout.map { ContinuousClock.now + $0 }
      var count = 0
      for sample in samples {
        guard try await take(sample, waits, until: deadline, interrupt) else { break }
        taking(count)
        count += 1
      }
      return Appended(
        count: count, isReadyForMoreMediaData: isReadyForMoreMediaData,
        waitsFor: count < samples.count ? waitsFor : nil)
    }
  }

  /// Appends samples whether there is room or not.
  func appendInAnyCase(_ samples: [SampleBuffer]) throws(EngineError) {
    try writer.requireTaking("append to", self)
    try check(samples)
    for sample in samples where queue.append(sample, inAnyCase: true) { remember(sample) }
  }

  /// - Returns: false when there was no room in time.
  private func take(
    _ sample: SampleBuffer, _ waits: Bool, until deadline: ContinuousClock.Instant?,
    _ interrupt: Interrupt
  ) async throws(EngineError) -> Bool {
    while !queue.append(sample) {
      if interrupt.isTriggered {
        try writer.requireTaking("append to", self)
        throw .cancelled("Appending")
      }
      try writer.requireTaking("append to", self)
      guard waits else { return false }
      guard let room = queue.roomSignal() else { continue }
      let end = deadline ?? ContinuousClock.now + Self.patience
      let timer = Task {
        try? await Task.sleep(until: end)
        room.fire(false)
      }
      let hasRoom = await room.wait(orUntil: interrupt)
      timer.cancel()
      guard hasRoom || interrupt.isTriggered || (deadline == nil && waitsFor == nil) else {
        return false
      }
    }
    remember(sample)
    return true
  }

  private func remember(_ sample: SampleBuffer) {
    if let time = orderedTime(of: sample) { lastTime.withLock { $0 = time } }
    latest.withLock { $0 = max($0 ?? sample.presentationTime, sample.presentationTime) }
  }

  /// The time that has to rise; nil where there is none: samples as stored are in decode order.
  private func orderedTime(of sample: SampleBuffer) -> Time? {
    if case .stored = configuration.treatment, mediaType == .video { return sample.decodeTime }
    return sample.presentationTime
  }

  /// - Throws: `unsupportedOutputSettings` for a sample that isn't one of this input's.
  private func check(_ samples: [SampleBuffer]) throws(EngineError) {
    var last = lastTime.withLock(\.self)
    for (place, sample) in samples.enumerated() {
      func refusal(_ what: String, _ advice: EngineError.Advice) -> EngineError {
        EngineError(
          .unsupportedOutputSettings,
          "Sample \(place) of \(samples.count) for the \(mediaType.rawValue) input \(what)",
          advice: advice)
      }
      let time = orderedTime(of: sample)
      guard time?.isNumeric ?? true, sample.presentationTime.isNumeric else {
        throw refusal("has no numeric time", .giveTimes)
      }
      if let last, let time, time < last || (time == last && mediaType == .video) {
        throw refusal(
          "is at \(time.secondsDescription), and the one before it at \(last.secondsDescription)",
          .appendInOrder)
      }
      last = time ?? last
      switch (configuration.treatment, sample.content) {
      case (.video, .picture): _ = try PushedPicture(sample)
      case (.audio, .audio(let audio)):
        let size = audio.frames * audio.bytesPerSample * audio.channels
        guard AudioLayout(audio) != nil, audio.frames >= 0, sample.data.count >= size else {
          throw refusal("has other bytes than it states", .stateSampleFormat)
        }
      case (.text, .text), (.stored, .stored): break
      default:
        throw refusal(
          "holds something else than the input takes",
          .appendWhatFits)
      }
    }
  }

  /// No more samples come; other inputs wait for it no more (AVAssetWriterInput.markAsFinished).
  ///
  /// - Throws: `operationNotAllowed` for a writer that doesn't write.
  public func markAsFinished() throws(EngineError) {
    try writer.requireWriting("mark an input as finished of")
    queue.finish()
  }

  /// Has `action` called whenever the input takes samples again, and at once if it does
  /// (AVAssetWriterInput.requestMediaDataWhenReady).
  public func whenReady(_ action: @escaping @Sendable () -> Void) { queue.observeRoom(action) }

  /// - Throws: `operationNotAllowed` for a writer that doesn't write.
  package func requireWriting() throws(EngineError) {
    try writer.requireWriting("request media data of")
  }
}
