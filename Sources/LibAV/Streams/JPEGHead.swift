internal import CLibAV
import SystemIO

/// The beginning of a JPEG file as a whole file: its segments as far as the first scan (ISO/IEC 10918-1, B.1 and B.2),
/// and a few bytes of that.
///
/// All that a decoder states of a picture is in them. libavformat reads and searches a whole file of JPEG to probe it,
/// twice: 11 ms for a photo of 5 MB.
enum JPEGHead {
  /// The largest head that is looked for, in bytes: photos may have previews and colour profiles of some megabytes.
  private static let limit = 4 << 20
  /// The bytes of the scan that are kept.
  private static let scan = 256

  /// Returns the head; nil where the file has none within the limit, and where it isn't much longer.
  static func bytes(
    of source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> [UInt8]? {
    let reader = ByteReader(source, interrupt: interrupt)
    var bytes = try reader.bytes(at: 0, count: 16 << 10)
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    var hasFrame = false
    while true {
      while place + 4 + scan > bytes.count {
        let missing = place + 4 + scan - bytes.count
        let more = try reader.bytes(at: Int64(bytes.count), count: max(missing, 64 << 10))
        guard more.count >= missing, bytes.count + more.count <= limit else { return nil }
        bytes += more
      }
      let (marker, length) = (bytes[place + 1], Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      // Markers without a length have no place here, nor have fill bytes in files of cameras.
      guard bytes[place] == 0xFF, marker >= 0xC0, marker < 0xD0 || marker > 0xD9, marker != 0xFF,
        length >= 2
      else { return nil }
      hasFrame = hasFrame || marker < 0xD0 && ![0xC4, 0xC8, 0xCC].contains(marker)
      place += 2 + length
      if marker == 0xDA {
        guard hasFrame, place + scan <= bytes.count else { return nil }
        return bytes[..<(place + scan)] + [0xFF, 0xD9]
      }
    }
  }
}

extension Demuxer {
  /// Gives the one stream of a JPEG file what its head states.
  ///
  /// - Returns: false for a file of which all has to be probed.
  static func probeHead(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ input: InputStream, _ options: Options
  ) throws(LibAVError) -> Bool {
    guard unsafe string(context.pointee.iformat.pointee.name) == "jpeg_pipe",
      unsafe context.pointee.nb_streams == 1, let stream = unsafe context.pointee.streams[0],
      let bytes = try asLibAVError(JPEGHead.bytes(of: input.source, interrupt: input.interrupt))
    else { return false }
    let head = try InputStream(
      source: MemorySource(bytes, of: input.source), interrupt: input.interrupt)
    guard let opened = unsafe avformat_alloc_context() else { throw outOfMemory("open") }
    unsafe lockDown(opened, input: head, options: options)
    var probed: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
    guard unsafe avformat_open_input(&probed, nil, context.pointee.iformat, nil) >= 0,
      let probed = unsafe probed
    else { return false }
    defer {
      var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe probed
      unsafe avformat_close_input(&closing)
    }
    try unsafe probe(probed, nil, input.source.name)
    guard let own = unsafe probed.pointee.streams[0],
      unsafe own.pointee.codecpar.pointee.width > 0, unsafe own.pointee.codecpar.pointee.format >= 0
    else { return false }
    try check(
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, own.pointee.codecpar), "copy",
      "codec parameters")
    unsafe stream.pointee.avg_frame_rate = own.pointee.avg_frame_rate
    unsafe stream.pointee.r_frame_rate = own.pointee.r_frame_rate
    return true
  }
}
