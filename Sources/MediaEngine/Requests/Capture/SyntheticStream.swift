import Glibc
import LibAV
import MediaTime
import SystemIO

/// The samples of a synthetic device from the start of a session on, in due order.
struct SyntheticStream: Sendable {
  /// One sample or event of a device.
  enum Item: Sendable {
    case sample(SampleBuffer, MediaType)
    /// A frame that the device leaves out, by its number, and its time.
    case leftOut(Int64, Time)
    /// A frame or audio that is missing, as the device is stalled or unplugged.
    case missing
    case unplugged
    case plugged
  }

  private let settings: SyntheticDevice.Settings
  private let picture: SyntheticPicture?
  private let tone: SyntheticTone?
  /// The start of the session on its clock.
  private let start: ExactTime
  private var nextFrame: Int64
  private var nextSample: Int64
  private var isUnplugged = false
  private var isReplugged = false

  /// - Parameters:
  ///   - start: the start of the session, on its clock.
  ///   - begin: the time from which on the device delivers.
  init(
    _ settings: SyntheticDevice.Settings, width: Int, height: Int, from begin: Time, start: Time
  ) throws(EngineError) {
    self.settings = settings
    self.start = ExactTime(start) ?? .zero
    picture = try settings.hasVideo ? SyntheticPicture(width: width, height: height) : nil
    tone =
      settings.hasAudio
      ? SyntheticTone(sampleRate: settings.sampleRate, channels: settings.channels) : nil
    (nextFrame, nextSample) = (0, 0)
    let begun = (ExactTime(begin) ?? .zero) - self.start
    if begun > .zero {
      nextFrame = first(at: begun, perSecond: rate)
      nextSample = first(at: begun, perSecond: ExactTime(Int64(settings.sampleRate)))
    }
  }

  private var rate: ExactTime { ExactTime(settings.frameRate) ?? ExactTime(30) }

  /// The session's seconds in one of the device's, which are shorter where its clock is fast.
  private var pace: ExactTime {
    let scale: Int64 = 1_000_000_000_000
    let drift = Int64((settings.driftPPM * 1_000_000).rounded())
    return ExactTime(reducing: Int128(scale - drift), Int128(scale))
  }

  /// Returns the number of the first of periodic frames or samples, at or after a time of the session.
  private func first(at time: ExactTime, perSecond: ExactTime) -> Int64 {
    let exact = time / pace * perSecond
    return Int64(
      clamping: exact.numerator / exact.denominator
        + (exact.numerator > 0 && exact.numerator % exact.denominator != 0 ? 1 : 0))
  }

  /// Returns the time of a frame or sample on the session's clock.
  private func time(_ number: Int64, perSecond: ExactTime) -> ExactTime {
    start + ExactTime(number) / perSecond * pace
  }

  private var latency: ExactTime {
    ExactTime(reducing: Int128((settings.latencyMs * 1000).rounded()), 1_000_000)
  }

  /// Returns a sample's time as a device states it.
  private func stamp(_ time: ExactTime, of number: Int64, timescale: Int32) -> Time {
    var time = time
    if settings.jitterMs > 0 {
      let limit = Int128((settings.jitterMs * 1000).rounded())
      let offset = Int128(SyntheticStream.scattered(number) % UInt64(2 * limit + 1)) - limit
      time = time + ExactTime(reducing: offset, 1_000_000)
    }
    let exact = time.time(preferring: timescale)
    guard exact.hasBeenRounded || exact.timescale != timescale else { return exact }
    // Times of clocks that count nanoseconds.
    let nanoseconds = time * ExactTime(1_000_000_000)
    return Time(
      value: Int64(clamping: nanoseconds.numerator / nanoseconds.denominator),
      timescale: 1_000_000_000)
  }

