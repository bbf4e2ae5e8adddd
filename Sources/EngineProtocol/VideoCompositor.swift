import JSONRPC

/// Asks for a picture of an instruction whose `compositor` is `client`, to be answered with
/// ``VideoCompositionFinishFrame``.
///
/// The client draws into `target`. Several are out at a time, in the order of the pictures; they may be answered in
/// any order. Where the work that needs them is cancelled, nothing more is sent, and an answer does nothing but
/// give the memory back.
public struct VideoCompositionComposeFrame: NotificationType {
  public static let method = "videoComposition/composeFrame"

  /// The image generator, the reader or the export session that needs the picture.
  public var owner: AnyHandle
  /// The number of the request, which its answer has as well; never used twice.
  public var request: Int
  /// When the picture is shown.
  public var compositionTime: WireTime
  /// The instruction of that time.
  public var instruction: WireVideoCompositionInstruction
  /// What the tracks of its layers show at that time; the first is on top.
  public var sources: [WireCompositionSource]
  /// The picture to draw; what is in it before means nothing.
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

/// What a track shows, for a compositor of the client's own.
///
/// A frame has the size that its track shows: upright with square pixels in a composition, as it is stored in a
/// file.
public struct WireCompositionSource: Codable, Sendable, Equatable {
  /// The track.
  public var trackID: Int32
  /// When the frame begins.
  public var time: WireTime
  /// How the bytes are a picture.
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

/// A picture that a compositor of the client's own draws.
public struct WireCompositionPicture: Codable, Sendable, Equatable {
  /// How the bytes are a picture.
  public var image: WireImageLayout
  /// The bytes, whose `path` is to be opened and mapped for reading and writing.
  public var blob: WireSharedBlob

  package init(image: WireImageLayout, blob: WireSharedBlob) {
    self.image = image
    self.blob = blob
  }
}

/// Why a picture can't be drawn.
public struct WireCompositorError: Codable, Sendable, Equatable {
  /// For a person; part of the message of what fails for it, with `videoCompositorFailed`.
  public var message: String

  /// Makes the value from its members.
  public init(message: String) {
    self.message = message
  }
}

/// Answers a ``VideoCompositionComposeFrame``: the picture is drawn, or can't be.
///
/// The leases of the request end with it. What was cancelled meanwhile may be answered all the same.
///
/// - Errors: `operationNotAllowed` for a request that was answered before, `invalidParams` for one that never was
public struct VideoCompositionFinishFrame: EngineRequest {
  public static let method = "videoComposition/finishFrame"
  public typealias Result = EmptyResult

  /// The number of the request.
  public var request: Int
  /// Why there is no picture.
  public var error: WireCompositorError?

  /// Makes the value; what is left out is absent on the wire.
  public init(request: Int, error: WireCompositorError? = nil) {
    self.request = request
    self.error = error
  }
}
