internal import CAss
internal import CLibAV
internal import CPixels
import SystemIO

/// Draws lines of ASS scripts (libass) as layers of composed pictures. One thread at a time.
@safe package final class TextRenderer {
  /// The relation of a frame's samples to light.
  package enum Light: Sendable, Hashable {
    /// Colours are the frame's own, as they are.
    case standard
    /// White is at 203 cd/m² (BT.2408, table 1).
    case pq
    /// White is at three quarters of the signal (BT.2408, table 1).
    case hlg
  }

  private let ass: OpaquePointer
  private let form: PreparedLayer.Form
  private let light: Light
  /// True if colours are converted to BT.2020's.
  private let isWide: Bool

  /// The reason why no text can be drawn here; nil where it can.
  package static var unavailability: String? {
    unsafe rw_ass_unavailable().map { unsafe String(cString: $0) }
  }

  /// libass's own version, for example "0.17.1"; nil where it can't be used.
  package static var version: String? {
    let version = rw_ass_version()
    // The numbers are hexadecimal.
    return version == 0
      ? nil
      : "\(version >> 28).\(String(version >> 20 & 0xFF, radix: 16)).\(String(version >> 12 & 0xFF, radix: 16))"
  }

  /// - Parameters:
  ///   - layout: of the pictures.
  ///   - color: the matrix and the range of the pictures.
  ///   - description: the transfer function and the primaries of the pictures.
  /// - Throws: `notImplemented` where there is no libass.
  package init(
    _ layout: PictureLayout, color: PictureColor, _ description: ColorDescription
  ) throws(LibAVError) {
    if let reason = Self.unavailability {
      throw LibAVError(
        .notImplemented, operation: "draw", subject: "text", detail: reason, log: [])
    }
    guard
      let ass = unsafe rw_ass_open(
        Int32(clamping: layout.width), Int32(clamping: layout.height),
        { line in unsafe rw_log_warning(line) })
    else { throw outOfMemory("draw", "text") }
    unsafe self.ass = ass
    form = PreparedLayer.Form(path: .general, layout: layout, color: color)
    light =
      switch description.transfer {
      case Int32(bitPattern: AVCOL_TRC_SMPTE2084.rawValue): .pq
      case Int32(bitPattern: AVCOL_TRC_ARIB_STD_B67.rawValue): .hlg
      default: .standard
      }
    isWide = description.primaries == Int32(bitPattern: AVCOL_PRI_BT2020.rawValue)
  }

  deinit { unsafe rw_ass_close(ass) }

  // MARK: Fonts and lines

  /// Adds a font, which is used in place of the system's of the same name.
  package func addFont(_ bytes: [UInt8], name: String) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe rw_ass_add_font(ass, name, bytes.baseAddress, bytes.count)
    }
  }

  /// Ends the adding of fonts and tracks.
  package func findFonts() { unsafe rw_ass_find_fonts(ass) }

  /// Adds a track of lines.
  ///
  /// - Parameters:
  ///   - header: of an ASS script.
  ///   - wrapsAnywhere: true to break lines between characters of scripts that have no spaces.
  /// - Returns: its number, from 0 on.
  package func addTrack(header: [UInt8], wrapsAnywhere: Bool) throws(LibAVError) -> Int {
    let number = unsafe header.withUnsafeBytes { header in
      unsafe rw_ass_add_track(
        ass, header.baseAddress?.assumingMemoryBound(to: CChar.self), header.count, wrapsAnywhere)
    }
    guard number >= 0 else { throw outOfMemory("draw", "text") }
    return Int(number)
  }

  /// The size of the pictures in which a track's lengths are measured.
  package func size(ofTrack track: Int) -> (width: Int, height: Int) {
    var (width, height) = (Int32(0), Int32(0))
    unsafe rw_ass_size(ass, Int32(clamping: track), &width, &height)
    return (Int(width), Int(height))
  }

  /// Sets members of all styles of a track.
  ///
  /// - Parameter members: by ASS's names: `("Fontsize", "20")`.
  package func setStyles(_ members: [(name: String, value: String)], ofTrack track: Int) {
    var characters: [CChar] = []
    var starts: [Int] = []
    for member in members {
      starts.append(characters.count)
      characters += "\(member.name)=\(member.value)".utf8CString
    }
    unsafe characters.withUnsafeBufferPointer { characters in
      guard let first = characters.baseAddress else { return }
      let pointers = unsafe starts.map { unsafe Optional(first + $0) } + [nil]
      unsafe pointers.withUnsafeBufferPointer { pointers in
        unsafe rw_ass_set_styles(ass, Int32(clamping: track), pointers.baseAddress)
      }
    }
  }

  /// Adds a line to a track.
  ///
  /// - Parameters:
  ///   - line: eight fields and the text between commas, as ``TextDecoder/lines(of:)`` has them.
  ///   - start: in milliseconds, as `duration` is.
  package func addLine(_ line: String, toTrack track: Int, start: Int64, duration: Int64) {
    var line = line
    line.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe rw_ass_add_line(
          ass, Int32(clamping: track), bytes.baseAddress, bytes.count, start, duration)
      }
    }
  }

  // MARK: Drawing

  /// Draws the lines of a track.
  ///
  /// - Parameters:
  ///   - time: in milliseconds.
  ///   - deliver: receives layers which don't overlap, and cover no more than the drawn images and the space between them.
  package func draw(
    track: Int, at time: Int64, deliver: (consuming PreparedLayer) -> Void
  ) throws(LibAVError) {
    var first: UnsafePointer<rw_ass_image>?
    let count = unsafe rw_ass_draw(ass, Int32(clamping: track), time, &first)
    guard count >= 0 else { throw outOfMemory("draw", "text") }
    guard let first = unsafe first, count > 0 else { return }
    let images = unsafe UnsafeBufferPointer(start: first, count: count)
    let places = unsafe images.map { unsafe PictureRectangle($0) }
    for area in Self.areas(places, in: form.layout) {
      deliver(try unsafe layer(area, images, places))
    }
  }

  /// The areas that masks are in: those of masks that overlap are one.
  private static func areas(
    _ places: [PictureRectangle], in layout: PictureLayout
  ) -> [PictureRectangle] {
    var areas: [PictureRectangle] = []
    for place in places {
      guard var area = place.within(width: layout.width, height: layout.height) else { continue }
      while let index = areas.firstIndex(where: {
        // Letters of a line are one area.
        $0.expanded(by: 16, in: layout).intersection(area) != nil
      }) {
        area = area.union(areas.remove(at: index))
      }
      areas.append(area)
    }
    return areas
  }

  private func layer(
    _ area: PictureRectangle, _ images: UnsafeBufferPointer<rw_ass_image>,
    _ places: [PictureRectangle]
  ) throws(LibAVError) -> PreparedLayer {
    let layout = try PictureLayout(
      width: area.width, height: area.height, format: form.layout.format.working(hasAlpha: true))
    let picture = try Frame.allocate(layout)
    let surface = PictureSurface(picture)
    surface.fill([0, 0, 0, 0], layout)
    var planes = try rw_layer(surface)
    for (number, place) in places.enumerated() {
      guard let part = place.intersection(area) else { continue }
      let image = unsafe images[number]
      var color = unsafe try codeValues(of: image, in: layout.format)
      let offset = unsafe (part.y - place.y) * image.stride + part.x - place.x
      var mask = unsafe rw_mask(
        coverage: image.coverage + offset, stride: image.stride, x: Int32(part.x - area.x),
        y: Int32(part.y - area.y), width: Int32(part.width), height: Int32(part.height))
      unsafe rw_paint(&planes, &mask, &color, YUVConversion.hasAVX2)
    }
    return PreparedLayer(picture: picture, x: area.x, y: area.y, isPlanar: false, form: form)
  }

  /// A mask's colour in 16 bits, straight, with its alpha.
  private func codeValues(
    of image: rw_ass_image, in format: PixelFormat
  ) throws(LibAVError) -> [UInt16] {
    func part(_ byte: UInt8) -> Double { Double(byte) / 255 }
    let own = unsafe (part(image.red), part(image.green), part(image.blue))
    let (red, green, blue) = shown(own.0, own.1, own.2)
    let values = try form.color.codeValues(
      of: (red, green, blue, unsafe part(image.alpha)), in: format, bits: 16)
    return values.map { UInt16(clamping: Int($0.rounded())) }
  }

  /// A colour of BT.709 as the picture's own signal.
  private func shown(
    _ red: Double, _ green: Double, _ blue: Double
  ) -> (red: Double, green: Double, blue: Double) {
    guard light != .standard else { return (red, green, blue) }
    // Light from 0 to 1 on a display of standard range (BT.1886).
    var (r, g, b) = (power(red, 2.4), power(green, 2.4), power(blue, 2.4))
    if isWide {
      // BT.2087, table 2.
      (r, g, b) = (
        0.6274 * r + 0.3293 * g + 0.0433 * b, 0.0691 * r + 0.9195 * g + 0.0114 * b,
        0.0164 * r + 0.0880 * g + 0.8956 * b
      )
    }
    func signal(_ value: Double) -> Double {
      light == .pq ? pq(ofNits: 203 * value) : hlg(ofSceneLight: sceneLight(ofHLG: 0.75) * value)
    }
    return (signal(r), signal(g), signal(b))
  }
}

extension PictureRectangle {
  fileprivate init(_ image: rw_ass_image) {
    self.init(
      x: unsafe Int(image.x), y: unsafe Int(image.y), width: unsafe Int(image.width),
      height: unsafe Int(image.height))
  }
}
