/// How much later libavformat presents and decodes the samples of a movie's track than its fragments state.
///
/// Composition offsets of fragments (`trun`) may be negative. libavformat then presents all of the track later by the
/// largest of them (`mov_update_dts_shift`), and decodes it when the fragments state, up to 7.1. Elsewhere in movies
/// it decodes earlier instead, as here without the delay: no sample is presented before it is decoded.
package struct FragmentDelay: Sendable {
  /// The track's number.
  var track: Int
  /// Where the first fragment begins, in bytes: samples before it are in the tables of the movie's header.
  var position: Int64
  /// In ticks, of samples before that place, and of the others.
  var inTables: Int64
  var inFragments: Int64

  package init(track: Int, from position: Int64, inTables: Int64, inFragments: Int64) {
    self.track = track
    self.position = position
    self.inTables = inTables
    self.inFragments = inFragments
  }

  /// The delay of a sample at a place in the file.
  func ticks(at place: Int64?) -> Int64 { place ?? position < position ? inTables : inFragments }

  /// Has a packet presented and decoded earlier.
  func remove(from packet: inout Packet) {
    let delay = ticks(at: packet.position)
    packet.pts = packet.pts.map { $0 &- delay }
    packet.dts = packet.dts.map { $0 &- delay }
  }
}
