import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Transfers from the outputs of readers to the inputs of writers.
@Suite struct AssetWriterTransferTests {
  let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Small stored samples are moved hundreds at a time, and large ones as a few megabytes: progress is reported once for
  /// each step.
  @Test(arguments: [
    ("small.mkv", "testsrc2=s=160x96:r=25:d=40 -c:v libx264 -g 50 -bf 2 -preset ultrafast"),
    ("large.mkv", "testsrc2=s=640x360:r=25:d=4,noise=alls=40 -c:v ffv1 -pix_fmt yuv420p"),
  ])
  func storedSamplesAreMovedManyAtATime(_ name: String, _ arguments: String) async throws {
    let path = try fixtures.make(name, "-f lavfi -i \(arguments)")
    let asset = URLAsset(url: path)
    let reader = try await AssetReader(
      asset: asset, outputs: [.init(track: .mediaType(.video), settings: .stored)])
    var configuration = AssetWriterConfiguration()
    configuration.inputs = [.init(.stored(.init(reader.outputs[0])))]
    let target = fixtures.folder + "/moved-\(name)"
    let writer = try AssetWriter(url: target, configuration: configuration)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try reader.start()
    let steps = Mutex(0)
    let (transferred, error) = await writer.transfer([
      .init(output: reader.outputs[0], input: writer.inputs[0])
    ]) { _ in steps.withLock { $0 += 1 } }
    #expect(error == nil)
    _ = try await writer.finishWriting()
    let packets = try fixtures.packetHashes(of: path, "0:v")
    #expect(try fixtures.packetHashes(of: target, "0:v") == packets)
    #expect(transferred.map(\.sampleBuffers) == [packets.count])
    let bytes = try fixtures.probe(path, "-show_entries packet=size").compactMap(Int.init)
      .reduce(0, +)
    let expected = max((packets.count + 255) / 256, bytes / (4 << 20))
    #expect((expected...expected + 2).contains(steps.withLock(\.self)))
  }
}
