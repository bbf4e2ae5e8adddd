import MediaTime
import SystemIO

/// The interface of an asset for generators, readers and exports.
protocol PresentationSource: Sendable {
  /// Returns the presentation. Blocks, for an export's thread.
  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation
  /// Returns the presentation. Suspends while it is made.
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation
  /// Returns the duration with maximum precision: a reader of all samples must not end at a
  /// header's guess of the end.
  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time
  /// True if files are to be read whole where that makes timing more certain.
  var prefersPreciseTiming: Bool { get }
  var configuration: EngineConfiguration { get }
  /// The files that it is made of, by their paths.
  var files: [String] { get }
  /// True while a read of it waits for the bytes that a client supplies.
  var isWaitingForBytes: Bool { get }
  /// The number of bytes that its file lacks at its end, by the file's structure; 0 where none are
  /// known to be missing, and before the file is open.
  var missingBytes: Int64 { get }
  /// Returns the one file that it is made of, and libavformat's name of its demuxer; nil for any
  /// other asset.
  func sourceFile(
    interrupt: Interrupt
  ) throws(EngineError) -> (identity: FileIdentity, demuxer: String)?
  /// Returns the parts of its files that it doesn't present: none for the asset of a file.
  func unpresented(interrupt: Interrupt) throws(EngineError) -> [UnpresentedItem]
  /// The segments of its tracks, for an asset that is made of parts of others: a composition shows
  /// parts of those instead. Nil for any other asset.
  var segmented: CompositionInput? { get }
  /// The files of subtitles that exports make tracks of, unless they state others.
  var subtitles: [SubtitleFile] { get }
}

extension PresentationSource {
  var isWaitingForBytes: Bool { false }
  var missingBytes: Int64 { 0 }
  var segmented: CompositionInput? { nil }
  var subtitles: [SubtitleFile] { [] }

  func unpresented(interrupt: Interrupt) throws(EngineError) -> [UnpresentedItem] { [] }

  func sourceFile(
    interrupt: Interrupt
  ) throws(EngineError) -> (identity: FileIdentity, demuxer: String)? { nil }
}

/// The engine's access to an asset's samples. Opaque outside of it.
public struct AssetMedia: Sendable {
  let content: any PresentationSource

  init(_ content: any PresentationSource) { self.content = content }

  /// The files that it is made of, by their paths; none for bytes that the program supplies.
  public var files: [String] { content.files }
}
