import LibAV
import MediaTime
import SystemIO

/// Cuts a written file at the end of its session.
///
/// Samples are encoded on arrival, so that a file may have more than the session whose end is stated later. Where no
/// edit list hides the excess, the file is copied up to the end, and the frames before it that need later ones are
/// encoded anew.
struct SessionCut {
  let written: OutputFile
  let fileType: FileType
  /// The end on the file's clock, whose zero is the session's start.
  let end: Time
  /// The earliest presentation time of its packets, on that clock.
  let earliest: Time
  let metadata: FileMetadata
  let interrupt: Interrupt

  /// Writes the part of the session to another file, which isn't committed under its name.
  ///
  /// - Returns: the items that the new file lacks.
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
    destination.end = end
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

  /// Returns the time zero of the file as an asset: muxers move samples from before zero, and the assets of some types
  /// begin with their first sample.
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
