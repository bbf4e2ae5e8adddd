import MediaTime

extension VideoComposition.LayerInstruction {
  func opacity(at time: Time) -> Double { 1 }
  func transform(at time: Time) -> AffineTransform { .identity }
  func cropRectangle(at time: Time) -> Rectangle? { nil }
}
