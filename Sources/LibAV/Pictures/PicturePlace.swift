internal import CLibAV
import SystemIO

extension PictureSurface {
  /// Makes the whole surface black; opaque, if the format has alpha.
  ///
  /// - Parameter layout: the layout of the surface.
  func fillBlack(_ color: PictureColor, _ layout: PictureLayout) {
    fill(format.black(color), layout)
  }

  /// Fills the surface with the same values, one for each component.
  ///
  /// - Parameter layout: the layout of the surface.
  func fill(_ values: [Int], _ layout: PictureLayout) {
    let components = format.components
    for (index, plane) in layout.planes.enumerated() {
      let elements = layout.elements(of: index)
      guard let start = unsafe planes[index], elements.bytes > 0 else { continue }
      var element = [UInt8](repeating: 0, count: elements.bytes)
      for (number, component) in components.enumerated() where component.plane == index {
        let value = values[number] << component.shift
        // Packed formats with halved chroma have several samples of luma in an element.
        for offset in stride(from: component.offset, to: elements.bytes, by: component.step) {
          if component.bytes == 1 {
            element[offset] |= UInt8(truncatingIfNeeded: value)
          } else {
            let (low, high) = format.isBigEndian ? (1, 0) : (0, 1)
            element[offset + low] |= UInt8(truncatingIfNeeded: value)
            element[offset + high] |= UInt8(truncatingIfNeeded: value >> 8)
          }
        }
      }
      for place in 0..<plane.bytesPerRow { unsafe start[place] = element[place % elements.bytes] }
      for y in 1..<max(1, plane.height) {
        unsafe (start + y * Int(strides[index])).update(from: start, count: plane.bytesPerRow)
      }
    }
  }
}

extension PixelFormat {
  /// Returns the code values of black, one for each component.
  func black(_ color: PictureColor) -> [Int] {
    components.indices.map { black(ofComponent: $0, color) }
  }

  /// Returns the code value of black in a component.
  private func black(ofComponent number: Int, _ color: PictureColor) -> Int {
    let depth = bitsPerComponent
    let isAlpha = hasAlpha && number == components.count - 1
    if isAlpha { return (1 << depth) - 1 }
    if isRGB { return 0 }
    if isYUV, number > 0 { return 1 << (depth - 1) }
    return color.isFullRange ? 0 : 16 << (depth - 8)
  }
}

extension Frame {
  /// Returns a black frame, of one byte a pixel; no range is stated, so that none counts as its.
  package static func black(width: Int, height: Int) throws(LibAVError) -> Frame {
    let layout = try PictureLayout(width: width, height: height, format: .gray)
    let result = try Frame.allocate(layout)
    PictureSurface(result).fillBlack(.rgb, layout)
    return result
  }

  /// Returns a copy of a frame that lies in a block, with the description of its colours.
  package static func copy(
    of block: Block, in layout: PictureLayout, color: ColorDescription
  ) throws(LibAVError) -> Frame {
    let result = try Frame.allocate(layout)
    PictureSurface(block, layout).copy(to: PictureSurface(result), layout: layout)
    result.setColor(color)
    return result
  }

  /// Returns the frame that lies in a block, with the description of its colours: on the block
  /// itself if its rows are aligned as vector code needs them, and else on a copy.
  package static func using(
    _ block: Block, in layout: PictureLayout, color: ColorDescription
  ) throws(LibAVError) -> Frame {
    let isAligned = layout.planes.allSatisfy { plane in
      unsafe (Int(bitPattern: block.base) + plane.offset) % 64 == 0 && plane.bytesPerRow % 64 == 0
    }
    guard isAligned else { return try copy(of: block, in: layout, color: color) }
    let result = try sharing(block, in: layout)
    result.setColor(color)
    return result
  }

