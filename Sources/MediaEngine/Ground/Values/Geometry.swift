import LibAV

/// A width and a height, in pixels.
public struct Size: Hashable, Sendable {
  public var width: Double
  public var height: Double
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
  public static let zero = Size(width: 0, height: 0)
}

/// A part of a plane, in pixels, y downwards.
public struct Rectangle: Hashable, Sendable {
  /// The left and the upper edge.
  public var x, y: Double
  public var width, height: Double
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// An affine map of the plane, y downwards: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty
/// (CGAffineTransform, and the matrix of ISO/IEC 14496-12, section 6.2.2).
public struct AffineTransform: Hashable, Sendable {
  /// The matrix's rows are (a, b, 0), (c, d, 0) and (tx, ty, 1): a point (x, y) becomes (ax + cy +
  /// tx, bx + dy + ty).
  public var a, b, c, d, tx, ty: Double
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }
  public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
}

extension AffineTransform {
  /// Creates the transform of a display matrix (16.16 fixed point) for a frame of `width` ×
  /// `height`.
  ///
  /// A rotation without a translation would move the frame off the screen. It gets the translation
  /// that brings it back to the origin.
  init(displayMatrix matrix: [Int32], width: Double, height: Double) {
    func fixed(_ index: Int) -> Double { Double(matrix[index]) / 65536 }
    self.init(a: fixed(0), b: fixed(1), c: fixed(3), d: fixed(4), tx: fixed(6), ty: fixed(7))
    if tx == 0, ty == 0 {
      tx = -min(0, a * width, c * height, a * width + c * height)
      ty = -min(0, b * width, d * height, b * width + d * height)
    }
    // -0.0 would be written as such.
    tx += 0
    ty += 0
  }

  /// Creates a rotation by quarter turns, or a mirroring, that leaves a frame of that size at the
  /// origin.
  init(_ orientation: Orientation, of size: Size) {
    let (w, h) = (size.width, size.height)
    switch orientation {
    case .up: self = .identity
    case .rotated90: self.init(a: 0, b: 1, c: -1, d: 0, tx: h, ty: 0)
    case .rotated180: self.init(a: -1, b: 0, c: 0, d: -1, tx: w, ty: h)
    case .rotated270: self.init(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: w)
    case .mirrored: self.init(a: -1, b: 0, c: 0, d: 1, tx: w, ty: 0)
    case .mirroredRotated90: self.init(a: 0, b: -1, c: -1, d: 0, tx: h, ty: w)
    case .mirroredRotated180: self.init(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: h)
    case .mirroredRotated270: self.init(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    }
  }

  /// The transform as a display matrix; nil for one that changes nothing.
  var displayMatrix: [Int32]? { orientation == .up ? nil : fixedPointMatrix }

  /// The transform in the form of a display matrix.
  var fixedPointMatrix: [Int32] {
    func fixed(_ value: Double) -> Int32 { Int32(clamping: Int((value * 65536).rounded())) }
    // 2.30 in the right column (ISO/IEC 14496-12, 6.2.2).
    return [fixed(a), fixed(b), 0, fixed(c), fixed(d), 0, fixed(tx), fixed(ty), 1 << 30]
  }

  /// True for one of the eight orientations at the pictures' own size. Different scales in both directions are pixels that
  /// aren't square.
  var isAppliedToPixels: Bool {
    let (across, down) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
    return orientation != nil && (abs(across - down) >= 0.01 || abs(across - 1) < 0.01)
  }

  /// The transform as one of the eight orientations, with any translation; nil for other angles.
  var orientation: Orientation? {
    let signs = [a, b, c, d].map { abs($0) < 0.01 ? 0 : ($0 > 0 ? 1 : -1) }
    switch signs {
    case [1, 0, 0, 1]: return .up
    case [0, 1, -1, 0]: return .rotated90
    case [-1, 0, 0, -1]: return .rotated180
    case [0, -1, 1, 0]: return .rotated270
    case [-1, 0, 0, 1]: return .mirrored
    case [0, -1, -1, 0]: return .mirroredRotated90
    case [1, 0, 0, -1]: return .mirroredRotated180
    case [0, 1, 1, 0]: return .mirroredRotated270
    default: return nil
    }
  }
}
