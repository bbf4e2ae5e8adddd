import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The headers of a movie's fragments are read once for all demuxers of the movie.
struct FragmentHeaderTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private static let source =
    "-f lavfi -i testsrc2=s=320x180:r=25:d=60 -f lavfi -i sine=r=48000:d=60 -c:v libx264 -bf 2 "
    + "-preset ultrafast -g 25 -crf 32 -pix_fmt yuv420p -c:a aac -b:a 64k"

  @Test(arguments: [
    "-movflags frag_keyframe+empty_moov", "-movflags frag_keyframe+empty_moov+default_base_moof",
    "-movflags frag_keyframe+empty_moov+dash+global_sidx", "-movflags frag_keyframe",
    "-movflags frag_every_frame+empty_moov", "-movflags frag_keyframe+empty_moov+delay_moov",
    "-movflags frag_keyframe+empty_moov+negative_cts_offsets",
  ])
  func headersAreReadOnce(_ arguments: String) throws {
    let path = try fixtures.make("fragments.mp4", "\(Self.source) \(arguments)")
    let counted = CountingSource(try InputFile(path: path))
    let size = Int(try counted.size)
    var settings = EngineConfiguration()
    settings.openSource = { (_, _) throws(SystemError) in counted }
    let source = MediaSource(.file(FileLocation(path)), configuration: settings)
    let streams = try source.open(interrupt: Interrupt()).streams
    let before = counted.bytesRead
    for _ in 0..<4 { _ = try source.makeDemuxer(interrupt: Interrupt()) }
    // Each demuxer reads the first samples to probe their streams.
    #expect((counted.bytesRead - before) / 4 < size / 5, "\(counted.bytesRead - before) of \(size)")
    let opened = counted.bytesRead
    let indexes = try source.makeIndexes(interrupt: Interrupt())
    #expect(counted.bytesRead - opened < size / 5)
    for stream in streams {
      let packets = try fixtures.packets(of: path, stream: "\(stream.index)")
      let found = try #require(indexes[stream.index]).samples
      #expect(found.count == packets.count)
      // FFmpeg delays samples with negative composition offsets.
      let (first, start) = (try #require(found.first).pts, try #require(packets.first).time)
      let differences = zip(found, packets).filter { sample, packet in
        let time = Time(ticks: sample.pts - first, in: stream.timeBase).seconds + start
        return abs(time - packet.time) > 0.000_002 || sample.isSync != packet.isKey
      }
      #expect(differences.isEmpty, "\(differences.count)")
    }
  }
}
