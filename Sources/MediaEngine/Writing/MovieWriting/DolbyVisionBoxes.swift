import LibAV

/// The configuration of Dolby Vision in the sample descriptions of a movie, which libavformat's muxer writes
/// into MP4 files only ("Dolby Vision Streams Within the ISO Base Media File Format", 2.2).
enum DolbyVisionBoxes {
  /// Copies the box that has a track's sample tables, and adds a record to each video description
  /// that has none.
  static func copy(
    _ box: MemoryBox, adding record: DolbyVisionRecord, to writer: inout BoxWriter
  ) {
    writer.box(box.type) { writer in
      for child in box.payload.boxes {
        switch child.type {
        case "stbl": copy(child, adding: record, to: &writer)
        case "stsd": copy(descriptions: child, adding: record, to: &writer)
        default: writer.copy(child)
        }
      }
    }
  }

  private static func copy(
    descriptions box: MemoryBox, adding record: DolbyVisionRecord, to writer: inout BoxWriter
  ) {
    writer.box(box.type) { writer in
      writer.append(box.payload.slice(from: 0, count: 8).bytes)
      for entry in box.payload.slice(from: 8).boxes {
        let boxes = entry.payload.slice(from: fixedFields).boxes
        writer.box(entry.type) { writer in
          writer.append(entry.payload.bytes)
          if !boxes.contains(where: { types.contains($0.type) }) { append(record, to: &writer) }
        }
      }
    }
  }

  private static let types: Set = ["dvcC", "dvvC", "dvwC"]
  /// The bytes of a video sample description before its boxes (ISO/IEC 14496-12, 12.1.3).
  private static let fixedFields = 78

  private static func append(_ record: DolbyVisionRecord, to writer: inout BoxWriter) {
    let type = record.profile > 10 ? "dvwC" : record.profile > 7 ? "dvvC" : "dvcC"
    writer.box(type) { writer in
      writer.integer(UInt8(clamping: record.versionMajor))
      writer.integer(UInt8(clamping: record.versionMinor))
      let flags =
        (record.hasRPU ? 4 : 0) | (record.hasEnhancementLayer ? 2 : 0)
        | (record.hasBaseLayer ? 1 : 0)
      writer.integer(
        UInt16(truncatingIfNeeded: record.profile & 0x7F) << 9
          | UInt16(truncatingIfNeeded: record.level & 0x3F) << 3 | UInt16(flags))
      writer.integer(UInt8(truncatingIfNeeded: record.compatibilityID & 0xF) << 4)
      writer.append([UInt8](repeating: 0, count: 19))
    }
  }
}
