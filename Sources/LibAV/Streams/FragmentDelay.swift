/// The delay that libavformat adds to the times in the fragments of a movie's track.
///
/// Composition offsets of fragments (`trun`) may be negative. libavformat then presents all of the
/// track later by the largest of them (`mov_update_dts_shift`), and decodes it at the time in the
/// fragments, up to 7.1. In other movies it decodes earlier instead, as here without the delay: no
/// sample is presented before it is decoded.
package struct FragmentDelay: Sendable {
  /// The track's number.
  var track: Int
  /// The position of the first fragment, in bytes: samples before it are in the tables of the
  /// movie's header.
  var position: Int64
  /// The delay of samples before that position, in ticks; `inFragments` is that of the others.
  var inTables: Int64
  var inFragments: Int64

  package init(track: Int, from position: Int64, inTables: Int64, inFragments: Int64) {
    self.track = track
    self.position = position
    self.inTables = inTables
    self.inFragments = inFragments
  }

  /// Returns the delay of a sample at a position in the file.
  func ticks(at place: Int64?) -> Int64 { place ?? position < position ? inTables : inFragments }

  /// Moves the times of a packet earlier by the delay.
  func remove(from packet: inout Packet) {
    let delay = ticks(at: packet.position)
    packet.pts = packet.pts.map { $0 &- delay }
    packet.dts = packet.dts.map { $0 &- delay }
  }
}
