/// The separation of messages on a byte stream.
public enum FramingMode: String, Sendable, CaseIterable, Codable {
  /// The framing of the first message; fixed from then on.
  case auto
  /// One message a line.
  case lines
  /// `Content-Length: N`, an empty line, N bytes: the base protocol of LSP.
  case headers
}

/// A parser of framed messages, independent of the way in which the bytes were cut into pieces.
///
/// White space, a byte order mark and lines that begin with `#` are skipped between messages. A
/// message over the limit is skipped without being stored and reported once: as soon as its id has
/// been found, or at its end when it has none. Bytes that are no message are reported once for each
/// line; after a broken header block everything is skipped up to the next `Content-Length:`,
/// because a body need not end with a line end.
package struct Framing {
  package enum Event: Equatable, Sendable {
    case message([UInt8])
    /// A byte that doesn't belong here; the text describes what does.
    case malformed(String)
    /// A message larger than the limit; the id is null if it has none.
    case tooLarge(limit: Int, id: RequestID)
  }

  package static let maximumHeaderBytes = 8192

  /// The framing; `auto` until the first message was seen.
  package private(set) var mode: FramingMode
  /// The key in the header of the last returned message, if it replaces others of that key.
  package private(set) var coalescingKey: String?
  private let limit: Int

  private var buffer: [UInt8] = []
  /// The start of the unread bytes.
  private var head = 0
  /// The end of the bytes that are known to hold no line end.
  private var scanned = 0
  private var state = State.between
  /// The scanner of the message that is too large.
  private var scanner = RequestIDScanner()

  private enum State {
    case between
    /// Inside a line whose remainder is skipped.
    case restOfLine
    /// Inside a line that is skipped, up to its end or a header that is glued to it.
    case skippedLine
    case body(count: Int)
    case skippedBody(remaining: Int)
    /// Inside a message that is too large and not reported yet.
    case largeLine
    case largeBody(remaining: Int)
    /// After a broken header block.
    case resync
  }

  package init(mode: FramingMode = .auto, limit: Int = 64 << 20) {
    self.mode = mode
    self.limit = limit
  }

  package mutating func feed(_ bytes: ArraySlice<UInt8>) {
    if head > 0, head == buffer.count || head > 1 << 16 {
      buffer.removeSubrange(..<head)
      scanned -= head
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  package mutating func feed(_ bytes: [UInt8]) { feed(bytes[...]) }

  /// Returns the next event, nil when more bytes are needed.
  package mutating func next() -> Event? {
    while true {
      switch state {
      case .between:
        switch between() {
        case .event(let event): return event
        case .more: return nil
        case .again: break
        }
      case .restOfLine:
        guard skipLine() else { return nil }
        state = .between
      case .skippedLine:
        guard skipLineOrFindHeader() else { return nil }
        state = .between
      case .body(let count):
        guard buffer.count - head >= count else { return nil }
        state = .between
        return .message(take(count))
      case .skippedBody(let remaining):
        let count = min(remaining, buffer.count - head)
        drop(count)
        guard count == remaining else {
          state = .skippedBody(remaining: remaining - count)
          return nil
        }
        state = .between
      case .largeLine:
        guard let event = passLargeLine() else { return nil }
        return event
      case .largeBody(let remaining):
        guard let event = passLargeBody(remaining) else { return nil }
        return event
      case .resync:
        guard findHeader() else { return nil }
        state = .between
      }
    }
  }

  /// Returns the event at the end of the input: the last line counts even without a line end.
  package mutating func finish() -> Event? {
    switch state {
    case .largeLine, .largeBody:
      state = .resync
      return .tooLarge(limit: limit, id: .null)
    case .between where mode != .headers:
      feed([UInt8(ascii: "\n")])
      return next()
    default: return nil
    }
  }

  /// Skips the present bytes of a line that is too large; returns the event once it has its id, or
  /// its end.
  private mutating func passLargeLine() -> Event? {
    let end = lineEnd()
    scanner.scan(buffer[head..<(end ?? buffer.count)])
    drop((end.map { $0 + 1 } ?? buffer.count) - head)
    guard end != nil || scanner.id != nil else { return nil }
    state = end == nil ? .restOfLine : .between
    return .tooLarge(limit: limit, id: scanner.id ?? .null)
  }

  /// Skips a message with a header in the same way.
  private mutating func passLargeBody(_ remaining: Int) -> Event? {
    let count = min(remaining, buffer.count - head)
    scanner.scan(buffer[head..<head + count])
    drop(count)
    guard count == remaining || scanner.id != nil else {
      state = .largeBody(remaining: remaining - count)
      return nil
    }
    state = .skippedBody(remaining: remaining - count)
    return .tooLarge(limit: limit, id: scanner.id ?? .null)
  }

  private enum Step {
    case event(Event)
    case more
    case again
  }

  private mutating func between() -> Step {
    guard skipBlank() else { return .more }
    let first = buffer[head]
    if first == UInt8(ascii: "#") {
      state = .restOfLine
      return .again
    }
    let opensJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if mode == .auto, opensJSON { mode = .lines }
    return mode == .lines ? line() : headerBlock()
  }

  /// Skips white space and byte order marks; returns false when there is nothing else (yet).
  private mutating func skipBlank() -> Bool {
    while head < buffer.count {
      switch buffer[head] {
      case 0x20, 0x09, 0x0A, 0x0D: head += 1
      case 0xEF:
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let found = buffer[head..<min(head + 3, buffer.count)]
        guard mark.starts(with: found) else { return true }
        if found.count < 3 { return false }
        head += 3
      default:
        scanned = max(scanned, head)
        return true
      }
    }
    scanned = max(scanned, head)
    return false
  }

  private mutating func line() -> Step {
    guard let end = lineEnd() else {
      // A carriage return may be a part of the line end.
      let count = buffer.count - head - (buffer.last == 0x0D ? 1 : 0)
      guard count > limit else { return .more }
      beginLarge(.largeLine)
      return .again
    }
    var count = end - head
    if count > 0, buffer[end - 1] == 0x0D { count -= 1 }
    guard count <= limit else {
      beginLarge(.largeLine)
      return .again
    }
    let message = take(count)
    drop(end - head + 1)
    return .event(.message(message))
  }

  /// Reads a header block from the first byte of its first line.
  private mutating func headerBlock() -> Step {
    var header = Header()
    var cursor = head
    // The search is limited, so that the number of bytes already there doesn't matter.
    let limit = min(head + Self.maximumHeaderBytes, buffer.count)
    while let end = lineEnd(from: cursor, to: limit) {
      let text = buffer[cursor..<end]
      if text.isEmpty || text.elementsEqual([0x0D]) {
        head = end + 1
        scanned = head
        return finish(header)
      }
      guard header.add(text) else {
        // Not a header at all: a lone bad line, or a block without an end.
        if cursor == head { state = .skippedLine } else { head = cursor }
        return .event(.malformed(expectation))
      }
      cursor = end + 1
    }
    if buffer.count - head > Self.maximumHeaderBytes {
      state = cursor == head ? .skippedLine : .resync
      // After the lines that were read, or their Content-Length would be found again, and again.
      head = cursor
      return .event(.malformed("a header block of at most \(Self.maximumHeaderBytes) bytes"))
    }
    return .more
  }

  private mutating func finish(_ header: Header) -> Step {
    guard header.problem == nil, let count = header.contentLength else {
      state = .resync
      return .event(.malformed(header.problem ?? "a Content-Length header before the empty line"))
    }
    mode = .headers
    coalescingKey = header.coalescingKey
    if let charset = header.foreignCharset {
      state = .skippedBody(remaining: count)
      return .event(.malformed("content in UTF-8, not in \(charset)"))
    }
    guard count <= limit else {
      beginLarge(.largeBody(remaining: count))
      return .again
    }
    state = .body(count: count)
    return .again
  }

  private mutating func beginLarge(_ large: State) {
    scanner = RequestIDScanner()
    state = large
  }

  private var expectation: String {
    switch mode {
    case .auto:
      return
        "a JSON-RPC message on one line, or a Content-Length header, an empty line and a message"
    case .lines: return "a JSON-RPC message on one line"
    case .headers: return "a Content-Length header, an empty line and a message"
    }
  }

  // MARK: Bytes

  private mutating func take(_ count: Int) -> [UInt8] {
    let bytes = [UInt8](buffer[head..<head + count])
    drop(count)
    return bytes
  }

  private mutating func drop(_ count: Int) {
    head += count
    if head == buffer.count {
      // The memory of a buffer that held one large message is released.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      head = 0
      scanned = 0
    } else {
      scanned = max(scanned, head)
    }
  }

  /// Returns the end of the line at `head`; stores the position up to which it searched.
  private mutating func lineEnd() -> Int? {
    let end = lineEnd(from: max(scanned, head), to: buffer.count)
    scanned = end ?? buffer.count
    return end
  }

  private func lineEnd(from start: Int, to limit: Int) -> Int? {
    var index = start
    while index < limit {
      if buffer[index] == 0x0A { return index }
      index += 1
    }
    return nil
  }

  /// Drops the rest of the line; returns false when its end is not there yet.
  private mutating func skipLine() -> Bool {
    let end = lineEnd()
    drop((end.map { $0 + 1 } ?? buffer.count) - head)
    return end != nil
  }

  private mutating func skipLineOrFindHeader() -> Bool {
    let end = lineEnd()
    let limit = end ?? buffer.count
    // The first byte is known to be wrong, so a header that begins there is not meant.
    if mode != .lines, let header = header(from: head + 1, to: limit) {
      drop(header - head)
      return true
    }
    guard let end else {
      // The beginning of the name may be the end of the present bytes, after a byte at which none
      // begins.
      drop(max(0, limit - head - Header.name.count - 1))
      return false
    }
    drop(end + 1 - head)
    return true
  }

  private mutating func findHeader() -> Bool {
    if let header = header(from: head, to: buffer.count) {
      drop(header - head)
      return true
    }
    drop(max(0, buffer.count - head - Header.name.count))
    return false
  }

  /// Returns the start of `Content-Length:`, upper and lower case alike.
  private func header(from start: Int, to end: Int) -> Int? {
    var index = start
    while index + Header.name.count < end {
      if buffer[index + Header.name.count] == UInt8(ascii: ":"),
        Header.matches(buffer[index..<index + Header.name.count], Header.name)
      {
        return index
      }
      index += 1
    }
    return nil
  }
}
