import LibAV
import SystemIO

extension StillPicture {
  /// What the file of a still picture states of it and libavformat doesn't read: its turn, and of an AVIF its
  /// place, as it is an item of a `meta` box and no sample of a track; of other HEIF files, all of it. Nil of
  /// all other files.
  ///
  /// - Throws: what ``PictureMovie`` throws, `fileFailedToParse` where no place is stated for a libavformat that needs it
  ///   (``Demuxer/misplacesPrimaryItem``), what reading the source throws, and `operationCancelled` once
  ///   interrupted.
  static func read(
    from source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> StillPicture? {
    let (file, items) = try mapErrors(.open, path: source.name) { () throws(SystemError) in
      let file = try BoxFile(source, interrupt: interrupt)
      return (file, try ItemBoxes(in: file))
    }
    if let items, let movie = try PictureMovie(items, in: file, of: source) {
      var picture = try mapErrors(.open, path: source.name) { () throws(SystemError) in
        try primaryItem(of: items, in: file)
      }
      picture.place = nil
      (picture.source, picture.tiles) = (movie.source, movie.tiles)
      return picture
    }
    let picture = try mapErrors(.open, path: source.name) {
      () throws(SystemError) -> StillPicture? in
      if let items, items.majorBrand == "avif" {
        return try primaryItem(of: items, in: file)
      }
      return try Exif.orientation(ofPictureIn: file).flatMap(displayMatrix).map {
        StillPicture(displayMatrix: $0)
      }
    }
    if let picture, picture.item != nil, picture.place == nil, Demuxer.misplacesPrimaryItem {
      throw EngineError(
        .fileFailedToParse,
        "'\(source.name)' is an AVIF file that doesn't state where its picture is",
        hint: "Its boxes 'pitm' and 'iloc' are damaged or don't agree: get the file once more.",
        path: source.name, stage: .open)
    }
    return picture
  }

  private static func primaryItem(
    of items: ItemBoxes, in file: BoxFile
  ) throws(SystemError) -> StillPicture {
    guard let primary = items.primary else { return StillPicture(item: 0, displayMatrix: nil) }
    let place = Demuxer.misplacesPrimaryItem ? items.extents(of: [primary])[primary]?.first : nil
    let orientation = try items.orientation(ofPicture: primary, in: file)
    return StillPicture(item: primary, place: place, displayMatrix: displayMatrix(orientation))
  }

  private static func displayMatrix(_ orientation: Orientation) -> [Int32]? {
    AffineTransform(orientation, of: Size(width: 0, height: 0)).displayMatrix
  }
}

extension ItemBoxes {
  /// The orientation of a picture: by its own properties, which win (ISO/IEC 23008-12, 6.5.1 and A.2.1),
  /// else by its Exif.
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
