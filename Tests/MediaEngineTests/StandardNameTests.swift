import Testing

@testable import MediaEngine

/// Names that are other people's: they must not follow our own terms.
struct StandardNameTests {
  /// AVMediaCharacteristic's values (AVMediaFormat.h).
  @Test func characteristicsAreAVFoundations() {
    #expect(
      Set(taggedCharacteristics.keys) == [
        "public.main-program-content", "public.auxiliary-content", "public.original-content",
        "public.subtitles.forced-only",
        "public.accessibility.transcribes-spoken-dialog",
        "public.accessibility.describes-music-and-sound", "public.accessibility.describes-video",
        "public.easy-to-read", "public.translation", "public.translation.dubbed",
        "public.translation.voice-over",
      ])
  }

  /// libavformat's names of keywords (mov.c, mov_read_udta_string), and their form in key spaces.
  @Test func keywordsAreCalledKeywords() {
    for key in ["keyw", "©key", "kywd"] {
      #expect(TagNames.movie.name(ofKey: key) == "keywords")
    }
    #expect(TagNames.iso.name(ofKey: "kywd") == "keywords")
    #expect(MetadataItem.commonKey(of: "keywords", in: "mdta") == "subject")
  }
}
