import LibAV
import MediaTime

extension ResolvedExport {
  /// The audio with more channels than its track in the file, unless their number was asked for.
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
    guard !configuration.statesChannels else { return [] }
    let count = configuration.layout.channels.channels
    let codec = AudioCodec(configuration.codecName).flatMap { codec in
      codec.maximumChannels == count ? codec : nil
    }
    let reason =
      codec.map { "\($0.title) has \(Self.channels(count)) at most" }
      ?? "the track has \(Self.channels(count)), as its first part has"
    return infos.flatMap { info in
      info.timeline.widerFiles(than: count, in: trim.range).map { wider in
        DroppedItem(
          item: .channels, trackID: info.trackID, mediaType: .audio, key: "\(wider.channels)",
          reason: "\(reason): those of \(wider.files) are mixed down")
      }
    }
  }

  private static func channels(_ count: Int) -> String {
    count == 1 ? "1 channel" : "\(count) channels"
  }
}

/// The files in which audio has a number of channels.
private struct WiderFiles {
  let channels: Int
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
  /// Returns the files with more channels than `count` of which something is heard in a range, by
  /// their numbers of channels.
  fileprivate func widerFiles(than count: Int, in range: TimeRange) -> [WiderFiles] {
    var found: [WiderFiles] = []
    for part in parts {
      guard let format = part.source?.format else { continue }
      let channels = format.media.parameters.channelLayout.channels
      let target = part.mapping.target
      let isHeard = part.isIdentity || target.start < range.end && range.start < target.end
      guard channels > count, isHeard else { continue }
      if let place = found.firstIndex(where: { $0.channels == channels }) {
        if !found[place].paths.contains(format.path) { found[place].paths.append(format.path) }
      } else {
        found.append(WiderFiles(channels: channels, paths: [format.path]))
      }
    }
    return found
  }
}
