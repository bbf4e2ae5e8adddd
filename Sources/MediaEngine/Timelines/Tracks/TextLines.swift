import LibAV
import MediaTime
import SystemIO

/// The lines of subtitles, as ones of ASS scripts.
struct ScriptLines: Sendable {
  struct Line: Sendable {
    /// Eight fields and the text between commas.
    let text: String
    /// In milliseconds, as `end` is.
    let start: Int64
    var end: Int64

    /// True if the line changes while it is shown: by codes, or an effect.
    var isAnimated: Bool {
      let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      guard fields.count == 9 else { return false }
      return !fields[7].isEmpty
        || ["\\t", "\\move", "\\fad", "\\k", "\\K"].contains { fields[8].contains($0) }
    }
  }

  /// The styles that lines name: the header of a script.
  let header: [UInt8]
  /// True if the file is a script, whose lines are as they were written.
  let isScript: Bool
  var lines: [Line]

  static let maximumCount = 200_000
  /// Of all texts, in bytes.
  static let maximumSize = 64 << 20
}

extension TrackTimeline {
  /// Returns the lines that the track shows, one script for those of sources with the same header.
  ///
  /// A line without a duration is shown until the next one begins.
  ///
  /// - Throws: `operationNotSupportedForAsset` for subtitles that are pictures; `limitExceeded` for more lines than
  ///   ``ScriptLines/maximumCount``.
  func scriptLines(interrupt: Interrupt) throws(EngineError) -> [ScriptLines] {
    var scripts: [ScriptLines] = []
    var (count, size) = (0, 0)
    let reading = TrackReading(range: .all, interrupt: interrupt)
    for part in ReadingPart.parts(of: self, reading) {
      guard let source = part.source else { continue }
      guard let clip = source.stored?.clip(part.reading), clip.stream.format.parameters.isText
      else {
        throw EngineError(
          .operationNotSupportedForAsset,
          "Subtitles of '\(source.format.path)' are \(source.format.media.parameters.codecName), "
            + "which aren't text",
          advice: .nameTextTrack, path: source.format.path)
      }
      let script = try part.scriptLines(of: clip, interrupt: interrupt)
      count += script.lines.count
      for line in script.lines { size += line.text.utf8.count }
      guard count <= ScriptLines.maximumCount, size <= ScriptLines.maximumSize else {
        throw EngineError(
          .limitExceeded,
          "'\(source.format.path)' has more than \(ScriptLines.maximumCount) subtitles, or more than "
            + "\(ScriptLines.maximumSize >> 20) MiB of them",
          advice: .nameTextTrack, path: source.format.path)
      }
      let same = scripts.firstIndex {
        $0.header == script.header && $0.isScript == script.isScript
      }
      if let same { scripts[same].lines += script.lines } else { scripts.append(script) }
    }
    return scripts
  }
}

extension ReadingPart {
  fileprivate func scriptLines(
    of clip: TrackClip, interrupt: Interrupt
  ) throws(EngineError) -> ScriptLines {
    var packets = try clip.makeTextReader()
    var decoder = try mapErrors(.decode, path: clip.path) { () throws(LibAVError) in
      try TextDecoder(clip.stream.format, timeBase: clip.stream.timeBase)
    }
    var packet = try mapErrors(.read, path: clip.path, Packet.init)
    var script = ScriptLines(header: decoder.header, isScript: decoder.isScript, lines: [])
    /// The first line of those that have no end yet.
    var open: Int?
    while try packets.read(into: &packet) {
      if interrupt.isTriggered { throw .cancelled("The subtitles of '\(clip.path)'") }
      let known = packets.index.sample(of: packet)
      let time = clip.media.time(packet.pts ?? known?.pts ?? packet.dts ?? 0)
      let length = clip.media.duration(known?.duration ?? packet.duration)
      let start = max(part.targetTime(time), target.start)
      let end = min(part.targetTime(time + length), target.end)
      if let first = open {
        for number in first..<script.lines.count { script.lines[number].end = start.milliseconds }
        open = nil
      }
      guard start < target.end, end > start || length <= .zero,
        let texts = lines(of: packet, &decoder, clip)
      else { continue }
      if length <= .zero { open = script.lines.count }
      script.lines += texts.map {
        ScriptLines.Line(
          text: $0, start: start.milliseconds,
          end: (length > .zero ? end : target.end).milliseconds)
      }
    }
    return script
  }

  /// Returns the lines of a packet; nil for a damaged one, which is skipped, as players do.
  private func lines(
    of packet: borrowing Packet, _ decoder: inout TextDecoder, _ clip: TrackClip
  ) -> [String]? {
    do throws(LibAVError) {
      return try decoder.lines(of: packet)
    } catch {
      clip.damage?.add(error, at: packet.pts)
      return nil
    }
  }
}

extension Time {
  /// The nearest one.
  fileprivate var milliseconds: Int64 {
    isNumeric ? ticks(in: TimeBase(1, 1000), rounding: .halfAwayFromZero) : Int64.max / 4
  }
}
