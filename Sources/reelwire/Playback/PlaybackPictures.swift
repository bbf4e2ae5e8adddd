import EngineClient
import EngineProtocol
import MediaTime
import Terminal

/// The frames of items, as large as a terminal shows them.
///
/// They are copied from outputs when the time is shown, at most 15 a second, which a terminal can display.
final class PlaybackPictures {
  private let form: PictureProtocol
  private let client: EngineClient
  private let console: Console
  private let isTrueColor = ["truecolor", "24bit"].contains(Terminal.variable("COLORTERM") ?? "")
  private var sizes: [PlayerItemHandle: WireSize] = [:]
  private var outputs: [PlayerItemHandle: VideoOutputHandle] = [:]
  /// The fifteenth of a second of the clock in which the last frame was shown.
  private var slot: Int?

  private static let perSecond = 15.0
  /// The maximum time in milliseconds that keys wait for a frame.
  private static let timeout = 1000
  /// The maximum number of columns and rows.
  private static let limit = (columns: 100, rows: 40)
  /// In kitty's protocol each image takes the place of the one before.
  private static let number = 1

  /// Nil where the terminal shows none.
  init?(_ client: EngineClient, _ console: Console) {
    guard console.style.isColored else { return nil }
    (form, self.client, self.console) = (.detected(), client, console)
  }

  /// The characters that remove frames, where clearing the screen doesn't.
  var removal: String { form.removal(ofPicture: Self.number) }

  /// Makes the output of an item that is ready.
  func prepare(_ item: PlayerItemHandle, _ size: WireSize) async throws {
    guard size.width > 0, size.height > 0 else { return }
    sizes[item] = size
    if let old = outputs.removeValue(forKey: item) {
      _ = try await client.call(HandleClose(handle: AnyHandle(old)))
    }
    let columns = min(console.columns, Self.limit.columns)
    let room = form.pixels(columns: columns, rows: min(console.rows - 1, Self.limit.rows))
    let scale = min(Double(room.width) / size.width, Double(room.height) / size.height)
    outputs[item] =
      try await client.call(
        VideoOutputCreate(
          playerItem: item, pixelFormat: .rgb24, width: max(1, Int(size.width * scale)),
          height: max(1, Int(size.height * scale)))
      ).videoOutput
  }

  /// Forgets an item, whose output is closed with it.
  func forget(_ item: PlayerItemHandle) { (sizes[item], outputs[item]) = (nil, nil) }

  /// True for an item whose frames are shown.
  func hasPictures(_ item: PlayerItemHandle) -> Bool { outputs[item] != nil }

  /// Makes outputs of the terminal's new size.
  func resize() async throws {
    for (item, size) in sizes { try await prepare(item, size) }
    slot = nil
  }

  /// The characters that show the frame of an item's time; nil where the last one is to stay.
  ///
  /// - Parameter waits: true where time stands, so that no later frame takes the place of one that isn't decoded.
  func next(
    _ item: PlayerItemHandle, _ moment: TimeObserverDidFire, waits: Bool
  ) async throws -> String? {
    guard let output = outputs[item] else { return nil }
    let slot = Int(moment.hostTime.time.seconds * Self.perSecond)
    guard moment.cause != .interval || slot != self.slot else { return nil }
    guard let text = try await take(output, waits: waits) else { return nil }
    self.slot = slot
    return text
  }

  /// The characters that show the frame of an item's current time; nil where there is none.
  func now(_ item: PlayerItemHandle, waits: Bool) async throws -> String? {
    guard let output = outputs[item] else { return nil }
    return try await take(output, waits: waits)
  }

  /// Nil where the output's frame has been copied before, or isn't decoded yet.
  private func take(_ output: VideoOutputHandle, waits: Bool) async throws -> String? {
    let taken = try await client.call(
      VideoOutputCopyPixelBuffer(videoOutput: output, timeoutMs: waits ? Self.timeout : 0))
    guard let image = taken.image, let blob = taken.blob else { return nil }
    let bytes = try client.bytes(of: blob)
    let picture = PixelPicture(
      width: image.width, height: image.height,
      bytesPerRow: image.planes.first?.bytesPerRow ?? image.width * 3, bytes: bytes)
    return picture.map { form.sequence($0, trueColor: isTrueColor, number: Self.number) }
  }
}
