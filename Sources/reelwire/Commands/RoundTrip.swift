import EngineClient
import EngineProtocol
import EngineReports
import Glibc
import JSONRPC
import MediaTime

/// Makes a clip, encodes it, and reads a frame of the result, as a client would.
struct RoundTrip {
  var client: EngineClient
  /// The folder in which a folder is made for it, and removed.
  var parent: String

  private static let (width, height, frames) = (160, 96, 25)
  /// The brightness of frame 12, which is shown at half a second.
  private static let expectedGray = 16 + 12 * 8

  func findings() async -> [Finding] {
    guard let folder = makeFolder() else {
      return [.bad("No folder can be made in \(parent)", hint: "Set TMPDIR to another.")]
    }
    let names = ["source.y4m", "encoded.mp4"].map { "\(folder)/\($0)" }
    defer {
      for name in names { _ = unsafe unlink(name) }
      _ = unsafe rmdir(folder)
    }
    do {
      guard writeClip(names[0]) else {
        return [.bad("\(names[0]) can't be written", hint: "Look whether the disk is full.")]
      }
      let began = ContinuousClock.now
      let source = try await client.call(AssetOpen(url: names[0])).asset
      let session = try await client.call(
        ExportSessionCreate(asset: source, preset: "HighestQuality", outputURL: names[1])
      ).exportSession
      let done = try await client.finish(
        ExportSessionExport(exportSession: session, progressInterval: 0, completion: .response))
      if let error = done.error { throw RPCError(error) }
      let image = try await frame(of: names[1])
      return check(image, took: ContinuousClock.now - began)
    } catch {
      let failure = CommandError(of: error).inShell
      return [.bad("The round trip failed: \(failure.message)", hint: failure.hint)]
    }
  }

  private func frame(
    of path: String
  ) async throws -> (made: ImageGeneratorGenerateImage.Result, bytes: [UInt8]) {
    let asset = try await client.call(AssetOpen(url: path)).asset
    let generator = try await client.call(
      ImageGeneratorCreate(
        asset: asset, requestedTimeToleranceBefore: WireTime(.zero),
        requestedTimeToleranceAfter: WireTime(.zero))
    ).imageGenerator
    let made = try await client.call(
      ImageGeneratorGenerateImage(
        imageGenerator: generator, time: WireTime(Time(value: 1, timescale: 2)), format: .gray,
        delivery: .shm))
    return (made, try client.bytes(of: made.image.blob))
  }

  private func check(
    _ frame: (made: ImageGeneratorGenerateImage.Result, bytes: [UInt8]), took: Duration
  ) -> [Finding] {
    let (made, bytes) = frame
    let isShared = if case .shm = made.image.blob { true } else { false }
    let memory: Finding =
      isShared
      ? .good("pictures arrive in shared memory")
      : .missing(
        "There is no shared memory here: pictures are copied instead",
        hint: "It needs memfd_create(2), which a sandbox may forbid.")
    let mean = bytes.reduce(0) { $0 + Int($1) } / max(1, bytes.count)
    // Full range, as gray is, of a frame in limited range.
    let expected = (Self.expectedGray - 16) * 255 / 219
    guard made.image.width == Self.width, made.image.height == Self.height,
      made.sampleIndex == 12, abs(mean - expected) <= 4
    else {
      return [
        memory,
        .bad(
          "The round trip gave another picture: frame \(made.sampleIndex ?? -1), "
            + "\(made.image.width) × \(made.image.height), brightness \(mean) instead of \(expected)",
          hint: "Tell the authors, with the lines above."),
      ]
    }
    let seconds = Formatting.number(took / .seconds(1), places: 2)
    return [
      memory,
      .good("round trip: a second of video encoded, opened, frame 12 read, in \(seconds) s"),
    ]
  }

  private func makeFolder() -> String? {
    var template = Array("\(parent)/reelwire-doctor-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    return made
      ? String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// A YUV4MPEG2 file, each frame brighter than the one before it.
  private func writeClip(_ path: String) -> Bool {
    var bytes = Array("YUV4MPEG2 W\(Self.width) H\(Self.height) F25:1 Ip A1:1 C420jpeg\n".utf8)
    for frame in 0..<Self.frames {
      bytes += Array("FRAME\n".utf8)
      bytes += [UInt8](repeating: UInt8(16 + frame * 8), count: Self.width * Self.height)
      bytes += [UInt8](repeating: 128, count: Self.width * Self.height / 2)
    }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
