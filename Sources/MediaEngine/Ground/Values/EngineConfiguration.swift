import SystemIO

/// The permissions and resource limits of a process.
public struct EngineConfiguration: Sendable {
  /// Folders that inputs and outputs must be in; empty allows all.
  public var roots: [String] = []
  /// Additional demuxers to allow, by FFmpeg's names.
  public var additionalFormats: [String] = []
  /// The maximum number of streams of a file, from 1 to 1000.
  public var maximumStreams: Int32 = 256
  /// Shared memory for callers, in bytes.
  public var sharedMemory = 512 << 20
  /// The maximum size of the temporary file for media that can only be read in order, in bytes.
  public var spoolLimit: Int64 = 4 << 30
  /// Indexes a part of a file's samples wherever that is possible, even if indexing all of them is
  /// cheap: for tests.
  package var alwaysIndexesWindows = false
  /// Opens inputs: regular files by default. Tests replace them by slow and failing sources.
  var openSource:
    @Sendable (_ path: String, _ roots: [String]) throws(SystemError) -> any ByteSource = {
      (path, roots) throws(SystemError) in
      try InputFile(path: path, roots: roots)
    }
  public init() {}
}
