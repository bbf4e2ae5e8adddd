import JSONRPC

/// A width and a height.
public struct WireSize: Codable, Sendable, Equatable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Makes the value from its members.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// A part of a frame, in pixels from the top left.
public struct WireRectangle: Codable, Sendable, Equatable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Makes the value from its members.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// An affine transform as six numbers, `[a, b, c, d, tx, ty]`.
///
/// A point becomes `(a·x + c·y + tx, b·x + d·y + ty)`, with y downwards.
///
/// ```schema
/// {"type": "array", "items": {"type": "number"}, "minItems": 6, "maxItems": 6}
/// ```
public struct WireTransform: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The first column's first number.
  public var a: Double
  /// The first column's second number.
  public var b: Double
  /// The second column's first number.
  public var c: Double
  /// The second column's second number.
  public var d: Double
  /// The shift to the right.
  public var tx: Double
  /// The shift downwards.
  public var ty: Double

  /// Makes the value from its members.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The transform that changes nothing.
  public static let identity = WireTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
  public static let decodingPlaceholder = identity
  public static let decodingExpectation = "six numbers [a, b, c, d, tx, ty]"

  public init(from decoder: any Decoder) throws {
    guard case .array(let elements) = try JSONValue(from: decoder), elements.count == 6 else {
      throw DecodingError.expected(Self.self, in: decoder)
    }
    let numbers = try [Double](from: decoder)
    self.init(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }

  public func encode(to encoder: any Encoder) throws {
    try [a, b, c, d, tx, ty].encode(to: encoder)
  }
}
