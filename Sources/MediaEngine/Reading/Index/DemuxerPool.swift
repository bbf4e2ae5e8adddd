import LibAV
import Synchronization
import SystemIO

/// A demuxer, and whether the first packet of the file is its next one.
struct OpenDemuxer: ~Copyable {
  var demuxer: Demuxer
  var isAtStart = true
  /// The streams of the reader that opened it, which has found it whole so far: nothing was probed for
  /// the others. Nil if any stream can be read.
  var streams: Set<Int>?
}

/// Demuxers that are open and not in use, for the next reader of the same source: opening a file
/// again, and probing its streams, may take longer than reading from it.
///
/// A process has a few of them, of the sources that were used last.
final class DemuxerPool: Sendable {
  static let shared = DemuxerPool()

  private struct Entry {
    let source: ObjectIdentifier
    let isAtStart: Bool
    let streams: Set<Int>?
    /// The number of samples in its tables.
    let sampleCount: Int
    let demuxer: Handoff<OpenDemuxer?>
  }

  /// Demuxers that stay whatever the size of their tables.
  private static let minimumCount = 4
  private static let maximumCount = 16
  /// The maximum number of samples in the tables of all demuxers, if these are more than a few. A sample takes some 24
  /// bytes.
  private static let maximumSampleCount = 1_000_000
  /// The one that was put away last is the last.
  private let entries = Mutex<[Entry]>([])
  private let closings = Atomic<Int>(0)

  /// The number of demuxers that were closed because there were too many.
  var closedCount: Int { closings.load(ordering: .relaxed) }

  func put(_ demuxer: consuming OpenDemuxer, of source: MediaSource) {
    let entry = Entry(
      source: ObjectIdentifier(source), isAtStart: demuxer.isAtStart, streams: demuxer.streams,
      sampleCount: demuxer.demuxer.indexEntryCount, demuxer: Handoff(demuxer))
    // Those that are dropped are closed outside of the lock.
    let dropped = entries.withLock { entries in
      entries.append(entry)
      var samples = entries.reduce(0) { $0 + $1.sampleCount }
      var count = 0
      while entries.count - count > DemuxerPool.minimumCount,
        entries.count - count > DemuxerPool.maximumCount || samples > DemuxerPool.maximumSampleCount
      {
        samples -= entries[count].sampleCount
        count += 1
      }
      closings.add(count, ordering: .relaxed)
      defer { entries.removeFirst(count) }
      return Array(entries.prefix(count))
    }
    withExtendedLifetime(dropped) {}
  }

  /// Returns a demuxer of the source, which works for `interrupt` from now on.
  ///
  /// - Parameters:
  ///   - stream: the one stream that is read; nil for any number of them.
  ///   - requiresWhole: true for one that a reader has found whole so far.
  ///   - atStart: true for one whose next packet is the first of the file.
  func take(
    of source: MediaSource, reading stream: Int? = nil, requiresWhole: Bool = false,
    atStart: Bool = false, interrupt: Interrupt
  ) -> OpenDemuxer? {
    let entry = entries.withLock { entries in
      entries.lastIndex { entry in
        guard entry.source == ObjectIdentifier(source), entry.isAtStart || !atStart else {
          return false
        }
        guard let streams = entry.streams else { return !requiresWhole }
        return stream.map(streams.contains) ?? false
      }.map { entries.remove(at: $0) }
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
