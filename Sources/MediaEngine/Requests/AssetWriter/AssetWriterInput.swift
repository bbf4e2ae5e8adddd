import LibAV
import MediaTime
import Synchronization
import SystemIO

/// One input of a writer, which becomes a track of its file (AVAssetWriterInput).
public final class AssetWriterInput: Sendable {
  public let mediaType: MediaType
  /// The index among the writer's inputs.
  public let index: Int
  let configuration: AssetWriterConfiguration.Input
  let queue: PushedSamples
  private let writer: WriterState
  /// The latest decode or presentation time that was appended.
  private let lastTime = Mutex<Time?>(nil)
  /// The latest presentation time of an appended sample.
  private let latest = Mutex<Time?>(nil)
  private let serializer = FIFOSerializer()
  /// Admits one call at a time.
  private let line = WorkLimiter(slots: 1)

  /// The maximum bytes that wait to be encoded or copied: of samples that are made for the writer, and of recorded
  /// ones.
  private static let capacity = 16 << 20
  private static let realTimeCapacity = 64 << 20
  /// The time that a call without a timeout waits for another input to get samples.
  private static let timeout = Duration.seconds(5)

  init(_ configuration: AssetWriterConfiguration.Input, index: Int, of writer: WriterState) {
    self.configuration = configuration
    self.index = index
    self.writer = writer
    mediaType = configuration.mediaType
    queue = PushedSamples(
      capacity: configuration.expectsMediaDataInRealTime
        ? Self.realTimeCapacity : Self.capacity)
  }

  /// Returns a ticket among the callers that prepare samples for this input, in order of arrival.
  package func takeTicket() -> FIFOSerializer.Ticket { serializer.takeTicket() }

  /// The latest presentation time of an appended sample; nil before the first.
  var latestTime: Time? { latest.withLock(\.self) }

  /// The number of samples that were appended.
  public var appended: Int { queue.appended }

  /// True where a sample is appended without waiting (AVAssetWriterInput.isReadyForMoreMediaData).
  public var isReadyForMoreMediaData: Bool { writer.isTaking && queue.isReady }

  /// The index of the input that has to get samples before this one can; nil where there is none.
  public var waitsFor: Int? { queue.isReady ? nil : writer.inputHoldingBack(index) }

  /// The result of appending samples.
  public struct Appended: Sendable {
    /// The number of samples that were appended, from the first on.
    public var count: Int
    public var isReadyForMoreMediaData: Bool
    /// The index of the input that has to get samples first.
    public var waitsFor: Int?
  }

  /// Appends samples, in order of calls, and waits until all of them are in the input's queue.
  ///
  /// - Parameters:
  ///   - waits: false to append only samples for which there is room.
  ///   - timeout: the maximum time to wait; nil for as long as the writer is at work, and a few seconds where another
  ///     input has to get samples first.
  ///   - taking: called with the index of each sample that was appended.
  /// - Throws: `operationNotAllowed` outside of a session, `unsupportedOutputSettings` for a sample that doesn't fit
  ///   this input, where none is appended, `operationCancelled`, and the error of a failed writer.
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

  /// Appends samples, even without room.
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
      let end = deadline ?? ContinuousClock.now + Self.timeout
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

  /// Returns the time that has to increase; nil where there is none: stored samples are in decode order.
  private func orderedTime(of sample: SampleBuffer) -> Time? {
    if case .stored = configuration.treatment, mediaType == .video { return sample.decodeTime }
    return sample.presentationTime
  }

  /// - Throws: `unsupportedOutputSettings` for a sample that doesn't fit this input.
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

  /// Marks the input as finished: other inputs don't wait for it any more (AVAssetWriterInput.markAsFinished).
  ///
  /// - Throws: `operationNotAllowed` for a writer that doesn't write.
  public func markAsFinished() throws(EngineError) {
    try writer.requireWriting("mark an input as finished of")
    queue.finish()
  }

  /// Calls `action` whenever the input is ready for samples again, and at once if it is
  /// (AVAssetWriterInput.requestMediaDataWhenReady).
  public func whenReady(_ action: @escaping @Sendable () -> Void) { queue.observeRoom(action) }

  /// Requires the writer to be writing.
  ///
  /// - Throws: `operationNotAllowed` for a writer that doesn't write.
  package func requireWriting() throws(EngineError) {
    try writer.requireWriting("request media data of")
  }
}
