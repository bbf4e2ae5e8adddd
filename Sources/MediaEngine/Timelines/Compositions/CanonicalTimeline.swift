import MediaTime

extension CompositionTimeline {
  /// The same composition, written in the one way that there is.
  ///
  /// Sources are named `s1`, `s2` … in the order in which the tracks use them, equal ones have one name, and
  /// unused ones are left out. Times are in lowest terms, and zeros have no sign. It is a fixed point:
  /// `canonical.canonical == canonical`.
  public var canonical: CompositionTimeline {
    var names: [Source: String] = [:]
    var found: [String: Source] = [:]
    func rename(_ name: String) -> String {
      // A name that isn't in the list is a problem, not something to rename.
      guard let source = sources[name] else { return name }
      if let known = names[source] { return known }
      let name = "s\(names.count + 1)"
      names[source] = name
      found[name] = source
      return name
    }
    var copy = self
    for number in copy.tracks.indices {
      copy.tracks[number].segments = tracks[number].segments.map { segment in
        var segment = segment
        segment.source = segment.source.map(rename)
        segment.timeMapping.source = segment.timeMapping.source.reduced
        segment.timeMapping.target = segment.timeMapping.target.reduced
        segment.speedRamp = segment.speedRamp.map {
          SpeedPoint($0.speed.reduced, at: $0.time.reduced)
        }
        if segment.playback == .freeze { segment.timeMapping.source.duration = .zero }
        return segment
      }
      copy.tracks[number].preferredTransform = tracks[number].preferredTransform.unsignedZeros
    }
    copy.sources = found
    copy.audioMix = audioMix?.canonical
    copy.videoComposition = videoComposition?.canonical
    return copy
  }
}

extension AudioMix {
  fileprivate var canonical: AudioMix {
    AudioMix(
      inputParameters: inputParameters.map { parameters in
        var parameters = parameters
        parameters.volume = parameters.volume.canonical { $0 + 0 }
        return parameters
      })
  }
}

extension VideoComposition {
  fileprivate var canonical: VideoComposition {
    var copy = self
    copy.frameDuration = frameDuration.reduced
    copy.instructions = instructions.map { instruction in
      var instruction = instruction
      instruction.timeRange = instruction.timeRange.reduced
      instruction.layerInstructions = instruction.layerInstructions.map { layer in
        var layer = layer
        layer.transform = layer.transform.canonical { $0.unsignedZeros }
        layer.opacity = layer.opacity.canonical { $0 + 0 }
        layer.cropRectangle = layer.cropRectangle.canonical { $0.unsignedZeros }
        return layer
      }
      return instruction
    }
    return copy
  }
}

extension Array {
  fileprivate func canonical<Value>(_ change: (Value) -> Value) -> [ValueRamp<Value>]
  where Element == ValueRamp<Value> {
    map { $0.mapValues(change, times: \.reduced) }
  }
}

extension TimeRange {
  fileprivate var reduced: TimeRange {
    isValid ? TimeRange(start: start.reduced, duration: duration.reduced) : .invalid
  }
}

// -0.0 + 0 is 0.0: one zero, one text.

extension AffineTransform {
  fileprivate var unsignedZeros: AffineTransform {
    AffineTransform(a: a + 0, b: b + 0, c: c + 0, d: d + 0, tx: tx + 0, ty: ty + 0)
  }
}

extension Rectangle {
  fileprivate var unsignedZeros: Rectangle {
    Rectangle(x: x + 0, y: y + 0, width: width + 0, height: height + 0)
  }
}
