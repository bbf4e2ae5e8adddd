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

  @Test(arguments: [
    ("http://a/b.mp4", "http"), ("HTTPS://a/b.mp4", "https"), ("rtmp://x", "rtmp"),
    ("data://x", "data"), ("s3+x.y-z://b", "s3+x.y-z"),
  ])
  func otherSchemesAreForeign(_ url: String, _ scheme: String) {
    #expect(FileLocation(url).foreignScheme == scheme)
  }
}
