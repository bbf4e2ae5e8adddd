import MediaTime

extension TimeRange {
  /// Returns the parts of a sample that lie before and after the range, where there are any.
  func trims(start: Time, duration: Time) -> (start: Time?, end: Time?) {
    let end = start + duration
    let before = self.start - start
    let after = self.duration.isNumeric ? end - self.end : .zero
    return (before > .zero ? before : nil, after > .zero ? after : nil)
  }
}
