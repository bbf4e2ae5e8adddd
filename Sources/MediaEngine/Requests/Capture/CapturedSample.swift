import LibAV
import MediaTime
import SystemIO

extension SampleBuffer {
  /// Creates a sample of a device's interleaved floats.
  ///
  /// - Parameter time: the time of the first one.
  package static func captured(
    audio block: Block, frames: Int, sampleRate: Int, channels: Int, at time: Time
  ) -> SampleBuffer {
    let layout = AudioLayout(
      format: .float, sampleRate: sampleRate, channels: .standard(channels: channels))
    return SampleBuffer(
      audio: DataBuffer(block: block), count: frames, at: time, layout,
      AudioSettings(layout, timePitch: .spectral))
  }

  /// Creates a sample of a device's frame in the layout of ``CapturedFrames``.
  package static func captured(
    frame block: Block, _ frames: CapturedFrames, at time: Time
  ) -> SampleBuffer {
    SampleBuffer(
      presentationTime: time, duration: frames.duration, sampleCount: 1,
      attachments: SampleAttachments(), data: DataBuffer(block: block),
      content: .picture(
        SampleBuffer.Picture(
          pixelFormat: frames.pixelFormat, width: frames.layout.width,
          height: frames.layout.height, planes: frames.layout.planes.map(PicturePlane.init),
          color: frames.color)))
  }
}

/// The layout of a device's frames, and their memory.
package struct CapturedFrames: Sendable {
  let pixelFormat: String
  let layout: PictureLayout
  let color: FormatDescription.Color
  package let duration: Time
  let pool: BlockPool

  /// Creates the layout for a resolved format.
  ///
  /// - Throws: `unsupportedOutputSettings` for a format of another kind.
  package init(_ resolved: CaptureConfiguration.Resolved) throws(EngineError) {
    let format = resolved.format
    pixelFormat = format.pixelFormat ?? ""
    guard let pixels = PixelFormat(name: pixelFormat) else {
      throw EngineError(.unsupportedOutputSettings, "There is no pixel format '\(pixelFormat)'")
    }
    layout = try mapErrors(.convert) { () throws(LibAVError) in
      try PictureLayout(width: format.width ?? 0, height: format.height ?? 0, format: pixels)
    }
    let usual = try SampleBuffer.Picture(
      pixelFormat: pixelFormat, width: layout.width, height: layout.height)
    color = format.color ?? usual.color
    duration = resolved.frameDuration ?? Time(value: 1, timescale: 30)
    pool = BlockPool(size: layout.size)
  }

  /// The offset, bytes a row and number of rows of each plane.
  package var planes: [(offset: Int, bytesPerRow: Int, height: Int)] {
    layout.planes.map { ($0.offset, $0.bytesPerRow, $0.height) }
  }

  /// Returns memory for a frame; nil where too many are in use.
  package func allocate() -> Block? { try? pool.allocate(count: layout.size) }
}

/// Scales frames of a device to another size. Used by one thread.
package final class CapturedScaling {
  private let source: CapturedFrames
  private let target: CapturedFrames
  private var renderer = FrameRenderer()

  package init(from source: CapturedFrames, to target: CapturedFrames) {
    (self.source, self.target) = (source, target)
  }

  /// Returns a frame in the other size; nil where there is no memory for it.
  package func scale(_ block: Block, at time: Time) -> SampleBuffer? {
    guard let pushed = try? PushedPicture(.captured(frame: block, source, at: time)),
      let frame = try? pushed.make()
    else { return nil }
    let rendering = FrameRendering(turn: .up)
    let color = PictureColor(of: frame.value, rendering, as: target.layout.format)
    let made = try? renderer.pixels(
      of: frame.value, rendering, in: target.layout, color, allocator: target.pool)
    return made.map { .captured(frame: $0.block, target, at: time) }
  }
}
