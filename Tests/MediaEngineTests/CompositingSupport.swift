import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

extension Fixtures {
  /// A lossless clip of which each frame is of its own: luma counts frames from `base` on.
  func numbered(
    _ name: String, base: Int, rate: String = "25", duration: Int = 4, size: String = "64x36",
    format: String = "yuv420p"
  ) throws -> String {
    try make(
      name,
      "-f lavfi -i color=s=\(size):r=\(rate):d=\(duration),format=\(format),"
        + "geq=lum='\(base)+N+mod(X+3*Y\\,23)':cb='90+mod(X\\,40)':cr='200-mod(Y+N\\,50)' "
        + "-c:v ffv1 -g 5 -color_range tv -colorspace smpte170m")
  }

  /// The frames of a file as ffmpeg decodes them, in yuv420p.
  func planes(
    _ path: String, _ arguments: String = "", width: Int = 64, height: Int = 36
  ) throws -> [[UInt8]] {
    let bytes = try samples(
      of: path, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p -fps_mode passthrough " + arguments)
    let count = width * height * 3 / 2
    return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
  }
}

/// A picture of a video composition as a reader delivers it.
struct ReadPicture: Equatable {
  let start: Time
  let bytes: [UInt8]

  static func all(
    of asset: any Asset, _ composition: PresentationSetting<VideoComposition> = .asset,
    in range: TimeRange = .all, as format: String = "yuv420p"
  ) async throws -> [ReadPicture] {
    let reader = try await AssetReader(
      asset: asset, timeRange: range,
      outputs: [
        .init(
          track: .videoComposition(composition, nil),
          settings: .video(pixelFormat: format, width: nil, height: nil))
      ])
    try reader.start()
    var pictures: [ReadPicture] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 7)
      for buffer in buffers {
        pictures.append(
          ReadPicture(
            start: buffer.presentationTime,
            bytes: buffer.data.withBytes { bytes in bytes.array }))
      }
      if isAtEnd { return pictures }
    }
  }
}

extension Time {
  static func milliseconds(_ milliseconds: Int64) -> Time {
    Time(value: milliseconds, timescale: 1000)
  }
}

extension TimeRange {
  static func milliseconds(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: .milliseconds(start), end: .milliseconds(end))
  }
}

extension VideoComposition.LayerInstruction {
  static func layer(
    _ trackID: Int32, opacity: [ValueRamp<Double>] = [],
    transform: [ValueRamp<MediaEngine.AffineTransform>] = [],
    fit: VideoComposition.Fit = .none
  ) -> Self {
    Self(trackID: trackID, transform: transform, opacity: opacity, fit: fit)
  }
}

extension VideoComposition {
  /// Of the size of ``Fixtures/numbered(_:base:rate:duration:size:format:)``.
  static func small(
    _ instructions: [Instruction], frameDuration: Time = .milliseconds(40)
  ) -> VideoComposition {
    VideoComposition(
      frameDuration: frameDuration, renderSize: Size(width: 64, height: 36),
      instructions: instructions)
  }

  /// Of ``MutableComposition/overlapping(_:_:)``.
  static let dissolve = small([
    .init(timeRange: .milliseconds(0, 2000), layerInstructions: [.layer(1)]),
    .init(
      timeRange: .milliseconds(2000, 3000),
      layerInstructions: [
        .layer(2, opacity: [.ramp(from: 0, to: 1, over: .milliseconds(2000, 3000))]), .layer(1),
      ]),
    .init(timeRange: .milliseconds(3000, 5000), layerInstructions: [.layer(2)]),
  ])
}

extension MutableComposition {
  /// Two clips that overlap from 2 s to 3 s, the second in a second track.
  static func overlapping(
    _ one: String, _ other: String
  ) async throws -> MutableComposition {
    let composition = MutableComposition()
    let first = try await composition.addTrack(.video).value
    let second = try await composition.addTrack(.video).value
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: one), timeRange: .milliseconds(0, 3000))], inTrack: first)
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: other), timeRange: .milliseconds(1000, 4000))], inTrack: second,
      at: .milliseconds(2000))
    return composition
  }
}

extension Presentation {
  /// As an asset of no configuration of its own has it.
  func composed(
    by composition: VideoComposition, drawnBy compositor: (any VideoCompositing)?, duration: Time
  ) throws(EngineError) -> Presentation {
    try composed(
      by: composition, drawnBy: compositor, duration: duration,
      TextLoading(
        presentation: self, configuration: EngineConfiguration(), interrupt: Interrupt()))
  }
}
