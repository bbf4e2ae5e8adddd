import LibAV

/// The frames of an ``OverlapAdd``: pieces of the source, changed so that they fit to those before.
protocol StretchFrames: AnyObject {
  /// The length of a frame, and the distance of two of them in the output, in samples.
  var window: Int { get }
  var hop: Int { get }
  /// The weight of each sample of a frame.
  var weights: [Float] { get }
  /// The number of samples of the source that are read before the position of a frame, and after
  /// its end.
  var reach: Int { get }
  /// Makes the frame of a position in the source, weighted. Called in order.
  func make(at position: Int64, of input: StretchInput, into frame: inout [[Float]])
}

/// Stretches by frames that overlap, each read from where its middle belongs.
///
/// The positions of frames follow from their numbers by arithmetic, so nothing drifts at any
/// duration. The first frame begins with the source's first sample, and none reads past the last
/// one: a join of parts is not faded out. The content of a frame depends on those before it, so all
/// of them are made from the part's start, also where only a later range is wanted.
final class OverlapAdd: TimeStretcher {
  private let frames: any StretchFrames
  private let map: any StretchMap
  private let end: Int64
  private var source: StretchInput
  private var isInputOver = false
  /// The number of the next frame, and where the last one ends in the output.
  private var number: Int64 = 0
  private var covered: Int64 = 0
  private var frame: [[Float]]
  private var sums: [[Float]]
  private var sumsOfWeights: [Float]
  /// The minimum divisor, so that the rounding errors of a window's edge aren't amplified.
  private let minimumWeight: Float

  let input: Range<Int64>
  let firstOutput: Int64 = 0
  var maximumHeld: Int { source.maximumHeld }

  init(_ frames: any StretchFrames, _ request: StretchRequest) {
    self.frames = frames
    map = request.curve.map
    end = request.wanted.upperBound
    let channels = request.channels.channels
    source = StretchInput(channels: channels, count: request.sourceCount)
    let (window, hop) = (frames.window, Int64(frames.hop))
    // The last frame that overlaps with the wanted range, to its end.
    let last = map.source(of: (end / hop + 1) * hop + Int64(window))
    input = 0..<min(request.sourceCount, last + Int64(window + frames.reach))
    frame = Array(repeating: Array(repeating: 0, count: window), count: channels)
    sums = frame
    sumsOfWeights = Array(repeating: 0, count: window)
    minimumWeight = frames.weights.reduce(0, +) / Float(hop) / 1000
  }

  func append(_ planes: [[Float]]) { source.append(planes) }

  func finish() { isInputOver = true }

  /// The position at which the frame is read, by its number.
  private var position: Int64 {
    guard number > 0 else { return 0 }
    return min(max(0, middle), lastPosition)
  }

  private var middle: Int64 {
    let half = Int64(frames.window / 2)
    return map.source(of: number * Int64(frames.hop) + half) - half
  }

  private var lastPosition: Int64 { max(0, source.count - Int64(frames.window)) }

  /// At high speed the source ends before the last frames, and the one before them lasts long enough:
  /// reading its end again would be an echo.
  private var isFrameNeeded: Bool {
    map.isSlow(at: number * Int64(frames.hop)) || middle <= lastPosition
      || covered < min((number + 1) * Int64(frames.hop), end)
  }

  func next(into planes: inout [[Float]]) -> Int {
    let (window, hop) = (frames.window, frames.hop)
    let start = number * Int64(hop)
    guard start < end else { return 0 }
    if isFrameNeeded {
      let position = position
      source.discard(before: position - Int64(frames.reach))
      let needed = min(source.count, position + Int64(window + frames.reach))
      guard isInputOver || source.end >= needed else { return 0 }
      frames.make(at: position, of: source, into: &frame)
      add()
      covered = start + Int64(window)
    }
    let count = Int(min(Int64(hop), end - start))
    for channel in sums.indices {
      for place in 0..<count {
        planes[channel].append(sums[channel][place] / max(sumsOfWeights[place], minimumWeight))
      }
      Self.advance(&sums[channel], by: hop)
    }
    Self.advance(&sumsOfWeights, by: hop)
    number += 1
    return count
  }

  private func add() {
    for channel in sums.indices {
      for place in sumsOfWeights.indices { sums[channel][place] += frame[channel][place] }
    }
    let weights = frames.weights
    for place in sumsOfWeights.indices { sumsOfWeights[place] += weights[place] }
  }

  private static func advance(_ samples: inout [Float], by hop: Int) {
    for place in hop..<samples.count { samples[place - hop] = samples[place] }
    for place in (samples.count - hop)..<samples.count { samples[place] = 0 }
  }
}
