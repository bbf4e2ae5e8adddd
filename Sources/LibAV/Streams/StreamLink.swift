/// The description of a stream from a time on: in a link of a chained Ogg file, on the file's
/// clock, or by a sample description of a movie.
package struct StreamLink: Sendable {
  /// The number, from 0. A link occurs once, a sample description perhaps several times.
  package let number: Int
  /// The presentation time of its start, in ticks of the file's stream.
  package let start: Int64
  package let stream: StreamInfo

  package init(number: Int, start: Int64, stream: StreamInfo) {
    (self.number, self.start, self.stream) = (number, start, stream)
  }
}

extension StreamInfo {
  /// Returns the stream's description in a link; the stream itself if there are no links.
  package func inLink(_ number: Int) -> StreamInfo {
    links.first { $0.number == number }?.stream ?? self
  }

  /// Returns the stream's description at a time in ticks.
  package func description(at time: Int64) -> StreamInfo {
    (links.last { $0.start <= time } ?? links.first)?.stream ?? self
  }

  /// Returns the number of the sample description of the sample at a position in the file; nil if
  /// the track has only one.
  package func descriptionNumber(at position: Int64?) -> Int? {
    guard !descriptionPlaces.isEmpty else { return nil }
    guard let position else { return descriptionPlaces.first?.number }
    var (low, high) = (0, descriptionPlaces.count)
    while low < high {
      let middle = (low + high) / 2
      if descriptionPlaces[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return descriptionPlaces[max(0, low - 1)].number
  }
}
