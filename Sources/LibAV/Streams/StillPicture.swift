internal import CLibAV
import SystemIO

/// Facts of a file's still picture that libavformat doesn't read.
package struct StillPicture: Sendable {
  /// Its item's number in an AVIF file; nil elsewhere.
  package var item: UInt64?
  /// Where it lies, for a libavformat that ``Demuxer/misplacesPrimaryItem``.
  package var place: Range<Int64>?
  /// How it is to be turned, as ``StreamInfo/displayMatrix``; nil where it is upright.
  package var displayMatrix: [Int32]?
  /// What is read in place of the file: a movie of one sample, which is the picture.
  package var source: (any ByteSource)?
  /// How that sample is divided.
  package var tiles: TileGrid?

  package init(item: UInt64? = nil, place: Range<Int64>? = nil, displayMatrix: [Int32]?) {
    (self.item, self.place, self.displayMatrix) = (item, place, displayMatrix)
  }
}

extension Demuxer {
  /// Whether libavformat takes the place of a still AVIF's picture from memory that it hasn't written
  /// where `pitm` comes behind `iloc` or isn't there (`mov_read_iloc`, 5.1), and the picture out of the
  /// wrong bytes where those of the item are in `idat`; 7.0 reads items in another way.
  package static var misplacesPrimaryItem: Bool { avformat_version() >> 16 < 61 }

  /// Passes it on to libavformat, for the stream that is the only one or has the item's number.
  static func describe(
    _ picture: StillPicture, in context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(LibAVError) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index],
        unsafe context.pointee.nb_streams == 1
          || UInt64(clamping: stream.pointee.id) == picture.item
      else { continue }
      if let place = picture.place { try unsafe add(place, to: stream, name) }
      if let matrix = picture.displayMatrix { try unsafe add(matrix, to: stream, name) }
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

  /// Adds the turn, which libavformat reads of AVIF since 8.0.
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
