import DequeModule
import LibAV

extension Deque<Handoff<Packet>> {
  /// The first packets of a track, in decode order, up to the first one that is shown after all before it. A file that ends
  /// before or after such a group lacks no frame before its last one.
  ///
  /// `isWhole` is false where packets that haven't arrived may belong to it.
  var firstGroup: (count: Int, isWhole: Bool) {
    guard let first else { return (0, false) }
    let latest = first.value.pts ?? .min
    let length = dropFirst().prefix { ($0.value.pts ?? .min) < latest }.count + 1
    return (length, length < count)
  }
}
