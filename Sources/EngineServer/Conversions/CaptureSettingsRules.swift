import EngineProtocol
import MediaEngine

// The settings that inputs and outputs don't share.
extension CaptureChangeReader {
  /// Requires that no setting of an input is one of outputs.
  mutating func requireInputSettings(_ wire: WireCaptureSettings, _ path: String) {
    let (subject, got) = ("of an input", "a setting of outputs")
    requireNone(wire.pixelFormat, path + "/pixelFormat", subject, got)
    requireNone(wire.quality, path + "/quality", subject, got)
    requireNone(wire.sampleFormat, path + "/sampleFormat", subject, got)
    requireNone(wire.maxFrameRate, path + "/maxFrameRate", subject, got)
    requireNone(wire.delivery, path + "/delivery", subject, got)
  }

  /// Requires that no setting of an output is one of inputs, or of outputs of other types.
  mutating func requireOutputSettings(
    _ wire: WireCaptureSettings, of type: CaptureConfiguration.OutputType, _ path: String
  ) {
    let (subject, got) = ("of an output", "a setting of inputs")
    requireNone(wire.latency, path + "/latency", subject, got)
    requireNone(wire.driftCorrection, path + "/driftCorrection", subject, got)
    requireNone(wire.frameRate, path + "/frameRate", subject, got)
    requireNone(wire.audio, path + "/audio", subject, got)
    requireNone(wire.video, path + "/video", subject, got)
    requireNone(wire.driftPPM, path + "/driftPPM", subject, got)
    requireNone(wire.jitterMs, path + "/jitterMs", subject, got)
    requireNone(wire.dropEvery, path + "/dropEvery", subject, got)
    requireNone(wire.dropFrames, path + "/dropFrames", subject, got)
    requireNone(wire.unplugAt, path + "/unplugAt", subject, got)
    requireNone(wire.replugAt, path + "/replugAt", subject, got)
    requireNone(wire.stallAt, path + "/stallAt", subject, got)
    requireNone(wire.stallFor, path + "/stallFor", subject, got)
    requireNone(wire.failStart, path + "/failStart", subject, got)
    requireNone(wire.busy, path + "/busy", subject, got)
    requireNone(wire.latencyMs, path + "/latencyMs", subject, got)
    let own = "of an output \(type.rawValue)"
    switch type {
    case .videoData, .preview: break
    case .audioData: requireNone(wire.quality, path + "/quality", own, "a setting of pictures")
    case .movieFile, .audioFile, .photo:
      requireNone(wire.quality, path + "/quality", own, "a setting of pictures")
      requireNone(wire.delivery, path + "/delivery", own, "a setting of samples")
    }
  }

  /// Requires that a setting isn't stated, as it is for others.
  private mutating func requireNone<Value>(
    _ value: Value?, _ path: String, _ subject: String, _ got: String
  ) {
    require(value == nil, path, "nothing, \(subject)", got)
  }
}
