internal import CLibAV
internal import CPixels

/// The order of the fields of a frame.
package enum FieldOrder: Sendable { case progressive, topFirst, bottomFirst }

extension Frame {
  package var fieldOrder: FieldOrder {
    switch unsafe rw_frame_fields(pointer) {
    case 1: .topFirst
    case 2: .bottomFirst
    default: .progressive
    }
  }

  /// True for a picture whose fields are shown more than once, as film is at 60 fields per second.
  package var repeatsFields: Bool { unsafe pointer.pointee.repeat_pict > 0 }

  /// Another owner of the same picture.
  package func reference() throws(LibAVError) -> Frame {
    let result = try Frame()
    try check(unsafe av_frame_ref(result.pointer, pointer), "refer to", "picture")
    return result
  }
}

extension PixelFormat {
  /// True where rows can be interpolated: not for palettes, for pixels of less than a byte a component and for
  /// floating point.
  package var canBeDeinterlaced: Bool {
    let components = components
    guard let first = components.first, !hasPalette, first.bytes <= 2 else { return false }
    return components.allSatisfy {
      $0.bytes == first.bytes && $0.depth == first.depth && $0.shift == first.shift
        && $0.offset % first.bytes == 0 && $0.step % first.bytes == 0 && $0.depth >= 8
    }
  }

  /// The samples of a row in a plane of a picture, those of all its components.
  fileprivate func sampleCount(ofPlane plane: Int, width: Int) -> Int {
    let parts = components.enumerated().filter { $0.element.plane == plane }
    return parts.map { index, part in
      let isChroma = isYUV && (1...2).contains(index)
      let columns = isChroma ? -(-width >> chromaShift.horizontal) : width
      return columns * part.step / part.bytes
    }.max() ?? 0
  }

  fileprivate func rowCount(ofPlane plane: Int, height: Int) -> Int {
    let first = components.firstIndex { $0.plane == plane }
    let isChroma = isYUV && (first == 1 || first == 2)
    return isChroma ? -(-height >> chromaShift.vertical) : height
  }
}

/// Interpolates the rows between those of one field of a picture, by the method of FFmpeg's bwdif filter
/// (`FieldInterpolation.h`).
package struct FieldInterpolation: Sendable {
  /// The order in which the fields are shown.
  package var order: FieldOrder
  /// The field that stays: the second one is shown half a picture later.
  package var isSecond = false

  package init(order: FieldOrder, isSecond: Bool = false) {
    (self.order, self.isSecond) = (order, isSecond)
  }

  /// The progressive picture of a field, with the frame's times, colours and side data.
  ///
  /// At the first picture there is none before, and at the last one none after. Without one on the field's own side
  /// rows come from the field alone; without the other one the picture itself is compared.
  ///
  /// - Parameters:
  ///   - previous: the picture before; the frame itself where there is none.
  ///   - next: the picture after; the frame itself where there is none.
  ///   - neighbours: which of the two there are. Those of another size or format count as none.
  /// - Throws: `notImplemented` for formats that can't be interpolated.
  package func picture(
    of frame: borrowing Frame, previous: borrowing Frame, next: borrowing Frame,
    neighbours: (previous: Bool, next: Bool)
  ) throws(LibAVError) -> Frame {
    let format = frame.pixelFormat
    guard format.canBeDeinterlaced, let sample = format.components.first else {
      throw LibAVError(
        .notImplemented, operation: "deinterlace picture", subject: format.name ?? "",
        detail: "its rows can't be interpolated", log: [])
    }
    let layout = try PictureLayout(width: frame.width, height: frame.height, format: format)
    let result = try Frame.allocate(layout)
    try check(unsafe av_frame_copy_props(result.pointer, frame.pointer), "copy", "picture")
    unsafe rw_frame_set_progressive(result.pointer)
    let hasPrevious = neighbours.previous && previous.isLike(frame)
    let hasNext = neighbours.next && next.isLike(frame)
    let current = PictureSurface(frame)
    let before = hasPrevious ? PictureSurface(previous) : current
    let after = hasNext ? PictureSurface(next) : current
    let target = PictureSurface(result)
    for number in 0..<4 {
      guard let rows = unsafe current.planes[number], let made = unsafe target.planes[number] else {
        continue
      }
      var plane = unsafe rw_field_plane()
      unsafe (plane.previous, plane.current, plane.next) = (
        UnsafePointer(before.planes[number] ?? rows), UnsafePointer(rows),
        UnsafePointer(after.planes[number] ?? rows)
      )
      unsafe plane.previous_stride = Int(before.strides[number])
      unsafe plane.current_stride = Int(current.strides[number])
      unsafe plane.next_stride = Int(after.strides[number])
      unsafe (plane.target, plane.target_stride) = (made, Int(target.strides[number]))
      unsafe plane.width = Int32(clamping: format.sampleCount(ofPlane: number, width: frame.width))
      unsafe plane.height = Int32(clamping: format.rowCount(ofPlane: number, height: frame.height))
      unsafe plane.bytes = Int32(sample.bytes)
      unsafe plane.depth = Int32(sample.depth)
      unsafe plane.shift = Int32(sample.shift)
      unsafe plane.is_big_endian = format.isBigEndian
      unsafe plane.parity = (order == .bottomFirst) != isSecond ? 0 : 1
      unsafe plane.is_second = isSecond
      unsafe plane.is_spatial = isSecond ? !hasNext : !hasPrevious
      unsafe rw_interpolate_field(&plane, rw_has_avx2())
    }
    return result
  }
}

extension Frame {
  fileprivate func isLike(_ other: borrowing Frame) -> Bool {
    width == other.width && height == other.height && pixelFormat == other.pixelFormat
  }
}
