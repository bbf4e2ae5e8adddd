import LibAV
import MediaTime

/// The encoder of a stage, and the stream that its packets go to.
///
/// After each frame all available packets are received, so that no encoder is ever too full for a
/// frame.
struct StageEncoder: ~Copyable {
  private var encoder: Encoder
  private let stream: Int
  private var streamTimeBase: TimeBase
  private var packet: Packet
  private let path: String
  private var isFinishing = false
  private var frames = 0
  /// The offset that is added to the time stamps, in the encoder's ticks.
  ///
  /// Matroska's blocks of Opus are to begin with the codec's delay, which players subtract (Matroska's
  /// CodecDelay); libavformat before FFmpeg 6.0 writes the delay and leaves the stamps, so that audio would be early.
  private let shift: Int64
  /// The presentation time from which packets are discarded, in the encoder's ticks.
  var end: Int64?
  /// The durations of the frames inside the encoder, by their time stamps.
  private var durations: [Int64: Int64] = [:]
  /// The decode time of the last packet, in the encoder's ticks.
  private var lastDTS: Int64?

  init(
    _ encoder: consuming Encoder, _ metadata: TrackMetadata, path: String, writer: MovieWriter
  ) throws(EngineError) {
    let stream = try mapErrors(.write, path: path) { () throws(LibAVError) in
      try writer.addStream(encoder: encoder, metadata)
    }
    let packet = try mapErrors(.encode, path: path, Packet.init)
    self.stream = stream
    self.packet = packet
    streamTimeBase = encoder.timeBase
    let isDelayed =
      writer.format.opusPriming == .headerAndTimes && encoder.name == "libopus"
    shift = isDelayed ? Int64(encoder.initialPadding) : 0
    self.path = path
    self.encoder = encoder
  }

  var timeBase: TimeBase { encoder.timeBase }
  /// The time by which packets are stamped later than their samples.
  var delay: Time { Time(ticks: shift, in: timeBase) }
  var initialPadding: Int { encoder.initialPadding }
  /// Samples per audio frame.
  var blockSize: Int { encoder.frameSize > 0 ? encoder.frameSize : 1024 }

  var output: EncodedOutput {
    get throws(EngineError) {
      let extradata = encoder.extradata
      let hash = try mapErrors(.encode, path: path, SHA256.init)
      hash.add(extradata)
      return EncodedOutput(stream: stream, timeBase: timeBase, configuration: hash.finish())
    }
  }

  /// Called once the header is written; before, packets have the encoder's times.
  mutating func begin(_ writer: MovieWriter) {
    streamTimeBase = writer.timeBase(of: stream)
  }

  /// Encodes a frame, which has its time stamp in the encoder's time base.
  ///
  /// - Parameter duration: for the packet that becomes of it, where the encoder forgets that.
  mutating func encode(
    _ frame: borrowing Frame, duration: Int64? = nil, into target: any PacketSink
  ) throws(EngineError) {
    if let duration, let pts = frame.pts { durations[pts] = duration }
    frames += 1
    try mapErrors(.encode, path: path) { () throws(LibAVError) in try encoder.send(frame) }
    while try passPacket(to: target) {}
  }

  /// Receives one packet from the encoder after the last frame; false once it is empty.
  mutating func finish(into target: any PacketSink) throws(EngineError) -> Bool {
    if !isFinishing {
      isFinishing = true
      try mapErrors(.encode, path: path) { () throws(LibAVError) in try encoder.finish() }
    }
    return try passPacket(to: target)
  }

  private mutating func passPacket(to target: any PacketSink) throws(EngineError) -> Bool {
    try mapErrors(.encode, path: path) { () throws(LibAVError) in
      guard try encoder.receive(into: &packet) else { return false }
      if let pts = packet.pts, let duration = durations.removeValue(forKey: pts) {
        packet.duration = duration
      }
      if let end, let pts = packet.pts, pts >= end { return true }
      // x265 takes its delay from the third frame on, and without one from uninitialised memory. Of
      // two frames none is decoded before one that is shown earlier.
      if isFinishing, frames <= 2 { packet.dts = packet.pts }
      packet.dts = decodeTime(of: packet)
      lastDTS = packet.dts
      packet.pts = packet.pts.map { $0 + shift }
      packet.dts = packet.dts.map { $0 + shift }
      packet.streamIndex = stream
      packet.rescale(from: encoder.timeBase, to: streamTimeBase)
      try target.put(&packet)
      return true
    }
  }

  /// The least distance of two frames that is a pause: none after it is decoded before those that precede it.
  static let pause = Time(value: 10, timescale: 1)
  /// More than the number of frames by which encoders change their order.
  private static let reordered: Int64 = 16

  /// Returns the decode time of a packet, close to the frames that are still to be shown.
  ///
  /// Encoders return the time of an earlier frame, which a pause may lie behind. From a distance of 2²⁸ ticks on,
  /// libavformat ignores the distances of all samples of a movie (`mov_read_ctts`).
  private func decodeTime(of packet: borrowing Packet) -> Int64? {
    guard let dts = packet.dts, let pts = packet.pts else { return packet.dts }
    let earliest = min(pts, durations.keys.min() ?? pts)
    func ticks(_ time: Time) -> Int64 {
      time.ticks(in: timeBase, rounding: .towardPositiveInfinity)
    }
    let step = ticks(FrameTimestamps.minimumDistance)
    var time = dts
    if earliest - dts > ticks(Self.pause) { time = earliest - Self.reordered * step }
    if let lastDTS, time <= lastDTS { time = max(dts, lastDTS + step) }
    return min(time, pts)
  }
}
