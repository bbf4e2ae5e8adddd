internal import CLibAV
internal import CPixels

/// A picture that layers are drawn into.
struct ComposedPicture: ~Copyable {
  let form: PreparedLayer.Form
  private let picture: Frame
  private var colors: Colors?

  fileprivate struct Colors: Equatable {
    var primaries: Int32
    var transfer: Int32
  }

  private init(_ form: PreparedLayer.Form, _ picture: consuming Frame) {
    self.form = form
    self.picture = picture
  }

  /// A picture that has a background only.
  static func begin(
    _ form: PreparedLayer.Form, _ background: PictureCompositor.Background
  ) throws(LibAVError) -> ComposedPicture {
    let layout = form.layout
    let isOpaque = background.alpha >= 1 || !layout.format.hasAlpha
    switch form.path {
    case .convert: throw LibAVError.unsuitable("one layer is converted without a background")
    case .planar:
      guard layout.format.isBlendable else {
        throw LibAVError.unsuitable("no layers can be drawn in \(layout.format.name ?? "it")")
      }
      guard isOpaque else { throw LibAVError.unsuitable("the background isn't opaque") }
      let picture = try Frame.allocate(layout)
      let values = try form.color.codeValues(
        of: background, in: layout.format, bits: layout.format.bitsPerComponent)
      PictureSurface(picture).fill(values.map { Int($0.rounded()) }, layout)
      return ComposedPicture(form, picture)
    case .general:
      let working = try PictureLayout(
        width: layout.width, height: layout.height,
        format: layout.format.working(hasAlpha: !isOpaque))
      let picture = try Frame.allocate(working)
      var values = try form.color.codeValues(of: background, in: working.format, bits: 16)
      if !isOpaque {
        let alpha = (values.last ?? 0) / 65535
        for index in 0..<3 { values[index] *= alpha }
      }
      PictureSurface(picture).fill(values.map { Int($0.rounded()) }, working)
      picture.describe(form.color, chromaLocation: 0)
      return ComposedPicture(form, picture)
    }
  }

  mutating func draw(_ layer: borrowing PreparedLayer, weight: Int) throws(LibAVError) {
    guard layer.form == form else {
      throw LibAVError.unsuitable("the layer was made ready for another one")
    }
    guard weight > 0 else { return }
    merge(Colors(of: layer.picture))
    let place = PictureRectangle(
      x: layer.x, y: layer.y, width: layer.picture.width, height: layer.picture.height)
    let (above, below) = (
      PictureSurface(layer.picture), PictureSurface(picture).cut(place)
    )
    guard form.path == .general, above.format.hasAlpha else {
      return try blend(above, below, weight)
    }
    var (one, other) = (try rw_layer(below), try rw_layer(above))
    unsafe rw_blend_over(&one, &other, Int32(weight), YUVConversion.hasAVX2)
  }

  /// An opaque layer, plane by plane.
  private func blend(
    _ above: PictureSurface, _ below: PictureSurface, _ weight: Int
  ) throws(LibAVError) {
    let layout = try PictureLayout(
      width: above.width, height: above.height, format: above.format)
    for plane in layout.planes.indices {
      guard var one = unsafe rw_plane(below, plane, layout),
        var other = unsafe rw_plane(above, plane, layout)
      else { continue }
      unsafe rw_blend(&one, &other, Int32(weight), YUVConversion.hasAVX2)
    }
  }

  /// Layers that agree on what their colours are state it of the picture.
  private mutating func merge(_ new: Colors) {
    colors = colors == nil || colors == new ? new : Colors.unspecified
  }

  /// - Parameter chroma: where the picture's is to lie.
  consuming func finish(
    _ chroma: ChromaPosition, _ converter: inout PictureConverter
  ) throws(LibAVError) -> Frame {
    let format = form.layout.format
    let colors = colors
    let result: Frame
    if form.path == .general {
      if picture.pixelFormat.hasAlpha {
        var planes = try rw_layer(PictureSurface(picture))
        let black = picture.pixelFormat.black(form.color).map { UInt16(clamping: $0) }
        unsafe rw_unpremultiply(&planes, black)
      }
      result = try converter.picture(
        of: picture, in: form.layout,
        PictureConverter.Drawing(color: form.color, chroma: chroma))
    } else {
      result = picture
      result.describe(form.color, chromaLocation: chroma.location(in: format))
    }
    if let colors {
      result.setColors(primaries: colors.primaries, transfer: colors.transfer)
    }
    return result
  }
}

extension ComposedPicture.Colors {
  fileprivate init(of frame: borrowing Frame) {
    let color = frame.color
    self.init(primaries: color.primaries, transfer: color.transfer)
  }

  fileprivate static let unspecified = ComposedPicture.Colors(
    primaries: ColorDescription.unspecifiedCode, transfer: ColorDescription.unspecifiedCode)
}

extension rw_plane {
  /// Nil where the plane is missing.
  init?(_ surface: PictureSurface, _ plane: Int, _ layout: PictureLayout) {
    guard let samples = unsafe surface.planes[plane],
      let component = surface.format.components.first(where: { $0.plane == plane })
    else { return nil }
    unsafe self.init(
      samples: samples, stride: Int(surface.strides[plane]),
      width: Int32(clamping: layout.planes[plane].bytesPerRow / component.bytes),
      height: Int32(clamping: layout.planes[plane].height), bytes: Int32(component.bytes),
      depth: Int32(component.depth), shift: Int32(component.shift))
  }
}

extension PixelFormat {
  /// Whether rows are samples of one kind, one behind the other, in the order of this processor.
  var isBlendable: Bool {
    guard hasPlainSamples, !isBigEndian, let shift = components.first?.shift else { return false }
    return components.allSatisfy {
      $0.shift == shift && $0.offset % $0.bytes == 0 && $0.step % $0.bytes == 0
    }
  }
}

extension PictureColor {
  /// The numbers that stand for a colour, one for each of the format's components; straight.
  ///
  /// - Parameter bits: of a number.
  /// - Throws: `notImplemented` where the matrix can't be converted to.
  func codeValues(
    of background: PictureCompositor.Background, in format: PixelFormat, bits: Int
  ) throws(LibAVError) -> [Double] {
    func limited(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
    let maximum = Double(1 << bits - 1)
    let unit = Double(1 << (bits - 8))
    let alpha = limited(background.alpha)
    var (red, green, blue) = (
      limited(background.red), limited(background.green), limited(background.blue)
    )
    if !format.hasAlpha { (red, green, blue) = (red * alpha, green * alpha, blue * alpha) }
    var result: [Double]
    if format.isRGB {
      result = [red * maximum, green * maximum, blue * maximum]
    } else {
      // Grey needs no weights.
      let isGray = red == green && green == blue
      if !isGray, lumaWeights == nil { try requireMatrix(for: .yuv420p) }
      let (kr, kb) = lumaWeights ?? (0, 0)
      let luma = isGray ? red : kr * red + (1 - kr - kb) * green + kb * blue
      result = [isFullRange ? luma * maximum : (16 + 219 * luma) * unit]
      if format.isYUV {
        for (color, weight) in [(blue, kb), (red, kr)] {
          let difference = isGray ? 0 : (color - luma) / (2 * (1 - weight))
          result.append(128 * unit + difference * (isFullRange ? maximum : 224 * unit))
        }
      }
    }
    if format.hasAlpha { result.append(alpha * maximum) }
    return result.map { min($0, maximum) }
  }
}
