import JSONRPC

/// Makes a contact sheet: one image of many of a video, with a WebVTT map for players.
///
/// The tiles are told in one of three ways: `columns` and `rows`, all of whose cells are filled;
/// `count`; or `times`. With `count` and `times`, `columns` and `rows` may say the shape, which has to
/// have room; one of them is enough, and without them the sheet has as many columns as rows, or one
/// row less. Cells that are left over stay black. A sheet has at most 10,000 cells.
///
/// Without `times` the range is cut into parts of equal length, and each tile shows what the
/// generator gives for the middle of its part; with `times` each tile stands from its time to the next
/// one's. The generator's tolerances hold: as they are by default, the nearest sync sample is taken,
/// which is cheap and may lie outside the tile's part; with 0 it is the exact frame.
///
/// All tiles have one size, that of the first picture: by the generator's rules for aperture, turn and
/// maximum size, at most `tileWidth` wide, never enlarged, cut down to even numbers. A picture of
/// another shape is made smaller and stands in the middle of its tile.
///
/// A tile without picture is black and has its `error`; only when no tile has a picture the sheet
/// fails, with the first one's error. A sheet of more than 67,108,864 pixels, or larger than its
/// format can be (`jpeg` 65,500 pixels in width and height, `webp` 16,383), fails with
/// `limitExceeded`.
///
/// The map has a cue for each tile, also for a black one, which names the sheet and the tile's place in
/// it: `sheet.jpg#xywh=160,0,160,90`. Without `times` the cues cover the range without a gap. Delivered
/// to a file the map is written beside the sheet under the same name with the extension `vtt`. Neither
/// file replaces an existing one, and a failure leaves neither.
///
/// The sheet is made beside the generator's other requests, and doesn't wait for them.
/// ``ImageGeneratorCancelAll`` and closing the generator cancel it. The work ends with
/// ``ImageGeneratorDidFinishContactSheet``; a sheet that fails is told there and is no error of this
/// request.
public struct ImageGeneratorContactSheet: RequestType {
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
  /// What the sheet covers; the part of it that the video track has. All of the track when absent.
  public var timeRange: WireTimeRange?
  /// The most that a tile is wide, in pixels, from 2 to 8192.
  ///
  /// - Default: `160`
  public var tileWidth: Int?
  /// The distance between neighbouring tiles in pixels, from 0 to 1024; it is black.
  ///
  /// - Default: `0`
  public var spacing: Int?
  /// The format of the sheet, any but `yuv420p` and `yuv420p10le`.
  ///
  /// When absent what a file's name ends in says it, else it is `jpeg`, as for
  /// ``ImageGeneratorGenerateImage``.
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// Where the bytes of the sheet go.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?
  /// The URL of the sheet in the map, absolute or relative to the map's; it has no fragment.
  ///
  /// When absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
  public var imageName: String?
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    imageGenerator: ImageGeneratorHandle, columns: Int? = nil, rows: Int? = nil,
    count: Int? = nil, times: [WireTime]? = nil, timeRange: WireTimeRange? = nil,
    tileWidth: Int? = nil, spacing: Int? = nil, format: WireImageFormat? = nil,
    quality: Double? = nil, delivery: WireDelivery? = nil, imageName: String? = nil,
    completion: WireCompletion? = nil
  ) {
    self.imageGenerator = imageGenerator
    self.columns = columns
    self.rows = rows
    self.count = count
    self.times = times
    self.timeRange = timeRange
    self.tileWidth = tileWidth
    self.spacing = spacing
    self.format = format
    self.quality = quality
    self.delivery = delivery
    self.imageName = imageName
    self.completion = completion
  }
}

/// Tells how many tiles of a contact sheet are done, whole percents apart at least.
public struct ImageGeneratorDidProgressContactSheet: NotificationType {
  public static let method = "imageGenerator/didProgressContactSheet"

  /// The operation.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The number of tiles that are made or have failed; it never falls.
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

/// One picture of a contact sheet.
public struct WireContactSheetTile: Codable, Sendable {
  /// The place of the tile among all, from 0, row by row.
  public var index: Int
  /// What the tile stands for; empty for a time at or after the end.
  public var timeRange: WireTimeRange
  /// The time that the picture was asked for.
  public var requestedTime: WireTime
  /// The presentation time of the frame that the tile shows.
  public var actualTime: WireTime?
  /// The frame's place among all frames of the track in presentation order, from 0; absent where the
  /// file has no presentation times.
  public var sampleIndex: Int?
  /// Whether it is the frame that is shown at the requested time.
  public var isExact: Bool?
  /// The distance of the tile's left edge from the sheet's, in pixels.
  public var x: Int
  /// The distance of the tile's upper edge from the sheet's, in pixels.
  public var y: Int
  /// The width of the tile in pixels.
  public var width: Int
  /// The height of the tile in pixels.
  public var height: Int
  /// Why the tile is black.
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

/// Tells that a contact sheet has ended, and brings it.
///
/// What is said of the sheet is there when it succeeded.
public struct ImageGeneratorDidFinishContactSheet: NotificationType {
  public static let method = "imageGenerator/didFinishContactSheet"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// How it ended.
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
  /// A tile that stands for less than a millisecond, or before time zero, has no cue.
  public var webVTT: String?
  /// The map's file, when the sheet was delivered to one.
  public var webVTTPath: String?
  /// Why it failed or was cancelled; no file is left.
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
