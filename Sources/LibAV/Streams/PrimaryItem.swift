internal import CLibAV

/// What the boxes of a still AVIF state of its picture and libavformat doesn't read.
package struct PrimaryItem: Sendable {
  /// Its item's number.
  package var number: UInt64
  /// Where it lies, for a libavformat that ``Demuxer/misplacesPrimaryItem``.
  package var place: Range<Int64>?
  /// How it is to be turned, as ``StreamInfo/displayMatrix``; nil where it is upright.
  package var displayMatrix: [Int32]?

  package init(number: UInt64, place: Range<Int64>?, displayMatrix: [Int32]?) {
    (self.number, self.place, self.displayMatrix) = (number, place, displayMatrix)
  }
}

extension Demuxer {
  /// Whether libavformat takes the place of a still AVIF's picture from memory that it hasn't written
  /// where `pitm` comes behind `iloc` or isn't there (`mov_read_iloc`, 5.1), and the picture out of the
  /// wrong bytes where those of the item are in `idat`; 7.0 reads items in another way.
  package static var misplacesPrimaryItem: Bool { avformat_version() >> 16 < 61 }

  /// Passes it on to libavformat, for the stream that is the only one or has the item's number.
  static func describe(
    _ item: PrimaryItem, in context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(LibAVError) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index],
        unsafe context.pointee.nb_streams == 1 || UInt64(clamping: stream.pointee.id) == item.number
      else { continue }
      if let place = item.place { try unsafe add(place, to: stream, name) }
      if let matrix = item.displayMatrix { try unsafe add(matrix, to: stream, name) }
      return
    }
  }

  /// Corrects the place of the picture, which is the one sample of its stream.
  private static func add(
    _ place: Range<Int64>, to stream: UnsafeMutablePointer<AVStream>, _ name: String
  ) throws(LibAVError) {
    // An entry has 30 bits for it.
    guard place.count < 1 << 30 else {
      throw LibAVError(
        .notSupported, operation: "open", subject: name,
        detail: "its picture has \(place.count) bytes")
    }
    let result = unsafe av_add_index_entry(
      stream, place.lowerBound, 0, Int32(place.count), 0, AVINDEX_KEYFRAME)
    _ = try check(result, "open", name)
  }

  /// Adds the turn, which libavformat reads since 8.0.
  private static func add(
    _ displayMatrix: [Int32], to stream: UnsafeMutablePointer<AVStream>, _ name: String
  ) throws(LibAVError) {
    var size = 0
    let known = unsafe rw_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard unsafe known == nil else { return }
    let data = SideData(displayMatrix: displayMatrix)
    let result = unsafe rw_stream_set_side_data(
      stream, AV_PKT_DATA_DISPLAYMATRIX, data.bytes, data.bytes.count)
    _ = try check(result, "open", name)
  }
}
