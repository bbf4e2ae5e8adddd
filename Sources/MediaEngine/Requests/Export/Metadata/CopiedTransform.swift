import LibAV

extension TrackInfo {
  /// Returns the display matrix of a copy of the track: that of its samples, then the transform of a composition's
  /// track, then a rotation; nil for none.
  ///
  /// - Parameter rotation: clockwise, in degrees; a multiple of 90.
  func displayMatrix(ofCopyTurnedBy rotation: Int) -> [Int32]? {
    let own = settings?.preferredTransform ?? .identity
    let turn = Orientation.up.turned(by: rotation)
    guard format.kind == .video, own != .identity || turn != .up else {
      return format.displayMatrix
    }
    let transform = format.preferredTransform.concatenating(own)
    guard turn != .up else {
      return transform == .identity ? nil : transform.fixedPointMatrix
    }
    var turned = transform.concatenating(AffineTransform(turn, of: .zero))
    (turned.tx, turned.ty) = (0, 0)
    let size = format.presentationSize()
    return turned.displayMatrix.flatMap {
      AffineTransform(displayMatrix: $0, width: size.width, height: size.height).displayMatrix
    }
  }
}
