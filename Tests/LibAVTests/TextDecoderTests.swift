import Testing

@testable import LibAV

/// The text of events, as several versions of libavcodec write them.
struct TextDecoderTests {
  @Test(
    arguments: [
      ("one, two", "one, two"),
      (#"first\Nsecond\N"#, "first\nsecond"),
      (#"{\i1}slanted{\i0}"#, "slanted"),
      // FFmpeg 5, and 6 and later.
      (#"a \{brace}"#, "a {brace}"),
      (#"a \{{}brace}"#, "a {brace}"),
      ("back\\\u{2060}slash", #"back\slash"#),
      ("a {brace}", "a {brace}"),
    ])
  func anEventIsPlainText(event: String, text: String) {
    #expect(TextDecoder.plainText(ofEvent: "0,0,Default,,0,0,0,,\(event)") == text)
  }
}