  /// Returns a hash of a number: near numbers have distant ones (splitmix64).
  private static func scattered(_ number: Int64) -> UInt64 {
    var value = UInt64(bitPattern: number) &+ 0x9e37_79b9_7f4a_7c15
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// The number of samples in a buffer of audio: a hundredth of a second.
  private var chunk: Int64 { Int64(max(1, settings.sampleRate / 100)) }

  private func place(_ time: Time?) -> ExactTime? {
    time.flatMap { ExactTime($0) }.map { start + $0 }
  }

  /// Returns true where a sample at a time is missing.
  private func isMissing(_ time: ExactTime) -> Bool {
    if let begin = place(settings.stallAt), let length = ExactTime(settings.stallFor),
      time >= begin, time < begin + length
    {
      return true
    }
    guard let unplugged = place(settings.unplugAt), time >= unplugged else { return false }
    return place(settings.replugAt).map { time < $0 } ?? true
  }

  /// The time of the next item; nil where there are no more.
  var due: ExactTime? { next?.due }

  private enum Kind { case unplugged, plugged, frame, audio }

  private var next: (kind: Kind, due: ExactTime)? {
    var found: (kind: Kind, due: ExactTime)?
    func consider(_ kind: Kind, _ due: ExactTime) {
      if found.map({ due < $0.due }) ?? true { found = (kind, due) }
    }
    if picture != nil { consider(.frame, time(nextFrame, perSecond: rate) + latency) }
    // A buffer that ends when the device is unplugged precedes that.
    if tone != nil { consider(.audio, end(ofAudioFrom: nextSample) + latency) }
    if !isUnplugged, let time = place(settings.unplugAt) { consider(.unplugged, time) }
    if !isReplugged, let time = place(settings.replugAt) { consider(.plugged, time) }
    return found
  }

  private func end(ofAudioFrom sample: Int64) -> ExactTime {
    time((sample / chunk + 1) * chunk, perSecond: ExactTime(Int64(settings.sampleRate)))
  }

  /// Returns the next item before a time; nil where there are no more.
  ///
  /// - Parameter cuts: true to return the audio before that time, too, the rest of which follows later.
  mutating func take(before limit: ExactTime, cuts: Bool) throws(EngineError) -> Item? {
    guard let (kind, due) = next else { return nil }
    switch kind {
    case .unplugged, .plugged:
      guard due < limit else { return try rest(before: limit, cuts: cuts) }
      if kind == .plugged {
        isReplugged = true
        return .plugged
      }
      isUnplugged = true
      return .unplugged
    case .frame:
      guard due < limit else { return try rest(before: limit, cuts: cuts) }
      return try takeFrame()
    case .audio:
      guard due <= limit else { return try rest(before: limit, cuts: cuts) }
      return try takeAudio(to: (nextSample / chunk + 1) * chunk)
    }
  }

  /// Returns the samples of an unfinished buffer that lie before a time.
  private mutating func rest(
    before limit: ExactTime, cuts: Bool
  ) throws(EngineError) -> Item? {
    guard cuts, tone != nil else { return nil }
    let end = first(at: limit - latency - start, perSecond: ExactTime(Int64(settings.sampleRate)))
    guard end > nextSample else { return nil }
    return try takeAudio(to: min(end, (nextSample / chunk + 1) * chunk))
  }

  private mutating func takeFrame() throws(EngineError) -> Item {
    defer { nextFrame += 1 }
    let time = time(nextFrame, perSecond: rate)
    guard let picture, !isMissing(time) else { return .missing }
    let stamp = stamp(
      time, of: nextFrame, timescale: Int32(clamping: settings.frameRate.value))
    let isLeftOut =
      settings.dropFrames.contains(nextFrame)
      || settings.dropEvery.map { nextFrame > 0 && nextFrame % Int64($0) == 0 } ?? false
    if isLeftOut { return .leftOut(nextFrame, stamp) }
    let second = ExactTime(nextFrame) / rate
    let part = second - ExactTime(Int64(clamping: second.numerator / second.denominator))
    let sample = try picture.sample(
      nextFrame, isFlash: part < ExactTime(reducing: 1, 10), at: stamp,
      duration: settings.frameDuration)
    return .sample(sample, .video)
  }

  private mutating func takeAudio(to end: Int64) throws(EngineError) -> Item {
    let first = nextSample
    nextSample = end
    let sampleRate = ExactTime(Int64(settings.sampleRate))
    let time = time(first, perSecond: sampleRate)
    guard let tone, !isMissing(time) else { return .missing }
    let stamp = stamp(time, of: first, timescale: Int32(clamping: settings.sampleRate))
    return .sample(try tone.sample(first..<end, at: stamp), .audio)
  }
}

/// The frames of a synthetic device.
struct SyntheticPicture: Sendable {
  private let layout: PictureLayout

  init(width: Int, height: Int) throws(EngineError) {
    layout = try mapErrors(.convert) { () throws(LibAVError) in
      try PictureLayout(width: width, height: height, format: .yuv420p)
    }
  }

  static let color = FormatDescription.Color(
    primaries: "bt709", transfer: "bt709", matrix: "bt709", isFullRange: false)

  func sample(
    _ number: Int64, isFlash: Bool, at time: Time, duration: Time
  ) throws(EngineError) -> SampleBuffer {
    let block = try mapErrors(.convert) { () throws(SystemError) in
      try HeapAllocator().allocate(count: layout.size)
    }
    let (width, height) = (layout.width, layout.height)
    let cellRows = height / 8 / 2 * 2
    let bits = UInt16(truncatingIfNeeded: number)
    for cell in 0..<16 {
      let isOne = bits >> UInt16(15 - cell) & 1 == 1
      let end = cell == 15 ? width : (cell + 1) * (width / 16)
      block.fill(cell * (width / 16)..<end, with: isOne ? 235 : 16)
    }
    for row in 1..<max(1, cellRows) { block.copy(0..<width, to: row * width) }
    block.fill(cellRows * width..<width * height, with: isFlash ? 235 : 80)
    block.fill(width * height..<layout.size, with: 128)
    return SampleBuffer(
      presentationTime: time, duration: duration, sampleCount: 1,
      attachments: SampleAttachments(), data: DataBuffer(block: block),
      content: .picture(
        SampleBuffer.Picture(
          pixelFormat: "yuv420p", width: width, height: height,
          planes: layout.planes.map(PicturePlane.init), color: Self.color)))
  }
}

/// The audio of a synthetic device.
struct SyntheticTone: Sendable {
  private let channels: Int
  private let sampleRate: Int
  /// One tenth of a second.
  private let beep: [Float]

  init(sampleRate: Int, channels: Int) {
    (self.sampleRate, self.channels) = (sampleRate, channels)
    // Samples n with n < R/10.
    beep = (0..<(sampleRate + 9) / 10).map { number in
      Float(0.5 * sin(2 * .pi * 1000 * Double(number) / Double(sampleRate)))
    }
  }

  func sample(_ range: Range<Int64>, at time: Time) throws(EngineError) -> SampleBuffer {
    let block = try mapErrors(.convert) { () throws(SystemError) in
      try HeapAllocator().allocate(count: range.count * channels * 4)
    }
    block.withMutableBytes { bytes in
      var offset = 0
      for number in range {
        let place = Int(number % Int64(sampleRate))
        let bits = (place < beep.count ? beep[place] : 0).bitPattern
        for _ in 0..<channels {
          for byte in 0..<4 {
            bytes[offset + byte] = UInt8(truncatingIfNeeded: bits >> (8 * UInt32(byte)))
          }
          offset += 4
        }
      }
    }
    return .captured(
      audio: block, frames: range.count, sampleRate: sampleRate, channels: channels, at: time)
  }
}
