internal import CLibAV
internal import CPixels
import SystemIO

/// A frame that layers are drawn into.
///
/// It has its own format, and a region of it becomes a working frame as soon as a layer lies there
/// that needs one: the rest stays unchanged, at no cost.
struct LayeredPicture: ~Copyable {
  let form: PreparedLayer.Form
  private let background: PictureCompositor.Background
  private let picture: Frame
  /// The regions, which don't meet. If the frame's own format can't be drawn in, one region is the
  /// whole frame.
  private var regions: [WorkingRegion] = []
  private let isDrawable: Bool
  /// True if nothing but the background has been drawn.
  private var isBlank = true
  private let chroma: ChromaPosition
  private var colors: Colors?

  fileprivate struct Colors: Equatable {
    var primaries: Int32
    var transfer: Int32
  }

  private init(
    _ form: PreparedLayer.Form, _ background: PictureCompositor.Background,
    _ chroma: ChromaPosition, _ picture: consuming Frame, isDrawable: Bool
  ) {
    self.form = form
    self.background = background
    self.chroma = chroma
    self.picture = picture
    self.isDrawable = isDrawable
  }

  /// Returns a frame that has a background only.
  ///
  /// - Parameter chroma: the chroma position of the frame.
  static func begin(
    _ form: PreparedLayer.Form, _ background: PictureCompositor.Background,
    _ chroma: ChromaPosition
  ) throws(LibAVError) -> LayeredPicture {
    let layout = form.layout
    let isOpaque = background.alpha >= 1 || !layout.format.hasAlpha
    let isDrawable = isOpaque && layout.format.isBlendable
    if form.path == .convert {
      throw LibAVError.unsuitable("one layer is converted without a background")
    }
    guard isDrawable || form.path == .general else {
      throw LibAVError.unsuitable(
        isOpaque ? "layers can't be drawn in the format" : "the background isn't opaque")
    }
    let picture = try Frame.allocate(layout)
    if isDrawable {
      let values = try form.color.codeValues(
        of: background, in: layout.format, bits: layout.format.bitsPerComponent)
      PictureSurface(picture).fill(values.map { Int($0.rounded()) }, layout)
    }
    var result = LayeredPicture(form, background, chroma, picture, isDrawable: isDrawable)
    if !isDrawable {
      let all = PictureRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
      var region = try WorkingRegion(
        all, layout.format.working(hasAlpha: !isOpaque), reusing: nil)
      try region.fill(background, form.color)
      region.touched = [all]
      result.regions = [region]
    }
    return result
  }

  /// - Parameter memory: the memory of a region of an earlier frame.
  mutating func draw(
    _ layer: borrowing PreparedLayer, weight: Int, _ converter: inout PictureConverter,
    reusing memory: inout Block?
  ) throws(LibAVError) {
    guard layer.form == form else {
      throw LibAVError.unsuitable("the layer was made ready for another one")
    }
    guard weight > 0 else { return }
    merge(Colors(of: layer.picture))
    let place = layer.place
    let above = PictureSurface(layer.picture)
    if layer.isPlanar {
      if isDrawable {
        try PictureSurface(picture).cut(place).blend(above, weight)
        isBlank = false
      }
      for region in regions {
        guard let common = region.area.intersection(place) else { continue }
        try blend(layer, in: common, region, weight, &converter)
      }
    } else {
      let region = try region(for: place, &converter, &memory)
      try regions[region].blend(above, place, weight)
    }
  }

  /// Blends a layer of the frame's own format into a region.
  private func blend(
    _ layer: borrowing PreparedLayer, in common: PictureRectangle, _ region: WorkingRegion,
    _ weight: Int, _ converter: inout PictureConverter
  ) throws(LibAVError) {
    let part = PictureSurface(layer.picture).cut(common.relative(to: layer.place))
    let converted = try WorkingRegion(common, region.surface.format, reusing: nil)
    try converter.convert(
      Picture(part, form.color, chromaLocation: layer.picture.color.chromaLocation),
      to: converted.surface, form.color)
    try region.blend(converted.surface, common, weight)
    withExtendedLifetime(converted) {}
  }

