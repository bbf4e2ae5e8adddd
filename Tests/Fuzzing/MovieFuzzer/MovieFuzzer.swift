import FuzzingSupport
import MediaTime
import SystemIO

@testable import MediaEngine

/// Boxes of movies: read from any bytes, and written again with only the intended changes.
///
/// The first byte of an input selects the operation, the rest is a file, or the content of a movie
/// box.
@main
enum MovieFuzzer: Fuzzer {
  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let options = Int(reader.byte())
    let bytes = reader.remainder()
    switch options & 3 {
    case 0: read(bytes)
    case 1: MovieRewriting.run(bytes, options: options)
    case 2: MovieItems.run(bytes, options: options)
    default: read(box("ftyp", [0, 0, 0, 0, 0, 0, 0, 0]) + box("moov", bytes))
    }
  }

  private static func read(_ bytes: [UInt8]) {
    let movie = try? Movie.read(MemorySource(bytes), interrupt: Interrupt())
    let slow = try? Movie.read(MemorySource(bytes, pieceSize: 3), interrupt: Interrupt())
    requireSame(movie, slow)
    _ = try? Movie.lacksIndex(MemorySource(bytes), interrupt: Interrupt())
    if let movie { requireSense(movie, size: Int64(bytes.count)) }
    guard
      let tables = try? SampleTables.read(MemorySource(bytes), interrupt: Interrupt())
    else { return }
    for track in tables.tracks {
      for place in track.places.prefix(10_000) {
        require(place.size >= 0, "a sample of \(place.size) bytes")
      }
      let counts = (track.compositionOffsets ?? []).map(\.count)
      require(counts.allSatisfy { $0 > 0 }, "an empty run")
    }
  }

  /// It doesn't matter how many bytes come at a time.
  private static func requireSame(_ movie: Movie?, _ other: Movie?) {
    guard let movie, let other else {
      return require((movie == nil) == (other == nil), "a movie of whole pieces only")
    }
    require(movie.duration == other.duration, "\(movie.duration as Any)")
    require(movie.metadata == other.metadata, "\(movie.metadata), not \(other.metadata)")
    require(movie.mediaData == other.mediaData, "\(movie.mediaData), not \(other.mediaData)")
    require(movie.declaredEnd == other.declaredEnd, "another end: \(movie.declaredEnd)")
    require(movie.tracks.count == other.tracks.count, "\(movie.tracks.count) tracks")
    for (track, same) in zip(movie.tracks, other.tracks) {
      require(track.id == same.id && track.duration == same.duration, "track \(track.id)")
      require(track.edits == same.edits, "track \(track.id): edits")
      require(track.references == same.references, "track \(track.id): references")
      require(track.metadata == same.metadata, "track \(track.id): metadata")
      let (left, right) = (track.sampleDescriptions, same.sampleDescriptions)
      require(left.map(\.format) == right.map(\.format), "track \(track.id): formats")
    }
  }

  private static func requireSense(_ movie: Movie, size: Int64) {
    for range in movie.mediaData {
      require(range.lowerBound >= 0 && range.upperBound <= size, "media at \(range) of \(size)")
    }
    require(movie.canContainFragments || !movie.containsFragments, "fragments out of nowhere")
    require(movie.timescale >= 0, "a timescale of \(movie.timescale)")
    require(movie.declaredEnd >= 0, "an end at \(movie.declaredEnd)")
    for track in movie.tracks {
      require(track.id >= 0, "track \(track.id)")
      require(track.timescale >= 0, "a timescale of \(track.timescale)")
      require(track.edits.allSatisfy { $0.mediaTime >= -1 }, "an edit before the media")
      require(track.references.values.allSatisfy { $0.allSatisfy { $0 > 0 } }, "a track below 1")
    }
  }
}

/// The bytes of a box.
func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
  var writer = BoxWriter()
  writer.box(type) { $0.append(payload) }
  return writer.bytes
}
