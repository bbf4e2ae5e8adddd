import Devices
import Foundation
import MediaTime
import TestSupport
import Testing

@testable import EngineServer
@testable import MediaEngine

struct CameraTests {
  /// udev's folders, in which links lead to devices.
  private static func folder(_ links: [(name: String, device: String)]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "cameras-\(UUID().uuidString)").resolvingSymlinksInPath()
    let files = FileManager.default
    for kind in ["by-id", "by-path"] {
      try files.createDirectory(
        at: folder.appending(path: "v4l/\(kind)"), withIntermediateDirectories: true)
    }
    for (name, device) in links {
      let path = folder.appending(path: device).path
      if !files.fileExists(atPath: path) { _ = files.createFile(atPath: path, contents: nil) }
      try files.createSymbolicLink(
        atPath: folder.appending(path: "v4l/\(name)").path,
        withDestinationPath: "../../\(device)")
    }
    return folder
  }

  @Test
  func namesAreUdevsElsePlacesElseNumbers() throws {
    let folder = try Self.folder([
      ("by-id/usb-Maker_Camera-video-index0", "video0"), ("by-path/pci-1-video-index0", "video0"),
      ("by-path/pci-2-video-index0", "video2"), ("by-path/pci-2-z", "video2"),
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = CameraNames(folder: folder.appending(path: "v4l").path)
    func id(_ device: String, _ bus: String) -> String {
      names.id(of: folder.appending(path: device).path, bus: bus)
    }
    #expect(id("video0", "usb-1") == "v4l2:usb-Maker_Camera-video-index0")
    #expect(id("video2", "usb-2") == "v4l2:pci-2-video-index0")
    #expect(id("video4", "usb-3") == "v4l2:usb-3")
    #expect(id("video4", "") == "v4l2:video4")
  }

  @Test
  func camerasOfOneDeviceDifferByTheirOrder() {
    var names = CameraNames(folder: "/dev/null")
    let ids = (0..<3).map { names.takeID(of: "/dev/video\($0)", bus: $0 == 1 ? "other" : "isp") }
    #expect(ids == ["v4l2:isp", "v4l2:other", "v4l2:isp-1"])
  }

  @Test
  func gapsInNumbersAreLostFrames() {
    var sequence = FrameSequence()
    #expect([7, 8, 11, 12].map { sequence.take($0) } == [0, 0, 2, 0])
    // The same again, one that went back, and one that counts in another way.
    #expect([12, 3, 4, 4_000_000].map { sequence.take($0) } == [0, 0, 0, 0])
    // Past the end of the numbers.
    #expect([.max, 2].map { sequence.take($0) } == [0, 2])
  }

  /// The values in videodev2.h for each colour space, and those that a driver states in place of
  /// them.
  @Test(
    arguments: [
      (0, 0, 0, 0, nil, nil, nil, nil),
      (1, 0, 0, 0, "smpte170m", "bt709", "smpte170m", false),
      (3, 0, 0, 0, "bt709", "bt709", "bt709", false),
      (7, 0, 0, 0, "bt709", "iec61966-2-1", "smpte170m", true),
      (8, 0, 0, 0, "bt709", "iec61966-2-1", "smpte170m", false),
      (8, 2, 1, 1, "bt709", "bt709", "bt709", true),
      (10, 0, 2, 7, "bt2020", "smpte2084", "bt2020nc", false),
    ] as [(UInt32, UInt32, UInt32, UInt32, String?, String?, String?, Bool?)])
  func coloursAreTheDrivers(
    _ given: (UInt32, UInt32, UInt32, UInt32, String?, String?, String?, Bool?)
  ) {
    var colors = CameraDevice.Colors()
    (colors.space, colors.encoding, colors.quantization, colors.transfer) = (
      given.0, given.1, given.2, given.3
    )
    #expect(
      FormatDescription.Color(colors)
        == FormatDescription.Color(
          primaries: given.4, transfer: given.5, matrix: given.6, isFullRange: given.7))
  }
}
