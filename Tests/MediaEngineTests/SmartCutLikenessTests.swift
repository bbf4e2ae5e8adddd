import Foundation
import Testing

@testable import MediaEngine

/// The limit of likeness at the edges of a smart cut.
@Suite struct SmartCutLikenessTests {
  /// The mean squared difference over the square of the largest number at `level` decibels.
  private func difference(_ level: Double) -> Double { Foundation.exp(-level / 10 * log(10)) }

  @Test func theLimitIsWhatItSays() throws {
    let limit = SmartCutter.minimumPSNR
    for level in [37, limit + 0.01, limit + 3.3, 60, 100] {
      #expect(SmartCutter.isLike(difference(level)), "\(level) dB")
    }
    for level in [limit - 0.01, limit - 3.3, 20, 0] {
      #expect(!SmartCutter.isLike(difference(level)), "\(level) dB")
    }
    #expect(SmartCutter.isLike(0))
  }

  /// The page that names the number names this one.
  @Test func theDocumentsNameTheLimit() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("docs/notes/trims.md"), encoding: .utf8)
    #expect(page.contains("(\(Int(SmartCutter.minimumPSNR)) dB"))
  }
}
