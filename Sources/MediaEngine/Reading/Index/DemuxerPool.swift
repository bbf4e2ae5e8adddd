import LibAV
import Synchronization
import SystemIO

/// A demuxer, and whether the first packet of the file is its next one.
struct OpenDemuxer: ~Copyable {
  var demuxer: Demuxer
  var isAtStart = true
}

/// Demuxers that are open and not in use, for the next reader of the same source: opening a file
/// again, and probing its streams, may take longer than reading from it.
///
/// A process has a few of them, of the sources that were used last.
final class DemuxerPool: Sendable {
  static let shared = DemuxerPool()

  private struct Entry {
    let source: ObjectIdentifier
    let demuxer: Handoff<OpenDemuxer?>
  }

  private static let capacity = 4
  /// The one that was put away last is the last.
  private let entries = Mutex<[Entry]>([])

  func put(_ demuxer: consuming OpenDemuxer, of source: MediaSource) {
    let entry = Entry(source: ObjectIdentifier(source), demuxer: Handoff(demuxer))
    // The demuxer that is dropped is closed outside of the lock.
    let dropped = entries.withLock { entries in
      entries.append(entry)
      return entries.count > DemuxerPool.capacity ? entries.removeFirst() : nil
    }
    withExtendedLifetime(dropped) {}
  }

  /// Returns a demuxer of the source, which works for `interrupt` from now on.
  func take(of source: MediaSource, interrupt: Interrupt) -> OpenDemuxer? {
    let entry = entries.withLock { entries in
      entries.lastIndex { $0.source == ObjectIdentifier(source) }.map { entries.remove(at: $0) }
    }
    guard let entry, var open = entry.demuxer.value.take() else { return nil }
    open.demuxer.interrupt = interrupt
    return open
  }

  /// Closes those of a source that goes.
  func removeAll(of source: ObjectIdentifier) {
    let dropped = entries.withLock { entries in
      defer { entries.removeAll { $0.source == source } }
      return entries.filter { $0.source == source }
    }
    withExtendedLifetime(dropped) {}
  }
}

extension MediaSource {
  /// Returns a separate demuxer: a spare one, or a new one at the start of the file.
  func takeDemuxer(interrupt: Interrupt) throws(EngineError) -> OpenDemuxer {
    _ = try open(interrupt: interrupt)
    if let spare = DemuxerPool.shared.take(of: self, interrupt: interrupt) { return spare }
    return OpenDemuxer(demuxer: try makeDemuxer(interrupt: interrupt))
  }
}
