import Glibc
import Terminal

/// A new file on its way to stdout: muxers go back in their output, which a pipe can't.
///
/// It lies in a folder of its own until it is whole, and has lost its name when it is sent.
struct PipedFile {
  private let folder: String
  /// The path at which the file is to be made.
  let path: String

  /// - Parameter parent: where there is room for it; nil for the system's folder of temporary files.
  init(in parent: String?) throws {
    let usual = Terminal.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent ?? usual)/reelwire-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      let reason = unsafe String(cString: strerror(errno))
      throw CommandError(
        "Can't create a file in '\(parent ?? usual)': \(reason)",
        hint: "Give --temporary-folder a folder that exists and can be written to.")
    }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = folder + "/export"
  }

  /// Removes the file and its folder, as far as they exist.
  func remove() {
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  /// Writes the file to stdout. Nothing of it stays, however this ends.
  func send(to console: Console) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandError(
        "The finished file can't be read: \(unsafe String(cString: strerror(errno)))")
    }
    defer { Glibc.close(descriptor) }
    remove()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      try Task.checkCancellation()
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandError(
          "The finished file can't be read: \(unsafe String(cString: strerror(errno)))")
      }
      guard count > 0 else { return }
      try console.write(Array(buffer[..<count]))
    }
  }
}
