internal import CLibAV

/// A bitstream filter of libavcodec that a stream's packets go through as they are read.
@safe final class PacketFilter {
  private let context: UnsafeMutablePointer<AVBSFContext>

  /// - Returns: nil if this build doesn't have the filter, or it refuses the stream.
  init?(_ name: String, _ stream: UnsafePointer<AVStream>) {
    guard let filter = unsafe av_bsf_get_by_name(name) else { return nil }
    var made: UnsafeMutablePointer<AVBSFContext>?
    guard unsafe av_bsf_alloc(filter, &made) >= 0, let context = unsafe made else { return nil }
    unsafe context.pointee.time_base_in = stream.pointee.time_base
    guard unsafe avcodec_parameters_copy(context.pointee.par_in, stream.pointee.codecpar) >= 0,
      unsafe av_bsf_init(context) >= 0
    else {
      unsafe av_bsf_free(&made)
      return nil
    }
    unsafe self.context = context
  }

  deinit {
    var context: UnsafeMutablePointer<AVBSFContext>? = unsafe self.context
    unsafe av_bsf_free(&context)
  }

  /// The parameters of the filter's output.
  var parameters: UnsafePointer<AVCodecParameters> {
    unsafe UnsafePointer(context.pointee.par_out)
  }

  /// Replaces a packet by the filter's output; returns false if the filter holds it back for now.
  func apply(to packet: inout Packet) -> Bool {
    guard unsafe av_bsf_send_packet(context, packet.pointer) >= 0 else { return true }
    return unsafe av_bsf_receive_packet(context, packet.pointer) >= 0
  }

  /// Discards the packets that it holds, before packets of another position.
  func flush() { unsafe av_bsf_flush(context) }
}
