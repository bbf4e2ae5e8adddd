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
    /// Transfers of http and https: sockets of the internet, and the files that name servers and certificates. A process
    /// with them opens no media, and writes no files.
    case web
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
  ///   - folders: the folders in which files may be opened and made; everywhere if empty, except for ``Purpose/web``, which
  ///     has none.
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
    if purpose == .web {
      result.files = restrictFiles(writable: [], readable: webFiles)
    } else if !folders.isEmpty {
      let spool = variable("TMPDIR") ?? "/tmp"
      let opened = files(of: purpose, opensCameras: opensCameras)
      result.files = restrictFiles(
        writable: folders + [spool, "/dev/null", "/dev/shm", "/proc/self"] + opened.writable,
        readable: readable + opened.readable)
    }
    result.systemCalls = Restriction(rw_filter_system_calls(purpose.sockets))
    return result
  }

  private static func restrictFiles(writable: [String], readable: [String]) -> Restriction {
    Restriction(unsafe withLists(writable, readable) { unsafe rw_restrict_files($0, $1) })
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
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
    let home = variable("HOME")
    let runtime = variable("XDG_RUNTIME_DIR")
    let authority = variable("XAUTHORITY")
    return ["/etc", "/tmp/.X11-unix"] + [runtime, authority].compactMap(\.self)
      + (home.map { ["\($0)/.config/pulse", "\($0)/.Xauthority"] } ?? [])
  }

  /// The files that libcurl reads: names of servers, certificates, and libraries for both. `/etc/resolv.conf` and the
  /// certificates are links elsewhere in some systems.
  private static var webFiles: [String] {
    let ofSystem = [
      "/usr", "/lib", "/lib64", "/etc", "/etc/resolv.conf", "/run/systemd/resolve",
      "/run/resolvconf", "/run/NetworkManager", "/var/lib/ca-certificates", "/nix/store",
      "/dev/urandom", "/dev/null",
    ]
    let certificates = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap(variable)
    return ofSystem + certificates
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

extension Confinement.Purpose {
  fileprivate var sockets: rw_sockets {
    switch self {
    case .media: RW_NO_SOCKETS
    case .devices: RW_LOCAL_SOCKETS
    case .web: RW_INTERNET_SOCKETS
    }
  }
}

extension Confinement.Restriction {
  fileprivate init(_ errno: Int32) {
    self = errno == 0 ? .holds : .isUnavailable(unsafe String(cString: strerror(errno)))
  }
}
