import LibAV
import MediaTime
import SystemIO

/// Cuts a file that was written where its session ends.
///
/// Samples are encoded as they come, so that a file may hold more than the session whose end is stated later. Where no
/// edit list hides that, the file is copied up to the end, and the pictures before it that need later ones are
/// encoded anew.
struct SessionCut {
  let written: OutputFile
  let fileType: FileType
  /// On the file's clock, whose zero is the session's start.
  let end: Time
  /// When the earliest of its packets is presented, on that clock.
  let earliest: Time
  let metadata: FileMetadata
  let interrupt: Interrupt

  /// Writes the part of the session to another file, which isn't given its name.
  ///
  /// - Returns: what the new file lacks.
  func write(to destination: MovieDestination) throws(EngineError) -> [DroppedItem] {
    var configuration = EngineConfiguration()
    configuration.openSource = { [written] _, _ in WrittenBytes(written) }
    let asset = URLAsset(url: written.path, configuration: configuration).media.content
    let presentation = try asset.presentation(interrupt: interrupt)
    let zero = try zero(of: presentation)
    var settings = ExportConfiguration()
    settings.timeRange = TimeRange(start: .zero, end: max(.zero, end - zero))
    settings.trimMode = .smart
    let (export, cuts) = try ExportResolver(
      of: asset, presentation,
      ExportRequest(preset: .passthrough, fileType: fileType, configuration: settings),
      interrupt: interrupt
    ).resolveWithCuts()
    var destination = destination
    destination.offset = zero
    let movie = try mapErrors(.write, path: written.path) { () throws(LibAVError) in
      try MovieWriter(destination, metadata: metadata)
    }
    var passthrough = Passthrough(export, cuts: cuts, to: movie)
    try passthrough.run()
    try mapErrors(.finish, path: written.path) { () throws(LibAVError) in
      try movie.finish(endingAt: end)
    }
    return export.plan.dropped + passthrough.dropped
      + movie.joinedValues.map(DroppedItem.init(joined:))
  }

  /// The time zero of the file as an asset: muxers move what lies before zero, and the assets of some types begin
  /// with their first sample.
  private func zero(of presentation: Presentation) throws(EngineError) -> Time {
    var first: Time?
    for track in presentation.tracks {
      guard let media = track.timeline.stored else { continue }
      let index = try media.index(interrupt: interrupt)
      guard !index.isEmpty else { continue }
      let time = media.time(index.sample(atPosition: 0).pts)
      first = first.map { min($0, time) } ?? time
    }
    return earliest - (first ?? .zero)
  }
}