  /// Returns a frame that shares the bytes of a block, and doesn't write to them.
  static func sharing(_ block: Block, in layout: PictureLayout) throws(LibAVError) -> Frame {
    let result = try Frame()
    let bytes = unsafe block.base.assumingMemoryBound(to: UInt8.self)
    let owner = unsafe Unmanaged.passRetained(block)
    let buffer = unsafe av_buffer_create(
      bytes, layout.size,
      { owner, _ in
        guard let owner = unsafe owner else { return }
        unsafe Unmanaged<Block>.fromOpaque(owner).release()
      }, owner.toOpaque(), AV_BUFFER_FLAG_READONLY)
    guard let buffer = unsafe buffer else {
      unsafe owner.release()
      throw outOfMemory("allocate", "picture")
    }
    unsafe result.pointer.pointee.buf.0 = buffer
    for (index, plane) in layout.planes.enumerated() {
      let (start, stride) = unsafe (bytes + plane.offset, Int32(clamping: plane.bytesPerRow))
      switch index {
      case 0:
        unsafe (result.pointer.pointee.data.0, result.pointer.pointee.linesize.0) = (start, stride)
      case 1:
        unsafe (result.pointer.pointee.data.1, result.pointer.pointee.linesize.1) = (start, stride)
      case 2:
        unsafe (result.pointer.pointee.data.2, result.pointer.pointee.linesize.2) = (start, stride)
      default:
        unsafe (result.pointer.pointee.data.3, result.pointer.pointee.linesize.3) = (start, stride)
      }
    }
    unsafe result.pointer.pointee.width = Int32(clamping: layout.width)
    unsafe result.pointer.pointee.height = Int32(clamping: layout.height)
    unsafe result.pointer.pointee.format = layout.format.rawValue
    return result
  }

  /// Returns a frame with memory for its samples, with aligned rows.
  static func allocate(_ layout: PictureLayout) throws(LibAVError) -> Frame {
    let result = try Frame()
    unsafe result.pointer.pointee.width = Int32(clamping: layout.width)
    unsafe result.pointer.pointee.height = Int32(clamping: layout.height)
    unsafe result.pointer.pointee.format = layout.format.rawValue
    try check(unsafe av_frame_get_buffer(result.pointer, 0), "allocate", "picture")
    return result
  }

  /// Sets the description of the samples.
  func describe(_ color: PictureColor, chromaLocation: Int32) {
    unsafe pointer.pointee.chroma_location =
      AVChromaLocation(UInt32(bitPattern: chromaLocation))
    unsafe pointer.pointee.color_range =
      color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    if pixelFormat.isRGB {
      unsafe pointer.pointee.colorspace = AVCOL_SPC_RGB
    } else if color.matrix != ColorDescription.unspecifiedCode {
      unsafe pointer.pointee.colorspace = AVColorSpace(UInt32(bitPattern: color.matrix))
    }
  }

  /// Sets the primaries and the transfer function, by H.273.
  func setColors(primaries: Int32, transfer: Int32) {
    unsafe pointer.pointee.color_primaries =
      AVColorPrimaries(UInt32(bitPattern: primaries))
    unsafe pointer.pointee.color_trc =
      AVColorTransferCharacteristic(UInt32(bitPattern: transfer))
  }
}

extension Orientation {
  /// Returns the orientation of this one, followed by another.
  package func followed(by other: Orientation) -> Orientation {
    // The positions of a frame without symmetry distinguish all eight.
    let (width, height) = (2, 3)
    let once =
      swapsAxes ? (width: height, height: width) : (width: width, height: height)
    let twice =
      other.swapsAxes ? (width: once.height, height: once.width) : once
    return Orientation.allCases.first { candidate in
      candidate.swapsAxes == (swapsAxes != other.swapsAxes)
        && (0..<twice.height).allSatisfy { y in
          (0..<twice.width).allSatisfy { x in
            let middle = other.source(x: x, y: y, width: once.width, height: once.height)
            let place = source(x: middle.x, y: middle.y, width: width, height: height)
            return candidate.source(x: x, y: y, width: width, height: height) == place
          }
        }
    } ?? .up
  }

  /// Returns the rectangle in a stored frame of that size of a part of the shown frame.
  package func stored(_ part: PictureRectangle, width: Int, height: Int) -> PictureRectangle {
    let first = source(x: part.x, y: part.y, width: width, height: height)
    let last = source(
      x: part.x + part.width - 1, y: part.y + part.height - 1, width: width, height: height)
    return PictureRectangle(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
      height: abs(last.y - first.y) + 1)
  }

  /// Returns the rectangle in which a part of a stored frame of that size is shown.
  package func shown(_ part: PictureRectangle, width: Int, height: Int) -> PictureRectangle {
    let size =
      swapsAxes ? (width: height, height: width) : (width: width, height: height)
    return inverse.stored(part, width: size.width, height: size.height)
  }
}
