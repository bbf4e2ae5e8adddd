import Foundation
import MediaEngine
import Testing

@testable import MediaLibrary

struct LibraryCollectionTests {
  @Test func collectionsHaveTheirItems() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.lake.value, to: "2021/lake.mp4")
    try folder.write(try await Clips.tone.value, to: "2021/tone.wav")
    try folder.write(try await Clips.tone.value, to: "other/tone.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    let folders = try await library.collections(.folder)
    #expect(folders.map(\.title) == [folder.file("2021"), folder.file("other")])
    #expect(folders.map(\.count) == [2, 1])
    #expect(try await library.collections(.artist).map(\.title) == ["Ann"])
    #expect(try await library.collections(.genre).map(\.title) == ["Nature"])
    let month = try #require(try await library.collections(.month).first)
    #expect((month.title, month.count) == ("2021-05", 1))
    #expect(month.startDate == 1_619_870_400_000_000)
    let smart = try await library.collections(.smart)
    #expect(smart.map(\.title) == ["videos", "audio", "recentlyAdded"])
    for kind in LibraryCollection.Kind.allCases {
      for collection in try await library.collections(kind) {
        let items = try await library.fetch(LibraryQuery(predicate: collection.predicate))
        #expect(items.count == collection.count, "\(collection.title)")
      }
    }
  }

  @Test func duplicatesAreAlikeByteByByte() async throws {
    let folder = try MediaFolder()
    let lake = try await Clips.lake.value
    // The same beginning, end and size, and another byte between.
    var large = lake + [UInt8](repeating: 0, count: 300_000)
    try folder.write(large, to: "1.mp4")
    try folder.write(large, to: "2.mp4")
    large[large.count / 2] = 1
    try folder.write(large, to: "3.mp4")
    try folder.write(try await Clips.tone.value, to: "a.wav")
    try folder.write(try await Clips.tone.value, to: "b/c.wav")
    try FileManager.default.linkItem(atPath: folder.file("a.wav"), toPath: folder.file("link.wav"))
    let library = try await folder.library()
    _ = try await library.scan()
    let groups = try await library.duplicates()
    #expect(
      groups.map { Set($0.map(\.name)) } == [["1.mp4", "2.mp4"], ["a.wav", "c.wav"]]
        || groups.map { Set($0.map(\.name)) } == [["1.mp4", "2.mp4"], ["link.wav", "c.wav"]])
  }

  @Test func datesAreReadAsTheyAreWritten() {
    let noon: Int64 = 1_619_870_400_000_000
    for text in [
      "2021-05-01T12:00:00Z", "2021-05-01 12:00:00", "2021:05:01 12:00:00",
      "2021-05-01T14:00:00+02:00", "2021-05-01T07:30:00.000000-0430", "2021-05-01T12:00",
    ] {
      #expect(DateText.microseconds(text) == noon, "\(text)")
    }
    #expect(DateText.microseconds("2021") == 1_609_459_200_000_000)
    #expect(DateText.microseconds("1969-12-31T23:59:59.5Z") == -500_000)
    #expect(DateText.microseconds("2000-02-29") == 951_782_400_000_000)
    for text in ["", "yesterday", "0000-00-00", "2021-13-01", "20"] {
      #expect(DateText.microseconds(text) == nil, "\(text)")
    }
    #expect(DateText.month("2021-12")?.upperBound == 1_640_995_199_999_999)
  }
}
