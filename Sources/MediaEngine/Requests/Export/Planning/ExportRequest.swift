/// The request of an export: the settings, the file and its type, for sessions and planners alike.
struct ExportRequest {
  let settings: ResolvedSettings
  let configuration: ExportConfiguration

  /// - Parameter preset: nil where the configuration's settings decide all.
  init(preset: ExportPreset?, fileType: FileType, configuration: ExportConfiguration) {
    settings = ResolvedSettings(configuration.settings, preset: preset, fileType: fileType)
    self.configuration = configuration
  }

  var fileType: FileType { settings.fileType }
  /// Samples are copied as they are.
  var isPassthrough: Bool { settings.isPassthrough }
}
