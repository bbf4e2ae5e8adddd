import JSONRPC

/// Makes a contact sheet: one image of many frames of a video, with a WebVTT map for players.
///
/// Choose the tiles in one of three ways: `columns` and `rows`, which fills all cells; `count`; or
/// `times`. With `count` and `times`, `columns` and `rows` set the shape, which must be large
/// enough; one of them suffices, and without them the sheet has equal numbers of columns and rows, or one row
/// less. Unused cells stay black. A sheet has at most 10,000 cells.
///
/// Without `times` the range is divided into parts of equal length, and each tile shows the
/// generator's image for the middle of its part; with `times` each tile represents the range from
/// its time to the next one's. The generator's tolerances apply: with 0 the exact frame. By default it
/// is the nearest sync sample, which is fast: without `times` one in the tile's own part, or the
/// exact frame where there is none; with `times` it may be outside the tile's part.
///
/// All tiles have the size of the first frame: by the generator's rules for aperture, rotation and
/// maximum size, at most `tileWidth` wide, never enlarged, rounded down to even numbers. A frame of
/// another shape is scaled down and centred in its tile.
///
/// A tile without a frame is black and has an `error`; the sheet fails only if every tile does,
/// with the first one's error. A sheet of more than 67,108,864 pixels, or larger than its format
/// allows (`jpeg` 65,500 pixels in width and height, `webp` 16,383), fails with `limitExceeded`.
///
/// The map has a cue for each tile, including black ones, with the sheet and the tile's rectangle
/// in it: `sheet.jpg#xywh=160,0,160,90`. Without `times` the cues cover the range without a gap.
/// With a delivery to a file, the map is written next to the sheet, under the same name with the
/// extension `vtt`. Neither file replaces an existing one, and a failure leaves neither.
///
/// The sheet does not wait for the generator's other requests. ``ImageGeneratorCancelAll`` and
/// closing the generator cancel it. The work ends with ``ImageGeneratorDidFinishContactSheet``; a
/// failure is reported there, and is not an error of this request.
public struct ImageGeneratorContactSheet: EngineRequest {
  public static let method = "imageGenerator/contactSheet"
  public typealias Result = OperationReply<ImageGeneratorDidFinishContactSheet>

  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The number of tiles in a row.
  public var columns: Int?
  /// The number of rows.
  public var rows: Int?
  /// The number of tiles.
  public var count: Int?
  /// The times of the tiles in the asset's time, each after the one before it.
  public var times: [WireTime]?
  /// The range of the sheet, limited to that of the video track; the whole track when absent.
  public var timeRange: WireTimeRange?
  /// The maximum width of a tile, in pixels, from 2 to 8192.
  ///
  /// - Default: `160`
  public var tileWidth: Int?
  /// The distance between neighbouring tiles in pixels, from 0 to 1024; it is black.
  ///
  /// - Default: `0`
  public var spacing: Int?
  /// True if each tile shows the presentation time of its frame in its lower left corner: minutes,
  /// seconds and thousandths, white on black, with hours from one hour on.
  ///
  /// The times are rounded to the nearest millisecond; `tiles` has the exact ones. A tile that is too
  /// narrow for its time has none.
  ///
  /// - Default: `false`
  public var showsTimes: Bool?
  /// The format of the sheet, any but `yuv420p` and `yuv420p10le`.
  ///
  /// When absent, the extension of a file decides, else it is `jpeg`, as for
  /// ``ImageGeneratorGenerateImage``.
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The destination of the bytes of the sheet.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?
  /// The URL of the sheet in the map, absolute or relative to the map's; it has no fragment.
  ///
  /// When absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
  public var imageName: String?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    imageGenerator: ImageGeneratorHandle, columns: Int? = nil, rows: Int? = nil,
    count: Int? = nil, times: [WireTime]? = nil, timeRange: WireTimeRange? = nil,
    tileWidth: Int? = nil, spacing: Int? = nil, showsTimes: Bool? = nil,
    format: WireImageFormat? = nil, quality: Double? = nil, delivery: WireDelivery? = nil,
    imageName: String? = nil, completion: WireCompletion? = nil
  ) {
    self.imageGenerator = imageGenerator
    self.columns = columns
    self.rows = rows
    self.count = count
    self.times = times
    self.timeRange = timeRange
    self.tileWidth = tileWidth
    self.spacing = spacing
    self.showsTimes = showsTimes
    self.format = format
    self.quality = quality
    self.delivery = delivery
    self.imageName = imageName
    self.completion = completion
  }
}

