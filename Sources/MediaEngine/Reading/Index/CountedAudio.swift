import MediaTime

/// Audio in packets that follow each other without a pause.
struct CountedAudio: Sendable {
  /// How many samples a packet has, but for the last; nil for linear samples.
  let size: Int?
  /// On the container's clock.
  let end: Time
}
