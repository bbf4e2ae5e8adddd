internal import CLibAV
import SystemIO

/// The FFmpeg libraries of this process.
package enum Library {
  /// Prepares libav for a server: its log isn't printed, and one allocation is bounded.
  package static func prepare() {
    rw_log_install()
    av_max_alloc(limits.allocation)
  }

  /// Bounds on the memory and the time that one input may take (reliability: lock-down recipe).
  package struct Limits: Sendable {
    /// The maximum size of a single allocation of libav, in bytes.
    package let allocation = HeapAllocator.maximumSize
    /// The maximum size of a frame, in pixels: 8192 × 8192, over four times 8K UHD's half.
    package let pixels: Int64 = 8192 * 8192
    /// The maximum number of samples per channel of one audio frame.
    package let samples: Int64 = 256 * 1024 * 32
    /// The maximum number of bytes that may be read to recognise a file.
    package let probeSize: Int64 = 5 << 20
    /// The maximum media time that may be read to learn a stream's parameters, in microseconds.
    package let analyzeDuration: Int64 = 5_000_000
  }
  package static let limits = Limits()

  /// The demuxers that read one file and nothing else: no playlists, no text renderers, no patterns.
  package static let allowedDemuxers = [
    "mov", "matroska", "avi", "mpegts", "mpeg", "mpegvideo", "flv", "ogg", "mp3", "wav", "aiff",
    "flac", "aac", "ac3", "eac3", "amr", "amrnb", "amrwb", "ape", "wv", "tta", "asf", "caf", "au",
    "gif", "apng", "png_pipe", "jpeg_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe", "jpegxl_pipe",
    "h264", "hevc", "obu", "av1", "ivf", "m4v", "h263", "dv", "mxf", "dts", "dtshd", "truehd",
    "w64", "flic", "mpc", "mpc8", "rm", "nut", "y4m", "yuv4mpegpipe", "srt", "webvtt", "ass",
    "microdvd", "sami",
  ]

  package struct Version: Sendable, Equatable {
    package var name: String
    package var runTime: String
    package var compiledMajor: Int
    package var runTimeMajor: Int
  }

  /// The versions of the libraries, at run time and as compiled against.
  package static var versions: [Version] {
    func version(_ name: String, _ number: UInt32, _ compiled: UInt32) -> Version {
      Version(
        name: name, runTime: "\(number >> 16).\((number >> 8) & 0xff).\(number & 0xff)",
        compiledMajor: Int(compiled), runTimeMajor: Int(number >> 16))
    }
    return [
      version("libavutil", avutil_version(), rw_compiled_avutil_major),
      version("libavcodec", avcodec_version(), rw_compiled_avcodec_major),
      version("libavformat", avformat_version(), rw_compiled_avformat_major),
      version("libswscale", swscale_version(), UInt32(LIBSWSCALE_VERSION_MAJOR)),
      version("libswresample", swresample_version(), UInt32(LIBSWRESAMPLE_VERSION_MAJOR)),
    ]
  }

  /// True if libraries run their vector code for 512 bits.
  package static var hasAVX512: Bool {
    #if arch(x86_64)
      av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0
    #else
      false
    #endif
  }

  /// FFmpeg's own version string, e.g. "5.1.9-0+deb12u1".
  package static var ffmpegVersion: String { unsafe string(av_version_info()) ?? "unknown" }
  /// The licence this build is under, e.g. "GPL version 2 or later".
  package static var license: String { unsafe string(avutil_license()) ?? "unknown" }
}
