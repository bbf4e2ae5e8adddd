// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors, and every unsafe construct has to say so: only LibAV and SystemIO may touch C
/// pointers.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Flags of the modules that handle single bytes, characters and numbers: without optimization they take most of
/// the time of the tests of a debug build. Assertions stay. A package that depends on this one may have no such flags.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let optimized: [SwiftSetting] =
  isDependency
  ? []
  : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
/// Flags of the modules around the media: in a release they are small, and so are its packages.
let small: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let optimizedC: [CSetting] =
  isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

let package = Package(
  name: "reelwire",
  products: [
    .executable(name: "reelwire", targets: ["reelwire"]),
    .library(name: "MediaEngine", targets: ["MediaEngine", "MediaTime"]),
    .library(name: "EngineProtocol", targets: ["EngineProtocol", "JSONRPC"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
  ],
  targets: [
    // The operating system.
    .target(name: "CSystem"),
    .target(name: "SystemIO", dependencies: ["CSystem"], swiftSettings: strict),

    // Devices: servers of audio, by libraries that are opened when they are needed.
    .target(name: "CDevices", dependencies: ["CSystem"]),
    .target(
      name: "Devices", dependencies: ["CDevices", "SystemIO"], swiftSettings: strict + small),

    // Transfers of URLs, by libcurl, which is opened when it is needed.
    .target(name: "CCurl"),

    // The media stack.
    .target(
      name: "CLibAV", cSettings: optimizedC,
      linkerSettings: [
        .linkedLibrary("avformat"), .linkedLibrary("avcodec"), .linkedLibrary("swscale"),
        .linkedLibrary("swresample"), .linkedLibrary("avutil"),
      ]),
    .systemLibrary(name: "CZimg", pkgConfig: "zimg", providers: [.apt(["libzimg-dev"])]),
    .systemLibrary(
      name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .target(name: "CPixels", cSettings: optimizedC),
    // libass is opened when it is needed; without its headers no text is drawn.
    .target(name: "CAss"),
    .target(name: "MediaTime", swiftSettings: strict + optimized),
    .target(
      name: "LibAV", dependencies: ["CAss", "CEBUR128", "CLibAV", "CPixels", "CZimg", "SystemIO"],
      swiftSettings: strict + optimized),
    .target(
      name: "MediaEngine",
      dependencies: [
        "LibAV", "MediaTime", "SystemIO",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),

    // Libraries of media, in SQLite.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(
      name: "MediaLibrary",
      dependencies: ["LibAV", "MediaEngine", "MediaTime", "SQLite", "SystemIO"],
      swiftSettings: strict + small),

    // The wire stack.
    .target(
      name: "JSONRPC",
      dependencies: [
        .product(name: "DequeModule", package: "swift-collections")
      ],
      swiftSettings: strict + optimized),
    .target(
      name: "EngineProtocol", dependencies: ["JSONRPC", "MediaTime"],
      swiftSettings: strict + small),

    .target(
      name: "OpenTimelineIO", dependencies: ["JSONRPC", "MediaTime"],
      swiftSettings: strict + small),

    // The bridge, what stands between it and the caller, a client on its other side, and the program.
    .target(
      name: "EngineServer",
      dependencies: [
        "Devices", "MediaEngine", "MediaLibrary", "MediaTime", "EngineProtocol", "JSONRPC",
        "OpenTimelineIO", "SystemIO",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict + small),
    .target(
      name: "EngineSupervisor",
      dependencies: ["EngineProtocol", "JSONRPC", "MediaTime", "SystemIO"],
      swiftSettings: strict + small),
    .target(
      name: "EngineClient", dependencies: ["EngineServer", "EngineProtocol", "JSONRPC"],
      swiftSettings: strict + small),
    .target(name: "Terminal", swiftSettings: strict + small),
    .target(
      name: "EngineReports",
      dependencies: ["EngineClient", "EngineProtocol", "JSONRPC", "MediaTime", "Terminal"],
      swiftSettings: strict + small),
    .target(
      name: "EngineMCP",
      dependencies: [
        "EngineClient", "EngineProtocol", "EngineReports", "JSONRPC", "MediaEngine", "MediaTime",
        "SystemIO", "Terminal", .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict + small),
    .executableTarget(
      name: "reelwire",
      dependencies: [
        "CCurl", "EngineClient", "EngineMCP", "EngineReports", "EngineServer", "EngineSupervisor",
        "EngineProtocol", "JSONRPC", "MediaEngine", "MediaTime", "SystemIO", "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict + small),

    // Shared code of the tests: their environment, commands, waiting, numbers.
    .target(name: "CTestEnvironment", path: "Tests/CTestEnvironment"),
    .target(name: "TestSupport", dependencies: ["CTestEnvironment"], path: "Tests/TestSupport"),

    .testTarget(
      name: "MediaTimeTests",
      dependencies: ["MediaTime", .product(name: "BigInt", package: "BigInt")]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "TestSupport"]),
    .testTarget(name: "EngineProtocolTests", dependencies: ["EngineProtocol", "EngineServer"]),
    .testTarget(
      name: "OpenTimelineIOTests",
      dependencies: ["OpenTimelineIO", "JSONRPC", "MediaTime", "TestSupport"]),
    .testTarget(name: "SystemIOTests", dependencies: ["SystemIO", "TestSupport"]),
    .testTarget(name: "LibAVTests", dependencies: ["LibAV", "SystemIO", "TestSupport"]),
    .testTarget(
      name: "MediaEngineTests",
      dependencies: ["MediaEngine", "LibAV", "MediaTime", "SystemIO", "TestSupport"]),
    .testTarget(
      name: "MediaLibraryTests",
      dependencies: [
        "MediaLibrary", "MediaEngine", "MediaTime", "SQLite", "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "EngineServerTests",
      dependencies: [
        "Devices", "EngineServer", "EngineProtocol", "JSONRPC", "LibAV", "MediaEngine", "MediaTime",
        "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "EngineSupervisorTests",
      dependencies: [
        "EngineSupervisor", "EngineProtocol", "JSONRPC", "MediaTime", "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "EngineClientTests",
      dependencies: [
        "EngineClient", "EngineProtocol", "EngineServer", "JSONRPC", "MediaEngine", "MediaTime",
      ]),
    .testTarget(
      name: "EngineMCPTests", dependencies: ["EngineMCP", "EngineProtocol", "JSONRPC", "MediaTime"]),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"]),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzers are linked with libFuzzer, so they are there on request only: Tests/Fuzzing/fuzz.py.
if Context.environment["REELWIRE_FUZZING"] != nil {
  func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: ["FuzzingSupport"] + dependencies, path: "Tests/Fuzzing/\(name)",
      swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
  }
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
    .target(
      name: "FuzzingSupport", dependencies: ["CLibFuzzer", "SystemIO"],
      path: "Tests/Fuzzing/Support"),
    fuzzer("FramingFuzzer", ["JSONRPC"]),
    fuzzer("JSONFuzzer", ["JSONRPC"]),
    fuzzer("MessageFuzzer", ["EngineServer", "EngineProtocol", "JSONRPC"]),
    fuzzer("TimelineFuzzer", ["OpenTimelineIO", "JSONRPC", "MediaTime"]),
    fuzzer("MovieFuzzer", ["MediaEngine", "MediaTime", "SystemIO"]),
    fuzzer("BitstreamFuzzer", ["MediaEngine", "LibAV"]),
    fuzzer("IndexFuzzer", ["MediaEngine", "LibAV", "MediaTime", "SystemIO"]),
  ]
}
