internal import CLibAV
import SystemIO

/// Facts of a file's still picture that libavformat doesn't read.
package struct StillPicture: Sendable {
  /// How it is to be turned, as ``MediaFormat/displayMatrix``; nil where it is upright.
  package var displayMatrix: [Int32]?
  /// What is read in place of the file: a movie of one sample, which is the picture.
  package var source: (any ByteSource)?
  /// How that sample is divided.
  package var tiles: TileGrid?

  package init(displayMatrix: [Int32]?) { self.displayMatrix = displayMatrix }
}

extension Demuxer {
  /// Passes it on to libavformat, for the stream that is the only one.
  static func describe(
    _ picture: StillPicture, in context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(LibAVError) {
    guard unsafe context.pointee.nb_streams == 1, let stream = unsafe context.pointee.streams[0],
      let matrix = picture.displayMatrix
    else { return }
    try unsafe add(matrix, to: stream, name)
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
