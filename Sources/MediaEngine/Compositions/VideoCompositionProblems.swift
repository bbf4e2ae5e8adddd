import MediaTime

extension VideoComposition {
  /// Everything that is wrong with its form (AVVideoCompositionValidationHandling's four kinds and more), in the
  /// order of its members.
  ///
  /// - Parameter tracks: the tracks that there are; nil when they aren't to be looked at.
  package func problems(known tracks: Set<Int32>?) -> [EngineError.Problem] {
    var problems: [EngineError.Problem] = []
    func require(_ isRight: Bool, _ path: String, _ expected: String, _ got: String) {
      guard !isRight else { return }
      problems.append(
        EngineError.Problem(
          path: path, expected: expected, got: got, code: .invalidVideoComposition))
    }
    func requireTrack(_ trackID: Int32, _ path: String) {
      require(
        tracks?.contains(trackID) != false, "\(path)", "a track of the timeline", "\(trackID)")
    }
    require(
      frameDuration.isDuration, "/frameDuration", "more than 0 s", frameDuration.description)
    if let trackID = sourceTrackIDForFrameTiming {
      requireTrack(trackID, "/sourceTrackIDForFrameTiming")
    }
    require(renderSize.hasArea, "/renderSize", "a width and a height above 0", renderSize.text)
    require(
      renderScale > 0 && renderScale.isFinite, "/renderScale", "a number above 0",
      "\(renderScale)")
    require(
      PixelBufferFormats.all.contains(compositorPixelFormat), "/compositorPixelFormat",
      "one of \(PixelBufferFormats.all.joined(separator: ", "))", compositorPixelFormat)
    require(
      compositorTimeout > .zero && compositorTimeout <= .seconds(86_400), "/compositorTimeoutMs",
      "1 to 86400000", "\(compositorTimeout)")
    var end = Time.zero
    for (number, instruction) in instructions.enumerated() {
      let path = "/instructions/\(number)"
      let range = instruction.timeRange
      require(
        range.start.isNumeric && range.duration.isDuration, "\(path)/timeRange",
        "a range of more than 0 s", range.description)
      require(
        range.start == end, "\(path)/timeRange/start",
        "\(end.description), where the instruction before ends", range.start.description)
      end = range.isValid && range.end.isNumeric ? range.end : end
      require(
        instruction.backgroundColor.components.allSatisfy { $0 >= 0 && $0 <= 1 },
        "\(path)/backgroundColor", "four numbers from 0 to 1", "others")
      for (index, layer) in instruction.layerInstructions.enumerated() {
        let path = "\(path)/layerInstructions/\(index)"
        requireTrack(layer.trackID, "\(path)/trackID")
        problems += layer.transform.problems(
          "\(path)/transform", "finite numbers", isRight: \.hasFiniteNumbers)
        problems += layer.opacity.problems("\(path)/opacity", "a number from 0 to 1") {
          $0 >= 0 && $0 <= 1
        }
        problems += layer.cropRectangle.problems(
          "\(path)/cropRectangle", "finite numbers, a width and a height of 0 or more"
        ) {
          $0.width >= 0 && $0.height >= 0
            && [$0.x, $0.y, $0.width, $0.height].allSatisfy(\.isFinite)
        }
      }
    }
    return problems
  }
}

extension VideoComposition.Color {
  /// Red, green, blue, alpha.
  public var components: [Double] { [red, green, blue, alpha] }
}
