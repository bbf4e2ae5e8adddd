import SystemIO

/// An Ogg file: the comments of its streams, in the second packet of each.
struct OggFile: TaggedFile.Document {
  /// The headers of a codec's streams.
  fileprivate struct Codec {
    /// The number of header packets.
    var headers: Int
    /// The bytes before the comments.
    var prefix: [UInt8]
    /// True if the packet is a block of FLAC's metadata, whose length precedes the comments.
    var isFLAC = false

    /// nil for a codec whose headers aren't known.
    init?(_ packet: ByteView) {
      if packet.hasPrefix([1] + Array("vorbis".utf8)) {
        (headers, prefix) = (3, [3] + Array("vorbis".utf8))
      } else if packet.hasPrefix(Array("OpusHead".utf8)) {
        (headers, prefix) = (2, Array("OpusTags".utf8))
      } else if packet.hasPrefix([0x80] + Array("theora".utf8)) {
        (headers, prefix) = (3, [0x81] + Array("theora".utf8))
      } else if packet.hasPrefix(Array("Speex   ".utf8)) {
        let extra = packet.littleEndian32(at: 68) ?? 0
        guard extra < 16 else { return nil }
        (headers, prefix) = (2 + Int(extra), [])
      } else if packet.hasPrefix(Array("OVP80".utf8)) {
        (headers, prefix) = (2, Array("OVP80".utf8) + [2, 0x20])
      } else if packet.hasPrefix([0x7F] + Array("FLAC".utf8)) {
        let count = Int(packet.uint16(at: 7) ?? 0)
        guard (1..<4096).contains(count) else { return nil }
        (headers, prefix, isFLAC) = (1 + count, [], true)
      } else {
        return nil
      }
    }
  }

  fileprivate struct Stream {
    let serial: UInt32
    let codec: Codec
    /// The packets after the first.
    var packets: [[UInt8]] = []
    var isInPacket = false
    /// The pages of those packets.
    var pages: [Range<Int64>] = []
    var firstNumber: UInt32 = 0
    var comments: VorbisComments?

    var isComplete: Bool { !isInPacket && packets.count >= codec.headers - 1 }
  }

  private let size: Int64
  private var streams: [Stream] = []
  /// The end of the last page of a header.
  private var end: Int64 = 0

  private(set) var items: [MetadataItem] = []
  var holdsChapters: Bool { true }

  /// - Throws: for headers that are incomplete, or share a page with samples.
  init(_ source: ByteReader, size: Int64) throws(SystemError) {
    self.size = size
    var total = 0
    var offset: Int64 = 0
    var isAtBeginning = true
    repeat {
      guard let page = try OggPage(source, at: offset) else {
        throw TaggedFile.damaged("the headers of an Ogg file are damaged, or not complete")
      }
      total += page.range.count
      guard total <= TaggedFile.limit else {
        throw TaggedFile.damaged("the headers of an Ogg file are longer than 64 MiB")
      }
      offset = page.range.upperBound
      isAtBeginning = isAtBeginning && page.isFirst
      if isAtBeginning {
        guard let packet = page.parts.first, packet.isEnd, page.parts.count == 1 else {
          throw TaggedFile.damaged("the first page of an Ogg stream holds more than its header")
        }
        if let codec = Codec(ByteView(Array(packet.bytes))) {
          streams.append(Stream(serial: page.serial, codec: codec))
        }
      } else if let index = streams.firstIndex(where: { $0.serial == page.serial }),
        !streams[index].isComplete
      {
        try streams[index].take(page)
        end = offset
      }
    } while isAtBeginning || streams.contains { !$0.isComplete }
    for index in streams.indices { try streams[index].readComments() }
    guard !streams.isEmpty else {
      throw TaggedFile.damaged("no stream of the Ogg file is of a codec whose headers are known")
    }
    items = streams.flatMap { $0.comments?.entries ?? [] }.flatMap(\.items)
  }

  func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile {
    var file = SplicedFile()
    var differences: [UInt32: UInt32] = [:]
    var replaced: [Range<Int64>: [[UInt8]]] = [:]
    var dropped: Set<Range<Int64>> = []
    for stream in streams {
      guard let comments = stream.comments else { continue }
      var list = comments
      var refused: [TagRefusal] = []
      list.entries = edit.applied(to: list.entries, in: list, refused: &refused)
      list.entries += edit.chapters.map(VorbisComments.chapterEntries) ?? []
      if file.refused.isEmpty { file.refused = refused }
      guard list.entries != comments.entries, let first = stream.pages.first else { continue }
      let pages = OggPage.pages(
        of: try stream.packets(with: list), serial: stream.serial, from: stream.firstNumber,
        like: stream.pages.count)
      dropped.formUnion(stream.pages)
      replaced[first] = pages
      let difference = UInt32(clamping: pages.count) &- UInt32(clamping: stream.pages.count)
      if difference != 0 { differences[stream.serial] = difference }
    }
    // The pages of the headers, in their original order.
    var offset: Int64 = 0
    for range in dropped.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      file.append(offset..<range.lowerBound)
      for page in replaced[range] ?? [] { file.append(page) }
      offset = range.upperBound
    }
    // Pages of one stream may be between those of another's header, before anything is renumbered.
    if differences.isEmpty {
      file.append(offset..<size)
    } else {
      file.append(offset..<end)
      file.pieces.append(.pages(OggRenumbering(range: end..<size, differences: differences)))
    }
    return file
  }
}

extension OggFile.Stream {
  fileprivate mutating func take(_ page: OggPage) throws(SystemError) {
    if pages.isEmpty { firstNumber = page.number }
    pages.append(page.range)
    for part in page.parts {
      guard !isComplete else {
        throw TaggedFile.damaged("a header of an Ogg stream shares a page with samples")
      }
      if isInPacket, !packets.isEmpty {
        packets[packets.count - 1] += part.bytes
      } else {
        packets.append(Array(part.bytes))
      }
      isInPacket = !part.isEnd
    }
  }

  fileprivate mutating func readComments() throws(SystemError) {
    guard let packet = packets.first else { return }
    let view = ByteView(packet)
    if codec.isFLAC {
      guard view[0].map({ $0 & 0x7F }) == 4 else { return }
      comments = VorbisComments(view.slice(from: 4))
    } else {
      guard view.hasPrefix(codec.prefix) else { return }
      comments = VorbisComments(view.slice(from: codec.prefix.count))
    }
    guard comments != nil else {
      throw TaggedFile.damaged("the comments of an Ogg stream are damaged")
    }
  }

  /// Returns the packets after the first, with other comments.
  fileprivate func packets(with list: VorbisComments) throws(SystemError) -> [[UInt8]] {
    var packets = packets
    let bytes = list.bytes
    guard codec.isFLAC else {
      packets[0] = codec.prefix + bytes
      return packets
    }
    guard bytes.count < 1 << 24 else {
      throw TaggedFile.damaged("comments would be longer than the 16 MiB that FLAC has room for")
    }
    var header: [UInt8] = []
    header.append(bigEndian: UInt32(packets[0][0]) << 24 | UInt32(bytes.count))
    packets[0] = header + bytes
    return packets
  }
}
