import LibAV
import MediaTime

extension ComposedSource {
  /// True if it shows a source of two fields a frame, at times that are those of frames.
  var showsFieldsTogether: Bool {
    layerTracks.flatMap(\.timeline.partFormats).map(\.media).contains { format in
      guard format.mayBeInterlaced, format.parameters.fieldOrder != 1 else { return false }
      let rate = format.encodedFrameRate.doubleValue
      return composition.sourceTrackIDForFrameTiming != nil
        || composition.frameDuration.seconds * rate > 0.75
    }
  }
}
