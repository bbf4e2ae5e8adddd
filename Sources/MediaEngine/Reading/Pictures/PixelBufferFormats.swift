/// The pixel formats that decoded pictures can be had in, by FFmpeg's names.
public enum PixelBufferFormats {
  public static let all = [
    "yuv420p", "nv12", "rgb24", "bgr24", "rgba", "bgra", "gray", "yuv422p", "yuv444p",
    "yuv420p10le", "yuv422p10le", "yuv444p10le", "p010le", "gray16le", "rgb48le", "rgba64le",
  ]
}
