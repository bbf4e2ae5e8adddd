import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import EngineServer
import Glibc
import JSONRPC
import MediaTime
import Synchronization
import SystemIO
import Terminal

/// Images of a whole clip in numbered files: all but those of damaged frames, or none.
struct ImageFiles {
  /// A pattern of names, `frame%04d.png`.
  private let target: String
  /// The paths that were made, in order.
  private(set) var paths: [String] = []

  /// The numbers of all that were asked for.
  private var numbers: Range<Int>
  /// The files that other programs have made since.
  private var foreign: Set<String> = []
  /// The frames that couldn't be decoded as a whole, in order.
  private(set) var damaged: [DamagedFrame] = []
  /// The reason why frames are missing at the end of the clip; nil where none are.
  private(set) var lack: String?
  /// The number of images that were wanted, before the end of the clip.
  private(set) var wanted = 0

  /// A frame that couldn't be decoded, or in part only.
  struct DamagedFrame {
    /// Its number in the clip; nil where images were wanted by times.
    var frame: Int?
    var time: Time?
    /// The time of the frame that its image shows.
    var shown: Time?
    /// Nil for a frame without an image.
    var path: String?
    /// The decoder's error; nil where it returned another frame.
    var reason: String?

    /// `frame 23 at 0:00.920 is damaged: it has no picture`
    var description: String {
      let name = frame.map { "frame \($0)" } ?? "the frame"
      let place = time.map { " at \(Formatting.position($0))" } ?? ""
      let picture =
        path.map { "\($0.printable) shows what could be decoded" } ?? "it has no picture"
      return "\(name)\(place) is damaged: \(picture)" + (reason.map { " (\($0.printable))" } ?? "")
    }
  }

  init(_ target: String, firstNumber: Int) {
    self.target = target
    numbers = firstNumber..<firstNumber
  }

  /// Refuses to begin where a file has a name that the pattern makes, with any number.
  static func requireNone(_ target: String) throws {
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let pattern = slash.map { String(target[target.index(after: $0)...]) } ?? target
    let present = names(in: folder).filter { name in
      // The digits of the name, in any place, are one number that makes the name again.
      numbers(in: name).contains { numbered(pattern, $0) == name }
    }
    guard let first = present.min() else { return }
    let path = slash == nil ? first : folder + "/" + first
    let others = present.count > 1 ? ", and \(present.count - 1) more files of such names" : ""
    throw CommandError(
      "'\(path.printable)' is there already\(others)",
      hint: "Choose another name or folder, or remove them first: nothing is ever overwritten.")
  }

  private static func names(in folder: String) -> [String] {
    // A folder that isn't there is refused with the first image.
    let reader = try? FolderReader(path: Array(folder.utf8), below: [])
    let entries = try? reader?.entries(interrupt: Interrupt())
    return (entries ?? []).map { String(decoding: $0.name, as: UTF8.self) }
  }

  private static func numbers(in name: String) -> [Int] {
    name.split { !($0.isASCII && $0.isNumber) }.compactMap { Int($0) }
  }

  /// Makes the images of one request, and remembers them.
  ///
  /// - Returns: the number of images before the end of the clip.
  mutating func make(
    _ request: ImageGeneratorGenerateImages, showing progress: ImageProgress?,
    _ client: EngineClient
  ) async throws -> Int {
    let images = Made()
    let first = numbers.upperBound
    let count = request.samples?.count ?? request.times?.count ?? 0
    numbers = numbers.lowerBound..<first + count
    let end = client.observe { notification in
      guard let image = notification.decoded(as: ImageGeneratorDidGenerateImage.self) else {
        return
      }
      images.list.withLock { $0.append(image) }
      if image.error?.code != ErrorCode.noImageAtTime.rawValue { progress?.advance() }
    }
    let result = await Result { try await client.finish(request) }
    end?()
    // All of them come before the answer.
    let list = images.list.withLock(\.self).sorted { $0.index < $1.index }
    for image in list where image.error?.code == ErrorCode.fileAlreadyExists.rawValue {
      foreign.insert(numbered(target, first + image.index))
    }
    _ = try result.get()
    try Task.checkCancellation()
    // The frame after the last one couldn't be read: it isn't the end of the clip.
    let ends = list.filter { $0.error?.code == ErrorCode.noImageAtTime.rawValue }
    lack = ends.first { $0.error?.data?.stage == "read" }?.error?.message
    let known = list.filter { $0.error?.code != ErrorCode.noImageAtTime.rawValue }
    for image in known { try add(image, of: request) }
    wanted += known.count
    return known.count
  }

  /// Remembers an image, or the damage of its frame.
  private mutating func add(
    _ image: ImageGeneratorDidGenerateImage, of request: ImageGeneratorGenerateImages
  ) throws {
    let frame = request.samples.map { $0[image.index] }
    if let error = image.error {
      // The next frame can't be better where nothing can be written.
      let ofFrames = [ErrorCode.undecodableMediaData, .decodeFailed].map(\.rawValue)
      guard ofFrames.contains(error.code) else { throw RPCError(error) }
      damaged.append(
        DamagedFrame(
          frame: frame, time: image.requestedTime?.time, reason: error.data?.libav?.message))
      return
    }
    guard case .file(let file)? = image.image?.blob else { return }
    paths.append(file.path)
    // Without indexes nothing is known about frames in between.
    guard image.isExact == false, image.sampleIndex != nil else { return }
    damaged.append(
      DamagedFrame(
        frame: frame, time: image.requestedTime?.time, shown: image.actualTime?.time,
        path: file.path))
  }

