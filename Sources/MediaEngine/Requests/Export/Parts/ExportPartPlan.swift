import LibAV
public import MediaTime

/// A division of an export into parts that are encoded one by one, in any process and on any
/// machine, and joined.
///
/// Each process that makes a part, or joins them, has its own session with the same settings, of a
/// file with the same bytes. Its prospective output is compared with the plan. The bytes of a part
/// depend only on the plan.
public struct ExportPartPlan: Sendable, Equatable {
  /// The maximum number of video parts.
  public static let maximumCount = 1000
  /// Encoders don't gain from more threads, and some don't accept more.
  public static let maximumThreads = 16

  /// A unit that is encoded separately: a piece of the video, or the audio as a whole, whose
  /// encoders' delays don't survive a cut.
  public struct Part: Sendable, Equatable {
    /// `video`, or `audio` for all tracks of audio.
    public var mediaType: MediaType
    /// The range on the asset's clock. Every video part except the first begins with a frame.
    public var timeRange: TimeRange
    /// The number of the source's frames that begin in it, by the index; 0 for audio.
    public var frameCount: Int

    public init(mediaType: MediaType, timeRange: TimeRange, frameCount: Int) {
      (self.mediaType, self.timeRange, self.frameCount) = (mediaType, timeRange, frameCount)
    }
  }

  /// The parts: video in the order of time, then audio.
  public var parts: [Part]
  /// The number of an encoder's threads: the bytes of some encoders depend on it.
  public var threadCount: Int
  /// A digest of the source's size and of its first and last bytes: a SHA-256 in hexadecimal.
  public var source: String
  /// A digest of all inputs that determine a part: a SHA-256 in hexadecimal.
  public var settings: String
  /// FFmpeg and its libraries, by name and version.
  public var libraries: String
  /// A digest of all of the above: a SHA-256 in hexadecimal.
  public var digest: String

  /// Creates a plan that was received.
  public init(
    parts: [Part], threadCount: Int, source: String, settings: String, libraries: String,
    digest: String
  ) {
    (self.parts, self.threadCount, self.source) = (parts, threadCount, source)
    (self.settings, self.libraries, self.digest) = (settings, libraries, digest)
  }

  init(_ parts: [Part], threadCount: Int, _ facts: ExportPartFacts) throws(EngineError) {
    self.init(
      parts: parts, threadCount: threadCount, source: facts.source, settings: facts.settings,
      libraries: facts.libraries, digest: "")
    digest = try contentDigest()
  }

  /// The numbers of the video parts.
  var videoParts: [Int] { parts.indices.filter { parts[$0].mediaType == .video } }
  /// The number of the part with all of the audio; nil if no audio is encoded.
  var audioPart: Int? { parts.firstIndex { $0.mediaType == .audio } }

  private func contentDigest() throws(EngineError) -> String {
    func text(_ time: Time) -> String { "\(time.value)/\(time.timescale)" }
    let parts = parts.map { part in
      "\(part.mediaType.rawValue) \(text(part.timeRange.start)) \(text(part.timeRange.duration)) "
        + "\(part.frameCount)"
    }
    let lines = ["1", source, settings, libraries, "\(threadCount)"] + parts
    return try ExportPartFacts.digest(of: lines.joined(separator: "\n"))
  }

  /// - Parameter facts: the facts of the export in this process.
  /// - Throws: `operationNotAllowed` with the difference.
  func requireSame(as facts: ExportPartFacts, path: String) throws(EngineError) {
    let differing: (what: String, advice: EngineError.Advice)?
    if try contentDigest() != digest {
      differing = ("the plan's contents don't match its digest", .passPlanUnchanged)
    } else if source != facts.source {
      differing = (
        "'\(path)' isn't the file that it was made for", .planAgain
      )
    } else if settings != facts.settings {
      differing = (
        "it was made for other settings", .makeSessionAsPlanned
      )
    } else if libraries != facts.libraries {
      differing = (
        "it was made with other libraries: \(libraries), and here they are \(facts.libraries)",
        .useSameBuild
      )
    } else {
      differing = nil
    }
    guard let differing else { return }
    throw EngineError(
      .operationNotAllowed, "The plan doesn't fit: \(differing.what)", advice: differing.advice,
      path: path)
  }

  /// - Throws: `operationNotAllowed` for a number that isn't in the plan.
  func requirePart(_ number: Int, path: String) throws(EngineError) {
    guard !parts.indices.contains(number) else { return }
    throw EngineError(
      .operationNotAllowed, "The plan has no part \(number)",
      advice: .choosePart(parts.count - 1), path: path)
  }
}
