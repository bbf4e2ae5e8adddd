import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The frames of a stored track, decoded ahead of who takes them.
final class DecodedFrames: RestartableSource {
  /// Limits of the decoded frames that wait, the first of which counts; two frames may wait in any
  /// case.
  private static let maximumFrames = 32
  private static let maximumBytes = 32 << 20
  /// The limit for a clock, where these are frames of an eighth of a second at least. Fewer would be late on a busy
  /// machine. Two more frames are ahead of the clock where they are taken: the one whose duration isn't known yet, and
  /// the next one to be shown.
  private static let maximumBytesForClock = 12 << 20
  private static let minimumForClock = Time(value: 1, timescale: 8)
  /// The limit of the decoded frames of all tracks together: where many are read, fewer frames of
  /// each wait.
  private static let sharedBytes = 256 << 20

  private static let count = Atomic<Int>(0)
  /// The number of instances: where there are more than cores, a decoder needs no threads of its
  /// own.
  static var liveCount: Int { count.load(ordering: .relaxed) }

  private var reader: FrameReader
  private var hint: SeekHint
  /// The time of the latest frame.
  private var latest: Int64?
  private let media: StoredTrack
  private let path: String
  private let leadingSamples: Int
  /// True if they are shown by a clock, and not taken as fast as they come.
  private let isForClock: Bool

  private init(
    _ reader: consuming FrameReader, hint: SeekHint, of clip: TrackClip, isForClock: Bool
  ) {
    self.reader = reader
    self.isForClock = isForClock
    media = clip.media
    (self.hint, path, leadingSamples) = (hint, clip.path, clip.leadingSamples)
    Self.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.count.wrappingSubtract(1, ordering: .relaxed) }

  static func reading(
    _ reader: consuming sending FrameReader, of clip: TrackClip,
    hint: SeekHint, priority: WorkLimiter.Priority
  ) -> ReadAhead<DecodedFrames> {
    ReadAhead(
      DecodedFrames(reader, hint: hint, of: clip, isForClock: priority.isRealTime),
      on: WorkQueue("frames"),
      priority: priority, interrupt: clip.interrupt, path: clip.path)
  }

  func next() throws(EngineError) -> StreamStep<Handoff<Frame>> {
    let slot = try mapErrors(.decode, path: path) { () throws(LibAVError) in Handoff(try Frame()) }
    guard try reader.next(into: &slot.value, hint: hint) else { return .end }
    latest = slot.value.pts
    return .element(slot)
  }

  /// - Parameter time: in ticks of the track.
  func restart(at time: Int64) throws(EngineError) {
    let index = reader.index
    guard let position = index.position(at: time) else {
      hint.skipsBefore = nil
      latest = nil
      try reader.seek(to: 0)
      return
    }
    let first = max(0, position - leadingSamples)
    let start = index.randomAccessPoint(forPosition: first)
    let shown = index.sample(atPosition: first).pts
    // The latest frame has been discarded, and others may have been left out before the previously
    // wanted time.
    let isAhead = latest.map { $0 < shown && $0 >= hint.skipsBefore ?? .min } ?? false
    hint.skipsBefore = shown
    if isAhead, reader.leads(from: latest, to: shown, ratherThanFrom: start) { return }
    latest = nil
    try reader.seek(to: start)
  }

  func duration(of slot: Handoff<Frame>) -> Time {
    media.duration(max(0, slot.value.duration))
  }

  func capacity(for slot: Handoff<Frame>) -> Int {
    Self.capacity(
      ofBytes: slot.value.byteCount, shownFor: isForClock ? duration(of: slot) : .zero,
      amongInstances: Self.liveCount)
  }

  /// Returns the maximum number of frames that wait.
  ///
  /// - Parameters:
  ///   - bytes: the size of a frame.
  ///   - duration: the display duration of a frame that is shown by a clock; zero for others.
  ///   - instances: the number of tracks that are decoded.
  static func capacity(
    ofBytes bytes: Int, shownFor duration: Time, amongInstances instances: Int
  ) -> Int {
    let room = min(
      duration > .zero ? bytesForClock(ofFrames: bytes, shownFor: duration) : maximumBytes,
      sharedBytes / max(1, instances))
    return max(2, min(maximumFrames, room / max(1, bytes)))
  }

  private static func bytesForClock(ofFrames bytes: Int, shownFor duration: Time) -> Int {
    let count = Int(min(1000, (minimumForClock.seconds / duration.seconds).rounded(.up)))
    let (needed, overflow) = count.multipliedReportingOverflow(by: bytes)
    return overflow ? maximumBytes : min(maximumBytes, max(maximumBytesForClock, needed))
  }

  /// Returns the number of threads of a decoder. One that decodes ahead of a clock has no more than the cores: each
  /// thread holds a frame, and the one that libavcodec adds to them makes decoding hardly faster.
  static func threads(for priority: WorkLimiter.Priority) -> Int {
    guard liveCount < WorkLimiter.shared.slots else { return 1 }
    return priority.isRealTime ? WorkLimiter.shared.slots : 0
  }
}
