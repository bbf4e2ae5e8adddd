import LibAV
import MediaTime

extension ResolvedExport {
  /// The audio with channels that its track in the file has no speakers for, unless their number was asked for.
  var channelLosses: [DroppedItem] {
    tracks.flatMap { track -> [DroppedItem] in
      switch track.treatment {
      case .audio(let configuration): losses(of: [track.info], as: configuration)
      case .mixed(let configuration, let infos): losses(of: infos, as: configuration)
      default: []
      }
    }
  }

  private func losses(
    of infos: [TrackInfo], as configuration: AudioEncoderConfiguration
  ) -> [DroppedItem] {
    infos.flatMap { info in
      info.timeline.files(notHeldBy: configuration.layout.channels, in: trim.range).compactMap {
        configuration.loss(of: $0.layout, ofTrack: info.trackID, in: $0.files)
      }
    }
  }
}

/// The files in which audio has one layout of channels.
private struct MixedFiles {
  let layout: ChannelLayout
  var paths: [String]

  /// `'a.wav' and 2 other files`.
  var files: String {
    switch paths.count - 1 {
    case 0: "'\(paths[0])'"
    case 1: "'\(paths[0])' and another file"
    case let others: "'\(paths[0])' and \(others) other files"
    }
  }
}

extension TrackTimeline {
  /// Returns the files with channels that a layout has no speakers for, and of which something is heard in a
  /// range, by their layouts.
  fileprivate func files(notHeldBy layout: ChannelLayout, in range: TimeRange) -> [MixedFiles] {
    var found: [MixedFiles] = []
    for part in parts {
      guard let format = part.source?.format else { continue }
      let own = format.media.parameters.channelLayout
      let target = part.mapping.target
      let isHeard = part.isIdentity || target.start < range.end && range.start < target.end
      let isWider = own.channels > layout.channels
      guard isWider || !layout.holds(own), isHeard else { continue }
      if let place = found.firstIndex(where: {
        $0.layout == own || isWider && $0.layout.channels == own.channels
      }) {
        if !found[place].paths.contains(format.path) { found[place].paths.append(format.path) }
      } else {
        found.append(MixedFiles(layout: own, paths: [format.path]))
      }
    }
    return found
  }
}
