import LibAV
import MediaTime
import SystemIO

/// Samples that were appended to an input and are written unchanged.
final class AppendedPackets: PacketStream {
  /// The time base of their stream.
  let timeBase: TimeBase
  private let queue: PushedSamples
  private let session: WritingSession
  private let interrupt: Interrupt
  private let media: MediaFormat
  /// True where a container can hide the samples before the session; otherwise they aren't written.
  private let hidesStart: Bool
  private var hasBegun = false
  /// A sample that is written once the next one, and so its duration, is known.
  private var held: SampleBuffer?
  private var lastDuration: Time?
  /// The decoder's configuration of the first sample that states one.
  private var configuration: [UInt8]?
  private let packet: Handoff<Packet>

  init(
    _ queue: PushedSamples, in session: WritingSession, of media: MediaFormat, timeBase: TimeBase,
    hidesStart: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    packet = try mapErrors(.write) { () throws(LibAVError) in Handoff(try Packet()) }
    (self.queue, self.session, self.media) = (queue, session, media)
    (self.timeBase, self.hidesStart) = (timeBase, hidesStart)
    self.interrupt = interrupt
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await queue.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { queue.waitBlocking(interrupt: interrupt) }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    let (due, next): (SampleBuffer?, SampleBuffer?)
    switch queue.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let sample): (due, next) = (held, sample)
    case .end:
      guard let held else { return .end }
      (due, next) = (held, nil)
    }
    held = next
    guard let due, try fill(&packet.value, with: due, next: next) else { return .skipped }
    return .element(packet)
  }

  /// Makes a packet of a sample. Returns false for a sample that isn't written.
  private func fill(
    _ packet: inout Packet, with sample: SampleBuffer, next: SampleBuffer?
  ) throws(EngineError) -> Bool {
    try requireConfiguration(of: sample)
    let range = session.range
    let decodeTime = sample.decodeTime ?? sample.presentationTime
    var duration = sample.duration
    if !duration.isNumeric || duration <= .zero {
      let following = next.map { ($0.decodeTime ?? $0.presentationTime) - decodeTime }
      duration = following ?? lastDuration ?? .zero
    }
    lastDuration = duration
    if !hidesStart, !hasBegun {
      let isBefore = sample.presentationTime + duration <= range.start
      // The decoder of audio begins with samples before zero (priming).
      let isPriming = media.kind == .audio && range.start <= .zero
      guard !isBefore || isPriming, media.kind != .video || sample.attachments.notSync != true
      else {
        return false
      }
    }
    if range.duration.isNumeric, decodeTime >= range.end, media.kind != .video { return false }
    hasBegun = true
    try mapErrors(.write) { () throws(LibAVError) in
      try packet.fill(with: sample, lasting: duration, from: range.start, in: timeBase)
    }
    if media.parameters.isCharacters, packet.foreignText(of: media) != nil {
      throw EngineError(
        .unsupportedOutputSettings,
        "The text at \(sample.presentationTime.shortSeconds) isn't UTF-8, which containers require",
        advice: .appendAsUTF8)
    }
    packet.setDisposable(sample.attachments.isDependedOnByOthers == false)
    try mapErrors(.write) { () throws(LibAVError) in
      for data in sample.sideData { try packet.add(data) }
    }
    try trim(&packet, sample.attachments)
    return true
  }

  /// - Throws: `unsupportedOutputSettings` where the format changes: a track that is written has one.
  private func requireConfiguration(of sample: SampleBuffer) throws(EngineError) {
    let codec = media.parameters.codecName
    guard let own = sample.format?.extradata, !CodecTraits(codec).samplesConfigureDecoder else {
      return
    }
    guard let first = configuration, first != own else {
      configuration = own
      return
    }
    throw EngineError(
      .unsupportedOutputSettings,
      "The format of the samples changes at \(sample.presentationTime.shortSeconds), and a track that is "
        + "written has one",
      advice: .separateFormats)
  }

  /// Marks the samples of an audio packet that aren't presented.
  private func trim(
    _ packet: inout Packet, _ attachments: SampleAttachments
  ) throws(EngineError) {
    guard media.kind == .audio, media.parameters.sampleRate > 0 else { return }
    func samples(_ time: Time?) -> Int {
      let rate = TimeBase(1, Int32(clamping: media.parameters.sampleRate))
      return Int(clamping: time?.ticks(in: rate, rounding: .halfAwayFromZero) ?? 0)
    }
    let (start, end) = (
      samples(attachments.trimDurationAtStart), samples(attachments.trimDurationAtEnd)
    )
    guard start > 0 || end > 0 else { return }
    try mapErrors(.write) { () throws(LibAVError) in
      try packet.setSkippedSamples(start: start, end: end)
    }
  }
}
