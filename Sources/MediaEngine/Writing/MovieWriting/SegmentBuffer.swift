import LibAV
import SystemIO

/// The specification that media segments conform to (AVFileTypeProfile).
public enum SegmentProfile: String, Sendable {
  /// HTTP Live Streaming (RFC 8216, section 3.3).
  case mpeg4AppleHLS
  /// The Common Media Application Format (ISO/IEC 23000-19).
  case mpeg4CMAFCompliant
}

/// A movie's bytes from one segment to the next. Used by one thread at a time.
final class SegmentBuffer: MuxerOutput {
  let path = ""
  let profile: SegmentProfile
  private var bytes: [UInt8] = []
  /// The offset of `bytes` in the movie.
  private var start: Int64 = 0

  init(_ profile: SegmentProfile) { self.profile = profile }

  var size: Int64 { start + Int64(bytes.count) }

  func write(_ span: RawSpan, at offset: Int64) throws(SystemError) {
    guard offset >= start, offset <= size else {
      throw SystemError(
        .invalidArgument, operation: .write, subject: "a segment",
        detail: "its bytes were delivered already")
    }
    unsafe span.withUnsafeBytes { new in
      let place = Int(offset - start)
      let overlap = min(bytes.count - place, new.count)
      unsafe bytes.replaceSubrange(place..<place + overlap, with: new)
    }
  }

  /// Returns the bytes since the previous call.
  func take() -> [UInt8] {
    start = size
    defer { bytes = [] }
    return bytes
  }

  /// Returns the bytes since the previous call as a media segment, which begins with its type
  /// (ISO/IEC 14496-12, 8.16.2).
  func takeSegment() -> [UInt8] {
    var writer = BoxWriter()
    let brand = profile == .mpeg4CMAFCompliant ? "cmfs" : "msdh"
    writer.box("styp") { box in
      box.code(brand)
      box.integer(0 as UInt32)
      box.code(brand)
      box.code("iso6")
    }
    return writer.bytes + take()
  }
}
