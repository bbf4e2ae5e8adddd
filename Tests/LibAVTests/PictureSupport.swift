import CLibAV
import SystemIO
import Testing

@testable import LibAV

/// A frame with the planes of `bytes`, rows without padding.
func makeFrame(
  _ width: Int, _ height: Int, _ name: String, _ bytes: [UInt8], matrix: Int = 2, range: Int = 0,
  transfer: Int = 2, primaries: Int = 2, chroma: Int = 0
) throws -> Frame {
  let format = try #require(PixelFormat(name: name))
  let frame = try Frame()
  frame.pointer.pointee.width = Int32(width)
  frame.pointer.pointee.height = Int32(height)
  frame.pointer.pointee.format = format.rawValue
  frame.pointer.pointee.colorspace = AVColorSpace(UInt32(matrix))
  frame.pointer.pointee.color_range = AVColorRange(UInt32(range))
  frame.pointer.pointee.color_trc = AVColorTransferCharacteristic(UInt32(transfer))
  frame.pointer.pointee.color_primaries = AVColorPrimaries(UInt32(primaries))
  frame.pointer.pointee.chroma_location = AVChromaLocation(UInt32(chroma))
  try #require(av_frame_get_buffer(frame.pointer, 0) >= 0)
  var offset = 0
  let surface = PictureSurface(frame)
  let shift = format.chromaShift
  for plane in 0..<4 {
    guard let base = surface.planes[plane] else { break }
    let row = Int(av_image_get_linesize(format.format, Int32(width), Int32(plane)))
    if format.hasPalette, plane == 1 {
      for index in 0..<1024 { base[index] = bytes[offset + index] }
      break
    }
    let isChroma = (plane == 1 || plane == 2) && !format.isRGB
    for y in 0..<(isChroma ? -(-height >> shift.vertical) : height) {
      for x in 0..<row { base[y * Int(surface.strides[plane]) + x] = bytes[offset + x] }
      offset += row
    }
  }
  try #require(offset + (format.hasPalette ? 1024 : 0) == bytes.count)
  return frame
}

/// A frame of one colour: the same numbers everywhere, one for each component.
func makeFlatFrame(
  _ width: Int, _ height: Int, _ name: String, _ values: [Int], matrix: Int = 2, range: Int = 0,
  transfer: Int = 2, primaries: Int = 2
) throws -> Frame {
  let format = try #require(PixelFormat(name: name))
  let layout = try PictureLayout(width: width, height: height, format: format)
  let size = format.bitsPerComponent > 8 ? 2 : 1
  var bytes: [UInt8] = []
  for plane in layout.planes.indices {
    let numbers = layout.planes.count == 1 ? values : [values[plane]]
    let count = layout.planes[plane].bytesPerRow * layout.planes[plane].height
    let unit = numbers.flatMap { number in (0..<size).map { UInt8(number >> ($0 * 8) & 255) } }
    bytes += (0..<count).map { unit[$0 % unit.count] }
  }
  return try makeFrame(
    width, height, name, bytes, matrix: matrix, range: range, transfer: transfer,
    primaries: primaries)
}

/// The samples of a picture: bytes, or numbers of two bytes.
func samples(
  _ frame: borrowing Frame, as name: String, _ width: Int, _ height: Int,
  color: PictureColor? = nil, orientation: Orientation = .up, crop: PictureRectangle? = nil,
  toneMap: ToneMap? = nil
) throws -> [Int] {
  let format = try #require(PixelFormat(name: name))
  let layout = try PictureLayout(width: width, height: height, format: format)
  var converter = PictureConverter()
  let block = try converter.convert(
    frame, to: layout, color: color ?? PictureColor(of: frame, as: format),
    orientation: orientation, crop: crop, toneMap: toneMap, allocator: HeapAllocator()
  ).block
  let bytes = block.withBytes { span in (0..<span.count).map { Int(span[$0]) } }
  guard format.bitsPerComponent > 8 else { return bytes }
  return stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] + bytes[$0 + 1] << 8 }
}
