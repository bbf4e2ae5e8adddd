import LibAV
public import MediaTime

/// How an export is divided into parts that are encoded one by one, in any process and on any machine, and joined.
///
/// Whoever makes a part, or joins them, has a session of its own with the same settings, of a file with the same
/// bytes: what it would make is compared with the plan. The bytes of a part depend on the plan and on nothing else.
public struct ExportPartPlan: Sendable, Equatable {
  /// How many parts of video there are at most.
  public static let maximumCount = 1000
  /// Encoders gain nothing by more threads, and some take no more.
  public static let maximumThreads = 16

  /// What is encoded by itself: a piece of the video, or the audio as a whole, whose encoders' delays don't
  /// survive a cut.
  public struct Part: Sendable, Equatable {
    /// `video`, or `audio` for all tracks of audio.
    public var mediaType: MediaType
    /// On the asset's clock. One of video begins with a frame, but for the first.
    public var timeRange: TimeRange
    /// How many frames of the source begin in it, by the index; 0 for audio.
    public var frameCount: Int

    public init(mediaType: MediaType, timeRange: TimeRange, frameCount: Int) {
      (self.mediaType, self.timeRange, self.frameCount) = (mediaType, timeRange, frameCount)
    }
  }

  /// Those of video in the order of their times, then audio.
  public var parts: [Part]
  /// How many threads an encoder has: the bytes of some depend on it.
  public var threadCount: Int
  /// Of the source's size and of its first and last bytes: a SHA-256 in hexadecimal.
  public var source: String
  /// Of all that decides how a part is made: a SHA-256 in hexadecimal.
  public var settings: String
  /// FFmpeg and its libraries, by name and version.
  public var libraries: String
  /// Of all of the above: a SHA-256 in hexadecimal.
  public var digest: String

  /// A plan as it was received.
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

  /// The parts of video, by their numbers.
  var videoParts: [Int] { parts.indices.filter { parts[$0].mediaType == .video } }
  /// The number of the part with all of the audio; nil where none is encoded.
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

  /// - Parameter facts: what is to be exported, as it is here.
  /// - Throws: `operationNotAllowed` with what differs.
  func requireSame(as facts: ExportPartFacts, path: String) throws(EngineError) {
    let differing: (what: String, advice: EngineError.Advice)?
    if try contentDigest() != digest {
      differing = ("what the plan states isn't what its digest was made of", .passPlanUnchanged)
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

  /// - Throws: `operationNotAllowed` for a number that the plan hasn't.
  func requirePart(_ number: Int, path: String) throws(EngineError) {
    guard !parts.indices.contains(number) else { return }
    throw EngineError(
      .operationNotAllowed, "The plan has no part \(number)",
      advice: .choosePart(parts.count - 1), path: path)
  }
}
