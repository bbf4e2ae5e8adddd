import JSONRPC

/// Requests a composed frame of an instruction whose `compositor` is `client`, to be answered with
/// ``VideoCompositionFinishFrame``.
///
/// The client draws into `target`. Several are outstanding at a time, in the order of the frames; they may be answered
/// in any order. If the work that needs them is cancelled, no more are sent, and an answer only releases the
/// memory.
public struct VideoCompositionComposeFrame: NotificationType {
  public static let method = "videoComposition/composeFrame"

  /// The image generator, the reader or the export session that needs the frame.
  public var owner: AnyHandle
  /// The number of the request, which its answer has as well; never used twice.
  public var request: Int
  /// The time at which the composed frame is shown.
  public var compositionTime: WireTime
  /// The instruction for that time.
  public var instruction: WireVideoCompositionInstruction
  /// The frames of the tracks of its layers at that time; the first is on top.
  public var sources: [WireCompositionSource]
  /// The frame to draw; its previous contents are undefined.
  public var target: WireCompositionPicture

  package init(
    owner: AnyHandle, request: Int, compositionTime: WireTime,
    instruction: WireVideoCompositionInstruction, sources: [WireCompositionSource],
    target: WireCompositionPicture
  ) {
    self.owner = owner
    self.request = request
    self.compositionTime = compositionTime
    self.instruction = instruction
    self.sources = sources
    self.target = target
  }
}

/// A track's frame, for a compositor of the client's own.
///
/// A frame has the size that its track shows: upright with square pixels in a composition, as it is stored in a
/// file.
public struct WireCompositionSource: Codable, Sendable, Equatable {
  /// The track.
  public var trackID: Int32
  /// The time at which the frame begins.
  public var time: WireTime
  /// The layout of pixels in the bytes.
  public var image: WireImageLayout
  /// The bytes, until the request is answered.
  public var blob: WireSharedBlob

  package init(trackID: Int32, time: WireTime, image: WireImageLayout, blob: WireSharedBlob) {
    self.trackID = trackID
    self.time = time
    self.image = image
    self.blob = blob
  }
}

/// A frame that a compositor of the client's own draws.
public struct WireCompositionPicture: Codable, Sendable, Equatable {
  /// The layout of pixels in the bytes.
  public var image: WireImageLayout
  /// The bytes, whose `path` is to be opened and mapped for reading and writing.
  public var blob: WireSharedBlob

  package init(image: WireImageLayout, blob: WireSharedBlob) {
    self.image = image
    self.blob = blob
  }
}

/// The reason for which a frame can't be drawn.
public struct WireCompositorError: Codable, Sendable, Equatable {
  /// A description for people; it is part of the message of the `videoCompositorFailed` with which the work fails.
  public var message: String

  /// Makes the value from its members.
  public init(message: String) {
    self.message = message
  }
}

/// Answers a ``VideoCompositionComposeFrame``: the frame is drawn, or can't be.
///
/// The leases of the request end with it. Requests that were cancelled meanwhile may be answered all the same.
///
/// - Errors: `operationNotAllowed` for a request that was answered before, `invalidParams` for one that never was
public struct VideoCompositionFinishFrame: EngineRequest {
  public static let method = "videoComposition/finishFrame"
  public typealias Result = EmptyResult

  /// The number of the request.
  public var request: Int
  /// The reason for which there is no frame.
  public var error: WireCompositorError?

  /// Makes the value; members that are left out are absent on the wire.
  public init(request: Int, error: WireCompositorError? = nil) {
    self.request = request
    self.error = error
  }
}
