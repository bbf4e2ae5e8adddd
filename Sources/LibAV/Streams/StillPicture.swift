internal import CLibAV
import SystemIO

/// Facts of a file's still picture, or of pictures that are read as a movie, that libavformat doesn't read.
package struct StillPicture: Sendable {
  /// The rotation of the image, as ``MediaFormat/displayMatrix``; nil if it is upright.
  package var displayMatrix: [Int32]?
  /// The source that replaces the file: a movie of one sample, which is the image.
  package var source: (any ByteSource)?
  /// The grid of that sample.
  package var tiles: TileGrid?

  /// The size in bytes of the packet that has all of the file, which needn't be searched for its end; nil elsewhere.
  package var packetSize: Int64?

  /// The codec of a movie of pictures, which has no type of its own for all of them; nil elsewhere.
  package var codec: String?
  /// The canvas of a movie of an animation's frames; nil for other pictures.
  package var animation: AnimationCanvas?

  package init(displayMatrix: [Int32]?, packetSize: Int64? = nil) {
    (self.displayMatrix, self.packetSize) = (displayMatrix, packetSize)
  }

  /// - Parameter codec: FFmpeg's name of it.
  package init(codec: String) { self.codec = codec }
}

extension Demuxer {
  /// Sets the facts in libavformat's context, for the stream that is the only one.
  static func describe(
    _ picture: StillPicture, in context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(LibAVError) {
    // Another demuxer searches for the frames.
    if picture.packetSize != nil, unsafe string(context.pointee.iformat.pointee.name) != "jpeg_pipe"
    {
      unsafe context.pointee.flags &= ~AVFMT_FLAG_NOPARSE
    }
    guard unsafe context.pointee.nb_streams == 1, let stream = unsafe context.pointee.streams[0]
    else { return }
    if let codec = picture.codec, let known = unsafe avcodec_descriptor_get_by_name(codec) {
      unsafe stream.pointee.codecpar.pointee.codec_id = known.pointee.id
    }
    guard let matrix = picture.displayMatrix else { return }
    try unsafe add(matrix, to: stream, name)
  }

  /// Sets the times of the stream and the file, as libavformat does where it searches for the picture's end.
  static func setTimes(ofPicture context: UnsafeMutablePointer<AVFormatContext>) {
    guard unsafe context.pointee.flags & AVFMT_FLAG_NOPARSE != 0,
      unsafe context.pointee.nb_streams == 1, let stream = unsafe context.pointee.streams[0]
    else { return }
    let clock = unsafe stream.pointee.time_base
    unsafe (stream.pointee.start_time, stream.pointee.duration) = (0, 1)
    unsafe context.pointee.start_time = 0
    unsafe context.pointee.duration = av_rescale_q(1, clock, AVRational(num: 1, den: 1_000_000))
  }

  /// Adds the rotation, which libavformat reads of AVIF since 8.0.
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
