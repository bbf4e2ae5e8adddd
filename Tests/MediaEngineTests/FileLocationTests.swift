import Testing

@testable import MediaEngine

@Suite struct FileLocationTests {
  @Test(arguments: [
    ("/a/b.mp4", "/a/b.mp4"), ("b.mp4", "b.mp4"), ("file:///a/b.mp4", "/a/b.mp4"),
    ("file:/a/b.mp4", "/a/b.mp4"), ("file://localhost/a/b.mp4", "/a/b.mp4"),
    ("FILE:///a/b.mp4", "/a/b.mp4"), ("file:///a%20b/%c3%a9.mp4", "/a b/é.mp4"),
    ("file:///100%.mp4", "/100%.mp4"), ("file:///a%2", "/a%2"), ("file:///a%zz", "/a%zz"),
    // Names that only look like something else.
    ("a:b.mp4", "a:b.mp4"), ("/a/x:y://z.mp4", "/a/x:y://z.mp4"), ("/a%20b.mp4", "/a%20b.mp4"),
    ("pipe:0", "pipe:0"), ("concat:a|b", "concat:a|b"), ("", ""),
  ])
  func filesAndTheirURLs(_ url: String, _ path: String) {
    let location = FileLocation(url)
    #expect(location.path == path)
    #expect(location.foreignScheme == nil)
  }

  @Test func bytesThatAreNoUTF8Survive() {
    let location = FileLocation("file:///caf%E9/%41%00%ff.mp4")
    #expect(
      location.bytes == Array("/caf".utf8) + [0xE9] + Array("/A\0".utf8) + [0xFF]
        + Array(".mp4".utf8))
    #expect(location.path == "/caf\u{FFFD}/A\0\u{FFFD}.mp4")
    #expect(FileLocation("file:///caf%C3%A9.mp4").bytes == nil)
    #expect(FileLocation("file:caf%E9").bytes == Array("caf".utf8) + [0xE9])
  }

  @Test(arguments: [
    ("http://a/b.mp4", "http"), ("HTTPS://a/b.mp4", "https"), ("rtmp://x", "rtmp"),
    ("data://x", "data"), ("s3+x.y-z://b", "s3+x.y-z"),
  ])
  func otherSchemesAreForeign(_ url: String, _ scheme: String) {
    #expect(FileLocation(url).foreignScheme == scheme)
  }
}
