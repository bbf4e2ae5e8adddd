internal import Glibc
internal import Synchronization

/// A folder of one process alone, for files that it needs as long as it lasts.
package final class TemporaryFolder: Sendable {
  package let path: String
  private let lastNumber = Mutex(0)

  /// Makes the folder, which only the user can look into.
  ///
  /// - Parameter folder: where it is made.
  /// - Throws: errno's code for why it can't be made.
  package init(in folder: String, name: String) throws(SystemError) {
    var template = "\(folder)/\(name)-XXXXXX".utf8.map { CChar(bitPattern: $0) } + [0]
    guard unsafe mkdtemp(&template) != nil else {
      throw SystemError(errno: errno, operation: .makeFolder, subject: folder)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file that isn't there yet.
  package func newPath(_ name: String, _ suffix: String) -> String {
    let number = lastNumber.withLock { number in
      number += 1
      return number
    }
    return "\(path)/\(name)-\(number).\(suffix)"
  }

  /// Removes a file in it.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Removes it with the files in it.
  package func remove() {
    if let reader = try? FolderReader(path: Array(path.utf8), below: []) {
      for entry in (try? reader.entries(interrupt: Interrupt())) ?? [] { reader.remove(entry.name) }
    }
    _ = unsafe rmdir(path)
  }
}
