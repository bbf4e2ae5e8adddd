import LibAV
import SystemIO

extension MediaSource {
  /// Returns the samples of a stream with presentation times by the order of their pictures, where
  /// the container doesn't state all of them; otherwise unchanged.
  ///
  /// Where the order can't be had, the times remain guesses (``SampleIndex/isReliable``).
  /// - Parameter order: the order that was found while the samples were read.
  func restoringTimes(
    of builder: SampleIndex.Builder, _ stream: StreamInfo, by order: PictureOrder?,
    _ traits: DemuxerTraits, _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> SampleIndex.Builder {
    if stream.kind == .audio, traits.countsAudioInBlocks {
      var counted = builder
      counted.countAudioByItsLength()
      return counted
    }
    guard stream.kind == .video, stream.attachedPictureSize == 0,
      !builder.isReliable || traits.guessesPresentationTimes && stream.mayReorder
    else { return builder }
    var restored = builder
    let shown: ShownPictures?
    if !stream.mayReorder {
      shown = ShownPictures(order: Array(builder.samples.indices))
    } else if let known = order?.shown() {
      shown = known
    } else if order == nil, let read = try readOrder(of: stream, file, interrupt: interrupt) {
      shown = read
    } else {
      shown = try decodedOrder(of: stream, file, interrupt: interrupt)
    }
    guard let shown, restored.restoreTimes(shown, stated: traits.statedTimes) else {
      restored.distrust()
      return restored
    }
    return restored
  }

  /// Returns the order by the headers of the pictures; nil where these don't show it.
  private func readOrder(
    of stream: StreamInfo, _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> ShownPictures? {
    guard let order = PictureOrder(stream.format) else { return nil }
    try readPackets(of: stream, file, interrupt: interrupt) { (packet) throws(LibAVError) in
      order.add(packet)
    }
    return order.shown()
  }

  /// Returns the order in which a decoder outputs the pictures; nil where it outputs none, or
  /// contradicts itself.
  private func decodedOrder(
    of stream: StreamInfo, _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> ShownPictures? {
    guard stream.parameters.hasDecoder else { return nil }
    let decoding = try mapErrors(.index, path: path) { () throws(LibAVError) in
      try OrderDecoding(stream)
    }
    try readPackets(of: stream, file, interrupt: interrupt) { (packet) throws(LibAVError) in
      try decoding.add(packet)
    }
    return try mapErrors(.index, path: path) { () throws(LibAVError) in try decoding.finish() }
  }

  private func readPackets(
    of stream: StreamInfo, _ file: any ByteSource, interrupt: Interrupt,
    _ body: (borrowing Packet) throws(LibAVError) -> Void
  ) throws(EngineError) {
    var demuxer = try makeDemuxer(file, interrupt: interrupt)
    demuxer.select(streams: [stream.index])
    try mapErrors(.index, path: path) { () throws(LibAVError) in
      var packet = try Packet()
      while try demuxer.read(into: &packet) {
        if packet.streamIndex == stream.index { try body(packet) }
      }
    }
  }
}

/// Decodes pictures for their order: packets are numbered, and frames have the numbers of theirs.
private final class OrderDecoding {
  private var decoder: Decoder
  private var frame: Frame
  private var count: Int64 = 0
  private var order: [Int] = []

  init(_ stream: StreamInfo) throws(LibAVError) {
    decoder = try Decoder(stream: stream, threads: WorkLimiter.shared.slots)
    decoder.decodesOrderOnly()
    frame = try Frame()
  }

  func add(_ packet: borrowing Packet) throws(LibAVError) {
    (packet.pts, packet.dts) = (count, count)
    count += 1
    do throws(LibAVError) {
      try decoder.send(packet)
    } catch {
      if error.endsWork { throw error }
    }
    try receive()
  }

  func finish() throws(LibAVError) -> ShownPictures? {
    do throws(LibAVError) {
      try decoder.drain()
    } catch {
      if error.endsWork { throw error }
    }
    try receive()
    guard !order.isEmpty, Set(order).count == order.count else { return nil }
    return ShownPictures(order: order)
  }

  private func receive() throws(LibAVError) {
    while true {
      do throws(LibAVError) {
        guard try decoder.receive(into: &frame) == .frame else { return }
        if let number = frame.packetPTS { order.append(Int(number)) }
      } catch {
        if error.endsWork { throw error }
      }
    }
  }
}

extension StreamInfo {
  /// Pictures that may be shown in another order than they are decoded in.
  var mayReorder: Bool {
    kind == .video && attachedPictureSize == 0 && parameters.reordersPictures
  }
}

extension DemuxerTraits {
  /// True if the order is found while samples are indexed, rather than once it turns out to be
  /// missing.
  var oftenLacksTimes: Bool {
    guessesPresentationTimes || statedTimes == .some && randomAccess == .none
  }
}
