import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The tone mapping of light beyond the range of ordinary screens.
struct DynamicRangeTests {
  /// A flat grey at PQ's code for 203 cd/m², the white of ordinary pictures (ITU-R BT.2408): 58 % of the
  /// range. Left alone it is a middle grey; mapped it is far brighter.
  @Test(arguments: ["smpte2084", "arib-std-b67"]) func forceSDRMapsTones(_ transfer: String)
    async throws
  {
    let folder = TemporaryFolder()
    let path = folder.file("\(transfer).mkv")
    // 10 bits, limited range: 64 + 0.58 · 876.
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:size=64x48:rate=5:duration=1",
      "-vf",
      "format=yuv420p10le,geq=lum=572:cb=512:cr=512,setparams=color_trc=\(transfer):"
        + "color_primaries=bt2020:colorspace=bt2020nc:range=tv", "-c:v", "ffv1", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func grey(_ policy: WireDynamicRangePolicy?) async throws -> Int {
        let generator = try await client.call(
          ImageGeneratorCreate(asset: asset, dynamicRangePolicy: policy)
        ).imageGenerator
        let result = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(.zero), format: .rgb24))
        let bytes = try result.image.blob.bytes
        #expect(Set(bytes).count <= 2, "grey stays grey")
        return Int(try #require(bytes.first))
      }
      let untouched = try await grey(.matchSource)
      #expect(abs(untouched - 148) <= 1)
      let mapped = try await grey(.forceSDR)
      #expect(mapped > untouched + 20)
      // It is the default.
      #expect(try await grey(nil) == mapped)
    }
  }
}
