public import MediaTime

/// One picture of many of a video, in rows of tiles, with what a player needs to find its way in it.
public struct ContactSheet: Sendable {
  /// What a sheet is to be.
  public struct Configuration: Sendable {
    /// Which moments the tiles show.
    public enum Moments: Sendable {
      /// So many parts of equal length; each tile shows the frame in the middle of its part.
      case even(Int)
      /// These times, ascending; each tile stands until the next one's time.
      case times([Time])
    }

    public var moments: Moments
    /// Tiles in a row.
    public var columns: Int
    /// Rows; columns × rows cells hold at least as many tiles as there are moments.
    public var rows: Int
    /// What the sheet covers, within the track's own range.
    public var timeRange = TimeRange.all
    /// The most that a tile's width is to be, in pixels.
    public var tileWidth = 160
    /// Between neighbouring tiles, in pixels.
    public var spacing = 0
    /// Whether each tile has the time of its frame in its lower left corner.
    public var showsTimes = false
    /// "jpeg", "png", "webp", "bmp", or pixels: "rgb24", "rgba", "bgra", "gray".
    public var output = ImageOutput()
    /// What the cues of the map call the sheet.
    public var imageName = "sheet"
    /// Where to write the sheet, and beside it the map; nil to give the bytes.
    public var file: File?

    /// Tiles of 160 pixels in width without space between them, as JPEG.
    ///
    /// - Parameters:
    ///   - columns: 1 or more.
    ///   - rows: 1 or more.
    public init(moments: Moments, columns: Int, rows: Int) {
      self.moments = moments
      self.columns = columns
      self.rows = rows
    }
  }

  /// A sheet's file and its map's.
  public struct File: Sendable {
    /// Of the sheet; nothing may be there, nor at ``mapPath``.
    public var path: String
    /// The roots that the path has to be below.
    public var configuration: EngineConfiguration

    public init(path: String, configuration: EngineConfiguration = EngineConfiguration()) {
      self.path = path
      self.configuration = configuration
    }

    /// The same name with the extension "vtt".
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

  /// One picture of the sheet.
  public struct Tile: Sendable {
    /// What it stands for; empty for a time at or after the end.
    public var timeRange: TimeRange
    /// The time that its frame was asked for.
    public var requestedTime: Time
    /// Which frame it is; nil when there is none.
    public var moment: ImageMoment?
    /// Why there is none: the tile is black.
    public var error: EngineError?
    /// The tile's left edge in the sheet, in pixels.
    public var x = 0
    /// The tile's upper edge in the sheet, in pixels.
    public var y = 0
  }

  /// Of the sheet, in pixels.
  public var width: Int
  /// Of the sheet, in pixels.
  public var height: Int
  /// The sheet's bytes.
  public var data: DataBuffer
  /// The plane of a raw sheet; nil when encoded.
  public var planes: [PicturePlane]?
  /// What the numbers of a raw picture are, by its first tile. Nil when encoded.
  public var color: FormatDescription.Color?
  /// "image/jpeg" …; "application/octet-stream" for pixels.
  public var mimeType: String
  /// In pixels, the same for all tiles.
  public var tileWidth: Int
  public var tileHeight: Int
  /// Row by row, from the upper left.
  public var tiles: [Tile]
  /// What the cues call the sheet.
  public var imageName: String
}

extension ImageGenerator {
  /// A sheet of the track's pictures, by the generator's rules for aperture, turn, size and tolerances.
  ///
  /// It is made beside the generator's other requests, not in line with them. Cancelling the task, and
  /// ``ImageGenerator/cancelAllImageGeneration()``, cancel it: no file is left then.
  ///
  /// - Parameter progress: called with the number of tiles that are done, from the engine's threads.
  /// - Throws: `noSourceTrack`, `noImageAtTime` where the range holds nothing of the track,
  ///   `limitExceeded` for a sheet that is too large, `fileAlreadyExists`, and when no tile could be
  ///   made, what was wrong with the first.
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
  /// Times are to the nearest millisecond, so that a cue begins where the one before it ends; what is
  /// shorter has none, for a cue may not be empty. Cues can't have times before zero.
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

/// Hours, minutes, seconds and thousandths (WebVTT, section 4.1: hours have two digits or more).
private func clock(_ milliseconds: Int64) -> String {
  func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
  let seconds = milliseconds / 1000
  return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":"
    + padded(seconds % 60, 2) + "." + padded(milliseconds % 1000, 3)
}

/// All but RFC 3986's unreserved characters as %XX: a name may hold what ends a URL or a cue.
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
