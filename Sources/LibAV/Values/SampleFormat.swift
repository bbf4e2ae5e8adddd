internal import CLibAV

package struct SampleFormat: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ format: AVSampleFormat) { rawValue = format.rawValue }

  package init?(name: String) {
    let format = unsafe av_get_sample_fmt(name)
    guard format != AV_SAMPLE_FMT_NONE else { return nil }
    self.init(format)
  }

  package static let float = SampleFormat(AV_SAMPLE_FMT_FLT)
  package static let floatPlanar = SampleFormat(AV_SAMPLE_FMT_FLTP)

  var format: AVSampleFormat { AVSampleFormat(rawValue: rawValue) }
  package var name: String? { unsafe string(av_get_sample_fmt_name(format)) }
  package var bytesPerSample: Int { Int(max(0, av_get_bytes_per_sample(format))) }
  package var isPlanar: Bool { av_sample_fmt_is_planar(format) == 1 }
  package var packed: SampleFormat { SampleFormat(av_get_packed_sample_fmt(format)) }
  package var planar: SampleFormat { SampleFormat(av_get_planar_sample_fmt(format)) }
}
