import MediaTime

/// Audio in packets that follow each other without a pause.
struct CountedAudio: Sendable {
  /// The number of samples of each packet but the last; nil for linear samples.
  let size: Int?
  /// On the container's clock.
  let end: Time
}
