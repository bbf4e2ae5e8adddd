import MediaTime

extension VideoComposition {
  /// Something that is wrong with a video composition (AVVideoCompositionValidationHandling).
  public struct Problem: Sendable, Hashable {
    /// The kinds that AVFoundation distinguishes.
    public enum Kind: Sendable, Hashable, CaseIterable {
      /// A member has a value that it can't have.
      case invalidValueForKey
      /// No instruction covers a range of time.
      case emptyTimeRange
      /// An instruction has a range that isn't one, or that begins before the instruction before it ends.
      case invalidTimeRangeInInstruction
      /// A layer shows a track that isn't there.
      case invalidTrackIDInInstruction
    }

    public var kind: Kind
    /// Its position in the video composition, and the expected value.
    public var detail: EngineError.Problem
    /// The range without an instruction, or that of an instruction.
    public var timeRange: TimeRange?
    /// The track that isn't there.
    public var trackID: Int32?

    public init(
      _ kind: Kind, _ detail: EngineError.Problem, timeRange: TimeRange? = nil,
      trackID: Int32? = nil
    ) {
      (self.kind, self.detail) = (kind, detail)
      (self.timeRange, self.trackID) = (timeRange, trackID)
    }

    /// The member that has the wrong value, of a problem of that kind.
    public var key: String? {
      kind == .invalidValueForKey ? steps.last { Int($0) == nil } : nil
    }
    /// The number of the instruction that it is in; nil for the whole.
    public var instruction: Int? { number(behind: "instructions") }
    /// The number of the layer in that instruction.
    public var layerInstruction: Int? { number(behind: "layerInstructions") }

    private var steps: [String] { detail.path.split(separator: "/").map(String.init) }

    private func number(behind step: String) -> Int? {
      guard let index = steps.firstIndex(of: step), index + 1 < steps.count else { return nil }
      return Int(steps[index + 1])
    }
  }

  /// Returns everything that is wrong with its form, in the order of its members.
  ///
  /// - Parameter tracks: the existing video tracks; nil to skip the check of track IDs.
  package func problems(known tracks: Set<Int32>?) -> [EngineError.Problem] {
    formProblems(known: tracks).map(\.detail)
  }

  func formProblems(known tracks: Set<Int32>?) -> [Problem] {
    var check = VideoCompositionCheck(tracks: tracks)
    check.look(at: self)
    return check.problems
  }
}

private struct VideoCompositionCheck {
  let tracks: Set<Int32>?
  private(set) var problems: [VideoComposition.Problem] = []

  init(tracks: Set<Int32>?) { self.tracks = tracks }

  mutating func look(at composition: VideoComposition) {
    require(
      composition.frameDuration.isDuration, "/frameDuration", "more than 0 s",
      composition.frameDuration.exactDescription)
    if let trackID = composition.sourceTrackIDForFrameTiming {
      requireTrack(trackID, .invalidValueForKey, "/sourceTrackIDForFrameTiming")
    }
    let (size, scale) = (composition.renderSize, composition.renderScale)
    require(size.isPictureSize, "/renderSize", Size.expectedPictureSize, size.text)
    let scaled = Size(width: size.width * scale, height: size.height * scale)
    require(
      !size.isPictureSize || scaled.isPictureSize, "/renderScale",
      "a number that makes \(size.text) \(Size.expectedPictureSize)", "\(scale)")
    require(
      PixelBufferFormats.all.contains(composition.compositorPixelFormat), "/compositorPixelFormat",
      "one of \(PixelBufferFormats.all.joined(separator: ", "))", composition.compositorPixelFormat)
    require(
      composition.compositorTimeout > .zero && composition.compositorTimeout <= .seconds(86_400),
      "/compositorTimeoutMs", "1 to 86400000", "\(composition.compositorTimeout)")
    var end = Time.zero
    for (number, instruction) in composition.instructions.enumerated() {
      let path = "/instructions/\(number)"
      look(at: instruction.timeRange, after: end, "\(path)/timeRange")
      let range = instruction.timeRange
      end = range.isValid && range.end.isNumeric ? range.end : end
      require(
        instruction.backgroundColor.components.allSatisfy { $0 >= 0 && $0 <= 1 },
        "\(path)/backgroundColor", "four numbers from 0 to 1", "others")
      for (index, layer) in instruction.layerInstructions.enumerated() {
        let path = "\(path)/layerInstructions/\(index)"
        requireTrack(layer.trackID, .invalidTrackIDInInstruction, "\(path)/trackID")
        problems += layer.problems(at: path).map { .init(.invalidValueForKey, $0) }
      }
    }
    problems += composition.textProblems.map { .init(.invalidValueForKey, $0) }
  }

  /// - Parameter end: where the instruction before ends.
  private mutating func look(at range: TimeRange, after end: Time, _ path: String) {
    if !range.start.isNumeric || !range.duration.isDuration {
      add(
        .invalidTimeRangeInInstruction, path, "a range of more than 0 s", range.exactDescription,
        timeRange: range)
    }
    guard range.start != end else { return }
    let isGap = range.start.isNumeric && range.start > end
    add(
      isGap ? .emptyTimeRange : .invalidTimeRangeInInstruction, "\(path)/start",
      "\(end.exactDescription), where the instruction before ends", range.start.exactDescription,
      timeRange: isGap ? TimeRange(start: end, end: range.start) : range)
  }

  private mutating func require(
    _ isRight: Bool, _ path: String, _ expected: String, _ got: String
  ) {
    if !isRight { add(.invalidValueForKey, path, expected, got) }
  }

  private mutating func requireTrack(
    _ trackID: Int32, _ kind: VideoComposition.Problem.Kind, _ path: String
  ) {
    guard tracks?.contains(trackID) == false else { return }
    add(kind, path, "a video track", "\(trackID)", trackID: trackID)
  }

  private mutating func add(
    _ kind: VideoComposition.Problem.Kind, _ path: String, _ expected: String, _ got: String,
    timeRange: TimeRange? = nil, trackID: Int32? = nil
  ) {
    let detail = EngineError.Problem(
      path: path, expected: expected, got: got, code: .invalidVideoComposition)
    problems.append(.init(kind, detail, timeRange: timeRange, trackID: trackID))
  }
}

extension VideoComposition.LayerInstruction {
  /// Returns everything that is wrong with its values over time.
  ///
  /// - Parameter path: its position, as a JSON pointer.
  package func problems(at path: String) -> [EngineError.Problem] {
    transform.problems(
      "\(path)/transform", "finite numbers", text: \.text, isRight: \.hasFiniteNumbers)
      + opacity.problems("\(path)/opacity", "a number from 0 to 1") { $0 >= 0 && $0 <= 1 }
      + cropRectangle.problems(
        "\(path)/cropRectangle", "finite numbers, a width and a height of 0 or more",
        text: \.text
      ) {
        $0.width >= 0 && $0.height >= 0
          && [$0.x, $0.y, $0.width, $0.height].allSatisfy(\.isFinite)
      }
  }
}

extension VideoComposition.Color {
  /// Red, green, blue, alpha.
  public var components: [Double] { [red, green, blue, alpha] }
}
