import FuzzingSupport
import MediaTime
import SystemIO

@testable import MediaEngine

/// Metadata that was read, written and read again is the same from then on.
enum MovieItems {
  static func run(_ userData: [UInt8], options: Int) {
    let isQuickTime = options & 4 != 0
    let isTrack = options & 8 != 0
    let boxes = MovieItemBoxes([], isQuickTime: isQuickTime)
    require(boxes.userData.isEmpty && boxes.meta.isEmpty, "boxes for nothing")
    let file = options & 16 != 0 ? box("meta", userData) : box("udta", userData)
    let first = items(file, isTrack: isTrack)
    let second = items(written(first, isQuickTime, isTrack), isTrack: isTrack)
    let third = items(written(second, isQuickTime, isTrack), isTrack: isTrack)
    require(second.count <= first.count, "\(second.count) items of \(first.count)")
    require(
      second.map(\.identifier).sorted() == third.map(\.identifier).sorted(),
      "other items: \(second.map(\.identifier)), then \(third.map(\.identifier))")
    for (before, after) in zip(second, third) {
      require(before.value == after.value, "\(before), then \(after)")
    }
  }

  private static func written(
    _ items: [MetadataItem], _ isQuickTime: Bool, _ isTrack: Bool
  ) -> [UInt8] {
    let boxes = MovieItemBoxes(items, isQuickTime: isQuickTime, isTrack: isTrack)
    return (boxes.userData.isEmpty ? [] : box("udta", boxes.userData)) + boxes.meta
  }

  private static func items(_ boxes: [UInt8], isTrack: Bool) -> [MetadataItem] {
    let header = [UInt8](repeating: 0, count: 100)
    let content = isTrack ? box("trak", boxes) : boxes
    let bytes = box("moov", box("mvhd", header) + content)
    guard let movie = try? Movie.read(MemorySource(bytes), interrupt: Interrupt()) else {
      require(false, "a movie that can't be read")
      return []
    }
    return isTrack ? movie.tracks.flatMap(\.metadata) : movie.metadata
  }
}
