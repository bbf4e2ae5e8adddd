public import MediaTime
import Synchronization
import SystemIO

/// The pictures of an item (AVPlayerItemVideoOutput), upright: copied by the caller, or pushed when they are due.
///
/// An item may have several, each with its own format and history.
public final class VideoOutput: Sendable {
  public struct Configuration: Sendable {
    /// The format: one of ``ImageOutput/rawFormats``, or the format of an image file.
    public var format = "bgra"
    /// The quality, 0 to 1, for JPEG and WebP.
    public var quality = 0.85
    /// The size. Where one of both is nil, the aspect ratio is preserved; where both are, the size is the item's.
    public var width: Int?
    public var height: Int?
    /// True to send pictures when they are due.
    public var isPush = false
    /// The maximum number of pictures that the caller may have.
    public var maximumOutstanding = 3
    public var apertureMode = ImageGenerator.ApertureMode.cleanAperture
    public var dynamicRangePolicy = ImageGenerator.DynamicRangePolicy.forceSDR
    public var destination = Destination.heap

    public init() {}
  }

  /// A picture that was copied or sent.
  struct Taken {
    var revision: Int
    /// The version of the item's pictures.
    var version: Int
    var start: Time
    var sampleIndex: Int?

    /// Returns true for the same picture, after the same jump.
    func isSame(as other: Taken) -> Bool {
      (revision, version, start) == (other.revision, other.version, other.start)
    }
  }

  private struct State {
    var isClosed = false
    var outstanding = 0
    var last: Taken?
    var dropped = DroppedPictures()
    /// The revision of the sequence whose pictures are shown.
    var sequence = -1
    /// The time by which a notification precedes the next picture.
    var notificationAdvance: Time?
  }

  public let item: PlayerItem
  public let configuration: Configuration
  private let state = Mutex(State())

  /// Adds an output to an item.
  ///
  /// - Throws: `unsupportedOutputSettings`, `encoderNotFound`; `limitExceeded` for more than 16 outputs of one item.
  public init(item: PlayerItem, _ configuration: Configuration) throws(EngineError) {
    self.item = item
    self.configuration = configuration
    _ = try ImageOutput(format: configuration.format).kind()
    let isTaken = item.shared.withLock { state in
      guard state.outputs.count < 16 else { return false }
      state.outputs.append(self)
      return true
    }
    guard isTaken else {
      throw EngineError(
        .limitExceeded, "The item has 16 video outputs already", advice: .closeOutput,
        path: item.asset.path)
    }
    if let player = item.player { player.kick() }
  }

  /// The pictures that weren't delivered.
  public var dropped: DroppedPictures { state.withLock(\.dropped) }

  /// Returns true where a picture for a time is available that this output hasn't returned yet.
  ///
  /// - Parameters:
  ///   - itemTime: nil for that of the host time, or for now.
  public func hasNewPicture(
    itemTime: Time? = nil, hostTime: Time? = nil
  ) async throws(EngineError) -> (hasNew: Bool, itemTime: Time) {
    let player = try requirePlayer()
    let time = player.itemTime(itemTime: itemTime, hostTime: hostTime)
    return (try await player.hasNewPicture(of: self, at: time), time)
  }

  /// Returns the item's time at a time of its player's clock.
  public func itemTime(forHostTime hostTime: Time) throws(EngineError) -> Time {
    try requirePlayer().itemTime(itemTime: nil, hostTime: hostTime)
  }

  /// Returns the picture that is shown at a time.
  ///
  /// - Parameters:
  ///   - onlyIfNew: false to return a picture again.
  ///   - timeout: the time to wait for decoding, and for room in shared memory; a manual clock waits in any case.
  public func copyPicture(
    itemTime: Time? = nil, hostTime: Time? = nil, onlyIfNew: Bool = true,
    timeout: Duration = .zero
  ) async throws(EngineError) -> OutputAnswer {
    let player = try requirePlayer()
    let time = player.itemTime(itemTime: itemTime, hostTime: hostTime)
    return try await player.copyPicture(
      of: self, at: time, onlyIfNew: onlyIfNew, timeout: timeout)
  }

  /// Requests one notification of the next picture: while time runs, and after a jump.
  ///
  /// - Parameter advanceInterval: the time by which the notification precedes the picture.
  public func requestNotificationOfMediaDataChange(
    advanceInterval: Time = .zero
  ) async throws(EngineError) {
    let player = try requirePlayer()
    state.withLock { $0.notificationAdvance = advanceInterval }
    player.kick()
  }

  /// Notes that the caller has released a picture. Never waits.
  public func didRelease() { state.withLock { $0.outstanding = max(0, $0.outstanding - 1) } }

  /// Removes the output from its item. Never waits.
  public func close() {
    state.withLock { $0.isClosed = true }
    let player = item.shared.withLock { state in
      state.outputs.removeAll { $0 === self }
      return state.player
    }
    // Its decoder has the file open.
    player?.kick()
  }

  private func requirePlayer() throws(EngineError) -> Player {
    guard !state.withLock(\.isClosed), let player = item.player else {
      throw EngineError(
        .operationNotAllowed, "The output's item isn't in a player",
        advice: .insertItemFirst, path: item.asset.path)
    }
    return player
  }

  // MARK: For the player

  var isClosed: Bool { state.withLock(\.isClosed) }
  var last: Taken? { state.withLock(\.last) }

  func startSequence(_ revision: Int) { state.withLock { $0.sequence = revision } }

  /// Reserves credit for a picture; false where the caller has the maximum number.
  func takeCredit() -> Bool {
    state.withLock { state in
      guard state.outstanding < configuration.maximumOutstanding else { return false }
      state.outstanding += 1
      return true
    }
  }

  /// Returns true where it has no picture of a revision and a version of its item.
  func lacks(_ revision: Int, _ version: Int) -> Bool {
    last.map { ($0.revision, $0.version) != (revision, version) } ?? true
  }

  func didTake(_ picture: Taken?) { state.withLock { $0.last = picture } }
  func drop(outOfCredit: Int = 0, late: Int = 0) {
    state.withLock {
      $0.dropped.outOfCredit += outOfCredit
      $0.dropped.late += late
    }
  }

  var wantsNotification: Bool { state.withLock { $0.notificationAdvance != nil } }

  /// Returns the advance of a requested notification, once.
  func takeNotification() -> Time? { state.withLock { $0.notificationAdvance.take() } }

  /// The settings of the generator that draws its pictures.
  var drawing: ImageGenerator.Configuration {
    var result = ImageGenerator.Configuration()
    result.appliesPreferredTrackTransform = true
    result.apertureMode = configuration.apertureMode
    result.dynamicRangePolicy = configuration.dynamicRangePolicy
    (result.requestedTimeToleranceBefore, result.requestedTimeToleranceAfter) = (.zero, .zero)
    result.videoComposition = .none
    return result
  }
  var size: WantedSize {
    WantedSize(width: configuration.width, height: configuration.height)
  }
}
