internal import Synchronization

/// The bytes of many files, one after the other, after bytes in memory.
///
/// A few of the files are open at a time: those that were read last.
package final class FileSequence: ByteSource {
  /// A file as it was when its folder was listed.
  package struct Member: Sendable {
    package let path: [UInt8]
    /// In bytes.
    package let size: Int64
    /// Nanoseconds since 1970 (UTC).
    package let modified: Int64

    package init(path: [UInt8], size: Int64, modified: Int64) {
      self.path = path
      self.size = size
      self.modified = modified
    }

    package var text: String { String(decoding: path, as: UTF8.self) }
  }

  /// Looks at a file when it is opened, before any of its bytes are read; throws for one that is refused.
  package typealias Check = @Sendable (InputFile, Interrupt) throws(SystemError) -> Void

  package let name: String
  private let head: [UInt8]
  private let members: [Member]
  /// The start of each file, and after them the end.
  private let starts: [Int64]
  private let roots: [String]
  private let check: Check
  /// The one that was read last is the last.
  private let open = Mutex<[(number: Int, file: InputFile)]>([])

  private static let capacity = 4

  /// - Parameters:
  ///   - roots: folders that each file must lie below; empty means anywhere.
  package init(
    name: String, head: [UInt8], _ members: [Member], roots: [String], check: @escaping Check
  ) {
    self.name = name
    self.head = head
    self.members = members
    self.roots = roots
    self.check = check
    starts = members.reduce(into: [Int64(head.count)]) { $0.append($0[$0.count - 1] + $1.size) }
  }

  package var size: Int64 { starts[starts.count - 1] }
  /// In bytes, of all files together.
  package var sizeOfFiles: Int64 { size - Int64(head.count) }
  package var paths: [String] { members.map(\.text) }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    if offset < Int64(head.count) {
      let part = head[Int(offset)...].prefix(buffer.count)
      unsafe buffer.copyBytes(from: part)
      return part.count
    }
    // The last one that begins at the offset or before it; none is empty.
    var (low, high) = (0, members.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let count = Int(min(Int64(buffer.count), starts[low + 1] - offset))
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count))
    let file = try file(low, interrupt)
    let read = try unsafe file.read(into: target, at: offset - starts[low], interrupt: interrupt)
    // A file that was written to while it was open would give bytes of two pictures.
    try requireUnchanged(file, members[low])
    return read
  }

  private func file(_ number: Int, _ interrupt: Interrupt) throws(SystemError) -> InputFile {
    let known = open.withLock { open -> InputFile? in
      guard let place = open.firstIndex(where: { $0.number == number }) else { return nil }
      open.append(open.remove(at: place))
      return open[open.count - 1].file
    }
    if let known { return known }
    let member = members[number]
    let file = try reopen(member)
    try requireUnchanged(file, member)
    try check(file, interrupt)
    // A file that is dropped is closed outside of the lock.
    let dropped = open.withLock { open in
      open.append((number, file))
      return open.count > FileSequence.capacity ? open.removeFirst() : nil
    }
    withExtendedLifetime(dropped) {}
    return file
  }

  private func reopen(_ member: Member) throws(SystemError) -> InputFile {
    do throws(SystemError) {
      return try InputFile(path: member.text, bytes: member.path, roots: roots)
    } catch {
      guard error.code == .noEntry else { throw error }
      var failure = error
      failure.reason = .changedFile
      failure.detail = "the file has gone since the sequence was opened"
      throw failure
    }
  }

  private func requireUnchanged(_ file: InputFile, _ member: Member) throws(SystemError) {
    let facts = try file.facts
    guard facts.size == member.size, facts.modified == member.modified else {
      throw SystemError(
        .inputOutput, operation: .read, subject: member.text,
        detail: "the file has changed since the sequence was opened", reason: .changedFile)
    }
  }
}
