import LibAV
import MediaTime

extension MetadataItem {
  /// The time reference of a broadcast wave is the time of its first sample, in samples since midnight (EBU
  /// Tech 3285): that of a part is later, and at another rate it counts others.
  ///
  /// - Parameters:
  ///   - offset: how much later the part begins.
  ///   - old: the samples a second that the reference counts.
  ///   - new: those that it is to count.
  func broadcastTime(moved offset: Time, from old: Int, to new: Int) -> MetadataItem {
    guard keySpace == "bext", key == "time_reference", let text = value.text,
      let count = Int64(text), old > 0, new > 0, offset.isNumeric
    else { return self }
    let clock = TimeBase(1, Int32(clamping: new))
    let scaled = Time(value: count, timescale: Int32(clamping: old))
      .ticks(in: clock, rounding: .halfAwayFromZero)
    let (sum, overflow) = scaled.addingReportingOverflow(
      offset.ticks(in: clock, rounding: .halfAwayFromZero))
    guard !overflow, sum >= 0, sum != count else { return self }
    var item = self
    item.value = .string("\(sum)")
    return item
  }
}