  /// Returns the region in which a layer can be drawn; if there is none, the pixels there are
  /// converted.
  private mutating func region(
    for place: PictureRectangle, _ converter: inout PictureConverter, _ memory: inout Block?
  ) throws(LibAVError) -> Int {
    // Halved chroma is computed from four pixels on each side; and these are to be as in the frame.
    let touched = place.expanded(by: 4, in: form.layout)
    var area = touched.expanded(by: 8, in: form.layout)
    if let known = regions.firstIndex(where: { $0.area.intersection(area) == area }) {
      regions[known].touched.append(touched)
      return known
    }
    var joined: [WorkingRegion] = []
    while let index = regions.firstIndex(where: { $0.area.intersection(area) != nil }) {
      let region = regions.remove(at: index)
      area = area.union(region.area)
      joined.append(region)
    }
    var region = try WorkingRegion(
      area, form.layout.format.working(hasAlpha: false), reusing: memory)
    memory = nil
    if isBlank {
      try region.fill(background, form.color)
    } else {
      let below = Picture(
        PictureSurface(picture).cut(area), form.color,
        chromaLocation: chroma.location(in: form.layout.format))
      try converter.convert(below, to: region.surface, form.color)
    }
    for old in joined {
      try region.copy(old)
    }
    region.touched.append(touched)
    regions.append(region)
    return regions.count - 1
  }

  /// Merges the colours of a layer: the frame states them if all layers agree.
  private mutating func merge(_ new: Colors) {
    colors = colors == nil || colors == new ? new : Colors.unspecified
  }

  /// - Parameter memory: the memory of a region, for regions of other frames.
  consuming func finish(
    _ converter: inout PictureConverter, memory: inout Block?
  ) throws(LibAVError) -> Frame {
    let colors = colors
    let location = chroma.location(in: form.layout.format)
    for region in regions {
      let layout = try PictureLayout(
        width: region.area.width, height: region.area.height, format: form.layout.format)
      try region.divideByAlpha(form.color)
      // In separate memory, as vector code writes beyond the ends of rows.
      let (made, owner) = try PictureSurface.padded(layout)
      try converter.convert(
        Picture(region.surface, form.color), to: made, form.color, chroma)
      for part in region.touched {
        let layout = try PictureLayout(
          width: part.width, height: part.height, format: form.layout.format)
        made.cut(part.relative(to: region.area)).copy(
          to: PictureSurface(picture).cut(part), layout: layout)
      }
      withExtendedLifetime(owner) {}
      memory = region.memory
    }
    picture.describe(form.color, chromaLocation: location)
    if let colors {
      picture.setColors(primaries: colors.primaries, transfer: colors.transfer)
    }
    return picture
  }
}

extension LayeredPicture.Colors {
  fileprivate init(of frame: borrowing Frame) {
    let color = frame.color
    self.init(primaries: color.primaries, transfer: color.transfer)
  }

  fileprivate static let unspecified = LayeredPicture.Colors(
    primaries: ColorDescription.unspecifiedCode, transfer: ColorDescription.unspecifiedCode)
}

extension PixelFormat {
  /// True if rows are samples of one kind, one after the other, in the byte order of this
  /// processor.
  var isBlendable: Bool {
    guard hasPlainSamples, !isBigEndian, let shift = components.first?.shift else { return false }
    return components.allSatisfy {
      $0.shift == shift && $0.offset % $0.bytes == 0 && $0.step % $0.bytes == 0
    }
  }
}

extension PictureColor {
  /// Returns the code values of a colour, one for each of the format's components; not multiplied
  /// by alpha.
  ///
  /// - Parameter bits: the number of bits of a code value.
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
