internal import CLibAV

/// Scales, converts and turns pictures (libswscale), with matrix and range always said explicitly.
@safe package struct PictureConverter: ~Copyable {
  private struct Setup: Hashable {
    var sourceWidth: Int
    var sourceHeight: Int
    var sourceFormat: PixelFormat
    var sourceColor: PictureColor
    var target: PictureLayout
    var color: PictureColor
  }

  private var setup: Setup?
  private var context: UnsafeMutableRawPointer?

  package init() {}

  deinit { unsafe rw_scale_free(context) }

  /// Writes `frame` as `layout` says into a block of `allocator`.
  ///
  /// - Parameter color: what the result's samples shall be in; nil keeps the frame's.
  /// - Parameter layout: the size *after* `orientation`.
  package mutating func convert(
    _ frame: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, allocator: any BlockAllocator, interrupt: Interrupt
  ) throws(LibAVError) -> Block {
    let block = try allocator.allocate(count: layout.size, interrupt: interrupt)
    guard orientation != .up else {
      try unsafe convert(frame, to: layout, color: color, at: block.base)
      return block
    }
    let stored =
      orientation.swapsAxes
      ? try PictureLayout(width: layout.height, height: layout.width, format: layout.format)
      : layout
    let upright = try HeapAllocator().allocate(count: stored.size, interrupt: interrupt)
    try unsafe convert(frame, to: stored, color: color, at: upright.base)
    turn(upright, stored, into: block, layout, orientation)
    return block
  }

  /// A frame with the same picture in another size, format, colour or orientation.
  package mutating func frame(
    from source: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up
  ) throws(LibAVError) -> Frame {
    let block = try convert(
      source, to: layout, color: color, orientation: orientation, allocator: HeapAllocator(),
      interrupt: Interrupt())
    let result = try Frame()
    unsafe result.pointer.pointee.width = Int32(clamping: layout.width)
    unsafe result.pointer.pointee.height = Int32(clamping: layout.height)
    unsafe result.pointer.pointee.format = layout.format.rawValue
    try check(unsafe av_frame_get_buffer(result.pointer, 0), "allocate", "picture")
    try unsafe check(av_frame_copy_props(result.pointer, source.pointer), "copy", "picture")
    for (index, plane) in layout.planes.enumerated() {
      unsafe av_image_copy_plane(
        pointer(result.pointer.pointee.data, index), linesize(result.pointer.pointee, index),
        (block.base + plane.offset).assumingMemoryBound(to: UInt8.self),
        Int32(clamping: plane.bytesPerRow), Int32(clamping: plane.bytesPerRow),
        Int32(clamping: plane.height))
    }
    let shown = color ?? PictureColor(of: source)
    unsafe result.pointer.pointee.color_range =
      shown.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    if !layout.format.isRGB, shown.matrix != ColorDescription.unspecifiedCode {
      unsafe result.pointer.pointee.colorspace = AVColorSpace(UInt32(bitPattern: shown.matrix))
    }
    return result
  }

  private mutating func convert(
    _ frame: borrowing Frame, to layout: PictureLayout, color: PictureColor?,
    at base: UnsafeMutableRawPointer
  ) throws(LibAVError) {
    let sourceColor = PictureColor(of: frame)
    let targetColor = color ?? sourceColor
    var targets = unsafe [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
    var strides = [Int32](repeating: 0, count: 4)
    for (index, plane) in layout.planes.enumerated() {
      unsafe targets[index] = (base + plane.offset).assumingMemoryBound(to: UInt8.self)
      strides[index] = Int32(clamping: plane.bytesPerRow)
    }
    if frame.width == layout.width, frame.height == layout.height,
      frame.pixelFormat == layout.format, targetColor == sourceColor
    {
      for (index, plane) in layout.planes.enumerated() {
        unsafe av_image_copy_plane(
          targets[index], strides[index], pointer(frame.pointer.pointee.data, index),
          linesize(frame.pointer.pointee, index), strides[index], Int32(clamping: plane.height))
      }
      return
    }
    try prepare(
      Setup(
        sourceWidth: frame.width, sourceHeight: frame.height, sourceFormat: frame.pixelFormat,
        sourceColor: sourceColor, target: layout, color: targetColor))
    let sources = unsafe (0..<4).map {
      unsafe UnsafePointer(pointer(frame.pointer.pointee.data, $0))
    }
    let sourceStrides = (0..<4).map { unsafe linesize(frame.pointer.pointee, $0) }
    let rows = unsafe rw_scale(
      context, sources, sourceStrides, Int32(clamping: frame.height), targets, strides)
    try check(rows, "convert picture", layout.format.name ?? "")
  }

  private mutating func prepare(_ wanted: Setup) throws(LibAVError) {
    guard wanted != setup else { return }
    unsafe rw_scale_free(context)
    setup = nil
    unsafe context = rw_scale_context(
      Int32(clamping: wanted.sourceWidth), Int32(clamping: wanted.sourceHeight),
      wanted.sourceFormat.withoutRangeInName.format, wanted.sourceColor.isFullRange,
      Int32(clamping: wanted.target.width), Int32(clamping: wanted.target.height),
      wanted.target.format.withoutRangeInName.format, wanted.color.isFullRange)
    guard unsafe context != nil else {
      let from = wanted.sourceFormat.name ?? "unknown"
      throw LibAVError(
        .notImplemented, operation: "convert picture",
        subject: "\(from) to \(wanted.target.format.name ?? "unknown")")
    }
    // A negative result means that both sides are RGB: there is no matrix to set.
    _ = unsafe rw_scale_set_colors(
      context, wanted.sourceColor.swscaleMatrix, wanted.sourceColor.isFullRange,
      wanted.color.swscaleMatrix, wanted.color.isFullRange)
    setup = wanted
  }
}

/// Copies every element of `source` to where `orientation` shows it.
private func turn(
  _ source: Block, _ stored: PictureLayout, into target: Block, _ shown: PictureLayout,
  _ orientation: Orientation
) {
  for plane in stored.planes.indices {
    let (columns, bytes) = stored.elements(of: plane)
    let rows = stored.planes[plane].height
    let from = unsafe source.base + stored.planes[plane].offset
    let to = unsafe target.base + shown.planes[plane].offset
    let (shownColumns, _) = shown.elements(of: plane)
    for y in 0..<shown.planes[plane].height {
      for x in 0..<shownColumns {
        let place = orientation.source(x: x, y: y, width: columns, height: rows)
        let input = unsafe from + place.y * stored.planes[plane].bytesPerRow + place.x * bytes
        let output = unsafe to + y * shown.planes[plane].bytesPerRow + x * bytes
        unsafe output.copyMemory(from: input, byteCount: bytes)
      }
    }
  }
}

/// The plane's pointer out of the eight that Swift imports as a tuple.
func pointer(
  _ data: (
    UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
    UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
    UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?
  ), _ plane: Int
) -> UnsafeMutablePointer<UInt8>? {
  switch plane {
  case 0: unsafe data.0
  case 1: unsafe data.1
  case 2: unsafe data.2
  case 3: unsafe data.3
  default: nil
  }
}

func linesize(_ frame: AVFrame, _ plane: Int) -> Int32 {
  switch plane {
  case 0: unsafe frame.linesize.0
  case 1: unsafe frame.linesize.1
  case 2: unsafe frame.linesize.2
  case 3: unsafe frame.linesize.3
  default: 0
  }
}
