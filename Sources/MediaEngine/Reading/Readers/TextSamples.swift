import LibAV
import MediaTime
import SystemIO

/// The text of subtitles, in the file's order: the samples that are shown within the range, without
/// empty ones.
final class TextSamples: RestartableStream {
  private var clip: TrackClip
  private var packets: PacketReader
  private var decoder: TextDecoder
  private var packet: Packet
  /// The text that no memory was free for.
  private var due: (text: String, start: Time, duration: Time)?

  init(clip: TrackClip) throws(EngineError) {
    self.clip = clip
    packets = try clip.makeTextReader()
    decoder = try mapErrors(.decode, path: clip.path) { () throws(LibAVError) in
      try TextDecoder(clip.stream.format, timeBase: clip.stream.timeBase)
    }
    packet = try mapErrors(.read, path: clip.path, Packet.init)
  }

  func restart(at time: Time) throws(EngineError) {
    clip.range = TimeRange(start: time, end: max(time, clip.range.end))
    clip.damage?.restart(at: time)
    due = nil
    try packets.seek(to: clip.firstText(in: packets.index))
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    while due == nil {
      guard try packets.read(into: &packet) else {
        try clip.damage?.concludeTexts()
        return .end
      }
      let known = packets.index.sample(of: packet)
      let start = clip.media.time(packet.pts ?? known?.pts ?? packet.dts ?? 0)
      let duration = clip.media.duration(known?.duration ?? packet.duration)
      let isPast = clip.range.duration.isNumeric && start >= clip.range.end
      if isPast || start + duration <= clip.range.start { continue }
      guard let text = decode(), !text.isEmpty else { continue }
      due = (text, start, duration)
    }
    guard let (text, start, duration) = due else { return .end }
    let block = try mapErrors(.read, path: clip.path) { () throws(SystemError) in
      try demand.allocator.copy(text)
    }
    due = nil
    let trims = clip.range.trims(start: start, duration: duration)
    return .element(
      SampleBuffer(
        presentationTime: start, duration: duration, sampleCount: 1,
        attachments: SampleAttachments(
          trimDurationAtStart: trims.start, trimDurationAtEnd: trims.end),
        data: DataBuffer(block: block), content: .text))
  }
  /// Returns the packet's text; a damaged packet is skipped, as players do.
  private func decode() -> String? {
    do throws(LibAVError) {
      let text = try decoder.decode(packet).plain
      clip.damage?.addText()
      return text
    } catch {
      clip.damage?.add(error, at: packet.pts)
      return nil
    }
  }
}
