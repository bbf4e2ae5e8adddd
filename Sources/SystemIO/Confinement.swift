internal import CSystem
internal import Glibc

/// The rights that a process gives up for good, so that code controlled by a hostile file can do little with it.
public struct Confinement: Sendable {
  /// The state of a restriction.
  public enum Restriction: Sendable, Equatable {
    case holds
    /// The restriction wasn't requested.
    case isNotWanted
    /// The kernel doesn't have it, for this reason.
    case isUnavailable(String)
  }

  /// The work of a process, which determines the rights that it needs.
  public enum Purpose: Sendable {
    /// Media files, and no socket.
    case media
    /// Devices: local sockets lead to the servers of audio and screens, and those of cameras are files. A process with
    /// them opens no media.
    case devices
  }

  /// No programs, sockets, other processes (seccomp).
  public var systemCalls: Restriction
  /// No files but those below the allowed folders (Landlock).
  public var files: Restriction
  /// No address space beyond a maximum (RLIMIT_AS).
  public var memory: Restriction
  /// No file larger than a maximum (RLIMIT_FSIZE), shared memory and temporary files among them.
  public var fileSize: Restriction
  /// No more than ``maximumDescriptors`` (RLIMIT_NOFILE).
  public var descriptors: Restriction

  /// Enough for thousands of files at a time, and not for all that a kernel has.
  public static let maximumDescriptors = 65_536

  /// The restrictions that this kernel supports.
  public static var available: Confinement {
    Confinement(
      systemCalls: Restriction(rw_can_filter_system_calls()),
      files: Restriction(rw_can_restrict_files()), memory: .holds, fileSize: .holds,
      descriptors: .holds)
  }

  /// Restricts this process, which must have one thread.
  ///
  /// - Parameters:
  ///   - purpose: the work of the process.
  ///   - opensCameras: true for a process of devices that may open cameras.
  ///   - folders: the folders in which files may be opened and made; everywhere if empty.
  ///   - memory: the maximum address space in bytes; 0 for no maximum.
  ///   - fileSize: the maximum size of a file in bytes; 0 for no maximum.
  public static func begin(
    _ purpose: Purpose = .media, opensCameras: Bool = false, folders: [String], memory: Int,
    fileSize: Int
  ) -> Confinement {
    rw_write_no_core()
    var result = Confinement(
      systemCalls: .isNotWanted, files: .isNotWanted, memory: .isNotWanted, fileSize: .isNotWanted,
      descriptors: Restriction(rw_limit_descriptors(UInt64(maximumDescriptors))))
    if memory > 0 { result.memory = Restriction(rw_limit_address_space(UInt64(memory))) }
    if fileSize > 0 { result.fileSize = Restriction(rw_limit_file_size(UInt64(fileSize))) }
    if !folders.isEmpty {
      let spool = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
      let opened = files(of: purpose, opensCameras: opensCameras)
      let writable = folders + [spool, "/dev/null", "/dev/shm", "/proc/self"] + opened.writable
      let readable = readable + opened.readable
      let failure = unsafe withLists(writable, readable) { unsafe rw_restrict_files($0, $1) }
      result.files = Restriction(failure)
    }
    result.systemCalls = Restriction(rw_filter_system_calls(purpose == .devices ? 1 : 0))
    return result
  }

  /// The files that libraries read on their own: converters of character sets, fonts, time zones, the number of cores.
  private static let readable = [
    "/usr", "/lib", "/lib64", "/etc/fonts", "/var/cache/fontconfig", "/etc/localtime",
    "/etc/ld.so.cache", "/dev/urandom", "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup",
  ]

  /// Returns the files that devices need; of cameras the first 64, if they may be opened.
  private static func files(
    of purpose: Purpose, opensCameras: Bool
  ) -> (writable: [String], readable: [String]) {
    guard purpose == .devices else { return ([], []) }
    guard opensCameras else { return ([], serverFiles) }
    return ((0..<64).map { "/dev/video\($0)" }, serverFiles + ["/dev/v4l"])
  }

  /// The files that lead to the servers of audio and screens.
  private static var serverFiles: [String] {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
    let runtime = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
    let authority = unsafe getenv("XAUTHORITY").map { unsafe String(cString: $0) }
    return ["/etc", "/tmp/.X11-unix"] + [runtime, authority].compactMap(\.self)
      + (home.map { ["\($0)/.config/pulse", "\($0)/.Xauthority"] } ?? [])
  }

  private typealias List = UnsafePointer<UnsafePointer<CChar>?>

  private static func withLists(
    _ first: [String], _ second: [String], _ body: (List, List) -> Int32
  ) -> Int32 {
    let lists = unsafe [first, second].map { unsafe $0.map { unsafe strdup($0) } }
    defer { unsafe lists.joined().forEach { unsafe free($0) } }
    let pointers = unsafe lists.map { unsafe $0.map { unsafe UnsafePointer($0) } + [nil] }
    return unsafe body(pointers[0], pointers[1])
  }
}

extension Confinement.Restriction {
  fileprivate init(_ errno: Int32) {
    self = errno == 0 ? .holds : .isUnavailable(unsafe String(cString: strerror(errno)))
  }
}