  /// Completes the damaged frames by their own times, and removes the images that show other frames.
  mutating func settle(by times: FrameTimes) async throws {
    for place in damaged.indices {
      let frame = damaged[place]
      guard let own = try await times.time(of: frame) else { continue }
      damaged[place].time = own
      guard let path = frame.path, frame.shown != own else { continue }
      damaged[place].path = nil
      paths.removeAll { $0 == path }
      _ = unsafe unlink(path)
    }
  }

  private final class Made: Sendable {
    let list = Mutex<[ImageGeneratorDidGenerateImage]>([])
  }

  /// Removes the files that were made, once no request makes more: none of them was there before.
  func remove() {
    for path in numbers.lazy.map({ numbered(target, $0) }) where !foreign.contains(path) {
      _ = unsafe unlink(path)
    }
  }
}

/// The times of the frames of a track, which its samples state.
struct FrameTimes {
  let client: EngineClient
  let asset: AssetHandle
  let trackID: Int32

  /// Nil where the asset has no video.
  init?(of asset: AssetHandle, _ client: EngineClient) async throws {
    let video = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    guard let track = video.first(where: \.isEnabled) ?? video.first else { return nil }
    (self.client, self.asset, trackID) = (client, asset, track.trackID)
  }

  /// Returns the presentation time of a frame by its number, or that of the one at a time.
  fileprivate func time(of frame: ImageFiles.DamagedFrame) async throws -> Time? {
    var position = WireCursorPosition.first
    if frame.frame == nil {
      guard let time = frame.time else { return nil }
      position = .time(WireTime(time))
    }
    let made = try await client.call(
      SampleCursorCreate(asset: asset, trackID: trackID, position: position))
    var sample = made.sample
    if let count = frame.frame, count > 0 {
      let step = SampleCursorStep(
        sampleCursor: made.sampleCursor, count: count, order: .presentation)
      sample = try await client.call(step).sample
    }
    _ = try await client.call(HandleClose(handle: AnyHandle(made.sampleCursor)))
    return sample.presentationTime.time
  }
}

extension Image {
  var isWhole: Bool { all || every != nil || fps != nil }

  /// The number of images in one request.
  private static let batch = 500

  func validateWhole() throws {
    if let firstNumber, firstNumber < 0 { throw ValidationError("--first-number counts from 0") }
    guard isWhole else { return }
    if !frame.isEmpty || !time.isEmpty || nearest {
      throw ValidationError(
        "--all, --every and --fps take frames of the whole clip, so -t, --frame and --nearest have no place"
      )
    }
    if [all, every != nil, fps != nil].count(where: \.self) > 1 {
      throw ValidationError("Use one of --all, --every and --fps")
    }
    if let every, every < 1 { throw ValidationError("--every has to be 1 or more") }
    if let fps, fps.duration(of: 1) == nil { throw ValidationError("--fps has to be above 0") }
    guard target != "-", target.hasNumber else {
      throw ValidationError("Numbered pictures need a %d in the output's name, as in frame%04d.png")
    }
  }

  /// Makes images of the whole clip.
  func makeAll(
    _ generator: ImageGeneratorHandle, of asset: AssetHandle, _ format: WireImageFormat,
    _ client: EngineClient, _ console: Console
  ) async throws {
    var files = ImageFiles(target, firstNumber: firstNumber ?? 0)
    // Times begin with the first frame, which may come later than the asset's start.
    let first = ImageGeneratorGenerateImage(
      imageGenerator: generator, format: .gray, delivery: .shm)
    let start = fps == nil ? Time.zero : try await client.call(first).actualTime.time
    let progress = try await progress(of: asset, from: start, client, console)
    defer { progress?.clear() }
    do {
      var count = Image.batch
      while count == Image.batch {
        count = try await files.make(
          request(generator, format, after: files.wanted, from: start), showing: progress, client)
      }
      if !files.damaged.isEmpty, let times = try await FrameTimes(of: asset, client) {
        try await files.settle(by: times)
      }
    } catch {
      await client.close()
      files.remove()
      throw error
    }
    progress?.clear()
    try report(files, console)
    if !files.damaged.isEmpty || files.lack != nil { throw ExitCode(1) }
  }

  /// The maximum number of damaged frames that have a line each.
  private static let listedFrames = 20

  private func report(_ files: ImageFiles, _ console: Console) throws {
    for frame in files.damaged.prefix(Image.listedFrames) {
      console.complain("  \(frame.description)")
    }
    let more = files.damaged.count - Image.listedFrames
    if more > 0 { console.complain("  and \(more) more damaged frames") }
    if let lack = files.lack { console.complain("  \(lack.printable)") }
    if files.paths.isEmpty, !files.damaged.isEmpty {
      throw CommandError("No frame of '\(FileArguments.shown(file))' could be decoded")
    }
    guard let first = files.paths.first, let last = files.paths.last else {
      throw CommandError("'\(FileArguments.shown(file))' has no frame to make a picture of")
    }
    if json { return try console.print(files.paths) }
    let names = files.paths.count > 1 ? "\(first.printable) … \(last.printable)" : first.printable
    console.note("\(names): \(files.paths.count) pictures")
  }

  /// The request for the images after those that are there.
  private func request(
    _ generator: ImageGeneratorHandle, _ format: WireImageFormat, after count: Int,
    from start: Time
  ) -> ImageGeneratorGenerateImages {
    let places = count..<count + Image.batch
    let delivery = WireFileDelivery(path: target, firstNumber: count + (firstNumber ?? 0))
    var request = ImageGeneratorGenerateImages(
      imageGenerator: generator, format: format, quality: quality, delivery: .file(delivery),
      completion: .response)
    if let fps {
      request.times = places.map { WireTime(start + (fps.duration(of: $0) ?? .zero)) }
    } else {
      request.samples = places.map { $0 * (every ?? 1) }
    }
    return request
  }
}
