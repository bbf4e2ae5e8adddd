import LibAV
import SystemIO

extension StillPicture {
  /// Reads the facts that the file of a still picture states and libavformat doesn't read: its
  /// rotation, and of HEIF files without a movie all of it, as the picture is an item of a `meta`
  /// box and no sample of a track. Returns nil for all other files.
  ///
  /// - Throws: the errors of ``PictureMovie`` and of reading the source, and `operationCancelled`
  ///   once interrupted.
  static func read(
    from source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> StillPicture? {
    let (file, items) = try mapErrors(.open, path: source.name) { () throws(SystemError) in
      let file = try BoxFile(source, interrupt: interrupt)
      return (file, try ItemBoxes(in: file))
    }
    let movie = try items.flatMap { (items) throws(EngineError) in
      try PictureMovie(items, in: file, of: source)
    }
    return try mapErrors(.open, path: source.name) { () throws(SystemError) -> StillPicture? in
      if let movie, let items, let primary = items.primary {
        let orientation = try items.orientation(ofPicture: primary, in: file)
        var picture = StillPicture(displayMatrix: displayMatrix(orientation))
        (picture.source, picture.tiles) = (movie.source, movie.tiles)
        return picture
      }
      let matrix = try Exif.orientation(ofPictureIn: file).flatMap(displayMatrix)
      let size = try JPEGFile.isOnePicture(file) ? file.size : nil
      guard matrix != nil || size != nil else { return nil }
      return StillPicture(displayMatrix: matrix, packetSize: size)
    }
  }

  private static func displayMatrix(_ orientation: Orientation) -> [Int32]? {
    AffineTransform(orientation, of: Size(width: 0, height: 0)).displayMatrix
  }
}

extension ItemBoxes {
  /// Returns the orientation of a picture: by its own properties, which win (ISO/IEC 23008-12,
  /// 6.5.1 and A.2.1), else by its Exif.
  func orientation(ofPicture item: UInt64, in file: BoxFile) throws(SystemError) -> Orientation {
    let properties = properties(of: [item])[item] ?? []
    if let orientation = try orientation(by: properties) { return orientation }
    let described = items("cdsc", to: item).filter { types[$0] == "Exif" }
    for (_, extents) in extents(of: Set(described.prefix(1))) {
      // The distance to the TIFF header comes first (A.2.1); one piece, as all have it.
      guard extents.count == 1, let place = extents.first,
        let distance = try file.peek(at: place.lowerBound, count: min(4, place.count)).uint32(
          at: 0),
        Int64(distance) <= place.count - 4
      else { return .up }
      let structure = place.lowerBound + 4 + Int64(distance)..<place.upperBound
      return try Exif.orientation(in: structure, of: file) ?? .up
    }
    return .up
  }
}
