/// Adds to a movie box of libavformat's muxer the parts that the muxer doesn't write.
struct MovieBoxRewriter: Sendable {
  let items: MovieItemBoxes
  /// The boxes of the tracks, in their order in the file; nil leaves a track as the muxer wrote it.
  var tracks: [MovieTrackBoxes?]

  /// Returns the movie box with the additions.
  ///
  /// - Parameter moov: the payload of the muxer's box.
  func rewritten(_ moov: ByteView) -> [UInt8] {
    var writer = BoxWriter()
    writer.box("moov") { writer in
      var position = 0
      let header = moov.firstBox("mvhd")
      let timescale = header?.uint32(at: header?[0] == 1 ? 20 : 12) ?? 0
      var retained: [MemoryBox] = []
      for box in moov.boxes {
        switch box.type {
        case "trak":
          let plan = position < tracks.count ? tracks[position] : nil
          position += 1
          write(track: box, plan, timescale, to: &writer)
        // Of the muxer's user data, only the chapters (`chpl`) are retained: `items` replace the
        // rest.
        case "udta": retained += box.payload.boxes.filter { $0.type == "chpl" }
        case "meta": break
        default: writer.copy(box)
        }
      }
      if !retained.isEmpty || !items.userData.isEmpty {
        writer.box("udta") { writer in
          for box in retained { writer.copy(box) }
          writer.append(items.userData)
        }
      }
      writer.append(items.meta)
    }
    return writer.bytes
  }

  private func write(
    track: MemoryBox, _ plan: MovieTrackBoxes?, _ timescale: UInt32, to writer: inout BoxWriter
  ) {
    guard let plan else { return writer.copy(track) }
    writer.box("trak") { writer in
      for box in track.payload.boxes {
        switch box.type {
        case "tkhd": write(header: box, plan, to: &writer)
        case "mdia": write(media: box, plan, to: &writer)
        case "edts": write(edits: box, of: track, plan, timescale, to: &writer)
        case "udta": break
        case "tref": writeReferences(plan.references, beside: box.payload, to: &writer)
        default: writer.copy(box)
        }
      }
      if !track.payload.boxes.contains(where: { $0.type == "tref" }) {
        writeReferences(plan.references, beside: nil, to: &writer)
      }
      if !plan.userData.isEmpty { writer.box("udta") { $0.append(plan.userData) } }
      writer.append(plan.meta)
    }
  }

  private func write(
    edits box: MemoryBox, of track: MemoryBox, _ plan: MovieTrackBoxes, _ timescale: UInt32,
    to writer: inout BoxWriter
  ) {
    guard let list = box.payload.firstBox("elst"),
      let header = track.payload.firstBox("mdia")?.firstBox("mdhd"),
      let clock = header.uint32(at: header[0] == 1 ? 20 : 12),
      let priming = HiddenPriming(
        of: plan.priming, in: list, mediaTimescale: clock, movieTimescale: timescale)
    else { return writer.copy(box) }
    priming.write(to: &writer)
  }

  /// - Parameter present: the references that the muxer wrote, to its tracks of chapters and of
  ///   time codes.
  private func writeReferences(
    _ references: [String: [UInt32]], beside present: ByteView?, to writer: inout BoxWriter
  ) {
    guard present != nil || !references.isEmpty else { return }
    writer.box("tref") { writer in
      if let present { for box in present.boxes { writer.copy(box) } }
      for (type, tracks) in references.sorted(by: { $0.key < $1.key }) {
        writer.box(type) { for track in tracks { $0.integer(track) } }
      }
    }
  }

  private func write(
    header box: MemoryBox, _ plan: MovieTrackBoxes, to writer: inout BoxWriter
  ) {
    let start = writer.bytes.count + 8
    let isLong = box.payload.uint8(at: 0) == 1
    writer.copy(box)
    if let isEnabled = plan.isEnabled, let flags = box.payload.uint8(at: 3) {
      writer.replace(isEnabled ? flags | 1 : flags & ~1, at: start + 3)
    }
    // The position after the times, the number, the duration, reserved bytes and the layer.
    if let group = plan.alternateGroup { writer.replace(group, at: start + (isLong ? 46 : 34)) }
  }

  private func write(
    media: MemoryBox, _ plan: MovieTrackBoxes, to writer: inout BoxWriter
  ) {
    writer.box("mdia") { writer in
      for box in media.payload.boxes {
        if box.type == "minf", let record = plan.dolbyVision {
          DolbyVisionBoxes.copy(box, adding: record, to: &writer)
          continue
        }
        guard box.type == "mdhd" else {
          writer.copy(box)
          continue
        }
        let start = writer.bytes.count + 8
        let isLong = box.payload.uint8(at: 0) == 1
        writer.copy(box)
        writer.replace(plan.language.rawValue, at: start + (isLong ? 32 : 20))
        if let tag = plan.languageTag { writer.fullBox("elng") { $0.terminated(tag) } }
      }
    }
  }
}

extension BoxWriter {
  mutating func copy(_ box: MemoryBox) {
    self.box(box.type) { $0.append(box.payload.bytes) }
  }
}
