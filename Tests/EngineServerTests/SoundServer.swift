import Foundation
import Glibc
import TestSupport
import Testing

/// A PulseAudio of its own with a null sink, which is bit-exact, and no other device. There is one at a time.
final class SoundServer {
  static let isInstalled =
    ["pulseaudio", "pactl", "parec"].allSatisfy { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        access("\($0)/\(name)", X_OK) == 0
      }
    }

  /// The tests' environment names it.
  let folder = testFolder + "/sound"
  private var server: Child

  init() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/pulse", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    server = try Self.start(folder)
    try await eventually("an audio server") { try await run(["pactl", "info"]).code == 0 }
  }

  private static func start(_ folder: String) throws -> Child {
    let sink = "module-null-sink sink_name=out rate=48000 channels=2 format=float32le norewinds=1"
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    return try spawnLock.withLock { _ in
      try Child(
        ["env", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "PULSE_STATE_PATH=\(folder)/pulse"]
          + ["PULSE_RUNTIME_PATH=\(folder)/pulse", "DBUS_SESSION_BUS_ADDRESS=", "pulseaudio", "-n"]
          + ["--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no"]
          + ["--high-priority=no", "--log-level=error"]
          + ["-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder)/pulse/native"]
          + ["-L", sink],
        files: [(null, 0), (null, 1), (null, 2)])
    }
  }

  /// Starts the server again.
  func restart() throws { server = try Self.start(folder) }

  /// Ends the server at once, as a crash does.
  func kill() async {
    server.send(SIGKILL)
    _ = await server.wait()
    unlink("\(folder)/pulse/native")
  }

  func stop() async {
    await kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func noise(_ name: String, seconds: Double) async throws -> String {
    let path = "\(folder)/\(name)"
    _ = try await succeed(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=\(seconds):a=0.4"]
        + ["-af", "aformat=channel_layouts=stereo", "-c:a", "pcm_s16le", path])
    return path
  }

  func decoded(_ path: String) async throws -> [Float] {
    try await succeed(["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-"]).output.floats
  }

  /// A recording of the audio that is played.
  struct Recording {
    fileprivate let recorder: Child
    fileprivate let path: String

    /// The samples that have come so far, which lag behind what is played.
    var samples: [Float] {
      get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).floats }
    }

    func finish() async throws -> [Float] {
      recorder.send(SIGINT)
      _ = await recorder.wait()
      return try samples
    }
  }

  func record() throws -> Recording {
    let path = "\(folder)/recording-\(UInt32.random(in: 0...(.max))).raw"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(file)
      close(null)
    }
    let recorder = try spawnLock.withLock { _ in
      try Child(
        ["parec", "-d", "out.monitor", "--raw", "--format=float32le", "--rate=48000"]
          + ["--channels=2", "--latency-msec=20"], files: [(null, 0), (file, 1), (null, 2)])
    }
    return Recording(recorder: recorder, path: path)
  }
}

extension [UInt8] {
  fileprivate var floats: [Float] {
    withUnsafeBytes { bytes in
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count & ~3)])
      return [Float](whole.assumingMemoryBound(to: Float.self))
    }
  }
}
