import LibAV
import MediaTime
import Synchronization

/// The treatment of pictures whose fields are declared, by each frame or, where a codec can't do
/// that, by the stream.
///
/// Progressive pictures stay as they are, also those of a stream that has both.
public enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
  /// As ``frame``, where the result is progressive.
  case auto
  /// Pictures stay as they are stored.
  case none
  /// One picture a frame, that of the field which is shown first; times stay.
  case frame
  /// One picture a field: the second one is shown halfway to the next frame.
  case field

  var isOn: Bool { self != .none }
}

extension MediaFormat {
  /// True where pictures may consist of two fields that one decoded frame holds.
  var mayBeInterlaced: Bool {
    !CodecTraits(parameters.codecName).isNeverInterlaced
  }

  /// Returns the order of a frame's fields, which the frame or its stream declares; progressive for
  /// pictures whose rows can't be interpolated.
  func fieldOrder(of frame: borrowing Frame) -> FieldOrder {
    let traits = CodecTraits(parameters.codecName)
    guard !traits.isNeverInterlaced, frame.pixelFormat.canBeDeinterlaced, frame.height > 1 else {
      return .progressive
    }
    let own = frame.fieldOrder
    guard own == .progressive, !traits.statesFields else { return own }
    // The second letter of FFmpeg's names is the field that is shown first.
    switch parameters.fieldOrder {
    case 2, 5: return .topFirst
    case 3, 4: return .bottomFirst
    default: return .progressive
    }
  }

  /// The number of samples before a frame that are decoded, so that the previous frame exists.
  var samplesBeforeInterlaced: Int { mayStoreFields ? 2 : 1 }
}

/// A frame between its neighbours, none of which is changed.
struct FieldNeighbours: Sendable {
  let previous: Handoff<Frame>?
  let current: Handoff<Frame>
  let next: Handoff<Frame>?

  /// Returns the order of the frame's fields; progressive for one that is left alone. Its
  /// neighbours are shown for three fields as film is, so an encoder's declaration of the frames
  /// between them isn't true.
  func order(_ format: MediaFormat) -> FieldOrder {
    let order = format.fieldOrder(of: current.value)
    func isFilm(_ other: Handoff<Frame>?) -> Bool {
      guard let other else { return false }
      return other.value.repeatsFields && format.fieldOrder(of: other.value) == .progressive
    }
    return isFilm(previous) || isFilm(next) ? .progressive : order
  }

  /// Returns the picture of one field.
  func picture(_ interpolation: FieldInterpolation) throws(LibAVError) -> Frame {
    try interpolation.picture(
      of: current.value, previous: (previous ?? current).value, next: (next ?? current).value,
      neighbours: (previous != nil, next != nil))
  }
}

/// The picture of a field, which is made when it is wanted.
final class DeinterlacedFrame: DeferredFrame {
  private let frames: FieldNeighbours
  private let interpolation: FieldInterpolation
  private let made = OneShotFrame()

  init(_ frames: FieldNeighbours, _ interpolation: FieldInterpolation) {
    (self.frames, self.interpolation) = (frames, interpolation)
  }

  func make() throws(EngineError) -> Handoff<Frame> {
    try made.frame { () throws(LibAVError) in try frames.picture(interpolation) }
  }
}

/// A frame that is made once, by its first caller.
private final class OneShotFrame: Sendable {
  private let result = Mutex<Handoff<Frame>?>(nil)

  func frame(_ make: () throws(LibAVError) -> Frame) throws(EngineError) -> Handoff<Frame> {
    try mapErrors(.convert) { () throws(LibAVError) in
      try result.withLock { (result) throws(LibAVError) in
        if let result { return result }
        let made = Handoff(try make())
        result = made
        return made
      }
    }
  }
}

extension Time {
  /// Exactly half of a time, as far as timescales go.
  var half: Time {
    let (timescale, overflow) = timescale.multipliedReportingOverflow(by: 2)
    guard isNumeric, value % 2 != 0, !overflow else { return multiplied(byRatio: 1, 2) }
    return Time(value: value, timescale: timescale)
  }
}
