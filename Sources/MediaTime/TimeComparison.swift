extension Time: Hashable, Comparable {
  /// CMTimeCompare: −1 when this is less than the other, 0 when equal, 1 when greater.
  ///
  /// A total order: −infinity < every number < indefinite < +infinity < invalid, and each of the
  /// four is equal to itself. Numbers in different epochs are ordered by epoch alone, independent
  /// of their values; within an epoch by value, exactly, independent of their timescales and
  /// rounded flags.
  public func compare(_ other: Time) -> Int {
    guard isNumeric, other.isNumeric else {
      return rank == other.rank ? 0 : rank < other.rank ? -1 : 1
    }
    if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
    if timescale == other.timescale {
      return value == other.value ? 0 : value < other.value ? -1 : 1
    }
    let lhs = Int128(value) * Int128(other.timescale)
    let rhs = Int128(other.value) * Int128(timescale)
    return lhs == rhs ? 0 : lhs < rhs ? -1 : 1
  }

  private var rank: Int {
    if isNumeric { return 1 }
    if !isValid { return 4 }
    if isPositiveInfinity { return 3 }
    return isNegativeInfinity ? 0 : 2
  }

  /// Returns true if `compare` finds no difference: 200/2 == 400/4, and the rounded flag doesn't
  /// count.
  public static func == (lhs: Time, rhs: Time) -> Bool { lhs.compare(rhs) == 0 }

  /// Returns true if `compare` puts the left time before the right one.
  public static func < (lhs: Time, rhs: Time) -> Bool { lhs.compare(rhs) < 0 }

  /// Hashes the values that `==` compares: the number in lowest terms and the epoch, or the kind.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    let reduced = reduced
    hasher.combine(reduced.value)
    hasher.combine(reduced.timescale)
    hasher.combine(epoch)
  }

  /// CMTimeMinimum: the lesser in the order of `compare`, the first when they are equal.
  ///
  /// Invalid is the greatest, so the minimum of a number and invalid is the number.
  public static func minimum(_ lhs: Time, _ rhs: Time) -> Time { rhs < lhs ? rhs : lhs }

  /// CMTimeMaximum: the greater in the order of `compare`, the first when they are equal.
  ///
  /// Invalid is the greatest, so the maximum of anything and invalid is invalid.
  public static func maximum(_ lhs: Time, _ rhs: Time) -> Time { rhs > lhs ? rhs : lhs }
}
