import EngineProtocol
import Glibc

/// The input on stdin: a file that was redirected, which is read at any place, or a pipe.
struct StandardInput: MediaInput {
  let resource: WireResource
  /// The start of a redirected file for this process: a shell may have read of it.
  private let start: off_t

  static func open() throws -> StandardInput {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandError.usage(
        "A terminal has no media", hint: "Name a file, or send one: < film.mp4")
    }
    var status = stat()
    let place = lseek(STDIN_FILENO, 0, SEEK_CUR)
    guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG, place >= 0
    else { return StandardInput(WireResource(isRandomAccess: false, name: "stdin"), start: 0) }
    let length = max(0, Int64(status.st_size) - Int64(place))
    return StandardInput(
      WireResource(length: length, isRandomAccess: true, name: "stdin"), start: place)
  }

  private init(_ resource: WireResource, start: off_t) {
    self.resource = resource
    self.start = start
  }

  func read(offset: Int64, length: Int) throws(MediaInputError) -> [UInt8] {
    guard resource.isRandomAccess else { return try readSome(STDIN_FILENO, length) }
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          STDIN_FILENO, buffer.baseAddress.map { unsafe $0 + filled }, length - filled,
          start + off_t(offset) + off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system() }
      guard count > 0 else { throw MediaInputError(reason: "the file has become shorter") }
      filled += count
    }
    return bytes
  }
}

extension MediaInputError {
  /// The error of `errno`.
  static func system() -> MediaInputError {
    MediaInputError(reason: unsafe String(cString: strerror(errno)))
  }
}

/// The next bytes of a descriptor, at most `length`; none at its end.
func readSome(_ descriptor: Int32, _ length: Int) throws(MediaInputError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: length)
  while true {
    let count = unsafe Glibc.read(descriptor, &bytes, length)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .system() }
    bytes.removeLast(length - count)
    return bytes
  }
}
