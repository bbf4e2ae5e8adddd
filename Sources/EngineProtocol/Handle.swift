import JSONRPC

/// The kinds of objects that handles name.
public enum HandleKind: String, Codable, Sendable, CaseIterable {
  /// An asset, from ``AssetOpen``.
  case asset
  /// Media whose bytes the client supplies, from ``AssetOpen``.
  case resource
  /// A composition, from ``CompositionCreate``.
  case composition
  /// An image generator, from ``ImageGeneratorCreate``.
  case imageGenerator
  /// An export session, from ``ExportSessionCreate``.
  case exportSession
  /// An asset reader, from ``AssetReaderCreate``.
  case assetReader
  /// One output of an asset reader.
  case output
  /// An asset writer, from ``AssetWriterCreate``.
  case assetWriter
  /// One input of an asset writer.
  case input
  /// A position among the samples of a track, from ``SampleCursorCreate``.
  case sampleCursor
  /// A player, from ``PlayerCreate``.
  case player
  /// The presentation of an asset by a player, from ``PlayerItemCreate``.
  case playerItem
  /// An observer of a player's time, from ``PlayerAddPeriodicTimeObserver`` or ``PlayerAddBoundaryTimeObserver``.
  case timeObserver
  /// An output of an item's frames, from ``VideoOutputCreate``.
  case videoOutput
  /// The looping of an item, from ``PlayerLooperCreate``.
  case playerLooper
  /// A player of the audio of one asset, from ``AudioPlayerCreate``.
  case audioPlayer
  /// A capture session, from ``CaptureSessionCreate``.
  case captureSession
  /// An input of a capture session, from ``CaptureSessionConfigure``.
  case captureInput
  /// An output of a capture session, from ``CaptureSessionConfigure``.
  case captureOutput
  /// A recorder of audio, from ``AudioRecorderCreate``.
  case audioRecorder
  /// Work in progress, from a request that starts work.
  case operation
  /// A block of shared memory, from an answer with `delivery` `"shm"`.
  case lease
  /// Folders of media and the properties of their files, from ``LibraryOpen``.
  case library
  /// Items of a library, from ``LibraryFetch``.
  case fetchResult
}

/// A handle of one kind: a string such as `asset:1`, which names an object and is never reused.
///
/// On the wire every handle is a plain string. That it names an open object, and one of the right kind,
/// is checked when the request is served, not when it is decoded.
public protocol HandleType: RawRepresentable<String>, Codable, Hashable, Sendable {
  /// The kind of object this handle names.
  static var kind: HandleKind { get }
  /// Wraps the string that came over the wire.
  init(rawValue: String)
}

/// Names an asset, for example `asset:1`.
public struct AssetHandle: HandleType {
  public static let kind = HandleKind.asset
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names media whose bytes the client supplies, for example `resource:1`.
public struct ResourceHandle: HandleType {
  public static let kind = HandleKind.resource
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an image generator, for example `imageGenerator:2`.
public struct ImageGeneratorHandle: HandleType {
  public static let kind = HandleKind.imageGenerator
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an export session, for example `exportSession:3`.
public struct ExportSessionHandle: HandleType {
  public static let kind = HandleKind.exportSession
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an asset reader, for example `assetReader:4`.
public struct AssetReaderHandle: HandleType {
  public static let kind = HandleKind.assetReader
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a capture session, for example `captureSession:1`.
public struct CaptureSessionHandle: HandleType {
  public static let kind = HandleKind.captureSession
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an input of a capture session, for example `captureInput:1/1`.
public struct CaptureInputHandle: HandleType {
  public static let kind = HandleKind.captureInput
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an output of a capture session, for example `captureOutput:1/1`.
public struct CaptureOutputHandle: HandleType {
  public static let kind = HandleKind.captureOutput
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a recorder of audio, for example `audioRecorder:1`.
public struct AudioRecorderHandle: HandleType {
  public static let kind = HandleKind.audioRecorder
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names one output of an asset reader, for example `output:4/1`.
public struct OutputHandle: HandleType {
  public static let kind = HandleKind.output
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an asset writer, for example `assetWriter:2`.
public struct AssetWriterHandle: HandleType {
  public static let kind = HandleKind.assetWriter
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names one input of an asset writer, for example `input:2/1`.
public struct InputHandle: HandleType {
  public static let kind = HandleKind.input
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a sample cursor, for example `sampleCursor:5`.
public struct SampleCursorHandle: HandleType {
  public static let kind = HandleKind.sampleCursor
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a player, for example `player:1`.
public struct PlayerHandle: HandleType {
  public static let kind = HandleKind.player
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an item of players, for example `playerItem:1`.
public struct PlayerItemHandle: HandleType {
  public static let kind = HandleKind.playerItem
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an observer of a player's time, for example `timeObserver:1`.
public struct TimeObserverHandle: HandleType {
  public static let kind = HandleKind.timeObserver
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an output of an item's frames, for example `videoOutput:1`.
public struct VideoOutputHandle: HandleType {
  public static let kind = HandleKind.videoOutput
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names the looping of an item, for example `playerLooper:1`.
public struct PlayerLooperHandle: HandleType {
  public static let kind = HandleKind.playerLooper
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an audio player, for example `audioPlayer:1`.
public struct AudioPlayerHandle: HandleType {
  public static let kind = HandleKind.audioPlayer
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names work in progress, for example `operation:5`.
public struct OperationHandle: HandleType {
  public static let kind = HandleKind.operation
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a leased block of shared memory, for example `lease:5`.
public struct LeaseHandle: HandleType {
  public static let kind = HandleKind.lease
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names an object of any kind.
public struct AnyHandle: RawRepresentable, Codable, Hashable, Sendable {
  public let rawValue: String
  /// Wraps the string that came over the wire.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Wraps the string of a handle, without its kind.
  public init(_ handle: some HandleType) { self.rawValue = handle.rawValue }
}

/// Lists every open handle of this connection, oldest first.
public struct HandleList: EngineRequest {
  public static let method = "handle/list"
  public static let placement = Placement.all(isRemembered: false)

  /// The open handles.
  public struct Result: Codable, Sendable, Equatable {
    /// One entry for each open handle.
    public var handles: [WireHandleInfo]

    package init(handles: [WireHandleInfo]) {
      self.handles = handles
    }
  }

  /// Makes the value from its members.
  public init() {}
}

/// An open handle, as ``HandleList`` lists it.
public struct WireHandleInfo: Codable, Sendable, Equatable {
  /// The handle.
  public var handle: AnyHandle
  /// The kind of the object.
  public var kind: HandleKind
  /// A short description for people, for example the URL of an asset.
  public var describes: String

  package init(handle: AnyHandle, kind: HandleKind, describes: String) {
    self.handle = handle
    self.kind = kind
    self.describes = describes
  }
}

/// Releases an object.
///
/// Work of that object is cancelled, and its operations end with their terminal notification.
/// Objects made from it keep working: a generator works after its asset's handle was closed. Leases
/// of the object are released.
public struct HandleClose: EngineRequest {
  public static let method = "handle/close"
  public typealias Result = EmptyResult

  /// The handle, of any kind.
  public var handle: AnyHandle

  /// Makes the value from its members.
  public init(handle: AnyHandle) {
    self.handle = handle
  }
}
