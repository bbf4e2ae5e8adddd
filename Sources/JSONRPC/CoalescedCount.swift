/// The member `coalesced` of a notification: how many it has replaced before they were written.
///
/// Whoever makes such a notification states 0; those on its way to the peer add what they have replaced.
struct CoalescedCount {
  let value: Int
  private let digits: Range<Int>

  private static let name = [UInt8](#""coalesced":"#.utf8)

  /// - Parameter payload: the text of a message, written without spaces; nil where it has no such member.
  init?(in payload: ArraySlice<UInt8>) {
    guard let name = payload.firstRange(of: Self.name) else { return nil }
    let rest = payload[name.upperBound...].prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard let value = Int(String(decoding: rest, as: UTF8.self)) else { return nil }
    self.value = value
    digits = rest.indices
  }

  /// The text of the message with a number that is larger by so many.
  static func adding(_ count: Int, to payload: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let found = CoalescedCount(in: payload) else { return payload }
    var result = payload
    result.replaceSubrange(found.digits, with: String(found.value + count).utf8)
    return result
  }
}
