@testable import LibAV

/// A layer in floating point, with the definitions and nothing else.
struct NaiveLayer {
  let width: Int
  let height: Int
  /// 3 or 4 numbers of 0 to 255.
  let size: Int
  let numbers: [Double]
  let placement: LayerPlacement

  /// Keys' cubic with B = 0 and C = 0.6.
  private func cubic(_ distance: Double) -> Double {
    let (x, c) = (abs(distance), 0.6)
    if x < 1 { return (2 - c) * x * x * x + (c - 3) * x * x + 1 }
    return x < 2 ? -c * x * x * x + 5 * c * x * x - 8 * c * x + 4 * c : 0
  }

  /// The weights of the samples around a place, where the filter is as wide as a pixel of the
  /// smaller picture; beyond the crop's pixels it is mirrored.
  private func weights(
    _ center: Double, _ stretch: Double, _ low: Double, _ high: Double
  ) -> [(index: Int, weight: Double)] {
    let (first, end) = (Int(low.rounded(.down)), Int(high.rounded(.up)))
    var result: [(index: Int, weight: Double)] = []
    for index in Int(center - 2 * stretch - 2)...Int(center + 2 * stretch + 2) {
      let mirrored =
        index < first ? 2 * first - 1 - index : (index >= end ? 2 * end - 1 - index : index)
      result.append((mirrored, cubic((Double(index) + 0.5 - center) / stretch)))
    }
    let sum = result.map(\.weight).reduce(0, +)
    return result.filter { $0.weight != 0 }.map { ($0.index, $0.weight / sum) }
  }

  /// The colour, multiplied by alpha and coverage, and both.
  func sample(_ x: Int, _ y: Int, isTurned: Bool) -> (color: [Double], alpha: Double) {
    let (transform, crop) = (placement.transform, placement.crop)
    let (px, py) = (Double(x) + 0.5 - transform.tx, Double(y) + 0.5 - transform.ty)
    let determinant = transform.a * transform.d - transform.b * transform.c
    let u = (transform.d * px - transform.c * py) / determinant
    let v = (transform.a * py - transform.b * px) / determinant
    let across = (transform.a * transform.a + transform.b * transform.b).squareRoot()
    let down = (transform.c * transform.c + transform.d * transform.d).squareRoot()
    let (distanceX, distanceY) = (abs(determinant) / down, abs(determinant) / across)
    func covered(_ one: Double, _ other: Double) -> Double {
      max(0, min(0.5, one) + min(0.5, other))
    }
    let part =
      covered((u - crop.x) * distanceX, (crop.x + crop.width - u) * distanceX)
      * covered((v - crop.y) * distanceY, (crop.y + crop.height - v) * distanceY)
    guard part > 0 else { return ([0, 0, 0], 0) }
    let columns = weights(u, isTurned ? 1 : max(1, 1 / across), crop.x, crop.x + crop.width)
    let rows = weights(v, isTurned ? 1 : max(1, 1 / down), crop.y, crop.y + crop.height)
    var (color, alpha) = ([0.0, 0.0, 0.0], 0.0)
    for row in rows {
      for column in columns {
        let start = (row.index * width + column.index) * size
        let opaque = size == 4 ? numbers[start + 3] / 255 : 1
        let weight = row.weight * column.weight * opaque
        alpha += weight
        for index in 0..<3 { color[index] += weight * numbers[start + index] }
      }
    }
    alpha = min(max(alpha, 0), 1)
    return (color.map { min(max($0, 0), 255 * alpha) * part }, alpha * part)
  }
}
