import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization

/// Delivers the segments of a writer in notifications, one after the other.
final class SegmentNotifications: Sendable {
  private let delivery: WireDelivery?
  private let engine: Engine
  private let connection: Connection
  /// The writer's handle, once it has one.
  private let handle = Mutex<AssetWriterHandle?>(nil)

  /// The time that a segment waits for shared memory that the client holds.
  private static let timeout = Duration.seconds(10)

  /// - Throws: `invalidParams` for the path of one file.
  init(_ delivery: WireDelivery?, _ engine: Engine, _ connection: Connection) throws(RPCError) {
    if case .file(let file) = delivery, numbered(file.path, 0) == numbered(file.path, 1) {
      throw .invalidParams(
        path: "/segments/delivery/path", expected: "a path with %d for the number of the segment",
        got: "'\(file.path)'")
    }
    self.delivery = delivery
    self.engine = engine
    self.connection = connection
  }

  func begin(_ writer: AssetWriterHandle) { handle.withLock { $0 = writer } }

  /// Returns once the segment has been delivered, and the client reads its messages.
  func send(_ segment: AssetWriter.Segment) async throws(EngineError) {
    guard let writer = handle.withLock(\.self) else { return }
    let delivery = Delivery(
      self.delivery, engine: engine, owner: writer.rawValue, answering: nil)
    let data = try await DataBuffer.copy(
      segment.bytes, to: delivery.destination(timeout: Self.timeout))
    let blob = try await delivery.blob(
      data, mimeType: "video/mp4", index: segment.index.map { $0 + 1 } ?? 0)
    _ = await connection.notify(
      AssetWriterDidOutputSegment(
        assetWriter: writer, segmentType: segment.index == nil ? .initialization : .separable,
        index: segment.index,
        report: segment.index.map { _ in
          WireSegmentReport(trackReports: segment.tracks.map(WireSegmentTrackReport.init))
        }, blob: blob))
  }
}

extension WireSegmentTrackReport {
  init(_ track: AssetWriter.Segment.Track) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      earliestPresentationTime: WireTime(track.earliestPresentationTime),
      duration: WireTime(track.duration))
  }
}

extension SegmentSettings {
  init(_ wire: WireSegmentSettings) {
    let interval = wire.preferredOutputSegmentInterval.time
    self.init(
      interval: interval.isIndefinite ? nil : interval,
      start: wire.initialSegmentStartTime?.time,
      profile: wire.profile == .mpeg4CMAFCompliant ? .mpeg4CMAFCompliant : .mpeg4AppleHLS)
  }
}
