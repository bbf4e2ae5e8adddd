import SystemIO

/// The files of a sheet and its map, which appear together or not at all.
///
/// Both are begun before any frame is made, so that their errors are reported at once.
struct SheetFiles {
  private let file: ContactSheet.File
  private let image: OutputFile
  private let map: OutputFile

  init(_ file: ContactSheet.File) throws(EngineError) {
    func begin(_ path: String) throws(EngineError) -> OutputFile {
      try mapErrors(.write, path: path) { () throws(SystemError) in
        try OutputFile(path: path, roots: file.configuration.roots)
      }
    }
    self.file = file
    image = try begin(file.path)
    map = try begin(file.mapPath)
  }

  func write(_ sheet: ContactSheet) throws(EngineError) {
    try mapErrors(.write, path: file.path) { () throws(SystemError) in
      try sheet.data.withBytes { bytes throws(SystemError) in
        try unsafe image.write(bytes.bytes, at: 0)
      }
    }
    let text = [UInt8](sheet.webVTT.utf8)
    try mapErrors(.write, path: file.mapPath) { () throws(SystemError) in
      try unsafe map.write(text.span.bytes, at: 0)
    }
    try mapErrors(.write, path: file.path) { () throws(SystemError) in try image.commit() }
    do throws(EngineError) {
      try mapErrors(.write, path: file.mapPath) { () throws(SystemError) in try map.commit() }
    } catch {
      image.unpublish()
      throw error
    }
  }
}
