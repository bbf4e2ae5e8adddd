import MediaTime
import Synchronization

/// The numbers of damaged samples of one reader that were noted in its item.
struct NotedDamage {
  var refused = 0
  var shortfalls = 0
}

extension PlayerItem {
  /// Notes the damage that a reader of a track has met since the last time.
  func note(_ errors: DecodeErrors, of track: TrackInfo, _ noted: inout NotedDamage) {
    let (refused, shortfalls) = errors.counts
    guard (refused, shortfalls) != (noted.refused, noted.shortfalls) else { return }
    // A reader that has moved counts anew.
    let added = refused < noted.refused ? refused : refused - noted.refused
    noted = NotedDamage(refused: refused, shortfalls: shortfalls)
    let report = errors.samples(of: track.trackID, track.mediaType)
    shared.withLock { state in
      state.damagedSamples += added
      guard let report, refused + shortfalls >= state.damage[track.trackID]?.count ?? 0 else {
        return
      }
      state.damage[track.trackID] = (refused + shortfalls, report)
    }
  }
}
