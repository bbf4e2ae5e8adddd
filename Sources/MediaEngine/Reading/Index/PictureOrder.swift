import LibAV

/// The order in which the pictures of a stream are shown, where its container doesn't state it.
///
/// Headers of pictures show it: the picture order count of H.264 and HEVC (Rec. ITU-T H.264, 8.2.1; H.265,
/// 8.3.1) within a coded video sequence, and elsewhere the type, for a picture of the type B is shown
/// where it stands, and others once the next of these comes. Where they don't, a decoder does.
final class PictureOrder {
  private struct Picture {
    /// The picture order count.
    var order: Int32 = 0
    var isBidirectional = false
    var startsSequence = false
    var isSecondField = false
    /// A decoder returns no frame for it.
    var isHidden = false
  }

  private var parser: PictureParser
  private var units: PictureUnits?
  private let usesCounts: Bool
  private var objects: MPEG4Objects?
  private var pictures: [Picture] = []
  private var isComplete = true
  /// The next clean access begins a sequence, and its leading pictures aren't shown.
  private var isAtStart = true
  private var skipsLeading = false
  /// Of the picture before, where the other field is to follow.
  private var hasOpenField = false

  /// - Returns: nil where the codec's headers aren't understood.
  init?(_ format: MediaFormat) {
    guard let parser = PictureParser(format) else { return nil }
    let parameters = format.parameters
    self.parser = parser
    units = CodecTraits(parameters.codecName).nalSyntax.map {
      PictureUnits($0, extradata: parameters.extradata)
    }
    usesCounts = units != nil
    if parameters.codecName == "mpeg4" { objects = MPEG4Objects(parameters.extradata) }
  }

  /// Looks at the next sample in decode order.
  func add(_ packet: borrowing Packet) {
    let parsed = parser.parse(packet)
    var picture = Picture()
    picture.isBidirectional = parsed.kind == .bidirectional
    if usesCounts, let order = parsed.order {
      picture.order = order
    } else if usesCounts || parsed.kind == .unknown {
      isComplete = false
    }
    picture.isHidden = objects?.isUncoded(packet.bytes(at: 0, count: 4096)) == true
    picture.isSecondField = parsed.isField && hasOpenField
    hasOpenField = parsed.isField && !hasOpenField
    if !picture.isSecondField { place(&picture, packet) }
    pictures.append(picture)
  }

  private func place(_ picture: inout Picture, _ packet: borrowing Packet) {
    guard units != nil else { return }
    units?.read(packet)
    switch units?.access {
    case .newSequence:
      picture.startsSequence = true
      skipsLeading = false
    case .clean:
      picture.startsSequence = isAtStart
      skipsLeading = isAtStart
    case .skippedLeading: picture.isHidden = skipsLeading
    default: break
    }
    isAtStart = units?.endsSequence == true
  }

  /// Returns the pictures in the order in which they are shown; nil where their headers contradict
  /// each other, or weren't understood.
  func shown() -> ShownPictures? {
    guard isComplete else { return nil }
    let frames = pictures.indices.filter { !pictures[$0].isSecondField }
    let order = usesCounts ? byCounts(frames) : byTypes(frames)
    guard let order else { return nil }
    return ShownPictures(
      order: order, hidden: Set(frames.filter { pictures[$0].isHidden }),
      secondFields: Set(pictures.indices.filter { pictures[$0].isSecondField }))
  }

  private func byCounts(_ frames: [Int]) -> [Int]? {
    var order: [Int] = []
    var sequence: [Int] = []
    /// False where two have the same place.
    func close() -> Bool {
      sequence.sort { (pictures[$0].order, $0) < (pictures[$1].order, $1) }
      let isUnique = zip(sequence, sequence.dropFirst()).allSatisfy {
        pictures[$0].order != pictures[$1].order
      }
      order += sequence
      sequence = []
      return isUnique
    }
    for frame in frames {
      if pictures[frame].startsSequence, !close() { return nil }
      sequence.append(frame)
    }
    guard close() else { return nil }
    // No codec delays more pictures than that: the counts have begun anew unnoticed.
    var places = Array(repeating: 0, count: pictures.count)
    for (place, frame) in frames.enumerated() { places[frame] = place }
    let isNear = order.enumerated().allSatisfy {
      abs(places[$0.element] - $0.offset) <= SampleIndex.maximumReordering
    }
    guard isNear else { return nil }
    return order
  }

  private func byTypes(_ frames: [Int]) -> [Int] {
    var order: [Int] = []
    var waiting: Int?
    for frame in frames {
      if pictures[frame].isBidirectional {
        order.append(frame)
      } else {
        if let waiting { order.append(waiting) }
        waiting = frame
      }
    }
    if let waiting { order.append(waiting) }
    return order
  }
}

/// The samples of a stream in the order in which their pictures are shown.
struct ShownPictures {
  /// Decode indexes of frames, of the first field where there are two.
  var order: [Int]
  /// Those among them for which a decoder returns no frame.
  var hidden: Set<Int> = []
  var secondFields: Set<Int> = []
}
