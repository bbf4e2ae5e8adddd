import LibAV
import MediaTime
import SystemIO

/// What is cut before an export begins, by the numbers of the tracks.
struct ExportCuts {
  /// Video tracks of one part whose boundary frames are encoded anew.
  var smart: [Int32: SmartCut] = [:]
  /// Tracks of several parts.
  var joins: [Int32: TrackJoin] = [:]
}

/// A track that is copied, and its stream in the file.
struct CopyRoute {
  private enum Samples {
    case stored(StoredTrack, AudioTrackSummary?)
    case cut(SmartCut)
    case joined(TrackJoin)
  }

  let track: ResolvedExport.Track
  let target: Int
  private let samples: Samples
  private let fileType: FileType

  /// Makes the stream.
  ///
  /// - Parameter isPart: false where all of a file is copied as it is.
  init(
    _ track: ResolvedExport.Track, _ cuts: ExportCuts, isPart: Bool, to writer: MovieWriter
  ) throws(EngineError) {
    self.track = track
    fileType = writer.fileType
    let stream: StreamInfo
    if let join = cuts.joins[track.info.trackID] {
      samples = .joined(join)
      stream = join.stream
    } else if let cut = cuts.smart[track.info.trackID] {
      samples = .cut(cut)
      stream = cut.stream
    } else {
      let media = try track.stored()
      var audio: AudioTrackSummary?
      if isPart, media.stream.kind == .audio {
        audio = try AudioTrackSummary(
          media, range: track.range, in: writer.fileType, interrupt: writer.destination.interrupt)
      }
      samples = .stored(media, audio)
      stream = audio?.stream ?? media.stream
    }
    target = try mapErrors(.write, path: writer.path) { () throws(LibAVError) in
      try writer.addStream(copying: stream, track.metadata)
    }
  }

  /// The packets of the part that is exported.
  func makeSource(interrupt: Interrupt) throws(EngineError) -> any PacketSource {
    switch samples {
    case .joined(let join): JoinedTrack(join, target: target, interrupt: interrupt)
    case .cut(let cut): try SmartTrack(cut, target: target, interrupt: interrupt)
    case .stored(let media, let audio):
      try CopiedTrack(
        media, range: track.range, to: fileType, stream: target, audio: audio,
        interrupt: interrupt)
    }
  }
}
