/// The size that a picture is to have: both sides, one of them, or the picture's own size.
struct WantedSize: Sendable {
  var width: Int?
  var height: Int?

  /// Returns the size of a picture by its own size; a missing side follows from it, so that the
  /// aspect ratio stays.
  func size(of own: (width: Int, height: Int)) -> (width: Int, height: Int) {
    func scaled(_ length: Int, _ wanted: Int, _ own: Int) -> Int {
      max(1, (2 * length * wanted + own) / (2 * own))
    }
    switch (width, height) {
    case (nil, nil): return own
    case (let width?, nil): return (width, scaled(own.height, width, max(1, own.width)))
    case (nil, let height?): return (scaled(own.width, height, max(1, own.height)), height)
    case (let width?, let height?): return (width, height)
    }
  }
}