extension ImageGeneratorContactSheet: OperationRequest {
  package typealias Terminal = ImageGeneratorDidFinishContactSheet

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      ImageGeneratorDidFinishContactSheet(
        operation: operation, imageGenerator: imageGenerator, result: .failed,
        error: error.about(imageGenerator))
    ]
  }
}

/// Reports the number of finished tiles of a contact sheet, at most once per percent.
public struct ImageGeneratorDidProgressContactSheet: NotificationType {
  public static let method = "imageGenerator/didProgressContactSheet"

  /// The operation.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The number of tiles that are done or failed; it never decreases.
  public var completed: Int
  /// The number of tiles.
  public var count: Int

  package init(
    operation: OperationHandle, imageGenerator: ImageGeneratorHandle, completed: Int, count: Int
  ) {
    self.operation = operation
    self.imageGenerator = imageGenerator
    self.completed = completed
    self.count = count
  }
}

/// One tile of a contact sheet.
public struct WireContactSheetTile: Codable, Sendable {
  /// The index of the tile, from 0, row by row.
  public var index: Int
  /// The range that the tile represents; empty for a time at or after the end.
  public var timeRange: WireTimeRange
  /// The requested time of its frame.
  public var requestedTime: WireTime
  /// The presentation time of the frame that the tile shows.
  public var actualTime: WireTime?
  /// The index of the frame in the track, in presentation order, from 0; absent if the file has no
  /// presentation times, and if only the part of the file around the frame was indexed.
  public var sampleIndex: Int?
  /// True if it is the frame that is shown at the requested time.
  public var isExact: Bool?
  /// The distance of the tile's left edge from the sheet's, in pixels.
  public var x: Int
  /// The distance of the tile's upper edge from the sheet's, in pixels.
  public var y: Int
  /// The width of the tile in pixels.
  public var width: Int
  /// The height of the tile in pixels.
  public var height: Int
  /// The reason for a black tile.
  public var error: ErrorObject?

  package init(
    index: Int, timeRange: WireTimeRange, requestedTime: WireTime, actualTime: WireTime? = nil,
    sampleIndex: Int? = nil, isExact: Bool? = nil, x: Int, y: Int, width: Int, height: Int,
    error: ErrorObject? = nil
  ) {
    self.index = index
    self.timeRange = timeRange
    self.requestedTime = requestedTime
    self.actualTime = actualTime
    self.sampleIndex = sampleIndex
    self.isExact = isExact
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.error = error
  }
}

/// Reports the end of a contact sheet, with the sheet.
///
/// The members about the sheet are present if it succeeded.
public struct ImageGeneratorDidFinishContactSheet: NotificationType {
  public static let method = "imageGenerator/didFinishContactSheet"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The outcome.
  public var result: WireOutcome
  /// The sheet.
  public var image: WireImage?
  /// The width of every tile in pixels.
  public var tileWidth: Int?
  /// The height of every tile in pixels.
  public var tileHeight: Int?
  /// The number of tiles in a row.
  public var columns: Int?
  /// The number of rows.
  public var rows: Int?
  /// The tiles, row by row.
  public var tiles: [WireContactSheetTile]?
  /// The map: a WebVTT file's text with a cue for each tile.
  ///
  /// A tile for less than a millisecond, or before time zero, has no cue.
  public var webVTT: String?
  /// The map's file, when the sheet was delivered to one.
  public var webVTTPath: String?
  /// The reason for its failure or cancellation; no file is left.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, imageGenerator: ImageGeneratorHandle, result: WireOutcome,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.imageGenerator = imageGenerator
    self.result = result
    self.error = error
  }
}
