public import MediaTime

/// One image of many frames of a video, in rows of tiles, with a map for players.
public struct ContactSheet: Sendable {
  /// The settings of a sheet.
  public struct Configuration: Sendable {
    /// The times of the tiles.
    public enum Moments: Sendable {
      /// N parts of equal length; each tile shows the frame in the middle of its part.
      case even(Int)
      /// These times, ascending; each tile lasts until the next one's time.
      case times([Time])
    }

    public var moments: Moments
    /// The number of tiles in a row.
    public var columns: Int
    /// The number of rows; columns × rows is at least the number of moments.
    public var rows: Int
    /// The range of the sheet, within the track's own range.
    public var timeRange = TimeRange.all
    /// The maximum width of a tile, in pixels.
    public var tileWidth = 160
    /// The space between neighbouring tiles, in pixels.
    public var spacing = 0
    /// True to draw the time of its frame into each tile's lower left corner.
    public var showsTimes = false
    /// The format: "jpeg", "png", "webp", "bmp", or pixels: "rgb24", "rgba", "bgra", "gray".
    public var output = ImageOutput()
    /// The name of the sheet in the cues of the map.
    public var imageName = "sheet"
    /// The file of the sheet, next to which the map is written; nil to return the bytes.
    public var file: File?

    /// Creates settings for tiles of 160 pixels in width without space between them, as JPEG.
    ///
    /// - Parameters:
    ///   - columns: the number of columns, 1 or more.
    ///   - rows: the number of rows, 1 or more.
    public init(moments: Moments, columns: Int, rows: Int) {
      self.moments = moments
      self.columns = columns
      self.rows = rows
    }
  }

  /// The files of a sheet and its map.
  public struct File: Sendable {
    /// The path of the sheet; no file may exist there, nor at ``mapPath``.
    public var path: String
    /// The roots that the path has to be below.
    public var configuration: EngineConfiguration

    public init(path: String, configuration: EngineConfiguration = EngineConfiguration()) {
      self.path = path
      self.configuration = configuration
    }

    /// The path with the extension "vtt" in place of its own.
    public var mapPath: String {
      let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      // A name that only begins with a dot has no extension.
      guard let dot = path[slash...].lastIndex(of: "."), dot > slash else { return "\(path).vtt" }
      return "\(path[..<dot]).vtt"
    }

    /// The name without the folder, as a URL relative to the map's.
    public var imageName: String {
      let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
      return percentEncoded(name)
    }
  }

  /// One frame of the sheet.
  public struct Tile: Sendable {
    /// The range that the tile represents; empty for a time at or after the end.
    public var timeRange: TimeRange
    /// The requested time of its frame.
    public var requestedTime: Time
    /// The frame; nil without one.
    public var moment: ImageMoment?
    /// The reason for which there is no frame: the tile is black.
    public var error: EngineError?
    /// The tile's left edge in the sheet, in pixels.
    public var x = 0
    /// The tile's upper edge in the sheet, in pixels.
    public var y = 0
  }

  /// The width of the sheet, in pixels.
  public var width: Int
  /// The height of the sheet, in pixels.
  public var height: Int
  /// The sheet's bytes.
  public var data: DataBuffer
  /// The plane of a raw sheet; nil for an encoded one.
  public var planes: [PicturePlane]?
  /// The colour of the numbers of a raw sheet, by its first tile; nil for an encoded one.
  public var color: FormatDescription.Color?
  /// The MIME type: "image/jpeg" …; "application/octet-stream" for pixels.
  public var mimeType: String
  /// The width in pixels, the same for all tiles.
  public var tileWidth: Int
  public var tileHeight: Int
  /// The tiles row by row, from the upper left.
  public var tiles: [Tile]
  /// The name of the sheet in the cues.
  public var imageName: String
}

extension ImageGenerator {
  /// Makes a sheet of the track's frames, by the generator's rules for aperture, turn, size and tolerances.
  ///
  /// It is made in parallel with the generator's other requests, not in line with them. Cancelling the task, and
  /// ``ImageGenerator/cancelAllImageGeneration()``, cancel it: no file remains then.
  ///
  /// - Parameter progress: called with the number of finished tiles, from the engine's threads.
  /// - Throws: `noSourceTrack`, `noImageAtTime` where the range has no media of the track, `limitExceeded` for a sheet
  ///   that is too large, `fileAlreadyExists`, and the error of the first tile where none could be made.
  public nonisolated func contactSheet(
    _ configuration: ContactSheet.Configuration,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(EngineError) -> ContactSheet {
    try await withTaskInterrupt(parent: arrival) { interrupt throws(EngineError) in
      try await ContactSheetWork(configuration, of: self, interrupt: interrupt)
        .run(progress: progress)
    }
  }
}

extension ContactSheet {
  /// The map of the sheet as WebVTT: a cue for each tile, whose payload is the place in the sheet.
  ///
  /// Times are rounded to the nearest millisecond, so that a cue begins at the end of the one before it. Shorter tiles
  /// have no cue, because a cue may not be empty. Cues can't have times before zero.
  public var webVTT: String {
    var text = "WEBVTT\n"
    for tile in tiles {
      let start = milliseconds(tile.timeRange.start)
      let end = milliseconds(tile.timeRange.end)
      guard start < end else { continue }
      text += "\n\(clock(start)) --> \(clock(end))\n"
      text += "\(imageName)#xywh=\(tile.x),\(tile.y),\(tileWidth),\(tileHeight)\n"
    }
    return text
  }
}

private func milliseconds(_ time: Time) -> Int64 {
  time.isNumeric ? max(0, time.converted(toTimescale: 1000).value) : 0
}

/// Returns hours, minutes, seconds and thousandths (WebVTT, section 4.1: hours have two digits or more).
private func clock(_ milliseconds: Int64) -> String {
  func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
  let seconds = milliseconds / 1000
  return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":"
    + padded(seconds % 60, 2) + "." + padded(milliseconds % 1000, 3)
}

/// Returns all but RFC 3986's unreserved characters as %XX: a name may have characters that end a URL or a cue.
private func percentEncoded(_ name: Substring) -> String {
  var result = ""
  for byte in name.utf8 {
    let scalar = Unicode.Scalar(byte)
    let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    if byte < 0x80, isPlain || "-._~".unicodeScalars.contains(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      let digits = String(byte, radix: 16, uppercase: true)
      result += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
    }
  }
  return result
}
