import SystemIO

/// What a process allows and how much it may use.
public struct EngineConfiguration: Sendable {
  /// Folders that inputs and outputs must lie below; empty allows all.
  public var roots: [String] = []
  /// Demuxers beside the allowed ones, by FFmpeg's names.
  public var additionalFormats: [String] = []
  /// The maximum number of streams of a file, from 1 to 1000.
  public var maximumStreams: Int32 = 256
  /// Shared memory for callers, in bytes.
  public var sharedMemory = 512 << 20
  /// How large the temporary file of media that comes in order only may become, in bytes.
  public var spoolLimit: Int64 = 4 << 30
  /// Indexes a part of a file's samples wherever that does, whatever all of them would cost: for tests.
  package var alwaysIndexesWindows = false
  /// Opens what is read: a regular file; tests put slow and failing sources in its place.
  var openSource:
    @Sendable (_ path: String, _ roots: [String]) throws(SystemError) -> any ByteSource = {
      (path, roots) throws(SystemError) in
      try InputFile(path: path, roots: roots)
    }
  public init() {}
}
