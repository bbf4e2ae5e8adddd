import LibAV

extension ResolvedExport {
  /// The losses of files of subtitles, and the uncertain parts of text that isn't UTF-8. Those of text in other
  /// containers are known once it has been read.
  var textLosses: [DroppedItem] {
    tracks.flatMap { track in
      var items: [DroppedItem] = []
      for source in track.textSources {
        let lost = source.textLosses.map { loss in
          DroppedItem(
            item: loss.item, trackID: track.info.trackID, mediaType: track.info.mediaType,
            key: loss.key, reason: loss.reason)
        }
        items += lost.filter { !items.contains($0) }
      }
      return items
    }
  }
}

extension ResolvedExport.Track {
  /// The files that its text is read from, drawn text included.
  fileprivate var textSources: [StoredTrack] {
    switch info.format.kind {
    case .subtitle: info.timeline.parts.compactMap(\.source?.stored)
    case .video: info.composed?.texts?.sources ?? []
    default: []
    }
  }
}

extension StoredTrack {
  fileprivate var textLosses: [(item: DroppedItem.Item, key: String, reason: String)] {
    var losses: [(item: DroppedItem.Item, key: String, reason: String)] = []
    if let set = source.guessedCharacterSet(ofStream: stream.index) {
      let reason =
        set.name == CharacterSet.damagedUTF8.name
        ? "a few bytes are no UTF-8, and became U+FFFD"
        : "the text isn't UTF-8 and doesn't state its character set: it was read as \(set.name), a guess"
      losses.append((.characterSet, set.name, reason))
    }
    let hidden = source.hiddenCues(ofStream: stream)
    if hidden > 0 {
      let cues = hidden == 1 ? "1 cue ends" : "\(hidden) cues end"
      losses.append((.text, "offset", "\(cues) before the start, with the offset"))
    }
    let blocks = source.container.value?.text?.blocks ?? []
    for kind in ["STYLE", "REGION", "NOTE"] {
      let count = blocks.count(where: { $0.kind == kind })
      guard count > 0 else { continue }
      losses.append(
        (.text, kind, "\(count == 1 ? "1 block" : "\(count) blocks"): only cues are written"))
    }
    return losses
  }
}
