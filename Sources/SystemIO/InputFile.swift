internal import CSystem
internal import Glibc

/// A regular file, opened by us so that libav never sees a caller's string.
///
/// FFmpeg would interpret `pipe:0`, `concat:a|b` or `a%d.png` as more than a name, follow
/// playlists, and wait for ever on a FIFO (reliability F1–F14).
package final class InputFile: ByteSource {
  package let name: String
  private let descriptor: Int32
  /// The size when the file was opened, in bytes.
  private let openedSize: Int64

  /// Opens the regular file at `path`.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the path, if it isn't UTF-8; messages then have `path`.
  ///   - roots: folders that the file must lie below, symbolic links resolved; empty means anywhere.
  /// - Throws: errno's code; `isDirectory` for folders, `invalidArgument` for devices, sockets and
  ///   FIFOs, `crossesRoot` outside the roots.
  package init(
    path: String, bytes: [UInt8]? = nil, roots: [String] = []
  ) throws(SystemError) {
    let fd = try InputFile.open(bytes ?? Array(path.utf8), path, below: roots)
    var status = stat()
    let result = unsafe fstat(fd, &status)
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(fd)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw SystemError(
        isFolder ? .isDirectory : .invalidArgument, operation: .open, subject: path,
        detail: isFolder
          ? "it is a folder" : "it is not a regular file but a \(kind(of: status.st_mode))",
        reason: isFolder ? nil : .notRegularFile)
    }
    name = path
    descriptor = fd
    openedSize = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  /// The size in bytes, read again at every call: a file may grow while it is open.
  ///
  /// - Throws: `inputOutput` when it has become shorter instead, which no demuxer would notice.
  package var size: Int64 {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else {
        throw SystemError(errno: errno, operation: .stat, subject: name)
      }
      if status.st_size < openedSize { throw becameShorter }
      return Int64(status.st_size)
    }
  }

  package var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

  /// The current facts of the file.
  package var facts: FileFacts {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else {
        throw SystemError(errno: errno, operation: .stat, subject: name)
      }
      return FileFacts(status)
    }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      // Otherwise a file that is cut short while it is read would look like a whole one that is
      // shorter.
      if count == 0, unsafe !buffer.isEmpty, offset < openedSize {
        throw becameShorter
      }
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .read, subject: name)
      }
    }
  }

  private var becameShorter: SystemError {
    SystemError(
      .inputOutput, operation: .read, subject: name,
      detail: "the file has become shorter since it was opened")
  }

  private static func open(
    _ bytes: [UInt8], _ path: String, below roots: [String]
  ) throws(SystemError) -> Int32 {
    guard !bytes.isEmpty, !bytes.contains(0) else {
      throw SystemError(
        .noEntry, operation: .open, subject: path, detail: "the path is empty or holds a NUL byte")
    }
    // O_NONBLOCK: opening a FIFO returns instead of waiting for a writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    guard !roots.isEmpty else {
      let fd = unsafe rw_open(Roots.name(bytes), flags, 0)
      guard fd >= 0 else {
        throw SystemError(errno: errno, operation: .open, subject: path)
      }
      return fd
    }
    return try Roots.open(bytes, path, below: roots, flags: flags, operation: .open)
  }
}

private func kind(of mode: mode_t) -> String {
  switch mode & S_IFMT {
  case S_IFIFO: "FIFO"
  case S_IFSOCK: "socket"
  case S_IFCHR: "character device"
  case S_IFBLK: "block device"
  default: "special file"
  }
}
